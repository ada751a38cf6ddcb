"""A neural network player: it rates every legal move and makes the best one.

`network_inputs` has its inputs, `kibitz.core.network` reads and runs networks. Of its 21 outputs five are for playing a
card, five for discarding one, ten for the hints to the player evaluated, and one is the expected final score. It
evaluates every other player: hints are valued by the evaluation of their receiver, its own cards by the mean.
"""

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.network import outputs_of, read_network, widest_layer
from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.network_inputs import HINTS, SHAPE, VALUE, WORDS, put_inputs
from kibitz.games.hanabi.agents.promises import ACCOUNT, Account, keep_account
from kibitz.games.hanabi.cards import COLOURS, RANKS, holds
from kibitz.games.hanabi.env.encoding import WORD
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.rules import DISCARD, HINT, MOVES, legal
from kibitz.games.hanabi.state import HAND, State

NOTHING = HINT + HINTS

# A reason gives the move, the network's confidence, and the next best move.
DOES = ("I play {card}{odds}", "I discard {card}{risk}", "I {move}")
SURE = (0.95, 0.75, 0.5)  # thresholds of the move's probability
HOW_SURE = (
    "I am at least 95 % sure",
    "I am at least 75 % sure",
    "I am at least 50 % sure",
    "I am less than 50 % sure",
)
ELSE = (
    *(f"play card {slot + 1}" for slot in range(HAND)),
    *(f"discard card {slot + 1}" for slot in range(HAND)),
    *(f"hint {colour}" for colour in COLOURS),
    *(f"hint {rank + 1}" for rank in range(RANKS)),
    "nothing",
)
REASONS = tuple(f"{does}; {sure}; next best: {other}" for does in DOES for sure in HOW_SURE for other in ELSE)


@compiled
def likes(view: State, public: Account, weights: Numbers, liked: Any) -> float:
    """Write the log probabilities of all moves, legal or not; returns the expected score as a share of the maximum."""
    words, room = np.empty(WORDS, np.int64), np.empty((2, widest_layer(weights)))
    others = view.players - 1
    expected = 0.0
    liked[:] = 0.0
    for step in range(1, view.players):
        put_inputs(view, public, step, words)
        answers = outputs_of(weights, words, WORD, room)
        liked[:HINT] += answers[:HINT] / others
        first = HINT + 10 * ((view.seat + step) % view.players)
        copy_into(liked[first:], answers[HINT:VALUE])
        expected += answers[VALUE] / others
    return expected


@compiled
def two_best(moves: int, liked: Any) -> tuple[int, int, float]:
    """The best and second best legal moves, equal if there is only one, and the best one's probability."""
    best = second = -1
    for move in range(MOVES):
        if holds(moves, move):
            if best < 0 or liked[move] > liked[best]:
                best, second = move, best
            elif second < 0 or liked[move] > liked[second]:
                second = move
    total = 0.0
    for move in range(MOVES):
        if holds(moves, move):
            total += np.exp(liked[move] - liked[best])
    return best, second if second >= 0 else best, 1.0 / total


@compiled
def subject(view: State, move: int) -> int:
    """The card that a move is about: the one that is played or discarded, or the newest that a hint touches."""
    if move < HINT:
        return view.hands[view.seat][move % 5] | 0
    seat, value = (move - HINT) // 10, (move - HINT) % 10
    card = -1
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        if (kind // 5 if value < 5 else 5 + kind % 5) == value:
            card = view.hands[seat][slot] | 0
    return card


@compiled
def reason(best: int, second: int, chance: float) -> int:
    """The reason for a move, its next best one and its probability."""
    does = 0 if best < DISCARD else 1 if best < HINT else 2
    how = 0
    while how < len(SURE) and chance < SURE[how]:
        how += 1
    other = NOTHING if second == best else second if second < HINT else HINT + (second - HINT) % HINTS
    return (does * (len(SURE) + 1) + how) * (NOTHING + 1) + other


@agent(
    title="Neural Nelly",
    reasons=REASONS,
    origin="examples/train_player.py",
    watch=keep_account,
    public=ACCOUNT,
    weights=read_network(Path(__file__).with_name("network.npz"), SHAPE),
)
def network(view: State, public: Account, weights: Numbers) -> int:
    """A neural network that learned from Trustful's games, and then from its own.

    Other networks play as network@player.npz.
    """
    liked = np.empty(MOVES)
    likes(view, public, weights, liked)
    best, second, chance = two_best(legal(view), liked)
    return decision(best, reason(best, second, chance), subject(view, best))
