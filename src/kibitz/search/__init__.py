"""Search that knows no game: it finds the rules by the type of the states it is handed (`core.generic`)."""
