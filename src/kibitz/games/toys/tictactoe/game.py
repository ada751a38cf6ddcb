"""Tic-tac-toe as a `Game`: texts, page, levels."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

from kibitz.core.deferred import load
from kibitz.core.game import Game, Lineup
from kibitz.games.toys.tictactoe.rules import FULL, LINES, PLACES, SEATS, SIDE, STATE, move_text

MARKS = "✕○"


class TicTacToe(Game):
    name = "tictactoe"
    title = "Tic-Tac-Toe"
    description = "Three in a row win, across, up or diagonally."
    players = range(SEATS, SEATS + 1)
    dtype = STATE
    longest = PLACES
    competitive = True
    reviewer = "perfect"
    reviewer_unit = "search points"
    small = True
    page_folder = Path(__file__).parent / "page"
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They mark any square.", ("random",)),
            "easy": Lineup("They look two plies ahead.", ("two_plies",)),
            "hard": Lineup("They never lose.", ("perfect",)),
        }
    )
    bounds = MappingProxyType({"marks": (0, FULL), "turn": (0, PLACES), "places": (0, PLACES - 1)})

    def move_text(self, move: int) -> str:
        return move_text(int(move))

    def event_text(self, struct: Any, turn: int) -> str:
        return f"{self.seat_name(turn % SEATS)} marks {move_text(int(struct['places'][turn]))}."

    def marks(self, struct: Any) -> list[str]:
        """The mark in each place."""
        first, second = (int(marks) for marks in struct["marks"])
        return [MARKS[0] if first >> place & 1 else MARKS[1] if second >> place & 1 else "" for place in range(PLACES)]

    def board(self, view: Any) -> str:
        marks = self.marks(view)
        rows = [
            f"{row + 1}  " + " ".join(marks[row * SIDE + column] or "·" for column in range(SIDE))
            for row in reversed(range(SIDE))
        ]
        return "\n".join([*rows, "   a b c"])

    def svg(self, view: Any) -> str:
        return str(load("kibitz.games.toys.tictactoe.picture:board")(self.marks(view)))

    def help(self) -> str:
        return "A move is a place, from a1 at the bottom left to c3. Other commands: moves, board, history, help, quit."

    def page(self, view: Any) -> dict[str, Any]:
        rows = [line for line in LINES if any(int(marks) & line == line for marks in view["marks"])]
        return {
            "marks": self.marks(view),
            "last": int(view["places"][view["turn"] - 1]) if view["turn"] else None,
            "row": [place for place in range(PLACES) if rows and rows[0] >> place & 1],
            "to_move": int(view["turn"]) % SEATS,
        }


TIC_TAC_TOE = TicTacToe()
