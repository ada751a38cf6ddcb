"""The learner at a table: a function that plays by its tables and rates its move."""

from typing import Protocol

import numpy as np

from kibitz.core.agent import CompiledAgent, Traits
from kibitz.core.weights import Numbers, Weights
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import NO_DISCARD
from kibitz.games.hanabi.agents.choices import hinting_value, playing, slots_of
from kibitz.games.hanabi.agents.reinforced.action_selection import Choice, ValueTables, choose, is_random, random_choice
from kibitz.games.hanabi.agents.reinforced.notes import NOTES, Notes, take_notes
from kibitz.games.hanabi.agents.reinforced.situations import WEIGHTS
from kibitz.games.hanabi.agents.tips import touched_by, touches
from kibitz.games.hanabi.knowledge import playable, possible, surely, useless
from kibitz.games.hanabi.rules import DISCARD, HINT
from kibitz.games.hanabi.state import State

SURE_PLAY, SURE_DISCARD = range(2)
RATED_PLAY, RATED_DISCARD, FITTING_HINT, OTHER_HINT = 2, 13, 24, 35  # each followed by its ratings, from 0 to 10
RATINGS = range(11)
REASONS = (
    "I play {card}{fits}",
    "I discard {card}, which can never be played{useless}",
    *(f"I play {{card}}, which by experience I rate {rating} out of 10{{odds}}" for rating in RATINGS),
    *(f"I discard {{card}}, which by experience I rate {rating} out of 10{{risk}}" for rating in RATINGS),
    *(
        f"I {{move}}; it touches {{card}}, which can be played, and by experience I rate it {rating} out of 10"
        for rating in RATINGS
    ),
    *(f"I {{move}}; it touches {{card}}, and by experience I rate it {rating} out of 10" for rating in RATINGS),
)


@compiled
def explained(view: State, choice: Choice, values: Numbers) -> int:
    """The choice as a decision, with its subject and rating."""
    rating = int(10 * min(max(values[choice.detail], 0.0), 1.0) + 0.5)
    if choice.move < HINT:
        slot = choice.move % DISCARD
        kinds = possible(view, view.seat, slot)
        if choice.move < DISCARD:
            return playing(view, slot, SURE_PLAY if surely(kinds, playable(view)) else RATED_PLAY + rating)
        reason = SURE_DISCARD if surely(kinds, useless(view)) else RATED_DISCARD + rating
        return decision(choice.move, reason, view.hands[view.seat][slot])
    seat, value = (choice.move - HINT) // 10, (choice.move - HINT) % 10
    touched = touched_by(touches(view, seat), value)
    fitting = touched & slots_of(view, seat, playable(view))
    if fitting:
        return hinting_value(view, seat, value, lowest_bit(fitting), FITTING_HINT + rating)
    return hinting_value(view, seat, value, lowest_bit(touched), OTHER_HINT + rating)


THOUGHT = struct_dtype([("action", np.int64), ("detail", np.int64)])


class Thought(Protocol):
    """The two situations behind the last move, for training."""

    action: int
    detail: int


def play_by_tables(view: State, public: Notes, memory: Thought, weights: Numbers) -> int:
    """In training, the weights are the tables, the bonuses, and the share of random moves."""
    tables = ValueTables(weights[:WEIGHTS], weights[WEIGHTS:])
    choice = choose(view, public, tables)
    if weights.shape[0] > WEIGHTS and is_random(view, weights[weights.shape[0] - 1]):
        choice = random_choice(view, public, tables, choice)
    memory.action, memory.detail = choice.action, choice.detail
    return explained(view, choice, weights)


def player(name: str, values: Weights | Numbers, title: str = "", description: str = "") -> CompiledAgent:
    """An agent that plays by these tables."""
    return CompiledAgent(
        name=name,
        game="hanabi",
        description=description,
        origin="Jarząbek & Leja 2020, section 4.9",
        traits=Traits(remembers=True),
        decide=play_by_tables,
        reasons=(*REASONS, NO_DISCARD),
        watch=take_notes,
        public=NOTES,
        memory=THOUGHT,
        weights=values if isinstance(values, Weights) else Weights(values),
        title=title,
    )
