"""The common knowledge of the information strategy, and the value of each hand.

Every seat keeps a table of the kinds that each card in each hand can be. It determines which card of a hand a hint is
about (the likeliest to be playable) and how that card's kinds are partitioned into M classes; the value of the hand is
the class of that card.

Each seat derives the table from its own view, and all arrive at the same one; a spectator cannot, without a hand to
subtract. A contradiction shows that a player follows other conventions. After a few of them hints are taken literally.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import WIDE, compiled, struct_dtype
from kibitz.games.hanabi.agents.hat_sums import codes, hinted_last, last_mover, number_said
from kibitz.games.hanabi.cards import ALL, MIDDLE, OF_RANK, ONES, holds
from kibitz.games.hanabi.knowledge import Copies, awaited, discards, exhausted, kind_of, useless, with_copy
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, SEATS, State

MAX_CONTRADICTIONS = 3  # after this many sums are no longer trusted

# A card is named by its place in the deck, so nothing moves when another leaves.
TABLE = struct_dtype(
    [
        ("begun", np.int64),
        ("contradictions", np.int64),
        ("kinds", WIDE, CARDS),  # that each card can be
        ("slots", np.int64, SEATS),  # scratch: the slot that each seat is asked about,
        ("values", np.int64, SEATS),  # and its value
    ]
)
Table = Any  # a struct of this type


class Classes(NamedTuple):
    """A partition of kinds: useless kinds are one class, then come single kinds by rank, then groups of kinds."""

    dead: int
    others: int
    alone: int  # how many have a class of their own
    group: int  # how many share one after that


@compiled
def classes_of(kinds: int, dead: int, numbers: int) -> Classes:
    """The partition with most single kinds and no class larger than M, so that two hints identify any kind."""
    left = numbers - int(kinds & dead != 0)
    others = count_bits(kinds & ~dead)
    group = max(numbers, -(-others // left))
    alone = left
    while alone + group * (left - alone) < others:
        alone -= 1
    return Classes(kinds & dead, kinds & ~dead, alone, group)


@compiled
def class_at(classes: Classes, place: int) -> int:
    """The class of the living kind at a place in the order."""
    behind = place - classes.alone
    return int(classes.dead != 0) + (place if behind < 0 else classes.alone + behind // classes.group)


@compiled
def class_of(classes: Classes, kind: int) -> int:
    """The class of a kind; 0 if it is none of the kinds."""
    if not holds(classes.others, kind):
        return 0
    place = count_bits(classes.others & OF_RANK[kind % 5] & ((1 << kind) - 1))
    for rank in range(kind % 5):
        place += count_bits(classes.others & OF_RANK[rank])
    return class_at(classes, place)


@compiled
def kinds_in_class(classes: Classes, number: int) -> int:
    """The kinds of a class."""
    if number == 0 and classes.dead != 0:
        return classes.dead
    kinds, place = 0, 0
    for rank in range(5):
        left = classes.others & OF_RANK[rank]
        while left:
            if class_at(classes, place) == number:
                kinds |= left & -left
            left &= left - 1
            place += 1
    return kinds


# The table


@compiled
def single(kinds: int) -> bool:
    return kinds & (kinds - 1) == 0


@compiled
def begin(table: Table, view: State) -> None:
    """Start from the literal hints about the cards."""
    table.begun = 1
    for place in range(CARDS):
        table.kinds[place] = ALL
    reset_to_hints(table, view)


@compiled
def reset_to_hints(table: Table, view: State) -> None:
    """Keep only what hints literally say."""
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            table.kinds[view.hands[seat][slot]] = view.hinted_kinds[seat][slot]
    eliminate(table, view)


@compiled
def narrow(table: Table, view: State, seat: int, slot: int, kinds: int) -> None:
    """A card can only be one of these kinds. If none is left, keep only what hints literally say of it."""
    place = view.hands[seat][slot]
    left = table.kinds[place] & kinds
    if left == 0:
        table.contradictions += 1
        left = view.hinted_kinds[seat][slot]
    table.kinds[place] = left


@compiled
def accounted(table: Table, view: State) -> Copies:
    """The copies that are played, discarded, or publicly known in a hand."""
    copies = with_copy(discards(view), view.played)
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            kinds = table.kinds[view.hands[seat][slot]]
            if single(kinds):
                copies = with_copy(copies, kinds)
    return copies


@compiled
def eliminate(table: Table, view: State) -> None:
    """Rule out kinds of which every copy is accounted for, until nothing changes."""
    again = True
    while again:
        again = False
        gone = exhausted(accounted(table, view))
        for seat in range(view.players):
            for slot in range(view.held[seat]):
                kinds = table.kinds[view.hands[seat][slot]]
                if not single(kinds) and kinds & gone != 0:
                    narrow(table, view, seat, slot, ~gone)
                    again = again or single(table.kinds[view.hands[seat][slot]])


@compiled
def copies_left(copies: Copies, kinds: int) -> int:
    """How many cards of these kinds are not accounted for."""
    one, two, _ = copies
    twice = (ONES & ~two) | (MIDDLE & ~one)
    return count_bits(kinds & ~exhausted(copies)) + count_bits(kinds & twice) + count_bits(kinds & ONES & ~one)


@compiled
def asked_slot(table: Table, view: State, copies: Copies, seat: int) -> int:
    """The slot that a hint is about: the unidentified card most likely to be playable, the oldest of several."""
    fits, dead = awaited(view), useless(view)
    best, top = 0, -1.0
    for slot in range(view.held[seat]):
        kinds = table.kinds[view.hands[seat][slot]]
        if not single(kinds):
            many = copies_left(copies, kinds)
            chance = copies_left(copies, kinds & fits) / many if many > 0 else 0.0
            if kinds & ~dead == 0:
                chance = -0.5
            if chance > top:
                best, top = slot, chance
    return best


@compiled
def classes_in(table: Table, view: State, seat: int, slot: int) -> Classes:
    """The classes of a card."""
    return classes_of(table.kinds[view.hands[seat][slot]], useless(view), codes(view.players))


@compiled
def ask(table: Table, view: State, giver: int) -> int:
    """Compute the slot of every seat but the giver and the visible values; return their sum.

    This precedes all narrowing, because what one hand learns must not change what another is asked.
    """
    copies, total = accounted(table, view), 0
    for seat in range(view.players):
        table.values[seat] = 0
        if seat == giver or view.held[seat] == 0:
            continue
        table.slots[seat] = asked_slot(table, view, copies, seat)
        kind = kind_of(view, seat, table.slots[seat])
        if kind != FACE_DOWN:
            table.values[seat] = class_of(classes_in(table, view, seat, table.slots[seat]), kind)
            total += table.values[seat]
    return total


@compiled
def read_sum(table: Table, view: State) -> None:
    """Decode a hint: the viewer's value is the sum minus the values it sees."""
    giver = last_mover(view)
    left = number_said(view) - ask(table, view, giver)
    if giver != view.seat and view.seat >= 0:
        table.values[view.seat] = left % codes(view.players)
    for seat in range(view.players):
        if seat != giver and view.held[seat] > 0:
            slot = table.slots[seat]
            narrow(table, view, seat, slot, kinds_in_class(classes_in(table, view, seat, slot), table.values[seat]))


def observe(view: State, memory: Table) -> None:
    """Update after a move: decode the sum of a hint, apply its literal content, and check visible cards."""
    if memory.begun == 0:
        begin(memory, view)
    elif hinted_last(view) and memory.contradictions < MAX_CONTRADICTIONS:
        read_sum(memory, view)
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            narrow(memory, view, seat, slot, view.hinted_kinds[seat][slot])
            kind = kind_of(view, seat, slot)
            if kind != FACE_DOWN and not holds(memory.kinds[view.hands[seat][slot]], kind):
                narrow(memory, view, seat, slot, 0)
    eliminate(memory, view)
    if memory.contradictions >= MAX_CONTRADICTIONS:
        reset_to_hints(memory, view)
