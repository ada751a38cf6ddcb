"""Draughts on 8×8: Brazilian, English and Russian rules, positions, notation and players."""
