"""Nim: take one to three stones in turn; the player who takes the last one wins."""
