"""A view for Python agents: cards, piles, hands and what is known about them.

It is made from a struct whose hidden cards are already face down, so it holds nothing that an agent may not see.
"""

import random
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from kibitz.core.deferred import load
from kibitz.core.game import plain
from kibitz.core.view import View as GameView
from kibitz.games.hanabi import knowledge, rules
from kibitz.games.hanabi.cards import KINDS, pile_heights
from kibitz.games.hanabi.moves import ALL_KINDS, ALL_MOVES, Kind, Move
from kibitz.games.hanabi.state import CARDS, COLOUR_MARK, FACE_DOWN, RANK_MARK


def kinds_in(mask: int) -> tuple[Kind, ...]:
    return tuple(ALL_KINDS[index] for index in range(KINDS) if mask >> index & 1)


class Card(NamedTuple):
    """A card in a hand."""

    seat: int
    slot: int  # from 0 at the oldest
    place: int  # its place in the deck, which identifies the card
    kind: Kind | None  # None if the viewer does not see it
    possible: int  # the kinds it can be for its holder, as a mask
    hinted_kinds: int  # the kinds that hints alone leave open, as a mask
    colour_hinted: bool
    rank_hinted: bool

    @property
    def marked(self) -> bool:
        return self.colour_hinted or self.rank_hinted

    @property
    def revealed(self) -> bool:
        return self.colour_hinted and self.rank_hinted

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds it can be for its holder."""
        return kinds_in(self.possible)

    def __str__(self) -> str:
        return "??" if self.kind is None else self.kind.short

    def __repr__(self) -> str:
        return f"<{self.kind or 'hidden card'}, card {self.slot + 1} of G{self.seat + 1}>"


class Hand(tuple[Card, ...]):
    """The cards of a seat, the oldest first."""

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<hand {self}>"

    def _repr_svg_(self) -> str:
        return str(load("kibitz.games.hanabi.picture:hand_picture")(self))


class Event(NamedTuple):
    """A move that was made, as everybody saw it."""

    turn: int  # from 1
    seat: int
    move: Move
    kind: Kind | None  # of the card that was played or discarded
    touched: tuple[int, ...]  # the slots a hint pointed at
    misplayed: bool


class View(GameView):
    """What a seat sees. An open state is a view of seat −1, with nothing hidden."""

    game_name = "hanabi"

    def __init__(self, struct: Any) -> None:
        self.struct = struct
        self._fields = plain(struct)
        self.seat: int = self._fields["seat"]
        self.players: int = self._fields["players"]
        self.to_move: int = self._fields["to_move"]
        self.turn: int = self._fields["turn"] + 1
        self.tokens: int = self._fields["tokens"]
        self.lives: int = self._fields["lives"]
        self.deck_left: int = CARDS - self._fields["drawn"]
        self.turns_left: int | None = self._fields["countdown"] if self._fields["countdown"] >= 0 else None

    @cached_property
    def piles(self) -> dict[str, int]:
        """The height of every pile."""
        return pile_heights(self._fields["played"])

    @property
    def score(self) -> int:
        return sum(self.piles.values())

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        return tuple(Hand(self._cards(seat)) for seat in range(self.players))

    def _cards(self, seat: int) -> Iterator[Card]:
        fields = self._fields
        unseen = int(knowledge.unseen(self.struct, seat))
        for slot in range(fields["held"][seat]):
            place, kinds = fields["hands"][seat][slot], fields["hinted_kinds"][seat][slot]
            kind, marks = fields["deck"][place], fields["marks"][seat][slot]
            yield Card(
                seat, slot, place,
                kind=None if kind == FACE_DOWN else ALL_KINDS[kind],
                possible=kinds & unseen,
                hinted_kinds=kinds,
                colour_hinted=bool(marks & COLOUR_MARK),
                rank_hinted=bool(marks & RANK_MARK),
            )  # fmt: skip

    @cached_property
    def hand(self) -> Hand:
        """The viewer's own cards."""
        return Hand(self._cards(self.seat))

    @property
    def others(self) -> list[int]:
        """The other seats, the next to move first."""
        return [(self.seat + step) % self.players for step in range(1, self.players)]

    @cached_property
    def discards(self) -> tuple[Kind, ...]:
        """Every discarded or misplayed card."""
        return tuple(kind for copies in self._fields["discarded"] for kind in kinds_in(copies))

    @cached_property
    def history(self) -> tuple[Event, ...]:
        return tuple(self.event(turn) for turn in range(self.turn - 1))

    def event(self, turn: int) -> Event:
        """The event of a turn, from 0."""
        seat = (self.to_move - (self.turn - 1) + turn) % self.players
        happened = self._fields["history"][turn]
        move, detail = Move(rules.event_move(happened)), rules.event_detail(happened)
        return Event(
            turn=turn + 1,
            seat=seat,
            move=move,
            kind=None if move.is_hint else ALL_KINDS[detail],
            touched=tuple(slot for slot in range(5) if detail >> slot & 1) if move.is_hint else (),
            misplayed=bool(rules.event_misplayed(happened)),
        )

    @cached_property
    def legal(self) -> list[Move]:
        """The legal moves of the seat to move; for another viewer, without hints about cards it does not see."""
        mask = int(rules.legal(self.struct))
        return [move for move in ALL_MOVES if mask >> move & 1]

    @cached_property
    def random(self) -> random.Random:
        """This seat's dice for this turn: an agent that uses no other randomness can be replayed."""
        return random.Random(self._fields["dice"])

    # Sets of kinds, as masks to compare with `Card.possible`.

    @cached_property
    def playable(self) -> int:
        return int(knowledge.playable(self.struct))

    @cached_property
    def useless(self) -> int:
        return int(knowledge.useless(self.struct))

    @cached_property
    def critical(self) -> int:
        return int(knowledge.critical(self.struct))

    def is_playable(self, card: Card) -> bool:
        """Whether a visible card is playable, or a hidden one must be."""
        return self._is(card, self.playable)

    def is_useless(self, card: Card) -> bool:
        return self._is(card, self.useless)

    def is_critical(self, card: Card) -> bool:
        return self._is(card, self.critical)

    def _is(self, card: Card, kinds: int) -> bool:
        if card.kind is not None:
            return bool(kinds >> card.kind.index & 1)
        return card.possible & ~kinds == 0
