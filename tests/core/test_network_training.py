"""The gradient of a small network is the slope of its loss, and Adam takes the steps of its paper."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kibitz.core.network_training import Adam, Perceptron


@pytest.mark.parametrize("hidden", [(), (5,), (6, 4)])
def test_the_gradient_is_the_slope_of_the_loss(hidden: tuple[int, ...]) -> None:
    rng, sizes = np.random.default_rng(0), [3, *hidden, 2]
    network = Perceptron([(rng.normal(size=shape), rng.normal(size=shape[1])) for shape in pairwise(sizes)])
    inputs, wanted = rng.normal(size=(7, 3)), rng.normal(size=(7, 2))

    def loss() -> Any:
        return ((network.forward(inputs)[-1] - wanted) ** 2).sum() / 2

    sums = network.forward(inputs)
    for parameter, gradient in zip(network.parameters, network.gradients(sums, sums[-1] - wanted), strict=True):
        for place in np.ndindex(parameter.shape):
            before, losses = parameter[place], []
            for change in (1e-6, -1e-6):
                parameter[place] = before + change
                losses.append(loss())
            parameter[place] = before
            assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 2e-6, abs=1e-5)


def test_steps_of_adam_are_as_long_as_the_rate_while_the_gradient_is_steady() -> None:
    parameters: list[Any] = [np.zeros(2), np.zeros((1, 2), np.float32)]
    optimizer = Adam(parameters)
    for _ in range(3):
        optimizer.step([np.array([4.0, -0.01]), np.full((1, 2), 7, np.float32)], rate=0.1)
    assert np.allclose(parameters[0], [-0.3, 0.3])
    assert np.allclose(parameters[1], -0.3)


def test_after_a_reset_earlier_gradients_count_no_more() -> None:
    fresh, used = [np.ones(3)], [np.zeros(3)]
    optimizer = Adam(used)
    optimizer.step([np.array([1.0, 2.0, 3.0])], rate=0.1)
    optimizer.reset()
    used[0][:] = 1.0
    for each in (optimizer, Adam(fresh)):
        each.step([np.array([-1.0, 0.5, 0.0])], rate=0.1)
    assert fresh[0].tolist() == used[0].tolist()
