"""Kuhn's poker: two players, a card each of jack, queen and king, one chip in the pot each, one bet of a chip.

Whoever is to move passes (checks or folds) or bets (bets or calls). Its equilibria and best responses are known,
and small enough for tests to go through everything.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import observe_dice, sample_dice, set_dice
from kibitz.engine.loop import SEEN, WORLD
from tests.search.version import version_of

JACK, QUEEN, KING = range(3)
PASS, BET = range(2)
HIDDEN = -1
STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, 2),
        ("players", np.int64),
        ("seat", np.int64),
        ("cards", np.int64, 2),
        ("turn", np.int64),
        ("line", np.int64, 3),  # the moves made
        ("habit", np.int64),  # by which of the strategies below a sensible player moves
        (version_of(__file__), np.int8),
    ]
)

# How often a strategy bets, with each card, in each of the four situations.
FIRST, AFTER_PASS, AFTER_BET, AFTER_PASS_BET = range(4)
HABITS = np.array(
    [
        [  # an equilibrium, the one that never bluffs with the first move
            [0.0, 0.0, 0.0],
            [1 / 3, 0.0, 1.0],
            [0.0, 1 / 3, 1.0],
            [0.0, 1 / 3, 1.0],
        ],
        [  # bets too much and calls too little
            [0.5, 0.25, 0.75],
            [0.75, 0.5, 0.75],
            [0.125, 0.125, 0.75],
            [0.125, 0.125, 0.875],
        ],
    ]
)
EQUILIBRIUM, RASH = range(2)
UNLIKELY = 1e-6  # no move is impossible


@compiled
def to_move(s: Any) -> int:
    if s.turn == 0:
        return 0
    if s.turn == 1:
        return 1
    if s.turn == 2 and s.line[0] == PASS and s.line[1] == BET:
        return 0
    return -1


@compiled
def legal(s: Any) -> int:
    return 1 << PASS | 1 << BET


@compiled
def allowed(s: Any, move: int) -> bool:
    return move in (PASS, BET)


@compiled
def apply(s: Any, move: int) -> None:
    s.line[s.turn] = move
    s.turn += 1


@compiled
def turns(s: Any) -> int:
    return s.turn


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.line[turn]


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    pair[SEEN] = pair[WORLD]
    pair[SEEN].seat = seat
    observe_dice(pair[SEEN], seat, pair[WORLD].turn)
    if not cheats:
        pair[SEEN].cards[1 - seat] = HIDDEN


@compiled
def sample_world(pair: Any, stream: int) -> None:
    pair[WORLD] = pair[SEEN]
    seat = pair[SEEN].seat
    pair[WORLD].cards[1 - seat] = (pair[SEEN].cards[seat] + 1 + seeds.below(stream, 0, 2)) % 3
    pair[WORLD].seat = -1
    sample_dice(pair[WORLD], seeds.number(stream, 1))


@compiled
def rewind(start: Any, pair: Any) -> None:
    pair[WORLD].turn = 0
    pair[WORLD].line[:] = 0


@compiled
def horizon(s: Any) -> None:
    """The world ends with the game anyway."""


@compiled
def winnings(s: Any, seat: int) -> int:
    """What a seat wins of the other's chips."""
    bets = s.line[0] + s.line[1] + (s.line[2] if s.turn == 3 else 0)
    if bets == 1:  # the other passed on it
        winner = 0 if s.line[0] == BET else 1
        return 1 if seat == winner else -1
    stake = 2 if bets == 2 else 1
    return stake if s.cards[seat] > s.cards[1 - seat] else -stake


@compiled
def payoff(s: Any, seat: int) -> float:
    return (winnings(s, seat) + 2) / 4


@compiled
def information_key(s: Any, seat: int) -> int:
    return s.cards[seat]


@compiled
def situation(s: Any) -> int:
    if s.turn == 0:
        return FIRST
    if s.turn == 1:
        return AFTER_BET if s.line[0] == BET else AFTER_PASS
    return AFTER_PASS_BET


@compiled
def move_probabilities(view: Any, chances: Any) -> None:
    bets = HABITS[view.habit, situation(view), view.cards[view.seat]]
    chances[BET] = min(max(bets, UNLIKELY), 1 - UNLIKELY)
    chances[PASS] = 1 - chances[BET]


generic.implement(
    "kuhn", STATE, to_move=to_move, legal=legal, allowed=allowed, apply=apply, turns=turns, move_at=move_at,
    observe=observe, sample_world=sample_world, rewind=rewind, horizon=horizon, payoff=payoff,
    information_key=information_key, move_probabilities=move_probabilities,
)  # fmt: skip


def dealt(cards: tuple[int, int], line: tuple[int, ...] = (), habit: int = EQUILIBRIUM) -> Any:
    """A pair whose state has these cards and moves; its view is that of the seat to move."""
    pair = np.zeros(2, STATE)
    state = pair[WORLD]
    state["players"], state["seat"], state["cards"], state["habit"] = 2, -1, cards, habit
    set_dice(state, 5)
    for move in line:
        apply(state, move)
    observe(pair, max(to_move(state), 0), False)
    return pair
