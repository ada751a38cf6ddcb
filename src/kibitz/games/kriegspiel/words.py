"""Kriegspiel in words: attempts, announcements, outcomes, and a side's board."""

from typing import Any

from kibitz.core.words import Words
from kibitz.engine import generic
from kibitz.engine.expectation import Expectation
from kibitz.errors import KibitzError
from kibitz.games.chess.board import HALFMOVE_LIMIT
from kibitz.games.chess.fen import SIDE_NAMES, move_text, parse_move, piece_letters, square_name
from kibitz.games.chess.terminal import render_board
from kibitz.games.chess.view import BoardView
from kibitz.games.kriegspiel.state import (
    A_PAWN,
    FIFTY_MOVES,
    ILLEGAL,
    INSUFFICIENT_MATERIAL,
    MATE,
    NO_CAPTURE,
    ONGOING,
    STALEMATE,
    event_capture_square,
    event_captured,
    event_checks,
    event_move,
    event_pawn_tries,
    is_illegal,
)

DIRECTION_WORDS = ("on the rank", "on the file", "on the long diagonal", "on the short diagonal", "by a knight")
WHY_DRAWN = {
    STALEMATE: "{side} is not in check and cannot move",
    FIFTY_MOVES: f"{HALFMOVE_LIMIT} moves without a pawn move or a capture",
    INSUFFICIENT_MATERIAL: "insufficient material",
}
SHOWN = 6  # latest announcements below the board in the terminal

HELP = """Type the squares a piece moves from and to: e2e4, or e7e8q to promote to a queen. You see only your own
pieces. An illegal attempt costs nothing: the umpire announces it to both, and you try another. A pawn can try to
capture only after the umpire has announced that one can.
Commands: moves (what you may attempt), board, history, help, quit."""


def announcements(event: int) -> list[str]:
    """The announcements after a legal move, to both sides."""
    attempt = []
    if event_captured(event) != NO_CAPTURE:
        what = "a pawn" if event_captured(event) == A_PAWN else "a piece"
        attempt.append(f"{what} is captured on {square_name(event_capture_square(event))}")
    directions = [words for n, words in enumerate(DIRECTION_WORDS) if event_checks(event) >> n & 1]
    if directions:
        attempt.append(f"check {' and '.join(directions)}")
    if event_pawn_tries(event):
        attempt.append("a pawn can capture")
    return attempt


class KnownAttempt:
    """A turn as its viewer knows it: the side, the attempt if it is visible, and the announcements."""

    def __init__(self, event: int, side: int) -> None:
        self.side = side
        self.illegal = bool(is_illegal(event))
        self.move = move_text(event_move(event)) if event_move(event) else None
        self.announced = [] if self.illegal else announcements(event)
        self.square = square_name(event_capture_square(event)) if event_captured(event) != NO_CAPTURE else None
        self.taken = ("", "pawn", "piece")[event_captured(event)]
        self.directions = [n for n in range(len(DIRECTION_WORDS)) if event_checks(event) >> n & 1]
        self.pawn_tries = bool(event_pawn_tries(event))

    def text(self, who: str) -> str:
        made = f" {self.move}" if self.move else ""
        if self.illegal:
            return f"{who} attempts{made or ' something'}: illegal"
        did = f"{who} plays{made}" if made else f"{who} has moved"
        return ", ".join([did, *self.announced])


class KriegspielWords(Words):
    def move(self, answer: Any, struct: Any) -> int:
        if isinstance(answer, str):
            move = parse_move(answer)
            if generic.allowed(struct, move):
                return move
            raise KibitzError(f"{answer[:20]!r} cannot be attempted: {self.why_not(move, struct)}")
        return super().move(answer, struct)

    def why_not(self, move: int, struct: Any) -> str:
        """Why a move cannot even be attempted, by what its side knows."""
        own = int(struct["sides"][int(struct["side"])]) & (1 << 64) - 1
        start, end = move >> 9 & 63, move >> 3 & 63
        if not own >> start & 1:
            return f"you have no piece on {square_name(start)}."
        if own >> end & 1:
            return f"your own piece is on {square_name(end)}."
        turn = int(struct["turn"]) - 1
        while turn >= 0 and is_illegal(struct["history"][turn]):
            if event_move(struct["history"][turn]) == move:
                return "you attempted it in this turn, and it is illegal. Try another move."
            turn -= 1
        letter = piece_letters(struct)[start]
        if letter.lower() == "p" and (start - end) % 8 and not struct["pawn_tries"]:
            return "the umpire has not announced that a pawn can capture."
        return f"a {'pawn' if letter.lower() == 'p' else 'piece'} on {square_name(start)} does not move like that."

    def move_text(self, move: int) -> str:
        return move_text(move)

    def event_text(self, struct: Any, turn: int) -> str:
        attempt = known_attempt(struct, turn)
        return attempt.text(self.seat_name(attempt.side))

    def explain(self, reason: str, about: int, view: Any) -> str:
        """Reasons refer to a square."""
        return reason if about < 0 else reason.format(square=square_name(about))

    def expectation_text(self, expects: Expectation) -> str:
        return f"expects {expects.value:.2f} points, over {expects.simulations:,} possible positions"

    def board(self, view: Any, known: str = "", marked: frozenset[int] = frozenset()) -> Any:
        below = [self.event_text(view, turn) for turn in range(max(0, int(view["turn"]) - SHOWN), int(view["turn"]))]
        return render_board(piece_letters(view), "\n".join(filter(None, [known, *below, self.turn_text(view)])), marked)

    def turn_text(self, view: Any) -> str:
        """What the side to move knows of its turn."""
        if view["outcome"] != ONGOING:
            return "The game is over."
        checks = [words for n, words in enumerate(DIRECTION_WORDS) if int(view["check_mask"]) >> n & 1]
        told = ([f"in check {' and '.join(checks)}"] if checks else []) + (
            ["a pawn can capture"] if view["pawn_tries"] else []
        )
        return f"{SIDE_NAMES[int(view['side'])]} to move{': ' if told else '.'}{', '.join(told)}"

    def help(self) -> str:
        return HELP

    def verdict(self, state: Any) -> str:
        outcome, attempts = int(state["outcome"]), int(state["turn"])
        if outcome == MATE:
            count = "1 attempt" if attempts == 1 else f"{attempts} attempts"
            return f"{self.seat_name(1 - int(state['side']))} mates after {count} of both sides."
        why = WHY_DRAWN.get(outcome, "the game is too long").format(side=self.seat_name(int(state["side"])))
        return f"Draw: {why}."


class View(BoardView):
    """What a side knows: its own pieces and attempts, and the announcements."""

    @property
    def turn(self) -> int:
        """The number of the next attempt, from 1."""
        return int(self.struct["turn"]) + 1

    @property
    def history(self) -> list[KnownAttempt]:
        return known_attempts(self.struct)

    @property
    def in_check(self) -> list[str]:
        """The directions from which the king to move is attacked, in words."""
        return [words for n, words in enumerate(DIRECTION_WORDS) if int(self.struct["check_mask"]) >> n & 1]

    @property
    def pawn_can_take(self) -> bool:
        return bool(self.struct["pawn_tries"])


def known_attempts(struct: Any) -> list[KnownAttempt]:
    """Every turn, as the viewer knows it."""
    side, found = int(struct["first_side"]), []
    for event in struct["history"][: int(struct["turn"])].tolist():
        found.append(KnownAttempt(event, side))
        side ^= not found[-1].illegal
    return found


def known_attempt(struct: Any, turn: int) -> KnownAttempt:
    """A turn, as the viewer knows it."""
    events = struct["history"][: turn + 1].tolist()
    legal = sum(not event & ILLEGAL for event in events[:-1])
    return KnownAttempt(events[-1], (int(struct["first_side"]) + legal) % 2)


def losses(attempts: list[KnownAttempt]) -> list[list[str]]:
    """The announced losses of each side: pawn or piece."""
    gone: list[list[str]] = [[], []]
    for attempt in attempts:
        if attempt.taken:
            gone[1 - attempt.side].append(attempt.taken)
    return gone
