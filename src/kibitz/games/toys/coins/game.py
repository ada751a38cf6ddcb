"""Coins in a row as a `Game`: texts, starts, page, levels."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.deferred import load
from kibitz.core.game import Game, Lineup, start_as
from kibitz.errors import RecordError
from kibitz.games.toys.coins.rules import COINS, GREATEST, RIGHT, SEATS, STATE, begin, move_text
from kibitz.text import fit


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    coins: list[int]


class Coins(Game):
    name = "coins"
    title = "Coins in a Row"
    description = "Take the coin at the left or right end; the highest sum wins."
    players = range(2, SEATS + 1)
    usual_players = 3
    dtype = STATE
    longest = COINS
    competitive = True
    small = True
    page_folder = Path(__file__).parent / "page"
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They take any coin.", ("random",)),
            "easy": Lineup("They take the higher coin.", ("greedy",)),
            "medium": Lineup("They search to the end and expect all players to play for themselves.", ("selfish",)),
            "hard": Lineup("They search to the end and expect all others to play against them.", ("paranoid",)),
        }
    )
    bounds = MappingProxyType(
        {
            "turn": (0, COINS),
            "left": (0, COINS),
            "coins": (1, GREATEST),
            "ends": (0, RIGHT),
            "won": (0, COINS * GREATEST),
        }
    )

    def starts_of(self, view: Any) -> Iterator[Any]:
        yield self.begun(view["coins"].tolist(), int(view["players"]))

    def dump_start(self, state: Any) -> Any:
        return msgspec.to_builtins(Start(state["coins"].tolist()))

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        coins = start_as(Start, text).coins
        if len(coins) != COINS or not all(1 <= coin <= GREATEST for coin in coins):
            raise RecordError(f"A game starts with {COINS} coins of 1 to {GREATEST}, not with {fit(str(coins), 80)}.")
        return self.begun(coins, players)

    def begun(self, coins: list[int], players: int) -> Any:
        """The start with these coins, as an array of one state."""
        start = self.dealt(players)
        start[0]["coins"] = coins
        begin(start[0])
        return start

    def move_text(self, move: int) -> str:
        return move_text(int(move))

    def event_text(self, struct: Any, turn: int) -> str:
        who = self.seat_name(turn % int(struct["players"]))
        return f"{who} takes the {self.coin_taken(struct, turn)} at the {move_text(int(struct['ends'][turn]))}."

    def coin_taken(self, struct: Any, turn: int) -> int:
        rights = int(struct["ends"][:turn].sum())
        place = COINS - 1 - rights if struct["ends"][turn] == RIGHT else turn - rights
        return int(struct["coins"][place])

    def row_of(self, struct: Any) -> list[int]:
        """The remaining coins."""
        left, taken = int(struct["left"]), int(struct["turn"])
        return [int(coin) for coin in struct["coins"][left : COINS - (taken - left)]]

    def board(self, view: Any) -> str:
        won = "  ".join(f"{self.seat_name(seat)}: {int(view['won'][seat])}" for seat in range(view["players"]))
        return f"{' '.join(map(str, self.row_of(view))) or 'no coins are left'}\n{won}"

    def svg(self, view: Any) -> str:
        won = {self.seat_name(seat): int(view["won"][seat]) for seat in range(view["players"])}
        return str(load("kibitz.games.toys.coins.picture:row")(self.row_of(view), won))

    def help(self) -> str:
        return "left or right takes the coin at that end. Other commands: moves, board, history, help, quit."

    def page(self, view: Any) -> dict[str, Any]:
        return {
            "row": self.row_of(view),
            "taken": int(view["left"]),
            "won": [int(view["won"][seat]) for seat in range(view["players"])],
            "all": int(view["coins"].sum()),
        }

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        return {**super().event(view, turn), "coin": self.coin_taken(view, turn)}

    def verdict(self, state: Any) -> str:
        won = " : ".join(str(int(state["won"][seat])) for seat in range(state["players"]))
        return f"{super().verdict(state)} {won}."


COINS_IN_A_ROW = Coins()
