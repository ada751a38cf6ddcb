"""Shared by the commands: output, progress bars and common options."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from kibitz.cli import limits

if TYPE_CHECKING:
    from kibitz.core.agent import Agent, Decision, Player
    from kibitz.core.game import Game
    from kibitz.engine.seat import Budget

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)  # progress and errors, so that output stays readable by programs

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `kibitz games` lists them.")]
AgentNames = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT...",
        help="One agent per seat, in order: a name from `kibitz agents`, path/to/my_bot.py:MyBot, or "
        "path/to/my_list.toml. Append @weights.toml or @NAME=NUMBER to set weights, @500 or @50ms to set iterations or "
        "search time per move.",
    ),
]
Players = Annotated[int | None, typer.Option(min=1, help="With one agent: number of its copies at the table.")]
Seed = Annotated[int, typer.Option(callback=limits.seed, help="Random seed: the same seed gives the same deals.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=limits.at_most(limits.MOST_JOBS, "as each may be a process"),
        show_default="all cores",
        help="Number of workers. It does not change the result.",
    ),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="Set a rule; `kibitz games` lists the rules and their own options. Repeatable.",
    ),
]


def text_or_file(text: str | None) -> str | None:
    """A position, or the contents of the file with that name."""
    if text is None or not os.path.isfile(text):  # noqa: PTH113 (a Path complains of a text that is too long for one)
        return text
    try:
        return Path(text).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{text} cannot be read: {error}.") from None


Start = Annotated[
    str | None,
    typer.Option(
        "--start", "--fen",
        metavar="TEXT",
        callback=text_or_file,
        help="Start every game from this position: FEN for board games, PBN for bridge, or the name of a file that "
        "contains it.",
    ),
]  # fmt: skip
ThinkMs = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=limits.at_most(limits.MOST_THINKING, "one minute per move"),
        metavar="T",
        help="Search time per move in milliseconds (not reproducible).",
    ),
]
Iterations = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=limits.at_most(limits.MOST_ITERATIONS, "as they are held in memory"),
        metavar="N",
        help="Search iterations per move (reproducible).",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=64,
        metavar="PLIES",
        help="Search depth in moves, for agents that search every line of play (reproducible).",
    ),
]
BotSeconds = Annotated[
    float,
    typer.Option(
        min=0,
        callback=limits.seconds,
        metavar="S",
        help="Time limit per move of your Python bots in seconds, six times that to load and to take a seat; 0 "
        "disables it. Built-in agents have no time limit.",
    ),
]
BOT_SECONDS = 10.0  # as in `kibitz.bots.players`, which is not loaded only to show help
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def complain(message: str) -> None:
    err.print(f"[bold red]kibitz:[/] {plain(message)}", soft_wrap=True)


def plain(text: str) -> str:
    """Text from elsewhere, without markup and escape sequences."""
    from rich.markup import escape

    return escape("".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text))


def counted(number: int, noun: str) -> str:
    """`1 game`, `1,000 games`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def speed_text(games_per_second: float) -> str:
    """`250,000 games per second`, `0.12 games per second`; nothing if no game was played."""
    if games_per_second <= 0:
        return ""
    return (
        f"{games_per_second:,.0f} games per second"
        if games_per_second >= 10
        else (f"{games_per_second:.2g} games per second")
    )


def print_json(value: Any) -> None:
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(value, indent=2, ensure_ascii=not unicode))


def write_any_text() -> None:
    """Print a question mark for characters that the terminal or pipe cannot encode."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def workers(jobs: int | None) -> int:
    if jobs:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chosen_rules(rules: Sequence[str] | None) -> dict[str, str]:
    from kibitz.errors import KibitzError

    chosen: dict[str, str] = {}
    for rule in rules or ():
        name, equals, value = (part.strip() for part in rule.partition("="))
        if not equals:
            raise typer.BadParameter(
                f"{rule!r} is not NAME=VALUE. `kibitz games` lists the rules.", param_hint="--rule"
            )
        if chosen.setdefault(name, value) != value:
            raise KibitzError(f"The rule {name} is set to both {chosen[name]} and {value}. Use one of them.")
    return chosen


def chosen_start(game: "Game", text: str | None, players: int, rules: Mapping[str, str]) -> Any:
    """The start position, as an array of one state; None if games are dealt."""
    from kibitz.errors import KibitzError

    try:
        return None if text is None else game.start_at(text, players, rules)
    except KibitzError as error:
        raise typer.BadParameter(str(error), param_hint="--start") from None


def chosen_budget(think_ms: int | None, iterations: int | None, depth: int | None = None) -> "Budget | None":
    from kibitz.engine.seat import Budget
    from kibitz.errors import KibitzError

    named = {"--think-ms": think_ms, "--iterations": iterations, "--depth": depth}
    given = [name for name, value in named.items() if value]
    if len(given) > 1:
        raise KibitzError(f"{' and '.join(given)} exclude each other. Use one of them.")
    return Budget(iterations or 0, think_ms or 0, depth or 0) if given else None


def with_budget(agent: "Agent", budget: "Budget | None") -> "Agent":
    """The agent with a search budget, if it is compiled."""
    from kibitz.core.agent import CompiledAgent

    return agent.with_budget(budget) if budget is not None and isinstance(agent, CompiledAgent) else agent


def seated(game: "Game", names: Sequence[str], players: int | None) -> tuple[str, ...]:
    """One agent per seat: all named, one for all seats, or one for each side of partners."""
    from kibitz.errors import KibitzError

    if game.sides and len(names) == game.sides:
        names = list(names) * (game.check_players(players or game.usual_players) // game.sides)
    if len(names) == 1 and players is not None:
        names = list(names) * game.check_players(players)
    if players is not None and len(names) != players:
        raise KibitzError(f"Got {len(names)} agents for {players} players. Name one per seat, or a single one for all.")
    if len(names) == 1:
        raise KibitzError(
            f"A table needs more than one agent. Add --players N ({game.title} has {game.players[0]} to "
            f"{game.players[-1]} players), or name one agent per seat."
        )
    game.check_players(len(names))
    return tuple(names)


class Words(ProgressColumn):
    """A column whose text is computed at every refresh."""

    def __init__(self, words: Callable[[], str]) -> None:
        super().__init__()
        self.words = words

    def render(self, task: Any) -> Text:
        return Text(self.words())


@contextmanager
def patience(words: str, so_far: Callable[[], str] = str) -> Iterator[None]:
    """Show a spinner with the elapsed time and the progress if the body takes long."""
    status = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), Words(so_far), TimeElapsedColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
    status.add_task(words, total=None)
    timer = Timer(0.7, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


class Thinker:
    """A player that shows a spinner while it thinks."""

    def __init__(self, player: "Player", name: str) -> None:
        self.player, self.name = player, name
        self.agent, self.remembers = player.agent, player.remembers

    def observe(self, view: Any) -> None:
        self.player.observe(view)

    def decide(self, view: Any) -> "Decision":
        with patience(f"{self.name} is thinking…", self.so_far):
            return self.player.decide(view)

    def so_far(self) -> str:
        done, of = getattr(self.player, "progress", (0, 0))
        return f"{done} of {of}" if of else ""

    def copy(self) -> "Thinker":
        return Thinker(self.player.copy(), self.name)


COMPILING = "Loading and compiling (slow only the first time)…"


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
