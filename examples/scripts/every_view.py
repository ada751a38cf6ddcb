"""Step through a game and print every seat's view."""

import kibitz

table = kibitz.table("hanabi", ["trustful", "piers"], seed=0)
for turn in table:
    print(turn.number, turn.seat, turn.move, turn.reason)
    print(*table.views, sep="\n")
print(table.verdict)
