"""Which of some known agents each partner plays like, by the moves it made.

How well a model explains a partner's moves is how likely it makes all of them with a hand in sight, on average over the
hands that the believer may hold. That is found as the hands themselves are (`hand_belief.found_anew`), card by card
from the oldest, with few hands and one model at a time. Everybody errs at times, so a model is never ruled out by one
move, and somebody who plays like none of them plays like those that explain most.
"""

import math
from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.seat import seat_models
from kibitz.engine.seeds import number
from kibitz.games.hanabi.hand_belief import Belief, Effort, Past, found_anew, look_at_hand, past_of, ways
from kibitz.games.hanabi.state import SEATS, State
from kibitz.games.hanabi.worlds import face_down_counts
from kibitz.search.clock import milliseconds

MODELS = 32  # at most
HOPELESS = -8.0  # the logarithm of how much less likely a model is than the likeliest that is looked at seldom
SELDOM = 4  # in turns

LEAST = 1e-300  # likely: not 0, of which there is no logarithm

POSTERIOR: list[tuple[Any, ...]] = [
    ("logs", np.float64, (SEATS, MODELS)),  # by partner and model: how likely, as a logarithm; the likeliest has 0
    ("chances", np.float64, (SEATS, MODELS)),  # the same as shares of all
]


class Posterior(Protocol):
    logs: Any
    chances: Any


@compiled
def evidence(belief: Belief, past: Past, left: Any, effort: Effort) -> float:
    """The logarithm of how likely the moves were that slack leaves to be explained, but for what all models share."""
    view, total = belief.now[0], 0.0
    look_at_hand(belief, past)
    count = found_anew(belief, past, left, effort, number(view.turn, view.seat))
    for n in range(count):
        total += belief.listed_likelihoods[n] * ways(left, belief.listed[n], view.held[view.seat])
    return math.log(max(total, LEAST))


@compiled
def is_due(posterior: Posterior, view: State, model: int) -> bool:
    """Whether to look at a model in this turn: at one that explains no partner's moves only now and then."""
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
    """Find out how likely each partner plays like each model. A move counts so much if the model would not make it."""
    left, count = face_down_counts(view), models.shape[0]
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
                    found[seat, model] = evidence(belief, past, left, effort)
    belief.exact = exact
    for seat in range(view.players):
        if seat != view.seat:
            update(posterior.logs[seat], posterior.chances[seat], found[seat])


@compiled
def update(logs: Any, chances: Any, found: Any) -> None:
    """Bring the likeliest model to 0, and the chances of all to a sum of 1.

    Who was not looked at stays as far behind.
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
    """The first model whose chances up to it exceed a share of all."""
    so_far = 0.0
    for model in range(count):
        so_far += posterior.chances[seat, model]
        if so_far > share:
            return model
    return likeliest(posterior, seat, count)
