"""Small games for teaching and tests: three sets from a lecture, tic-tac-toe, and coins in a row for up to four."""
