"""The worth of weights deal by deal, on the same deals for every candidate, for paired comparisons.

In cooperative games, copies of the agent play together and a deal is worth its score. In competitive games, the agent
plays against copies of each opponent, every deal once per starting seat, and a deal is worth the agent's share of wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.match import ChunkSize, GameChunk, Match, can_search, play
from kibitz.arena.statistics import Estimate
from kibitz.arena.worth import worth
from kibitz.bots.players import BOT_SECONDS
from kibitz.core.agent import CompiledAgent, PythonAgent
from kibitz.core.game import Game
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor

Weighted = CompiledAgent | PythonAgent
Count = Callable[[int], object]  # called with the number of games played since the last call


def derived_seed(seed: int, *purpose: object) -> int:
    """A separate seed for each purpose: a result must not be evaluated on the deals that it was chosen on."""
    digest = blake2b(repr((seed, *purpose)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


class EvenChunks(ChunkSize):
    """Chunks that keep all workers busy until the last game."""

    most = 2_000

    def __init__(self, match: Match, games: int, jobs: int) -> None:
        super().__init__(match)
        self.games = max(self.per_deal, self.rounded(min(self.most, ceil(games / jobs) + self.per_deal - 1)))

    def learn(self, chunk: GameChunk) -> None:
        pass


@dataclass(frozen=True)
class Objective:
    """What tuning maximizes: the worth of deals to a candidate."""

    game: Game
    players: int
    rules: dict[str, str]
    against: tuple[str, ...] = ()  # opponents, in competitive games
    budget: Budget | None = None  # of searching agents
    bot_seconds: float = BOT_SECONDS
    jobs: "int | Executor" = 1

    def matches(self, agent: Weighted, seed: int, deals: int) -> list[Match]:
        if not self.game.competitive:
            return [self._match([agent] * self.players, seed, deals, False)]
        return [self._match([agent, *[other] * (self.players - 1)], seed, deals, True) for other in self.against]

    def _match(self, seats: Sequence[Any], seed: int, deals: int, mirror: bool) -> Match:
        match = Match.of(self.game, seats, deals, seed, rules=self.rules, mirror=mirror, bot_seconds=self.bot_seconds)
        if self.budget is None or not any(map(can_search, match.agents)):
            return match
        return Match.of(
            self.game, seats, deals, seed, rules=self.rules, mirror=mirror, budget=self.budget,
            bot_seconds=self.bot_seconds,
        )  # fmt: skip

    def play(self, agent: Weighted, seed: int, first: int, last: int, count: Count = lambda games: None) -> Any:
        """The worth of deals `first` to `last` (exclusive) of a seed to an agent, as an array."""
        matches = self.matches(agent, seed, last)
        return sum(self._by_deal(match.prepared(), first, count) for match in matches) / len(matches)

    def _by_deal(self, match: Match, first: int, count: Count) -> Any:
        done = first * match.games_a_deal
        found = []
        # A cluster's chunks are as long as a cluster needs.
        size = EvenChunks(match, match.games - done, self.jobs) if isinstance(self.jobs, int) else None
        for chunk in play(match, self.jobs, done, size):
            if chunk.failure:
                raise KibitzError(f"{chunk.failure} It sat at the table {', '.join(match.seats)}.")
            values = worth(self.game, chunk.results, 0, match.players, chunk.rotations)
            found.append(values.reshape(-1, match.games_a_deal).mean(axis=1))
            count(chunk.games)
        return np.concatenate(found) if found else np.zeros(0)


def paired(values: Any, others: Any) -> Estimate:
    """The mean difference over pairs of the same deal."""
    return Estimate.of(np.asarray(values) - np.asarray(others))
