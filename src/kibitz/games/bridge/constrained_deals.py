"""Starts with open hands: every game deals them again, under the constraints of the start.

Every deal that satisfies the constraints is equally likely. The constraints are public, as bidding would be.
"""

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import number
from kibitz.games.bridge.cards import CARDS, SEATS, SUITS
from kibitz.games.bridge.contract import bid, high_cards
from kibitz.games.bridge.deal_sampling import HIDDEN, POINTS_TOO, deal_unseen
from kibitz.games.bridge.rules import begin, length, seat_declarer, show_points, shuffle
from kibitz.games.bridge.state import POINTS_SHOWN, State
from kibitz.games.bridge.worlds import hidden_seats, known_of

TRIALS = 100_000  # random deals tried if all hands are open


@compiled
def is_open(s: State) -> bool:
    return count_bits(s.dealt[0] | s.dealt[1] | s.dealt[2] | s.dealt[3]) < CARDS


@compiled
def satisfies(s: State) -> bool:
    """Whether all hands satisfy their constraints."""
    for seat in range(SEATS):
        if not s.min_points[seat] <= high_cards(s.dealt[seat]) <= s.max_points[seat]:
            return False
        for suit in range(SUITS):
            if not s.min_lengths[seat][suit] <= length(s.dealt[seat], suit) <= s.max_lengths[seat][suit]:
                return False
    return True


@compiled
def deal_open(s: State, stream: int, trials: int) -> bool:
    """Deal the open hands; False if it fails, after this number of trials if all hands are open."""
    seats = hidden_seats(s)
    if seats[HIDDEN] < 0:
        hands = np.zeros(HIDDEN, np.int64)
        if deal_unseen(known_of(s, seats), stream, hands) != POINTS_TOO:
            return False
        for hand in range(HIDDEN):
            if seats[hand] >= 0:
                s.dealt[seats[hand]] = hands[hand]
        return True
    for trial in range(trials):
        shuffle(s, number(stream, trial))
        if satisfies(s):
            return True
    return False


@compiled
def deal_the_rest(s: State, stream: int) -> None:
    """Deal the open hands, bid if there is no contract, and seat the declarer as the rules say."""
    if is_open(s):
        deal_open(s, stream, 1 << 40)  # `set_up` has found a deal, so this ends
        close(s)


@compiled
def close(s: State) -> None:
    """Begin with the hands as they are."""
    if s.level == 0:
        bid(s)
    seat_declarer(s)
    if s.rules & POINTS_SHOWN:
        show_points(s)
    begin(s)
