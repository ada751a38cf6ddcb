"""Kuhn poker of `examples/kuhn`, with a choice of habits by which the modelled players move.

Its equilibria and best responses are known, and small enough for tests to enumerate.
"""

from typing import Any

import numpy as np
from kuhn import rules
from kuhn.rules import BET as BET
from kuhn.rules import JACK as JACK
from kuhn.rules import KING as KING
from kuhn.rules import PASS as PASS
from kuhn.rules import QUEEN as QUEEN
from kuhn.rules import apply, observe, situation, write_probabilities
from kuhn.rules import to_move as to_move
from kuhn.rules import winnings as winnings

from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import set_dice
from kibitz.engine.loop import WORLD
from tests.search.version import version_of

STATE = struct_dtype(
    [
        *rules.FIELDS,
        ("habit", np.int64),  # the strategy below by which a modelled player moves
        (version_of(__file__), np.int8),
        (version_of(rules.__file__), np.int8),
    ]
)
EQUILIBRIUM, RASH = range(2)
RASH_BETS = [  # bets too often and calls too seldom
    [0.5, 0.25, 0.75],
    [0.75, 0.5, 0.75],
    [0.125, 0.125, 0.75],
    [0.125, 0.125, 0.875],
]
HABITS = np.array([rules.EQUILIBRIUM.tolist(), RASH_BETS])


@compiled
def move_probabilities(view: Any, chances: Any) -> None:
    write_probabilities(chances, HABITS[view.habit, situation(view), view.cards[view.seat]])


OWN = {name: getattr(generic.rules_of(rules.STATE), name) for name in generic.OWN[rules.STATE]}
generic.implement("kuhn", STATE, **{**OWN, "move_probabilities": move_probabilities})


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
