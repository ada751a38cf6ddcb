"""Hanabi in words: moves, events, reasons, help."""

from typing import Any

import numpy as np

from kibitz.core.deferred import load
from kibitz.core.words import Words
from kibitz.engine.expectation import Expectation
from kibitz.errors import KibitzError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import KINDS
from kibitz.games.hanabi.moves import Move, as_move, spoken
from kibitz.games.hanabi.reason_words import ReasonWords
from kibitz.games.hanabi.state import FACE_DOWN
from kibitz.games.hanabi.view import Event, View
from kibitz.text import counted

HELP = """A move, in full or short:
  play 3            p3      play your third card, counted from the oldest at the left
  discard 1         d1      discard your oldest card and return a token
  hint blue to G2   h2 b    show G2 which cards are blue
  hint 3 to G4      h4 3    show G4 which cards are threes
Or a command: moves (lists the legal ones), board, history, help, quit.

Every hand has two lines: the cards, and below each the colour and rank that were hinted, or ·.
A card with ! is the last of its kind and still needed; one with - can never be played."""


class HanabiWords(Words):
    def expectation_text(self, expects: Expectation) -> str:
        """Searches measure what they reach as a share of all points."""
        return f"expects {KINDS * expects.value:.1f} points"

    def view(self, record: Any) -> View:
        return View(record)

    def legal(self, record: Any) -> list[int]:
        return list(View(record).legal)

    def move(self, answer: Any, record: Any) -> int:
        move = as_move(answer)
        if not rules.allowed(record, move):
            raise KibitzError(f"'{move}' is not legal now: {self.why_not(move, record)}.")
        return move

    def why_not(self, move: Move, s: Any) -> str:
        held, players = int(s["held"][s["to_move"]]), int(s["players"])
        if not move.is_hint:
            if move.slot >= held:
                return f"the hand has {counted(held, 'card')}"
            return "all 8 tokens are there, and these rules forbid a discard then"
        if move.target == s["to_move"]:
            return "a hint goes to another player"
        if move.target >= players:
            return f"only {players} are playing"
        if s["tokens"] == 0:
            return "a hint costs a token, and no token is left"
        return (
            f"{self.seat_name(move.target)} holds no {move.value}, and these rules forbid a hint that touches nothing"
        )

    def move_text(self, move: int) -> str:
        return str(Move(move))

    def move_phrase(self, move: int, record: Any) -> str:
        return spoken(move)

    def event_text(self, record: Any, turn: int) -> str:
        return self.in_words(View(record).event(turn))

    def in_words(self, event: Event) -> str:
        actor, move = self.seat_name(event.seat), event.move
        if move.is_hint:
            return f"{actor} hints {move.value} to {self.seat_name(move.target)}"
        verb = "misplays" if event.misplayed else "plays" if move.is_play else "discards"
        return f"{actor} {verb} {event.kind} (card {move.slot + 1})"

    def explain(self, reason: str, about: int, view: Any) -> str:
        if about < 0 and "{card}" not in reason:
            return reason
        return reason.format_map(ReasonWords(about, view))

    def explain_to(self, reason: str, about: int, view: Any, reader: Any) -> str:
        """The reason without the cards that the reader does not see, and without what only they allow to count."""
        if about < 0:
            return self.explain(reason, about, view)
        seen = view.copy()
        seen["deck"] = np.where(reader["deck"] == FACE_DOWN, FACE_DOWN, view["deck"])
        return reason.format_map(ReasonWords(about, seen, for_reader=True))

    def board(self, view: Any) -> Any:
        return load("kibitz.games.hanabi.board:board")(View(view), self)

    def svg(self, view: Any) -> str:
        return str(load("kibitz.games.hanabi.picture:table")(View(view), self))

    def help(self) -> str:
        return HELP
