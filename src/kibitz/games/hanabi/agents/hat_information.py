"""The information strategy: one hint identifies a card of every other player.

The value of a hand is the class of one of its cards (see `hat_table`). A hint says the sum of the values (see
`hat_sums`), and its literal content counts as well.
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

EARLY_DISCARDS = 5  # cards discarded before hints, if they are surely useless: the paper's number
FEW = 3  # kinds that are named one by one

PLAY, EARLY, HINT_SUM, DEAD, DUPLICATE, SPARE, PERHAPS_SPARE, OLDEST, ANYTHING = range(9)
REASONS = (
    "I play {card}: the sums show that it is playable{known}",
    "I discard {card} early: the sums show that it is useless{known}{alone}",
    "I {move}, which says {sum}",
    "I discard {card}: the sums show that it is useless{known}{alone}",
    "I discard {card}: the sums show that I see another copy of it{known}{alone}",
    "I discard {card}: the sums show that it is not critical{known}{alone}",
    "I discard {card}: by the sums it may not be critical{known}{alone}",
    "I discard {card}: by the sums all my cards are critical, and this is the oldest{alone}",
    "I make any legal move, because I see no good one",
)


@compiled
def own_kinds(table: Table, view: State, slot: int) -> int:
    """What a card of the viewer can be, by the table and the visible cards; by hints alone if the table is wrong."""
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
    """Of the hints that encode a number, the one that literally rules out most kinds, or NONE."""
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
def cards_discarded(view: State) -> int:
    """How many cards were discarded or misplayed."""
    return count_bits(view.discarded[0]) + count_bits(view.discarded[1]) + count_bits(view.discarded[2])


@compiled
def decide(view: State, table: Table) -> int:
    """The rules of the paper, in its order."""
    slot = first_slot(table, view, awaited(view))
    if slot != NONE:
        return playing(view, slot, PLAY)
    dead = first_slot(table, view, useless(view))
    if dead != NONE and cards_discarded(view) < EARLY_DISCARDS and may_discard(view):
        return discarding(view, dead, EARLY)
    if view.tokens > 0:
        move = best_hint(table, view, ask(table, view, view.seat) % codes(view.players))
        if move != NONE:
            return decision(move, HINT_SUM)
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
    """What a card of the player to move can be, for its holder."""
    mine = view["hands"][view["seat"]][: view["held"][view["seat"]]].tolist()
    if view["seat"] != reader["seat"] or place not in mine:
        return ""
    return f"; it is {in_words(int(own_kinds(table, view, mine.index(place))))}"


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
    """Identifies a card of every other player with one hint. The hint encodes the sum of their values; each player
    subtracts the values it sees and is left with its own.

    Plays only surely playable cards. Meant for five players who all follow it; with strangers it soon takes hints
    literally.
    """
    if memory.begun == 0:
        begin(memory, view)
    return legal_or_any(view, decide(view, memory), ANYTHING)
