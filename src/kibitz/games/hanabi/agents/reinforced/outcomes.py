"""The memory of the learner: every situation keeps its last outcomes, and newer ones weigh more.

Outcomes are whole numbers, and so are the sums that are kept of them, so that a run gives the same to the last bit
wherever it was interrupted.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.reinforced.situations import IDEAS, WEIGHTS

REMEMBERED = 400  # outcomes of a situation
BEST, UNDECIDED, WORST = 255, 128, 0  # an outcome below UNDECIDED is a penalty
PRIOR = 0.5  # what a situation is worth that never came up


class Outcomes(NamedTuple):
    """The memory of the learners, by learner and situation."""

    latest: Any  # the last outcomes, as a ring
    count: Any  # of outcomes so far
    penalties: Any
    total: Any  # of the outcomes in the ring
    weighted: Any  # the same, the oldest once, the next twice, and so on
    tables: Any  # what follows from it, as `play_by_tables` takes it: values, bonuses, and the share of random moves


IN_TRAINING = 2 * WEIGHTS + 1


def no_outcomes(learners: int, ideas: int, random_moves: float = 0.0) -> Outcomes:
    count, penalties, total, weighted = (np.zeros((learners, WEIGHTS), np.int64) for _ in range(4))
    tables = np.zeros((learners, IN_TRAINING))
    tables[:, :WEIGHTS], tables[:, IDEAS], tables[:, -1] = PRIOR, ideas, random_moves
    latest = np.zeros((learners, WEIGHTS, REMEMBERED), np.uint8)
    return Outcomes(latest, count, penalties, total, weighted, tables)


def values_of(memory: Outcomes, learner: int) -> Any:
    """What a learner plays by outside of training."""
    return memory.tables[learner, :WEIGHTS]


@compiled
def remember(memory: Outcomes, learner: int, situation: int, outcome: int, exploration: float) -> None:
    """An outcome more. It weighs as much as there are outcomes; each of the older weighs one less than before."""
    count = memory.count[learner, situation]
    oldest = count % REMEMBERED
    if count < REMEMBERED:
        kept = count + 1
        memory.weighted[learner, situation] += kept * outcome
        memory.total[learner, situation] += outcome
    else:
        kept = REMEMBERED
        memory.weighted[learner, situation] += kept * outcome - memory.total[learner, situation]
        memory.total[learner, situation] += outcome - memory.latest[learner, situation, oldest]
    memory.latest[learner, situation, oldest] = outcome
    memory.count[learner, situation] = count + 1
    if outcome < UNDECIDED:
        memory.penalties[learner, situation] += 1
    memory.tables[learner, situation] = memory.weighted[learner, situation] / (BEST * kept * (kept + 1) // 2)
    # The thesis divides by the penalties so far, and does not say what happens before the first.
    uncertain = np.log(count + 2.0) / max(memory.penalties[learner, situation], 1)
    memory.tables[learner, WEIGHTS + situation] = exploration * np.sqrt(uncertain)


SUMS = ("count", "penalties", "total", "weighted")


def packed(memory: Outcomes) -> dict[str, Any]:
    """All of it in small arrays: of the situations that came up only."""
    learner, situation = np.nonzero(memory.count)
    rows = {name: getattr(memory, name)[learner, situation] for name in ("latest", *SUMS)}
    return {"learner": learner, "situation": situation, **rows, "tables": memory.tables}


def unpack(memory: Outcomes, arrays: Mapping[str, Any]) -> None:
    where = arrays["learner"], arrays["situation"]
    for name in ("latest", *SUMS):
        getattr(memory, name)[where] = arrays[name]
    memory.tables[:] = arrays["tables"]


def begin_with(memory: Outcomes, learner: int, values: Any, certainty: int, exploration: float) -> None:
    """Let a learner begin with tables that were learned before, each situation counting as `certainty` outcomes."""
    known = np.flatnonzero(values[:IDEAS] != PRIOR)
    outcomes = np.rint(np.clip(values[known], 0, 1) * BEST).astype(np.int64)
    remember_all(memory, learner, known, outcomes, certainty, exploration)
    memory.tables[learner, IDEAS] = values[IDEAS]


@compiled
def remember_all(
    memory: Outcomes, learner: int, situations: Any, outcomes: Any, times: int, exploration: float
) -> None:
    for place in range(situations.shape[0]):
        for _ in range(times):
            remember(memory, learner, situations[place], outcomes[place], exploration)
