"""Nobody foresees a roll: views and messages do not depend on future rolls."""

import itertools
import random
from typing import Any

import pytest

from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.games.dicechess.game import DICE_CHESS
from kibitz.games.dicechess.view import View
from tests.server.host import test_wall as host
from tests.server.web import test_wall as web

OPENED = "r3k2r/1bq2bn1/n7/pppppppp/PPPPPPPP/N7/1BQ2BN1/R3K2R w KQkq - 0 1"  # whatever is rolled, something can move


def opened(players: int, seed: int) -> Any:
    return DICE_CHESS.begin(keys(seed), 0, players, {}, DICE_CHESS.set_up(OPENED, players, {}))


def any_move(view: View, dice: random.Random) -> int:
    return int(DICE_CHESS.move(dice.choice(view.legal), view.struct))


READ = web.Reading(
    DICE_CHESS, opened, any_move, ("random", "greedy", web.SCRIPTED), "nobody", ("expectiminimax@1ply", "mcts@20")
)


def with_another_future(table: Table) -> Any:
    """A start from which the same was rolled, and other things will be."""
    made = [turn.decision for turn in table.turns]
    for chance in itertools.count(1):
        start = table.start.copy()
        start[0]["chance"] = chance
        other = Table(DICE_CHESS, [], start)
        while len(other.turns) < len(made) and [turn.decision for turn in other.turns] == made[: len(other.turns)]:
            other.make(made[len(other.turns)])
        if [turn.decision for turn in other.turns] == made:
            return start
    raise AssertionError


@pytest.fixture(scope="module")
def futures() -> tuple[Table, Any]:
    table = READ.until(2, 4, 0)
    return table, with_another_future(table)


def test_a_view_is_the_same_whatever_will_be_rolled(futures: tuple[Table, Any]) -> None:
    table, start = futures
    other = table.replayed([], start)
    assert other.state.tobytes() != table.state.tobytes()
    for seat in range(2):
        assert other.view(seat).tobytes() == table.view(seat).tobytes()


@pytest.mark.parametrize("onlooker", [False, True])
def test_on_the_page_the_same_is_sent(
    futures: tuple[Table, Any], onlooker: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, start = futures
    mine, theirs = (web.everything_sent(monkeypatch, READ, each, table, 0, onlooker) for each in (table.start, start))
    assert onlooker or sum('"advice"' in text for text in mine) > 3
    assert mine == theirs


def test_over_the_network_the_same_is_sent(futures: tuple[Table, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    table, start = futures
    mine, theirs = (host.everything_sent(monkeypatch, READ, each, table, 0, "records") for each in (table.start, start))
    assert mine == theirs
