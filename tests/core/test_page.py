"""A game that knows nothing of browsers and networks is playable there all the same."""

from typing import Any

import pytest
from kuhn.game import KUHN
from nim.game import Nim

from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.engine.loop import ONLOOKER


class PlainNim(Nim):
    """Without a page."""

    def page(self, view: Any) -> Any:
        return Game.page(self, view)


NIM = PlainNim()


def table() -> Table:
    return Table(NIM, [], NIM.load_start({"stones": 5}, 2, NIM.check_rules({})))


def test_a_game_without_a_page_shows_its_board_as_text() -> None:
    assert NIM.page(table().view(0)) == {"text": "ooooo\n"}
    assert NIM.page(table().view(ONLOOKER)) == {"text": "ooooo\n"}
    assert Game.page_folder is None


def test_its_choices_are_its_legal_moves() -> None:
    assert NIM.choices(table().view(0)) == [{"move": "take 1"}, {"move": "take 2"}, {"move": "take 3"}]
    assert NIM.odds(table().view(0)) == []


def test_its_events_say_the_move_and_what_happened() -> None:
    game = table()
    game.make(Decision(1))
    assert NIM.event(game.view(1), 0) == {"turn": 1, "move": "take 2", "text": "G1 takes 2"}


@pytest.mark.parametrize("game", [NIM, KUHN], ids=lambda game: game.name)
def test_reasons_are_shown_at_once_if_nothing_is_hidden_else_at_the_end(game: Game) -> None:
    table = Table(game, [], game.deal(seeds.keys(2), 0, 2, game.check_rules({})))
    while not table.over:
        assert game.turns_explained(table.state) == (len(table.turns) if game is NIM else 0)
        table.make(Decision(0))
    assert game.turns_explained(table.state) == len(table.turns)
