"""Compiled agents that fail in turn 5, each in its own way; they discard their oldest card before."""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.loop import decision, move_by, refused
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hinting, hinting_value, playing
from kibitz.games.hanabi.state import State

CALM, WORRIED = range(2)
REASONS = ("calm", "worried")
COUNTER = struct_dtype([("seen", np.int64)])


@compiled
def looked_up(key: int) -> int:
    table = {1: 2}
    return table[key]


@agent(reasons=REASONS)
def key_error(view: State) -> int:
    return discarding(view, looked_up(view.turn) if view.turn == 4 else 0, CALM)


@agent(reasons=REASONS)
def raises(view: State) -> int:
    if view.turn == 4:
        raise ValueError("what now")
    return discarding(view, 0, CALM)


@agent(reasons=REASONS)  # noqa: RET503
def returns_nothing(view: State) -> int:  # type: ignore[return]
    if view.turn < 4:
        return discarding(view, 0, CALM)


@agent(reasons=REASONS)
def bare_number(view: State) -> int:
    return discarding(view, 0, CALM) if view.turn < 4 else 3


@agent(reasons=REASONS)
def slot_nine(view: State) -> int:
    return discarding(view, 0, CALM) if view.turn < 4 else playing(view, 9, CALM)


@agent(reasons=REASONS)
def slot_below_zero(view: State) -> int:
    return discarding(view, 0, CALM) if view.turn < 4 else discarding(view, -1, CALM)


@agent(reasons=REASONS)
def hints_itself(view: State) -> int:
    return discarding(view, 0, CALM) if view.turn < 4 else hinting(view, view.seat, 0, True, CALM)


@agent(reasons=REASONS)
def hints_too_much(view: State) -> int:
    return discarding(view, 0, CALM) if view.turn < 4 else hinting_value(view, (view.seat + 1) % 2, 10, 0, CALM)


@agent(reasons=REASONS)
def third_reason(view: State) -> int:
    return discarding(view, 0, CALM if view.turn < 4 else 2)


@agent(reasons=REASONS)
def reason_out_of_range(view: State) -> int:
    return discarding(view, 0, CALM if view.turn < 4 else 300)


@agent(reasons=REASONS)
def subject_out_of_range(view: State) -> int:
    return decision(5, CALM, -1 if view.turn < 4 else 5000)


@agent(reasons=REASONS)
def negative_move(view: State) -> int:
    return decision(5 if view.turn < 4 else -5, CALM)


@agent(reasons=REASONS)
def illegal(view: State) -> int:
    return decision(5 if view.turn < 4 else 59, CALM)


@agent(reasons=REASONS)
def unknown_part(view: State) -> int:
    return discarding(view, 0, CALM) if view.turn < 4 else refused(99, 1)


def count(view: State, memory: Any) -> None:
    memory.seen += 1
    if view.turn == 5:
        raise ValueError("too many")


@agent(reasons=REASONS, observe=count, memory=COUNTER)
def observes(view: State, memory: Any) -> int:
    return discarding(view, 0, CALM)


def watch(view: State, public: Any) -> None:
    public.seen += 1
    if view.turn == 5:
        raise ValueError("seen enough")


@agent(reasons=REASONS, watch=watch, public=COUNTER)
def watches(view: State, public: Any) -> int:
    return discarding(view, 0, CALM)


@agent(reasons=REASONS, models=(bare_number,))
def asks_a_model(view: State, models: Any) -> int:
    return decision(move_by(models[0], view), CALM)


@agent(reasons=REASONS)
def loops(view: State) -> int:
    turn = 0
    while view.turn >= 4:
        turn += 1
    return discarding(view, 0, CALM)


@agent(reasons=REASONS)
def seldom(view: State) -> int:
    """Fails if the next player begins with a red one."""
    if view.turn == 0 and view.deck[view.hands[(view.seat + 1) % view.players][0]] == 0:
        raise ValueError("red")
    return discarding(view, 0, CALM)
