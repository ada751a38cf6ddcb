"""Random numbers from seeds, by counter: number n of a stream does not depend on earlier numbers.

Streams and numbers are integers from 0 up to 2**63, the same in machine code and in plain Python.

The cards of a game and its players' dice come from two keys, which a one-way hash derives from the seed of the match.
So a player who knew all the dice would still know nothing about the deck.

`number` is splitmix64, which is fast but invertible: one number reveals its stream and all other numbers. It serves
only where a viewer of a number may know the whole stream. `one_way` is for numbers that go to different players.
"""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import INTERPRETED, compiled

# Sums and products must wrap around at 64 bits. Machine code does that only with unsigned numbers, plain Python only
# with a mask.
WRAP: Callable[[int], int] = (lambda x: int(x) & (1 << 64) - 1) if INTERPRETED else np.uint64  # type: ignore[assignment]
PLAIN: Callable[[int], int] = int if INTERPRETED else np.int64  # type: ignore[assignment]
STEP, FIRST, SECOND = WRAP(0x9E3779B97F4A7C15), WRAP(0xBF58476D1CE4E5B9), WRAP(0x94D049BB133111EB)  # splitmix64
# SipHash: the ASCII text "somepseudorandomlygeneratedbytes"; the length of a 7-byte message in its last and only block.
SIP_0, SIP_1 = WRAP(0x736F6D6570736575), WRAP(0x646F72616E646F6D)
SIP_2, SIP_3 = WRAP(0x6C7967656E657261), WRAP(0x7465646279746573)
SEVEN_BYTES, FINAL = WRAP(7 << 56), WRAP(0xFF)


class Keys(NamedTuple):
    """The keys for the cards and the dice of a match's games."""

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
    """The n-th number of a stream, scaled to a range from 0 up to but not including a small limit."""
    return ((number(stream, n) >> 32) * limit) >> 31


@compiled
def one_way(stream: int, n: int) -> int:
    """The n-th output of a keyed one-way function, from 0 up to 2**63; n is below 2**56.

    Outputs reveal nothing about the stream or about each other: SipHash-2-4 is a pseudorandom function of its key,
    which is the stream here, and no known attack is better than trying all 2**63 streams.
    """
    return PLAIN(siphash(stream, 0, n) >> WRAP(1))


@compiled
def siphash(key: int, more_key: int, message: int) -> int:
    """SipHash-2-4 of a 7-byte message, with the two halves of the key as numbers (Aumasson and Bernstein 2012).

    7 bytes and the length fill one block, which is a third faster than a message of 8 bytes.
    """
    a, b = WRAP(key) ^ SIP_0, WRAP(more_key) ^ SIP_1
    c, d = WRAP(key) ^ SIP_2, WRAP(more_key) ^ SIP_3
    block = WRAP(message) | SEVEN_BYTES
    d ^= block
    for _ in range(2):
        a, b, c, d = sip_round(a, b, c, d)
    a, c = a ^ block, c ^ FINAL
    for _ in range(4):
        a, b, c, d = sip_round(a, b, c, d)
    return a ^ b ^ c ^ d


@compiled
def sip_round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a, c = WRAP(a + b), WRAP(c + d)
    b, d = rotated(b, 13) ^ a, rotated(d, 16) ^ c
    a, c = WRAP(rotated(a, 32) + d), WRAP(c + b)
    b, d = rotated(b, 17) ^ c, rotated(d, 21) ^ a
    return a, b, rotated(c, 32), d


@compiled
def rotated(x: int, bits: int) -> int:
    """Rotate 64 bits to the left."""
    return WRAP(x << WRAP(bits)) | x >> WRAP(64 - bits)


@compiled
def numbers(stream: int, first: int, count: int) -> Any:
    """`count` numbers of a stream from `first` on, as an array."""
    stretch = np.empty(count, np.int64)
    for n in range(count):
        stretch[n] = number(stream, first + n)
    return stretch
