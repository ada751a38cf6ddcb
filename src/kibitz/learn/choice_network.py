"""A model of choices that differ from person to person, trained with NumPy.

A legal move's score is linear in its inputs, plus a layer of hidden units, with separate weights for each kind of move.
Beside the score of an average person it has some *habits*: directions in which people differ. A person is a vector of
habits, normally distributed over people, and the score is the average one plus the habits times their directions.
Weights and the posterior distribution of everybody's habits are fitted in turn (variational EM): the habits by Newton's
method, the weights by Adam with habits drawn from these distributions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.network_training import Adam
from kibitz.core.people import EXPERIENCE, UNKNOWN, Choices, Choosing, Shape

LONGEST_STEP = 2.0  # of Newton's method
SHRINKAGE = 10.0  # people's worth of evidence that the people of one experience are like all


@dataclass(frozen=True)
class Settings:
    """How a model is trained. The figures were chosen on folds over people, as `docs/explanation/people.md` says."""

    habits: int = 8
    units: int = 64
    epochs: int = 20
    average: int = 2  # epochs without habits
    batch: int = 256
    rate: float = 3e-3
    dropout: float = 0.4
    decay: float = 3e-4  # of the hidden units
    linear_decay: float = 1e-4
    habit_decay: float = 5e-4
    cap: int = 20  # games for which one person counts at most
    seed: int = 0


def stream(seed: int, number: int) -> np.random.Generator:
    """Random numbers of a seed, which may be negative, for one purpose."""
    return np.random.default_rng([seed % 2**64, number])


class Minibatch(NamedTuple):
    """Some choices, with their rows one after another."""

    rows: Any
    choice: Any  # by row: the choice in the batch
    first: Any  # by choice: its first row in the batch
    chosen: Any  # by choice: the row of the person's move in the batch


class TrainingData:
    """Choices laid out for training: the inputs of each kind of move as a matrix."""

    def __init__(self, choices: Choices, shape: Shape) -> None:
        self.choices = choices
        owner = np.repeat(np.arange(len(choices)), np.diff(choices.starts))
        self.place = np.zeros(len(owner), np.int64)  # by row: its place in the matrix of its kind
        self.inputs = []
        for kind, width in enumerate(shape.widths):
            rows = np.flatnonzero(choices.kinds == kind)
            self.place[rows] = np.arange(len(rows))
            self.inputs.append(np.concatenate([choices.contexts[owner[rows]], choices.rows[rows, :width]], axis=1))

    def batch(self, which: Any) -> Minibatch:
        starts = self.choices.starts
        lengths = starts[which + 1] - starts[which]
        first = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.arange(first[-1]) + np.repeat(starts[which] - first[:-1], lengths)
        chosen = self.choices.chosen[which] - starts[which] + first[:-1]
        return Minibatch(rows, np.repeat(np.arange(len(which)), lengths), first[:-1], chosen)

    def by_kind(self, rows: Any) -> Iterator[tuple[Any, Any]]:
        """For each kind of move, the places of its rows and their inputs."""
        kinds = self.choices.kinds[rows]
        for kind, inputs in enumerate(self.inputs):
            at = np.flatnonzero(kinds == kind)
            yield at, inputs[self.place[rows[at]]]


def softmax(scores: Any, batch: Minibatch) -> Any:
    """The probability of each row among those of its choice."""
    best = np.maximum.reduceat(scores, batch.first)
    likely = np.exp(scores - best[batch.choice])
    return likely / np.add.reduceat(likely, batch.first)[batch.choice]


class ChoiceWeights:
    """The weights of a model in training: for each kind of move linear, hidden, biases, outputs."""

    def __init__(self, shape: Shape, settings: Settings) -> None:
        dice = stream(settings.seed, 1)
        self.parts: list[Any] = []
        for width in shape.widths:
            inputs, units, outputs = shape.context + width, settings.units, 1 + settings.habits
            linear = 0.1 * dice.standard_normal((inputs, outputs)) * (np.arange(outputs) > 0)
            hidden = 0.1 * dice.standard_normal((inputs, units))
            last = 0.05 * dice.standard_normal((units, outputs)) * (np.arange(outputs) == 0)
            self.parts += [each.astype(np.float32) for each in (linear, hidden, np.zeros(units), last)]

    @classmethod
    def of(cls, model: Choosing) -> "ChoiceWeights":
        found = cls.__new__(cls)
        kinds = zip(model.linear, model.hidden, model.biases, model.outputs, strict=True)
        found.parts = [np.asarray(part, np.float32) for kind in kinds for part in kind]
        return found

    @property
    def kinds(self) -> Iterator[Sequence[Any]]:
        return (self.parts[at : at + 4] for at in range(0, len(self.parts), 4))

    def outputs(self, table: TrainingData, rows: Any) -> Any:
        """By row: the average score, and what each habit adds."""
        found = np.zeros((len(rows), self.parts[0].shape[1]), np.float32)
        for (at, inputs), (linear, hidden, biases, last) in zip(table.by_kind(rows), self.kinds, strict=True):
            found[at] = inputs @ linear + np.maximum(inputs @ hidden + biases, 0) @ last
        return found


def outputs_of_all(weights: ChoiceWeights, table: TrainingData, chunk: int = 1 << 16) -> Any:
    count = len(table.place)
    parts = [weights.outputs(table, np.arange(at, min(at + chunk, count))) for at in range(0, count, chunk)]
    return np.concatenate(parts) if parts else np.zeros((0, 1), np.float32)


def posterior(outputs: Any, batch: Minibatch, mean: Any, spread: Any, steps: int = 4) -> tuple[Any, Any]:
    """Mean and covariance of somebody's habits after some choices (Laplace's approximation)."""
    prior, directions, average = np.linalg.inv(spread), outputs[:, 1:].astype(float), outputs[:, 0]
    habits, precision = mean.copy(), prior
    for _ in range(steps):
        chances = softmax(average + directions @ habits, batch)
        expected = np.add.reduceat(directions * chances[:, None], batch.first)
        slope = (directions[batch.chosen] - expected).sum(axis=0) - prior @ (habits - mean)
        precision = (directions * chances[:, None]).T @ directions - expected.T @ expected + prior
        step = np.linalg.solve(precision, slope)
        habits = habits + step * min(1.0, LONGEST_STEP / max(float(np.linalg.norm(step)), 1e-9))
    return habits, np.linalg.inv(precision)


class Habits(NamedTuple):
    """What is known of people's habits, by person."""

    means: Any
    covariances: Any


def no_habits(people: int, habits: int) -> Habits:
    return Habits(np.zeros((people, habits)), np.tile(np.eye(habits), (people, 1, 1)))


def habits_of(weights: ChoiceWeights, table: TrainingData, which: Any, settings: Settings) -> Habits:
    """The posterior distribution of everybody's habits, from these of their choices."""
    outputs, people = outputs_of_all(weights, table), table.choices.people[which]
    found = no_habits(len(table.choices.names), settings.habits)
    for person in np.unique(people):
        batch = table.batch(which[people == person])
        mean, covariance = posterior(outputs[batch.rows], batch, np.zeros(settings.habits), np.eye(settings.habits))
        found.means[person], found.covariances[person] = mean, covariance
    return found


def train(table: TrainingData, which: Any, shape: Shape, settings: Settings) -> Iterator[Choosing | None]:
    """Fit a model to some choices; yields None after every epoch, and then the model."""
    weights, choices = ChoiceWeights(shape, settings), table.choices
    optimizer, dice = Adam(weights.parts), stream(settings.seed, 2)
    counts = choices.weights(settings.cap).astype(np.float32)
    counts /= counts[which].mean()
    penalties = np.full(1 + settings.habits, settings.habit_decay, np.float32)
    penalties[0] = settings.linear_decay
    habits, size = no_habits(len(choices.names), settings.habits), min(settings.batch, len(which))
    steps = settings.epochs * (len(which) // size)
    for epoch in range(settings.epochs):
        if epoch >= settings.average and settings.habits:
            habits = habits_of(weights, table, which, settings)
        factors = np.linalg.cholesky(habits.covariances)
        order = dice.permutation(which)
        for at in range(0, len(which) - size + 1, size):
            some = order[at : at + size]
            noise = dice.standard_normal(habits.means.shape)
            drawn = habits.means + np.einsum("nij,nj->ni", factors, noise)
            if epoch < settings.average:
                drawn[:] = 0.0
            gradients = gradients_of(weights, table, some, drawn, counts, penalties, settings, dice)
            share = optimizer.steps / max(steps, 1)
            optimizer.step(gradients, settings.rate * 0.5 * (1.0 + np.cos(np.pi * share)))
        yield None
    habits = habits_of(weights, table, which, settings)
    yield with_people(weights, choices, which, habits, settings)


def gradients_of(
    weights: ChoiceWeights,
    table: TrainingData,
    some: Any,
    habits: Any,
    counts: Any,
    penalties: Any,
    settings: Settings,
    dice: Any,
) -> list[Any]:
    """The gradient of the weighted log loss of some choices, with dropout among the hidden units."""
    batch = table.batch(some)
    own = np.concatenate([np.ones((len(some), 1)), habits[table.choices.people[some]]], axis=1)
    own = own.astype(np.float32)[batch.choice]
    kept, scores, mask = [], np.zeros(len(batch.rows), np.float32), 1.0 - settings.dropout
    for (at, inputs), (linear, hidden, biases, last) in zip(table.by_kind(batch.rows), weights.kinds, strict=True):
        on = (dice.random(len(biases)) < mask).astype(np.float32) / mask
        active = np.maximum(inputs @ hidden + biases, 0) * on
        scores[at] = ((inputs @ linear + active @ last) * own[at]).sum(axis=1)
        kept.append((at, inputs, active, on))
    slope = softmax(scores, batch)
    slope[batch.chosen] -= 1
    slope *= counts[some][batch.choice] / len(some)
    found: list[Any] = []
    for (at, inputs, active, on), (linear, hidden, _, last) in zip(kept, weights.kinds, strict=True):
        out = slope[at][:, None] * own[at]
        back = (out @ last.T) * (active > 0) * on
        found += [
            inputs.T @ out + penalties * linear, inputs.T @ back + settings.decay * hidden,
            back.sum(axis=0), active.T @ out + penalties * last,
        ]  # fmt: skip
    return found


def with_people(weights: ChoiceWeights, choices: Choices, which: Any, habits: Habits, settings: Settings) -> Choosing:
    """The model, with the distribution of habits among people of each experience."""
    games = np.minimum(choices.games_of_people(), settings.cap).astype(float)
    present = np.bincount(choices.people[which], minlength=len(games)) > 0
    games *= present
    experience = np.array(choices.experience)
    share = games / games.sum()
    mean = share @ habits.means
    spread = np.einsum("n,nij->ij", share, habits.covariances)
    means, within = np.tile(mean, (len(EXPERIENCE), 1)), np.zeros_like(spread)
    for each in range(len(EXPERIENCE)):
        own = games * (experience == each)
        if own.sum() and each != UNKNOWN:
            people = (present & (experience == each)).sum()
            means[each] = (people * (own / own.sum() @ habits.means) + SHRINKAGE * mean) / (people + SHRINKAGE)
    off = habits.means - means[experience]
    within = spread + np.einsum("n,ni,nj->ij", share, off, off)
    around = habits.means - mean
    overall = spread + np.einsum("n,ni,nj->ij", share, around, around)
    spreads = np.stack([overall if each == UNKNOWN else within for each in range(len(EXPERIENCE))])
    shares = np.array([(present & (experience == each)).sum() for each in range(len(EXPERIENCE))], float)
    kinds = list(weights.kinds)
    linear, hidden, biases, outputs = (tuple(kind[part] for kind in kinds) for part in range(4))
    return Choosing(linear, hidden, biases, outputs, means, spreads, shares / shares.sum())
