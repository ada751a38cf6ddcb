"""The board of chess and how its pieces move, for the games that are played on it."""
