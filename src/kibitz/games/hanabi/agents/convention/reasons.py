"""What `convention2` says of its moves: what a hint or a discard tells the partner to do, in words."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.engine.compile import struct_dtype
from kibitz.games.hanabi.agents.signal.reasons import known_in_words, risk_by_hints_alone
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.reason_words import seat_name

# What the last move said: the value of a hint, −1 if it was none, whom it was for, which slot it was about and whether
# that can be played; or the slot that a discard called for.
MESSAGE = struct_dtype([(name, np.int64) for name in ("value", "seat", "about", "helps", "called")])

(
    PLAY, GAMBLE, HELP, SAVE, FIX, WAIT, USELESS, CHOP, DISCARD, CALL, END_PLAY, END_HINT, END_DISCARD, ANYTHING,
) = range(14)  # fmt: skip

REASONS = (
    "play: by our conventions {card} can be played{known}",
    "gamble: by our conventions {card} may well fit{known}",
    "play hint: {says}",
    "save: {card} would be thrown away next, and is the last of its kind and still needed; {says}",
    "correction: {card} would be played, and does not fit now; {says}",
    "hint: there is nothing better to do; {says}",
    "discard: by our conventions {card} is of no use{known}{alone}",
    "chop: nothing better to do, and {card} is next to go, as no hint touched it{alone}",
    "discard: nothing better to do, and {card} is missed least{known}{alone}",
    "call: there is no token, so {card} goes instead of the first that could, which says: {called}{alone}",
    "end: thought through to the last card, {card} is best played{known}",
    "end: thought through to the last card, a hint is best; {says}",
    "end: thought through to the last card, {card} is best thrown away{alone}",
    "any legal move: there was no better",
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
    """What a hint says: which card is to be played, by the way one picks it out of those that are touched."""
    seat, value, about = int(message["seat"]), int(message["value"]), int(message["about"])
    if not message["helps"]:
        return "it gives nothing to play"
    named = COLOURS[value] if value < 5 else str(value - 4)
    kinds = [int(view["deck"][place]) for place in view["hands"][seat][: view["held"][seat]]]
    touched = [slot for slot, kind in enumerate(kinds) if value in (kind // 5, 5 + kind % 5)]
    mine = whose(view, reader, seat)
    if about not in touched:
        return f"it says: {mine} card {about + 1} can be played, though it does not touch it"
    which = "" if len(touched) == 1 else "newest " if about == touched[-1] else "oldest " if about == touched[0] else ""
    card = f"{mine} {which}{named} card" if value < 5 else f"{mine} {which}{named}"
    return f"it says: play {card}" + ("" if which or len(touched) == 1 else f" in place {about + 1}")
