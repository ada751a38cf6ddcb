"""The learner's value estimates: weighted means of the latest outcomes of every situation, newer ones weighing more.

Outcomes and their sums are integers, so an interrupted run gives bit-identical results.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.reinforced.situations import IDEAS, WEIGHTS

REMEMBERED = 400  # outcomes per situation
BEST, UNDECIDED, WORST = 255, 128, 0  # an outcome below UNDECIDED is a penalty
PRIOR = 0.5  # the value of a situation that never occurred


class Outcomes(NamedTuple):
    """The outcomes of the learners, by learner and situation."""

    latest: Any  # the latest outcomes, as a ring buffer
    count: Any  # the number of outcomes so far
    penalties: Any
    total: Any  # the sum of the ring
    weighted: Any  # the sum with weight 1 for the oldest, 2 for the next, and so on
    tables: Any  # the resulting input of `play_by_tables`: values, bonuses, and the share of random moves


IN_TRAINING = 2 * WEIGHTS + 1


def no_outcomes(learners: int, ideas: int, random_moves: float = 0.0) -> Outcomes:
    count, penalties, total, weighted = (np.zeros((learners, WEIGHTS), np.int64) for _ in range(4))
    tables = np.zeros((learners, IN_TRAINING))
    tables[:, :WEIGHTS], tables[:, IDEAS], tables[:, -1] = PRIOR, ideas, random_moves
    latest = np.zeros((learners, WEIGHTS, REMEMBERED), np.uint8)
    return Outcomes(latest, count, penalties, total, weighted, tables)


def values_of(memory: Outcomes, learner: int) -> Any:
    """The values of a learner for play outside of training."""
    return memory.tables[learner, :WEIGHTS]


@compiled
def remember(memory: Outcomes, learner: int, situation: int, outcome: int, exploration: float) -> None:
    """Add an outcome. Its weight is the number of kept outcomes; older weights decrease by one."""
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
    # The thesis divides by the number of penalties, and does not define the case without any.
    uncertain = np.log(count + 2.0) / max(memory.penalties[learner, situation], 1)
    memory.tables[learner, WEIGHTS + situation] = exploration * np.sqrt(uncertain)


SUMS = ("count", "penalties", "total", "weighted")


def packed(memory: Outcomes) -> dict[str, Any]:
    """Everything in small arrays, which contain only the situations that occurred."""
    learner, situation = np.nonzero(memory.count)
    rows = {name: getattr(memory, name)[learner, situation] for name in ("latest", *SUMS)}
    return {"learner": learner, "situation": situation, **rows, "tables": memory.tables}


def unpack(memory: Outcomes, arrays: Mapping[str, Any]) -> None:
    where = arrays["learner"], arrays["situation"]
    for name in ("latest", *SUMS):
        getattr(memory, name)[where] = arrays[name]
    memory.tables[:] = arrays["tables"]


def begin_with(memory: Outcomes, learner: int, values: Any, certainty: int, exploration: float) -> None:
    """Start a learner from earlier tables; each situation counts as `certainty` outcomes."""
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
