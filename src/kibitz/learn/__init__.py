"""Players that tune and teach themselves: they ask the arena for matches of candidates."""
