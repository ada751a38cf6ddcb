"""Entropy, playability and uselessness, against slow counts of the cards a seat does not see."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from math import log2
from pathlib import Path

import pytest

from kibitz.errors import KibitzError
from kibitz.games.hanabi import Card, Kind, View, analytics
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_KINDS
from tests.tables import PLAYERS, at, copies_of, dealt, make, table_of, wander

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "analytics.md"
GAMES = 3


def views(players: int) -> Iterator[tuple[View, View]]:
    """The view of the seat to move and the open table, all through some games."""
    for number in range(GAMES):
        for table in wander(table_of((), dealt(players, seed=3, number=number)), random.Random(number)):
            yield HANABI.view(table.view(max(table.to_move, 0))), HANABI.view(table.state)


def cards(view: View) -> list[Card]:
    return [card for hand in view.hands for card in hand]


def unseen(view: View, seat: int) -> Counter[Kind]:
    """The cards that are neither on the table nor in a hand that both the viewer and the seat see."""
    left = Counter({kind: copies_of(kind) for kind in ALL_KINDS})
    left.subtract(view.discards)
    left.subtract(kind for kind in ALL_KINDS if view.piles[kind.colour] >= kind.rank)
    left.subtract(card.kind for card in cards(view) if card.seat != seat and card.kind)
    return left


def slow_odds(view: View, card: Card) -> dict[Kind, float]:
    left = {
        kind: count for kind, count in unseen(view, card.seat).items() if count and card.hinted_kinds >> kind.index & 1
    }
    return {kind: count / sum(left.values()) for kind, count in left.items()}


def costs_nothing(view: View, kind: Kind) -> bool:
    """As the report puts it: the pile is past it, a lower card is all gone, or another copy is left."""
    gone = Counter(view.discards)
    height = view.piles[kind.colour]
    lower = [Kind(kind.colour, rank) for rank in range(height + 1, kind.rank)]
    lost = any(gone[each] == copies_of(each) for each in lower)
    return height >= kind.rank or lost or copies_of(kind) - gone[kind] > 1


@pytest.mark.parametrize("players", PLAYERS)
def test_every_card_is_judged_by_counting_what_its_holder_does_not_see(players: int) -> None:
    for view, _ in views(players):
        for card in cards(view):
            slow = slow_odds(view, card)
            assert analytics.odds(view, card) == pytest.approx(slow)
            assert analytics.entropy(view, card) == pytest.approx(-sum(p * log2(p) for p in slow.values()), abs=1e-12)
            fits = sum(p for kind, p in slow.items() if view.piles[kind.colour] + 1 == kind.rank)
            assert analytics.playability(view, card) == pytest.approx(fits)
            spare = sum(p for kind, p in slow.items() if costs_nothing(view, kind))
            assert analytics.uselessness(view, card) == pytest.approx(spare)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_sure_by_the_viewers_count_is_sure_for_the_partner(players: int) -> None:
    """The partner sees the viewer's hand as well, which can only rule kinds out."""
    for view, open_table in views(players):
        for card, true in zip(cards(view), cards(open_table), strict=True):
            for judge in (analytics.playability, analytics.uselessness):
                if judge(view, card) in (0.0, 1.0):
                    assert judge(open_table, true) == judge(view, card)


def test_certainty_is_exactly_one() -> None:
    view = HANABI.view(at("r1 y1 g1 b1 w1", "r2 y2 g3 b3 w4", hints=["1 to G1"]).view(0))
    assert [analytics.playability(view, card) for card in view.hand] == [1.0] * 5


def test_a_known_card_has_no_entropy() -> None:
    view = HANABI.view(at("r1 y1 g1 b1 w1", "r2 y2 g3 b3 w4", hints=["1 to G1", "red to G1"]).view(0))
    assert analytics.entropy(view, view.hand[0]) == 0.0
    assert analytics.odds(view, view.hand[0]) == {Kind("red", 1): 1.0}


@pytest.mark.parametrize("players", PLAYERS)
def test_a_fresh_hand_is_about_four_and_a_half_bits_a_card(players: int) -> None:
    """Some 22 bits for five cards; the more hands lie open, the less is unseen."""
    for number in range(5):
        view = HANABI.view(table_of((), dealt(players, number=number)).view(0))
        assert 4.1 < analytics.hand_entropy(view, 0) / len(view.hand) < 4.6


def test_another_seat_sees_a_card_that_its_holder_does_not() -> None:
    view = HANABI.view(at("r1 y2 g3 b4", "r2 y1 g4 b3", "w1 w2 w3 w4", "r4 y4 g1 b1").view(0))
    card = view.hands[1][1]  # yellow 1
    assert 0 < analytics.playability(view, card) < 1
    assert analytics.playability(view, card, by=2) == 1.0
    assert analytics.entropy(view, card, by=2) == 0.0
    assert analytics.odds(view, card, by=2) == {Kind("yellow", 1): 1.0}


def test_what_others_see_in_my_hand_is_hidden_from_me() -> None:
    view = HANABI.view(at("r1 y2 g3 b4", "r2 y1 g4 b3", "w1 w2 w3 w4", "r4 y4 g1 b1").view(0))
    assert analytics.odds(view, view.hand[0], by=2) == analytics.odds(view, view.hand[0])


@pytest.mark.parametrize("players", PLAYERS)
def test_looking_past_a_hint_shows_the_table_that_the_hint_makes(players: int) -> None:
    table = table_of((), dealt(players, number=1))
    before = HANABI.view(table.view(0))
    hint = before.legal[-1]
    imagined = analytics.after_hint(before, hint)
    make(table, str(hint))
    real = HANABI.view(table.view(0))
    assert imagined.hands == real.hands
    assert (imagined.tokens, imagined.to_move, imagined.history) == (real.tokens, real.to_move, real.history)
    assert before.tokens == imagined.tokens + 1


def test_only_a_legal_hint_can_be_looked_past() -> None:
    view = HANABI.view(at("r1 y2 g3 b4 w5", "r2 y1 g4 b3 w4").view(0))
    for move in ("hint 5 to G2", "play 1", "hint red to G1"):
        with pytest.raises(KibitzError, match="not a legal hint now"):
            analytics.after_hint(view, move)


def test_the_examples_of_the_page_print_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """Examples run in order; the output of a line follows it."""
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    printed = capsys.readouterr().out.splitlines()
    said = [line.partition("  # ")[2] for block in blocks for line in block.splitlines() if line.startswith("print(")]
    assert printed == said
