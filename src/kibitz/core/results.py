"""What a finished game is worth, and what is counted over many.

A game has a score that all players reach together, or it is competitive and has winners. One that only says that it is
competitive is won by whom `generic.payoff` gives most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kibitz.core.words import Words
from kibitz.engine import generic
from kibitz.errors import KibitzError

ENDS = "ends"
GUARD, GUARDS = -(1 << 62) - 0x6B69, 4  # no result is this number: it stands behind a row to show what is written there


@dataclass(frozen=True)
class Count:
    """Something that is counted over many games: who did it, in which turn, and of which kind it was.

    The count called `ends` is special: how often a game, or a round of it, ended in a turn, and who won.
    """

    name: str  # as a program reads it
    title: str  # as a person reads it
    turns: int  # from the first to the last in which it can happen
    kinds: tuple[str, ...] = ()


class Results(Words):
    title: ClassVar[str]
    players: ClassVar[range]
    columns: ClassVar[tuple[str, ...]] = ("winners", "turns")  # the names of what `generic.result` writes
    competitive: ClassVar[bool] = False
    best: ClassVar[int]  # the highest score; a competitive game has none
    longest: ClassVar[int]

    @property
    def counts(self) -> tuple[Count, ...]:
        """What is counted: without words of its own on results, when a game that somebody wins ends, and who wins."""
        counted = self.competitive and self.columns == Results.columns
        return (Count(ENDS, "Games by the turn of their end", self.longest),) if counted else ()

    @property
    def width(self) -> int:
        """How many numbers `generic.result` writes: the columns, and what may stand behind them for the game itself."""
        return len(self.columns)

    def row(self, state: Any) -> Any:
        """All that `generic.result` writes of a finished game."""
        row = np.zeros(self.width + GUARDS, np.int64)
        row[self.width :] = GUARD
        generic.result(state, row)
        if (row[self.width :] != GUARD).any():
            raise KibitzError(
                f"The `result` of {self.title} writes more than the {self.width} numbers that the game declares. "
                f"Name them in `columns`, or say with `width` how many there are."
            )
        return row[: self.width]

    def result(self, state: Any) -> dict[str, int]:
        return {column: int(value) for column, value in zip(self.columns, self.row(state), strict=False)}

    def scores(self, results: Any) -> tuple[Any, int]:
        """Of rows of results: the scores, and how many of the games were lost. Games with a score have it."""
        return results[:, 0], 0

    def winners(self, results: Any) -> Any:
        """Of rows of results: who won each game, as a mask of seats; nobody is a draw. Competitive games have it."""
        return results[:, 0]

    def gained(self, results: Any, players: int) -> dict[str, Any]:
        """Of rows of results: what every seat got of each game besides winning it, in whole numbers, by what that is.

        Competitive games may have it: the tricks of card games, the pieces of others.
        """
        return {}

    def count(self, results: Any, players: int) -> dict[str, Any]:
        """Of rows of results: the sum of each of the game's counts, by seat, turn and kind.

        A row for what belongs to nobody stands behind those of the seats. A count without kinds has one.
        """
        if not self.counts:
            return {}
        ends = np.zeros((players + 1, self.longest, 1), np.int64)
        alone = np.full(1 << players, players)  # a game that several win counts as one that nobody does
        alone[1 << np.arange(players)] = np.arange(players)
        np.add.at(ends, (alone[self.winners(results)], results[:, 1] - 1, 0), 1)
        return {ENDS: ends}

    def table(self, results: Any, named: Sequence[int]) -> dict[str, Any]:
        """Rows of results as columns of a table for people, all of the same length.

        A game may take several lines: `row` says which one of the results a line is about. `named` has, for
        every seat, the number by which people know who sat there, from 1.
        """
        return {
            "row": np.arange(len(results)),
            **{column: results[:, place] for place, column in enumerate(self.columns)},
        }

    def verdict(self, state: Any) -> str:
        """How a finished game went, in a sentence."""
        rows = self.row(state)[np.newaxis]
        if not self.competitive:
            return f"{int(self.scores(rows)[0][0])} points of {self.best}."
        winners = int(self.winners(rows)[0])
        names = [self.seat_name(seat) for seat in range(winners.bit_length()) if winners >> seat & 1]
        return f"{' and '.join(names)} {'win' if len(names) > 1 else 'wins'}." if names else "Nobody wins."
