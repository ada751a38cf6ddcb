"""What the tests of every game share: its rules in every way, tables, and many games at once."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core import seeds
from kibitz.core.agent import Agent, seats_of
from kibitz.core.game import Game
from kibitz.core.loop import MEMORY, WORLD, play_games
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


def seated(game: Game, agents: Sequence[Agent], start: Any) -> Table:
    return Table(game, [agent.take_seat(game) for agent in agents], start)


class Games(NamedTuple):
    """What the loop played: how many games went to their end, their results, every decision, and the last state."""

    done: int
    results: Any
    logs: Any
    last: Any


def played(game: Game, agents: Sequence[Agent], games: int, rules: dict[str, str], seed: int) -> Games:
    """Games 0 and on of a seed, at a table of these agents, in the compiled loop."""
    deals, dice = (seeds.numbers(key, 0, games) for key in seeds.keys(seed))
    results = np.zeros((games, game.width), np.int64)
    logs = np.full((games, game.longest), -1, np.int64)
    pair = np.zeros(2, game.dtype)
    done = play_games(
        pair, seats_of(game, agents), np.zeros(game.most_seats, MEMORY),
        len(agents), game.rule_bits(rules), deals, dice, results, logs,
    )  # fmt: skip
    return Games(int(done), results, logs, pair[WORLD])
