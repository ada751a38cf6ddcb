"""Every view that a seat is sent in a game, from any start, is accepted as the next after the one before it."""

from collections.abc import Mapping
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine.dice import set_dice
from kibitz.engine.seeds import keys
from kibitz.errors import RecordError

# Starts that are written down, with a pawn that was just passed, rights to castle, kings, a counter near its end.
WRITTEN = [
    ("dicechess", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", {}),
    ("dicechess", "k7/8/8/8/8/8/8/K7 w - - 98 1", {}),
    ("kriegspiel", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", {}),
    ("kriegspiel", "k7/4PPPP/8/8/8/8/4pppp/K7 w - - 0 1", {}),
    ("draughts", "W:W21,22,K30:B1,K7", {"variant": "russian"}),
    ("bridge", "N:15-17,S5+ - 0-8 -", {"declarer": "east"}),
    ("three_sets", "", {"picks": "coin"}),
    ("connect4", "", {"opening": "random"}),
]


def table_of(name: str, text: str, chosen: Mapping[str, str]) -> Table:
    game = registry.game(name)
    players, rules = game.players[0], game.check_rules(chosen)
    start = game.start_at(text, players, rules) if text else None
    begun = game.begin(keys(7), 1, players, rules, start)
    set_dice(begun[0], 3)
    return Table(game, [registry.agent(game, "random").take_seat(game)] * players, begun)


@pytest.mark.parametrize(("name", "text", "chosen"), WRITTEN)
def test_views_of_a_game_follow_one_another(name: str, text: str, chosen: Mapping[str, str]) -> None:
    table = table_of(name, text, chosen)
    before: list[Any] = [None] * len(table.players)
    for _ in range(40):
        for seat in range(len(before)):
            view = table.view(seat)
            table.game.check_next(view, seat, before[seat])
            before[seat] = view
        if table.over:
            return
        table.step()


@pytest.mark.parametrize("name", ["dicechess", "kriegspiel", "draughts", "bridge", "connect4"])
def test_a_view_that_leaves_out_a_move_is_refused(name: str) -> None:
    table = table_of(name, "", {})
    first = table.view(0)
    for _ in range(2):
        table.step()
    with pytest.raises(RecordError, match="after the one before it"):
        table.game.check_next(table.view(0), 0, first)
