"""What everybody knows at a table, read with the eyes of a seat."""

from typing import Any

import numpy as np

from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER, SEEN
from kibitz.games.hanabi.agents.signal.common_knowledge import COMMON_KNOWLEDGE, begin
from kibitz.games.hanabi.agents.signal.reading import catch_up
from kibitz.games.hanabi.agents.signal.weights import WEIGHTS
from tests.wall import seen


def weights(players: int, **changed: float) -> Any:
    """The settings for a number of players, some of them changed: `mod_sum__plays=0` is mod_sum.plays."""
    values = dict(zip(WEIGHTS.names, WEIGHTS.for_players(players), strict=True))
    values.update({name.replace("__", "."): value for name, value in changed.items()})
    return np.array([values[name] for name in WEIGHTS.names])


def started(start: Any) -> Any:
    """What everybody knows when a game begins."""
    c = np.zeros(1, COMMON_KNOWLEDGE)[0]
    begin(c, seen(start[0], ONLOOKER)[SEEN])
    return c


def known(table: Table, seat: int) -> Any:
    """What everybody knows now, as a seat reads it from what it sees."""
    c = started(table.start)
    catch_up(c, table.view(seat), weights(int(table.state["players"])))
    return c


def mask(c: Any, seat: int, slot: int) -> int:
    return int(c["masks"][c["hands"][seat][slot]])
