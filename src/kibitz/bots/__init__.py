"""Bots that are not part of kibitz run in processes of their own: limited, watched, and killed when they hang.

`process` is one worker process, `pool` all of them, and `worker` what runs inside. `players` seats bots at tables, and
`family` ends a worker together with whatever it has started.
"""
