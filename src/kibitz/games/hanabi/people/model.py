"""The fitted model of people as weights of an agent: its file, and the chances of moves in compiled code.

The vector of weights has the parameters of the agent, the sizes of the model, the distribution of habits by experience,
and for each kind of move the linear part, the hidden units, their biases and their outputs (see `learn.choice_network`,
which fits them).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from kibitz.core import array_files
from kibitz.core.network import add_scaled
from kibitz.core.people import EXPERIENCE, Choosing, Shape
from kibitz.core.weights import Numbers, Weights, numbers
from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.engine.dice import SHARE
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.people.inputs import CONTEXT, HINTS, KINDS_OF_MOVES, PLAYS, VERSION, WIDEST, WIDTHS, Room
from kibitz.games.hanabi.state import LOST_SCORES_ZERO, State

SHAPE = Shape(CONTEXT, WIDTHS)
FILE = Path(__file__).with_name("people.npz")  # made by `kibitz people fit`; its array `about` says from what
MOST_HABITS, MOST_UNITS = 16, 128
ANYONE = EXPERIENCE.index("unknown")

# The parameters of the agent; the sizes follow them.
PARAMETERS = {"experience": ANYONE, "variety": 1.0, "caution": 0.0}
RANGES = ((0.0, float(ANYONE)), (0.0, 2.0), (0.0, 10.0))
WORDS = {"experience": {**{name: float(n) for n, name in enumerate(EXPERIENCE)}, "anyone": float(ANYONE)}}
EXPERIENCED, VARIETY, CAUTION = range(len(PARAMETERS))
HABITS, UNITS = len(PARAMETERS), len(PARAMETERS) + 1
BEGIN = len(PARAMETERS) + 2
INPUTS = np.array([CONTEXT + width for width in WIDTHS], np.int64)


# Files


def save(path: Path, model: Choosing) -> None:
    """Write a model; half precision is enough for the weights."""
    arrays: dict[str, Any] = {
        "inputs": np.array(VERSION), "about": np.array(model.about), "figures": np.array(json.dumps(model.figures)),
        "means": model.means.astype(np.float32), "spreads": model.spreads.astype(np.float32),
        "shares": model.shares.astype(np.float32),
    }  # fmt: skip
    for kind in range(KINDS_OF_MOVES):
        for name in ("linear", "hidden", "biases", "outputs"):
            arrays[f"{name}_{kind + 1}"] = getattr(model, name)[kind].astype(np.float16)
    array_files.write_arrays(path, small=True, **arrays)


def load(path: Path | None = None) -> Choosing:
    """The model in a file, or the one that comes with the game; an error says why it is invalid."""
    path = path or FILE
    hint = "A model of people is a file that `kibitz people fit` wrote."
    arrays = array_files.read_arrays(path, hint, 16 << 20)
    try:
        return checked(arrays)
    except KibitzError as error:
        raise KibitzError(f"{path}: {error}") from None


def checked(arrays: Mapping[str, Any]) -> Choosing:
    version = str(arrays.get("inputs", ""))
    if version != VERSION:
        said = f"is for the inputs {version[:40]}" if version else "is not a model of people"
        raise KibitzError(f"it {said}; this version of kibitz reads {VERSION}. Fit it again with `kibitz people fit`.")
    means = array(arrays, "means", (len(EXPERIENCE), None))
    habits = means.shape[1]
    units = array(arrays, "biases_1", (None,)).shape[0]
    if habits > MOST_HABITS or not 1 <= units <= MOST_UNITS:
        raise KibitzError(f"it has {habits} habits and {units} units; {MOST_HABITS} and {MOST_UNITS} are the most.")
    parts: dict[str, list[Any]] = {"linear": [], "hidden": [], "biases": [], "outputs": []}
    for kind in range(KINDS_OF_MOVES):
        sizes = {
            "linear": (INPUTS[kind], 1 + habits), "hidden": (INPUTS[kind], units), "biases": (units,),
            "outputs": (units, 1 + habits),
        }  # fmt: skip
        for name, size in sizes.items():
            parts[name].append(array(arrays, f"{name}_{kind + 1}", size))
    spreads = array(arrays, "spreads", (len(EXPERIENCE), habits, habits))
    try:
        np.linalg.cholesky(spreads)
    except np.linalg.LinAlgError:
        raise KibitzError("its spreads are no covariances.") from None
    shares = array(arrays, "shares", (len(EXPERIENCE),))
    try:
        figures = json.loads(str(arrays.get("figures", "{}")))
    except (ValueError, RecursionError):
        figures = {}
    layers = {name: tuple(each) for name, each in parts.items()}
    return Choosing(
        **layers, means=means, spreads=spreads, shares=shares, about=str(arrays.get("about", "")), figures=figures
    )


def array(arrays: Mapping[str, Any], name: str, size: tuple[Any, ...]) -> Any:
    if name not in arrays or arrays[name].dtype.kind not in "fiu":
        raise KibitzError(f"it has no numbers called {name}.")
    found = arrays[name].astype(np.float64)
    fits = found.ndim == len(size) and all(want is None or want == has for want, has in zip(size, found.shape))  # noqa: B905
    if not fits or not np.isfinite(found).all():
        raise KibitzError(f"{name} has the shape {found.shape}, or numbers that are not finite.")
    return found


# Weights


def flattened(model: Choosing) -> Any:
    factors = np.linalg.cholesky(model.spreads)
    parts = [list(PARAMETERS.values()), [model.habits, model.biases[0].shape[0]], model.means, factors]
    for kind in zip(model.linear, model.hidden, model.biases, model.outputs, strict=True):
        parts += kind
    return np.concatenate([np.ravel(part) for part in parts])


@dataclass(frozen=True, eq=False)
class PeopleWeights(Weights):
    """A model as a vector, of which only the parameters have names."""

    @classmethod
    def of(cls, model: Choosing) -> Self:
        return cls(flattened(model), tuple(PARAMETERS), RANGES, words=WORDS)

    def from_file(self, path: Path) -> Self:
        if path.suffix != ".npz":
            raise KibitzError(f"{path}: a model of people is an .npz file that `kibitz people fit` wrote.")
        return self.of(load(path))

    def but(self, values: Any) -> Self:
        if isinstance(values, Mapping):
            return self.but(self.with_some(self.values, self.in_numbers(values)))
        vector = numbers(values)
        same = len(vector) == len(self) and (vector[HABITS:BEGIN] == self.values[HABITS:BEGIN]).all()
        if not same or not np.isfinite(vector).all():
            raise KibitzError("These numbers are no model of people of the same size.")
        return type(self)(vector, self.names, self.ranges, words=self.words)

    def by_name(self) -> dict[str, float]:
        return dict(zip(self.names, self.values.tolist(), strict=False))

    def with_some(self, vector: Any, values: Mapping[str, float]) -> list[float]:
        changed = np.array(vector)
        for place, name in enumerate(self.names):
            changed[place] = values.get(name, changed[place])
        return list(changed.tolist())


# Compiled code


class Mind(NamedTuple):
    """A model of one person: where its weights begin, and its outputs with the person's habits worked in."""

    linear: Any  # by kind and input
    outputs: Any  # by kind and unit
    buffer: Any  # two rows of units


@compiled
def first_of_kind(weights: Numbers, kind: int) -> int:
    """Where the weights of a kind of move begin."""
    habits, units = int(weights[HABITS]), int(weights[UNITS])
    at = BEGIN + len(EXPERIENCE) * habits * (1 + habits)
    for before in range(kind):
        at += INPUTS[before] * (1 + habits + units) + units * (2 + habits)
    return at


@compiled
def new_mind() -> Mind:
    return Mind(
        np.zeros((KINDS_OF_MOVES, CONTEXT + WIDEST)), np.zeros((KINDS_OF_MOVES, MOST_UNITS)), np.zeros((2, MOST_UNITS))
    )


@compiled
def think_as(weights: Numbers, habits: Any, mind: Mind) -> None:
    """Work a person's habits into the outputs."""
    count, units = int(weights[HABITS]), int(weights[UNITS])
    for kind in range(KINDS_OF_MOVES):
        at = first_of_kind(weights, kind)
        for place in range(INPUTS[kind]):
            total = weights[at]
            for habit in range(count):
                total += weights[at + 1 + habit] * habits[habit]
            mind.linear[kind, place] = total
            at += 1 + count
        at += (INPUTS[kind] + 1) * units
        for unit in range(units):
            total = weights[at]
            for habit in range(count):
                total += weights[at + 1 + habit] * habits[habit]
            mind.outputs[kind, unit] = total
            at += 1 + count


@compiled
def normal(stream: int, n: int) -> float:
    """The n-th of a stream of normally distributed numbers (Box and Muller)."""
    radius = np.sqrt(-2.0 * np.log(max(number(stream, 2 * n) * SHARE, 1e-300)))
    return radius * np.cos(2.0 * np.pi * number(stream, 2 * n + 1) * SHARE)


@compiled
def draw_habits(weights: Numbers, experience: int, variety: float, noise: Any, habits: Any) -> None:
    """The habits of a person of some experience, from normally distributed noise."""
    count = int(weights[HABITS])
    means = BEGIN + experience * count
    factors = BEGIN + len(EXPERIENCE) * count + experience * count * count
    for habit in range(count):
        habits[habit] = weights[means + habit]
        for other in range(habit + 1):
            habits[habit] += variety * weights[factors + habit * count + other] * noise[other]


@compiled
def move_scores(weights: Numbers, mind: Mind, room: Room, count: int, scores: Any) -> None:
    """Score the moves in a room, by `inputs.read_position`."""
    habits, units = int(weights[HABITS]), int(weights[UNITS])
    context, sums = mind.buffer[0][:units], mind.buffer[1][:units]
    row = 0
    for kind in range(KINDS_OF_MOVES):
        if row == count or room.kinds[row] != kind:
            continue
        hidden = first_of_kind(weights, kind) + INPUTS[kind] * (1 + habits)
        biases = hidden + INPUTS[kind] * units
        copy_into(context, weights[biases : biases + units])
        common = 0.0
        for place in range(CONTEXT):
            x = room.context[place]
            if x != 0.0:
                common += x * mind.linear[kind, place]
                add_scaled(context, weights[hidden + place * units : hidden + (place + 1) * units], x)
        while row < count and room.kinds[row] == kind:
            copy_into(sums, context)
            total = common
            for place in range(WIDTHS[kind]):
                x = room.rows[row, place]
                if x != 0.0:
                    at = CONTEXT + place
                    total += x * mind.linear[kind, at]
                    add_scaled(sums, weights[hidden + at * units : hidden + (at + 1) * units], x)
            for unit in range(units):
                total += max(sums[unit], 0.0) * mind.outputs[kind, unit]
            scores[row] = total
            row += 1


@compiled
def move_directions(weights: Numbers, room: Room, count: int, buffer: Any, outputs: Any) -> None:
    """Write what the score of each move in a room is made of: without habits, and for every unit of each habit."""
    habits, units = int(weights[HABITS]), int(weights[UNITS])
    width, context, sums = 1 + habits, buffer[0][:units], buffer[1][:units]
    common = np.zeros(1 + MOST_HABITS)
    row = 0
    for kind in range(KINDS_OF_MOVES):
        if row == count or room.kinds[row] != kind:
            continue
        linear = first_of_kind(weights, kind)
        hidden = linear + INPUTS[kind] * width
        biases = hidden + INPUTS[kind] * units
        last = biases + units
        copy_into(context, weights[biases:last])
        common[:] = 0.0
        for place in range(CONTEXT):
            x = room.context[place]
            if x != 0.0:
                add_scaled(common[:width], weights[linear + place * width : linear + (place + 1) * width], x)
                add_scaled(context, weights[hidden + place * units : hidden + (place + 1) * units], x)
        while row < count and room.kinds[row] == kind:
            copy_into(sums, context)
            found = outputs[row][:width]
            copy_into(found, common[:width])
            for place in range(WIDTHS[kind]):
                x = room.rows[row, place]
                if x != 0.0:
                    at = CONTEXT + place
                    add_scaled(found, weights[linear + at * width : linear + (at + 1) * width], x)
                    add_scaled(sums, weights[hidden + at * units : hidden + (at + 1) * units], x)
            for unit in range(units):
                if sums[unit] > 0.0:
                    add_scaled(found, weights[last + unit * width : last + (unit + 1) * width], sums[unit])
            row += 1


@compiled
def assume(view: State, weights: Numbers, room: Room, count: int, scores: Any) -> None:
    """Change scores by what is assumed, not learned: see `docs/explanation/people.md`.

    With more than two players a hint to any of them is as likely as one to the only partner, and on the last life of a
    game that would score 0 people are more careful by `caution`.
    """
    fewer = np.log(max(view.players - 1, 1))
    careful = weights[CAUTION] if view.lives == 1 and view.rules & LOST_SCORES_ZERO else 0.0
    for row in range(count):
        if room.kinds[row] == HINTS:
            scores[row] -= fewer
        elif room.kinds[row] == PLAYS:
            scores[row] -= careful * (1.0 - room.rows[row, 0])


@compiled
def to_chances(scores: Any, count: int) -> None:
    """Scores as probabilities, in place."""
    best, total = scores[0], 0.0
    for row in range(1, count):
        best = max(best, scores[row])
    for row in range(count):
        scores[row] = np.exp(scores[row] - best)
        total += scores[row]
    for row in range(count):
        scores[row] /= total


@compiled
def move_chances(view: State, weights: Numbers, mind: Mind, room: Room, count: int, chances: Any) -> None:
    """Write the probability of every move in a room for the person that `mind` was made for."""
    move_scores(weights, mind, room, count, chances)
    assume(view, weights, room, count, chances)
    to_chances(chances, count)
