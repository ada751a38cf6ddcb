"""One copy of a compiled function serves integers of every width."""

from typing import Any

import numpy as np
import pytest

from kibitz.core.compile import compiled, record_dtype

pytestmark = pytest.mark.machine_code
WIDTHS = record_dtype([("tiny", np.int8), ("small", np.int16), ("wide", np.int32), ("whole", np.int64)])


@compiled
def tenfold(number: int, plus: int = 0) -> int:
    return 10 * number + plus


@compiled
def of_all_widths(widths: Any) -> int:
    return (
        tenfold(widths.tiny) + tenfold(widths.small) + tenfold(widths.wide, plus=widths.tiny) + tenfold(widths.whole, 5)
    )


@compiled
def half(number: float) -> float:
    return number / 2


@compiled
def halves(number: int, share: float) -> float:
    return half(share) + half(number)


def test_integers_of_every_width_and_constants_share_one_copy() -> None:
    widths = np.array([(-1, -200, 100_000, 2**40)], WIDTHS)
    assert of_all_widths(widths[0]) == 10 * (-1 - 200 + 100_000 + 2**40) - 1 + 5
    assert len(tenfold.signatures) == 2  # type: ignore[attr-defined]  # with and without what is added


def test_fractions_stay_what_they_are() -> None:
    assert halves(3, 0.5) == 1.75
    assert len(half.signatures) == 2  # type: ignore[attr-defined]
