"""Hidden information: what a seat may see (`observe`), and sampled worlds consistent with it (`sample_world`).

`observe` turns the hidden cards of a state face down; `sample_world` turns the face-down cards of a view up again, at
random. Sampling starts from a view, so hidden cards cannot leak into a sample.
"""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.dice import observe_dice, sample_dice
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD
from kibitz.engine.seeds import below, number
from kibitz.games.hanabi.cards import COPIES, KINDS, RANKS, holds
from kibitz.games.hanabi.rules import held_values, shuffle
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, HAND, OPEN, SEATS, State


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Write a seat's view next to the state; a cheater's own hand stays face up, and a spectator sees no hand."""
    pair[SEEN] = pair[WORLD]
    view = pair[SEEN]
    view.seat = seat
    observe_dice(view, seat, view.turn)
    drawn = view.drawn
    for place in range(CARDS):  # every place, drawn or not, as in `rules.held_values`
        view.deck[place] = view.deck[place] if place < drawn else FACE_DOWN
    if seat == ONLOOKER:
        for holder in range(view.players):
            turn_down(view, holder)
    elif not cheats:
        turn_down(view, seat)


@compiled
def turn_down(view: State, seat: int) -> None:
    """Hide a hand."""
    view.values[seat] = 0
    for slot in range(view.held[seat]):
        view.deck[view.hands[seat][slot]] = FACE_DOWN


def without_held_cards(past: Any, now: Any) -> Any:
    """A past state with the cards that are still in a hand face down: their holders have not seen them yet."""
    seen = past.copy()
    for seat in range(int(now["players"])):
        for place in now["hands"][seat][: now["held"][seat]].tolist():
            seen["deck"][place] = FACE_DOWN
    seen["deck"][int(past["drawn"]) :] = FACE_DOWN
    seen["values"] = 0  # legal hints depend on all cards of a hand
    return seen


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """Write a state consistent with a view next to it, each such state with equal probability."""
    pair[WORLD] = pair[SEEN]
    world, view = pair[WORLD], pair[SEEN]
    unseen = face_down_counts(view)
    hand = number(stream, 0)
    attempt = 0
    while not deal_hand(view, world, unseen, number(hand, attempt)):
        attempt += 1
    left = face_down_counts(world)
    place = view.drawn
    for kind in range(KINDS):
        for _ in range(left[kind]):
            world.deck[place] = kind
            place += 1
    shuffle(world, view.drawn, number(stream, 1))
    world.values[view.seat] = held_values(world, view.seat)
    sample_dice(world, number(stream, 2))
    world.seat = OPEN


@compiled
def face_down_counts(s: State) -> Any:
    """The number of face-down cards of each kind."""
    left = np.empty(KINDS, np.int64)
    for kind in range(KINDS):
        left[kind] = COPIES[kind % RANKS]
    for place in range(CARDS):
        if s.deck[place] != FACE_DOWN:
            left[s.deck[place]] -= 1
    return left


@compiled
def copies_among(left: Any, kinds: int) -> int:
    total = 0
    for kind in range(KINDS):
        if holds(kinds, kind):
            total += left[kind]
    return total


@compiled
def deal_hand(view: State, world: State, unseen: Any, stream: int) -> bool:
    """Try to fill the viewer's hand in the world with unseen cards that its hints allow.

    Drawing the cards one after the other favours a hand by a known factor: for each card, the number of candidates
    relative to that with all unseen cards. Rejection in proportion makes every hand equally likely, and is rare.
    """
    me = view.seat
    left = unseen.copy()
    chance = 1.0
    for slot in range(view.held[me]):
        place = view.hands[me][slot]
        if view.deck[place] == FACE_DOWN:
            kinds = view.hinted_kinds[me][slot]
            choices = copies_among(left, kinds)
            if choices == 0:
                return False
            chance *= choices / copies_among(unseen, kinds)
            world.deck[place] = draw_kind(left, kinds, below(stream, slot, choices))
    return number(stream, HAND) < chance * 2.0**63


@compiled
def draw_kind(left: Any, kinds: int, nth: int) -> int:
    """Take the nth remaining card of these kinds."""
    for kind in range(KINDS):
        if holds(kinds, kind):
            nth -= left[kind]
            if nth < 0:
                left[kind] -= 1
                return kind
    return FACE_DOWN


@compiled
def rewind(start: Any, pair: Any) -> None:
    """Return to the start of the game with the deck of the pair's state."""
    world = pair[WORLD]
    deck = world.deck.copy()
    streams = world.streams.copy()
    pair[WORLD] = start[0]
    for place in range(CARDS):
        world.deck[place] = deck[place]
    for seat in range(world.players):
        world.values[seat] = held_values(world, seat)
    for seat in range(SEATS):  # element by element: assigning to a slice takes a second to compile
        world.streams[seat] = streams[seat]


@compiled
def information_key(s: State, seat: int) -> int:
    """The drawn cards that a seat sees (all but its hand), as one number."""
    hidden = 0
    for slot in range(s.held[seat]):
        hidden |= 1 << s.hands[seat][slot]
    seen = 0
    for place in range(s.drawn):
        if not holds(hidden, place):
            seen = number(seen, KINDS * place + s.deck[place])
    return seen
