"""What the moves of a partner say: how likely they are for people with various habits, and for a copy of `partner`.

A *kind* of partner is one of some people, drawn once from the fitted distribution of habits, experience by experience;
the last kind plays like `partner`. The chance of each kind follows from a partner's moves by Bayes' rule. The model is
evaluated once for all people, because scores are linear in habits.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.people import EXPERIENCE
from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.partner import HINT_EXTRAS, best_of, read_extras, score_moves
from kibitz.games.hanabi.people.inputs import Room, new_room, read_position
from kibitz.games.hanabi.people.model import (
    HABITS,
    MOST_HABITS,
    MOST_UNITS,
    assume,
    draw_habits,
    move_directions,
    normal,
)
from kibitz.games.hanabi.rules import MOVES
from kibitz.games.hanabi.state import State

PEOPLE = 40  # kinds of people
EXPERIENCES = np.arange(PEOPLE) % len(EXPERIENCE)  # of these people
COPY = PEOPLE  # the kind that plays like `partner`
TYPES = PEOPLE + 1
SEED = 2017  # from which the people are drawn
COPIES = (0.05, 0.5)  # the chance of a copy before the first move, at tables of two and at larger ones
SLIP = 0.2  # how often a copy that searches makes another move
MISSED = 0.05  # how often somebody moves unlike every kind


class Ears(NamedTuple):
    """The models, and buffers."""

    people: Numbers
    partner: Numbers
    habits: Any  # by kind of people
    room: Room
    extras: Any
    scores: Any
    outputs: Any
    buffer: Any
    found: Any  # by kind: the chance of a move


@compiled
def new_ears(people: Numbers, partner: Numbers) -> Ears:
    habits, noise = np.zeros((PEOPLE, MOST_HABITS)), np.zeros(MOST_HABITS)
    for kind in range(PEOPLE):
        for habit in range(MOST_HABITS):
            noise[habit] = normal(SEED, MOST_HABITS * kind + habit)
        draw_habits(people, int(EXPERIENCES[kind]), 1.0, noise, habits[kind])
    return Ears(
        people, partner, habits, new_room(), np.zeros((MOVES, HINT_EXTRAS)), np.zeros(MOVES),
        np.zeros((MOVES, 1 + MOST_HABITS)), np.zeros((2, MOST_UNITS)), np.zeros(TYPES),
    )  # fmt: skip


@compiled
def expect_anybody(players: int, chances: Any) -> None:
    """The chances of the kinds before the first move."""
    copies = COPIES[0] if players == 2 else COPIES[1]
    for kind in range(PEOPLE):
        chances[kind] = (1.0 - copies) / PEOPLE
    chances[COPY] = copies


@compiled
def hear(view: State, move: int, chances: Any, ears: Ears) -> float:
    """The chance of a move by the owner of a view; `found` gets it for each kind that is likely enough to matter."""
    room, scores, outputs, found = ears.room, ears.scores, ears.outputs, ears.found
    count, habits = read_position(view, room), int(ears.people[HABITS])
    row = 0
    while row < count - 1 and room.moves[row] != move:
        row += 1
    move_directions(ears.people, room, count, ears.buffer, outputs)
    for each in range(count):
        scores[each] = outputs[each, 0]
    assume(view, ears.people, room, count, scores)
    most = scores[0]
    for each in range(count):
        most = max(most, scores[each])
    total = 0.0
    for kind in range(PEOPLE):
        found[kind] = 0.0
        if chances[kind] * PEOPLE < 0.01:
            continue
        whole = wanted = 0.0
        for each in range(count):
            score = scores[each] - most
            for habit in range(habits):
                score += outputs[each, 1 + habit] * ears.habits[kind, habit]
            likely = np.exp(score)
            whole += likely
            if each == row:
                wanted = likely
        found[kind] = wanted / whole
        total += chances[kind] * found[kind]
    found[COPY] = 0.0
    if chances[COPY] > 0.001:
        read_extras(view, room, count, ears.extras)
        score_moves(view, ears.partner, room, ears.extras, count, scores)
        found[COPY] = 1.0 - SLIP if best_of(scores, count) == row else SLIP / count
        total += chances[COPY] * found[COPY]
    for kind in range(TYPES):
        found[kind] = (1.0 - MISSED) * found[kind] + MISSED / count
    return (1.0 - MISSED) * total + MISSED / count
