"""Limits of numbers and paths on the command line; the error for a refused value gives the reason."""

import math
from collections.abc import Callable
from pathlib import Path

import typer

SMALLEST_SEED, LARGEST_SEED = -(1 << 63), (1 << 63) - 1
MOST_GAMES = 10**12  # of a match: eleven days at a million games per second
MOST_SAVED = 10**7  # games in one file, which are sorted in memory at the end
MOST_DEALS = 10**7  # of one cell of a cross table or of one trial: the result of every deal is held in memory
MOST_TRIALS = 10**6
MOST_TRAINED = 10**9
MOST_REPRODUCED = 10**6  # of one row of an experiment, for the same reason
MOST_HOSTED = 10**6
LAST_GAME = 10**18
MOST_JOBS = 512
MOST_ITERATIONS = 10**7  # each adds a node or two to a tree in memory
MOST_THINKING = 60_000  # milliseconds, for the same reason
MOST_SECONDS = 7 * 24 * 3600.0  # a week


def at_most(most: int, why: str) -> Callable[[int | None], int | None]:
    def check(value: int | None) -> int | None:
        if value is not None and value > most:
            raise typer.BadParameter(f"{shown(value)} is too many: at most {most:,}, {why}.")
        return value

    return check


def shown(value: int) -> str:
    return f"{value:,}" if abs(value) < 10**30 else "a number of more than 30 digits"


def seed(value: int | None) -> int | None:
    if value is not None and not SMALLEST_SEED <= value <= LARGEST_SEED:
        raise typer.BadParameter(
            f"{shown(value)} does not fit 64 bits: a seed is a whole number from −2**63 to 2**63 − 1."
        )
    return value


def seconds(value: float) -> float:
    if not math.isfinite(value) or value > MOST_SECONDS:
        raise typer.BadParameter(f"{value} is not a time: use 0 to {MOST_SECONDS:,.0f} seconds (a week).")
    return value


def path_named(text: str | Path) -> Path:
    """A path. An empty one, such as an unset shell variable, would mean the current folder."""
    some_path(str(text))
    return Path(text)


def some_path(text: str | None) -> str | None:
    """Refuse an empty text where a path or something else may be named."""
    if text is not None and not text.strip():
        raise typer.BadParameter("The path is empty. Name a file or a folder; . is the current folder.")
    return text
