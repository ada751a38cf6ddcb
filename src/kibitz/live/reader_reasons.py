"""Why a bot moved as it did, for somebody who plays against or beside it: told only as far as they can know.

A bot's own reason may speak of cards that the reader does not see, be it only by being the reason that it is. So the
reader is never told that one while the game goes on. Instead worlds are sampled from the reader's view, with dice of
their own; in each the same agent sits in the bot's seat from the start, and decides. Where it decides on the move that
was made, it gives a reason. If that is the same in all those worlds, and those are not too few, the reader could have
worked it out, and is told it. All of this is computed from the reader's view, from moves that everybody saw and from
the table's name: in two worlds that look the same to the reader it comes out the same.
"""

from hashlib import blake2b
from typing import Any, NamedTuple

from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.game import Game
from kibitz.core.seeds import number
from kibitz.core.table import Table
from kibitz.live.bot_seat import observe_all, views_so_far

WORLDS = 40
FEWEST = WORLDS // 4  # in which the agent must have decided on the move, or they say too little


class Question(NamedTuple):
    """A move that was made, and who wants to know why."""

    before: Table  # the game up to that move, with nobody at it
    seat: int  # who moved
    move: int
    reader: int  # the seat of who asks


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
    """The reason that the agent gives for its move in every world the reader can imagine; None if it depends."""
    before, seat, move, reader = question
    seen = before.view(reader)
    reasons: list[str] = []
    for nth in range(WORLDS):
        decided, reason = decided_in(game, agent, before.imagine(reader, [], int(number(stream, nth))), seat, seen)
        if decided == move:
            reasons.append(reason)
    return reasons[0] if len(reasons) >= FEWEST and len(set(reasons)) == 1 and reasons[0] else None


def decided_in(game: Game, agent: CompiledAgent, world: Table, seat: int, seen: Any) -> tuple[int, str]:
    """What the agent does in a seat of a sampled world, and why, in words for who sees this of it."""
    player = agent.take_seat(game)
    if player.remembers:
        observe_all(player, views_so_far(world, seat, agent.traits.cheats))
    return player.decide_for(world.seen(seat, agent.traits.cheats), seen)
