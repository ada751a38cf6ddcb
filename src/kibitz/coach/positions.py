"""The decisions of a recorded game, each with what its seat had seen until then."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.agent_spec import as_spec
from kibitz.core.game import Game
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.errors import KibitzError


class Position(NamedTuple):
    """A decision of a recorded game."""

    turn: int  # of the game, from 1
    seat: int
    move: int
    views: Sequence[Any]  # what the seat had seen, the present view last


class Played(NamedTuple):
    """A recorded game as far as it can be replayed."""

    game: Game
    positions: tuple[Position, ...]
    table: Table  # after the last move that could be made
    problem: str  # why the review ends before the game does; empty if it does not


def played(record: Record) -> Played:
    """Replay a record, and keep what every seat saw; the first move that is wrong ends it."""
    table = record.opened()
    players = record.players
    views: list[list[Any]] = [[table.view(seat)] for seat in range(players)]
    positions, problem = [], ""
    steps = iter(record.steps(table))
    while True:
        seat, seen = table.to_move, [tuple(each) for each in views]
        try:
            if next(steps, None) is None:
                break
        except KibitzError as error:
            problem = str(error)
            break
        made = table.turns[-1]
        if seat >= 0:
            positions.append(Position(made.number, seat, made.decision.move, seen[seat]))
        if table.to_move != generic.CHANCE:
            for viewer in range(players):
                if table.learns(viewer):
                    views[viewer].append(table.view(viewer))
    if not problem and not table.over:
        problem = "The game is not finished, so the review ends with its last move."
    return Played(table.game, tuple(positions), table, problem)


def players_of(
    record: Record, game: Game, people: str, partners: str | None = None, seat: int = -1
) -> list[tuple[str, Agent | None]]:
    """The names of the players with their agents, None for people.

    `people` is the name of an agent that stands for people, and `partners` names the agent of all seats but one.
    """
    described = record.agents if isinstance(record.agents, list) else []
    found: list[tuple[str, Agent | None]] = []
    named = registry.agent(game, partners) if partners is not None else None
    if named is not None and not isinstance(named, CompiledAgent):
        raise KibitzError(f"{partners} is a Python class. Only compiled agents can stand for players in a review.")
    for place, name in enumerate(record.seats):
        if named is not None and place != seat:
            found.append((name, named))
            continue
        spec = described[place] if place < len(described) else None
        agent = known_agent(game, name, spec)
        found.append((name, None if agent is not None and agent.name.partition("@")[0] == people else agent))
    return found


def known_agent(game: Game, name: str, spec: dict[str, Any] | None) -> Agent | None:
    """The agent of a seat, if it is a built-in one: a record must not start anybody's program."""
    try:
        parsed = as_spec(spec) if spec is not None else registry.spec(game.name, name)
        if parsed.files() or not {parsed.name} <= set(registry.agent_entries(game.name)):
            return None
        return registry.made(game, parsed)
    except KibitzError:
        return None
