"""Why a bot moved as it did, for somebody who plays against or beside it: as much as they could work out themselves.

A bot's own reason may reveal cards that the reader does not see, if only by being the reason at all. So a reader
never gets it while the game goes on. Instead worlds are sampled from the reader's view. In each of them the same agent
sits in the bot's seat and decides, and the world counts if the reader sees of that decision what they saw of the real
one. A reason that is the same in all worlds that count is sent, if they are enough.

The move itself is never compared: where moves are hidden, that would tell it. The answer is a function of the reader's
views before and after the move, the agent's name, the turn and the table's name, so it cannot differ between two games
that look the same to the reader.
"""

from hashlib import blake2b
from typing import Any, NamedTuple

from kibitz.core.agent import Agent, CompiledAgent, Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.seeds import number
from kibitz.server.live.bot_seat import observe_all, views_so_far

WORLDS = 40
FEWEST = WORLDS // 4  # worlds that must count; fewer say too little


class Question(NamedTuple):
    """Somebody wants to know why a move was made."""

    before: Table  # the game up to that move, with nobody at it
    after: Table  # and right after it
    reader: int  # the seat that asks

    @property
    def seat(self) -> int:
        return self.before.to_move

    @property
    def views(self) -> bytes:
        """What the reader saw before the move and after it."""
        return self.before.view(self.reader).tobytes() + self.after.view(self.reader).tobytes()


def question(game: Table, turn: int, reader: int) -> Question:
    """A question about a turn, from 1."""
    after = game.at_turn(turn, [])
    after.stop_rolling()  # what is rolled after the move is none of the bot's doing
    return Question(after.at_turn(turn - 1, []), after, reader)


def can_be_told(agent: Agent) -> bool:
    """Whether an agent can be asked again in other worlds.

    One that searches takes too long. A Python agent may remember the true world in a place that nobody knows of.
    """
    return isinstance(agent, CompiledAgent) and not agent.traits.searches


def dice_of(table: str, turn: int, reader: int) -> int:
    """A stream of dice that everybody could name: of a table, a turn and a seat."""
    named = blake2b(f"{table} {turn} {reader}".encode(), digest_size=8).digest()
    return int.from_bytes(named, "big") >> 1


def shared_reason(game: Game, agent: CompiledAgent, question: Question, stream: int) -> str | None:
    """The reason that the agent gives in every world the reader can imagine; None if it depends on the world."""
    seat, reader = question.seat, question.reader
    sight, observed = question.before.view(reader), observed_in(game, question.after.view(reader))
    sampled, reasons = sampled_from(question, stream), list[str]()
    for nth in range(WORLDS):
        world = sampled.sample_world(reader, [], int(number(stream, nth)))
        if sampled is question.after:
            world = world.at_turn(len(world.turns) - 1, [])
        decision = decided_in(game, agent, world, seat, sight)
        world.make(decision)
        if observed_in(game, world.view(reader)) == observed:
            reasons.append(decision.reason)
    return reasons[0] if len(reasons) >= FEWEST and len(set(reasons)) == 1 and reasons[0] else None


def sampled_from(question: Question, stream: int) -> Table:
    """Where worlds are sampled: after the move, as that view says more of the reader's own cards.

    In a game whose sampled worlds have no past, it is before the move.
    """
    before, after, reader = question
    return after if not after.over and after.sample_world(reader, [], stream).turns else before


def observed_in(game: Game, seen: Any) -> dict[str, Any]:
    """What a view tells of the last move."""
    return game.event(seen, generic.turns(seen) - 1)


def decided_in(game: Game, agent: CompiledAgent, world: Table, seat: int, sight: Any) -> Decision:
    """What the agent does in a seat of a sampled world, and why, in words for a reader with this view."""
    player = agent.take_seat(game)
    if player.remembers:
        observe_all(player, views_so_far(world, seat, agent.traits.cheats))
    return player.decide_for(world.seen(seat, agent.traits.cheats), sight)
