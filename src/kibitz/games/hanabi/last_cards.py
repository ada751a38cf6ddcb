"""All possible worlds when few cards are left: every possible hand with every order of the deck."""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD, replay_memories
from kibitz.games.hanabi.cards import KINDS
from kibitz.games.hanabi.hand_belief import Belief, Past, kind_in, shares_of_hands, take_hand
from kibitz.games.hanabi.state import CARDS, OPEN, STATE
from kibitz.games.hanabi.worlds import face_down_counts
from kibitz.search.two_turns import Pool

MOST_CARDS = 4  # in the deck


@compiled
def orders_of(left: Any) -> int:
    """The number of distinct orders of these numbers of cards of each kind."""
    orders, cards = 1, 0
    for kind in range(KINDS):
        for copy in range(left[kind]):
            cards += 1
            orders = orders * cards // (copy + 1)
    return orders


@compiled
def cards_left(left: Any, hand: int, held: int, rest: Any) -> None:
    """Write the number of cards of each kind in the deck, given a hand."""
    for kind in range(KINDS):
        rest[kind] = left[kind]
    for slot in range(held):
        rest[kind_in(hand, slot)] -= 1


@compiled
def next_order(deck: Any, first: int) -> bool:
    """Permute the deck from a place on into the lexicographically next order; False if there is none."""
    place = CARDS - 2
    while place >= first and deck[place] >= deck[place + 1]:
        place -= 1
    if place < first:
        return False
    other = CARDS - 1
    while deck[other] <= deck[place]:
        other -= 1
    deck[place], deck[other] = deck[other], deck[place]
    low, high = place + 1, CARDS - 1
    while low < high:
        deck[low], deck[high] = deck[high], deck[low]
        low, high = low + 1, high - 1
    return True


@compiled
def count_worlds(belief: Belief, most: int) -> int:
    """The number of worlds; 0 if it exceeds `most`, or if the belief is not exact."""
    view = belief.now[0]
    if not belief.exact or CARDS - view.drawn > MOST_CARDS or belief.count > most:
        return 0
    left, rest, worlds = face_down_counts(view), np.empty(KINDS, np.int64), 0
    for n in range(belief.count):
        cards_left(left, belief.hands[n], view.held[view.seat], rest)
        worlds += orders_of(rest)
    return worlds if worlds <= most else 0


@compiled
def list_worlds(belief: Belief, past: Past, count: int) -> Pool:
    """All worlds with their probabilities."""
    view, pair, seats = belief.now[0], past.pair, past.seats
    left, rest, up_to = face_down_counts(view), np.empty(KINDS, np.int64), np.empty(belief.count)
    shares_of_hands(belief, up_to)
    pool = Pool(np.zeros(count, STATE), np.empty(count), np.empty((count, past.rooms.shape[1]), np.int64))
    state, listed = pair[WORLD], 0
    for n in range(belief.count):
        cards_left(left, belief.hands[n], view.held[view.seat], rest)
        share = (up_to[n] - (up_to[n - 1] if n > 0 else 0.0)) / orders_of(rest)
        pair[WORLD] = view
        state.seat = OPEN
        take_hand(view, state, belief.hands[n])
        place = view.drawn
        for kind in range(KINDS):
            for _ in range(rest[kind]):
                state.deck[place] = kind
                place += 1
        another = True
        while another:
            pool.worlds[listed] = state
            pool.weights[listed] = share
            listed += 1
            another = next_order(state.deck, view.drawn)
    for n in range(count):
        if seats.remembers:
            pair[WORLD] = pool.worlds[n]
            replay_memories(past.start, pair, seats)
        for word in range(pool.memories.shape[1]):
            pool.memories[n, word] = seats.room[word] if seats.remembers else past.rooms[past.moves, word]
    return pool
