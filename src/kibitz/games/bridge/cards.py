"""The 52 cards, the four seats, and their notation.

A card is a number, 13 per suit from clubs up to spades, and within a suit from the two up to the ace. A set of cards is
a bit mask.
"""

import re
from enum import IntEnum

import numpy as np

SEATS = 4
SUITS, RANKS, CARDS = 4, 13, 52
CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP = range(5)
TEN, JACK, QUEEN, KING, ACE = 8, 9, 10, 11, 12
MOST_POINTS = 37  # in one hand: four aces, four kings, four queens and a jack

ALL_CARDS = (1 << CARDS) - 1
SUIT_OF = np.array([card // RANKS for card in range(CARDS)])
RANK_OF = np.array([card % RANKS for card in range(CARDS)])
SUIT_MASKS = np.array([((1 << RANKS) - 1) << RANKS * suit for suit in range(SUITS)])

SUIT_LETTERS = "CDHS"
SYMBOLS = "♣♦♥♠"
STRAIN_NAMES = ("clubs", "diamonds", "hearts", "spades", "no trump")
RANK_LETTERS = "23456789TJQKA"
RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SEAT_LETTERS = "NESW"
COMPASS = ("North", "East", "South", "West")

SUIT_OF_LETTER = {letter: suit for suit, letters in enumerate(("C♣♧", "D♦♢", "H♥♡", "S♠♤")) for letter in letters}
RANK_OF_LETTER = {letter: rank for rank, letter in enumerate(RANK_LETTERS)}
# Words become letters first, plurals before singulars.
WORDS = [(name, SUIT_LETTERS[suit]) for suit, name in enumerate(STRAIN_NAMES[:SUITS])]
WORDS += [(name[:-1], letter) for name, letter in WORDS]
WORDS += [(name, letter) for name, letter in zip(RANK_NAMES, RANK_LETTERS, strict=True)]
WORDS += [("10", "T"), ("of", "")]
WORD = re.compile("|".join(rf"\b{word}\b" if word.isalpha() else word for word, _ in WORDS), re.IGNORECASE)
LETTER_OF = dict(WORDS)


class Card(IntEnum):
    """A card by its number; `Card["SA"]` is the ace of spades."""

    _ignore_ = ("number",)  # type: ignore[assignment]
    for number in range(CARDS):
        vars()[SUIT_LETTERS[number // RANKS] + RANK_LETTERS[number % RANKS]] = number

    @property
    def suit(self) -> int:
        return self.value // RANKS

    @property
    def rank(self) -> int:
        return self.value % RANKS

    @property
    def words(self) -> str:
        return f"the {RANK_NAMES[self.rank]} of {STRAIN_NAMES[self.suit]}"

    def __str__(self) -> str:
        return SYMBOLS[self.suit] + RANK_LETTERS[self.rank]


def cards_of(mask: int) -> list[Card]:
    """The cards of a mask, spades first, the highest first in every suit."""
    return [Card(card) for card in range(CARDS - 1, -1, -1) if mask >> card & 1]


def read_card(text: str) -> tuple[int | None, int | None] | None:
    """The suit and rank of a text, in either order; one of them may be missing. None if it is not a card.

    SA, ♠A, a of spades, "s a", 10h and th are cards; so is a rank alone, where the suit is clear.
    """
    letters = WORD.sub(lambda found: LETTER_OF[found[0].lower()], text).upper()
    suit = rank = None
    for letter in "".join(letters.split()):
        if letter in SUIT_OF_LETTER and suit is None:
            suit = SUIT_OF_LETTER[letter]
        elif letter in RANK_OF_LETTER and rank is None:
            rank = RANK_OF_LETTER[letter]
        else:
            return None
    return (suit, rank) if suit is not None or rank is not None else None


def hand_text(mask: int) -> str:
    """A hand in PBN: spades, hearts, diamonds and clubs, separated by dots."""
    return ".".join(
        "".join(RANK_LETTERS[card.rank] for card in cards_of(mask) if card.suit == suit)
        for suit in (SPADES, HEARTS, DIAMONDS, CLUBS)
    )
