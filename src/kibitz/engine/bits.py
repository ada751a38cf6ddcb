"""Bit masks as small sets. Each function is one machine instruction when compiled."""

from typing import Any

from llvmlite import ir
from numba import extending, types

from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below

ALL_BITS = (1 << 64) - 1  # Python's ints are unbounded; bit 64 is the sign of a mask


def count_bits(mask: int) -> int:
    """The number of set bits among the lowest 64."""
    return (int(mask) & ALL_BITS).bit_count()


def lowest_bit(mask: int) -> int:
    """The index of the lowest set bit; the mask must not be empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest_bit(mask: int) -> int:
    """The index of the highest set bit among the lowest 64; the mask must not be empty."""
    return (int(mask) & ALL_BITS).bit_length() - 1


def population(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def trailing_zeros(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def leading_zeros(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


# One machine instruction each.
POPULATION: Any = extending.intrinsic(population)
TRAILING_ZEROS: Any = extending.intrinsic(trailing_zeros)
LEADING_ZEROS: Any = extending.intrinsic(leading_zeros)


@extending.overload(count_bits)
def compiled_count_bits(mask):  # type: ignore[no-untyped-def]
    return lambda mask: POPULATION(mask)


@extending.overload(lowest_bit)
def compiled_lowest_bit(mask):  # type: ignore[no-untyped-def]
    return lambda mask: TRAILING_ZEROS(mask)


@extending.overload(highest_bit)
def compiled_highest_bit(mask):  # type: ignore[no-untyped-def]
    return lambda mask: 63 - LEADING_ZEROS(mask)


@compiled
def nth_bit(mask: int, n: int) -> int:
    """The index of the n-th lowest set bit, counted from 0; the mask must have that many."""
    place = 0
    for half in (32, 16, 8, 4, 2, 1):
        below_half = count_bits(mask & ((1 << half) - 1))
        higher = n >= below_half
        n -= below_half if higher else 0
        mask >>= half if higher else 0
        place += half if higher else 0
    return place


@compiled
def chosen_bit(mask: int, stream: int, n: int) -> int:
    """The index of a random set bit, drawn uniformly; −1 if the mask is empty."""
    return nth_bit(mask, below(stream, n, count_bits(mask))) if mask else -1
