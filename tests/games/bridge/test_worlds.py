"""Sampled deals: each that agrees with what is known is as likely as any other, and there always is one."""

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine.compile import compiled
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import number
from kibitz.games.bridge import worlds
from kibitz.games.bridge.cards import Card, cards_of
from kibitz.games.bridge.contract import high_cards
from kibitz.games.bridge.deal_sampling import count_ways, draw, number_of_deals
from kibitz.games.bridge.game import BRIDGE
from kibitz.games.bridge.view import View
from tests.games.bridge.tables import dealt, table
from tests.wall import seen


def sampled(at: Table, seat: int, stream: int) -> Any:
    pair = seen(at.state, seat)
    worlds.sample_world(pair, number(99, stream))
    return pair[WORLD].copy()


def near_the_end(cards_left: int, seed: int = 4, **start: Any) -> Table:
    """A game that wandered to where everybody has that many cards."""
    at = Table(BRIDGE, [], dealt(seed=seed, **start))
    dice = random.Random(seed)
    while 13 - len(at.turns) // 4 > cards_left:
        at.make(Decision(dice.choice(BRIDGE.legal(at.state))))
    return at


def possible(view: View) -> Counter[tuple[int, ...]]:
    """Every deal that agrees with a view, by trying all: the hidden hands in the order of the seats."""
    hidden = [seat for seat in range(4) if not view.sees(seat)]
    found: Counter[tuple[int, ...]] = Counter()

    def hand_out(cards: list[Card], seats: list[int], hands: tuple[int, ...]) -> None:
        if not seats:
            found[hands] += 1
            return
        for hand in itertools.combinations(cards, view.held(seats[0])):
            mask = sum(1 << card for card in hand)
            if all(card.suit not in view.shown_out(seats[0]) for card in hand) and fits_bidding(view, seats[0], mask):
                hand_out([card for card in cards if card not in hand], seats[1:], (*hands, mask))

    hand_out(view.unseen, hidden, ())
    return found


def fits_bidding(view: View, seat: int, mask: int) -> bool:
    whole = mask | sum(1 << card for card in view.dealt(seat))
    least, most = view.shown_points(seat) or (0, 37)
    lengths = view.shown_lengths(seat)
    suits = [sum(card.suit == suit for card in cards_of(whole)) for suit in range(4)]
    return least <= high_cards(whole) <= most and all(low <= suits[s] <= high for s, (low, high) in lengths.items())


@pytest.mark.parametrize("bidding", ["silent", "points"])
@pytest.mark.parametrize("cards_left", [3, 4])
def test_every_deal_that_can_be_is_as_likely_as_any_other(cards_left: int, bidding: str) -> None:
    """Compared with all deals, found by trying."""
    at = near_the_end(cards_left, seed=7, bidding=bidding)
    seat = (int(at.state["declarer"]) + 1) % 4
    view = View(at.view(seat))
    hidden = [other for other in range(4) if not view.sees(other)]
    deals = possible(view)
    times = 100 * len(deals)
    counted = Counter(tuple(int(sampled(at, seat, n)["hands"][other]) for other in hidden) for n in range(times))
    assert set(counted) <= set(deals)
    assert len(deals) > 5
    assert evenly(counted, deals)


def test_samples_keep_to_every_void_and_to_what_the_bidding_showed() -> None:
    for game in range(6):
        at = Table(BRIDGE, [], dealt(seed=3, number=game, bidding="points"))
        dice = random.Random(game)
        while not at.over:
            for seat in range(4):
                world, view = sampled(at, seat, len(at.turns)), View(at.view(seat))
                for other in range(4):
                    assert int(world["hands"][other]).bit_count() == view.held(other)
                    assert not set(view.shown_out(other)) & {card.suit for card in cards_of(int(world["hands"][other]))}
                    least, most = view.shown_points(other) or (0, 37)
                    assert least <= int(high_cards(int(world["dealt"][other]))) <= most
            at.make(Decision(dice.choice(BRIDGE.legal(at.state))))


def test_a_bidding_that_leaves_hardly_a_deal_still_gets_one() -> None:
    """West is known to have all but two of the honours that North does not see: one deal in millions."""
    strong = "N:432.432.432.5432 765.765.765.T876 T98.T98.T98.KQJ9 AKQJ.AKQJ.AKQJ.A"
    at = table(
        strong, contract="1C", declarer="W",
        bidding={"W": {"points": (34, 34)}, "S": {"lengths": {"C": (4, 4)}}},
    )  # fmt: skip
    for stream in range(3):
        world = sampled(at, 0, stream)
        assert int(high_cards(int(world["dealt"][3]))) == 34
        assert sum(card.suit == 0 for card in cards_of(int(world["dealt"][2]))) == 4


def test_a_view_that_contradicts_itself_is_dealt_somehow() -> None:
    """As a lying host may send it: nothing hangs, and nothing is written where it should not be."""
    pair = seen(table().state, 0)
    pair[SEEN]["voids"][1:] = 15
    worlds.sample_world(pair, 1)
    assert [int(hand).bit_count() for hand in pair[WORLD]["hands"]] == [13] * 4
    pair = seen(table().state, 0)
    pair[SEEN]["min_points"][1:] = 37
    worlds.sample_world(pair, 1)
    assert [int(hand).bit_count() for hand in pair[WORLD]["hands"]] == [13] * 4


@compiled
def deals_counted_with_points(pair: Any) -> float:
    known = worlds.known_of(pair[SEEN], worlds.hidden_seats(pair[SEEN]))
    return number_of_deals(known, count_ways(known, True))


@compiled
def dealt_with_points(pair: Any, hands: Any) -> None:
    """As many deals as there is room for, all by counting with points, which only hard cases need."""
    known = worlds.known_of(pair[SEEN], worlds.hidden_seats(pair[SEEN]))
    ways = count_ways(known, True)
    for place in range(hands.shape[0]):
        draw(known, ways, True, number(5, place), hands[place])


def test_counting_with_points_finds_every_deal_and_is_as_fair() -> None:
    at = near_the_end(3, seed=7, bidding="points")
    pair = seen(at.state, (int(at.state["declarer"]) + 1) % 4)
    deals = possible(View(pair[SEEN]))
    assert deals_counted_with_points(pair) == len(deals)
    hands = np.zeros((100 * len(deals), 3), np.int64)
    dealt_with_points(pair, hands)
    counted = Counter(tuple(deal[deal > 0].tolist()) for deal in hands)
    assert set(counted) == set(deals)
    assert evenly(counted, deals)


def evenly(counted: Counter[tuple[int, ...]], deals: Counter[tuple[int, ...]]) -> bool:
    """A chi-squared test of a hundred draws a deal, which fails about one time in ten thousand if all is well."""
    chi_squared = sum((counted[deal] - 100) ** 2 / 100 for deal in deals)
    freedom = len(deals) - 1
    return abs(chi_squared - freedom) < 4 * (2 * freedom) ** 0.5
