"""Small games for teaching and for tests: the three sets of a lecture, tic-tac-toe, coins in a row for up to four."""
