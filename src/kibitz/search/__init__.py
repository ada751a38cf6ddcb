"""Search algorithms that know no game: the type of the states selects the rules (`engine.generic`)."""

from kibitz.engine import defaults as defaults  # for functions that a game does not implement
