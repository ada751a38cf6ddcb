"""Over the page and over the network: a seat is sent the same bytes whatever the hands are that it does not see."""

import random

import pytest

from kibitz.games.bridge.game import BRIDGE
from kibitz.games.bridge.view import View
from tests.games.bridge.tables import dealt
from tests.server.host import test_wall as host
from tests.server.web import test_wall as web
from tests.wall import another_start


def any_card(view: View, dice: random.Random) -> int:
    return int(dice.choice(view.legal))


READ = web.Reading(
    BRIDGE, lambda _, seed: dealt(seed=seed), any_card, ("random", "heuristic", web.SCRIPTED), "nobody"
)  # fmt: skip


def test_on_the_page_a_seat_is_sent_the_same_bytes_whatever_it_does_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    table = READ.until(4, 9, 1)
    other = another_start(table, 1, 1)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (web.everything_sent(monkeypatch, READ, start, table, 1, False) for start in (table.start, other))
    assert sum('"advice"' in text for text in mine) > 3
    assert mine == theirs


def test_an_onlooker_is_sent_the_same_bytes_whatever_anybody_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    table = READ.until(4, 6, 0)
    other = another_start(table.replayed([], another_start(table, 0, 3)), 1, 4)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (web.everything_sent(monkeypatch, READ, start, table, 0, True) for start in (table.start, other))
    assert mine == theirs


@pytest.mark.parametrize("format", ["page", "records"])
def test_over_the_network_a_seat_is_sent_the_same_bytes(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = READ.until(4, 5, 1)
    other = another_start(table, 1, 1)
    mine, theirs = (host.everything_sent(monkeypatch, READ, start, table, 1, format) for start in (table.start, other))
    assert mine == theirs
