"""Dice chess: a die says which kind of piece moves, and who takes the king wins."""
