"""Models of people: fitted to their games, and judged on people they were not fitted to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.people import EXPERIENCE, Choices, Choosing, Shape
from kibitz.errors import KibitzError
from kibitz.learn.choice_network import ChoiceWeights, Minibatch, TrainingData, outputs_of_all, softmax, stream, train
from kibitz.learn.choice_network import Settings as Settings

FOLDS = 5
FEWEST_GAMES = 10
POPULATION, PER_CHOICE = 256, 32  # habits drawn for the chances of a stranger, and of somebody partly known
RESAMPLES = 2000
# What is known before a move: nothing of its person, the person's moves in this game, and in earlier games, too.
STRANGER, GAME, PERSON = KNOWLEDGE = ("a stranger", "moves of this game", "moves of earlier games, too")


class Stage(NamedTuple):
    """Progress: what is done, and how much of it."""

    name: str
    done: int
    of: int


@dataclass(frozen=True)
class Judged:
    """How well a model predicts choices, by choice."""

    losses: Mapping[str, Any]  # by what is known of the person: −log of the probability of the person's move
    hits: Mapping[str, Any]  # whether it was the likeliest
    people: Any  # by choice
    games: int
    counts: Any  # by choice: its weight

    def mean(self, values: Any) -> float:
        return float((self.counts * values).sum() / self.counts.sum())

    def interval(self, values: Any, seed: int = 0) -> tuple[float, float]:
        """The 95 % interval of a mean, by bootstrap over people."""
        _, who = np.unique(self.people, return_inverse=True)
        total, weight = np.bincount(who, self.counts * values), np.bincount(who, self.counts)
        drawn = np.random.default_rng(seed).integers(0, len(total), (RESAMPLES, len(total)))
        means = total[drawn].sum(axis=1) / weight[drawn].sum(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        return float(low), float(high)

    def figures(self, cap: int) -> dict[str, Any]:
        """What `kibitz people score --json` prints."""
        found: dict[str, Any] = {}
        for known in KNOWLEDGE:
            part = {
                "accuracy": self.mean(self.hits[known]), "log_loss": self.mean(self.losses[known]),
                "accuracy_interval": self.interval(self.hits[known]),
                "log_loss_interval": self.interval(self.losses[known]),
            }  # fmt: skip
            if known == STRANGER:
                found = part
            else:
                found["with_this_game" if known == GAME else "with_earlier_games"] = part
        found["people"], found["games"] = len(np.unique(self.people)), self.games
        found["decisions"], found["cap"] = len(self.people), cap
        return found


def fold_of_people(choices: Choices, folds: int, settings: Settings) -> Any:
    """By person: a fold, with as many games in each as possible."""
    dice, games = stream(settings.seed, 3), choices.games_of_people()
    order = np.lexsort((dice.random(len(games)), -np.minimum(games, settings.cap)))
    found = np.zeros(len(games), np.int64)
    for at in range(0, len(order), folds):
        some = order[at : at + folds]
        found[some] = dice.permutation(folds)[: len(some)]
    return found


def check_games(choices: Choices) -> list[str]:
    """Refuse too few games to fit anything; the sentences say what cannot be learned from these."""
    games, people = len(np.unique(choices.games)), len(choices.names)
    if games < FEWEST_GAMES:
        raise KibitzError(
            f"There {'is' if games == 1 else 'are'} {games} usable {'game' if games == 1 else 'games'}; a model needs "
            f"at least {FEWEST_GAMES}, and some hundred to be good. Add files or folders of games."
        )
    if people == 1:
        return [
            "All games are of one person. The model is fitted, but it cannot be judged on other people, and it says "
            "nothing about how people differ."
        ]
    if people < FOLDS:
        return [f"There are only {people} people, so the model is judged with {people} folds."]
    return []


def fit(choices: Choices, shape: Shape, settings: Settings, name: str = "fitting") -> Iterator[Stage | Choosing]:
    """Fit a model to all choices, step by step."""
    yield from fit_some(TrainingData(choices, shape), np.arange(len(choices)), shape, settings, name)


def fit_some(
    table: TrainingData, which: Any, shape: Shape, settings: Settings, name: str
) -> Iterator[Stage | Choosing]:
    for epoch, model in enumerate(train(table, which, shape, settings), start=1):
        yield Stage(name, min(epoch, settings.epochs), settings.epochs) if model is None else model


def cross_fit(choices: Choices, shape: Shape, settings: Settings, folds: int = FOLDS) -> Iterator[Stage | Judged]:
    """Judge models on people that each was not fitted to, step by step."""
    folds = min(folds, len(choices.names))
    if folds < 2:
        return
    table, fold = TrainingData(choices, shape), fold_of_people(choices, folds, settings)[choices.people]
    parts: list[Judged] = []
    for number in range(folds):
        own, others = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        for step in fit_some(table, own, shape, settings, f"fold {number + 1} of {folds}"):
            if isinstance(step, Choosing):
                parts.append(judge(table, others, step, settings.cap))
            else:
                yield step
    yield joined(parts)


def joined(parts: Sequence[Judged]) -> Judged:
    def together(name: str) -> dict[str, Any]:
        return {known: np.concatenate([getattr(part, name)[known] for part in parts]) for known in KNOWLEDGE}

    people, counts = (np.concatenate([getattr(part, name) for part in parts]) for name in ("people", "counts"))
    return Judged(together("losses"), together("hits"), people, sum(part.games for part in parts), counts)


def judge_all(choices: Choices, shape: Shape, model: Choosing, cap: int) -> Judged:
    return judge(TrainingData(choices, shape), np.arange(len(choices)), model, cap)


def judge(table: TrainingData, which: Any, model: Choosing, cap: int, seed: int = 0) -> Judged:
    """How well a model predicts some choices, which must be whole games, in order."""
    choices, outputs = table.choices, outputs_of_all(ChoiceWeights.of(model), table)
    dice = stream(seed, 4)
    noise = dice.standard_normal((POPULATION, model.habits))
    batch = table.batch(which)
    experience = np.array(choices.experience)[choices.people[which]]
    chances = {STRANGER: of_stranger(outputs[batch.rows], batch, model, experience, noise)}
    for known in (GAME, PERSON):
        chances[known] = np.zeros(len(batch.rows))
    for person in np.unique(choices.people[which]):
        own = np.flatnonzero(choices.people[which] == person)
        for known in (GAME, PERSON):
            follow(choices, which, own, outputs, batch, model, noise[:PER_CHOICE], known, chances[known])
    losses = {known: -np.log(each[batch.chosen]) for known, each in chances.items()}
    hits = {
        known: (each[batch.chosen] >= np.maximum.reduceat(each, batch.first)).astype(float)
        for known, each in chances.items()
    }
    games = len(np.unique(choices.games[which]))
    return Judged(losses, hits, choices.people[which], games, choices.weights(cap)[which])


def of_stranger(outputs: Any, batch: Minibatch, model: Choosing, experience: Any, noise: Any) -> Any:
    """The mean chances over people; `experience` is what the person said of it, by choice."""
    total = np.zeros(len(outputs))
    factors = np.linalg.cholesky(model.spreads)
    for each in noise:
        habits = (model.means + factors @ each).astype(np.float32)[experience]
        total += softmax(outputs[:, 0] + (outputs[:, 1:] * habits[batch.choice]).sum(axis=1), batch)
    return total / len(noise)


def follow(
    choices: Choices, which: Any, own: Any, outputs: Any, batch: Minibatch, model: Choosing, noise: Any, known: str,
    chances: Any,
) -> None:  # fmt: skip
    """Write the chances of one person's moves, each from what the moves before say about the person's habits."""
    person = choices.people[which[own[0]]]
    experience = choices.experience[person]
    mean, spread, game = model.means[experience], model.spreads[experience], -1
    for n in own:
        if choices.games[which[n]] != game and (known == GAME or game < 0):
            mean, spread = model.means[experience], model.spreads[experience]
        game = choices.games[which[n]]
        first, last = choices.starts[which[n]], choices.starts[which[n] + 1]
        average, directions = outputs[first:last, 0].astype(float), outputs[first:last, 1:].astype(float)
        at = batch.first[n]
        drawn = mean[:, None] + np.linalg.cholesky(spread) @ noise.T
        chances[at : at + last - first] = chances_of(average[:, None] + directions @ drawn).mean(axis=1)
        mean, spread = after(average, directions, choices.chosen[which[n]] - first, mean, spread)


def chances_of(scores: Any) -> Any:
    likely = np.exp(scores - scores.max(axis=0))
    return likely / likely.sum(axis=0)


def after(average: Any, directions: Any, chosen: int, mean: Any, spread: Any) -> tuple[Any, Any]:
    """Mean and covariance of somebody's habits after one more move (an extended Kalman filter)."""
    likely = chances_of(average + directions @ mean)
    expected = likely @ directions
    covariance = (directions * likely[:, None]).T @ directions - np.outer(expected, expected)
    spread = np.linalg.inv(np.linalg.inv(spread) + covariance)
    return mean + spread @ (directions[chosen] - expected), spread


def described(model: Choosing, about: str, figures: Mapping[str, Any]) -> Choosing:
    return replace(model, about=about, figures=figures)


def people_by_experience(choices: Choices) -> dict[str, int]:
    return {name: choices.experience.count(place) for place, name in enumerate(EXPERIENCE)}
