"""Networks as weights: layers of any size are read, checked, and run as NumPy would; what is no network says why."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.agent_spec import AgentSpec, changed_weights, spec_weights
from kibitz.core.network import NetworkWeights, Shape, outputs_of, read_network, widest_layer, write_network
from kibitz.errors import KibitzError

SHAPE = Shape("tests-1", 70, 3)


def layers_of(*hidden: int, seed: int = 0) -> list[tuple[Any, Any]]:
    rng, sizes = np.random.default_rng(seed), [SHAPE.inputs, *hidden, SHAPE.outputs]
    return [
        (rng.normal(size=(rows, columns)).astype(np.float32), rng.normal(size=columns).astype(np.float32))
        for rows, columns in pairwise(sizes)
    ]


def words_of(bits: Any) -> Any:
    """Bits in words of 32."""
    words = np.zeros(4, np.int64)
    for place in np.flatnonzero(bits):
        words[place // 32] |= 1 << place % 32
    return words


@pytest.mark.parametrize("hidden", [(), (5,), (9, 4), (2, 17, 6)])
def test_it_answers_as_numpy_does(hidden: tuple[int, ...]) -> None:
    layers = layers_of(*hidden)
    bits = np.random.default_rng(1).random(SHAPE.inputs) < 0.3
    said = bits @ layers[0][0].astype(float) + layers[0][1]
    for matrix, biases in layers[1:]:
        said = np.maximum(said, 0) @ matrix.astype(float) + biases
    vector = NetworkWeights.of_layers(SHAPE, layers).values
    room = np.full((2, widest_layer(vector)), np.nan)
    assert np.allclose(outputs_of(vector, words_of(bits), 32, room), said)


def test_a_file_keeps_every_network_and_where_it_comes_from(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    usual, larger = layers_of(5), layers_of(9, 4, seed=1)
    write_network(path, SHAPE, usual, "a test", {4: larger}, dtype=np.float32)
    found = NetworkWeights.empty(SHAPE).from_file(path)
    assert found.about == "a test"
    assert found == NetworkWeights.of_layers(SHAPE, usual, {4: larger})
    assert found.for_players(2)[:4].tolist() == [2, 70, 5, 3]
    assert found.for_players(4)[:5].tolist() == [3, 70, 9, 4, 3]


def test_it_is_sent_to_other_processes_as_numbers() -> None:
    own, other = (NetworkWeights.of_layers(SHAPE, layers_of(*sizes)) for sizes in ((5,), (7, 7)))
    spec = AgentSpec("network", **changed_weights(own, other))
    assert spec_weights(spec, own).for_players(3).tolist() == other.values.tolist()


def test_without_weights_it_says_where_to_put_them() -> None:
    with pytest.raises(KibitzError, match=r"Name a file of them behind it: NAME@player\.npz"):
        NetworkWeights.empty(SHAPE).for_players(2)


def damaged(path: Path, **changes: Any) -> None:
    arrays = {"inputs": np.array("tests-1"), "layer_1": np.ones((70, 3)), "bias_1": np.zeros(3), **changes}
    np.savez(path, **{name: each for name, each in arrays.items() if each is not None})


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"inputs": None}, r"does not say what its inputs are \(an array inputs\); the agent's are tests-1"),
        ({"inputs": np.array("tests-2")}, "is for inputs called tests-2; the agent's are tests-1"),
        ({"layer_1": None}, "no array called layer_1; it has inputs, bias_1"),
        ({"bias_1": None}, "has layer_1 and no bias_1"),
        (
            {"layer_1": np.ones((71, 3))},
            r"layer_1 is of shape \(71, 3\), and has to have 70 rows: as many as there are",
        ),
        ({"layer_1": np.ones((70, 4)), "bias_1": np.ones(4)}, "last layer has 4 columns, and has to have 3"),
        ({"layer_2": np.ones((4, 3)), "bias_2": np.ones(3)}, "as many as the layer before it has columns"),
        ({"bias_1": np.zeros(2)}, r"bias_1 is of shape \(2,\), and has to be \(3,\)"),
        ({"bias_1": np.array([0, np.nan, 1])}, "bias_1 has numbers that are not finite"),
        ({"layer_1": np.full((70, 3), np.inf)}, "layer_1 has numbers that are not finite"),
        ({"layer_1": np.full((70, 3), "x")}, "layer_1 holds no numbers"),
        ({"layer_1": np.ones(70)}, r"layer_1 is of shape \(70,\)"),
        ({"layer_1": np.ones((70, 5000)), "bias_1": np.ones(5000)}, "layer_1 has 5000 columns; 4096 is the most"),
    ],
)
def test_a_file_that_does_not_fit_says_why(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    path = tmp_path / "some.npz"
    damaged(path, **changes)
    with pytest.raises(KibitzError, match=f"some.npz: .*{why}"):
        read_network(path, SHAPE)


def test_a_file_cut_off_anywhere_says_that_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    write_network(path, SHAPE, layers_of(5), "a test")
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(KibitzError, match=r"some\.npz is damaged, or not a file of NumPy arrays"):
            read_network(path, SHAPE)
    with pytest.raises(KibitzError, match="cannot be read: No such file"):
        read_network(tmp_path / "none.npz", SHAPE)
    with pytest.raises(KibitzError, match=r"are an \.npz file"):
        read_network(tmp_path / "some.toml", SHAPE)


def test_numbers_that_are_no_network_say_why() -> None:
    own = NetworkWeights.of_layers(SHAPE, layers_of(5))
    for values, why in (
        ([], "do not say how large"), ([2, 70], "do not say how large"), ([1.0, 70, 3, 0.5], "has more"),
        ([np.nan, 1, 1], "do not say how large"), ([2, np.inf, 3, 3], "do not say how large"),
    ):  # fmt: skip
        with pytest.raises(KibitzError, match=why):
            own.but(values)
    with pytest.raises(KibitzError, match="The agent's weights are without names"):
        own.but({"bar": 1.0})
