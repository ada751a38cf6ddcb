"""Games of candidates that are in no registry, in machine code, on any number of threads.

Deals are counted through the seed: whoever plays deal *i* has the same cards and dice, so candidates are compared by
the same deals, and fresh deals are those with numbers that nobody has played yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kibitz.arena.code_version import code_version
from kibitz.arena.match import Match
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, check_memories, seats_of
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_stream, set_dice
from kibitz.engine.loop import move_of, play_games, reason_of, turns_made, whose_turn
from kibitz.engine.seeds import keys, numbers
from kibitz.errors import KibitzError

Job = TypeVar("Job")
Done = TypeVar("Done")


class Deals(NamedTuple):
    """Some deals of a seed: the streams that cards and dice come from."""

    cards: Any
    dice: Any

    def part(self, first: int, step: int) -> "Deals":
        """Every so many of them."""
        return Deals(self.cards[first::step], self.dice[first::step])

    def __len__(self) -> int:
        return len(self.cards)


@dataclass
class Played:
    results: Any  # a row a game
    logs: Any  # a row of decisions a game


@dataclass(frozen=True)
class Tables:
    """Tables of one game with so many players, by some rules."""

    game: Game
    players: int
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0

    @cached_property
    def rule_bits(self) -> int:
        return self.game.rule_bits(self.game.check_rules(self.rules))

    def deals(self, first: int, count: int) -> Deals:
        return Deals(*(numbers(stream, first, count) for stream in keys(self.seed)))

    def play(self, agents: Sequence[CompiledAgent], deals: Deals, keeps: bool = False) -> Played:
        """Let agents, one a seat, play some deals; decisions are kept if they are asked for."""
        game = self.game
        pair, seats = np.zeros(2, game.dtype), seats_of(game, agents)
        results = np.zeros((len(deals), game.width), np.int64)
        logs = np.full((max(len(deals), 1) if keeps else 1, game.longest), -1, np.int64)
        cards, dice = map(np.ascontiguousarray, deals)
        done = play_games(pair, seats, len(agents), self.rule_bits, cards, dice, results, logs)
        check_memories(agents, seats)
        if done < len(deals):
            seat, turn = int(whose_turn(pair)), int(turns_made(pair))
            move = int(move_of(logs[done % len(logs)][min(turn, game.longest - 1)]))
            raise KibitzError(
                f"{agents[seat].name} at seat {game.seat_name(seat)}, turn {turn + 1}, decided on an illegal move "
                f"({move}), or the game went on for more than {game.longest} moves."
            )
        return Played(results, logs)

    def worth(self, agent: CompiledAgent, other: CompiledAgent, deals: Deals) -> Any:
        """What an agent in one seat among copies of another comes to, deal by deal.

        It is the score that all reach together, or where somebody wins the share of the win. The agent changes its seat
        from deal to deal.
        """
        worth = np.zeros(len(deals))
        for seat in range(min(self.players, len(deals))):
            seated = [agent if place == seat else other for place in range(self.players)]
            part = deals.part(seat, self.players)
            worth[seat :: self.players] = self.values(self.play(seated, part).results, seat)
        return worth

    def values(self, results: Any, seat: int) -> Any:
        if not self.game.competitive:
            return self.game.scores(results)[0].astype(float)
        winners = self.game.winners(results)
        shared = np.array([int(mask).bit_count() for mask in winners])
        return np.where(shared == 0, 1 / self.players, (winners >> seat & 1) / np.maximum(shared, 1))

    def reasons_used(self, agent: CompiledAgent, others: Sequence[CompiledAgent], deals: Deals) -> Any:
        """How often an agent gives each of its reasons, with its copies and with each of some others."""
        counts = np.zeros(REASONS, np.int64)
        for other in (agent, *others):
            seats = [agent] + [other] * (self.players - 1)
            logs = self.play(seats, deals, keeps=True).logs
            pair = np.zeros(2, self.game.dtype)
            everybody = (1 << self.players) - 1
            count_reasons(pair, self.players, self.rule_bits, *deals, logs, everybody if other is agent else 1, counts)
        return counts[: len(agent.reasons)]


REASONS = 256  # a decision has room for so many


@compiled
def count_reasons(
    pair: Any, players: int, rules: int, deals: Any, dice: Any, logs: Any, seats: int, counts: Any
) -> None:
    """Play games again by their logs, and count the reasons that some seats, a mask, gave."""
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
    """A digest of the rules and of the code of agents: after an edit, a checkpoint is not gone on with."""
    return code_version(Match.of(game, agents, 1, 0))


def compiled_agent(game: Game, text: str) -> CompiledAgent:
    """An agent by its text, for games in machine code."""
    return as_compiled(registry.agent(game, text))


def as_compiled(agent: Agent) -> CompiledAgent:
    if not isinstance(agent, CompiledAgent):
        raise KibitzError(
            f"{agent.name} is a Python class, which is too slow to breed with. Name compiled agents: those of "
            f"`kibitz agents`, rule lists and compiled functions in a file."
        )
    return agent


class Workers:
    """So many threads."""

    def __init__(self, jobs: int) -> None:
        self.executor = ThreadPoolExecutor(jobs) if jobs > 1 else None

    def __call__(self, do: Callable[[Job], Done], jobs: Iterable[Job]) -> Iterator[Done]:
        """What comes of every job, in the order of the jobs."""
        return self.executor.map(do, jobs) if self.executor is not None else map(do, jobs)


@contextmanager
def on_threads(jobs: int) -> Iterator[Workers]:
    """Machine code cannot be stopped: whoever is interrupted does not wait for games that nobody wants any more."""
    workers = Workers(jobs)
    try:
        yield workers
    finally:
        if workers.executor is not None:
            workers.executor.shutdown(wait=False, cancel_futures=True)
