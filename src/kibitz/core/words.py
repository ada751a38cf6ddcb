"""A game's words for people and for Python agents: moves, events, reasons, and a board in letters.

A game that leaves all of it out is played by the numbers of its moves.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.expectation import Expectation
from kibitz.engine.move_sets import listed
from kibitz.errors import KibitzError

MOST_LISTED = 12  # legal moves in an error
UNSAID = {"dice", "streams", "chance", "seat"}  # fields of every state that say nothing about the game


class Words:
    def seat_name(self, seat: int) -> str:
        return f"G{seat + 1}"

    def view(self, struct: Any) -> Any:
        """A view as Python agents read it."""
        return struct

    def legal(self, struct: Any) -> list[int]:
        """The legal moves of the seat to move; where chance is to move, what can be rolled."""
        room = np.empty(int(generic.most_moves(struct)), np.int64)
        if generic.to_move(struct) == generic.CHANCE:
            return sorted(room[: generic.chance_moves(struct, room, np.empty(len(room)))].tolist())
        return listed(generic.legal_moves(struct, room))

    def move(self, answer: Any, struct: Any) -> int:
        """The move that a player's answer means, as its number; a KibitzError says why it is none, or not legal.

        Without notation of its own a game takes the text of a legal move, in small or capital letters, or its number.
        """
        said, legal = " ".join(str(answer).split()).casefold(), self.legal(struct)
        for move in legal:
            if said == self.move_text(move).casefold() or answer == move:
                return move
        known = ", ".join(self.move_text(move) for move in legal[:MOST_LISTED])
        more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
        raise KibitzError(f"{str(answer)[:80]!r} is not a legal move now. Legal are {known or 'none'}{more}.")

    def moves_of(self, text: str) -> list[str]:
        """A line of moves taken apart, as somebody writes it to name a position: by commas, else by spaces."""
        return [move.strip() for move in (text.split(",") if "," in text else text.split()) if move.strip()]

    def move_text(self, move: int) -> str:
        """A move as it is written in records and read from people."""
        return str(int(move))

    def event_text(self, struct: Any, turn: int) -> str:
        """What happened in a turn, from 0, in a sentence."""
        return self.move_text(int(generic.move_at(struct, turn)))

    def explain(self, reason: str, about: int, view: Any) -> str:
        """A compiled agent's reason in words; `about` is what it points at, and stands where it says {about}."""
        return reason if about < 0 else reason.format(about=about)

    def explain_to(self, reason: str, about: int, view: Any, reader: Any) -> str:
        """A compiled agent's reason in words for somebody else, whose view of the same table is `reader`.

        A game leaves out here what that reader does not see. Where the words still speak of it, the reader is not told.
        """
        return self.explain(reason, about, view)

    def hindsight(self, state: Any, move: int) -> str:
        """What can be said of a move once nothing is hidden, by the open state before it: what it cost, for example."""
        return ""

    def expectation_text(self, expects: Expectation) -> str:
        """What a searching agent expects of its move, after the agent's name."""
        return f"expects {expects.value:.2f}, by {expects.visits:,} of its {expects.simulations:,} trials"

    def board(self, view: Any) -> Any:
        """A view, or an open state, drawn for the terminal: text, or anything that rich prints."""
        fields = (name for name in view.dtype.names if name not in UNSAID)
        return "\n".join(f"{name}: {' '.join(str(view[name]).split())}" for name in fields)

    def watched(self, state: Any, view: Callable[[int], Any]) -> Any:
        """An open state drawn for who looks on at the terminal, perhaps with what a seat can know: `view(seat)`."""
        return self.board(state)

    def help(self) -> str:
        """How a person at the terminal writes moves."""
        return "Write a move as `moves` lists them. Or a question: moves, board, history, help. To leave: quit."
