"""Pictures, texts and observations show what a view shows: they are the same in worlds that look alike to a seat."""

from typing import Any
from xml.etree import ElementTree

import pytest

import kibitz
from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.core.view import PlainView
from kibitz.games.hanabi import View
from tests.wall import another

GAMES = tuple(registry.games())
OF_HIDDEN_CARDS = ("bridge", "hanabi", "kriegspiel", "loveletter")
TURNS = (0, 5, 9)


def tables(name: str) -> list[Table]:
    """A game at some of its turns."""
    played, found = kibitz.table(name, "random_legal" if name == "hanabi" else "random", seed=3), []
    record = played.run().record
    for turn in TURNS:
        if turn < len(record.moves):
            found.append(record.up_to(turn).replay())
    return found


def shown(table: Table, seat: int) -> Any:
    """Everything that a notebook can show of a seat's view."""
    struct = table.view(seat)
    view = table.game.view(struct)
    view = view if isinstance(view, kibitz.View) else PlainView(table.game, struct)
    numbers = (view.observation.tolist(), view.actions.mask.tolist()) if table.game.encoding is not None else ()
    hands = [hand._repr_svg_() for hand in view.hands] if isinstance(view, View) else []
    return view._repr_svg_(), str(view), repr(view), numbers, hands


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_pictures_are_well_formed(game: kibitz.Game) -> None:
    for table in tables(game.name):
        for struct in (table.open_state(), *(table.view(seat) for seat in range(int(table.state["players"])))):
            picture = ElementTree.fromstring(game.svg(struct))
            assert picture.tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("name", OF_HIDDEN_CARDS)
def test_a_seat_is_shown_the_same_in_worlds_that_look_alike(name: str) -> None:
    different = 0
    for table in tables(name):
        for seat in range(int(table.state["players"])):
            other = another(table, seat, stream=7 + seat)
            different += table.game.svg(table.open_state()) != table.game.svg(other.open_state())
            assert shown(table, seat) == shown(other, seat)
    assert different


def test_a_hidden_card_has_no_face() -> None:
    table = kibitz.table("hanabi", players=2, seed=1)
    own, open_table = table.view(0), table.view()
    assert isinstance(own, View)
    assert isinstance(open_table, View)
    assert own._repr_svg_().count(">?<") == own.hands[0]._repr_svg_().count(">?<") == 5
    assert ">?<" not in open_table._repr_svg_()
    assert repr(own.hand[0]) == "<hidden card, card 1 of G1>"
    assert repr(open_table.hands[1][0]).endswith(", card 1 of G2>")


@pytest.mark.parametrize("name", ["bridge", "loveletter"])
def test_hands_have_pictures_and_one_line_of_text(name: str) -> None:
    view = kibitz.table(name, seed=1).view(0)
    hand = view.hand(0) if name == "bridge" else view.hand  # type: ignore[attr-defined]
    assert len(hand) == (13 if name == "bridge" else 2)
    assert repr(hand) == f"<hand {hand}>"
    texts = "".join(ElementTree.fromstring(hand._repr_svg_()).itertext())
    assert str(hand[0]).lstrip("♠♥♦♣") in texts


def test_texts_in_pictures_are_escaped() -> None:
    class Named(type(registry.game("coins"))):  # type: ignore[misc]
        def seat_name(self, seat: int) -> str:
            return "<script>"

    table = kibitz.table("coins", players=2)
    assert "&lt;script&gt;" in Named().svg(table.view(0).struct)


def test_a_game_without_a_picture_is_drawn_as_its_text() -> None:
    coins = registry.game("coins")
    picture = kibitz.Game.svg(coins, kibitz.table("coins", players=2).view(0).struct)
    assert "G1: 0" in "".join(ElementTree.fromstring(picture).itertext())
