"""What the commands share: the terminal, progress, and the options that mean the same everywhere."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from kibitz.core.agent import Budget
    from kibitz.core.game import Game

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)  # progress and complaints: what a program reads stays clean

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Which game; `kibitz games` lists them.")]
AgentNames = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT...",
        help="Who sits where, in the order of the seats: names from `kibitz agents`, path/to/my_bot.py:MyBot, "
        "or path/to/my_list.toml.",
    ),
]
Players = Annotated[int | None, typer.Option(min=1, help="With one agent: how many copies of it play together.")]
Seed = Annotated[int, typer.Option(help="Where the cards come from: the same seed, the same deals.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, show_default="all cores", help="Workers; the result does not depend on it.")
]
Rules = Annotated[
    list[str] | None, typer.Option("--rule", metavar="NAME=VALUE", help="A rule option; `kibitz games` lists them.")
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="round|game", help="What is played and counted in a game of rounds; the same as --rule unit=VALUE."
    ),
]
ThinkMs = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="T", help="Agents that search think so many milliseconds a move; repeats differ a little."
    ),
]
Iterations = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Instead: agents that search look so often into the future; repeats are the same."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program instead of a table for a person.")]


def complain(message: str) -> None:
    err.print(f"[bold red]kibitz:[/] {plain(message)}", soft_wrap=True)


def plain(text: str) -> str:
    """Text that is not ours, with nothing in it that the terminal would take for markup or for an escape sequence."""
    from rich.markup import escape

    return escape("".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text))


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def workers(jobs: int | None) -> int:
    if jobs:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chosen_rules(rules: Sequence[str] | None, game: "Game | None" = None, unit: str | None = None) -> dict[str, str]:
    chosen = {}
    for rule in rules or ():
        name, equals, value = rule.partition("=")
        if not equals:
            raise typer.BadParameter(f"{rule!r} is not NAME=VALUE, like lost_game=zero.", param_hint="--rule")
        chosen[name.strip()] = value.strip()
    if game and unit is not None:
        chosen["unit"] = chosen_unit(chosen, game, unit)
    return chosen


def chosen_unit(chosen: dict[str, str], game: "Game", unit: str) -> str:
    from kibitz.core.errors import KibitzError

    if "unit" not in {rule.name for rule in game.rules}:
        raise KibitzError(f"{game.title} is not a game of rounds, so there is no --unit to choose. Leave it out.")
    if chosen.get("unit", unit) != unit:
        raise KibitzError(f"--unit {unit} and --rule unit={chosen['unit']} say different things. Use one of them.")
    return unit


def chosen_budget(think_ms: int | None, iterations: int | None) -> "Budget | None":
    from kibitz.core.agent import Budget
    from kibitz.core.errors import KibitzError

    if think_ms and iterations:
        raise KibitzError("--think-ms and --iterations both say how long agents search. Use one of them.")
    return Budget(iterations or 0, think_ms or 0) if think_ms or iterations else None


def seated(game: "Game", names: Sequence[str], players: int | None) -> tuple[str, ...]:
    """The agents of every seat: as named, or one agent for all of them."""
    from kibitz.core.errors import KibitzError

    if len(names) == 1 and players is not None:
        names = list(names) * players
    if players is not None and len(names) != players:
        raise KibitzError(f"{len(names)} agents are named for {players} players. Name one for each seat, or only one.")
    if len(names) == 1:
        raise KibitzError(
            f"One agent is not a table. Add --players N: {game.title} is for {game.players[0]} to {game.players[-1]}."
        )
    game.check_players(len(names))
    return tuple(names)


@contextmanager
def patience(words: str) -> Iterator[None]:
    """Tell a person what takes so long, if it does."""
    status = err.status(words)
    timer = Timer(0.7, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


COMPILING = "Compiling for this machine; only the first time takes long…"


def progress_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not sys.stderr.isatty(),
    )
