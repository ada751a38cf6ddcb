"""Moves as small values, and their text, which can be written and read.

A move is `Guard G2 Priest`, `Priest G3`, `Baron G2`, `Handmaid`, `Prince G1`, `King G4`, `Countess` or
`Princess`. A card without a target, because everybody is protected, is written alone: `Baron`.
"""

import re
from typing import Any

from kibitz.core.moves import MoveNumber
from kibitz.errors import KibitzError
from kibitz.games.loveletter.cards import BARON, FACE_DOWN, GUARD, KINDS, KING, NAMES, PRIEST
from kibitz.games.loveletter.rules import ALL, MOVES
from kibitz.games.loveletter.state import NOBODY, SEATS

NUMBERS = {parts: number for number, parts in enumerate(ALL)}


class Card(int):
    """A card by its number, from 1 for a Guard to 8 for the Princess; 0 is face down."""

    def __new__(cls, number: int) -> "Card":
        if not 0 <= number < KINDS:
            raise KibitzError(f"{number} is not a card. Cards are the numbers 1 (Guard) to 8 (Princess).")
        return super().__new__(cls, number)

    def __str__(self) -> str:
        return NAMES[self]

    def __repr__(self) -> str:
        return f"<{self}>"


ALL_CARDS = tuple(Card(kind) for kind in range(KINDS))


class Move(MoveNumber):
    """A move as its number (see `rules`), with its parts and text."""

    moves = MOVES

    @property
    def card(self) -> Card:
        return ALL_CARDS[ALL[self][0]]

    @property
    def target(self) -> int | None:
        """The seat it is played on, from 0."""
        return None if ALL[self][1] == NOBODY else ALL[self][1]

    @property
    def named(self) -> Card | None:
        """The card that a Guard names."""
        return None if ALL[self][2] == FACE_DOWN else ALL_CARDS[ALL[self][2]]

    def __str__(self) -> str:
        target = f" G{self.target + 1}" if self.target is not None else ""
        named = f" {self.named}" if self.named is not None else ""
        return f"{self.card}{target}{named}"

    def __repr__(self) -> str:
        return f"<{self}>"


ALL_MOVES = tuple(Move(number) for number in range(MOVES))


def play(card: int, target: int | None = None, named: int | None = None) -> Move:
    """The move that plays a card, on a target (from 0) if it needs one; a Guard names a card."""
    parts = (int(card), NOBODY if target is None else target, FACE_DOWN if named is None else int(named))
    if parts not in NUMBERS:
        raise KibitzError(f"{NAMES[card] if 0 < card < KINDS else card} cannot be played like this. {WRITTEN}")
    return ALL_MOVES[NUMBERS[parts]]


WHOLE = {name.lower(): card for name, card in zip(NAMES[1:], ALL_CARDS[1:], strict=True)}
WHOLE |= {str(int(card)): card for card in ALL_CARDS[1:]}
WRITTEN = "Write Guard G2 Priest, Baron G3, Prince G1, or only the card if it needs no target."
TARGETED = (GUARD, PRIEST, BARON, KING)
SEAT = re.compile(r"g([1-9])")
FILLERS = {"on", "at", "names", "naming", "is", "a", "the", "plays", "play", ":"}
OWN = {"me", "myself", "self"}


def card_named(word: str) -> Card | None:
    """The card for a word, an abbreviation or a number, unless it is ambiguous; `prince` is not an abbreviation."""
    if word in WHOLE:
        return WHOLE[word]
    found = [card for name, card in WHOLE.items() if word and name.startswith(word)]
    return found[0] if len(found) == 1 else None


def move_named(text: str, mover: int, legal: list[Move]) -> Move:
    """The move for a text of the seat to move; parts that leave only one legal move may be omitted."""
    words = [word for word in re.split(r"[\s,→:]+", text.lower()) if word and word not in FILLERS]
    if len(words) > 1 and words[0] == f"g{mover + 1}" and card_named(words[1]):
        words = words[1:]  # the player may come first
    card = card_named(words[0]) if words else None
    if card is None:
        raise KibitzError(f"{text!r} is not a move. {WRITTEN}")
    target: int | None = None
    named: Card | None = None
    for word in words[1:]:
        if word in OWN:
            target = mover
        elif (seat := SEAT.fullmatch(word)) and int(seat[1]) <= SEATS:
            target = int(seat[1]) - 1
        elif (kind := card_named(word)) is not None and kind >= PRIEST and card == GUARD and named is None:
            named = kind
        elif card_named(word) == GUARD and card == GUARD:
            raise KibitzError("A Guard cannot name a Guard. Name another card.")
        else:
            raise KibitzError(
                f"{text!r} is not a move: {word!r} is neither a seat nor a card that can be named. {WRITTEN}"
            )
    meant = [
        move
        for move in legal
        if move.card == card and (target is None or move.target == target) and (named is None or move.named == named)
    ]
    if len(meant) == 1:
        return meant[0]
    if len(meant) > 1:
        missing = (
            "which card it names" if target is not None or len({move.target for move in meant}) == 1 else "the target"
        )
        raise KibitzError(f"Say {missing}: {', '.join(str(move) for move in meant[:8])}.")
    alone = [move for move in legal if move.card == card and move.target is None]
    if alone and card in TARGETED:
        raise KibitzError(f"Everybody is protected. Write only {card}, which has no effect now.")
    unplayable = [move for move in ALL_MOVES if move.card == card and target in (None, move.target)]
    return unplayable[0] if named is None and unplayable else play(card, target, named)


def as_move(answer: Any, mover: int, legal: list[Move]) -> Move:
    """A player's answer as a move: a Move, its number, or its text."""
    if isinstance(answer, str):
        return move_named(answer, mover, legal)
    if isinstance(answer, (Card, bool)) or not isinstance(answer, int):
        raise KibitzError(f"{answer!r} is not a move. A move is play(card, target, named) or its text. {WRITTEN}")
    return Move(answer)
