"""What players say of cards, against slow computations from the history of the game."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.table import Table
from kibitz.games.hanabi import Kind, View, knowledge
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_KINDS, kind_named
from kibitz.games.hanabi.view import kinds_in
from tests.tables import DEFAULTS, PLAYERS, at, copies_of, dealt, make, table_of, wander

EMPTY_HINTS = {**DEFAULTS, "empty_hint": "allowed"}
GAMES = 4


def kinds(text: str) -> set[Kind]:
    return {kind_named(word) for word in text.split()}


def states(players: int) -> Iterator[tuple[Table, View]]:
    """Every open table of some games, hints that touch nothing among their moves."""
    for number in range(GAMES):
        start = dealt(players, rules=EMPTY_HINTS, seed=7, number=number)
        for table in wander(table_of((), start), random.Random(number)):
            yield table, HANABI.view(table.state)


def gone(view: View) -> Counter[Kind]:
    """The discarded copies, from what happened."""
    return Counter(event.kind for event in view.history if event.kind and (event.misplayed or event.move.is_discard))


def fits(view: View, kind: Kind) -> bool:
    return kind.rank == view.piles[kind.colour] + 1


def dead(view: View, kind: Kind, lost: Counter[Kind]) -> bool:
    needed = [Kind(kind.colour, rank) for rank in range(view.piles[kind.colour] + 1, kind.rank + 1)]
    return not needed or any(lost[each] == copies_of(each) for each in needed)


def seen_by(view: View, seat: int) -> Counter[Kind]:
    """The copies a seat sees: on the piles, among the discards, in the other hands."""
    others = Counter(card.kind for cards in view.hands for card in cards if card.seat != seat and card.kind)
    piles = Counter(Kind(colour, rank) for colour, height in view.piles.items() for rank in range(1, height + 1))
    return gone(view) + piles + others


@dataclass
class Noted:
    """What the hints of a game said of a card."""

    kinds: set[Kind] = field(default_factory=lambda: set(ALL_KINDS))
    colour: bool = False
    rank: bool = False

    def hear(self, value: str | int, touched: bool) -> None:
        self.kinds = {kind for kind in self.kinds if (value in (kind.colour, kind.rank)) == touched}
        self.colour |= touched and isinstance(value, str)
        self.rank |= touched and isinstance(value, int)


def noted(view: View, size: int) -> list[list[Noted]]:
    """What the hints said of every card, from the history alone."""
    hands = [[Noted() for _ in range(size)] for _ in range(view.players)]
    left = 50 - size * view.players
    for event in view.history:
        if event.move.is_hint:
            for slot, note in enumerate(hands[event.move.target]):
                note.hear(event.move.value, slot in event.touched)
        else:
            hands[event.seat].pop(event.move.slot)
            if left:
                hands[event.seat].append(Noted())
                left -= 1
    return hands


@pytest.mark.parametrize("players", PLAYERS)
def test_playable_useless_and_critical_are_what_the_words_mean(players: int) -> None:
    for _, view in states(players):
        lost = gone(view)
        useless = {kind for kind in ALL_KINDS if dead(view, kind, lost)}
        assert set(kinds_in(view.playable)) == {kind for kind in ALL_KINDS if fits(view, kind)}
        assert set(kinds_in(view.useless)) == useless
        assert set(kinds_in(view.critical)) == {
            kind for kind in ALL_KINDS if kind not in useless and copies_of(kind) - lost[kind] == 1
        }


@pytest.mark.parametrize("players", PLAYERS)
def test_a_card_can_be_what_hints_and_the_copies_its_holder_sees_leave_open(players: int) -> None:
    for _, view in states(players):
        notes = noted(view, 5 if players <= 3 else 4)
        for seat, cards in enumerate(view.hands):
            seen = seen_by(view, seat)
            for card, note in zip(cards, notes[seat], strict=True):
                assert set(kinds_in(card.hinted_kinds)) == note.kinds
                assert set(card.kinds) == {kind for kind in note.kinds if seen[kind] < copies_of(kind)}
                assert card.kind in card.kinds


@pytest.mark.parametrize("players", PLAYERS)
def test_a_card_is_marked_by_the_hints_that_touched_it(players: int) -> None:
    for table, view in states(players):
        notes = noted(view, 5 if players <= 3 else 4)
        for seat, cards in enumerate(view.hands):
            for card, note in zip(cards, notes[seat], strict=True):
                assert (card.colour_hinted, card.rank_hinted) == (note.colour, note.rank)
                assert knowledge.marked(table.state, seat, card.slot) == card.marked == (note.colour or note.rank)
                assert knowledge.revealed(table.state, seat, card.slot) == card.revealed == (note.colour and note.rank)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_holder_knows_the_same_of_its_hand_in_its_view_and_at_the_open_table(players: int) -> None:
    for table, view in states(players):
        for seat in range(players):
            own = HANABI.view(table.view(seat)).hand
            assert [card.possible for card in own] == [card.possible for card in view.hands[seat]]


@pytest.mark.parametrize("players", PLAYERS)
def test_a_viewer_takes_others_to_see_all_but_the_viewers_hand(players: int) -> None:
    for table, view in states(players):
        for seat in range(players):
            mine = Counter(card.kind for card in view.hands[seat] if card.kind)
            for other in range(players):
                if other != seat:
                    seen = seen_by(view, other) - mine
                    assert set(kinds_in(int(knowledge.unseen(table.view(seat), other)))) == {
                        kind for kind in ALL_KINDS if seen[kind] < copies_of(kind)
                    }


@pytest.mark.parametrize("players", PLAYERS)
def test_a_copy_is_marked_elsewhere_if_any_other_card_of_its_kind_was_hinted(players: int) -> None:
    for table, view in states(players):
        cards = [card for hand in view.hands for card in hand]
        for card in cards:
            assert card.kind
            expected = any(other.kind == card.kind and other.marked for other in cards if other.place != card.place)
            assert knowledge.marked_elsewhere(table.state, card.kind.index, card.seat, card.slot) == expected


@given(st.lists(st.sampled_from(ALL_KINDS), max_size=60))
def test_copies_are_counted_up_to_all_there_are(cards: list[Kind]) -> None:
    copies = (0, 0, 0)
    for kind in cards:
        copies = knowledge.with_copy(copies, 1 << kind.index)
    counts = Counter(cards)
    for at_least, mask in enumerate(copies, start=1):
        assert set(kinds_in(mask)) == {kind for kind in ALL_KINDS if counts[kind] >= at_least}
    assert set(kinds_in(knowledge.exhausted(copies))) == {kind for kind in ALL_KINDS if counts[kind] >= copies_of(kind)}


# By example


def open_view(*hands: str, **parts: Any) -> View:
    return HANABI.view(at(*hands, **parts).state)


def test_at_the_start_every_one_is_playable_and_every_five_critical() -> None:
    view = open_view("r1", "y1")
    assert set(kinds_in(view.playable)) == kinds("r1 y1 g1 b1 w1")
    assert set(kinds_in(view.critical)) == kinds("r5 y5 g5 b5 w5")
    assert view.useless == 0


def test_a_colour_with_a_rank_gone_for_good_is_useless_above_it() -> None:
    view = open_view("r5", "y1", discards="r3 r3", piles={"red": 1})
    assert set(kinds_in(view.useless)) == kinds("r1 r3 r4 r5")
    assert not kinds_in(view.critical & view.useless)


def test_the_last_copy_of_a_card_that_is_still_wanted_is_critical() -> None:
    view = open_view("r4", "y1", discards="r4 g1 g1 b2", piles={"blue": 2})
    assert set(kinds_in(view.critical)) == kinds("r4 g1 r5 y5 g5 b5 w5")


def test_a_hint_that_passes_a_card_by_tells_what_it_is_not() -> None:
    table = at("r1 b2 g3", "y1 y2 y3", to_move=2)
    view = make(table, "hint red to G1")
    assert {kind.colour for kind in view.hands[0][1].kinds} == {"yellow", "green", "blue", "white"}
    assert not view.hands[0][1].marked
    view = make(table, "hint 3 to G2", "hint 3 to G1")
    assert {kind.rank for kind in view.hands[0][1].kinds} == {1, 2, 4, 5}


def test_passed_by_four_colours_a_card_is_of_the_fifth_though_not_marked() -> None:
    view = open_view("r1 y1 g1 b1 w1", "y2", hints=[f"{colour} to G1" for colour in ("red", "yellow", "green", "blue")])
    last = view.hands[0][4]
    assert {kind.colour for kind in last.kinds} == {"white"}
    assert not last.marked


def test_a_holder_counts_the_copies_it_sees_in_other_hands() -> None:
    parts = {"discards": "r2", "hints": ["2 to G1", "red to G3"], "piles": {"blue": 2}}
    view = open_view("w2", "r2 y2", "y2 r3", **parts)
    assert set(view.hands[0][0].kinds) == kinds("g2 w2 b2")  # both red and both yellow twos lie in its sight


def test_a_holder_does_not_count_its_own_cards() -> None:
    view = open_view("r5 r4", "y1 y2", hints=["red to G1", "5 to G1"])
    assert set(view.hands[0][0].kinds) == kinds("r5")
    assert set(view.hands[0][1].kinds) == kinds("r1 r2 r3 r4")
    other = open_view("r5 r4", "y1 y2", hints=["red to G1"])
    assert set(other.hands[0][1].kinds) == kinds("r1 r2 r3 r4 r5")


def test_a_card_that_must_fit_is_playable_though_its_holder_does_not_know_it() -> None:
    table = at("r1 w1", "y1 y2", hints=["1 to G1"])
    view = HANABI.view(table.view(0))
    assert view.hand[0].kind is None
    assert view.is_playable(view.hand[0])
    assert not view.is_critical(view.hand[0])


def test_surely_means_for_every_possible_kind() -> None:
    for possible, wanted, sure in [("r1 y1", "r1 y1 g1", True), ("r1 y2", "r1 y1", False), ("", "r1", True)]:
        assert knowledge.surely(mask(kinds(possible)), mask(kinds(wanted))) is sure


def mask(some: Iterable[Kind]) -> int:
    return sum(1 << kind.index for kind in some)


@pytest.mark.parametrize(
    ("kind", "missing"), [("r1", -1), ("r3", -1), ("r4", 0), ("r5", 1), ("y1", 0), ("y2", 1), ("y5", 4), ("w5", -1)]
)
def test_plays_missing_count_the_cards_before_a_kind_on_its_pile(kind: str, missing: int) -> None:
    table = at("g1", "g2", piles={"red": 3, "white": 5})
    assert knowledge.plays_missing(table.state, kind_named(kind).index) == missing


def test_kinds_are_numbered_colour_by_colour() -> None:
    assert [kind.index for kind in ALL_KINDS] == list(range(25))
    assert [(kind.colour, kind.rank) for kind in ALL_KINDS] == [(c, r) for c in COLOURS for r in range(1, 6)]
