"""The rules of the play: the seat to move, legal cards, and tricks.

A move is a card. The declarer plays both hands of their side, so the seat to move and the hand played from differ when
it is dummy's turn.
"""

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below
from kibitz.games.bridge.cards import (
    ALL_CARDS,
    CARDS,
    MOST_POINTS,
    NO_TRUMP,
    RANK_OF,
    RANKS,
    SEATS,
    SUIT_MASKS,
    SUIT_OF,
    SUITS,
)
from kibitz.games.bridge.contract import bid, high_cards
from kibitz.games.bridge.state import DECLARER_BITS, OPEN, POINTS_SHOWN, State

GAME_OVER = -1


# Setting up


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    """Shuffle, deal and bid; then rotate the table so that the declarer sits where the rules say."""
    s.players, s.rules, s.seat = players, rules, OPEN
    shuffle(s, stream)
    s.dealer, s.vulnerable = below(stream, CARDS, SEATS), below(stream, CARDS + 1, 4)
    clear_bidding(s)
    bid(s)
    seat_declarer(s)
    if rules & POINTS_SHOWN:
        show_points(s)
    begin(s)


@compiled
def shuffle(s: State, stream: int) -> None:
    """Deal all cards, thirteen to each hand."""
    order = np.arange(CARDS)
    for place in range(CARDS - 1, 0, -1):
        other = below(stream, place, place + 1)
        order[place], order[other] = order[other], order[place]
    for seat in range(SEATS):
        s.dealt[seat] = 0
    for place in range(CARDS):
        s.dealt[place & 3] |= 1 << order[place]


@compiled
def seat_declarer(s: State) -> None:
    """Rotate the table so that the declarer sits where the rules say."""
    wanted = s.rules & DECLARER_BITS
    steps = (wanted - 1 - s.declarer) & 3 if wanted else 0
    for _ in range(steps):
        for seat in range(SEATS - 1, 0, -1):
            swap_seats(s, seat, seat - 1)
    s.declarer, s.dealer = (s.declarer + steps) & 3, (s.dealer + steps) & 3
    if steps & 1:
        s.vulnerable = s.vulnerable >> 1 | (s.vulnerable & 1) << 1


@compiled
def swap_seats(s: State, one: int, other: int) -> None:
    """Exchange the hands of two seats, with the information about them."""
    s.dealt[one], s.dealt[other] = s.dealt[other], s.dealt[one]
    s.min_points[one], s.min_points[other] = s.min_points[other], s.min_points[one]
    s.max_points[one], s.max_points[other] = s.max_points[other], s.max_points[one]
    for suit in range(SUITS):
        least, most = s.min_lengths[one][suit], s.max_lengths[one][suit]
        s.min_lengths[one][suit], s.max_lengths[one][suit] = s.min_lengths[other][suit], s.max_lengths[other][suit]
        s.min_lengths[other][suit], s.max_lengths[other][suit] = least, most


@compiled
def clear_bidding(s: State) -> None:
    """Every hand may be anything."""
    for seat in range(SEATS):
        s.min_points[seat], s.max_points[seat] = 0, MOST_POINTS
        for suit in range(SUITS):
            s.min_lengths[seat][suit], s.max_lengths[seat][suit] = 0, RANKS


# Ranges of points that bidding shows: a weak hand, a response, an opening, and so on.
STEPS = (0, 6, 10, 13, 16, 19, 22, MOST_POINTS + 1)


@compiled
def show_points(s: State) -> None:
    """Make the range of points of every hand public."""
    for seat in range(SEATS):
        points = high_cards(s.dealt[seat])
        for step in range(len(STEPS) - 1):
            if STEPS[step] <= points < STEPS[step + 1]:
                s.min_points[seat] = max(s.min_points[seat], STEPS[step])
                s.max_points[seat] = min(s.max_points[seat], STEPS[step + 1] - 1)


@compiled
def begin(s: State) -> None:
    """Before the opening lead, with the hands and the contract as they are."""
    s.turn = 0
    s.leader = (s.declarer + 1) & 3
    s.tricks[0] = s.tricks[1] = 0
    for seat in range(SEATS):
        s.hands[seat] = s.dealt[seat]
        s.voids[seat] = 0
    for place in range(CARDS):
        s.history[place] = 0
    for place in range(3):
        s.spare[place] = 0  # type: ignore[attr-defined]


# Hands


@compiled
def length(hand: int, suit: int) -> int:
    return count_bits(hand & SUIT_MASKS[suit])


@compiled
def dummy(s: State) -> int:
    return (s.declarer + 2) & 3


@compiled
def side(seat: int) -> int:
    """0 for North and South, 1 for East and West."""
    return seat & 1


# Play


@compiled
def due(s: State) -> int:
    """The seat whose hand the next card comes from."""
    return (s.leader + s.turn) & 3


@compiled
def to_move(s: State) -> int:
    """The seat that chooses the next card, the declarer for dummy; or GAME_OVER."""
    if s.turn == CARDS:
        return GAME_OVER
    seat = due(s)
    return s.declarer if seat == dummy(s) else seat


@compiled
def trick_start(s: State) -> int:
    """The turn in which this trick began."""
    return s.turn & ~3


@compiled
def led_suit(s: State) -> int:
    """The suit to be followed, or NO_TRUMP on a lead."""
    return SUIT_OF[s.history[trick_start(s)]] if s.turn & 3 else NO_TRUMP


@compiled
def legal(s: State) -> int:
    """The legal cards, as a mask; none for a hidden hand."""
    if s.turn == CARDS:
        return 0
    hand = s.hands[due(s)]
    suit = led_suit(s)
    following = hand & SUIT_MASKS[suit] if suit != NO_TRUMP else 0
    return following if following else hand


@compiled
def allowed(s: State, card: int) -> bool:
    return 0 <= card < CARDS and legal(s) >> card & 1 != 0


@compiled
def beats(s: State, card: int, other: int) -> bool:
    """Whether a card beats the best card of the trick so far."""
    if SUIT_OF[card] == SUIT_OF[other]:
        return RANK_OF[card] > RANK_OF[other]
    return SUIT_OF[card] == s.strain


@compiled
def winning_place(s: State, start: int, end: int) -> int:
    """The turn of the best card of a trick."""
    best = start
    for place in range(start + 1, end):
        if beats(s, s.history[place], s.history[best]):
            best = place
    return best


@compiled
def apply(s: State, card: int) -> None:
    """Play a legal card."""
    seat, suit = due(s), led_suit(s)
    if suit != NO_TRUMP and SUIT_OF[card] != suit:
        s.voids[seat] |= 1 << suit
    s.hands[seat] &= ~(1 << card)
    s.history[s.turn] = card
    s.turn += 1
    if s.turn & 3 == 0:
        winner = (s.leader + winning_place(s, s.turn - 4, s.turn)) & 3
        s.tricks[side(winner)] += 1
        s.leader = winner


@compiled
def move_at(s: State, turn: int) -> int:
    return s.history[turn]


@compiled
def played(s: State) -> int:
    """All cards played, as a mask."""
    mask = 0
    for turn in range(s.turn):
        mask |= 1 << s.history[turn]
    return mask


@compiled
def unseen(s: State) -> int:
    """The cards that a view does not show, as a mask."""
    return ALL_CARDS & ~(s.dealt[0] | s.dealt[1] | s.dealt[2] | s.dealt[3])


@compiled
def leader_of(s: State, trick: int) -> int:
    """The seat that led to a trick, from 0."""
    leader = (s.declarer + 1) & 3
    for earlier in range(trick):
        leader = (leader + winning_place(s, 4 * earlier, 4 * earlier + 4)) & 3
    return leader
