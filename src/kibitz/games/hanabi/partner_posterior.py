"""The posterior of each partner's type: the probability that it plays like each of some known agents, from its moves.

A model's evidence is the likelihood of all moves of a partner, averaged over the hands that the believer may hold. It
is computed like the belief itself (`hand_belief.hands_from_start`), card by card from the oldest, with few hands and
one model at a time. Everybody errs at times, so no single move rules a model out, and a partner unlike all models is
taken for those that explain its moves best.
"""

import math
from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.seat import seat_models
from kibitz.engine.seeds import number
from kibitz.games.hanabi.hand_belief import Belief, Effort, Past, hands_from_start, past_of, update_open_kinds, ways
from kibitz.games.hanabi.state import SEATS, State
from kibitz.games.hanabi.worlds import face_down_counts
from kibitz.search.clock import milliseconds

MODELS = 32  # at most
HOPELESS = -8.0  # the log likelihood, relative to the best model's, below which a model is rarely evaluated
SELDOM = 4  # turns between evaluations of a hopeless model
SLOW = 4  # the model of people takes long, so it is asked about this part of the hands

LEAST = 1e-300  # a floor that keeps logarithms finite

POSTERIOR: list[tuple[Any, ...]] = [
    ("logs", np.float64, (SEATS, MODELS)),  # by partner and model: the log likelihood relative to the best
    ("chances", np.float64, (SEATS, MODELS)),  # the same as probabilities
]


class Posterior(Protocol):
    logs: Any
    chances: Any


@compiled
def evidence(belief: Belief, past: Past, left: Any, effort: Effort) -> float:
    """The log evidence of the moves with a slack below 1, up to a constant common to all models."""
    view, total = belief.now[0], 0.0
    update_open_kinds(belief, past)
    count = hands_from_start(belief, past, left, effort, number(view.turn, view.seat))
    for n in range(count):
        total += belief.listed_likelihoods[n] * ways(left, belief.listed[n], view.held[view.seat])
    return math.log(max(total, LEAST))


@compiled
def is_due(posterior: Posterior, view: State, model: int) -> bool:
    """Whether to evaluate a model in this turn: hopeless ones only every few turns."""
    if (view.turn // view.players + model) % SELDOM == 0:
        return True
    explains = False
    for seat in range(view.players):
        explains = explains or (seat != view.seat and posterior.logs[seat, model] > HOPELESS)
    return explains


@compiled
def weigh_partners(
    posterior: Posterior, belief: Belief, view: State, models: Any, effort: Effort, slack: float
) -> None:
    """Update the posteriors of all partners; `slack` is the likelihood of a move that the model would not make."""
    left, count = face_down_counts(view), models.shape[0]
    fewer = Effort(max(effort.max_hands // SLOW, 1), effort.min_hands, effort.rounds, effort.deadline)
    exact = belief.exact
    found = np.full((view.players, count), np.nan)
    for model in range(count):
        if milliseconds() > effort.deadline:
            break
        if is_due(posterior, view, model):
            past = past_of(belief, view, seat_models(models, np.full(view.players, model)))
            for seat in range(view.players):
                if seat != view.seat:
                    for n in range(past.moves):
                        belief.slack[n] = slack if belief.views[n].to_move == seat else 1.0
                    found[seat, model] = evidence(belief, past, left, fewer if models[model].chance != 0 else effort)
    belief.exact = exact
    for seat in range(view.players):
        if seat != view.seat:
            update(posterior.logs[seat], posterior.chances[seat], found[seat])


@compiled
def update(logs: Any, chances: Any, found: Any) -> None:
    """Normalize: the best model's log likelihood becomes 0, and the probabilities add up to 1.

    Models that were not evaluated keep their distance from the best.
    """
    most, total = -np.inf, 0.0
    for model in range(found.shape[0]):
        most = found[model] if found[model] > most else most
    for model in range(found.shape[0]):
        if not np.isnan(found[model]):
            logs[model] = found[model] - most
        chances[model] = math.exp(logs[model])
        total += chances[model]
    for model in range(found.shape[0]):
        chances[model] /= total


@compiled
def likeliest(posterior: Posterior, seat: int, count: int) -> int:
    best = 0
    for model in range(1, count):
        if posterior.chances[seat, model] > posterior.chances[seat, best]:
            best = model
    return best


@compiled
def model_at(posterior: Posterior, seat: int, count: int, share: float) -> int:
    """The first model whose cumulative probability exceeds a share."""
    so_far = 0.0
    for model in range(count):
        so_far += posterior.chances[seat, model]
        if so_far > share:
            return model
    return likeliest(posterior, seat, count)
