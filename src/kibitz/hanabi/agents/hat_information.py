"""The information strategy: a hint tells everybody else what one of his cards is.

Everybody keeps the same table of the kinds that each card in each hand can be. From it all know which card of a hand is
asked about, the one that most likely fits, and how its kinds fall into M classes; the value of a hand is the class
of that card. A hint says the sum of the values (see `hat_sums`), and what it says in words counts as well.

The table cannot be kept by an onlooker, who sees no hand and so cannot take anything away from the sum. Each seat keeps its own, by
what it sees, and all come out the same. If something turns out impossible, somebody follows other conventions: hints
are then taken at their word.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.bits import count_bits, lowest_bit
from kibitz.core.compile import WIDE, compiled, struct_dtype
from kibitz.core.loop import decision
from kibitz.hanabi.agents import agent
from kibitz.hanabi.agents.choices import discarding, held_elsewhere, may_discard, playing
from kibitz.hanabi.agents.hat_sums import (
    ORIGIN,
    codes,
    hinted_last,
    hints_saying,
    last_mover,
    legal_or_any,
    number_said,
    receiver,
    risk_by_hints_alone,
    sum_in_words,
)
from kibitz.hanabi.agents.tips import touched_by, touches
from kibitz.hanabi.cards import ALL, MIDDLE, OF_RANK, ONES, hinted_kinds, holds
from kibitz.hanabi.knowledge import (
    Copies,
    awaited,
    critical,
    discards,
    exhausted,
    kind_of,
    unseen,
    useless,
    with_copy,
)
from kibitz.hanabi.reason_words import listed
from kibitz.hanabi.rules import HINT
from kibitz.hanabi.state import CARDS, FACE_DOWN, SEATS, State

TRUST = 3  # how often something may turn out impossible before sums are believed no more
EARLY_DISCARDS = 5  # so many cards are thrown away before hints, if they are surely of no use: the paper's number
NOBODY = -1
FEW = 3  # kinds that are named one by one

# What everybody knows, as a seat keeps it. A card is named by its place in the deck, so nothing moves when another leaves.
TABLE = struct_dtype(
    [
        ("begun", np.int64),
        ("doubts", np.int64),
        ("kinds", WIDE, CARDS),  # that each card can be
        ("slots", np.int64, SEATS),  # room for who reads a hint: the slot that each seat is asked about,
        ("values", np.int64, SEATS),  # and its value
    ]
)
Table = Any  # a struct of this type

PLAY, EARLY, TELL, DEAD, DUPLICATE, SPARE, PERHAPS_SPARE, OLDEST, ANYTHING = range(9)
REASONS = (
    "play: by the sums {card} is playable{known}",
    "early discard: by the sums {card} is of no use{known}{alone}",
    "hint: {sum}",
    "discard: by the sums {card} is of no use{known}{alone}",
    "discard: by the sums there is another copy of {card} in sight{known}{alone}",
    "discard: by the sums {card} is not the last of its sort{known}{alone}",
    "discard: by the sums {card} need not be a last copy{known}{alone}",
    "oldest: by the sums every card may be missed, and {card} is the oldest{alone}",
    "any legal move: there was no better",
)


class Classes(NamedTuple):
    """How kinds fall into classes: the dead ones are the first, then kinds alone, by rank, then groups of them."""

    dead: int
    others: int
    alone: int  # how many have a class of their own
    group: int  # how many share one after that


@compiled
def classes_of(kinds: int, dead: int, numbers: int) -> Classes:
    """As many kinds alone as can be while no class is larger than the number of classes, so that two hints tell any kind."""
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
    """What hints said of the cards as they lie, and nothing between the lines."""
    table.begun = 1
    for place in range(CARDS):
        table.kinds[place] = ALL
    forget(table, view)


@compiled
def forget(table: Table, view: State) -> None:
    """Hints alone count."""
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            table.kinds[view.hands[seat][slot]] = view.told[seat][slot]
    settle(table, view)


@compiled
def narrow(table: Table, view: State, seat: int, slot: int, kinds: int) -> None:
    """A card can only be one of these kinds. If that leaves none, somebody did not follow, and only hints are believed of it."""
    place = view.hands[seat][slot]
    left = table.kinds[place] & kinds
    if left == 0:
        table.doubts += 1
        left = view.told[seat][slot]
    table.kinds[place] = left


@compiled
def accounted(table: Table, view: State) -> Copies:
    """The copies that lie open, and those of cards in hand that everybody knows."""
    copies = with_copy(discards(view), view.played)
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            kinds = table.kinds[view.hands[seat][slot]]
            if single(kinds):
                copies = with_copy(copies, kinds)
    return copies


@compiled
def settle(table: Table, view: State) -> None:
    """Rule out the kinds of which every copy is accounted for, as long as that tells of another card."""
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
    """The slot that a seat is told of: of the cards that not everybody knows the likeliest to fit, the oldest of several."""
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
    """Work out what is asked of every seat but the giver, and the values that can be seen; their sum.

    All of it is worked out before anything is learnt, for what one hand is told must not change what another is asked.
    """
    copies, total = accounted(table, view), 0
    for seat in range(view.players):
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
    """What a hint says to everybody: the own value is what those of the others leave of the sum."""
    giver = last_mover(view)
    left = number_said(view) - ask(table, view, giver)
    if giver != view.seat and view.seat >= 0:
        table.values[view.seat] = left % codes(view.players)
    for seat in range(view.players):
        if seat != giver and view.held[seat] > 0:
            slot = table.slots[seat]
            narrow(table, view, seat, slot, kinds_in_class(classes_in(table, view, seat, slot), table.values[seat]))


def observe(view: State, memory: Table) -> None:
    """Take in the last move: a hint says a sum, and says in words what it says; a card that is seen bears it out or not."""
    if memory.begun == 0:
        begin(memory, view)
    elif hinted_last(view) and memory.doubts < TRUST:
        read_sum(memory, view)
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            narrow(memory, view, seat, slot, view.told[seat][slot])
            kind = kind_of(view, seat, slot)
            if kind != FACE_DOWN and not holds(memory.kinds[view.hands[seat][slot]], kind):
                narrow(memory, view, seat, slot, 0)
    settle(memory, view)
    if memory.doubts >= TRUST:
        forget(memory, view)


# The player


@compiled
def own_kinds(table: Table, view: State, slot: int) -> int:
    """What an own card can be, by what everybody knows and by what is seen; by hints alone if the sums cannot be true."""
    seen = unseen(view, view.seat)
    kinds = table.kinds[view.hands[view.seat][slot]] & seen
    return kinds if kinds != 0 else view.told[view.seat][slot] & seen


@compiled
def first_slot(table: Table, view: State, wanted: int) -> int:
    """The oldest own card that is surely one of these kinds, or NOBODY."""
    for slot in range(view.held[view.seat]):
        if own_kinds(table, view, slot) & ~wanted == 0:
            return slot
    return NOBODY


@compiled
def first_known(table: Table, view: State, wanted: int) -> int:
    """The oldest own card that is surely one kind, and that of these, or NOBODY."""
    for slot in range(view.held[view.seat]):
        kinds = own_kinds(table, view, slot)
        if single(kinds) and kinds & wanted != 0:
            return slot
    return NOBODY


@compiled
def best_hint(table: Table, view: State, number: int) -> int:
    """Of the hints that say a number the one that in words rules out most kinds; NOBODY if none says it."""
    seat, hints = receiver(view, number), hints_saying(view, number)
    slots = touches(view, seat)
    best, most = NOBODY, -1
    while hints:
        value = lowest_bit(hints)
        hints &= hints - 1
        named, ruled_out = hinted_kinds(value), 0
        for slot in range(view.held[seat]):
            kinds = table.kinds[view.hands[seat][slot]]
            ruled_out += count_bits(kinds & ~named if holds(touched_by(slots, value), slot) else kinds & named)
        if ruled_out > most:
            best, most = HINT + 10 * seat + value, ruled_out
    return best


@compiled
def thrown_away(view: State) -> int:
    """How many cards were discarded or misplayed."""
    return count_bits(view.discarded[0]) + count_bits(view.discarded[1]) + count_bits(view.discarded[2])


@compiled
def decided(view: State, table: Table) -> int:
    """The rules of the paper, in its order."""
    slot = first_slot(table, view, awaited(view))
    if slot != NOBODY:
        return playing(view, slot, PLAY)
    dead = first_slot(table, view, useless(view))
    if dead != NOBODY and thrown_away(view) < EARLY_DISCARDS and may_discard(view):
        return discarding(view, dead, EARLY)
    if view.tokens > 0:
        move = best_hint(table, view, ask(table, view, view.seat) % codes(view.players))
        if move != NOBODY:
            return decision(move, TELL)
    if dead != NOBODY:
        return discarding(view, dead, DEAD)
    slot = first_known(table, view, held_elsewhere(view))
    if slot != NOBODY:
        return discarding(view, slot, DUPLICATE)
    slot = first_slot(table, view, ~critical(view))
    if slot != NOBODY:
        return discarding(view, slot, SPARE)
    for slot in range(view.held[view.seat]):
        if own_kinds(table, view, slot) & ~critical(view) != 0:
            return discarding(view, slot, PERHAPS_SPARE)
    return discarding(view, 0, OLDEST)


def words(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The words {sum}, {known} and {alone} of a reason."""
    table = memory
    ask(table, view, int(view["seat"]))

    def meaning(seat: int, value: int) -> str:
        slot = int(table["slots"][seat])
        place = int(view["hands"][seat][slot])
        kinds = int(kinds_in_class(classes_in(table, view, seat, slot), value)) or int(table["kinds"][place])
        return f"{'your' if seat == reader['seat'] else 'his'} card {slot + 1} is {in_words(kinds)}"

    own = about in view["hands"][view["seat"]][: view["held"][view["seat"]]]
    unknown = own and reader["deck"][about] == FACE_DOWN
    slot = list(view["hands"][view["seat"]]).index(about) if own else 0
    return {
        "sum": sum_in_words(view, reader, lambda seat: int(table["values"][seat]), meaning),
        "known": f": it is {in_words(int(own_kinds(table, view, slot)))}" if unknown and view["seat"] == reader["seat"] else "",
        "alone": risk_by_hints_alone(view, reader, about),
    }


def in_words(kinds: int) -> str:
    return listed(kinds) if count_bits(kinds) <= FEW else f"one of {count_bits(kinds)} kinds"


@agent(
    title="Informing Indigo",
    reasons=REASONS,
    tells=words,
    origin=f"{ORIGIN}, the information strategy",
    observe=observe,
    memory=TABLE,
)
def hat_information(view: State, memory: Table) -> int:
    """Tells everybody with one hint what one of his cards is: the hint stands for the sum of what each should know, and
    each takes away what it sees is for the others.

    Plays only what must fit. For five players who all follow it; with strangers it soon takes hints at their word.
    """
    if memory.begun == 0:
        begin(memory, view)
    return legal_or_any(view, decided(view, memory), ANYTHING)
