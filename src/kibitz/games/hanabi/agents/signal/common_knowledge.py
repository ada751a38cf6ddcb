"""Common knowledge: the kinds that each card can be, and the board they were derived for.

Cards are identified by their place in the deck, so nothing moves when another card leaves a hand. Decoding a sum takes
a view of the hands, which spectators lack; `reading` explains how all seats still share one struct.
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import SMALL, WIDE, compiled, struct_dtype
from kibitz.games.hanabi.cards import ALL, MIDDLE, ONES, holds
from kibitz.games.hanabi.knowledge import Copies, critical, discards, exhausted, fitting, useless, with_copy
from kibitz.games.hanabi.rules import HINT, apply, event_detail, event_move
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, FIELDS, HAND, SEATS, State

MAX_CODES = 24  # with five players: four receivers and six codes for each
START, NOW, DRAFT = range(3)  # the knowledge at the start, now, and after a candidate move
MAX_CONTRADICTIONS = 2  # after this many, hints are taken literally for the rest of the game

# The board is kept in the fields of a state, so that the rules and the vocabulary of cards read it.
COMMON_KNOWLEDGE = struct_dtype(
    [
        ("begun", np.int64),  # first, or Numba takes the struct for a state and warns
        *FIELDS,
        ("fingerprint", np.float64),  # of the weights it was read with
        ("contradicted", np.int64),  # whether the last move was impossible: a player follows other conventions
        ("contradictions", np.int64),  # the number of these moves
        ("masks", WIDE, CARDS),  # the possible kinds of each card
        ("one", np.int64), ("two", np.int64), ("three", np.int64),  # kinds with at least 1, 2, 3 copies unaccounted for
        ("useless", np.int64), ("critical", np.int64), ("playable", np.int64),  # kinds
        ("playable_at", np.int64, SEATS),  # the kinds that will be playable at each seat's next turn
        ("dispensable", np.int64, SEATS),  # the kinds that each seat can discard at no loss
        ("asked", np.int64, SEATS),  # the number of questions to each seat
        ("kinds", WIDE, (SEATS, MAX_CODES)),  # the questions: is the card in this slot one of these kinds?
        ("slots", SMALL, (SEATS, MAX_CODES)),
        ("codebooks", SMALL, (SEATS, 4)),  # the codes of hints to each seat, as last computed: see `codes`
        ("asked_for", np.int64),  # the modulus that the questions were made for; 0 if they are stale
    ]
)  # fmt: skip


CommonKnowledge: Any = Any  # a struct of the type COMMON


@compiled
def begin(c: CommonKnowledge, view: State) -> None:
    """Start from the table as it is: what hints literally say, and no inferences."""
    c.begun, c.contradicted, c.contradictions = 1, 0, 0
    c.players, c.rules, c.seat = view.players, view.rules, view.seat
    c.tokens, c.lives, c.countdown = view.tokens, view.lives, view.countdown
    c.turn, c.to_move, c.drawn, c.played = view.turn, view.to_move, view.drawn, view.played
    for copies in range(3):
        c.discarded[copies] = view.discarded[copies]
    for place in range(CARDS):
        c.masks[place] = ALL
        c.deck[place] = FACE_DOWN
    for seat in range(SEATS):
        c.held[seat] = view.held[seat]
        for slot in range(view.held[seat]):
            c.hands[seat][slot] = view.hands[seat][slot]
            c.hinted_kinds[seat][slot] = view.hinted_kinds[seat][slot]
            c.masks[view.hands[seat][slot]] = view.hinted_kinds[seat][slot]
    refresh(c)


@compiled
def mask(c: CommonKnowledge, seat: int, slot: int) -> int:
    return c.masks[c.hands[seat][slot]]


@compiled
def single(kinds: int) -> bool:
    """Whether there is at most one kind."""
    return kinds & (kinds - 1) == 0


@compiled
def copies_left(c: CommonKnowledge, kinds: int) -> int:
    """The number of cards of these kinds that are not accounted for."""
    return count_bits(kinds & c.one) + count_bits(kinds & c.two) + count_bits(kinds & c.three)


@compiled
def advance(c: CommonKnowledge, happened: int) -> None:
    """Advance the board by an event."""
    move = event_move(happened)
    if move < HINT:
        slot = move if move < HAND else move - HAND
        c.deck[c.hands[c.to_move][slot]] = event_detail(happened)
        apply(c, move)
    else:
        c.tokens -= 1
        c.turn += 1
        c.countdown -= 1 if c.countdown > 0 else 0
        c.to_move = c.to_move + 1 if c.to_move + 1 < c.players else 0
    refresh(c)


@compiled
def refresh(c: CommonKnowledge) -> None:
    """Derive the sets of kinds from the board and the masks, after every move."""
    c.useless = useless(c)
    c.critical = critical(c)
    c.playable = fitting(c.played) & ~c.useless
    c.asked_for = 0
    eliminate(c)


@compiled
def accounted(c: CommonKnowledge) -> Copies:
    """The copies that are played, discarded, or publicly known in a hand."""
    copies = with_copy(discards(c), c.played)
    for seat in range(c.players):
        for slot in range(c.held[seat]):
            kinds = mask(c, seat, slot)
            if single(kinds):
                copies = with_copy(copies, kinds)
    return copies


@compiled
def eliminate(c: CommonKnowledge) -> None:
    """Rule out kinds of which every copy is accounted for, until nothing changes."""
    again = True
    copies = discards(c)
    while again:
        again = False
        copies = accounted(c)
        gone = exhausted(copies)
        for seat in range(c.players):
            for slot in range(c.held[seat]):
                kinds = mask(c, seat, slot)
                if not single(kinds) and kinds & gone != 0:
                    narrow(c, c.hands[seat][slot], ~gone)
                    again = again or single(mask(c, seat, slot))
    one, two, _ = copies
    c.one = ALL & ~exhausted(copies)
    c.two = (ONES & ~two) | (MIDDLE & ~one)
    c.three = ONES & ~one


@compiled
def narrow(c: CommonKnowledge, place: int, kinds: int) -> None:
    """A card can only be one of these kinds. If none is left, this is a contradiction, and nothing changes."""
    left = c.masks[place] & kinds & ALL
    if left == 0:
        c.contradicted = 1
    else:
        c.masks[place] = left


@compiled
def known_playable(c: CommonKnowledge, seat: int, playable: int) -> int:
    """The slots of cards that are publicly known to be of these kinds."""
    slots = 0
    for slot in range(c.held[seat]):
        slots |= int(mask(c, seat, slot) & ~playable == 0) << slot
    return slots


@compiled
def consistent_with(c: CommonKnowledge, view: State) -> bool:
    """Whether common knowledge allows every card that the viewer sees."""
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            place = view.hands[seat][slot]
            kind = view.deck[place]
            if kind != FACE_DOWN and not holds(c.masks[place], kind):
                return False
    return True
