"""The highest card wins: everybody in turn keeps the card dealt to them or draws another instead, and that is all.

Two to four players and one more card than two for each, all different. Nobody sees what others hold or discard;
a kept card is probably high.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import observe_dice, sample_dice, set_dice
from kibitz.engine.loop import SEEN, WORLD
from tests.search.version import version_of

SEATS = 4
CARDS = 2 * SEATS + 1
KEEP, DRAW = range(2)
HIDDEN = -1
STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, SEATS),
        ("players", np.int64),
        ("seat", np.int64),
        ("turn", np.int64),
        ("deck", np.int64, CARDS),  # the cards dealt, by seat, and then those to draw
        ("held", np.int64, SEATS),  # the place in the deck of the card each seat has now
        ("drawn", np.int64),
        ("moves", np.int64, SEATS),
        (version_of(__file__), np.int8),
    ]
)
CAREFUL = 0.875  # how often a sensible player does what looks better


@compiled
def cards_in(s: Any) -> int:
    return 2 * s.players + 1


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.players = players
    s.seat = -1
    for place in range(CARDS):
        s.deck[place] = place if place < cards_in(s) else HIDDEN
    mix(s, stream)
    begin(s)


@compiled
def mix(s: Any, stream: int) -> None:
    for place in range(cards_in(s) - 1, 0, -1):
        other = seeds.below(stream, place, place + 1)
        s.deck[place], s.deck[other] = s.deck[other], s.deck[place]


@compiled
def begin(s: Any) -> None:
    s.turn = 0
    s.drawn = s.players
    for seat in range(SEATS):
        s.held[seat] = seat
        s.moves[seat] = 0


@compiled
def to_move(s: Any) -> int:
    return s.turn if s.turn < s.players else -1


@compiled
def legal(s: Any) -> int:
    return 1 << KEEP | 1 << DRAW


@compiled
def allowed(s: Any, move: int) -> bool:
    return move in (KEEP, DRAW)


@compiled
def apply(s: Any, move: int) -> None:
    if move == DRAW:
        s.held[s.turn] = s.drawn
        s.drawn += 1
    s.moves[s.turn] = move
    s.turn += 1


@compiled
def turns(s: Any) -> int:
    return s.turn


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.moves[turn]


@compiled
def seen_by(s: Any, seat: int, place: int) -> bool:
    return place == seat or place == s.held[seat]


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    pair[SEEN] = pair[WORLD]
    view = pair[SEEN]
    view.seat = seat
    observe_dice(view, seat, view.turn)
    for place in range(CARDS):
        if not seen_by(view, seat, place):
            view.deck[place] = HIDDEN


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """The hidden cards in any order."""
    pair[WORLD] = pair[SEEN]
    world, view = pair[WORLD], pair[SEEN]
    shown = 0
    for place in range(cards_in(view)):
        if view.deck[place] != HIDDEN:
            shown |= 1 << view.deck[place]
    for place in range(cards_in(view)):
        if view.deck[place] == HIDDEN:
            unseen = 0
            for card in range(cards_in(view)):
                unseen += 1 - (shown >> card & 1)
            nth = seeds.below(stream, place, unseen)
            for card in range(cards_in(view)):
                if not shown >> card & 1:
                    if nth == 0:
                        world.deck[place] = card
                    nth -= 1
            shown |= 1 << world.deck[place]
    world.seat = -1
    sample_dice(world, seeds.number(stream, CARDS))


@compiled
def rewind(start: Any, pair: Any) -> None:
    begin(pair[WORLD])


@compiled
def horizon(s: Any) -> None:
    """The world ends with the game anyway."""


@compiled
def payoff(s: Any, seat: int) -> float:
    for other in range(s.players):
        if s.deck[s.held[other]] > s.deck[s.held[seat]]:
            return 0.0
    return 1.0


@compiled
def information_key(s: Any, seat: int) -> int:
    return s.deck[seat] * CARDS + s.deck[s.held[seat]]


@compiled
def move_probabilities(view: Any, chances: Any) -> None:
    """Keeps a card from the upper half, and draws instead of one from the lower half, more often than not."""
    high = view.deck[view.seat] >= view.players
    chances[KEEP] = CAREFUL if high else 1 - CAREFUL
    chances[DRAW] = 1 - chances[KEEP]


generic.implement(
    "highest", STATE, deal=deal, to_move=to_move, legal=legal, allowed=allowed, apply=apply, turns=turns,
    move_at=move_at, observe=observe, sample_world=sample_world, rewind=rewind, horizon=horizon, payoff=payoff,
    information_key=information_key, move_probabilities=move_probabilities,
)  # fmt: skip


def dealt(deck: tuple[int, ...], moves: tuple[int, ...]) -> Any:
    """A pair whose state has this deck and these moves; its view is that of the seat to move."""
    pair = np.zeros(2, STATE)
    state = pair[WORLD]
    state["players"], state["seat"] = (len(deck) - 1) // 2, -1
    set_dice(state, 9)
    state["deck"] = HIDDEN
    state["deck"][: len(deck)] = deck
    begin(state)
    for move in moves:
        apply(state, move)
    observe(pair, max(int(to_move(state)), 0), False)
    return pair


def every_world(view: Any) -> Iterator[tuple[int, ...]]:
    """The decks that agree with a view, all equally likely before anybody moved."""
    deck = [int(card) for card in view["deck"][: 2 * int(view["players"]) + 1]]
    unseen = [card for card in range(len(deck)) if card not in deck]
    for order in itertools.permutations(unseen):
        cards = iter(order)
        yield tuple(next(cards) if card == HIDDEN else card for card in deck)
