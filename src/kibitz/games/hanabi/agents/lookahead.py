"""Shared by the searching agents: a belief about their own hand, moves raced in sampled worlds, and the texts of their
reasons."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.expectation import FOUND, Bound, Found, move_estimates
from kibitz.engine.loop import decision, move_by
from kibitz.engine.seat import Budget
from kibitz.games.hanabi.hand_belief import BELIEF, Belief, Effort, note_start
from kibitz.games.hanabi.moves import spoken
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import State
from kibitz.search.choice import forget_found, no_estimates, note_estimates
from kibitz.search.clock import milliseconds
from kibitz.search.racing import PLAYOUTS, WORLDS, Race, RacingParameters, verdict, write_estimates

POINTS = 25  # a payoff of 1
MOST_WORLDS = 1 << 13
BELIEF_SHARE = 0.4  # of a time limit, for the belief
SHOWN = 3  # other moves in a reason
SOON = 4  # other moves need more than the chosen move's visits divided by this

BETTER, SAME, ONLY_MOVE, NO_TIME = range(4)  # the first reasons of both agents

LOOKAHEAD: list[tuple[Any, ...]] = [
    *((name, FOUND[name]) for name in FOUND.names or ()),
    *BELIEF,
    ("chosen", np.int64),  # the move
    ("worlds", np.int64),  # the number of worlds in which moves were tried
]


class Lookahead(Belief, Found, Protocol):
    """A struct with the fields LOOKAHEAD."""

    chosen: int
    worlds: int


def remember_start(view: State, memory: Lookahead) -> None:
    note_start(view, memory)


@compiled
def model_move(view: State, struct: Any) -> int:
    """The move of a model in the searcher's place; its memories must be restored."""
    move = move_by(struct, view)
    moves = legal(view)
    return move if moves >> move & 1 else lowest_bit(moves)


@compiled
def candidates(moves: int, favourite: int) -> Any:
    """The moves to compare, the favourite first."""
    moves &= ~(1 << favourite)
    listed = np.empty(1 + count_bits(moves), np.int64)
    listed[0] = favourite
    for place in range(1, listed.shape[0]):
        listed[place] = lowest_bit(moves)
        moves &= moves - 1
    return listed


@compiled
def effort_of(budget: Budget, max_hands: float, min_hands: float, rounds: float) -> Effort:
    share = BELIEF_SHARE * budget.milliseconds if budget.milliseconds > 0 else np.inf
    return Effort(int(max_hands), int(min_hands), int(rounds), milliseconds() + share)


@compiled
def without_search(memory: Lookahead, move: int, reason: int) -> int:
    forget_found(memory)
    return decision(move, reason)


@compiled
def decided(memory: Lookahead, view: State, race: Race, parameters: RacingParameters, exact: bool) -> int:
    """The decision from a finished race; its estimates are stored in the memory."""
    chosen = verdict(race, parameters)
    moves = legal(view)
    found = no_estimates(view, moves)
    write_estimates(race, parameters, chosen.place, exact, found)
    note_estimates(memory, found)
    memory.chosen = race.moves[chosen.place]
    memory.value = chosen.value
    memory.visits, memory.simulations = race.visits[chosen.place], race.done[PLAYOUTS]
    memory.worlds = race.done[WORLDS]
    return decision(memory.chosen, SAME if chosen.place == 0 else BETTER)


# Texts


def points_text(value: float) -> str:
    return f"{POINTS * value:.1f}"


def next_best(memory: Any) -> str:
    """The best other moves with enough visits."""
    others = [
        f"{spoken(each.move)} ({points_text(each.value)} points)"
        for each in move_estimates(memory)
        if each.bound != Bound.UNKNOWN and each.move != memory["chosen"] and SOON * each.visits >= memory["visits"]
    ]
    return f"; next best: {', '.join(others[:SHOWN])}" if others else ""


def simulations_text(memory: Any) -> str:
    games = int(memory["simulations"])
    return f"{games:,} simulated games" if games > 1 else "one simulated game"


def what_it_expects(memory: Any, based_on: str) -> Mapping[str, str]:
    """The variables {points} and {found} of a reason."""
    return {"points": points_text(float(memory["value"])), "found": f"{next_best(memory)} ({based_on})"}
