"""Nim: take one to three stones in turn, and whoever takes the last one wins."""
