"""Training of small networks with NumPy: the gradient of a multilayer perceptron, and the optimizer Adam.

`core.network` stores the trained layers and runs them in compiled code.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.network import Layers

MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8  # the defaults of the paper


class Adam:
    """The optimizer of Kingma & Ba 2015. It changes the arrays of a network's parameters in place."""

    def __init__(self, parameters: Sequence[Any]) -> None:
        self.parameters = list(parameters)
        self.reset()

    def reset(self) -> None:
        """Forget the moments of earlier gradients, as when the loss function changes."""
        self.steps = 0
        self.means = [np.zeros_like(each) for each in self.parameters]
        self.squares = [np.zeros_like(each) for each in self.parameters]

    def step(self, gradients: Sequence[Any], rate: float) -> None:
        self.steps += 1
        mean_share, square_share = 1.0 - MEAN_DECAY**self.steps, 1.0 - SQUARE_DECAY**self.steps
        for parameter, mean, square, gradient in zip(self.parameters, self.means, self.squares, gradients, strict=True):
            mean += (1.0 - MEAN_DECAY) * (gradient - mean)
            square += (1.0 - SQUARE_DECAY) * (gradient**2 - square)
            parameter -= rate * mean / mean_share / (np.sqrt(square / square_share) + EPSILON)


class Perceptron:
    """A multilayer perceptron with ReLU between its layers."""

    def __init__(self, layers: Layers) -> None:
        self.parameters = [part for layer in layers for part in layer]  # a matrix and biases for each layer, in turn

    @property
    def layers(self) -> Layers:
        return list(zip(self.parameters[::2], self.parameters[1::2], strict=True))

    def forward(self, inputs: Any) -> list[Any]:
        """The inputs, then the sums of every layer before ReLU; the last are the outputs."""
        sums = [inputs]
        for number, (matrix, biases) in enumerate(self.layers):
            sums.append((np.maximum(sums[-1], 0) if number else inputs) @ matrix + biases)
        return sums

    def gradients(self, sums: list[Any], slope: Any) -> list[Any]:
        """The gradient of the loss for every parameter, from its gradient for the outputs."""
        found: list[Any] = []
        for number, (matrix, _) in reversed(list(enumerate(self.layers))):
            before = np.maximum(sums[number], 0) if number else sums[number]
            found = [before.T @ slope, slope.sum(axis=0), *found]
            if number:
                slope = (slope @ matrix.T) * (sums[number] > 0)
        return found
