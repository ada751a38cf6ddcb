"""The chess board and its moves, for the games that are played on it."""
