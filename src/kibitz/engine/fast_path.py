"""Whether our own way of compiling can be used, which rests on private parts of Numba (`numba_internals`).

It can with the versions of Numba it is tested with. With any other, and with KIBITZ_PLAIN_NUMBA=1, functions are
compiled by Numba's public decorators (`plain_numba`): to the same results, but it takes longer.
"""

import os

import numba

OLDEST, NEWEST = (0, 62), (0, 68)  # versions of Numba whose private parts are tested
SWITCH = "KIBITZ_PLAIN_NUMBA"


def version_of(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def why_plain(version: str = numba.__version__) -> str:
    """The reason for the slow path; nothing on the fast one."""
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        return f"{SWITCH} is set"
    if not OLDEST <= version_of(version) <= NEWEST:
        tested = " to ".join(".".join(map(str, each)) for each in (OLDEST, NEWEST))
        return f"numba {version} is installed, and kibitz is tested with numba {tested}"
    try:
        from kibitz.engine import numba_internals  # noqa: F401
    except (ImportError, AttributeError) as error:
        return f"numba {version} lacks what kibitz needs of it ({error})"
    return ""


WHY_PLAIN = why_plain()
