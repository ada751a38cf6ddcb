"""Results of finished games, and statistics over many games.

A game is either cooperative, with a common score, or competitive, with winners. By default the winners of a competitive
game are the seats with the highest `generic.payoff`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kibitz.core.words import Words
from kibitz.engine import generic
from kibitz.errors import KibitzError

ENDS = "ends"
GUARD, GUARDS = -(1 << 62) - 0x6B69, 4  # canary numbers behind a row, which detect overruns


@dataclass(frozen=True)
class Count:
    """Events counted over many games, by seat, turn and kind.

    The count named `ends` is special: the turns in which games (or rounds) ended, by winner.
    """

    name: str  # for programs
    title: str  # for people
    turns: int  # the number of turns in which it can happen
    kinds: tuple[str, ...] = ()


class Results(Words):
    title: ClassVar[str]
    players: ClassVar[range]
    columns: ClassVar[tuple[str, ...]] = ("winners", "turns")  # the names of the numbers that `generic.result` writes
    competitive: ClassVar[bool] = False
    best: ClassVar[int]  # the highest score of a cooperative game
    longest: ClassVar[int]

    @property
    def counts(self) -> tuple[Count, ...]:
        """The statistics to count; by default, in competitive games, when games end and who wins."""
        counted = self.competitive and self.columns == Results.columns
        return (Count(ENDS, "Games by the turn of their end", self.longest),) if counted else ()

    @property
    def width(self) -> int:
        """How many numbers `generic.result` writes: the columns, and perhaps more for the game's own use."""
        return len(self.columns)

    def row(self, state: Any) -> Any:
        """All numbers that `generic.result` writes for a finished game."""
        row = np.zeros(self.width + GUARDS, np.int64)
        row[self.width :] = GUARD
        generic.result(state, row)
        if (row[self.width :] != GUARD).any():
            raise KibitzError(
                f"The `result` of {self.title} writes more than the {self.width} numbers that the game declares. "
                f"Name all of them in `columns`, or set `width`."
            )
        return row[: self.width]

    def result(self, state: Any) -> dict[str, int]:
        return {column: int(value) for column, value in zip(self.columns, self.row(state), strict=False)}

    def scores(self, results: Any) -> tuple[Any, int]:
        """The scores in rows of results, and the number of lost games. For cooperative games."""
        return results[:, 0], 0

    def winners(self, results: Any) -> Any:
        """The winners in rows of results, as masks of seats; 0 is a draw. For competitive games."""
        return results[:, 0]

    def gained(self, results: Any, players: int) -> dict[str, Any]:
        """Other gains of each seat in rows of results, by name, in whole numbers: tricks, captured pieces. For
        competitive games.
        """
        return {}

    def count(self, results: Any, players: int) -> dict[str, Any]:
        """The sums of all counts over rows of results, by seat, turn and kind.

        The last seat stands for nobody. A count without kinds has one.
        """
        if not self.counts:
            return {}
        ends = np.zeros((players + 1, self.longest, 1), np.int64)
        alone = np.full(1 << players, players)  # a game with several winners counts as won by nobody
        alone[1 << np.arange(players)] = np.arange(players)
        np.add.at(ends, (alone[self.winners(results)], results[:, 1] - 1, 0), 1)
        return {ENDS: ends}

    def table(self, results: Any, named: Sequence[int]) -> dict[str, Any]:
        """Rows of results as columns of equal length, for people.

        A game may take several lines; the column `row` is the index of a line's result. `named` has the number of the
        agent in each seat, from 1.
        """
        return {
            "row": np.arange(len(results)),
            **{column: results[:, place] for place, column in enumerate(self.columns)},
        }

    def verdict(self, state: Any) -> str:
        """The outcome of a finished game in a sentence."""
        rows = self.row(state)[np.newaxis]
        if not self.competitive:
            return f"{int(self.scores(rows)[0][0])} points of {self.best}."
        winners = int(self.winners(rows)[0])
        names = [self.seat_name(seat) for seat in range(winners.bit_length()) if winners >> seat & 1]
        return f"{' and '.join(names)} {'win' if len(names) > 1 else 'wins'}." if names else "Nobody wins."
