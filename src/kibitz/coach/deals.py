"""How hard a deal is: the scores of a fixed set of agents on it, compared with their scores on thousands of deals.

Every agent plays the deal with copies of itself; agents that roll dice play it several times. Each mean score is
standardised by the agent's mean and standard deviation over the deals of a table. The *difficulty* is the mean of
these, with the sign turned, so harder deals have higher numbers; its percentile is the share of the table's deals that
are easier. The table is a small file, which `kibitz deals measure` writes.

A table is JSON: `command`, `seed`, `deals`, `kibitz`, and by number of players `agents`, `means`, `deviations` and
`quantiles` (101 of the difficulty, from the easiest deal to the hardest).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz import __version__
from kibitz.arena.match import play_agents
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.deal_study import DealStudy, OpenCards
from kibitz.core.game import Game
from kibitz.engine.seeds import keys, number, numbers
from kibitz.errors import KibitzError

REPEATS = 8  # games of agents that roll dice
DICE = 20130606  # the seed of these dice, the same for every deal
QUANTILES = 101


class Scores(msgspec.Struct):
    """The scores over many deals, at one number of players."""

    agents: list[str]
    means: list[float]
    deviations: list[float]
    quantiles: list[float]


class Table(msgspec.Struct):
    """The scores of a game's agents over many deals, by number of players."""

    command: str
    seed: int
    deals: int
    kibitz: str
    players: dict[int, Scores]


@dataclass(frozen=True)
class Difficulty:
    """How hard a deal is."""

    percentile: float  # of the table's deals, the share that are easier, in per cent
    value: float
    scores: Mapping[str, float]  # the mean score of every agent on it
    usual: Mapping[str, float]  # and over the deals of the table
    deals: int  # in the table

    def __str__(self) -> str:
        if self.percentile >= 50:
            return f"harder than {self.percentile:.0f} % of {self.deals:,} deals"
        return f"easier than {100 - self.percentile:.0f} % of {self.deals:,} deals"


def study_of(game: Game) -> DealStudy:
    if game.deals is None:
        known = ", ".join(each.name for each in registry.games() if each.deals is not None)
        raise KibitzError(f"How hard a deal of {game.title} is cannot be said. It can for {known}.")
    return game.deals


def agents_of(game: Game) -> list[CompiledAgent]:
    found = (registry.agent(game, name) for name in study_of(game).agents)
    return [agent for agent in found if isinstance(agent, CompiledAgent)]


def mean_scores(game: Game, agent: CompiledAgent, players: int, cards: Any, start: Any = None) -> Any:
    """The mean score of an agent on every deal, over the same dice."""
    repeats = REPEATS if agent.traits.random else 1
    total = np.zeros(len(cards))
    for repeat in range(repeats):
        dice = np.full(len(cards), number(keys(DICE).dice, repeat), np.int64)
        chunk = play_agents(game, [agent] * players, study_of(game).rules, cards, dice, start=start)
        if chunk.failure:
            raise KibitzError(chunk.failure)
        total += game.scores(chunk.results)[0]
    return total / repeats


def measure(game: Game, players: int, deals: int, seed: int) -> Scores:
    """Play many deals, and describe the scores."""
    cards = numbers(keys(seed).deal, 0, deals)
    agents = agents_of(game)
    scores = np.array([mean_scores(game, agent, players, cards) for agent in agents])
    means, deviations = scores.mean(axis=1), np.maximum(scores.std(axis=1), 1e-9)
    values = difficulty_of(scores.T, means, deviations)
    quantiles = np.quantile(values, np.linspace(0.0, 1.0, QUANTILES))
    named = [agent.name for agent in agents]
    return Scores(named, *([round(float(each), 4) for each in part] for part in (means, deviations, quantiles)))


def difficulty_of(scores: Any, means: Any, deviations: Any) -> Any:
    return -((scores - means) / deviations).mean(axis=-1)


def measure_all(game: Game, deals: int, seed: int, command: str) -> Table:
    found = {players: measure(game, players, deals, seed) for players in game.players}
    return Table(command, seed, deals, __version__, found)


def write(path: Path, table: Table) -> None:
    from kibitz.core.whole_files import write_whole

    write_whole(path, msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n", folders=False)


@cache
def table_of(game_name: str) -> Table:
    """The table that comes with a game."""
    path = study_of(registry.game(game_name)).table
    try:
        return msgspec.json.decode(path.read_bytes(), type=Table)
    except (OSError, msgspec.MsgspecError) as error:
        raise KibitzError(f"{path} cannot be read: {error}. `kibitz deals measure` writes it.") from None


def difficulty(game: Game, start: Any) -> Difficulty:
    """How hard a deal is; `start` is the state at its start, as an array of one. The table's rules apply."""
    table = table_of(game.name)
    players = int(start[0]["players"])
    start = start.copy()
    start[0]["rules"] = game.rule_bits(game.check_rules(study_of(game).rules))
    known = table.players[players]
    one = np.zeros(1, np.int64)
    scores = np.array([mean_scores(game, agent, players, one, start)[0] for agent in agents_of(game)])
    value = float(difficulty_of(scores, np.array(known.means), np.array(known.deviations)))
    return Difficulty(
        percentile_of(known.quantiles, value), value, dict(zip(known.agents, map(float, scores), strict=True)),
        dict(zip(known.agents, known.means, strict=True)), table.deals,
    )  # fmt: skip


def percentile_of(quantiles: Sequence[float], value: float) -> float:
    """The share of deals with a lower difficulty, in per cent; halfway where several quantiles are equal."""
    low, high = bisect_left(quantiles, value), bisect_right(quantiles, value)
    if low == high and 0 < low < len(quantiles):
        below, above = quantiles[low - 1], quantiles[low]
        return float(100 * (low - 1 + (value - below) / (above - below)) / (len(quantiles) - 1))
    return float(100 * min((low + high) / 2, len(quantiles) - 1) / (len(quantiles) - 1))


def open_cards(game: Game, start: Any) -> OpenCards:
    """Whether the best result was possible with open cards, from the start of a game (an array of one state)."""
    return study_of(game).open_cards(start[0])
