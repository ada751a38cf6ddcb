"""A bot in a seat of a live table: it sees what its seat sees, thinks elsewhere, and is replaced when it fails."""

import random
from collections.abc import Sequence
from typing import Any

from kibitz.core import generic
from kibitz.core.agent import Agent, CompiledAgent, Decision, Player
from kibitz.core.errors import AgentError
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.web.thinking import Thinkers, TooSlowError

ANY_MOVE = "any legal move"  # who plays when nobody else can
COMPILING = 600.0  # seconds: the first time on a machine takes long


class FailedError(AgentError):
    """A bot that cannot go on: what everybody may hear of it, and for the server's own log what happened.

    What happened may speak of hidden cards, so at a table it is not told.
    """

    def __init__(self, heard: str, happened: str) -> None:
        super().__init__(happened)
        self.heard = heard


def views_so_far(table: Table, seat: int, cheats: bool) -> list[Any]:
    """What a seat saw of a game from its start."""
    return [past.seen(seat, cheats) for past in table.from_the_start()]


def live_through(player: Player, views: Sequence[Any], view: Any) -> Decision:
    """See what happened, then decide."""
    for seen in views:
        player.observe(seen)
    return player.decide(view)


def see(player: Player, views: Sequence[Any]) -> None:
    for view in views:
        player.observe(view)


def is_risky(agent: Agent) -> bool:
    """Whether an agent is somebody's Python, which can do anything, for example never end."""
    return not isinstance(agent, CompiledAgent)


async def seated(game: Game, agent: Agent, thinkers: Thinkers, patience: float) -> Player:
    risky = is_risky(agent)
    return await thinkers.think(lambda: agent.take_seat(game), patience if risky else COMPILING, risky)


class Bot:
    """An agent in a seat of a table."""

    def __init__(self, game: Game, agent: Agent | None, seat: int, thinkers: Thinkers, patience: float) -> None:
        self.game, self.agent, self.seat, self.thinkers, self.patience = game, agent, seat, thinkers, patience
        self.player: Player | None = None
        self.unseen: list[Any] = []  # what happened since it last thought
        self.decided: tuple[int, Decision] | None = None  # and in which turn

    @property
    def name(self) -> str:
        return self.agent.name if self.agent else ANY_MOVE

    def shown(self, table: Table) -> None:
        """Something happened at the table; a bot that remembers will look at it before it thinks again."""
        if self.player is not None and self.player.remembers:
            self.unseen.append(self._sees(table))

    def _sees(self, table: Table) -> Any:
        return table.seen(self.seat, self.agent.traits.cheats if self.agent else False)

    async def decide(self, table: Table) -> Decision:
        """What it does now; a FailedError says that somebody else must."""
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
            call, risky = lambda: live_through(player, views, view), is_risky(self.agent)
            decision = await self.thinkers.think(call, self.patience, risky)
        except Exception as error:
            raise failure(error) from error
        if not table.allows(decision.move):
            raise FailedError("decided on a move that is not legal", f"move {decision.move} is not legal")
        return decision

    async def _take_seat(self, table: Table, agent: Agent) -> None:
        player = await seated(self.game, agent, self.thinkers, self.patience)
        self.player, self.unseen = player, []
        if player.remembers:
            self.unseen = views_so_far(table, self.seat, agent.traits.cheats)

    async def see_the_end(self) -> None:
        """Let a bot that remembers see the last moves, too; what it makes of them is its own business."""
        player, views = self.player, self.unseen
        if player is not None and views:
            self.unseen = []
            await self.thinkers.think(lambda: see(player, views), self.patience)


def failure(error: Exception) -> FailedError:
    if isinstance(error, FailedError):
        return error
    if isinstance(error, TooSlowError):
        return FailedError(str(error), str(error))
    return FailedError("failed", f"{type(error).__name__}: {error}")


async def advice(game: Game, agent: Agent, table: Table, seat: int, thinkers: Thinkers, patience: float) -> Decision:
    """What an agent would do in a seat, from what that seat saw of the game and nothing else."""
    view = table.view(seat)
    try:
        player = await seated(game, agent, thinkers, patience)
        views = views_so_far(table, seat, cheats=False) if player.remembers else []
        decision = await thinkers.think(lambda: live_through(player, views, view), patience, is_risky(agent))
    except Exception as error:
        raise failure(error) from error
    if not generic.allowed(view, decision.move):
        raise FailedError("decided on a move that is not legal", f"move {decision.move} is not legal")
    return decision
