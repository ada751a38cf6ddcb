"""Kuhn poker as a `Game`: its texts, starts, results and levels."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import numpy as np

from kibitz.core.game import Game, Lineup, start_as
from kibitz.errors import RecordError
from kuhn.rules import BET, CARDS, HIDDEN, JACK, LONGEST, MOST_CHIPS, PASS, SEATS, STATE, folded, move_at

NAMES = ("jack", "queen", "king")
MOVES = ("pass", "bet")


class View(NamedTuple):
    """What an agent in Python gets."""

    card: str
    moves: tuple[str, ...]


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    cards: list[str]


class Kuhn(Game):
    name = "kuhn"
    title = "Kuhn Poker"
    description = "Three cards, one for each of two players, and one bet."
    players = range(SEATS, SEATS + 1)
    dtype = STATE
    longest = LONGEST
    moves_are_open = True
    competitive = True
    columns = ("winners", "turns", "chips")
    lineups = MappingProxyType(
        {
            "easy": Lineup("They bet only with the king.", ("honest",)),
            "medium": Lineup("They search.", ("ismcts",)),
            "hard": Lineup("They cannot be beaten.", ("equilibrium",)),
        }
    )

    # Views from elsewhere

    bounds = MappingProxyType({"cards": (HIDDEN, CARDS - 1), "turn": (0, LONGEST), "line": (PASS, BET)})

    def check_fields(self, view: Any, seat: int) -> None:
        cards = view["cards"].tolist()
        if cards[seat] == HIDDEN or cards[0] == cards[1]:
            raise RecordError("A view of Kuhn Poker must show the card of its seat, and no card twice.")

    # A start in a record

    def dump_start(self, state: Any) -> Any:
        return {"cards": [NAMES[card] for card in state["cards"]]}

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        cards = start_as(Start, text).cards
        if len(set(cards)) != SEATS or len(cards) != SEATS or not set(cards) <= set(NAMES):
            raise RecordError(f"The start must be two different cards of {', '.join(NAMES)}, not {cards}.")
        start = self.dealt(players)
        start[0]["cards"] = [NAMES.index(card) for card in cards]
        return start

    # Words

    def view(self, struct: Any) -> View:
        moves = struct["line"][: struct["turn"]]
        return View(NAMES[struct["cards"][struct["seat"]]], tuple(MOVES[move] for move in moves))

    def move_text(self, move: int) -> str:
        return MOVES[move]

    def event_text(self, struct: Any, turn: int) -> str:
        after_bet = turn > 0 and move_at(struct, turn - 1) == BET
        verbs = ("folds", "calls") if after_bet else ("checks", "bets")
        return f"{self.seat_name(turn % SEATS)} {verbs[move_at(struct, turn)]}."

    def board(self, view: Any) -> str:
        cards = [NAMES[card] if card >= JACK else "?" for card in view["cards"].tolist()]
        return "\n".join(f"{self.seat_name(seat)}: {card}" for seat, card in enumerate(cards))

    def help(self) -> str:
        return "pass checks or folds, bet bets or calls. Commands: moves, board, history, help, quit."

    # Results

    def gained(self, results: Any, players: int) -> dict[str, Any]:
        """The chips that each seat wins: positive for the winner, negative for the other."""
        won = results[:, 0, None] >> np.arange(players) & 1
        return {"chips": np.where(won, 1, -1) * results[:, 2, None]}

    def verdict(self, state: Any) -> str:
        result = self.result(state)
        winner, chips = result["winners"] - 1, result["chips"]
        how = "because the other player folded" if folded(state) else f"with the {NAMES[state['cards'][winner]]}"
        return f"{self.seat_name(winner)} wins {chips} of at most {MOST_CHIPS} chips {how}."


KUHN = Kuhn()
