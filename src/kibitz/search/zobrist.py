"""Zobrist keys: a random number for every statement about a position, and a position is the xor of those that are true.

A move makes few statements true or false, so the key after it is made from the one before it by as many xors. A game
keeps it in its positions and answers with it to `generic.key`.
"""

from typing import Any

import numpy as np

from kibitz.engine.seeds import numbers


def zobrist_numbers(*shape: int, seed: int = 0) -> Any:
    """A number for each of so many statements, as an array: `NUMBERS[piece, place]`."""
    made: Any = np.asarray(numbers(seed, 0, int(np.prod(shape)))).reshape(shape)
    made.flags.writeable = False
    return made
