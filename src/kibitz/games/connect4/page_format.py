"""Connect 4 as JSON, for the page that draws it and for bots over the network."""

from typing import Any

from kibitz.games.connect4.view import View


def table(view: View) -> dict[str, Any]:
    return {
        "grid": view.grid,
        "moves": view.moves,
        "to_move": None if view.over else view.to_move - 1,
        "four": [list(place) for place in view.four],
        "open": [] if view.over else view.open_columns,
    }
