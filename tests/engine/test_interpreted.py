"""The same functions in plain Python, under `NUMBA_DISABLE_JIT=1`, play the same games move for move."""

import pytest

from kibitz.engine import bits
from kibitz.engine.compile import compiled
from tests.core import both_ways
from tests.plainly import interpreted


@pytest.mark.slow
@pytest.mark.machine_code
def test_plain_python_plays_every_agents_games_as_machine_code_does() -> None:
    """And it agrees on numbers, bits, sets of cards and sampled worlds. One test, as it takes a while."""
    plain, machine_code = interpreted(both_ways.__name__), both_ways.everything()
    assert plain.pop("interpreted") is True
    assert machine_code.pop("interpreted") is False
    assert all(game[1] == 1 for game in machine_code["games"])
    for part, expected in machine_code.items():
        assert plain[part] == expected, part


@compiled
def counted(mask: int) -> int:
    return bits.count_bits(mask)


@compiled
def lowest(mask: int) -> int:
    return bits.lowest_bit(mask)


@pytest.mark.parametrize("mask", [1, 2, 3, 2**62, 2**63 - 1, *both_ways.masks()])
def test_machine_code_counts_and_finds_bits_as_python_does(mask: int) -> None:
    places = [place for place in range(63) if mask >> place & 1]
    assert counted(mask) == bits.count_bits(mask) == len(places)
    assert [bits.nth_bit(mask, n) for n in range(len(places))] == places
    if places:
        assert lowest(mask) == bits.lowest_bit(mask) == places[0]
        assert bits.chosen_bit(mask, 5, 0) in places


def test_nothing_is_chosen_from_an_empty_set() -> None:
    assert bits.chosen_bit(0, 5, 0) == -1


def test_every_bit_is_chosen_equally_often() -> None:
    """Each of four bits comes within five standard deviations of a quarter of 20,000 times."""
    rolls = 20_000
    for place in (0, 3, 17, 59):
        times = sum(bits.chosen_bit(1 | 1 << 3 | 1 << 17 | 1 << 59, 77, n) == place for n in range(rolls))
        assert abs(times - rolls / 4) <= 5 * (rolls * 3 / 16) ** 0.5
