"""The reasons of `signal`: which number a move encodes, and what it means to each receiver."""

from collections.abc import Mapping
from typing import Any

from kibitz.games.hanabi.agents.signal.common_knowledge import DRAFT, NOW, START
from kibitz.games.hanabi.knowledge import critical
from kibitz.games.hanabi.reason_words import ReasonWords, listed, percent, seat_name
from kibitz.games.hanabi.state import FACE_DOWN

(
    PLAY, PLAY_ENCODING, GAMBLE, SAVE, HINT, DISCARD_DISPENSABLE, DISCARD_ENCODING, DISCARD, STUCK,
    LITERAL_PLAY, LITERAL_HINT, LITERAL_DISCARD, ANYTHING,
) = range(13)  # fmt: skip

REASONS = (
    "I play {card}: the signals show that it is playable{known}",
    "I play {card}: the signals show that it is playable{known}. Choosing it says {sum}",
    "I play {card}: by the signals it is probably playable{known}",
    "The next player would discard a critical card, so I {move}, which says {sum}",
    "I {move}, which says {sum}",
    "I discard {card}: the signals show that it is dispensable{known}{alone}",
    "I discard {card}, one of the cards I can best do without. Choosing it says {sum}{alone}",
    "I discard {card}: by the signals it is the card I can best do without{known}{alone}",
    "No hint says the sum and I may not discard, so I play {card}",
    "A player does not follow my protocol, so hints mean only what they say, and I play {card}",
    "A player does not follow my protocol, so hints mean only what they say, and I {move} about {card}",
    "A player does not follow my protocol; by hints alone I can best do without {card}, so I discard it{risk}",
    "I make any legal move, because I see no good one",
)

FEW = 3


def tables_of(public: Any, memory: Any) -> Any:
    """The knowledge the seat used: its own reading, once it found that the shared one is wrong for it."""
    return memory["tables"] if memory["tables"][START]["begun"] else public["tables"]


def words(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The words {sum}, {known} and {alone} of a reason, for a reader."""
    tables = tables_of(public, memory)
    return {
        "sum": sum_in_words(tables[DRAFT], view, reader),
        "known": known_in_words(tables[NOW], view, reader, about),
        "alone": risk_by_hints_alone(view, reader, about),
    }


def own_and_unseen(view: Any, reader: Any, place: int) -> bool:
    """Whether a card is in the hand of the player to move, and the reader does not see its face."""
    return place in view["hands"][view["seat"]][: view["held"][view["seat"]]] and reader["deck"][place] == FACE_DOWN


def known_in_words(c: Any, view: Any, reader: Any, place: int) -> str:
    """What a card of the player to move can be by the signals, for readers who do not see it."""
    if not own_and_unseen(view, reader, place):
        return ""
    kinds = int(c["masks"][place])
    return f"; it must be {listed(kinds)}" if kinds.bit_count() <= FEW else f"; it is one of {kinds.bit_count()} kinds"


def risk_by_hints_alone(view: Any, reader: Any, place: int) -> str:
    """The risk that a player who knows only the literal hints would see."""
    if view["seat"] != reader["seat"] or not own_and_unseen(view, reader, place):
        return ""
    likely = ReasonWords(place, view).chance(int(critical(view)))
    return f"; by hints alone the chance that it is a last copy we need is {percent(likely)}" if likely else ""


def sum_in_words(c: Any, view: Any, reader: Any) -> str:
    """The number a move encodes, and what each player learns from it."""
    codes, me, players = int(c["asked_for"]), int(view["seat"]), int(view["players"])
    if codes == 0:
        return "nothing"
    values = {seat: value_of(c, view, seat) for seat in ((me + step) % players for step in range(1, players))}
    trained_for = [
        f"{'your' if seat == reader['seat'] != me else seat_name(seat) + chr(39) + 's'} value is {value}"
        f"{meaning(c, view, seat, value)}"
        for seat, value in values.items()
        if seat == reader["seat"] or sees(reader, seat)
    ]
    return f"S = {sum(values.values()) % codes} of {codes}" + (": " + "; ".join(trained_for) if trained_for else "")


def sees(reader: Any, seat: int) -> bool:
    return all(reader["deck"][place] != FACE_DOWN for place in reader["hands"][seat][: reader["held"][seat]])


def value_of(c: Any, view: Any, seat: int) -> int:
    """As `questions.value_of`."""
    for number in range(int(c["asked"][seat])):
        place = view["hands"][seat][c["slots"][seat, number]]
        if int(c["kinds"][seat, number]) >> int(view["deck"][place]) & 1:
            return number
    return int(c["asked"][seat])


def meaning(c: Any, view: Any, seat: int, value: int) -> str:
    """What a value means to its holder."""
    if value == c["asked"][seat]:
        return ", so the answer to every question is no"
    kinds, card = int(c["kinds"][seat, value]), f"card {int(c['slots'][seat, value]) + 1}"
    if kinds & ~int(c["playable_at"][seat]) == 0:
        which = f"{card} is {listed(kinds)}, which" if kinds.bit_count() == 1 else card
        return f", so {which} is playable"
    if kinds & ~int(c["dispensable"][seat]) == 0:
        return f", so {card} is dispensable"
    if kinds & ~int(c["critical"]) == 0:
        return f", so {card} is critical"
    return f", so {card} is {listed(kinds) if kinds.bit_count() <= FEW else f'one of {kinds.bit_count()} kinds'}"
