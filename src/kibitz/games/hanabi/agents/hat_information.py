"""The information strategy: a hint tells everybody else what one of his cards is.

The value of a hand is the class of one of its cards (see `hat_table`). A hint says the sum of the values (see
`hat_sums`), and what it says in words counts as well.
"""

from collections.abc import Mapping
from typing import Any

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, held_elsewhere, may_discard, playing
from kibitz.games.hanabi.agents.hat_sums import (
    ORIGIN,
    codes,
    hints_saying,
    legal_or_any,
    receiver,
    risk_by_hints_alone,
    sum_in_words,
)
from kibitz.games.hanabi.agents.hat_table import TABLE, Table, ask, begin, classes_in, kinds_in_class, observe, single
from kibitz.games.hanabi.agents.tips import NONE, touched_by, touches
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import awaited, critical, unseen, useless
from kibitz.games.hanabi.reason_words import listed
from kibitz.games.hanabi.rules import HINT
from kibitz.games.hanabi.state import State

EARLY_DISCARDS = 5  # so many cards are thrown away before hints, if they are surely of no use: the paper's number
FEW = 3  # kinds that are named one by one

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


@compiled
def own_kinds(table: Table, view: State, slot: int) -> int:
    """What an own card can be, by the table and by what is seen; by hints alone if the table cannot be true."""
    seen = unseen(view, view.seat)
    kinds = table.kinds[view.hands[view.seat][slot]] & seen
    return kinds if kinds != 0 else view.hinted_kinds[view.seat][slot] & seen


@compiled
def first_slot(table: Table, view: State, wanted: int) -> int:
    """The oldest own card that is surely one of these kinds, or NONE."""
    for slot in range(view.held[view.seat]):
        if own_kinds(table, view, slot) & ~wanted == 0:
            return slot
    return NONE


@compiled
def first_known(table: Table, view: State, wanted: int) -> int:
    """The oldest own card that is surely one kind, and that of these, or NONE."""
    for slot in range(view.held[view.seat]):
        kinds = own_kinds(table, view, slot)
        if single(kinds) and kinds & wanted != 0:
            return slot
    return NONE


@compiled
def best_hint(table: Table, view: State, number: int) -> int:
    """Of the hints that say a number the one that in words rules out most kinds; NONE if none says it."""
    seat, hints = receiver(view, number), hints_saying(view, number)
    slots = touches(view, seat)
    best, most = NONE, -1
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
    if slot != NONE:
        return playing(view, slot, PLAY)
    dead = first_slot(table, view, useless(view))
    if dead != NONE and thrown_away(view) < EARLY_DISCARDS and may_discard(view):
        return discarding(view, dead, EARLY)
    if view.tokens > 0:
        move = best_hint(table, view, ask(table, view, view.seat) % codes(view.players))
        if move != NONE:
            return decision(move, TELL)
    if dead != NONE:
        return discarding(view, dead, DEAD)
    slot = first_known(table, view, held_elsewhere(view))
    if slot != NONE:
        return discarding(view, slot, DUPLICATE)
    slot = first_slot(table, view, ~critical(view))
    if slot != NONE:
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
        return f"{'your card' if seat == reader['seat'] else 'card'} {slot + 1} is {in_words(kinds)}"

    return {
        "sum": sum_in_words(view, reader, lambda seat: int(table["values"][seat]), meaning),
        "known": known_in_words(table, view, reader, about),
        "alone": risk_by_hints_alone(view, reader, about),
    }


def known_in_words(table: Table, view: Any, reader: Any, place: int) -> str:
    """What an own card can be, for its holder; who sees the card needs not be told."""
    mine = view["hands"][view["seat"]][: view["held"][view["seat"]]].tolist()
    if view["seat"] != reader["seat"] or place not in mine:
        return ""
    return f": it is {in_words(int(own_kinds(table, view, mine.index(place))))}"


def in_words(kinds: int) -> str:
    return listed(kinds) if count_bits(kinds) <= FEW else f"one of {count_bits(kinds)} kinds"


@agent(
    title="Informing Indigo",
    reasons=REASONS,
    reason_variables=words,
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
