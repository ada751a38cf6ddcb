"""kibitz: a laboratory for games with hidden cards."""

__version__ = "0.1.0"
