"""A turn of a random game to check things at, and arrays with guards, in which writing past an end shows."""

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

PATTERN = 0xA5  # what the bytes of guards are filled with: no state and no result looks like that
GUARDS = 2  # times the length of an array, on each side of it
OWN_DICE = ("dice", "streams", "chance")
PAST_THE_PAIR = "writes past the pair it is handed. Give the arrays of a state more room."


class CheckError(KibitzError):
    """A game that does not keep a promise: what is wrong, where, and what to do."""


class Guarded:
    """An array between guards: what a function writes past its ends falls on them."""

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
    """The fields of a record as plain numbers and lists; bytes between fields do not count."""
    return {name: record[name].tolist() for name in record.dtype.names if name not in but}


def differing(one: Any, other: Any, but: Iterable[str] = ()) -> list[str]:
    """The fields in which two records differ."""
    ours, theirs = values(one, but), values(other, but)
    return [name for name in ours if ours[name] != theirs[name]]


@dataclass
class Position:
    """A table nobody sits at, at some turn of a random game."""

    game: Game
    players: int
    rules: Mapping[str, str]
    number: int  # of the game
    seed: int
    table: Table
    texts: dict[str, int] = field(default_factory=dict)  # every move that was legal so far, as it is written
    hid: list[bool] = field(default_factory=list)  # whether sampled worlds differed from the true ones
    lived: list[bool] = field(default_factory=list)  # whether sampled worlds had a past, where spectators see one

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
        return (
            f"{self.game.title} with {self.players} players{rules}, game {self.number}, after {len(self.moves)} moves"
        )

    def refuse(self, fault: str) -> NoReturn:
        raise CheckError(f"{self.where()}: {fault}")

    def require(self, holds: bool, fault: str | Callable[[], str]) -> None:
        if not holds:
            self.refuse(fault if isinstance(fault, str) else fault())

    @property
    def lists_moves(self) -> bool:
        """Whether the game has more moves than a mask has bits for."""
        return self.has("moves")

    @property
    def has_chance(self) -> bool:
        return self.has("chance_moves")

    def by_hand(self, turns: int) -> Table:
        """The table as it was, at which also what chance does is done by hand."""
        table = self.table.at_turn(turns, [])
        table.stop_rolling()
        return table

    def legal(self) -> list[int]:
        return [] if self.table.over else [int(move) for move in self.game.legal(self.table.view(self.table.to_move))]

    def pair(self, seat: int, cheats: bool = False) -> Any:
        """The state, and beside it what a seat sees, between guards."""
        room = Guarded(2, self.game.dtype)
        room.array[WORLD] = self.state
        self.functions.observe(room.array, seat, cheats)
        self.require(not room.broken(), f"`observe` {PAST_THE_PAIR}")
        return room.array

    def view(self, seat: int) -> Any:
        return self.pair(seat)[SEEN]

    def imagined(self, seat: int, stream: int) -> Any:
        """A pair: a world sampled from what a seat sees, and what it saw."""
        room = Guarded(2, self.game.dtype)
        room.array[:] = self.pair(seat)
        self.functions.sample_world(room.array, stream)
        self.require(not room.broken(), f"`sample_world` {PAST_THE_PAIR}")
        changed = differing(room.array[SEEN], self.view(seat))
        self.require(
            not changed, f"`sample_world` changes {changed} of the view. It may write only the state beside it."
        )
        return room.array

    def stream(self, number: int) -> int:
        return int(seeds.number(seeds.number(seeds.keys(self.number).deal, len(self.moves)), number))


def random_game(game: Game, players: int, rules: Mapping[str, str], number: int, seed: int) -> Iterator[Position]:
    """A position before the first move of a random game and after each; the same object all the time."""
    start = game.deal(seeds.keys(seed), number, players, rules)
    position = Position(game, players, rules, number, seed, Table(game, [], start))
    dice = random.Random(f"{seed} {number} {players} {sorted(rules.items())}")
    yield position
    while not position.table.over:
        legal = position.legal()
        position.require(
            len(position.moves) < game.longest,
            f"it goes on, but `longest` says that no game has more than {game.longest} moves. Where games are kept "
            f"there is no room for more: let `longest` be the most moves there can be.",
        )
        position.table.make(Decision(dice.choice(legal)))
        yield position
