"""Zobrist keys: a random number per feature of a position; the key is the xor of the numbers of its features.

A move changes few features, so updating the key takes few xors. A game keeps the key in its positions and returns it
from `generic.key`.
"""

from typing import Any

import numpy as np

from kibitz.engine.seeds import numbers


def zobrist_numbers(*shape: int, seed: int = 0) -> Any:
    """An array of random numbers, one per feature: `NUMBERS[piece, place]`."""
    made: Any = np.asarray(numbers(seed, 0, int(np.prod(shape)))).reshape(shape)
    made.flags.writeable = False
    return made
