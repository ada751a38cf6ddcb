"""Draughts in words: moves, events, results."""

from typing import Any

from kibitz.core.deferred import load
from kibitz.core.words import Words
from kibitz.engine import generic
from kibitz.errors import KibitzError
from kibitz.games.draughts.moves import Move, move_named
from kibitz.games.draughts.rules import crowned_in, seat_of, winner
from kibitz.games.draughts.state import FEW_PIECES, KINGS_ONLY, MAIN_ROAD_HELD, REPEATED, TOO_LONG
from kibitz.games.draughts.view import NAMES, View

HELP = """A move is two squares by their numbers, as the board shows them; a capture is written with an x:
  22-18        a step
  22x15        a capture; the first and last square are enough: 22x8
  22x15x8      every square it visits, if 22x8 is ambiguous
  c3-d4        squares may also be letters
Captures are compulsory. Other commands: moves (lists the legal moves), board, history, help, quit."""
DRAWS = {
    REPEATED: "the same position has been on the board three times",
    KINGS_ONLY: "too many king moves in a row without a capture",
    FEW_PIECES: "few pieces are left, and too many moves were made without a capture or a new king",
    MAIN_ROAD_HELD: "a lone king holds the main road",
    TOO_LONG: "the game is too long",
}


class DraughtsWords(Words):
    def view(self, struct: Any) -> View:
        return View(struct)

    def move(self, answer: Any, struct: Any) -> int:
        legal = [Move(move) for move in self.legal(struct)]
        if isinstance(answer, int) and not isinstance(answer, bool) and answer in legal:
            return answer
        if not isinstance(answer, str):
            raise KibitzError(
                f"{answer!r} is not a legal move. A move is its text, like 22-18, or one of `view.legal`."
            )
        return move_named(answer, struct, legal)

    def move_text(self, move: int) -> str:
        return str(Move(move))

    def event_text(self, struct: Any, turn: int) -> str:
        move = Move(generic.move_at(struct, turn))
        side = (int(struct["side"]) + int(struct["turn"]) - turn) % 2  # the sides alternate
        who, captured = self.seat_name(int(seat_of(struct, side))), len(move.captured)
        crowned = " and gets a king" if crowned_in(struct, turn) else ""
        if not captured:
            return f"{who} moves {move.origin + 1}-{move.target + 1}{crowned}."
        pieces = "a piece" if captured == 1 else f"{captured} pieces"
        return f"{who} captures {pieces}, {move.origin + 1}x{move.target + 1}{crowned}."

    def board(self, view: Any) -> Any:
        return load("kibitz.games.draughts.board:board")(View(view))

    def svg(self, view: Any) -> str:
        return str(load("kibitz.games.draughts.picture:board")(View(view)))

    def help(self) -> str:
        return HELP

    def verdict(self, state: Any) -> str:
        moves = f"after {(int(state['turn']) + 1) // 2} moves"
        if (won := int(winner(state))) < 0:
            return f"A draw {moves}: {DRAWS[int(state['ending'])]}."
        loser = NAMES[int(state["side"])]
        why = "cannot move" if int(state[loser]) else "has no pieces left"
        return f"{self.seat_name(won)} wins {moves}: {loser.capitalize()} {why}."
