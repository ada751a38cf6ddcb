"""The reasons of `convention2`: what a hint or a discard tells the partner to do."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.engine.compile import struct_dtype
from kibitz.games.hanabi.agents.signal.reasons import known_in_words, risk_by_hints_alone
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.reason_words import seat_name

# The message of the last move: the value of a hint (−1 for other moves), its receiver, its focus and whether that is
# playable; or the slot that a discard calls for.
MESSAGE = struct_dtype([(name, np.int64) for name in ("value", "seat", "about", "helps", "called")])

(
    PLAY, GAMBLE, HELP, SAVE, FIX, WAIT, USELESS, CHOP, DISCARD, CALL, END_PLAY, END_HINT, END_DISCARD, ANYTHING,
) = range(14)  # fmt: skip

REASONS = (
    "I play {card}: by our conventions it is playable{known}",
    "I play {card}: by our conventions it is probably playable{known}",
    "I {move}, which {says}",
    "{card} would be discarded next, and is the last of its kind and still needed, so I {move}, which {says}",
    "{card} would be played, and cannot be played now, so I {move}, which {says}",
    "I have nothing better to do, so I {move}, which {says}",
    "I discard {card}: by our conventions it is useless{known}{alone}",
    "I have nothing better to do, so I discard {card}, my chop{alone}",
    "I have nothing better to do, so I discard {card}, which I can best do without{known}{alone}",
    "I have no token, so I discard {card} instead of my chop, which says: {called}{alone}",
    "I searched the rest of the game: it is best to play {card}{known}",
    "I searched the rest of the game: it is best to {move}, which {says}",
    "I searched the rest of the game: it is best to discard {card}{alone}",
    "I make any legal move, because I see no good one",
)


def words(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The words {says}, {called}, {known} and {alone} of a reason, for a reader."""
    message = memory["message"]
    return {
        "says": hint_in_words(view, reader, message) if message["value"] >= 0 else "",
        "called": f"play {whose(view, reader, 1 - int(view['seat']))} card {int(message['called']) + 1}",
        "known": known_in_words(public, view, reader, about),
        "alone": risk_by_hints_alone(view, reader, about),
    }


def whose(view: Any, reader: Any, seat: int) -> str:
    return "your" if seat == reader["seat"] != view["seat"] else f"{seat_name(seat)}'s"


def hint_in_words(view: Any, reader: Any, message: Any) -> str:
    """What a hint says: which of the touched cards to play."""
    seat, value, about = int(message["seat"]), int(message["value"]), int(message["about"])
    if not message["helps"]:
        return "gives nothing to play"
    named = COLOURS[value] if value < 5 else str(value - 4)
    kinds = [int(view["deck"][place]) for place in view["hands"][seat][: view["held"][seat]]]
    touched = [slot for slot, kind in enumerate(kinds) if value in (kind // 5, 5 + kind % 5)]
    mine = whose(view, reader, seat)
    if about not in touched:
        return f"says: {mine} card {about + 1} can be played, though it does not touch it"
    which = "" if len(touched) == 1 else "newest " if about == touched[-1] else "oldest " if about == touched[0] else ""
    card = f"{mine} {which}{named} card" if value < 5 else f"{mine} {which}{named}"
    return f"says: play {card}" + ("" if which or len(touched) == 1 else f" in place {about + 1}")
