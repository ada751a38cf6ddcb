"""Explanations of a bot's move for another player, limited to what that player could work out.

A bot's own reason may reveal cards that the reader does not see, if only by being the reason at all. So a reader never
gets it during the game. Instead, worlds are sampled from the reader's view. In each of them the same agent decides in
the bot's seat, and the world counts if the reader would see of that decision what they saw of the real one. A reason
that is the same in all worlds that count is sent, if there are enough of them.

The move itself is never compared: where moves are hidden, this would reveal it. The answer is a function of the
reader's views before and after the move, the agent's name, the turn and the table's name, so it cannot differ between
two games that look the same to the reader.
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
PRIVATE = 20  # turns that the reader does not learn of, before one that counts
FEWEST = WORLDS // 4  # worlds that must count; fewer prove too little


class Question(NamedTuple):
    """A question why a move was made."""

    before: Table  # the game up to that move, without players
    after: Table  # and right after it
    reader: int  # the seat that asks

    @property
    def seat(self) -> int:
        return self.before.to_move

    @property
    def views(self) -> bytes:
        """The reader's views before and after the move."""
        return self.before.view(self.reader).tobytes() + self.after.view(self.reader).tobytes()


def question(game: Table, turn: int, reader: int) -> Question:
    """A question about a turn, from 1."""
    after = game.at_turn(turn, [])
    after.stop_rolling()  # rolls after the move are not the bot's doing
    return Question(after.at_turn(turn - 1, []), after, reader)


def can_be_explained(agent: Agent) -> bool:
    """Whether an agent can decide again in other worlds.

    A search takes too long, and a Python agent may remember the true world outside its known memory.
    """
    return isinstance(agent, CompiledAgent) and not agent.traits.searches


def dice_of(table: str, turn: int, reader: int) -> int:
    """A stream of dice derived from public data: the table, the turn and the seat."""
    named = blake2b(f"{table} {turn} {reader}".encode(), digest_size=8).digest()
    return int.from_bytes(named, "big") >> 1


def shared_reason(game: Game, agent: CompiledAgent, question: Question, stream: int) -> str | None:
    """The reason the agent gives in all sampled worlds that count; None if it depends on the world."""
    seat, reader = question.seat, question.reader
    sight, observed = question.before.view(reader), observed_in(game, question.after.view(reader))
    sampled, reasons = sampled_from(question, stream), list[str]()
    for nth in range(WORLDS):
        world = sampled.sample_world(reader, [], int(number(stream, nth)))
        if sampled is question.after:
            world = world.at_turn(len(world.turns) - 1, [])
        decision = decided_in(game, agent, world, seat, sight)
        world.make(decision)
        for _ in range(PRIVATE):
            if world.learns(reader):
                break
            decision = decided_in(game, agent, world, seat, sight)
            world.make(decision)
        if world.learns(reader) and observed_in(game, world.view(reader)) == observed:
            reasons.append(decision.reason)
    return reasons[0] if len(reasons) >= FEWEST and len(set(reasons)) == 1 and reasons[0] else None


def sampled_from(question: Question, stream: int) -> Table:
    """The table at which worlds are sampled: after the move, because that view shows more of the reader's own cards.

    In a game whose sampled worlds have no past, it is the table before the move.
    """
    before, after, reader = question
    return after if not after.over and after.sample_world(reader, [], stream).turns else before


def observed_in(game: Game, seen: Any) -> dict[str, Any]:
    """The last move, as far as a view shows it."""
    return game.event(seen, generic.turns(seen) - 1)


def decided_in(game: Game, agent: CompiledAgent, world: Table, seat: int, sight: Any) -> Decision:
    """The agent's decision in a sampled world, and its reason in words for a reader with this view."""
    player = agent.take_seat(game)
    if player.remembers:
        observe_all(player, views_so_far(world, seat, agent.traits.cheats))
    return player.decide_for(world.seen(seat, agent.traits.cheats), sight)
