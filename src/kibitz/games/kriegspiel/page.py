"""Kriegspiel as JSON, for the page and for bots over the network.

All of it comes from a view, which does not contain the other side's pieces and moves.
"""

from typing import Any

import numpy as np

from kibitz.engine.compile import INTERPRETED
from kibitz.games.chess.fen import LETTERS, square_name
from kibitz.games.chess.view import choices, named_pieces
from kibitz.games.kriegspiel.belief_state import BeliefStatus, initial_positions, update_belief
from kibitz.games.kriegspiel.consistency import EXACT, REPAIRED
from kibitz.games.kriegspiel.packed_positions import BLACKS, ROW_LENGTH, WHITES
from kibitz.games.kriegspiel.state import ASK, ONGOING, is_lecture
from kibitz.games.kriegspiel.words import QUESTION, KnownAttempt, check_words, known_attempt, known_attempts, losses

SHOWN_TURNS = 40  # latest turns on the page; its history has all
MAX_POSITIONS = 1 if INTERPRETED else 2048  # of the belief state for the map
FEW = 50  # fewer positions than this are a poor sample


def table(view: Any, turn_text: str) -> dict[str, Any]:
    """The board as a viewer sees it, the announcements, and the losses of both sides."""
    attempts = known_attempts(view)
    return {
        "squares": named_pieces(view),
        "side": int(view["side"]),
        "umpire": "lecture" if is_lecture(view["rules"]) else "club",
        "asked": turn_text,
        "check": check_words(int(view["check_mask"]), view["rules"]),
        "tries": bool(view["pawn_tries"]),
        "lost": losses(attempts),
        "king_among": [square_name(n) for n in range(64) if int(view["king_candidates"]) >> n & 1],
        "said": [spoken(attempt) for attempt in attempts[-SHOWN_TURNS:]],
    }


def spoken(attempt: KnownAttempt) -> dict[str, Any]:
    shown = {"side": attempt.side, "move": attempt.move, "illegal": attempt.illegal, "announced": attempt.announced}
    return shown if attempt.answer is None else {**shown, "answer": attempt.answer}


def event(view: Any, turn: int, text: str) -> dict[str, Any]:
    """An attempt, as far as the viewer knows it."""
    attempt = known_attempt(view, turn)
    fields: dict[str, Any] = {
        "turn": turn + 1, "move": attempt.move or "", "text": text, "side": attempt.side, "illegal": attempt.illegal,
        "announced": attempt.announced, "taken_on": attempt.square,
    }  # fmt: skip
    if attempt.answer is not None:
        fields |= {"answer": attempt.answer}
    elif attempt.move:
        fields |= {"from": attempt.move[:2], "to": attempt.move[2:4]}
    return fields


def offered(moves: list[int]) -> list[dict[str, Any]]:
    """What may be attempted, and the question, which has no squares."""
    asking = [{"move": QUESTION}] if ASK in moves else []
    return asking + choices([move for move in moves if move != ASK])


def count_words(count: int, exact: bool) -> str:
    """The number of possible positions in words."""
    if exact:
        return f"{count} {'position is' if count == 1 else 'positions are'} possible"
    if count < FEW:
        known = f"{count} of them {'is' if count == 1 else 'are'} known"
        return f"Too many positions are possible, and only {known}: a guess"
    return f"Estimated from {count:,} possible positions"


def possible_squares(view: Any) -> list[dict[str, Any]]:
    """The probability of each square to hold a piece of the other side, and of each kind."""
    if int(view["seat"]) < 0 or view["outcome"] != ONGOING:
        return []
    rows = np.zeros((MAX_POSITIONS, ROW_LENGTH), np.int64)
    status = update_belief(view, rows, BeliefStatus(initial_positions(view, rows), EXACT, -1), 0, int(view["turn"]))
    rows, theirs = rows[: status.kept].view(np.uint64), BLACKS if int(view["seat"]) == 0 else WHITES
    count, quality = int(status.kept), int(status.quality)
    bits = (rows[:, :, np.newaxis] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    there = bits[:, theirs].mean(axis=0)
    kinds = (bits[:, : len(LETTERS)] & bits[:, theirs, np.newaxis]).mean(axis=0)
    return [
        {
            "positions": count, "exact": quality == EXACT, "sure": quality < REPAIRED,
            "words": count_words(count, quality == EXACT),
        },
        *(
            {
                "square": square_name(square),
                "share": round(float(there[square]), 4),
                "kinds": {
                    letter: round(float(share), 4)
                    for letter, share in zip(LETTERS, kinds[:, square], strict=True)
                    if share
                },
            }
            for square in range(64)
            if there[square] > 0
        ),
    ]  # fmt: skip
