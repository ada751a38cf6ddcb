"""Positions of random games to check, and guarded arrays that detect overruns."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import generic, seeds
from kibitz.engine.loop import SEEN, WORLD
from kibitz.errors import KibitzError

PATTERN = 0xA5  # fills the guards: no state and no result looks like this
GUARDS = 2  # the length of a guard, as a multiple of the array's
OWN_DICE = ("dice", "streams", "chance")
PAST_THE_PAIR = "writes past the end of the pair. Make the arrays of the state larger."


class CheckError(KibitzError):
    """A game breaks a promise: what is wrong, where, and what to do."""


class Guarded:
    """An array between two guards, which catch writes past its ends."""

    def __init__(self, length: int, dtype: Any) -> None:
        self.whole = np.zeros((1 + 2 * GUARDS) * length, dtype)
        self.length = length
        self.whole.view(np.uint8)[:] = PATTERN
        self.array = self.whole[GUARDS * length : (GUARDS + 1) * length]
        self.array.view(np.uint8)[:] = 0

    def broken(self) -> bool:
        """Whether something was written outside the array."""
        before, after = self.whole[: GUARDS * self.length], self.whole[(GUARDS + 1) * self.length :]
        return bool((before.view(np.uint8) != PATTERN).any() or (after.view(np.uint8) != PATTERN).any())


def values(record: Any, but: Iterable[str] = ()) -> dict[str, Any]:
    """The fields of a struct as plain numbers and lists; padding does not count."""
    return {name: record[name].tolist() for name in record.dtype.names if name not in but}


class FieldNames(list[str]):
    def __str__(self) -> str:
        return " and ".join(f"`{name}`" for name in self)


def differing(one: Any, other: Any, but: Iterable[str] = ()) -> FieldNames:
    """The names of the fields in which two structs differ."""
    ours, theirs = values(one, but), values(other, but)
    return FieldNames(name for name in ours if ours[name] != theirs[name])


@dataclass
class Position:
    """A table without players, at some turn of a random game."""

    game: Game
    players: int
    rules: Mapping[str, str]
    number: int  # of the game
    seed: int
    table: Table
    texts: dict[str, int] = field(default_factory=dict)  # the texts of all moves that were legal so far
    hid: list[bool] = field(default_factory=list)  # whether sampled worlds differed from the true ones
    had_past: list[bool] = field(default_factory=list)  # whether sampled worlds had a past, where spectators see one

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def moves(self) -> list[int]:
        return [turn.decision.move for turn in self.table.turns]

    @property
    def viewers(self) -> range:
        return range(self.players)

    @cached_property
    def functions(self) -> Any:
        return generic.rules_of(self.game.dtype)

    def has(self, name: str) -> bool:
        return not generic.missing(self.game.dtype, [name])

    def where(self) -> str:
        rules = "".join(f", {name}={choice}" for name, choice in self.rules.items())
        moves = f"{len(self.moves)} {'move' if len(self.moves) == 1 else 'moves'}"
        return f"{self.game.title} with {self.players} players{rules}, game {self.number}, after {moves}"

    def refuse(self, fault: str) -> NoReturn:
        raise CheckError(f"{self.where()}: {fault}")

    def require(self, holds: bool, fault: str | Callable[[], str]) -> None:
        if not holds:
            self.refuse(fault if isinstance(fault, str) else fault())

    @property
    def lists_moves(self) -> bool:
        """Whether the game has too many moves for a mask."""
        return self.has("moves")

    @property
    def has_chance(self) -> bool:
        return self.has("chance_moves")

    def by_hand(self, turns: int) -> Table:
        """The table at an earlier turn, for replaying moves including those of chance."""
        table = self.table.at_turn(turns, [])
        table.stop_rolling()
        return table

    def legal(self) -> list[int]:
        return [] if self.table.over else [int(move) for move in self.game.legal(self.table.view(self.table.to_move))]

    def pair(self, seat: int, cheats: bool = False) -> Any:
        """The state and a seat's view of it, in guarded memory."""
        room = Guarded(2, self.game.dtype)
        room.array[WORLD] = self.state
        self.functions.observe(room.array, seat, cheats)
        self.require(not room.broken(), f"`observe` {PAST_THE_PAIR}")
        return room.array

    def view(self, seat: int) -> Any:
        return self.pair(seat)[SEEN]

    def imagined(self, seat: int, stream: int) -> Any:
        """A world sampled from a seat's view, and the view, in guarded memory."""
        room = Guarded(2, self.game.dtype)
        room.array[:] = self.pair(seat)
        self.functions.sample_world(room.array, stream)
        self.require(not room.broken(), f"`sample_world` {PAST_THE_PAIR}")
        changed = differing(room.array[SEEN], self.view(seat))
        self.require(
            not changed, f"`sample_world` changes {changed} of the view. It may only write the state, pair[WORLD]."
        )
        return room.array

    def stream(self, number: int) -> int:
        return int(seeds.number(seeds.number(seeds.keys(self.number).deal, len(self.moves)), number))


def random_game(game: Game, players: int, rules: Mapping[str, str], number: int, seed: int) -> Iterator[Position]:
    """A position before the first move of a random game and after each move; always the same object."""
    start = game.deal(seeds.keys(seed), number, players, rules)
    position = Position(game, players, rules, number, seed, Table(game, [], start))
    dice = random.Random(f"{seed} {number} {players} {sorted(rules.items())}")
    yield position
    while not position.table.over:
        legal = position.legal()
        position.require(
            len(position.moves) < game.longest,
            f"the game continues, but `longest` is {game.longest}. Logs have no room for more moves: set `longest` to "
            f"the maximum number of moves of a game.",
        )
        position.table.make(Decision(dice.choice(legal)))
        yield position
