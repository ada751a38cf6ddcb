"""A bot in a seat of a live table: it gets its seat's views, thinks in a thread, and is replaced when it fails."""

import contextlib
import logging
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from kibitz.bots import players
from kibitz.bots.players import BotPlayer, GoneError, plays_elsewhere
from kibitz.bots.pool import Processes, SharedProcess
from kibitz.bots.process import BotStoppedError
from kibitz.core.agent import Agent, CompiledAgent, Decision, Player
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.expectation import Expectation
from kibitz.errors import AgentError, KibitzError
from kibitz.server.live.bot_threads import LONG, BotThreads, ThreadPool, TooSlowError
from kibitz.server.live.limits import seconds_for
from kibitz.server.live.table_state import ANY_MOVE

Result = TypeVar("Result")

log = logging.getLogger("kibitz.server.live")


class FailedError(AgentError):
    """A bot that cannot continue: a text for the players, and the details for the server's log.

    The details may mention hidden cards, so the table does not show them.
    """

    def __init__(self, heard: str, happened: str) -> None:
        super().__init__(happened)
        self.heard = heard


def views_so_far(table: Table, seat: int, cheats: bool) -> list[Any]:
    """The views of a seat since the start; a move of chance is seen together with the move before it."""
    return [
        past.seen(seat, cheats)
        for past in table.from_the_start()
        if past.to_move != generic.CHANCE and past.learns(seat)
    ]


def observe_all(player: Player, views: Sequence[Any]) -> None:
    for view in views:
        player.observe(view)


def observe_and_decide(player: Player, views: Sequence[Any], view: Any) -> Decision:
    observe_all(player, views)
    return player.decide(view)


def is_python(agent: Agent) -> bool:
    """Whether an agent is a user's Python code, which may hang or worse."""
    return not isinstance(agent, CompiledAgent)


class BotSeat:
    """An agent in a seat of a table."""

    def __init__(
        self, game: Game, agent: Agent | None, seat: int, table: str, threads: BotThreads, shared: SharedProcess,
        seconds: float,
    ) -> None:  # fmt: skip
        """`shared` is the process of the table's bots written by users."""
        self.game, self.agent, self.seat, self.table, self.threads, self.shared = (
            game, agent, seat, table, threads, shared
        )  # fmt: skip
        self.seconds = seconds_for(game, agent.name, seconds) if agent else seconds
        python = agent is not None and is_python(agent)
        self.pool = threads.python_moves if python else threads.moves
        self.key = agent.name if agent and python else table  # Python agents take turns, otherwise tables do
        self.player: Player | None = None
        self.unseen: list[Any] = []  # views since its last decision
        self.decided: tuple[int, Decision] | None = None  # the turn, and the decision in it
        self.failed: FailedError | None = None  # it is not called again
        self.thinking = False

    @property
    def name(self) -> str:
        return self.agent.name if self.agent else ANY_MOVE

    def note(self, table: Table) -> None:
        """Note a change at the table; a bot with a memory observes it before its next move."""
        if self.player is not None and self.player.remembers and table.learns(self.seat):
            self.unseen.append(self._sees(table))

    def _sees(self, table: Table) -> Any:
        return table.seen(self.seat, self.agent.traits.cheats if self.agent else False)

    async def decide(self, table: Table) -> Decision:
        """Its decision; raises a FailedError if another agent has to decide."""
        if self.failed is not None:
            raise self.failed
        turn = len(table.turns)
        if self.decided is None or self.decided[0] != turn:
            self.thinking = True
            try:
                self.decided = turn, await self._think(table)
            finally:
                self.thinking = False
        return self.decided[1]

    def has_decided(self, turn: int) -> bool:
        """Whether it need not think again at this turn."""
        return self.failed is not None or (self.decided is not None and self.decided[0] == turn)

    async def _think(self, table: Table) -> Decision:
        if self.agent is None:
            return Decision(random.choice(self.game.legal(table.view(self.seat))), ANY_MOVE)
        while True:
            try:
                if self.player is None:
                    await self._take_seat(table, self.agent)
                player, views, view = self.player, self.unseen, self._sees(table)
                assert player is not None
                self.unseen = []
                return await self._run(lambda: observe_and_decide(player, views, view))  # noqa: B023
            except GoneError:
                self.player = None
            except Exception as error:
                self.failed = failure(error)
                raise self.failed from error

    async def _run(self, call: Callable[[], Result]) -> Result:
        seconds = LONG if isinstance(self.player, BotPlayer) else self.seconds  # its process is watched
        try:
            return await self.threads.run(self.pool, self.key, call, seconds)
        finally:
            if isinstance(self.player, BotPlayer) and self.player.said:
                log.info("Table %s: %s printed: %s", self.table, self.name, self.player.said)

    async def _take_seat(self, table: Table, agent: Agent) -> None:
        player = await new_player(self.game, agent, self.threads, self.pool, self.key, self.seconds, self.shared)
        self.player, self.unseen = player, []
        if player.remembers:
            self.unseen = views_so_far(table, self.seat, agent.traits.cheats)

    async def see_the_end(self) -> None:
        """Let a bot with a memory observe the last moves, too; errors are ignored."""
        player, views = self.player, self.unseen
        if player is not None and views:
            self.unseen = []
            with contextlib.suppress(GoneError):
                await self._run(lambda: observe_all(player, views))

    def leave(self) -> None:
        """The seat has another player now; a decision still in progress is dropped."""
        if self.thinking and isinstance(self.player, BotPlayer):
            self.shared.let_go()


async def new_player(
    game: Game, agent: Agent, threads: BotThreads, pool: ThreadPool, key: str, seconds: float, shared: SharedProcess
) -> Player:
    """An agent's player, compiled if necessary.

    The error of an agent that cannot play here may be shown, as it has seen no cards yet.
    """
    try:
        if plays_elsewhere(game, agent):
            return await threads.run(pool, key, lambda: players.seat_player(game, agent, seconds, shared=shared))
        return await threads.run(pool, key, lambda: agent.take_seat(game), seconds if is_python(agent) else LONG)
    except AgentError as error:
        if isinstance(error.__cause__, KibitzError):  # it lacks a library, for example
            raise FailedError(f"cannot play here. {str(error.__cause__).removesuffix('.')}", str(error)) from error
        raise


def failure(error: Exception) -> FailedError:
    if isinstance(error, FailedError):
        return error
    if isinstance(error, BotStoppedError):
        return FailedError(error.brief, str(error))
    if isinstance(error, TooSlowError):
        return FailedError(str(error), str(error))
    return FailedError("failed", f"{type(error).__name__}: {error}")


class Advice(NamedTuple):
    """A decision on behalf of another player, with the expected value if the agent searches."""

    move: int
    reason: str
    expects: Expectation | None


async def advice(
    game: Game, agent: Agent, table: Table, seat: int, asker: str, threads: BotThreads, processes: Processes,
    seconds: float,
) -> Advice:  # fmt: skip
    """The decision an agent would make in a seat, from that seat's views only."""

    def think(player: Player, views: Sequence[Any]) -> Advice:
        decision = observe_and_decide(player, views, view)
        return Advice(*decision, getattr(player, "expects", None))

    view, seconds = table.view(seat), seconds_for(game, agent.name, seconds)
    pool, shared = threads.python_advice if is_python(agent) else threads.advice, SharedProcess(processes)
    try:
        player = await new_player(game, agent, threads, pool, asker, seconds, shared)
        views = views_so_far(table, seat, cheats=False) if player.remembers else []
        most = LONG if isinstance(player, BotPlayer) else seconds
        advised = await threads.run(pool, asker, lambda: think(player, views), most)
    except Exception as error:
        raise failure(error) from error
    finally:
        shared.let_go()
    if not generic.allowed(view, advised.move):
        raise FailedError("decided on a move that is not legal", f"move {advised.move} is not legal")
    return advised
