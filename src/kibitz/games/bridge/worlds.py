"""Hidden information: a seat's view (`observe`), and sampled deals consistent with it (`sample_world`).

Sampling starts from a view, so nothing hidden can enter a sample. The others' choices carry no information here: only
what they could not have played does.
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.dice import observe_dice, sample_dice
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import number
from kibitz.games.bridge.cards import RANKS, SEATS, SUIT_MASKS, SUITS
from kibitz.games.bridge.contract import high_cards
from kibitz.games.bridge.deal_sampling import COUNTS_ONLY, HIDDEN, POINTS_TOO, Known, deal_unseen
from kibitz.games.bridge.rules import begin, dummy, length, unseen
from kibitz.games.bridge.state import OPEN, State


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Write the view of a seat beside the state: its own hand, and dummy's after the opening lead.

    A cheater sees every hand, and so does everybody after the last card.
    """
    pair[SEEN] = pair[WORLD]
    view = pair[SEEN]
    view.seat = seat
    observe_dice(view, seat, view.turn)
    for other in range(SEATS):
        seen = cheats or other == seat or (other == dummy(view) and view.turn > 0)
        if not seen:
            view.dealt[other] &= ~view.hands[other]
            view.hands[other] = 0


@compiled
def information_key(s: State, seat: int) -> int:
    """A hash of what a seat knows beyond the cards played: its own hand, and dummy's when it is open."""
    return number(s.hands[seat], s.hands[dummy(s)] if s.turn > 0 else 0)


@compiled
def held(s: State, seat: int) -> int:
    """The number of cards a seat holds, visible or not."""
    left = s.turn & 3
    to_this_trick = 1 if (seat - s.leader) & 3 < left else 0
    return RANKS - (s.turn >> 2) - to_this_trick


@compiled
def hidden_seats(view: State) -> Any:
    """The seats with hidden hands, at most HIDDEN, then −1."""
    seats = np.full(SEATS, -1)
    count = 0
    for seat in range(SEATS):
        if view.hands[seat] == 0 and held(view, seat) > 0:
            seats[count] = seat
            count += 1
    return seats


@compiled
def known_of(view: State, seats: Any) -> Known:
    """What a view and the bidding say of the hidden hands."""
    cards = unseen(view)
    known = Known(
        np.zeros(SUITS, np.int64), np.zeros(HIDDEN, np.int64), np.zeros((HIDDEN, SUITS), np.int64),
        np.zeros((HIDDEN, SUITS), np.int64), np.zeros(HIDDEN, np.int64), np.zeros(HIDDEN, np.int64),
    )  # fmt: skip
    for suit in range(SUITS):
        known.cards[suit] = cards & SUIT_MASKS[suit]
    for hand in range(HIDDEN):
        seat = seats[hand]
        if seat < 0:
            continue
        known.holds[hand] = held(view, seat)
        played = high_cards(view.dealt[seat])
        known.least_points[hand] = max(view.min_points[seat] - played, 0)
        known.most_points[hand] = view.max_points[seat] - played
        for suit in range(SUITS):
            gone = length(view.dealt[seat], suit)
            known.least[hand, suit] = max(view.min_lengths[seat][suit] - gone, 0)
            out = view.voids[seat] >> suit & 1
            known.most[hand, suit] = 0 if out else max(view.max_lengths[seat][suit] - gone, 0)
    return known


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """Write beside a view a state that is consistent with it, uniformly among all deals."""
    pair[WORLD] = pair[SEEN]
    world, view = pair[WORLD], pair[SEEN]
    seats = hidden_seats(view)
    hands = np.zeros(HIDDEN, np.int64)
    if deal_unseen(known_of(view, seats), stream, hands) == COUNTS_ONLY:
        hand_out_in_order(view, seats, hands)
    for hand in range(HIDDEN):
        if seats[hand] >= 0:
            world.hands[seats[hand]] = hands[hand]
            world.dealt[seats[hand]] |= hands[hand]
    sample_dice(world, number(stream, -1))
    world.seat = OPEN


@compiled
def hand_out_in_order(view: State, seats: Any, hands: Any) -> None:
    """Some deal of the unseen cards, for a view that contradicts itself, as a lying host may send."""
    cards = unseen(view)
    hands[:] = 0
    for hand in range(HIDDEN):
        while seats[hand] >= 0 and cards and count_bits(hands[hand]) < held(view, seats[hand]):
            hands[hand] |= cards & -cards
            cards &= cards - 1


@compiled
def rewind(start: Any, pair: Any) -> None:
    """Go back to before the opening lead, in the world of the pair's state."""
    begin(pair[WORLD])


@compiled
def can_be_dealt(view: State) -> bool:
    """Whether some deal of the unseen cards is consistent with the play and the bidding."""
    return deal_unseen(known_of(view, hidden_seats(view)), 0, np.zeros(HIDDEN, np.int64)) == POINTS_TOO
