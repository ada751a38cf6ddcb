"""Matches: many games on any number of workers, with the same deals for every agent.

Compiled agents play in machine code, on threads. Matches with Python agents or with records play at tables in Python,
in processes, which run in parallel and can be killed when a bot hangs.
"""

import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from kibitz.arena.rotation import FIRSTS, First, rotated
from kibitz.bots import players as bots
from kibitz.bots.players import BOT_SECONDS
from kibitz.bots.pool import PROCESSES
from kibitz.bots.process import GAME, TURN, BotProcess, BotStoppedError, Where, here
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, check_memories, seats_of
from kibitz.core.agent_faults import failed_seat, why_stopped
from kibitz.core.agent_spec import AgentSpec
from kibitz.core.game import Game
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.engine.loop import WORLD, play_games, play_games_from
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys, numbers
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor
    from kibitz.bots.worker import Worker


@dataclass(frozen=True)
class Match:
    """The definition of a match. It can be sent to another process, and always gives the same result."""

    game_name: str
    # In the order they are named; see `rotation` for where they sit. Agents and their specs are converted to names.
    seats: tuple[str, ...]
    deals: int
    seed: int
    rules: dict[str, str] = field(default_factory=dict)
    records: bool = False  # whether to record every game, with reasons
    first: First = "fixed"
    mirror: bool = False  # whether to play every deal once per starting seat
    budget: Budget | None = None  # of searching agents
    bot_seconds: float = BOT_SECONDS  # time limit per move of Python agents; 0 disables it
    specs: tuple[AgentSpec, ...] = ()  # from which another process makes the agents
    start: str | None = None  # the position that every game begins with, in the game's notation; else they are dealt
    # Objects of this process: neither compared nor sent.
    local_game: Game | None = field(default=None, compare=False, repr=False)
    given: Mapping[int, Agent] = field(default_factory=dict, compare=False, repr=False)  # agents by seat, not by name
    loaded: tuple[Agent, ...] = field(default=(), compare=False, repr=False)
    written: list[dict[str, Any] | None] | None = field(default=None, compare=False, repr=False)  # see `written_specs`

    @classmethod
    def of(cls, game: Game, agents: Sequence[str | AgentSpec | Agent], deals: int, seed: int, **more: Any) -> "Match":
        """A match of a game, between agents given as objects, specs or names."""
        return cls(game.name, tuple(agents), deals, seed, local_game=game, **more)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        given: Sequence[Any] = self.seats
        if self.specs:
            return
        agents = {seat: each for seat, each in enumerate(given) if isinstance(each, Agent)}
        object.__setattr__(self, "specs", tuple(registry.spec(self.game_name, each) for each in given))
        object.__setattr__(self, "seats", tuple(map(str, self.specs)))
        object.__setattr__(self, "given", agents)

    @cached_property
    def game(self) -> Game:
        return self.local_game or registry.game(self.game_name)

    @cached_property
    def agents(self) -> tuple[Agent, ...]:
        if self.loaded:
            return self.loaded
        found = [
            self.given.get(seat) or bots.known_by(self.game, spec, self.bot_seconds)
            for seat, spec in enumerate(self.specs)
        ]
        return self.with_budgets(found)

    def with_budgets(self, agents: Sequence[Agent]) -> tuple[Agent, ...]:
        if self.budget is None:
            return tuple(agents)
        return tuple(agent.with_budget(self.budget) if can_search(agent) else agent for agent in agents)

    @cached_property
    def start_array(self) -> Any:
        """The start position, as an array of one state; None if games are dealt."""
        return None if self.start is None else self.game.start_at(self.start, self.players, self.rules)

    @property
    def terms(self) -> dict[str, str]:
        """The rules and the start position, for display."""
        return self.rules if self.start is None else {**self.rules, "position": " ".join(self.start.split())}

    @property
    def said_start(self) -> dict[str, str]:
        """The start position as an entry of a summary; empty if games are dealt."""
        return {} if self.start is None else {"start": self.start}

    def plan(self) -> dict[str, Any]:
        """Everything that determines the games, for the head of a file of them."""
        plan = {name: getattr(self, name) for name in self._stored() if name not in ("bot_seconds", "specs", "start")}
        plan |= self.said_start
        specs = self.written_specs
        return {**plan, "agents": specs} if any(specs) else plan

    @cached_property
    def written_specs(self) -> list[dict[str, Any] | None]:
        """For every seat, what a record keeps besides its name, if anything. Elsewhere, it is that of this process."""
        return [spec.written() for spec in self.specs] if self.written is None else self.written

    @property
    def players(self) -> int:
        return len(self.seats)

    @cached_property
    def games_a_deal(self) -> int:
        """A mirrored deal is played once per starting seat; if partners are alike, once per side, as in duplicate
        bridge: exchanging partners would repeat the same games."""
        if not self.mirror:
            return 1
        sides = self.game.sides
        alike = sides and all(spec == self.specs[seat % sides] for seat, spec in enumerate(self.specs))
        return sides if alike else self.players

    @property
    def games(self) -> int:
        return self.deals * self.games_a_deal

    @cached_property
    def has_bots(self) -> bool:
        """Whether any agent is written in Python."""
        return not all(isinstance(agent, CompiledAgent) for agent in self.agents)

    @property
    def compiled(self) -> bool:
        return not self.records and not self.has_bots

    @property
    def made_here(self) -> bool:
        """Whether an agent was made in this program, so that no other process can make it."""
        return any(not agent.source for agent in self.given.values())

    @property
    def stays_here(self) -> bool:
        """Whether it must be played in this thread."""
        return not self.compiled and self.made_here

    @property
    def quick(self) -> bool:
        """Whether thousands of games take well under a second."""
        return self.compiled and not any(agent.traits.searches for agent in self.agents)

    def deal_of(self, games: Any) -> Any:
        """The deal of each game, by its number."""
        return games // self.games_a_deal

    def rotations(self, games: Any) -> Any:
        """The rotation of each game, by its number."""
        if self.mirror:
            return games % self.games_a_deal
        return games % self.players if self.first == "alternate" else 0 * games

    def __getstate__(self) -> dict[str, Any]:
        """Agents are sent as specs."""
        for agent in self.given.values():
            registry.described(self.game, agent)  # raises if it has no spec
        return {**{name: getattr(self, name) for name in self._stored()}, "given": {}, "written": self.written_specs}

    def _stored(self) -> list[str]:
        """The fields that mean the same in every process."""
        return [each.name for each in fields(self) if each.compare]

    def prepared(self) -> "Match":
        """The same match, checked, with complete rules and with its agents loaded and compiled."""
        self.game.check_players(self.players)
        self._check_seating()
        rules = self.game.check_rules(self.rules)
        match = replace(self, rules=rules, local_game=self.game, loaded=self.agents)
        _ = match.start_array  # refuses an invalid start before anything is compiled
        if self.budget is not None:
            somebody_searches(self.game, self.agents)
        if match.compiled:
            play_compiled(match, 0, [])
        else:
            for agent in filter(is_compiled, match.agents):
                agent.functions(match.game)
        return match

    def _check_seating(self) -> None:
        if self.first not in FIRSTS:
            raise KibitzError(f"`first` is {', '.join(FIRSTS[:-1])} or {FIRSTS[-1]}, not {self.first!r}.")
        if self.mirror and self.first != "fixed":
            raise KibitzError(
                f"A mirrored match plays every deal once per starting seat, so who begins cannot be {self.first} as "
                f"well. Leave one of the two out."
            )
        if not self.game.competitive and (self.mirror or self.first != "fixed"):
            raise KibitzError(
                f"{self.game.title} is cooperative: name the agents in seat order, without `first` and "
                f"without mirrored deals."
            )


def is_compiled(agent: Agent) -> TypeGuard[CompiledAgent]:
    return isinstance(agent, CompiledAgent)


def can_search(agent: Agent) -> TypeGuard[CompiledAgent]:
    return isinstance(agent, CompiledAgent) and agent.traits.searches


def somebody_searches(game: Game, agents: Sequence[Agent]) -> None:
    """Raise an error if no agent can use a search budget."""
    if not any(map(can_search, agents)):
        names = ", ".join(dict.fromkeys(agent.name for agent in agents))
        raise KibitzError(
            f"A search budget needs an agent that searches, and none of {names} does. "
            f"`kibitz agents {game.name}` shows which do."
        )


@dataclass
class GameChunk:
    """Consecutive games, up to the first one that failed."""

    results: Any  # one row per game
    records: list[bytes] = field(default_factory=list)  # if the match records games
    failure: str = ""  # why the game after these could not be finished
    first: int = 0  # number of the first game
    rotations: Any = None  # who begins, per game
    seconds: float = 0.0
    decisions: Any = None  # one row per game, if they were kept
    last: Any = None  # the state after the last game
    sums: Any = None  # instead of results, if only their sums were asked for
    count: int = -1  # of games, if their results are not here

    @property
    def games(self) -> int:
        return len(self.results) if self.count < 0 else self.count


CANARY = -(1 << 62)  # in the row after the results: rules that write too many results overwrite it
PlayDeals = Callable[[Match, int, Any], GameChunk]  # plays deals with one seating


def play_compiled(match: Match, rotation: int, deals: Any, keeps: bool = False) -> GameChunk:
    """Play deals of a match in the compiled loop. With `keeps`, also return the decisions and the last state."""
    cards, dice = (drawn(stream, np.asarray(deals, np.int64)) for stream in keys(match.seed))
    agents = [agent for agent in rotated(match.agents, rotation) if is_compiled(agent)]
    return play_agents(
        match.game, agents, match.rules, cards, dice,
        keeps=keeps, start=match.start_array, names=rotated(match.seats, rotation),
    )  # fmt: skip


def play_agents(
    game: Game, agents: Sequence[CompiledAgent], rules: Mapping[str, str], cards: Any, dice: Any, *,
    keeps: bool = False, start: Any = None, names: Sequence[str] = (),
) -> GameChunk:  # fmt: skip
    """Play one game per element of `cards` and `dice`, the numbers that deals and dice are drawn from."""
    pair, seats = np.zeros(2, game.dtype), seats_of(game, agents)
    results = np.zeros((len(cards) + 1, game.width), np.int64)
    results[-1] = CANARY
    log = np.full((max(len(cards), 1) if keeps else 1, game.longest), -1, np.int64)
    names, failure, finished = names or [agent.name for agent in agents], "", np.zeros(1, np.int64)
    try:
        if start is None:
            bits = game.rule_bits(game.check_rules(rules))
            play_games(pair, seats, len(agents), bits, cards, dice, results, log, finished)
        else:
            play_games_from(start, pair, seats, cards, dice, results, log, finished)
    except Exception as error:
        failure = failed_seat(game, agents, names, pair, seats, error)
    done = int(finished[0])
    check_memories(agents, seats)
    if (results[-1] != CANARY).any():
        raise KibitzError(f"The rules of {game.title} write more results than the {game.width} that it declares.")
    if done < len(cards) and not failure:
        failure = why_stopped(game, agents, names, pair, seats, log[done % len(log)])
    return GameChunk(results[:done], failure=failure, decisions=log if keeps else None, last=pair[WORLD])


def drawn(stream: int, deals: Any) -> Any:
    """The numbers of a stream for some deals, which are ascending and close together."""
    if not len(deals):
        return deals
    return numbers(stream, deals[0], deals[-1] - deals[0] + 1)[deals - deals[0]]


def play_in_python(
    match: Match, agents: Sequence[Agent], rotation: int, deals: Any,
    game_over: Callable[[Any, bytes], object], turn_begins: Callable[[int], object],
) -> str:  # fmt: skip
    """Play deals at a table in Python and report each finished game. Returns why the next one failed, or nothing."""
    game, key, seats = match.game, keys(match.seed), list(rotated(match.seats, rotation))
    for deal in map(int, deals):
        turn_begins(1)
        try:
            players = [agent.take_seat(game, explains=match.records) for agent in agents]
            table = Table(game, players, game.begin(key, deal, len(players), match.rules, match.start_array))
            for turn in table.steps():
                turn_begins(turn.number + 1)
        except KibitzError as error:
            return str(error)
        record = b""
        if match.records:
            specs = list(rotated(match.written_specs, rotation))
            record = Record.of(table, seats, match.rules, match.seed, deal, specs).dump()
        game_over(game.row(table.state), record)
    return ""


def chunk_of(match: Match, played: Sequence[tuple[Any, bytes]], failure: str) -> GameChunk:
    rows = np.array([row for row, _ in played], np.int64).reshape(len(played), match.game.width)
    return GameChunk(rows, [record for _, record in played] if match.records else [], failure)


def play_here(match: Match, rotation: int, deals: Any) -> GameChunk:
    """Play at a table in Python in this process, for trusted agents."""
    played: list[tuple[Any, bytes]] = []
    failure = play_in_python(
        match, rotated(match.agents, rotation), rotation, deals,
        lambda row, record: played.append((row, record)), lambda turn: None,
    )  # fmt: skip
    return chunk_of(match, played, failure)


def play_in_worker(worker: "Worker", where: Where, run: int, match: Match, rotation: int, deals: Sequence[int]) -> str:
    """In a worker process: play deals and report each finished game. Returns why the next one failed, or nothing.

    Agents are loaded again for every run, as their files may have changed.
    """
    worker.go_to(where)
    if run != worker.run:
        found = [worker.loaded(match.game, spec, seat) for seat, spec in enumerate(match.specs)]
        worker.run, worker.agents = run, match.with_budgets(found)

    def turn_begins(number: int) -> None:
        worker.calls.shared[TURN] = number

    def game_over(row: Any, record: bytes) -> None:
        worker.send(GAME, (row.tobytes(), record))

    agents = [worker.noted(match.game, agent, seat) for seat, agent in enumerate(rotated(worker.agents, rotation))]
    return play_in_python(match, agents, rotation, deals, game_over, turn_begins)


class PlayElsewhere:
    """Play at tables in Python in other processes. Games before one in which a bot is stopped count."""

    runs = itertools.count()

    def __init__(self) -> None:
        self.run_of: dict[object, int] = {}  # by what the agents are made from
        self.lock = threading.Lock()
        self.playing: set[BotProcess] = set()
        self.stopped = False

    def __call__(self, match: Match, rotation: int, deals: Any) -> GameChunk:
        played: list[tuple[Any, bytes]] = []
        with self.lock:
            run = self.run_of.setdefault((match.specs, match.budget), next(self.runs))
        try:
            with self._process() as process:
                process.ask(play_in_worker, here(), run, match, rotation, list(map(int, deals)))
                kind, message = process.answer(match.bot_seconds)
                while kind == GAME:
                    played.append((np.frombuffer(message[0], np.int64), message[1]))
                    kind, message = process.answer(match.bot_seconds)
        except BotStoppedError as error:
            return chunk_of(match, played, bots.stop_text(error, match.game, rotated(match.seats, rotation)))
        return chunk_of(match, played, message)

    @contextmanager
    def _process(self) -> Iterator[BotProcess]:
        with PROCESSES.borrowed() as process:
            self.playing.add(process)
            if self.stopped:
                process.kill()
            try:
                yield process
            finally:
                self.playing.discard(process)

    def stop(self) -> None:
        """Kill the processes that still play."""
        self.stopped = True
        for process in list(self.playing):
            process.kill()


def play_chunk(match: Match, first: int, count: int, play_deals: PlayDeals) -> GameChunk:
    """Play consecutive games. A mirrored deal counts only if all its games were played."""
    started = time.perf_counter()
    games = np.arange(first, first + count)
    deals, rotations = match.deal_of(games), match.rotations(games)
    results, records = np.zeros((count, match.game.width), np.int64), [b""] * count
    end, failure = count, ""
    for rotation in range(match.players):
        places = np.flatnonzero(rotations[:end] == rotation)
        part = play_deals(match, rotation, deals[places]) if len(places) else GameChunk(results[:0])
        done = len(part.results)
        results[places[:done]] = part.results
        for place, record in zip(places, part.records, strict=False):
            records[place] = record
        if part.failure and places[done] < end:
            end, failure = int(places[done]), part.failure
    end -= end % match.games_a_deal
    if failure:
        failure = f"Game {first + end}: {failure}"
    return GameChunk(
        results[:end], records[:end] if match.records else [], failure, first, rotations[:end],
        time.perf_counter() - started,
    )  # fmt: skip


def no_games(match: Match, first: int) -> GameChunk:
    return GameChunk(np.zeros((0, match.game.width), np.int64), first=first, rotations=np.zeros(0, np.int64))


Count = Callable[[Match, GameChunk], Any]  # what is counted of a chunk where it is played: sums of whole numbers


def games_task(matches: Sequence[Match], play_deals: PlayDeals, first: int, games: int) -> GameChunk:
    """Play consecutive games of a match, for an executor."""
    return play_chunk(matches[0], first, games, play_deals)


def sums_task(
    matches: Sequence[Match], play_deals: PlayDeals, first: int, games: int, count: Count
) -> GameChunk:  # fmt: skip
    """The same, but only their sums are sent back."""
    chunk = play_chunk(matches[0], first, games, play_deals)
    sums = count(matches[0], chunk)
    return GameChunk(
        chunk.results[:0], failure=chunk.failure, first=first, rotations=chunk.rotations[:0], seconds=chunk.seconds,
        sums=sums, count=chunk.games,
    )  # fmt: skip


class ChunkSize:
    """How many games a worker plays before it reports: about half a second's worth, to keep progress bars moving."""

    moment = 0.5  # seconds
    most = 10_000

    def __init__(self, match: Match, moment: float | None = None, most: int | None = None) -> None:
        self.per_deal = match.games_a_deal
        self.moment, self.most = moment or self.moment, most or self.most
        self.games = self.rounded(min(self.most, 500) if match.quick else 1)

    def rounded(self, games: float) -> int:
        """Rounded down to whole deals, at least one."""
        return max(1, int(games) // self.per_deal) * self.per_deal

    def learn(self, chunk: GameChunk) -> None:
        if chunk.games and chunk.seconds:
            self.games = self.rounded(min(self.most, self.moment * chunk.games / chunk.seconds))


def never() -> bool:
    return False


def play(
    match: Match, jobs: "int | Executor" = 1, first: int = 0, size: ChunkSize | None = None,
    held: Callable[[], bool] = never, count: Count | None = None,
) -> Iterator[GameChunk]:  # fmt: skip
    """Play a prepared match from game `first` on, and yield its chunks in order.

    `jobs` is the number of workers of this computer, or an executor. If a game fails, the last chunk says why and has
    the games before it. While `held()` is true no games are started; a chunk without games means that those in progress
    are finished. With `count`, chunks have what it counts instead of results.
    """
    from kibitz.arena.executors import executor_for

    executor = executor_for(jobs, [match])
    size = size or ChunkSize(match, executor.moment, executor.most if count is not None else None)
    waiting: deque[Future[GameChunk]] = deque()
    try:
        while waiting or first < match.games:
            while first < match.games and len(waiting) < 2 * executor.workers and not held():
                games = min(size.games, match.games - first)
                if count is None:
                    waiting.append(executor.submit(games_task, [match], first, games))
                else:
                    waiting.append(executor.submit(sums_task, [match], first, games, count))
                first += games
            chunk = waiting.popleft().result() if waiting else no_games(match, first)
            size.learn(chunk)
            yield chunk
            if chunk.failure:
                break
    finally:
        for future in waiting:
            future.cancel()
        if executor is not jobs:
            executor.stop()
