"""Matches: the same deals for whoever plays them, on any number of workers, with nothing lost on the way.

Tables of compiled agents run on threads, in machine code. A Python agent, or a wish for the records
of the games, brings the table in Python, which runs on processes.
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from multiprocessing import get_context
from typing import Any

import numpy as np

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, seats_of
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.loop import MEMORY, move_of, play_games, turns_made, whose_turn
from kibitz.core.record import Record
from kibitz.core.seeds import keys, numbers
from kibitz.core.table import Table

COMPILED_CHUNK, PYTHON_CHUNK = 2000, 20  # games a worker plays before it reports


@dataclass(frozen=True)
class Match:
    """What is to be played. It can be sent to another process, and played again to the same result."""

    game_name: str
    seats: tuple[str, ...]
    games: int
    seed: int
    rules: dict[str, str] = field(default_factory=dict)
    records: bool = False  # whether every game is to be recorded, with reasons

    @cached_property
    def game(self) -> Game:
        return registry.game(self.game_name)

    @cached_property
    def agents(self) -> tuple[Agent, ...]:
        return tuple(registry.agent(self.game, name) for name in self.seats)

    @property
    def compiled(self) -> bool:
        return not self.records and all(isinstance(agent, CompiledAgent) for agent in self.agents)

    def __getstate__(self) -> dict[str, Any]:
        """What is sent to another process: the names, for it to load the agents by."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def prepared(self) -> "Match":
        """The same match, checked, its rules complete, its agents loaded and compiled."""
        self.game.check_players(len(self.agents))
        match = replace(self, rules=self.game.check_rules(self.rules))
        play_chunk(match, 0, 0)
        return match


@dataclass
class Batch:
    """Games that were played, in order: a row of the game's result columns each, and records if asked for."""

    first: int
    results: Any
    records: list[bytes] = field(default_factory=list)
    failure: str = ""  # why the game after these could not be played to its end

    @property
    def games(self) -> int:
        return len(self.results)


def play_chunk(match: Match, first: int, count: int) -> Batch:
    return play_compiled(match, first, count) if match.compiled else play_in_python(match, first, count)


def play_compiled(match: Match, first: int, count: int) -> Batch:
    game, key = match.game, keys(match.seed)
    pair, memories = np.zeros(2, game.dtype), np.zeros(game.most_seats, MEMORY)
    results, log = np.zeros((count, game.width), np.int64), np.zeros((1, game.longest), np.int64)
    done = play_games(
        pair, seats_of(game, match.agents), memories, len(match.seats), game.rule_bits(match.rules),
        numbers(key.deal, first, count), numbers(key.dice, first, count), results, log,
    )  # fmt: skip
    if done == count:
        return Batch(first, results)
    seat, turn = int(whose_turn(pair)), int(turns_made(pair))
    move = int(move_of(log[0][turn]))
    failure = (
        f"{match.seats[seat]} at seat {game.seat_name(seat)}, turn {turn + 1}, decided on an illegal move ({move})."
    )
    return Batch(first, results[:done], failure=f"Game {first + done}: {failure}")


def play_in_python(match: Match, first: int, count: int) -> Batch:
    game, key = match.game, keys(match.seed)
    results: list[Any] = []
    records: list[bytes] = []
    for number in range(first, first + count):
        try:
            players = [agent.take_seat(game, explains=match.records) for agent in match.agents]
            table = Table(game, players, game.deal(key, number, len(players), match.rules))
            table.run()
            results.append(game.row(table.state))
        except KibitzError as error:
            return Batch(first, as_rows(game, results), records, failure=f"Game {number}: {error}")
        if match.records:
            records.append(Record.of(table, list(match.seats), match.rules, match.seed, number).dump())
    return Batch(first, as_rows(game, results), records)


def as_rows(game: Game, results: list[Any]) -> Any:
    return np.array(results, np.int64).reshape(len(results), game.width)


def play(match: Match, jobs: int = 1, first: int = 0) -> Iterator[Batch]:
    """Play a prepared match from game `first` on: batches in the order of the games.

    The last batch of a match in which an agent failed says why, and holds the games before that one.
    """
    size = COMPILED_CHUNK if match.compiled else PYTHON_CHUNK
    chunks = iter([(start, min(size, match.games - start)) for start in range(first, match.games, size)])
    with workers(match, jobs) as executor:
        waiting: deque[Future[Batch]] = deque()
        for start, count in chunks:
            waiting.append(executor.submit(play_chunk, match, start, count))
            if len(waiting) >= 2 * jobs:
                break
        while waiting:
            batch = waiting.popleft().result()
            yield batch
            if batch.failure:
                break
            for start, count in chunks:
                waiting.append(executor.submit(play_chunk, match, start, count))
                break


@contextmanager
def workers(match: Match, jobs: int) -> Iterator[Executor]:
    executor: Executor
    if match.compiled or jobs == 1:
        executor = ThreadPoolExecutor(jobs)
    else:
        executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)
