"""Check the arguments of the public functions, before anything is loaded or compiled for long."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import index
from typing import Any, Protocol

from kibitz.bots import players as bots
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.game import Game
from kibitz.engine.seat import Budget
from kibitz.errors import ArgumentError, KibitzError
from kibitz.text import fit

MOST_GAMES = 10**7  # the results of all games are held in memory
MOST_JOBS = 512
MOST_SEED = (1 << 63) - 1
MOST_ITERATIONS = 10**7
MOST_MILLISECONDS = 60_000
MOST_PLIES = 64
MOST_SECONDS = 7 * 24 * 3600


class Decides(Protocol):
    """An object with a method `decide`, as agents in Python have it."""

    def decide(self, view: Any, /) -> Any: ...


# The name of an agent, an agent, a function from a view to a move, or a class or an instance with a method `decide`.
AgentLike = str | Agent | Callable[..., Any] | Decides


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number in a range; NumPy's are allowed."""
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        shown = fit(repr(value), 40)
        raise ArgumentError(f"`{name}` is {shown}, but must be a whole number from {least:,} to {most:,}.")
    return number


def seed_of(value: Any) -> int:
    return whole("seed", value, -MOST_SEED - 1, MOST_SEED)


def jobs_of(value: Any) -> int:
    """The number of workers, by default one per core."""
    if value is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return whole("jobs", value, 1, MOST_JOBS)


def seconds_of(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
        raise ArgumentError(f"`bot_seconds` is {value!r}, but must be a number from 0, for no limit, to a week.")
    return float(value)


def game_of(game: Any) -> Game:
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise ArgumentError(f"`game` is {fit(repr(game), 80)}, but must be a name, such as 'hanabi'.")
    return registry.game(game)


def rules_of(game: Game, rules: Any) -> dict[str, str]:
    """All rules with their choices."""
    if rules is None:
        return game.check_rules({})
    if not isinstance(rules, Mapping) or not all(isinstance(each, str) for pair in rules.items() for each in pair):
        example = f"{{{game.rules[0].name!r}: {game.rules[0].choices[-1]!r}}}" if game.rules else "{}"
        raise ArgumentError(f"`rules` is {fit(repr(rules), 80)}, but must map names to choices, as in {example}.")
    try:
        return game.check_rules(rules)
    except ArgumentError:
        raise
    except KibitzError as error:
        raise ArgumentError(str(error)) from None


def budget_of(think_ms: Any, iterations: Any, depth: Any) -> Budget | None:
    """The search budget of a move; at most one of the three can be given."""
    given = {"think_ms": think_ms, "iterations": iterations, "depth": depth}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ArgumentError(f"`{'` and `'.join(named)}` exclude each other. Use one of them.")
    limits = {"think_ms": MOST_MILLISECONDS, "iterations": MOST_ITERATIONS, "depth": MOST_PLIES}
    found = {name: whole(name, given[name], 1, limits[name]) for name in named}
    budget = Budget(found.get("iterations", 0), found.get("think_ms", 0), found.get("depth", 0))
    return budget if named else None


def with_budget(agent: Agent, budget: Budget | None) -> Agent:
    return agent.with_budget(budget) if budget is not None and isinstance(agent, CompiledAgent) else agent


def several(agents: Any) -> list[Any]:
    """A list of agents; a single one makes a list of one."""
    if isinstance(agents, str | Agent) or not isinstance(agents, Iterable) or callable(getattr(agents, "decide", None)):
        return [agents]
    return list(agents)


def players_of(game: Game, players: Any) -> int:
    return game.check_players(whole("players", players, game.players[0], game.players[-1]))


def seats_of(game: Game, agents: Sequence[Any], players: Any) -> list[Any]:
    """An agent for every seat: all named, one for all seats, or one for each side of partners."""
    named = list(agents)
    if not named:
        raise ArgumentError("`agents` is empty. Name an agent for every seat, or one for all.")
    count = None if players is None else players_of(game, players)
    if len(named) == 1:
        return named * (count or game.usual_players)
    if game.sides and len(named) == game.sides:
        return named * ((count or game.usual_players) // game.sides)
    if count is not None and len(named) != count:
        raise ArgumentError(
            f"`agents` names {len(named)} agents for {count} players. Name one for every seat, or a single one for all."
        )
    if len(named) not in game.players:
        fewest, most = game.players[0], game.players[-1]
        seats = f"{fewest} to {most}" if fewest < most else f"{fewest}"
        raise ArgumentError(f"`agents` names {len(named)} agents, but {game.title} is for {seats} players.")
    return named


def check_name(name: str) -> str:
    if not name.strip():
        raise ArgumentError("The name of an agent is empty. `kibitz.agents(game)` lists the agents of a game.")
    return name


@contextmanager
def loading() -> Iterator[None]:
    """An agent that cannot be loaded is a wrong argument."""
    try:
        yield
    except KibitzError as error:
        if type(error) is not KibitzError:
            raise
        raise ArgumentError(str(error)) from error


def known(game: Game, name: str, seconds: float = bots.BOT_SECONDS) -> Agent:
    """An agent by its name. Somebody's Python file is loaded in a process of its own."""
    with loading():
        return bots.known(game, check_name(name), seconds)


def check_start(game: Game, start: Any, players: int, rules: Mapping[str, str]) -> Any:
    """The position that every game begins with, as an array of one state; None if games are dealt."""
    if start is None:
        return None
    if not isinstance(start, str):
        raise ArgumentError(f"`start` is {fit(repr(start), 80)}, but must be a position in the notation of the game.")
    try:
        return game.start_at(start, players, rules)
    except KibitzError as error:
        raise ArgumentError(f"`start` cannot be used: {error}") from None
