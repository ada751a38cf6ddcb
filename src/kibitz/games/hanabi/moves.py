"""Cards and moves as small values with a text form, parsed and printed.

A card is `r1` or `red 1`. A move is `play 3`, `discard 1`, `hint blue to G4` or `hint 3 to G2`: slots count from 1 at
the oldest card, seats from G1.
"""

import re
from dataclasses import dataclass
from typing import Any

from kibitz.core.moves import MoveNumber
from kibitz.errors import KibitzError
from kibitz.games.hanabi.cards import COLOURS, KINDS
from kibitz.games.hanabi.rules import DISCARD, HINT, MOVES, PLAY
from kibitz.games.hanabi.state import HAND, SEATS


@dataclass(frozen=True, slots=True, repr=False)
class Kind:
    """One of the 25 kinds of card. Ranks count from 1."""

    colour: str
    rank: int

    @property
    def index(self) -> int:
        return COLOURS.index(self.colour) * 5 + self.rank - 1

    @property
    def short(self) -> str:
        return f"{self.colour[0]}{self.rank}"

    def __str__(self) -> str:
        return f"{self.colour} {self.rank}"

    def __repr__(self) -> str:
        return f"<{self}>"


ALL_KINDS = tuple(Kind(COLOURS[index // 5], index % 5 + 1) for index in range(KINDS))
CARD = re.compile(r"([a-z]+)\s*([1-5])")


def kind_named(text: str) -> Kind:
    found = CARD.fullmatch(text.strip().lower())
    colour = colour_named(found[1]) if found else None
    if found is None or colour is None:
        raise KibitzError(f"{text!r} is not a card. Cards are written like r1 or red 1, in {', '.join(COLOURS)}.")
    return Kind(colour, int(found[2]))


def colour_named(text: str) -> str | None:
    """The colour with this name, or a name beginning so."""
    return next((colour for colour in COLOURS if text and colour.startswith(text.lower())), None)


class Move(MoveNumber):
    """A move: its number (see `rules`), its parts and its text."""

    moves = MOVES

    @property
    def is_play(self) -> bool:
        return self < DISCARD

    @property
    def is_discard(self) -> bool:
        return DISCARD <= self < HINT

    @property
    def is_hint(self) -> bool:
        return self >= HINT

    @property
    def slot(self) -> int:
        """The slot in the hand, from 0 at the oldest card."""
        return int(self) % HAND

    @property
    def target(self) -> int:
        """The seat that receives a hint, from 0."""
        return (int(self) - HINT) // 10

    @property
    def value(self) -> str | int:
        """The colour or rank that a hint names."""
        value = (int(self) - HINT) % 10
        return COLOURS[value] if value < 5 else value - 4

    def __str__(self) -> str:
        if self.is_hint:
            return f"hint {self.value} to G{self.target + 1}"
        return f"{'play' if self.is_play else 'discard'} {self.slot + 1}"

    def __repr__(self) -> str:
        return f"<{self}>"


def spoken(move: int) -> str:
    """A move in a sentence: "play card 3" or "hint blue to G4"."""
    text = str(Move(move))
    return text if text.startswith("hint") else text.replace(" ", " card ")


ALL_MOVES = tuple(Move(number) for number in range(MOVES))


def play(slot: int) -> Move:
    """Play the card in a slot, from 0 at the oldest."""
    return Move(PLAY + check(slot, HAND, "slot"))


def discard(slot: int) -> Move:
    return Move(DISCARD + check(slot, HAND, "slot"))


def hint(seat: int, value: str | int) -> Move:
    """Hint a colour (`"blue"`) or a rank (3) to a seat, from 0."""
    if isinstance(value, str) and value not in ("1", "2", "3", "4", "5"):
        colour = colour_named(value)
        if colour is None:
            raise KibitzError(f"{value!r} is not a colour. Colours are {', '.join(COLOURS)}.")
        return Move(HINT + 10 * check(seat, SEATS, "seat") + COLOURS.index(colour))
    return Move(HINT + 10 * check(seat, SEATS, "seat") + 5 + check(int(value) - 1, 5, "rank", first=1))


def check(number: int, limit: int, what: str, first: int = 0) -> int:
    if not 0 <= number < limit:
        raise KibitzError(f"There is no {what} {number + first}: a {what} is {first} to {limit - 1 + first}.")
    return number


VALUE = r"([a-z]+|[1-5])"
SEAT = r"g?([1-5])"
CARD_MOVE = re.compile(r"(p|plays?|d|discards?)\s*([1-5])")
HINT_TO = re.compile(rf"(?:(?:h|hints?|tells?)\s+)?{VALUE}\s+to\s+{SEAT}")
HINT_SEAT = re.compile(rf"(?:h|hints?|tells?)\s*{SEAT}\s*(?:about\s+)?{VALUE}")


def move_named(text: str) -> Move:
    """Parse a move; the seat that makes it may come first."""
    words = re.sub(r"^g[1-5]\s+(?=[a-z])", "", " ".join(text.lower().split()))
    if found := CARD_MOVE.fullmatch(words):
        slot = int(found[2]) - 1
        return play(slot) if found[1].startswith("p") else discard(slot)
    if found := HINT_TO.fullmatch(words):
        return hint(int(found[2]) - 1, found[1])
    if found := HINT_SEAT.fullmatch(words):
        return hint(int(found[1]) - 1, found[2])
    raise KibitzError(f"{text!r} is not a move. Write play 3, discard 1, hint blue to G4 or hint 2 to G3.")


def as_move(answer: Any) -> Move:
    """A player's answer as a move: a Move, its number, or its text."""
    if isinstance(answer, str):
        return move_named(answer)
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise KibitzError("A move is play(slot), discard(slot), hint(seat, value), or its text, like 'play 3'.")
    return Move(answer)
