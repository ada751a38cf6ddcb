"""One copy of a compiled function serves integers of every width."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.engine.compile import compiled, struct_dtype

pytestmark = pytest.mark.machine_code
WIDTHS = struct_dtype([("tiny", np.int8), ("small", np.int16), ("wide", np.int32), ("whole", np.int64)])


@pytest.fixture(autouse=True)
def _nothing_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found in the cache does not compile what it calls."""
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))


def test_integers_of_every_width_and_constants_share_one_copy() -> None:
    @compiled
    def tenfold(number: int, plus: int) -> int:
        return 10 * number + plus

    @compiled
    def of_all_widths(s: Any) -> int:
        return tenfold(s.tiny, 0) + tenfold(s.small, 0) + tenfold(s.wide, plus=s.tiny) + tenfold(s.whole, 5)

    widths = np.array([(-1, -200, 100_000, 2**40)], WIDTHS)
    assert of_all_widths(widths[0]) == 10 * (-1 - 200 + 100_000 + 2**40) - 1 + 5
    assert len(tenfold.inner.signatures) == 1  # type: ignore[attr-defined]


def test_fractions_stay_what_they_are() -> None:
    @compiled
    def half(number: float) -> float:
        return number / 2

    @compiled
    def halves(number: int, share: float) -> float:
        return half(share) + half(number)

    assert halves(3, 0.5) == 1.75
    assert len(half.inner.signatures) == 2  # type: ignore[attr-defined]


def test_only_what_python_calls_is_made_executable() -> None:
    @compiled
    def checked(number: int) -> int:
        if number < 0:
            raise ValueError("less than nothing")
        return number

    @compiled
    def total(number: int) -> int:
        return 0 if number == 0 else number + total(checked(number - 1))

    @compiled
    def twice(number: int) -> int:
        return 2 * total(checked(number))

    assert twice(4) == 20
    assert not total.signatures  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="less than nothing"):
        twice(-1)
    assert total(3) == 6  # compiles it again, for Python
    with pytest.raises(ValueError, match="less than nothing"):
        checked(-1)


SHORT_AND_LONG = """
import sys
import numpy as np
from kibitz.engine.compile import compiled

@compiled
def plus_one(number):
    return number + 1

@compiled
def product(matrix):
    return np.dot(matrix, matrix)

print(plus_one(1), "scipy.linalg" in sys.modules, product(np.eye(2))[0, 0], "scipy.linalg" in sys.modules)
"""


def test_scipy_is_imported_for_matrix_products_and_nothing_else() -> None:
    done = subprocess.run([sys.executable, "-c", SHORT_AND_LONG], capture_output=True, text=True, check=False)
    assert done.stdout == "2 False 1.0 True\n", done.stderr
