"""Whether the fast way of compiling can be used, which relies on private parts of Numba (`numba_internals`).

It is used with the tested versions of Numba. With any other version, and with KIBITZ_PLAIN_NUMBA=1, functions are
compiled by Numba's public decorators (`plain_numba`): with the same results, but more slowly.
"""

import os

import numba

OLDEST, NEWEST = (0, 62), (0, 68)  # tested versions of Numba
SWITCH = "KIBITZ_PLAIN_NUMBA"


def version_of(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def why_plain(version: str = numba.__version__) -> str:
    """The reason for using the slow path; empty on the fast one."""
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        return f"{SWITCH} is set"
    if not OLDEST <= version_of(version) <= NEWEST:
        tested = " to ".join(".".join(map(str, each)) for each in (OLDEST, NEWEST))
        return f"numba {version} is installed, but kibitz is tested with numba {tested}"
    try:
        from kibitz.engine import numba_internals  # noqa: F401
    except (ImportError, AttributeError) as error:
        return f"numba {version} lacks internals that kibitz uses ({error})"
    return ""


WHY_PLAIN = why_plain()
