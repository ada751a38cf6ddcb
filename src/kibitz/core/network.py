"""Small neural networks as weights of agents: read from .npz files and evaluated in compiled code.

The file has the arrays `layer_1`, `bias_1`, `layer_2`, … (inputs × outputs each, with ReLU between layers); `inputs`,
the name of the encoding; and `about`, its origin. Separate networks for 3 players are called `players_3_layer_1` and so
on.

As weights it is one vector that contains its own shape: the number of layers, the sizes from the inputs on, then for
each layer the matrix row by row and the biases.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np

from kibitz.core.array_files import arrays_in, file_named, write_arrays
from kibitz.core.weights import PLAYERS, Numbers, Weights, numbers
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.errors import KibitzError

Layers = Sequence[tuple[Any, Any]]  # pairs of a matrix and biases
MOST_BYTES = 256 << 20  # of an unpacked file
MOST_LAYERS, WIDEST = 8, 4096


@dataclass(frozen=True, eq=False)
class Shape:
    """The required shape of a network: its encoding, and the numbers of inputs and outputs."""

    encoding: str
    inputs: int
    outputs: int


@dataclass(frozen=True, eq=False)
class NetworkWeights(Weights):
    """The weights of a network with hidden layers of any size."""

    shape: Shape = Shape("", 0, 0)
    about: str = ""

    @classmethod
    def empty(cls, shape: Shape) -> Self:
        """No network yet: load one from a file."""
        return cls(shape=shape)

    @classmethod
    def of_layers(
        cls, shape: Shape, layers: Layers, others: Mapping[int, Layers] | None = None, about: str = ""
    ) -> Self:
        check_layers(shape, layers)
        for each in (others or {}).values():
            check_layers(shape, each)
        vectors = {players: flattened(each) for players, each in (others or {}).items()}
        usual = flattened(layers)
        longest = max(map(len, [usual, *vectors.values()]))
        padded = {players: np.pad(each, (0, longest - len(each))) for players, each in vectors.items()}
        return cls(np.pad(usual, (0, longest - len(usual))), by_players=padded, shape=shape, about=about)

    def but(self, values: Any) -> Self:
        """Another network, as a vector that contains its shape."""
        if isinstance(values, Mapping):
            self.check_names(values)
        vector = numbers(values)
        check_layers(self.shape, unflattened(vector))
        return type(self)(vector, shape=self.shape)

    def from_file(self, path: Path) -> Self:
        return read_network(path, self.shape)

    def for_players(self, players: int) -> Any:
        if not len(self):
            raise KibitzError(
                "The agent is a network without weights. Name a file of them behind it: NAME@player.npz. "
                "docs/how-to/networks.md shows how to train one."
            )
        return super().for_players(players)


def check_layers(shape: Shape, layers: Layers) -> None:
    """Raise an error if the layers do not fit the shape."""
    if not 1 <= len(layers) <= MOST_LAYERS:
        raise KibitzError(f"A network has 1 to {MOST_LAYERS} layers, not {len(layers)}.")
    width = shape.inputs
    for number, (matrix, biases) in enumerate(layers, start=1):
        if matrix.ndim != 2 or matrix.shape[0] != width:
            raise KibitzError(
                f"layer_{number} is of shape {matrix.shape}, and has to have {width} rows: as many as "
                f"{'there are inputs' if number == 1 else 'the layer before it has columns'}."
            )
        if matrix.shape[1] > WIDEST:
            raise KibitzError(f"layer_{number} has {matrix.shape[1]} columns; {WIDEST} is the most.")
        width = matrix.shape[1]
        if biases.shape != (width,):
            raise KibitzError(f"bias_{number} is of shape {biases.shape}, and has to be ({width},).")
        for name, each in ((f"layer_{number}", matrix), (f"bias_{number}", biases)):
            if not np.isfinite(each).all():
                raise KibitzError(f"{name} has numbers that are not finite.")
    if width != shape.outputs:
        raise KibitzError(f"The last layer has {width} columns, and has to have {shape.outputs}, one for each output.")


def flattened(layers: Layers) -> Any:
    sizes = [layers[0][0].shape[0], *(matrix.shape[1] for matrix, _ in layers)]
    parts = [np.ravel(part) for layer in layers for part in layer]
    return np.concatenate([[len(layers)], sizes, *parts]).astype(np.float64)


def unflattened(vector: Any) -> Layers:
    """The layers in a vector."""
    head = [int(each) if np.isfinite(each) else 0 for each in vector[: MOST_LAYERS + 2]]
    count = head[0] if head else 0
    sizes = head[1 : count + 2]
    if not 1 <= count <= MOST_LAYERS or len(sizes) < count + 1 or min(sizes) < 1:
        raise KibitzError("These numbers are no network: the first of them do not say how large it is.")
    layers, at = [], count + 2
    for rows, columns in pairwise(sizes):
        end = at + (rows + 1) * columns
        if end > len(vector):
            raise KibitzError(f"These are {len(vector)} numbers, and the network that they begin with has more.")
        layers.append((vector[at : end - columns].reshape(rows, columns), vector[end - columns : end]))
        at = end
    return layers


def read_network(path: Path, shape: Shape) -> Any:
    """Read a network from a file; an error says why it is invalid."""
    with file_named(path, "damaged, or not a file of NumPy arrays"):
        if path.suffix != ".npz":
            raise KibitzError("the weights of a network are an .npz file.")
        return NetworkWeights.of_layers(shape, *networks_in(arrays_in(path, MOST_BYTES), shape))


def networks_in(arrays: Mapping[str, Any], shape: Shape) -> tuple[Layers, dict[int, Layers], str]:
    """The default network of a file, those for other numbers of players, and their origin."""
    encoding = str(arrays["inputs"]) if "inputs" in arrays else ""
    if encoding != shape.encoding:
        said = f"is for inputs called {encoding}" if encoding else "does not say what its inputs are (an array inputs)"
        raise KibitzError(f"it {said}; the agent's are {shape.encoding}.")
    usual = layers_in(arrays, "")
    if not usual:
        raise KibitzError(f"it has no array called layer_1; it has {', '.join(arrays) or 'none'}.")
    others = {}
    for players in range(1, 100):
        if found := layers_in(arrays, f"{PLAYERS}_{players}_"):
            others[players] = found
    return usual, others, str(arrays.get("about", ""))


def layers_in(arrays: Mapping[str, Any], head: str) -> Layers:
    layers: list[tuple[Any, Any]] = []
    while f"{head}layer_{len(layers) + 1}" in arrays:
        number = len(layers) + 1
        if f"{head}bias_{number}" not in arrays:
            raise KibitzError(f"it has {head}layer_{number} and no {head}bias_{number}.")
        matrix, biases = arrays[f"{head}layer_{number}"], arrays[f"{head}bias_{number}"]
        if matrix.dtype.kind not in "fiu" or biases.dtype.kind not in "fiu":
            raise KibitzError(f"{head}layer_{number} holds no numbers.")
        layers.append((matrix.astype(np.float64), biases.astype(np.float64)))
    return layers


def write_network(
    path: Path,
    shape: Shape,
    layers: Layers,
    about: str,
    others: Mapping[int, Layers] | None = None,
    dtype: Any = np.float16,
) -> None:
    """Write a file for `read_network`. Half precision keeps three digits per weight, which is enough to play."""
    arrays: dict[str, Any] = {"inputs": np.array(shape.encoding), "about": np.array(about)}
    for head, each in [("", layers), *((f"{PLAYERS}_{players}_", each) for players, each in (others or {}).items())]:
        for number, (matrix, biases) in enumerate(each, start=1):
            arrays[f"{head}layer_{number}"] = matrix.astype(dtype)
            arrays[f"{head}bias_{number}"] = biases.astype(dtype)
    write_arrays(path, small=True, **arrays)


# Compiled evaluation of inputs that are bits.


@compiled
def add_scaled(target: Any, row: Any, factor: float) -> None:
    """Indexing from 0 tells the compiler that indices are not negative, so it can vectorise the loop."""
    for place in range(row.shape[0]):
        target[place] += factor * row[place]


@compiled
def outputs_of(weights: Numbers, words: Any, bits: int, room: Any) -> Any:
    """The network's outputs for binary inputs, `bits` per word; `room` is a buffer for two layers.

    In the first layer, only the rows of set bits are added.
    """
    layers = int(weights[0])
    at = layers + 2
    rows, columns = int(weights[1]), int(weights[2])
    now, then = room[0], room[1]
    copy_into(now, weights[at + rows * columns : at + (rows + 1) * columns])
    for place in range(words.shape[0]):
        word = int(words[place])
        while word:
            row = at + (bits * place + lowest_bit(word)) * columns
            add_scaled(now, weights[row : row + columns], 1.0)
            word &= word - 1
    at += (rows + 1) * columns
    for layer in range(1, layers):
        rows, columns = columns, int(weights[2 + layer])
        copy_into(then, weights[at + rows * columns : at + (rows + 1) * columns])
        for row in range(rows):
            if now[row] > 0:
                add_scaled(then, weights[at + row * columns : at + (row + 1) * columns], now[row])
        at += (rows + 1) * columns
        now, then = then, now
    return now[:columns]


@compiled
def widest_layer(weights: Numbers) -> int:
    """The width of the widest layer after the inputs."""
    widest = 0
    for layer in range(int(weights[0])):
        widest = max(widest, int(weights[2 + layer]))
    return widest
