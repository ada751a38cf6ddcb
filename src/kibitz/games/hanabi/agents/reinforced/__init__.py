"""A player that teaches itself from its own games: what it sees of a situation, what it learned, and how it learns."""
