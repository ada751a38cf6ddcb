"""Compiled games of candidates that are in no registry, on any number of threads.

Deal *i* of a seed has the same cards and dice for every candidate, so candidates are compared on the same deals;
holdout deals have numbers that no candidate has played.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kibitz.arena.code_version import code_version
from kibitz.arena.match import GameChunk, Match, play_agents
from kibitz.arena.worth import worth
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_stream, set_dice
from kibitz.engine.loop import move_of, reason_of
from kibitz.engine.seeds import keys, numbers
from kibitz.errors import KibitzError

Job = TypeVar("Job")
Done = TypeVar("Done")


class Deals(NamedTuple):
    """Deals of a seed: the numbers that cards and dice are drawn from."""

    cards: Any
    dice: Any

    def part(self, first: int, step: int) -> "Deals":
        """Every `step`-th deal."""
        return Deals(self.cards[first::step], self.dice[first::step])

    def __len__(self) -> int:
        return len(self.cards)


@dataclass(frozen=True)
class Evaluator:
    """Plays candidates at tables of one size, with the deals of one seed."""

    game: Game
    players: int
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0

    @cached_property
    def rule_bits(self) -> int:
        return self.game.rule_bits(self.game.check_rules(self.rules))

    def deals(self, first: int, count: int) -> Deals:
        return Deals(*(numbers(stream, first, count) for stream in keys(self.seed)))

    def play(self, agents: Sequence[CompiledAgent], deals: Deals, keeps: bool = False) -> GameChunk:
        """Play some deals with one agent per seat; with `keeps`, also return the decisions."""
        played = play_agents(self.game, agents, self.rules, *map(np.ascontiguousarray, deals), keeps=keeps)
        if played.failure:
            raise KibitzError(f"A game failed: {played.failure}")
        return played

    def worth(self, agent: CompiledAgent, other: CompiledAgent, deals: Deals) -> Any:
        """The worth of each deal to an agent among copies of another; the agent's seat rotates from deal to deal."""
        found = np.zeros(len(deals))
        for seat in range(min(self.players, len(deals))):
            seated = [agent if place == seat else other for place in range(self.players)]
            results = self.play(seated, deals.part(seat, self.players)).results
            found[seat :: self.players] = worth(self.game, results, seat, self.players)
        return found

    def reasons_used(self, agent: CompiledAgent, others: Sequence[CompiledAgent], deals: Deals) -> Any:
        """How often an agent gives each of its reasons, with its copies and with each of `others`."""
        counts = np.zeros(REASONS, np.int64)
        for other in (agent, *others):
            seats = [agent] + [other] * (self.players - 1)
            logs = self.play(seats, deals, keeps=True).decisions
            pair = np.zeros(2, self.game.dtype)
            everybody = (1 << self.players) - 1
            count_reasons(pair, self.players, self.rule_bits, *deals, logs, everybody if other is agent else 1, counts)
        return counts[: len(agent.reasons)]


REASONS = 256  # the most that a decision can encode


@compiled
def count_reasons(
    pair: Any, players: int, rules: int, deals: Any, dice: Any, logs: Any, seats: int, counts: Any
) -> None:
    """Replay games from their decisions, and count the reasons given by the seats in a mask."""
    state = pair[0]
    for game in range(deals.shape[0]):
        generic.deal(state, players, rules, deals[game])
        set_dice(state, dice[game])
        generic.resolve_chance(state, chance_stream(state))
        while generic.to_move(state) >= 0:
            decided = logs[game][generic.turns(state)]
            if seats >> generic.to_move(state) & 1:
                counts[reason_of(decided)] += 1
            generic.apply(state, move_of(decided))
            generic.resolve_chance(state, chance_stream(state))


def version_of(game: Game, agents: Sequence[CompiledAgent]) -> str:
    """A digest of the rules and of the agents' code: a checkpoint cannot be resumed after an edit."""
    return code_version(Match.of(game, agents, 1, 0))


def compiled_agent(game: Game, text: str) -> CompiledAgent:
    """A compiled agent by its name."""
    return as_compiled(registry.agent(game, text))


def as_compiled(agent: Agent) -> CompiledAgent:
    if not isinstance(agent, CompiledAgent):
        raise KibitzError(
            f"{agent.name} is a Python class, which is too slow to breed with. Name compiled agents: built-in "
            f"ones (`kibitz agents` lists them), rule lists, or compiled functions in a file."
        )
    return agent


class Workers:
    """A pool of threads."""

    def __init__(self, jobs: int) -> None:
        self.executor = ThreadPoolExecutor(jobs) if jobs > 1 else None

    def __call__(self, do: Callable[[Job], Done], jobs: Iterable[Job]) -> Iterator[Done]:
        """The results of the jobs, in order."""
        return self.executor.map(do, jobs) if self.executor is not None else map(do, jobs)


@contextmanager
def on_threads(jobs: int) -> Iterator[Workers]:
    """A pool of `jobs` threads. Machine code cannot be interrupted, so on exit nothing waits for unfinished games."""
    workers = Workers(jobs)
    try:
        yield workers
    finally:
        if workers.executor is not None:
            workers.executor.shutdown(wait=False, cancel_futures=True)
