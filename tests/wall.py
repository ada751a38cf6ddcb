"""The wall, for every game: a player decides the same in two worlds that look the same from its seat."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.table import Table
from kibitz.engine import generic, seeds
from kibitz.engine.loop import WORLD

KEY = seeds.keys(4).deal


class Noting:
    """Notes every view it is handed; what it plays, a game's own says in `plays`."""

    def __init__(self) -> None:
        self.views: list[Any] = []

    def observe(self, view: Any) -> None:
        self.views.append(view)

    def decide(self, view: Any) -> Any:
        self.views.append(view)
        return self.plays(view)

    def plays(self, view: Any) -> Any:
        raise NotImplementedError


def counting(numbers: Iterator[int]) -> SimpleNamespace:
    """In place of the module `secrets`: ids and tokens that are the same every time."""
    return SimpleNamespace(
        choice=lambda letters: letters[next(numbers) % len(letters)],
        token_urlsafe=lambda size: f"token{next(numbers)}",
    )


def seen(state: Any, seat: int, cheats: bool = False) -> Any:
    """A pair: the state, and what a seat sees of it."""
    pair = np.zeros(2, state.dtype)
    pair[WORLD] = state
    generic.observe(pair, seat, cheats)
    return pair


def another_start(table: Table, seat: int, stream: int) -> Any:
    """The start of a game that looks the same to a seat, with other cards where it cannot see them.

    The others roll other dice, too.
    """
    start = table.sample_world(seat, [], stream).start.copy()
    start[0]["streams"][seat] = table.start[0]["streams"][seat]
    return start


def another(table: Table, seat: int, stream: int) -> Table:
    """The same moves in another world that looks the same to a seat."""
    return table.replayed([], another_start(table, seat, stream))


def decided_the_same(table: Table, agent: Agent, stream: int) -> bool:
    """An agent in every seat decides the same in both worlds; whether the worlds differ."""
    seats = range(int(table.state["players"]))
    tables = [
        table.replayed([agent.take_seat(table.game) for _ in seats], start)
        for start in (table.start, another_start(table, table.to_move, stream))
    ]
    assert tables[0].decide() == tables[1].decide()
    return bool(tables[0].state.tobytes() != tables[1].state.tobytes())


def decided_by_what_is_seen(table: Table) -> None:
    """The players of a table, all of one agent, decide the same in other worlds at every turn of their own game."""
    agent = table.players[0].agent
    while not table.over:
        start = another_start(table, table.to_move, len(table.turns))
        other = table.replayed([agent.take_seat(table.game) for _ in table.players], start)
        decision = table.decide()
        assert other.decide() == decision
        table.make(decision)


def continued_the_same(table: Table, seat: int, stream: int, agents: Sequence[CompiledAgent]) -> None:
    streams = seeds.numbers(KEY, 0, 40)
    tables = (table, another(table, seat, stream))
    ours, theirs = (each.continuations(seat, agents, streams).tolist() for each in tables)
    assert ours == theirs
