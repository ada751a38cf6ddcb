"""A model of real people as a player: it draws a person, and samples each move as that person would choose it.

The probabilities come from a model fitted to people's games (`hanabi.people.model`). A person is a vector of habits,
drawn once per game from those of people with the chosen experience. The games were played by two; at larger tables the
model is extrapolated.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import decision
from kibitz.engine.seeds import number
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import awaited, critical, kind_of, useless
from kibitz.games.hanabi.people.inputs import freshly_touched, new_room, read_position
from kibitz.games.hanabi.people.model import (
    EXPERIENCED,
    MOST_HABITS,
    VARIETY,
    PeopleWeights,
    draw_habits,
    load,
    move_chances,
    new_mind,
    normal,
    think_as,
)
from kibitz.games.hanabi.rules import DISCARD, HINT, MOVES, event_move
from kibitz.games.hanabi.state import State

REASONS = (
    "I play {card}{fits}",
    "I was just hinted {card} alone, so I play it{odds}",
    "I was just hinted several cards, and {card} is the newest, so I play it{odds}",
    "I was just hinted several cards, and {card} is the oldest, so I play it{odds}",
    "I was just hinted {card} among others, so I play it{odds}",
    "I was hinted {card} some time ago, so I play it{odds}",
    "I take a chance and play {card}{odds}",
    "I discard {card}: it can never be played{useless}",
    "I discard {card}: it is the oldest without a hint{risk}",
    "I discard {card}: no hint was about it{risk}",
    "I discard {card}, although it was hinted{risk}",
    "I {move}: {card} can be played",
    "I {move}: {card} is the last of its kind",
    "I {move}: {card} can never be played",
    "I {move}, about {card}",
)
(
    SURE, ALONE, NEWEST, OLDEST, AMONG, EARLIER, CHANCE, DEAD, OLDEST_FREE, FREE, HINTED, TO_PLAY, TO_SAVE, TO_DISCARD,
    ANY_HINT,
) = range(len(REASONS))  # fmt: skip

NOISE = 1000  # where the random numbers of a person begin; a move takes the first
PERSON = struct_dtype([("habits", np.float64, MOST_HABITS), ("known", np.int64)])


class PersonMemory(Protocol):
    habits: Any
    known: int


@compiled
def become_somebody(view: State, memory: PersonMemory, weights: Numbers) -> None:
    """Draw a person at the first view of a game."""
    if memory.known == 0:
        noise = np.zeros(MOST_HABITS)
        for habit in range(MOST_HABITS):
            noise[habit] = normal(view.dice, NOISE + habit)
        draw_habits(weights, int(weights[EXPERIENCED]), weights[VARIETY], noise, memory.habits)
        memory.known = 1


def begin(view: State, memory: PersonMemory, weights: Numbers) -> None:
    become_somebody(view, memory, weights)


# Reasons


@compiled
def reason_for_play(view: State, slot: int, certain: bool) -> int:
    fresh = freshly_touched(view, view.turn, view.seat)
    if certain:
        return SURE
    if not holds(fresh, slot):
        return EARLIER if view.marks[view.seat][slot] != 0 else CHANCE
    if fresh == 1 << slot:
        return ALONE
    if fresh >> (slot + 1) == 0:
        return NEWEST
    return OLDEST if fresh & ((1 << slot) - 1) == 0 else AMONG


@compiled
def reason_for_discard(view: State, slot: int, certain: bool) -> int:
    if certain:
        return DEAD
    if view.marks[view.seat][slot] != 0:
        return HINTED
    for older in range(slot):
        if view.marks[view.seat][older] == 0:
            return FREE
    return OLDEST_FREE


@compiled
def hinted_card(view: State, move: int) -> tuple[int, int]:
    """The reason for a hint, and the card it is about: a playable one, else a critical, else a useless one."""
    seat, value = (move - HINT) // 10, (move - HINT) % 10
    fits, last, dead = awaited(view), critical(view), useless(view)
    mark = 1 if value < 5 else 2
    reason, card = ANY_HINT, -1
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        if not holds(hinted_kinds(value), kind):
            continue
        place, new = view.hands[seat][slot] | 0, view.marks[seat][slot] & mark == 0
        found = ANY_HINT
        if new and holds(fits, kind):
            found = TO_PLAY
        elif new and holds(last, kind):
            found = TO_SAVE
        elif new and holds(dead, kind):
            found = TO_DISCARD
        if found <= reason:
            reason, card = found, place
    return reason, card


@compiled
def explained(view: State, move: int, fits: float, dead: float) -> int:
    """A move with its reason; `fits` and `dead` are the chances that the card can be played now, or never."""
    if move < DISCARD:
        return decision(move, reason_for_play(view, move, fits == 1.0), view.hands[view.seat][move])
    if move < HINT:
        slot = move - DISCARD
        return decision(move, reason_for_discard(view, slot, dead == 1.0), view.hands[view.seat][slot])
    reason, card = hinted_card(view, move)
    return decision(move, reason, card)


def chance_of_move(view: State, weights: Numbers) -> float:
    """The probability of the move that the view's history has next, for an average person."""
    room, mind, chances = new_room(), new_mind(), np.zeros(MOVES)
    habits = np.zeros(MOST_HABITS)
    draw_habits(weights, int(weights[EXPERIENCED]), 0.0, np.zeros(MOST_HABITS), habits)
    count = read_position(view, room)
    think_as(weights, habits, mind)
    move_chances(view, weights, mind, room, count, chances)
    move = event_move(view.history[view.turn])
    for row in range(count):
        if room.moves[row] == move:
            return chances[row]
    return 0.0


@agent(
    title="Real Robin",
    reasons=REASONS,
    origin="Fitted by `kibitz people fit` to public games of people: Eger, Martens & Alfaro Córdoba 2017 (CC BY 4.0)",
    random=True,
    memory=PERSON,
    observe=begin,
    chance=chance_of_move,
    weights=PeopleWeights.of(load()),
)
def person(view: State, memory: PersonMemory, weights: Numbers) -> int:
    """Plays like a real person, by a model fitted to games of two; with three to five players it is an extrapolation.

    Each game it is another person. `person@experience=expert` plays like people who had played more than 50 games; the
    other words are new, dabbling (1 to 10), intermediate (10 to 50) and anyone. `@caution=4` assumes more care on the
    last life where a lost game scores 0; `@variety=0` plays like an average person. The people of the data sat with a
    program and moved second; no data say how they play at larger tables.
    """
    if memory.known == 0:
        become_somebody(view, memory, weights)
    room, mind, chances = new_room(), new_mind(), np.zeros(MOVES)
    count = read_position(view, room)
    think_as(weights, memory.habits, mind)
    move_chances(view, weights, mind, room, count, chances)
    left, row = number(view.dice, 0) * SHARE, 0
    while row < count - 1 and left >= chances[row]:
        left -= chances[row]
        row += 1
    move = room.moves[row]
    slot = move % 5 if move < HINT else 0
    return explained(view, move, room.hand.fits[slot], room.hand.dead[slot])
