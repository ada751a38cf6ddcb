"""Run other people's bots in limited processes, which are watched and killed if they hang.

`process` is one worker process from outside, `pool` manages all of them, and `worker` runs inside. `players` seats bots
at tables, and `family` kills a worker together with everything it has started.
"""
