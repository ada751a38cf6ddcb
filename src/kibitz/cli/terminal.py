"""What the commands share: the terminal, progress, and the options that mean the same everywhere."""

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
err = Console(stderr=True, highlight=False)  # progress and complaints: what a program reads stays clean

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Which game; `kibitz games` lists them.")]
AgentNames = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT...",
        help="Who sits where, in the order of the seats: names from `kibitz agents`, path/to/my_bot.py:MyBot, "
        "or path/to/my_list.toml. Behind a name: @weights.toml or @NAME=NUMBER for other weights, @500 or @50ms for "
        "how long it searches.",
    ),
]
Players = Annotated[int | None, typer.Option(min=1, help="With one agent: how many copies of it play together.")]
Seed = Annotated[
    int, typer.Option(callback=limits.seed, help="Where the cards come from: the same seed, the same deals.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=limits.at_most(limits.MOST_JOBS, "as each may be a process"),
        show_default="all cores",
        help="Workers; the result does not depend on it.",
    ),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="A rule option; `kibitz games` lists them, and which also have an option of their own.",
    ),
]


def text_or_file(text: str | None) -> str | None:
    """A position as it is written, or what stands in the file of that name."""
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
        help="Begin with another position, as the game writes it: FEN in games on a board, PBN in bridge; or the name "
        "of a file in which it stands.",
    ),
]  # fmt: skip
ThinkMs = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=limits.at_most(limits.MOST_THINKING, "a minute a move"),
        metavar="T",
        help="Agents that search think so many milliseconds a move; repeats differ a little.",
    ),
]
Iterations = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=limits.at_most(limits.MOST_ITERATIONS, "as they are held in memory"),
        metavar="N",
        help="Instead: agents that search look so often into the future; repeats are the same.",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=64,
        metavar="PLIES",
        help="Instead, for agents that look at every line of play: so many moves ahead.",
    ),
]
BotSeconds = Annotated[
    float,
    typer.Option(
        min=0,
        callback=limits.seconds,
        metavar="S",
        help="Seconds that a Python bot of yours has for a move, and six times as many to load and to take a seat; 0 "
        "for no limit. Agents of kibitz take as long as they need.",
    ),
]
BOT_SECONDS = 10.0  # as in `kibitz.bots.players`, which is not loaded only to show help
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program instead of a table for a person.")]


def complain(message: str) -> None:
    err.print(f"[bold red]kibitz:[/] {plain(message)}", soft_wrap=True)


def plain(text: str) -> str:
    """Text that is not ours, with nothing in it that the terminal would take for markup or for an escape sequence."""
    from rich.markup import escape

    return escape("".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text))


def print_json(value: Any) -> None:
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(value, indent=2, ensure_ascii=not unicode))


def write_any_text() -> None:
    """Let every text be printed: what a terminal or a pipe has no letter for becomes a question mark."""
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
            raise typer.BadParameter(f"{rule!r} is not NAME=VALUE, as `kibitz games` lists them.", param_hint="--rule")
        if chosen.setdefault(name, value) != value:
            raise KibitzError(f"The rule {name} cannot be {chosen[name]} and {value} at once. Choose one of them.")
    return chosen


def chosen_start(game: "Game", text: str | None, players: int, rules: Mapping[str, str]) -> Any:
    """The position that games begin with, as an array of one state; None to deal them."""
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
        raise KibitzError(f"{' and '.join(given)} both say how long agents search. Use one of them.")
    return Budget(iterations or 0, think_ms or 0, depth or 0) if given else None


def with_budget(agent: "Agent", budget: "Budget | None") -> "Agent":
    """The agent of a single table on a budget, if it searches."""
    from kibitz.core.agent import CompiledAgent

    return agent.with_budget(budget) if budget is not None and isinstance(agent, CompiledAgent) else agent


def seated(game: "Game", names: Sequence[str], players: int | None) -> tuple[str, ...]:
    """The agents of every seat: as named, or one agent for all of them, or one for each side of partners."""
    from kibitz.errors import KibitzError

    if game.sides and len(names) == game.sides:
        names = list(names) * (game.check_players(players or game.usual_players) // game.sides)
    if len(names) == 1 and players is not None:
        names = list(names) * game.check_players(players)
    if players is not None and len(names) != players:
        raise KibitzError(f"{len(names)} agents are named for {players} players. Name one for each seat, or only one.")
    if len(names) == 1:
        raise KibitzError(
            f"One agent is not a table. Add --players N: {game.title} is for {game.players[0]} to {game.players[-1]}."
        )
    game.check_players(len(names))
    return tuple(names)


class Words(ProgressColumn):
    """What is said anew at every look."""

    def __init__(self, words: Callable[[], str]) -> None:
        super().__init__()
        self.words = words

    def render(self, task: Any) -> Text:
        return Text(self.words())


@contextmanager
def patience(words: str, so_far: Callable[[], str] = str) -> Iterator[None]:
    """Tell a person what takes so long, if it does, for how long it has, and how far it has come."""
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
    """An agent in a seat, of whom a person is told if it thinks for long."""

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


COMPILING = "Loading, and compiling for this machine; only the first time takes long…"


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
