"""Mistakes at Love Letter in words."""

from collections.abc import Callable

import pytest

from kibitz.core.coaching import Evaluation, Worth
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.games.loveletter import View
from kibitz.games.loveletter.coach.words import remark
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import Move


def lost_one(chosen: Move, best: Move) -> Evaluation:
    return Evaluation((Worth(best, 0.6, 0.0, 9), Worth(chosen, 0.4, 0.0, 9)), int(chosen), int(best), 0.2, 0.01)


def first_view(wanted: Callable[[View], bool]) -> View:
    """The first seat's view at the start of the first deal that suits."""
    rules = LOVE_LETTER.check_rules({"unit": "round"})
    for number in range(500):
        table = Table(LOVE_LETTER, [], LOVE_LETTER.deal(seeds.keys(1), number, 2, rules))
        view = View(table.view(0))
        if wanted(view):
            return view
    raise AssertionError("no deal suits")


def has(*names: str) -> Callable[[View], bool]:
    return lambda view: sorted(map(str, view.hand)) == sorted(names)


@pytest.mark.parametrize(
    ("wanted", "chosen", "best", "kind"),
    [
        (has("Princess", "Guard"), "Princess", "Guard G2 Priest", "princess"),
        (
            lambda view: "Guard" in map(str, view.hand) and "King" in map(str, view.face_up),
            "Guard G2 King",
            "Guard G2 Prince",
            "impossible guess",
        ),
        (has("Baron", "Guard"), "Baron G2", "Guard G2 Prince", "low baron"),
        (has("Countess", "Guard"), "Countess", "Guard G2 Prince", "needless countess"),
        (has("Handmaid", "Priest"), "Priest G2", "Handmaid", "unprotected"),
    ],
)
def test_a_mistake_has_its_name(wanted: Callable[[View], bool], chosen: str, best: str, kind: str) -> None:
    view = first_view(wanted)
    moves = [Move(LOVE_LETTER.move(text, view.struct)) for text in (chosen, best)]
    found = remark(view, lost_one(*moves))
    assert found.kind == kind
    assert f"{best} wins 20 % more" in found.text
