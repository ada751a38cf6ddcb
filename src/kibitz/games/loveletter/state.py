"""The state of a game as one struct. A view is the same struct with what the seat may not know turned face down.

Nobody sees which of two cards in a hand was the one just drawn. So hands hold kinds, not places of the
deck, and a view shows only the viewer's own draws.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import MEDIUM, SMALL, struct_dtype
from kibitz.games.loveletter.cards import CARDS

SEATS = 4
HAND = 2
TURNS = 12  # no round has more: with three players twelve cards are left to draw
ROUNDS = 20  # a game that ties have drawn out for so long goes to whoever has most tokens
LONGEST = ROUNDS * TURNS
LAID = 10  # no seat lays down more cards in a round
NOBODY = -1
OPEN = -1  # the seat of a struct that shows the state itself
SET_ASIDE = 0  # its place in the deck

# Rule options that differ from the default, as bits.
ONE_ROUND, TIES_DRAWN, TIES_SHARED = 1, 2, 4


class State(Protocol):
    """A state or a view, as compiled functions read it."""

    dice: int  # in a view: the seat's own for this turn; else 0
    streams: list[int]  # by seat: where its dice come from; in a view, 0 (see `core.dice`)
    cards: int  # where the decks of later rounds come from; in a view, 0
    rounds: list[int]  # how every finished round went: see `rounds.summary`
    history: list[int]  # what everybody saw, turn by turn: see `rules.event`
    looks: list[list[int]]  # what each seat was shown in each turn of this round: two cards, see `rules.look`
    missed: list[int]  # by seat: the kinds that everybody knows its card is not, as a mask
    deck: list[int]  # the set-aside card, with two players three open ones, then the others as they are drawn
    drawer: list[int]  # who drew each card of the deck, or NOBODY
    hands: list[list[int]]  # kinds, by seat: the card held, and in the seat's turn the one drawn
    known: list[int]  # by seat: who else knows the card it holds, as a mask; in a view, whether the viewer does
    aware: list[int]  # by seat: who it knows to know its card (second-order knowledge); in a view, the viewer's alone
    laid: list[list[int]]  # by seat: the cards that lie open before it, in order
    count: list[int]  # how many those are
    tokens: list[int]
    drawn: int  # cards of the deck that are gone
    out: int  # the seats that are out of the round, as a mask
    protected: int  # the seats a Handmaid protects, as a mask
    players: int
    seat: int  # whose view this is; OPEN and ONLOOKER are no seats
    to_move: int  # or −1 when the game is over
    first: int  # who began this round
    finished: int  # rounds
    opened: int  # the turn this round began with
    turn: int  # moves made
    rules: int


FIELDS: list[tuple[Any, ...]] = [
    ("dice", np.int64),
    ("streams", np.int64, SEATS),
    ("cards", np.int64),
    ("rounds", np.int64, ROUNDS),
    ("history", MEDIUM, LONGEST),
    ("looks", MEDIUM, (SEATS, TURNS)),
    ("missed", MEDIUM, SEATS),
    ("opened", MEDIUM),
    ("turn", MEDIUM),
    ("deck", SMALL, CARDS),
    ("drawer", SMALL, CARDS),
    ("hands", SMALL, (SEATS, HAND)),
    ("known", SMALL, SEATS),
    ("aware", SMALL, SEATS),
    ("laid", SMALL, (SEATS, LAID)),
    ("count", SMALL, SEATS),
    ("tokens", SMALL, SEATS),
    ("drawn", SMALL),
    ("out", SMALL),
    ("protected", SMALL),
    ("players", SMALL),
    ("seat", SMALL),
    ("to_move", SMALL),
    ("first", SMALL),
    ("finished", SMALL),
    ("rules", SMALL),
    # Instead of padding bytes, which are uninitialised: two equal states would compare different.
    ("spare", SMALL, 3),
]
STATE = struct_dtype(FIELDS)
