"""Tables while they are played: moves, seats and clocks, who is told what, sessions and their limits.

No web framework and no database: a table is handed where it is kept, a session is handed its connection. The browser's
server (`web`) and the host for programs (`host`) are both built from these parts.
"""
