"""A view for Python agents: the contract, the visible hands, the tricks.

It is made from a struct without the hidden hands, so there is nothing to peek at.
"""

import random
from functools import cached_property
from typing import Any, NamedTuple

from kibitz.core.deferred import load
from kibitz.core.game import plain
from kibitz.core.view import View as GameView
from kibitz.games.bridge import rules
from kibitz.games.bridge.cards import (
    CARDS,
    MOST_POINTS,
    NO_TRUMP,
    RANKS,
    SEAT_LETTERS,
    SEATS,
    STRAIN_NAMES,
    SUIT_LETTERS,
    SUITS,
    SYMBOLS,
    Card,
    cards_of,
)
from kibitz.games.bridge.worlds import held

DOUBLES = ("", "X", "XX")
VULNERABLE = ("None", "NS", "EW", "All")  # in PBN
SIDES = ("N-S", "E-W")


class Contract(NamedTuple):
    level: int
    strain: int  # the trump suit, or NO_TRUMP
    doubled: int
    declarer: int

    @property
    def needed(self) -> int:
        return self.level + 6

    @property
    def text(self) -> str:
        """In PBN: 4S, 3NTX."""
        return f"{self.level}{'NT' if self.strain == NO_TRUMP else SUIT_LETTERS[self.strain]}{DOUBLES[self.doubled]}"

    @property
    def trump_name(self) -> str:
        return STRAIN_NAMES[self.strain]

    def __str__(self) -> str:
        """For people: 4♠ by N."""
        strain = "NT" if self.strain == NO_TRUMP else SYMBOLS[self.strain]
        return f"{self.level}{strain}{DOUBLES[self.doubled].lower()} by {SEAT_LETTERS[self.declarer]}"


class Trick(NamedTuple):
    number: int  # from 1
    leader: int
    cards: tuple[Card, ...]  # in the order they were played
    winner: int | None  # of a complete trick

    def by_seat(self) -> dict[int, Card]:
        return {(self.leader + place) % SEATS: card for place, card in enumerate(self.cards)}


class Hand(list[Card]):
    """Cards in the order in which people hold them: spades first, the highest first in every suit."""

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<hand {self}>"

    def _repr_svg_(self) -> str:
        return str(load("kibitz.games.bridge.picture:hand_picture")(self))


class View(GameView):
    """What a seat sees. An open state is a view of seat −1, with nothing hidden."""

    game_name = "bridge"

    def __init__(self, struct: Any) -> None:
        self.struct = struct
        fields = self._fields = plain(struct)
        self.seat: int = fields["seat"]
        self.players: int = fields["players"]
        self.turn: int = fields["turn"] + 1
        self.declarer: int = fields["declarer"]
        self.dealer: int = fields["dealer"]
        self.vulnerable: int = fields["vulnerable"]
        self.tricks: list[int] = fields["tricks"]  # by side: North and South, East and West
        self.contract = Contract(fields["level"], fields["strain"], fields["doubled"], self.declarer)

    @property
    def dummy(self) -> int:
        return (self.declarer + 2) % SEATS

    @property
    def over(self) -> bool:
        return self.turn > CARDS

    @property
    def to_move(self) -> int:
        """The seat that chooses the next card, or −1."""
        return int(rules.to_move(self.struct))

    @property
    def playing(self) -> int:
        """The seat whose hand the next card comes from: dummy's when the declarer plays for it."""
        return (self._fields["leader"] + self._fields["turn"]) % SEATS

    def hand(self, seat: int) -> Hand:
        """The cards that a seat still holds, if they are visible."""
        return Hand(cards_of(self._fields["hands"][seat]))

    def dealt(self, seat: int) -> Hand:
        """The cards that a seat was dealt, as far as they are known."""
        return Hand(cards_of(self._fields["dealt"][seat]))

    def sees(self, seat: int) -> bool:
        return bool(self._fields["hands"][seat]) or not self.held(seat)

    def held(self, seat: int) -> int:
        """The number of cards a seat holds."""
        return int(held(self.struct, seat))

    def shown_out(self, seat: int) -> list[int]:
        """The suits that a seat has shown out of."""
        return [suit for suit in range(SUITS) if self._fields["voids"][seat] >> suit & 1]

    def shown_points(self, seat: int) -> tuple[int, int] | None:
        """The public limits of a seat's points, if any."""
        bounds = self._fields["min_points"][seat], self._fields["max_points"][seat]
        return None if bounds == (0, MOST_POINTS) else bounds

    def shown_lengths(self, seat: int) -> dict[int, tuple[int, int]]:
        """The public limits of a seat's suits."""
        lengths = zip(self._fields["min_lengths"][seat], self._fields["max_lengths"][seat], strict=True)
        return {suit: bounds for suit, bounds in enumerate(lengths) if bounds != (0, RANKS)}

    @cached_property
    def unseen(self) -> list[Card]:
        return cards_of(int(rules.unseen(self.struct)))

    @cached_property
    def legal(self) -> list[Card]:
        """The legal cards of the hand that is due, if it is visible."""
        return cards_of(int(rules.legal(self.struct)))

    @property
    def history(self) -> list[Card]:
        return [Card(card) for card in self._fields["history"][: self._fields["turn"]]]

    def trick(self, number: int) -> Trick:
        """A trick that was begun, from 0."""
        leader = int(rules.leader_of(self.struct, number))
        cards = tuple(self.history[4 * number : 4 * number + 4])
        complete = len(cards) == SEATS
        return Trick(number + 1, leader, cards, int(rules.leader_of(self.struct, number + 1)) if complete else None)

    @property
    def current(self) -> Trick | None:
        """The trick on the table, if there was a lead."""
        return self.trick((self.turn - 1) // SEATS) if (self.turn - 1) % SEATS else None

    @property
    def last(self) -> Trick | None:
        """The last complete trick."""
        done = (self.turn - 1) // SEATS
        return self.trick(done - 1) if done else None

    def played_from(self, turn: int) -> int:
        """The seat whose hand the card of a turn, from 0, came from."""
        return (int(rules.leader_of(self.struct, turn // SEATS)) + turn) % SEATS

    def player_of(self, seat: int) -> int:
        """The seat that chooses the cards of a seat."""
        return self.declarer if seat == self.dummy else seat

    @property
    def dice(self) -> int:
        return int(self._fields["dice"])

    @cached_property
    def random(self) -> random.Random:
        """This seat's own dice for this turn: an agent that uses only these can be replayed."""
        return random.Random(self._fields["dice"])
