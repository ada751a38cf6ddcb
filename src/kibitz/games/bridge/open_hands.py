"""Starts that leave hands open: in every game they are dealt anew, as the start describes them.

Every deal that is as described is as likely as any other. What a description says, everybody is told, as bidding would.
"""

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import number
from kibitz.games.bridge.cards import CARDS, SEATS, SUITS
from kibitz.games.bridge.contract import bid, high_cards
from kibitz.games.bridge.dealing import HIDDEN, POINTS_TOO, deal_unseen
from kibitz.games.bridge.rules import begin, length, seat_declarer, shuffle, tell_points
from kibitz.games.bridge.state import TOLD, State
from kibitz.games.bridge.worlds import hidden_seats, known_of

TRIALS = 100_000  # deals among which one must be as described, where all hands are open


@compiled
def is_open(s: State) -> bool:
    return count_bits(s.dealt[0] | s.dealt[1] | s.dealt[2] | s.dealt[3]) < CARDS


@compiled
def as_described(s: State) -> bool:
    """Whether all hands are as they are said to be."""
    for seat in range(SEATS):
        if not s.min_points[seat] <= high_cards(s.dealt[seat]) <= s.max_points[seat]:
            return False
        for suit in range(SUITS):
            if not s.min_lengths[seat][suit] <= length(s.dealt[seat], suit) <= s.max_lengths[seat][suit]:
                return False
    return True


@compiled
def deal_open(s: State, stream: int, trials: int) -> bool:
    """Deal the open hands; whether they are as described, which takes so many trials at most if all are open."""
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
        if as_described(s):
            return True
    return False


@compiled
def deal_the_rest(s: State, stream: int) -> None:
    """Deal what is open, let the hands bid if there is no contract, and seat the declarer where the rules say."""
    if is_open(s):
        deal_open(s, stream, 1 << 40)  # `set_up` has found a deal that is as described, so there are others
        close(s)


@compiled
def close(s: State) -> None:
    """Begin with the hands as they are now."""
    if s.level == 0:
        bid(s)
    seat_declarer(s)
    if s.rules & TOLD:
        tell_points(s)
    begin(s)
