"""Kriegspiel in words: attempts, announcements, outcomes, and a side's board."""

from functools import lru_cache
from typing import Any

from kibitz.core.deferred import load
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
    A_PIECE,
    ASK,
    DIAGONAL,
    FIFTY_MOVES,
    INSUFFICIENT_MATERIAL,
    KEEPS_TURN,
    MATE,
    NO_CAPTURE,
    ONGOING,
    STALEMATE,
    event_capture_square,
    event_captured,
    event_checks,
    event_move,
    event_pawn_tries,
    is_lecture,
    keeps_turn,
)
from kibitz.games.kriegspiel.umpire import attempt_captures, may_ask

QUESTION = "captures?"
ASKING = (QUESTION, "captures", "ask", "?")  # what a person may type
DIRECTION_WORDS = ("on the rank", "on the file", "on the long diagonal", "on the short diagonal", "by a knight")
WHY_DRAWN = {
    STALEMATE: "{side} is not in check and cannot move",
    FIFTY_MOVES: f"{HALFMOVE_LIMIT} moves without a pawn move or a capture",
    INSUFFICIENT_MATERIAL: "insufficient material",
}
SHOWN = 6  # latest announcements below the board in the terminal

HELP = """Type the squares a piece moves from and to: e2e4, or e7e8q to promote to a queen. You see only your own
pieces. An illegal attempt costs nothing, and you try another. The umpire of the clubs announces it to both, and a pawn
can try to capture only after the announcement that one can. The umpire of the lecture tells only you; type captures? to
ask whether you have any capture.
Commands: moves (what you may attempt), board, history, help, quit."""


def check_words(mask: int, rules: int) -> list[str]:
    """The announced directions of a check."""
    if is_lecture(rules) and mask & DIAGONAL:
        return [*check_words(mask & ~DIAGONAL, rules), "on a diagonal"]
    return [words for n, words in enumerate(DIRECTION_WORDS) if mask >> n & 1]


def announcements(event: int, rules: int) -> list[str]:
    """The announcements after a legal move, to both sides."""
    attempt = []
    if event_captured(event) != NO_CAPTURE:
        what = {A_PAWN: "a pawn", A_PIECE: "a piece"}.get(event_captured(event), "a man")
        attempt.append(f"{what} is captured on {square_name(event_capture_square(event))}")
    directions = check_words(event_checks(event), rules)
    if directions:
        attempt.append(f"check {' and '.join(directions)}")
    if event_pawn_tries(event):
        attempt.append("a pawn can capture")
    return attempt


def spelled(move: int) -> str:
    return QUESTION if move == ASK else move_text(move)


class KnownAttempt:
    """A turn as its viewer knows it: the side, the attempt if it is visible, and the announcements."""

    def __init__(self, event: int, side: int, rules: int) -> None:
        move = event_move(event)
        self.side = side
        self.keeps_turn = bool(keeps_turn(event))
        self.answer = bool(event_pawn_tries(event)) if move == ASK else None  # to a question
        self.illegal = self.keeps_turn and self.answer is None
        self.move = spelled(move) if move else None
        self.announced = [] if self.keeps_turn else announcements(event, rules)
        self.square = square_name(event_capture_square(event)) if event_captured(event) != NO_CAPTURE else None
        self.taken = ("", "pawn", "piece", "man")[event_captured(event)]
        self.directions = [n for n in range(len(DIRECTION_WORDS)) if event_checks(event) >> n & 1]
        self.pawn_tries = bool(event_pawn_tries(event)) and not self.keeps_turn

    def text(self, who: str) -> str:
        made = f" {self.move}" if self.move else ""
        if self.answer is not None:
            return f"{who} asks for a capture: there is {'one' if self.answer else 'none'}"
        if self.illegal:
            return f"{who} attempts{made or ' something'}: illegal"
        did = f"{who} plays{made}" if made else f"{who} has moved"
        return ", ".join([did, *self.announced])


class KriegspielWords(Words):
    def move(self, answer: Any, struct: Any) -> int:
        if isinstance(answer, str):
            move = self.parsed(answer, struct)
            if generic.allowed(struct, move):
                return move
            raise KibitzError(f"{answer[:20]!r} cannot be attempted: {self.why_not(move, struct)}")
        return super().move(answer, struct)

    def parsed(self, text: str, struct: Any) -> int:
        """A move, or the question."""
        if text.strip().lower() in ASKING:
            return ASK
        try:
            return parse_move(text)
        except KibitzError as error:
            if is_lecture(struct["rules"]):
                raise KibitzError(f"{error} Type {QUESTION} to ask whether you have any capture.") from None
            raise

    def why_not(self, move: int, struct: Any) -> str:
        """Why a move cannot even be attempted, by what its side knows."""
        if move == ASK:
            return self.why_no_question(struct)
        own = int(struct["sides"][int(struct["side"])]) & (1 << 64) - 1
        start, end = move >> 9 & 63, move >> 3 & 63
        if not own >> start & 1:
            return f"you have no piece on {square_name(start)}."
        if own >> end & 1:
            return f"your own piece is on {square_name(end)}."
        turn = int(struct["turn"]) - 1
        while turn >= 0 and keeps_turn(struct["history"][turn]):
            if event_move(struct["history"][turn]) == move:
                return "you attempted it in this turn, and it is illegal. Try another move."
            turn -= 1
        letter = piece_letters(struct)[start]
        if letter.lower() == "p" and (start - end) % 8 and not attempt_captures(struct):
            if is_lecture(struct["rules"]):
                return "you asked in this turn, and you have no capture."
            return "the umpire has not announced that a pawn can capture."
        return f"a {'pawn' if letter.lower() == 'p' else 'piece'} on {square_name(start)} does not move like that."

    def why_no_question(self, struct: Any) -> str:
        if not is_lecture(struct["rules"]):
            return (
                "the umpire of the clubs takes no questions, and announces when a pawn can capture. The rule "
                "umpire=lecture plays with the one who answers."
            )
        return "you asked in this turn, and the answer is the same until you have moved."

    def move_text(self, move: int) -> str:
        return spelled(move)

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

    def svg(self, view: Any) -> str:
        below = [self.event_text(view, turn) for turn in range(max(0, int(view["turn"]) - SHOWN), int(view["turn"]))]
        text = "\n".join([*below, self.turn_text(view)])
        return str(load("kibitz.games.chess.picture:board")(piece_letters(view), text, "Kriegspiel"))

    def turn_text(self, view: Any) -> str:
        """What the side to move knows of its turn."""
        if view["outcome"] != ONGOING:
            return "The game is over."
        checks = check_words(int(view["check_mask"]), view["rules"])
        notes = ([f"in check {' and '.join(checks)}"] if checks else []) + (
            ["a pawn can capture"] if view["pawn_tries"] else []
        )
        return f"{SIDE_NAMES[int(view['side'])]} to move{': ' if notes else '.'}{', '.join(notes)}"

    def help(self) -> str:
        return HELP

    def verdict(self, state: Any) -> str:
        outcome = int(state["outcome"])
        attempts = sum(event_move(event) != ASK for event in state["history"][: int(state["turn"])].tolist())
        if outcome == MATE:
            count = "1 attempt" if attempts == 1 else f"{attempts} attempts"
            return f"{self.seat_name(1 - int(state['side']))} mates after {count} of both sides."
        why = WHY_DRAWN.get(outcome, "the game is too long").format(side=self.seat_name(int(state["side"])))
        return f"Draw: {why}."


class View(BoardView):
    """What a side knows: its own pieces and attempts, and the announcements."""

    game_name = "kriegspiel"

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
        return check_words(int(self.struct["check_mask"]), self.struct["rules"])

    @property
    def pawn_can_take(self) -> bool:
        """Whether the umpire of the clubs has announced it."""
        return bool(self.struct["pawn_tries"])

    @property
    def may_ask(self) -> bool:
        """Whether the question `captures?` can be asked now."""
        return bool(may_ask(self.struct))


@lru_cache(4096)
def in_words(event: int, side: int, rules: int) -> KnownAttempt:
    """A turn in words. Pages show all turns of a game again after every move."""
    return KnownAttempt(event, side, rules)


def known_attempts(struct: Any) -> list[KnownAttempt]:
    """Every turn, as the viewer knows it."""
    side, rules, found = int(struct["first_side"]), int(struct["rules"]), list[KnownAttempt]()
    for event in struct["history"][: int(struct["turn"])].tolist():
        found.append(in_words(event, side, rules))
        side ^= not found[-1].keeps_turn
    return found


def known_attempt(struct: Any, turn: int) -> KnownAttempt:
    """A turn, as the viewer knows it."""
    events = struct["history"][: turn + 1].tolist()
    legal = sum(not event & KEEPS_TURN for event in events[:-1])
    return in_words(events[-1], (int(struct["first_side"]) + legal) % 2, int(struct["rules"]))


def losses(attempts: list[KnownAttempt]) -> list[list[str]]:
    """The announced losses of each side: a pawn, a piece, or a man of unknown kind."""
    gone: list[list[str]] = [[], []]
    for attempt in attempts:
        if attempt.taken:
            gone[1 - attempt.side].append(attempt.taken)
    return gone
