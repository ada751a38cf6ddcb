"""Tables in play: moves, seats, clocks, the messages to each client, sessions and their limits.

There is no web framework and no database here: a table gets its storage, and a session its connection, from outside.
The browser's server (`web`) and the host for programs (`host`) are both built from these parts.
"""
