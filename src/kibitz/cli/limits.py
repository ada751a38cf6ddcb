"""What numbers and paths on the command line may be: what cannot be finished, held or meant is refused, with why."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

SMALLEST_SEED, LARGEST_SEED = -(1 << 63), (1 << 63) - 1
MOST_GAMES = 10**12  # of a match: eleven days at a million games a second
MOST_SAVED = 10**7  # games in one file, which are put in order in memory at the end
MOST_DEALS = 10**7  # of a cell of a cross table, whose result is held deal by deal
MOST_REPRODUCED = 10**6  # the same for each of the many rows of an experiment
MOST_HOSTED = 10**6
LAST_GAME = 10**18
MOST_JOBS = 512
MOST_ITERATIONS = 10**7  # every one adds a node or two to a tree in memory
MOST_THINKING = 60_000  # milliseconds, for the same reason
MOST_SECONDS = 7 * 24 * 3600.0  # a week


def at_most(most: int, why: str) -> Callable[[int | None], int | None]:
    def check(value: int | None) -> int | None:
        if value is not None and value > most:
            raise typer.BadParameter(f"{shown(value)} is too many: at most {most:,}, {why}.")
        return value

    return check


def path_option(metavar: str, help: str) -> Any:
    """An option that is a path."""
    return typer.Option(parser=path_named, metavar=metavar, help=help)


def games_option(most: int, why: str, help: str, least: int = 1, default: str | bool = True) -> Any:
    """An option that says how many games, or deals, are played; `default` may tell where the number comes from."""
    return typer.Option(min=least, callback=at_most(most, why), help=help, show_default=default)


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
        raise typer.BadParameter(f"{value} is no time to wait: seconds go from 0 to {MOST_SECONDS:,.0f}, a week.")
    return value


def path_named(text: str) -> Path:
    """A path; an empty one, as an unset variable of a shell gives, would mean the current folder."""
    some_path(text)
    return Path(text)


def some_path(text: str | None) -> str | None:
    """The same for what need not be a path alone."""
    if text is not None and not text.strip():
        raise typer.BadParameter("The path is empty. Name a file or a folder; . is the current folder.")
    return text
