"""The state of a game as one struct. A view is the same struct with hidden cards turned face down.

Nobody sees which of a player's two cards was just drawn. So hands hold kinds, not places in the deck, and a view shows
only the viewer's own draws.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import MEDIUM, SMALL, struct_dtype
from kibitz.games.loveletter.cards import CARDS

SEATS = 4
HAND = 2
TURNS = 12  # the maximum of a round: with three players twelve cards are left to draw
ROUNDS = 20  # after this many, because of ties, the most tokens win
LONGEST = ROUNDS * TURNS
LAID = 10  # the maximum number of discards of a seat in a round
NOBODY = -1
OPEN = -1  # the seat of a struct that shows the state itself
SET_ASIDE = 0  # its place in the deck

# Rule options that differ from the default, as bits.
ONE_ROUND, TIES_DRAWN, TIES_SHARED = 1, 2, 4


class State(Protocol):
    """A struct of the type STATE: a state or a view."""

    dice: int  # in a view, the seat's own for this turn; in a state, 0
    streams: list[int]  # by seat, for its dice; in a view, 0 (see `engine.dice`)
    cards: int  # the stream of later decks; in a view, 0
    rounds: list[int]  # the finished rounds: see `rules.summary`
    history: list[int]  # the public events by turn: see `rules.event`
    looks: list[list[int]]  # the cards each seat was shown in each turn of this round: see `rules.look`
    missed: list[int]  # by seat: the kinds that its card publicly cannot be, as a mask
    deck: list[int]  # the set-aside card, with two players three face-up ones, then the others in drawing order
    drawer: list[int]  # the seat that drew each card of the deck, or NOBODY
    hands: list[list[int]]  # kinds, by seat: the card held, and in the seat's turn the one drawn
    known: list[int]  # by seat: the seats that know its card, as a mask; in a view, only the viewer's bit
    aware: list[int]  # by seat: the seats that it knows to know its card; in a view, only the viewer's
    laid: list[list[int]]  # by seat: its discards, in order
    count: list[int]  # by seat: the number of its discards
    tokens: list[int]
    drawn: int  # the number of cards drawn from the deck
    out: int  # the seats knocked out of the round, as a mask
    protected: int  # the seats protected by a Handmaid, as a mask
    players: int
    seat: int  # the viewer; OPEN and ONLOOKER are not seats
    to_move: int  # or −1 when the game is over
    first: int  # the seat that began this round
    finished: int  # rounds
    opened: int  # the first turn of this round
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
    # Instead of padding bytes, which are uninitialised, so that equal states have equal bytes.
    ("spare", SMALL, 3),
]
STATE = struct_dtype(FIELDS)
