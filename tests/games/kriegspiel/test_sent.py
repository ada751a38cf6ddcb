"""Over the page and over the network: a seat is sent the same bytes whatever the other side did that it cannot see."""

import random

import pytest

from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.words import View
from tests.fuzzing import at_length
from tests.games.kriegspiel.tables import SEEN_BY_WHITE, table_at
from tests.server.host import test_wall as host
from tests.server.web import test_wall as web


def any_attempt(view: View, dice: random.Random) -> int:
    return int(KRIEGSPIEL.move(dice.choice(view.legal), view.struct))


READ = web.Reading(
    KRIEGSPIEL, lambda _, seed: table_at().start, any_attempt, ("random", "heuristic", web.SCRIPTED), "nobody",
    ("believer@5",),
)  # fmt: skip


@pytest.mark.parametrize("onlooker", [False, True])
def test_on_the_page_everybody_is_sent_the_same_bytes(onlooker: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """White, who cannot tell the two games apart, and an onlooker, who sees no pieces at all."""
    tables = [table_at(moves) for moves in SEEN_BY_WHITE]
    assert tables[0].state.tobytes() != tables[1].state.tobytes()
    mine, theirs = (web.everything_sent(monkeypatch, READ, table.start, table, 0, onlooker) for table in tables)
    assert onlooker or sum('"advice"' in text for text in mine) > 3
    assert mine == theirs


def sent_over_the_network(monkeypatch: pytest.MonkeyPatch, format: str) -> list[bytes]:
    tables = [table_at(moves) for moves in SEEN_BY_WHITE]
    return [host.everything_sent(monkeypatch, READ, table.start, table, 0, format) for table in tables]


def test_over_the_network_a_seat_is_sent_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, theirs = sent_over_the_network(monkeypatch, "records")
    assert mine == theirs


@at_length
def test_over_the_network_a_seat_is_sent_the_same_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, theirs = sent_over_the_network(monkeypatch, "page")
    assert mine == theirs
