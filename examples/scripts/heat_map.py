"""A cross-play matrix as a heat map."""

import kibitz

cross = kibitz.cross("hanabi", ["trustful", "piers", "outer", "iggi"], players=3, games=100)
print(cross.matrix)
cross.save("cross.svg")
