"""Copies between arrays, as loops.

For `target[:n] = source` Numba compiles the words of an error about shapes as well, which takes two seconds wherever it
occurs; machine code for the loop is the same.
"""

from typing import Any

from kibitz.engine.compile import compiled


@compiled
def copy_into(target: Any, source: Any) -> None:
    """Make the first entries of an array those of another."""
    for n in range(len(source)):
        target[n] = source[n]
