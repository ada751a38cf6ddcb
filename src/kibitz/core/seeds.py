"""Everything random comes from a seed, by counting: number n of a stream needs no number before it.

Streams and numbers are integers from 0 up to 2**63, the same in machine code and in plain Python.

The cards of a game and the dice its players roll come from two keys that a one-way hash makes of
the match's seed. A player who knew all its dice would still know nothing of the deck.
"""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compile import INTERPRETED, compiled

# Sums and products are to wrap around at 64 bits: machine code does so only with unsigned numbers,
# and plain Python only when told to.
WRAP: Callable[[int], int] = (lambda x: int(x) & (1 << 64) - 1) if INTERPRETED else np.uint64  # type: ignore[assignment]
PLAIN: Callable[[int], int] = int if INTERPRETED else np.int64  # type: ignore[assignment]
STEP, FIRST, SECOND = WRAP(0x9E3779B97F4A7C15), WRAP(0xBF58476D1CE4E5B9), WRAP(0x94D049BB133111EB)  # splitmix64


class Keys(NamedTuple):
    """Where the games of a match get their cards and their players' dice from."""

    deal: int
    dice: int


def keys(seed: int) -> Keys:
    digest = blake2b(str(seed).encode(), digest_size=16).digest()
    return Keys(*(int.from_bytes(half, "little") >> 1 for half in (digest[:8], digest[8:])))


@compiled
def number(stream: int, n: int) -> int:
    """The n-th number of a stream, from 0 up to 2**63."""
    x = WRAP(WRAP(stream) + WRAP(n + 1) * STEP)
    x = WRAP((x ^ (x >> WRAP(30))) * FIRST)
    x = WRAP((x ^ (x >> WRAP(27))) * SECOND)
    return PLAIN((x ^ (x >> WRAP(31))) >> WRAP(1))


@compiled
def below(stream: int, n: int, limit: int) -> int:
    """The n-th number of a stream, as a number from 0 up to but not including a small limit."""
    return ((number(stream, n) >> 32) * limit) >> 31


@compiled
def numbers(stream: int, first: int, count: int) -> Any:
    """A stretch of a stream, as an array."""
    stretch = np.empty(count, np.int64)
    for n in range(count):
        stretch[n] = number(stream, first + n)
    return stretch
