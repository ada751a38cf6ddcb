"""Kriegspiel as JSON, for the page that draws it and for bots over the network.

All of it is made from a view, in which the other side's pieces and moves are not.
"""

from typing import Any

import numpy as np

from kibitz.engine.compile import INTERPRETED
from kibitz.games.chess.fen import LETTERS, square_name
from kibitz.games.chess.view import named_pieces
from kibitz.games.kriegspiel.belief_state import Followed, first_rows, follow
from kibitz.games.kriegspiel.consistency import EXACT, REPAIRED
from kibitz.games.kriegspiel.packed_positions import BLACKS, WHITES, WORDS
from kibitz.games.kriegspiel.state import GOES_ON
from kibitz.games.kriegspiel.words import DIRECTION_WORDS, Said, all_said, lost, said_in

TOLD = 40  # of the last turns that are on the page: more are in its history
FOLLOWED = 1 if INTERPRETED else 2048  # positions that are followed to say where pieces may stand
FEW = 50  # of very many positions: so few say little about the others


def table(view: Any, asked: str) -> dict[str, Any]:
    """The board as a viewer sees it, what the umpire said, and what each side lost."""
    heard = all_said(view)
    return {
        "squares": named_pieces(view),
        "side": int(view["side"]),
        "asked": asked,
        "check": [words for n, words in enumerate(DIRECTION_WORDS) if int(view["checked"]) >> n & 1],
        "tries": bool(view["tries"]),
        "lost": lost(heard),
        "king_among": [square_name(n) for n in range(64) if int(view["among"]) >> n & 1],
        "said": [spoken(said) for said in heard[-TOLD:]],
    }


def spoken(said: Said) -> dict[str, Any]:
    return {"side": said.side, "move": said.move, "illegal": said.illegal, "announced": said.announced}


def event(view: Any, turn: int, text: str) -> dict[str, Any]:
    """An attempt, as the viewer knows it."""
    said = said_in(view, turn)
    told: dict[str, Any] = {
        "turn": turn + 1, "move": said.move or "", "text": text, "side": said.side, "illegal": said.illegal,
        "announced": said.announced, "taken_on": said.square,
    }  # fmt: skip
    if said.move:
        told |= {"from": said.move[:2], "to": said.move[2:4]}
    return told


def count_words(count: int, exact: bool) -> str:
    """How many positions a seat takes for possible."""
    if exact:
        return f"{count} {'position is' if count == 1 else 'positions are'} possible"
    if count < FEW:
        known = f"{count} of them {'is' if count == 1 else 'are'} known"
        return f"Very many positions are possible, and only {known}: a guess"
    return f"Very many positions are possible; {count} of them are counted"


def possible_squares(view: Any) -> list[dict[str, Any]]:
    """Where pieces of the other side may stand: by square how likely any is there, and how likely which."""
    if int(view["seat"]) < 0 or view["outcome"] != GOES_ON:
        return []
    rows = np.zeros((FOLLOWED, WORDS), np.int64)
    followed = follow(view, rows, Followed(first_rows(view, rows), EXACT, -1), 0, int(view["turn"]))
    rows, theirs = rows[: followed.kept].view(np.uint64), BLACKS if int(view["seat"]) == 0 else WHITES
    count, quality = int(followed.kept), int(followed.quality)
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
