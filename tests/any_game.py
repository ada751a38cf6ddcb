"""What the tests of every game share: its rules in every way, tables, and many games at once."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.arena.match import Match, play_compiled
from kibitz.core.agent import Agent
from kibitz.core.game import Game
from kibitz.core.table import Table


def every_rules(game: Game) -> tuple[dict[str, str], ...]:
    """Every way to play a game by its rule options, the usual one first."""
    choices = itertools.product(*(rule.choices for rule in game.rules))
    return tuple(dict(zip((rule.name for rule in game.rules), chosen, strict=True)) for chosen in choices)


def named(value: Any) -> str:
    """How a parameter is called in a test's name."""
    if isinstance(value, Agent):
        return value.name
    return "-".join(value.values()) if isinstance(value, dict) else str(value)


def table_of(game: Game, agents: Sequence[Agent], start: Any) -> Table:
    return Table(game, [agent.take_seat(game) for agent in agents], start)


class Games(NamedTuple):
    """What the loop played: how many games went to their end, their results, every decision, and the last state."""

    done: int
    results: Any
    logs: Any
    last: Any


def played(game: Game, agents: Sequence[Agent], games: int, rules: dict[str, str], seed: int) -> Games:
    """Games 0 and on of a seed, at a table of these agents, in the compiled loop."""
    match = Match.of(game, agents, games, seed, rules=rules)
    stretch = play_compiled(match, 0, range(games), keeps=True)
    return Games(len(stretch.results), stretch.results, stretch.decisions, stretch.last)
