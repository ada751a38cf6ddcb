"""Typical people by experience, as models for agents that infer their partners. They are not registered.

Each plays like `person` with the average habits of people who had played as often. It remembers nothing.
"""

from typing import Any

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import decision
from kibitz.engine.seeds import number
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.person import chance_of_move
from kibitz.games.hanabi.people.inputs import Room, new_room, read_position
from kibitz.games.hanabi.people.model import (
    EXPERIENCED,
    MOST_HABITS,
    PeopleWeights,
    draw_habits,
    load,
    move_chances,
    new_mind,
    think_as,
)
from kibitz.games.hanabi.rules import MOVES
from kibitz.games.hanabi.state import State

FITTED = PeopleWeights.of(load())
TITLES = {"new": "a new player", "dabbling": "a beginner", "intermediate": "a regular player", "expert": "an expert"}


@compiled
def typical_chances(view: State, weights: Numbers, room: Room, chances: Any) -> int:
    """Write the chance of every legal move; returns their number."""
    habits, mind = np.zeros(MOST_HABITS), new_mind()
    draw_habits(weights, int(weights[EXPERIENCED]), 0.0, np.zeros(MOST_HABITS), habits)
    think_as(weights, habits, mind)
    count = read_position(view, room)
    move_chances(view, weights, mind, room, count, chances)
    return count


def play_as_typical(view: State, weights: Numbers) -> int:
    """Plays like a person with the average habits of some experience."""
    room, chances = new_room(), np.zeros(MOVES)
    count, row = typical_chances(view, weights, room, chances), 0
    left = number(view.dice, 0) * SHARE
    while row < count - 1 and left >= chances[row]:
        left -= chances[row]
        row += 1
    return decision(room.moves[row], 0)


def typical(experience: str) -> CompiledAgent:
    as_agent = agent(
        title=TITLES[experience], reasons=("I {move}",), origin="the model of `person`", random=True,
        chance=chance_of_move, weights=FITTED.but({"experience": experience}), name=f"person_{experience}",
    )  # fmt: skip
    return as_agent(play_as_typical)


TYPICAL = tuple(map(typical, TITLES))
