"""What an open state is worth to a player who sits with people: a small network, for searches some turns ahead.

`benchmarks/search_partner.py train` fits it to games of `partner` with sampled people. It distinguishes the searcher's
hand from the others', which it averages.
"""

from typing import Any

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import awaited, critical, kind_of, surely, useless
from kibitz.games.hanabi.people.inputs import freshly_touched, yes
from kibitz.games.hanabi.state import CARDS, TOKENS, State

POSITION, OF_HAND = 20, 10
VALUES = POSITION + 2 * OF_HAND  # numbers about a state
UNITS = 32
WORTH = (
    UNITS * (VALUES + 2) + VALUES + 1
)  # weights: the hidden layer, its biases, its outputs, a linear part, a constant


@compiled
def read_worth(state: State, me: int, x: Any) -> None:
    """Numbers about a state, all cards open."""
    done, deck, tokens = count_bits(state.played) / 25, (CARDS - state.drawn) / 40, state.tokens / TOKENS
    one, two = yes(state.lives == 1), yes(state.lives == 2)
    fits, dead, last = awaited(state), useless(state), critical(state)
    x[0], x[1], x[2], x[3], x[4] = done, deck, tokens, one, two
    x[5], x[6], x[7], x[8] = done * done, done * deck, deck * deck, tokens * deck
    x[9], x[10], x[11] = one * deck, two * deck, one * done
    x[12], x[13] = count_bits(dead & ~state.played) / 25, count_bits(fits) / 5
    x[14], x[15] = yes(state.countdown > 0), max(int(state.countdown), 0) / 5
    x[16], x[17] = yes(state.tokens == 0), yes(state.tokens == TOKENS)
    x[18], x[19] = yes(state.to_move == me), yes(state.to_move == me) * tokens
    for place in range(POSITION, VALUES):
        x[place] = 0.0
    fresh = freshly_touched(state, state.turn, state.to_move)
    for seat in range(state.players):
        at = POSITION if seat == me else POSITION + OF_HAND
        share = 0.5 if seat == me else 0.5 / (state.players - 1)
        seen = 0
        for slot in range(state.held[seat]):
            kind = kind_of(state, seat, slot)
            kinds, marked = int(state.hinted_kinds[seat][slot]), state.marks[seat][slot] != 0
            now = seat == state.to_move and holds(fresh, slot)
            if holds(fits, kind):
                x[at] += share * yes(not holds(seen, kind))
                seen |= 1 << kind
                certain = surely(kinds, fits)
                x[at + 1] += share * yes(certain)
                x[at + 2] += share * yes(marked and not certain)
                x[at + 3] += share * yes(now)
            else:
                x[at + 4] += share * yes(marked and kinds & fits != 0)
                x[at + 5] += share * yes(now and kinds & fits != 0)
                x[at + 6] += share * yes(holds(dead, kind))
                x[at + 7] += share * yes(holds(last, kind))
                x[at + 8] += share * yes(holds(last, kind) and not marked)
            x[at + 9] += share * yes(marked)


@compiled
def worth_of(x: Any, weights: Numbers, at: int, sums: Any) -> float:
    """The expected payoff by the network whose weights begin at a place; `sums` is a buffer of UNITS numbers."""
    biases = at + VALUES * UNITS
    for unit in range(UNITS):
        sums[unit] = weights[biases + unit]
    linear = biases + 2 * UNITS
    total = weights[linear + VALUES]
    for place in range(VALUES):
        value = x[place]
        if value != 0.0:
            total += value * weights[linear + place]
            first = at + place * UNITS
            for unit in range(UNITS):
                sums[unit] += value * weights[first + unit]
    for unit in range(UNITS):
        total += max(sums[unit], 0.0) * weights[biases + UNITS + unit]
    return min(max(total, 0.0), 1.0)


def in_order(hidden: Any, biases: Any, outputs: Any, linear: Any, constant: float) -> Any:
    """The parts of a network as a vector for `worth_of`."""
    return np.concatenate([np.ravel(hidden), biases, outputs, linear, [constant]])
