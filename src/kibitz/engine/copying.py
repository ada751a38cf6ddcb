"""Copies between arrays, as loops.

`target[:n] = source` makes Numba compile the formatting of a shape error as well, which takes two seconds per use. The
machine code of the loop is the same.
"""

from typing import Any

from kibitz.engine.compile import compiled


@compiled
def copy_into(target: Any, source: Any) -> None:
    """Copy all of `source` to the first entries of `target`."""
    for n in range(len(source)):
        target[n] = source[n]
