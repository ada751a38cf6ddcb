"""Nim as a `Game`: its texts, starts, results and page."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from kibitz.core.game import Game, Lineup, Rule, start_as
from kibitz.core.results import Count
from kibitz.errors import RecordError
from nim.rules import LONG, LOSES, MOST, SEATS, STATE, STONES, TIRES

NUMBERS = ("one", "two", "three")


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    stones: int


class Nim(Game):
    name = "nim"
    title = "Nim"
    description = "The player who takes the last stone wins."
    players = range(2, SEATS + 1)
    rules = (
        Rule("last_stone", "whether the player who takes it wins or loses to the next", ("wins", "loses")),
        Rule("long_game", f"the result of a game of more than {LONG} turns", ("won", "draw")),
    )
    dtype = STATE
    longest = STONES
    page_folder = Path(__file__).parent / "page"
    lineups = MappingProxyType(
        {
            "easy": Lineup("They take one stone at a time.", ("novice",)),
            "hard": Lineup("They know the trick.", ("expert",)),
        }
    )
    bounds = MappingProxyType(
        {
            "rules": (0, LOSES | TIRES),
            "stones": (0, STONES),
            "turn": (0, STONES),
            "taken": (0, MOST - 1),
        }
    )

    # A start in a record

    def dump_start(self, state: Any) -> Any:
        return msgspec.to_builtins(Start(int(state["stones"])))

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        stones = start_as(Start, text).stones
        if not 1 <= stones <= STONES:
            raise RecordError(f"A game of Nim starts with 1 to {STONES} stones, not {stones}.")
        start = self.dealt(players, self.rule_bits(rules))
        start["stones"] = stones
        return start

    # Views from elsewhere

    def starts_of(self, view: Any) -> Iterator[Any]:
        """The only possible start of a view: the stones left plus those taken."""
        stones = int(view["stones"]) + int((view["taken"][: view["turn"]] + 1).sum())
        if stones <= STONES:
            for start in super().starts_of(view):
                start["stones"] = stones
                yield start

    # Words

    def view(self, record: Any) -> int:
        """The view for agents in Python."""
        return int(record["stones"])

    def move_text(self, move: int) -> str:
        return f"take {move + 1}"

    def event_text(self, record: Any, turn: int) -> str:
        return f"{self.seat_name(turn % record['players'])} takes {record['taken'][turn] + 1}"

    def board(self, view: Any) -> str:
        return "o" * int(view["stones"])

    def help(self) -> str:
        return "take 2"

    # Results

    competitive = True
    columns = ("winner", "turns")
    width = 3  # `result` writes one more number, for the counts
    counts = (
        Count("ends", "Games by the turn of their end", STONES),
        Count("last", "Stones taken in the last turn", STONES, NUMBERS),
    )

    def winners(self, results: Any) -> Any:
        return (1 << results[:, 0]) >> 1

    def count(self, results: Any, players: int) -> dict[str, Any]:
        ends = np.zeros((players + 1, STONES, 1), np.int64)
        last = np.zeros((players + 1, STONES, len(NUMBERS)), np.int64)
        winner, turn = (results[:, 0] - 1) % (players + 1), results[:, 1] - 1
        np.add.at(ends, (winner, turn, 0), 1)
        np.add.at(last, (turn % players, turn, results[:, 2]), 1)
        return {"ends": ends, "last": last}

    def table(self, results: Any, named: Sequence[int]) -> dict[str, Any]:
        winners = np.array([0, *named])[results[:, 0]]
        return {"row": np.arange(len(results)), "winner": winners, "turns": results[:, 1], "last": results[:, 2] + 1}

    # The page

    def page(self, view: Any) -> dict[str, Any]:
        return {"stones": int(view["stones"])}


NIM = Nim()
