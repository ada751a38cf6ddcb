"""A struct from a host goes to compiled code, which does not check its indices: what cannot be a view is refused."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.errors import RecordError
from kibitz.core.game import Game
from kibitz.core.seeds import keys
from kibitz.core.table import Table
from tests.any_game import every_rules

GAMES = registry.games()
HISTORIES = [registry.game("hanabi"), registry.game("loveletter")]  # the games whose states keep what happened


def tables(game: Game) -> list[Table]:
    """A table for every number of players and all rules, where everybody moves at random."""
    agent = registry.agent(game, {"hanabi": "random_legal"}.get(game.name, "random"))
    return [
        Table(game, [agent.take_seat(game)] * players, game.deal(keys(number), number, players, rules))
        for number, (players, rules) in enumerate(product(game.players, every_rules(game)))
    ]


def views(table: Table) -> list[Any]:
    return [table.view(seat).copy() for seat in range(len(table.players))]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_view_of_a_real_game_is_accepted(game: Game) -> None:
    for table in tables(game):
        for _ in (None, *table.steps()):
            for seat, view in enumerate(views(table)):
                game.check_view(view, seat)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_view_outside_its_bounds_is_refused(game: Game) -> None:
    view = views(tables(game)[0])[1]
    for field, (least, greatest) in game.bounds.items():
        for value in (least - 1, greatest + 1):
            if np.can_cast(np.min_scalar_type(value), view.dtype[field].base):
                wrong = view.copy()
                wrong[field] = value
                with pytest.raises(RecordError, match=f"has {field} from"):
                    game.check_view(wrong, 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize(
    ("field", "value"), [("players", 1), ("players", 9), ("seat", 0), ("seat", -1), ("to_move", 2)]
)
def test_a_view_of_another_seat_is_refused(game: Game, field: str, value: int) -> None:
    view = views(tables(game)[0])[1]
    if field not in (view.dtype.names or ()):
        pytest.skip(f"states of {game.title} have no {field}")
    view[field] = value
    with pytest.raises(RecordError, match="not the view of G2"):
        game.check_view(view, 1)


@pytest.mark.parametrize("game", HISTORIES, ids=lambda game: game.name)
@pytest.mark.parametrize("happened", [63, 31 << 6])
def test_an_event_that_cannot_be_in_the_history_is_refused(game: Game, happened: int) -> None:
    if game.name == "loveletter" and happened != 63:
        happened = 15 << 10
    view = views(tables(game)[0])[1]
    view["history"][3] = happened
    with pytest.raises(RecordError, match="only moves of the game"):
        game.check_view(view, 1)


def test_rounds_that_do_not_fit_the_history_are_refused() -> None:
    game = registry.game("loveletter")
    view = views(tables(game)[0])[1]
    view["finished"] = 2
    view["rounds"][:2] = 15 << 6
    with pytest.raises(RecordError, match="do not fit its history"):
        game.check_view(view, 1)
