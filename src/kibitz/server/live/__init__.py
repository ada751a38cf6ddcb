"""Tables in play: moves, seats, clocks, what each client is sent, sessions and their limits.

No web framework and no database: a table is handed where it is kept, a session is handed its connection. The browser's
server (`web`) and the host for programs (`host`) are both built from these parts.
"""
