"""A model of how real people play Hanabi: its inputs, its choice of a move, and the games it is fitted to."""
