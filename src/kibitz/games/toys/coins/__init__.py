"""Coins in a row, for two to four players."""
