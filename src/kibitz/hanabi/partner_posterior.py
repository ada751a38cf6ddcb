"""Which of some known agents each partner plays like, by the moves it made.

How well a model explains a partner's moves is how likely it makes all of them with a hand in sight, on average over the
hands that the believer may hold. That is found as the hands themselves are (`hand_belief.found_anew`), card by card
from the oldest, with few hands and one model at a time. Everybody errs at times in the eyes of a model, so that none is
ruled out by one move. Whoever plays like none of the models is found to err often in the eyes of those that explain
most.
"""

import math
from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.core.compile import compiled
from kibitz.core.seat import seated
from kibitz.core.seeds import number
from kibitz.hanabi.hand_belief import Belief, Effort, Past, found_anew, look_at_hand, past_of, ways
from kibitz.hanabi.state import SEATS, State
from kibitz.hanabi.worlds import face_down_counts
from kibitz.search.clock import milliseconds

MODELS = 32  # at most
HOPELESS = -8.0  # the logarithm of how much less likely a model is than the likeliest that is looked at seldom
SELDOM = 4  # in turns

LEAST = 1e-300  # likely: not 0, of which there is no logarithm

POSTERIOR: list[tuple[Any, ...]] = [
    ("logs", np.float64, (SEATS, MODELS)),  # by partner and model: how likely, as a logarithm; the likeliest has 0
    ("chances", np.float64, (SEATS, MODELS)),  # the same as shares of all
    ("strays", np.float64, (SEATS, MODELS)),  # how likely that partner often moves otherwise than this model
]


class Posterior(Protocol):
    logs: Any
    chances: Any
    strays: Any


class Noise(NamedTuple):
    """How a partner may err in the eyes of a model: how likely a move is that the model would not make, where one that
    it would make counts 1."""

    seldom: float
    often: float
    instead: float  # moves, about, that may be made in place of the model's


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
def explained_with(
    belief: Belief, past: Past, left: Any, effort: Effort, seat: int, error: float, instead: float
) -> float:
    """The logarithm of how well a model explains the moves of a partner who errs so much in its eyes."""
    moves = 0
    for n in range(past.moves):
        theirs = belief.views[n].to_move == seat
        belief.slack[n] = error if theirs else 1.0
        moves += theirs
    return evidence(belief, past, left, effort) - moves * math.log(1.0 + instead * error)


@compiled
def explained(
    posterior: Posterior, belief: Belief, past: Past, left: Any, effort: Effort, noise: Noise, seat: int, model: int
) -> float:
    """The same of a partner who may err seldom or often; how likely the latter is, is noted."""
    seldom = explained_with(belief, past, left, effort, seat, noise.seldom, noise.instead)
    often = explained_with(belief, past, left, effort, seat, noise.often, noise.instead)
    most = max(seldom, often)
    total = math.exp(seldom - most) + math.exp(often - most)
    posterior.strays[seat, model] = math.exp(often - most) / total
    return most + math.log(total)


@compiled
def weigh_partners(
    posterior: Posterior, belief: Belief, view: State, models: Any, effort: Effort, noise: Noise
) -> None:
    """Find out how likely each partner plays like each model, and how often it errs then."""
    left, count = face_down_counts(view), models.shape[0]
    exact = belief.exact
    found = np.full((view.players, count), np.nan)
    for model in range(count):
        if milliseconds() > effort.deadline:
            break
        if is_due(posterior, view, model):
            past = past_of(belief, view, seated(models, np.full(view.players, model)))
            for seat in range(view.players):
                if seat != view.seat:
                    found[seat, model] = explained(posterior, belief, past, left, effort, noise, seat, model)
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
