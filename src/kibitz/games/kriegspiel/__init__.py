"""Kriegspiel: chess in which each side sees its own pieces only, and an umpire tells both what they may know."""
