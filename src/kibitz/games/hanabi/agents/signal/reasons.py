"""What `signal` says of its moves: which number a move says, and what it means to whom."""

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
    "play: by what moves said {card} can be played{known}",
    "play: by what moves said {card} can be played{known}; of several such cards it says {sum}",
    "gamble: by what moves said {card} may well fit{known}",
    "save: the next player would throw away a card that must not be lost. {sum}",
    "hint: {sum}",
    "spare: by what moves said {card} is not needed{known}{alone}",
    "discard: of the cards that are missed least {card} says {sum}{alone}",
    "discard: by what moves said {card} is missed least{known}{alone}",
    "stuck: no hint says what is to be said and no discard is allowed, so {card} goes",
    "plain: somebody does not follow the sums, so hints count by their words only, and so {card} is played",
    "plain: somebody does not follow the sums, so this hint means what it says; it is about {card}",
    "plain: somebody does not follow the sums, and by hints alone {card} is missed least{risk}",
    "any legal move: there was no better",
)

FEW = 3


def tables_of(public: Any, memory: Any) -> Any:
    """What the seat went by: what it reads with its own eyes, once it found that all do not know the same."""
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
    """Whether a card is in the hand of who decides, and the reader sees no more of it."""
    return place in view["hands"][view["seat"]][: view["held"][view["seat"]]] and reader["deck"][place] == FACE_DOWN


def known_in_words(c: Any, view: Any, reader: Any, place: int) -> str:
    """What an own card can be, by all that was said; who sees the card needs not be told."""
    if not own_and_unseen(view, reader, place):
        return ""
    kinds = int(c["masks"][place])
    return f": it can only be {listed(kinds)}" if kinds.bit_count() <= FEW else f": it can be {kinds.bit_count()} kinds"


def risk_by_hints_alone(view: Any, reader: Any, place: int) -> str:
    """What somebody would fear who knows only what hints said in words."""
    if view["seat"] != reader["seat"] or not own_and_unseen(view, reader, place):
        return ""
    likely = ReasonWords(place, view).chance(int(critical(view)))
    return f"; by hints alone the chance that it is a last copy still needed is {percent(likely)}" if likely else ""


def sum_in_words(c: Any, view: Any, reader: Any) -> str:
    """The number that is said, and what each player learns from it."""
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
    """What a value tells its holder."""
    if value == c["asked"][seat]:
        return ", so nothing of what was asked is so"
    kinds, card = int(c["kinds"][seat, value]), f"card {int(c['slots'][seat, value]) + 1}"
    if kinds & ~int(c["playable_at"][seat]) == 0:
        which = f"{card} is {listed(kinds)}, which" if kinds.bit_count() == 1 else card
        return f", so {which} is playable"
    if kinds & ~int(c["dispensable"][seat]) == 0:
        return f", so {card} is not needed"
    if kinds & ~int(c["critical"]) == 0:
        return f", so {card} must not be lost"
    return f", so {card} is {listed(kinds) if kinds.bit_count() <= FEW else f'one of {kinds.bit_count()} kinds'}"
