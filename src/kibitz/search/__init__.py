"""Search that knows no game: it finds the rules by the type of the states it is handed (`core.generic`)."""

from kibitz.engine import defaults as defaults  # what a game leaves out of what search asks for
