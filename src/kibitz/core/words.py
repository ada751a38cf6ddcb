"""A game's text for people and Python agents: moves, events, reasons, and a board in text.

By default, moves are numbers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.core.view import PlainView
from kibitz.engine import generic
from kibitz.engine.expectation import Expectation
from kibitz.engine.move_sets import listed
from kibitz.errors import KibitzError

MOST_LISTED = 12  # legal moves to list in an error
UNSAID = {"dice", "streams", "chance", "seat"}  # technical fields, which the default board leaves out


class Words:
    def seat_name(self, seat: int) -> str:
        return f"G{seat + 1}"

    def view(self, struct: Any) -> Any:
        """A view in the form for Python agents and notebooks."""
        return PlainView(self, struct)

    def legal(self, struct: Any) -> list[int]:
        """The legal moves of the seat to move, or the possible rolls if chance is to move."""
        room = np.empty(int(generic.most_moves(struct)), np.int64)
        if generic.to_move(struct) == generic.CHANCE:
            return sorted(room[: generic.chance_moves(struct, room, np.empty(len(room)))].tolist())
        return listed(generic.legal_moves(struct, room))

    def move(self, answer: Any, struct: Any) -> int:
        """Parse a player's answer; a KibitzError says why it is not a legal move.

        By default, an answer is the text of a legal move in any case, or its number.
        """
        said, legal = " ".join(str(answer).split()).casefold(), self.legal(struct)
        for move in legal:
            if said == self.move_text(move).casefold() or answer == move:
                return move
        known = ", ".join(self.move_text(move) for move in legal[:MOST_LISTED])
        more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
        raise KibitzError(f"{str(answer)[:80]!r} is not a legal move now. Legal are {known or 'none'}{more}.")

    def moves_of(self, text: str) -> list[str]:
        """Split a line of moves at its commas or, without commas, at its spaces."""
        return [move.strip() for move in (text.split(",") if "," in text else text.split()) if move.strip()]

    def move_text(self, move: int) -> str:
        """The text of a move in records and in people's input."""
        return str(int(move))

    def move_phrase(self, move: int, struct: Any) -> str:
        """The words for a legal move after "I" in a sentence."""
        return self.move_text(move)

    def event_text(self, struct: Any, turn: int) -> str:
        """A turn, counted from 0, in a sentence."""
        return self.move_text(int(generic.move_at(struct, turn)))

    def explain(self, reason: str, about: int, view: Any) -> str:
        """A compiled agent's reason in words; `about` is its subject, which replaces {about}."""
        return reason if about < 0 else reason.format(about=about)

    def explain_to(self, reason: str, about: int, view: Any, reader: Any) -> str:
        """A compiled agent's reason in words for another viewer, whose view of the same table is `reader`.

        Override it to leave out what the reader does not see. If hidden information remains, the reader gets no reason.
        """
        return self.explain(reason, about, view)

    def hindsight(self, state: Any, move: int) -> str:
        """A comment on a move once nothing is hidden, from the open state before it: for example, what it cost."""
        return ""

    def expectation_text(self, expects: Expectation) -> str:
        """What a searching agent expects of its move, as a continuation of its name."""
        return f"expects {expects.value:.2f}, over {expects.visits:,} of its {expects.simulations:,} simulations"

    def board(self, view: Any) -> Any:
        """A view or an open state drawn for the terminal: text, or anything that rich prints."""
        fields = (name for name in view.dtype.names if name not in UNSAID)
        return "\n".join(f"{name}: {' '.join(str(view[name]).split())}" for name in fields)

    def watched(self, state: Any, view: Callable[[int], Any]) -> Any:
        """An open state drawn for spectators at the terminal, who may also see what a seat knows: `view(seat)`."""
        return self.board(state)

    def help(self) -> str:
        """Help on how to enter moves at the terminal."""
        return "Enter a move as listed by `moves`, or one of: moves, board, history, help, quit."
