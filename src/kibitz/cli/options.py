"""Arguments and options that several commands share, and what their values mean."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import limits

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor
    from kibitz.core.agent import Agent
    from kibitz.core.game import Game
    from kibitz.engine.seat import Budget

BOT_SECONDS = 10.0  # as in `kibitz.bots.players`, which is not loaded only to show help


def option(metavar: str, help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, metavar=metavar, help=help, **more)


def flag(name: str, help: str) -> Any:
    return typer.Option(name, help=help)


def file(metavar: str, help: str, **more: Any) -> Any:
    """An option that is a path."""
    return typer.Option(parser=limits.path_named, metavar=metavar, help=help, **more)


def output(metavar: str, help: str, **more: Any) -> Any:
    """The option for the file or folder that a command writes."""
    return typer.Option("--output", "-o", parser=limits.path_named, metavar=metavar, help=help, **more)


def count(help: str, most: int, why: str, least: int = 1, default: str | bool = True) -> Any:
    """An option for a number with an upper limit; `default` may describe where the number comes from."""
    return option("N", help, min=least, callback=limits.at_most(most, why), show_default=default)


def text_or_file(text: str | None) -> str | None:
    """A position, or the contents of the file with that name."""
    if text is None or not os.path.isfile(text):  # noqa: PTH113 (Path raises an error if the text is too long)
        return text
    try:
        return Path(text).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{text} cannot be read: {error}.") from None


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
Copies = Annotated[int | None, option("N", "With one agent: number of its copies at the table.", "--players", min=1)]
Players = Annotated[
    int | None, option("N", "Number of players.", "--players", min=1, show_default="fewest for the game")
]
Seed = Annotated[int, option("N", "Random seed: the same seed gives the same deals.", callback=limits.seed)]
Jobs = Annotated[
    int | None,
    option(
        "N",
        "Number of workers. It does not change the result.",
        min=1,
        callback=limits.at_most(limits.MOST_JOBS, "as each may be a process"),
        show_default="all cores",
    ),
]
Rules = Annotated[
    list[str] | None,
    option(
        "NAME=VALUE", "Set a rule; `kibitz games GAME` lists the rules and their own options. Repeatable.", "--rule"
    ),
]
RunName = Annotated[
    str | None,
    option(
        "NAME",
        "Name of the run, or the path of its folder.",
        "--run",
        callback=limits.some_path,
        show_default="from the command",
    ),
]
ClusterAddress = Annotated[
    str | None,
    option(
        "ADDRESS",
        "Play on the workers of the Dask scheduler at this address, such as tcp://127.0.0.1:8786. It does not change "
        "the result.",
        "--cluster",
        callback=limits.some_path,
        show_default="this computer",
    ),
]
Restart = Annotated[bool, flag("--restart", "Discard what an earlier, unfinished command played, and start again.")]
Start = Annotated[
    str | None,
    option(
        "TEXT",
        "Start position: FEN for board games, PBN for bridge, or a file that contains it.",
        callback=text_or_file,
    ),
]
After = Annotated[str, option("MOVES", "Moves, and dice rolls, that lead to the position.", show_default="none")]
ThinkMs = Annotated[
    int | None,
    option(
        "MS",
        "Search time per move in milliseconds (not reproducible).",
        min=1,
        callback=limits.at_most(limits.MOST_THINKING, "one minute per move"),
    ),
]
Iterations = Annotated[
    int | None,
    option(
        "N",
        "Search iterations per move (reproducible).",
        min=1,
        callback=limits.at_most(limits.MOST_ITERATIONS, "as they are held in memory"),
    ),
]
Depth = Annotated[
    int | None, option("PLIES", "Search depth in plies, for full-width searches (reproducible).", min=1, max=64)
]
BotSeconds = Annotated[
    float,
    option(
        "S",
        "Time limit per move of your Python bots in seconds; 0 disables it. Loading may take six times as long. "
        "Built-in agents have no time limit.",
        min=0,
        callback=limits.seconds,
    ),
]
HoldoutDeals = Annotated[
    int, option("N", "Holdout deals that choose the winner, and as many again to evaluate it.", min=2, max=10**6)
]
AsJson = Annotated[bool, flag("--json", "Print JSON.")]


def workers(jobs: int | None) -> int:
    if jobs:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def names(text: str | None) -> tuple[str, ...]:
    """The names in a list like A,B,C."""
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def chosen_rules(rules: Sequence[str] | None) -> dict[str, str]:
    from kibitz.errors import KibitzError

    chosen: dict[str, str] = {}
    for rule in rules or ():
        name, equals, value = (part.strip() for part in rule.partition("="))
        if not equals:
            raise typer.BadParameter(
                f"{rule!r} is not NAME=VALUE. `kibitz games GAME` lists the rules.", param_hint="--rule"
            )
        if chosen.setdefault(name, value) != value:
            raise KibitzError(f"The rule {name} is set to both {chosen[name]} and {value}. Use one of them.")
    return chosen


def rules_of_people(game: "Game", rules: Sequence[str] | None) -> dict[str, str]:
    """The rules people play by at a table, except for those that are chosen."""
    return game.check_rules({**game.table_rules, **chosen_rules(rules)})


def rules_text(rules: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in rules.items())


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


@contextmanager
def playing(jobs: int | None, cluster: str | None) -> "Iterator[int | Executor]":
    """Where games are played: the number of workers of this computer, or a cluster while the body runs."""
    if cluster is None:
        yield workers(jobs)
        return
    from kibitz.arena.cluster import Cluster
    from kibitz.cli.terminal import note

    if jobs is not None:
        raise typer.BadParameter("--jobs is for this computer; leave it out.", param_hint="--cluster")
    connected = Cluster(cluster, note)
    try:
        yield connected
    finally:
        connected.stop()


def loaded(game: "Game", name: str, budget: "Budget | None", seconds: float) -> "Agent":
    """An agent by name, with the search budget if it is compiled."""
    from kibitz.bots import players as bots
    from kibitz.core.agent import CompiledAgent

    agent = bots.known(game, name, seconds)
    return agent.with_budget(budget) if budget is not None and isinstance(agent, CompiledAgent) else agent


def named_seats(game: "Game", names: Sequence[str], players: int | None) -> tuple[str, ...]:
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
