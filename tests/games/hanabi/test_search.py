"""Search that knows no game runs on Hanabi too."""

import pytest

from kibitz.engine.seat import Budget
from kibitz.games.hanabi.game import HANABI
from kibitz.search.choice import most_valued
from kibitz.search.clock import limit_of
from kibitz.search.flat import flat
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.worlds import fresh_worlds
from tests.tables import PLAYERS, at, dealt, other_cards, table_of


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("playout", [RANDOM, MODEL])
def test_flat_search_chooses_a_legal_move(players: int, playout: int) -> None:
    table = table_of((), dealt(players))
    view = table.view(0)
    found = flat(fresh_worlds(view), limit_of(Budget(60)), 1, playout)
    assert found.visits.sum() == 60
    assert most_valued(found).move in HANABI.legal(view)


def test_flat_search_plays_the_last_five() -> None:
    """When nothing else can be drawn or played any more, a known five that fits is worth a point."""
    hands, piles = ["r5", "y5"], {"red": 4}
    discards = other_cards(*hands, piles=piles)
    table = at(*hands, deck="", discards=discards, piles=piles, hints=["red to G1", "5 to G1"])
    found = flat(fresh_worlds(table.view(0)), limit_of(Budget(200)), 1, RANDOM)
    choice = most_valued(found)
    assert HANABI.move_text(choice.move) == "play 1"
