"""Compare moves at length, for puzzles: all of them in the same worlds, then those that could be best in new worlds.

Only the new worlds count, so the best move does not seem better than it is because it was selected. The errors of gaps
are those of paired differences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.puzzling import Answer, Gap, Value
from kibitz.engine.compile import compiled
from kibitz.engine.seat import seat_models
from kibitz.engine.seeds import number
from kibitz.search.belief import weighed_worlds
from kibitz.search.measured_race import LONGEST_LOG, PERFECT, draw_in
from kibitz.search.model_playout import play_with_models
from kibitz.search.worlds import room

PRIOR_WORLDS, PRIOR_SPREAD = 2, 0.02  # they keep the error of rare differences from being nothing
DROPPED_Z = 3.0  # standard errors behind the best
# Tries moves in a number of worlds, with the random numbers of a stream: payoffs by world and move.
Trials = Callable[[Any, int, int], Any]


@dataclass(frozen=True)
class Criteria:
    """How long moves are compared, and by how much the best must lead."""

    measure: str  # "points" or "wins"
    scale: float  # a payoff of 1 in that measure
    least: float
    perfect: float | None = None  # or by how much in the chance of the best possible result
    first_worlds: int = 32
    most_moves: int = 4  # that go on
    looks: tuple[int, ...] = (150, 500)  # worlds in all, after which the gap is looked at

    def is_met(self, answer: Answer) -> bool:
        least = self.perfect if answer.measure == "perfect" else self.least
        return least is not None and answer.gap.points >= least and answer.gap.is_clear


def compare_moves(trials: Trials, moves: Any, stream: int, criteria: Criteria) -> Answer | None:
    """The values of all moves, and the lead of the best; None if there is no choice."""
    if len(moves) < 2:
        return None
    payoffs = trials(moves, criteria.first_worlds, number(stream, 0))
    order = np.argsort(-payoffs.mean(axis=0), kind="stable")
    behind = [difference(payoffs[:, order[0]], payoffs[:, place], criteria.scale) for place in range(len(moves))]
    early = dict(zip(map(int, moves), behind, strict=True))
    left = [place for place in order if behind[place].points <= max(DROPPED_Z * behind[place].error, 0.0)]
    kept = moves[(left if len(left) > 1 else order)[: max(criteria.most_moves, 2)]]
    rows: list[Any] = []
    for look, worlds in enumerate(criteria.looks):
        rows.append(trials(kept, worlds - sum(map(len, rows)), number(stream, 1 + look)))
        answer = answer_of(kept, np.concatenate(rows), early, criteria)
        if answer.gap.is_clear or answer.gap.points + answer.gap.error < criteria.least:
            break
    return answer


def estimate(payoffs: Any, scale: float) -> tuple[float, float]:
    return scale * float(payoffs.mean()), scale * float(payoffs.std(ddof=1)) / len(payoffs) ** 0.5


def difference(one: Any, other: Any, scale: float) -> Gap:
    """The mean of paired differences."""
    gains = scale * (one - other)
    squares = float(((gains - gains.mean()) ** 2).sum()) + PRIOR_WORLDS * (PRIOR_SPREAD * scale) ** 2
    return Gap(float(gains.mean()), (squares / len(gains)) ** 0.5 / len(gains) ** 0.5)


def answer_of(moves: Any, payoffs: Any, early: Mapping[int, Gap], criteria: Criteria) -> Answer:
    """All moves with their values; the gap is the least lead over another move that went on."""
    order = np.argsort(-payoffs.mean(axis=0), kind="stable")
    best, scale = payoffs[:, order[0]], criteria.scale
    gap = closest([difference(best, payoffs[:, place], scale) for place in order[1:]])
    measure = criteria.measure
    if criteria.perfect is not None and 0.0 < gap.points < criteria.least:
        reached = [difference(1.0 * (best > PERFECT), payoffs[:, place] > PERFECT, 1.0) for place in order[1:]]
        if closest(reached).points >= criteria.perfect:
            gap, measure = closest(reached), "perfect"
    went_on = [Value(int(moves[place]), *estimate(payoffs[:, place], scale)) for place in order]
    highest = went_on[0].value
    gone = sorted(set(early) - set(moves.tolist()), key=lambda move: (early[move].points, move))
    dropped = (Value(move, highest - early[move].points, early[move].error) for move in gone)
    return Answer((*went_on, *dropped), gap, gap, measure)


def closest(gaps: Sequence[Gap]) -> Gap:
    """The gap to the move that comes closest, by the lower end of its interval."""
    return min(gaps, key=lambda gap: gap.points - 2.0 * gap.error)


# Any game with hidden information, if it has a model of a sensible player


@compiled
def try_moves(
    views: Any, start: Any, models: Any, which: Any, moves: Any, pool: int, stream: int, payoffs: Any
) -> None:
    """Write the payoffs of moves, by world and move, in worlds weighed by how likely the others' moves were."""
    view = views[0]
    seats, pair, world = seat_models(models, which), room(view, 2), room(view, 1)
    memories, log = np.zeros(seats.room.shape[0], np.int64), np.zeros(LONGEST_LOG, np.int64)
    worlds = weighed_worlds(view, pool, number(stream, 0))
    for n in range(payoffs.shape[0]):
        draw_in(worlds, start, world, pair, seats, memories, number(number(stream, 1), n))
        for place in range(moves.shape[0]):
            payoffs[n, place] = play_with_models(world, memories, moves[place], seats, pair, log, view.seat)
