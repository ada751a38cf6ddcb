"""A view from a host that lies: cards that no deal can have are refused, as sampling relies on them."""

from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.errors import RecordError
from kibitz.games.bridge.game import BRIDGE

TURNS = 22


@pytest.fixture(scope="module")
def sent() -> tuple[Any, int]:
    """What the opening leader sees in the middle of a deal, and its seat."""
    players = [registry.agent(BRIDGE, "random").take_seat(BRIDGE)] * 4
    rules = BRIDGE.check_rules({"declarer": "north", "bidding": "points"})
    table = Table(BRIDGE, players, BRIDGE.deal(keys(5), 0, 4, rules))
    for _ in range(TURNS):
        table.step()
    return table.view(1), 1


def test_the_view_is_accepted(sent: tuple[Any, int]) -> None:
    BRIDGE.check_view(sent[0].copy(), sent[1])


@pytest.mark.parametrize(
    ("field", "place", "value", "says"),
    [
        ("leader", None, lambda old: (old + 1) % 4, "lead to another trick"),
        ("voids", 3, lambda old: old ^ 1, "show out of other suits"),
        ("hands", 1, lambda old: old & (old - 1), "too many or too few cards"),
        ("hands", 3, lambda old: 1, "a hidden hand is visible"),
        ("dealt", 3, lambda old: old & (old - 1), "cards differ from those it was dealt"),
        ("max_points", 1, lambda old: 0, "contradicts the bidding"),
        ("max_points", 3, lambda old: 0, "no deal of the unseen cards"),
        ("min_lengths", (3, 0), lambda old: 13, "no deal of the unseen cards"),
        ("tricks", 0, lambda old: old ^ 1, "No legal game of Bridge"),
    ],
)
def test_cards_that_no_deal_has_are_refused(
    sent: tuple[Any, int], field: str, place: Any, value: Any, says: str
) -> None:
    view, seat = sent[0].copy(), sent[1]
    if place is None:
        view[field] = value(int(view[field]))
    else:
        view[field][place] = value(int(view[field][place]))
    with pytest.raises(RecordError, match=says):
        BRIDGE.check_view(view, seat)
