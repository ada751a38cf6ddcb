"""A bot in a seat of a live table: it sees what its seat sees, thinks in a thread, and is replaced when it fails."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.core import generic
from kibitz.core.agent import Agent, CompiledAgent, CompiledPlayer, Decision, Player
from kibitz.core.errors import AgentError, KibitzError
from kibitz.core.expectation import Expectation
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.live.bot_threads import COMPILING, BotThreads, ThreadPool, TooSlowError
from kibitz.live.limits import seconds_for
from kibitz.live.table_state import ANY_MOVE


class FailedError(AgentError):
    """A bot that cannot go on: what everybody may hear of it, and for the server's own log what happened.

    What happened may speak of hidden cards, so at a table it is not told.
    """

    def __init__(self, heard: str, happened: str) -> None:
        super().__init__(happened)
        self.heard = heard


def views_so_far(table: Table, seat: int, cheats: bool) -> list[Any]:
    """What a seat saw of a game from its start; what chance does is seen together with the move before it."""
    return [past.seen(seat, cheats) for past in table.from_the_start() if past.to_move != generic.CHANCE]


def observe_all(player: Player, views: Sequence[Any]) -> None:
    for view in views:
        player.observe(view)


def observe_and_decide(player: Player, views: Sequence[Any], view: Any) -> Decision:
    observe_all(player, views)
    return player.decide(view)


def is_python(agent: Agent) -> bool:
    """Whether an agent is somebody's Python, which can do anything, for example never end."""
    return not isinstance(agent, CompiledAgent)


class BotSeat:
    """An agent in a seat of a table."""

    def __init__(
        self, game: Game, agent: Agent | None, seat: int, table: str, threads: BotThreads, seconds: float
    ) -> None:
        self.game, self.agent, self.seat, self.threads = game, agent, seat, threads
        self.seconds = seconds_for(game, agent.name, seconds) if agent else seconds
        python = agent is not None and is_python(agent)
        self.pool = threads.python_moves if python else threads.moves
        self.key = agent.name if agent and python else table  # agents in Python take turns, else the tables do
        self.player: Player | None = None
        self.unseen: list[Any] = []  # what happened since it last thought
        self.decided: tuple[int, Decision] | None = None  # and in which turn
        self.failed: FailedError | None = None  # it is not asked again, whoever waits for its replacement

    @property
    def name(self) -> str:
        return self.agent.name if self.agent else ANY_MOVE

    def note(self, table: Table) -> None:
        """Something happened at the table; a bot that remembers will look at it before it thinks again."""
        if self.player is not None and self.player.remembers:
            self.unseen.append(self._sees(table))

    def _sees(self, table: Table) -> Any:
        return table.seen(self.seat, self.agent.traits.cheats if self.agent else False)

    async def decide(self, table: Table) -> Decision:
        """What it does now; a FailedError says that somebody else must."""
        if self.failed is not None:
            raise self.failed
        turn = len(table.turns)
        if self.decided is None or self.decided[0] != turn:
            self.decided = turn, await self._think(table)
        return self.decided[1]

    async def _think(self, table: Table) -> Decision:
        if self.agent is None:
            return Decision(random.choice(self.game.legal(table.view(self.seat))), ANY_MOVE)
        try:
            if self.player is None:
                await self._take_seat(table, self.agent)
            player, views, view = self.player, self.unseen, self._sees(table)
            assert player is not None
            self.unseen = []
            call = lambda: observe_and_decide(player, views, view)  # noqa: E731
            return await self.threads.run(self.pool, self.key, call, self.seconds)
        except Exception as error:
            self.failed = failure(error)
            raise self.failed from error

    async def _take_seat(self, table: Table, agent: Agent) -> None:
        player = await seated(self.game, agent, self.threads, self.pool, self.key, self.seconds)
        self.player, self.unseen = player, []
        if player.remembers:
            self.unseen = views_so_far(table, self.seat, agent.traits.cheats)

    async def see_the_end(self) -> None:
        """Let a bot that remembers see the last moves, too; what it makes of them is its own business."""
        player, views = self.player, self.unseen
        if player is not None and views:
            self.unseen = []
            await self.threads.run(self.pool, self.key, lambda: observe_all(player, views), self.seconds)


async def seated(game: Game, agent: Agent, threads: BotThreads, pool: ThreadPool, key: str, seconds: float) -> Player:
    """A player of an agent, compiled if need be. One that cannot play here says why: it has seen no cards yet."""
    try:
        return await threads.run(pool, key, lambda: agent.take_seat(game), seconds if is_python(agent) else COMPILING)
    except AgentError as error:
        if isinstance(error.__cause__, KibitzError):  # it lacks a library, for example
            raise FailedError(f"cannot play here. {str(error.__cause__).removesuffix('.')}", str(error)) from error
        raise


def failure(error: Exception) -> FailedError:
    if isinstance(error, FailedError):
        return error
    if isinstance(error, TooSlowError):
        return FailedError(str(error), str(error))
    return FailedError("failed", f"{type(error).__name__}: {error}")


class Advice(NamedTuple):
    """A decision for somebody else, and from an agent that searches what it expects of the move."""

    move: int
    reason: str
    expects: Expectation | None


async def advice(
    game: Game, agent: Agent, table: Table, seat: int, asker: str, threads: BotThreads, seconds: float
) -> Advice:
    """What an agent would do in a seat, from what that seat saw of the game and nothing else."""

    def think(player: Player, views: Sequence[Any]) -> Advice:
        decision = observe_and_decide(player, views, view)
        return Advice(*decision, player.expects if isinstance(player, CompiledPlayer) else None)

    view, seconds = table.view(seat), seconds_for(game, agent.name, seconds)
    pool = threads.python_advice if is_python(agent) else threads.advice
    try:
        player = await seated(game, agent, threads, pool, asker, seconds)
        views = views_so_far(table, seat, cheats=False) if player.remembers else []
        advised = await threads.run(pool, asker, lambda: think(player, views), seconds)
    except Exception as error:
        raise failure(error) from error
    if not generic.allowed(view, advised.move):
        raise FailedError("decided on a move that is not legal", f"move {advised.move} is not legal")
    return advised
