"""Six generations of one player: it plays what it was shown, shows what fits, and throws away the oldest card.

Every generation plays first, then hints, then discards, and is the one before it plus a change:

    v1        a card that was shown is played; a hint shows only cards that fit
    v1_fixed  of two copies only one is ever shown
    v2        reads what was shown; shows and throws away useless cards
    v2_fives  v2 that also shows fives
    v3        v2 that also shows and throws away cards that have a copy, and keeps fives
    v4        v3 that shows a card by its rank even if others look the same, for the next player to put right

A module answers with a decision, or with NOTHING, and then the next is asked. A hint that shows a card
as playable is a promise; what was shown as a spare copy is remembered, as a mask of places in the deck.
"""

from typing import Protocol

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hinting, playing, slots_of, unmarked_slots
from kibitz.games.hanabi.cards import FIVES, OF_COLOUR, OF_RANK, holds
from kibitz.games.hanabi.knowledge import awaited, critical, kind_of, marked, revealed, surely, unseen, useless
from kibitz.games.hanabi.rules import HINT, event_detail, event_move
from kibitz.games.hanabi.state import COLOUR_MARK, RANK_MARK, State

ORIGIN = "Hajdu 2020, chapter 5"
NOTHING = -1
NO_SPARES = 0

REASONS = (
    "shown play: a hint touched {card}, so it is meant to be played{odds}",
    "sure play: {card} is sure to fit{fits}",
    "read play: a hint touched {card}, and a pile waits for what was told of it{odds}",
    "play hint: {card} fits, and whatever else the hint shows fits too or is told in full",
    "bold hint: {card} fits; its rank may show others that do not, for the next player to put right",
    "correction: {card} would be played for its rank, and does not fit now; its colour says so",
    "useless hint: {card} can never be played, and its holder can tell now{useless}",
    "five hint: {card} is the only one of its kind",
    "spare hint: {card} is no last copy, and its rank cannot be taken for a play{free}",
    "useless discard: {card} can never be played{useless}",
    "spare discard: {card} was shown as one that is no last copy{risk}",
    "oldest discard: nothing to play and nothing to show, so {card} goes{risk}",
    "oldest discard: {card} is the oldest that no hint shows to be a five{risk}",
)
(
    SHOWN, SURE, READ,
    PLAY_HINT, BOLD_HINT, CORRECTION, USELESS_HINT, FIVE_HINT, SPARE_HINT,
    USELESS, SPARE, OLDEST, OLDEST_BUT_FIVES,
) = range(len(REASONS))  # fmt: skip


# What a hint shows, and how its receiver reads it


@compiled
def shown_with(kind: int, rank: bool) -> int:
    """The kinds that a hint about this kind names, by its rank or by its colour."""
    return OF_RANK[kind % 5] if rank else OF_COLOUR[kind // 5]


@compiled
def only_one_of_its_colour(view: State, seat: int, slot: int) -> bool:
    """Whether this card, told by colour, is the only one in the hand told to be of it."""
    colour = OF_COLOUR[lowest_bit(view.hinted_kinds[seat][slot]) // 5]
    for other in range(view.held[seat]):
        if other != slot and view.marks[seat][other] & COLOUR_MARK and view.hinted_kinds[seat][other] & colour:
            return False
    return True


@compiled
def read_as_playable(view: State, seat: int, slot: int, waits: int, spares: int) -> bool:
    """Whether the holder plays this card for what was shown of it. Told in full: if it fits. By rank: if a
    pile waits for it, and it was not shown as a spare copy. By colour: if it is the only one of it."""
    marks, told = view.marks[seat][slot], view.hinted_kinds[seat][slot]
    if marks == COLOUR_MARK:
        return told & waits != 0 and only_one_of_its_colour(view, seat, slot)
    if marks == RANK_MARK:
        return told & waits != 0 and not holds(spares, view.hands[seat][slot])
    return marks != 0 and surely(told, waits)


@compiled
def next_read(view: State, seat: int, waits: int, spares: int) -> int:
    """The oldest slot whose card its holder plays for what was shown of it, or NOTHING."""
    for slot in range(view.held[seat]):
        if read_as_playable(view, seat, slot, waits, spares):
            return slot
    return NOTHING


@compiled
def promised_kinds(view: State, waits: int, spares: int) -> int:
    """The kinds that somebody else is about to play."""
    kinds = 0
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.held[seat]):
                if read_as_playable(view, seat, slot, waits, spares):
                    kinds |= 1 << kind_of(view, seat, slot)
    return kinds


@compiled
def shows_a_copy(view: State, seat: int, named: int, waits: int, promised: int, spares: int) -> bool:
    """Whether a hint shows two cards of a kind that is waited for, or one whose copy is promised already."""
    shown = 0
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        if holds(named & waits, kind):
            told_before = holds(promised, kind) and not read_as_playable(view, seat, slot, waits, spares)
            if told_before or holds(shown, kind):
                return True
            shown |= 1 << kind
    return False


# v1


@compiled
def play_shown(view: State) -> int:
    for slot in range(view.held[view.seat]):
        if marked(view, view.seat, slot):
            return playing(view, slot, SHOWN)
    return NOTHING


@compiled
def show_playable(view: State, copies_too: bool) -> int:
    """Show the nearest player's oldest card that fits, with a hint that shows no card that does not."""
    waits = awaited(view)
    promised = promised_kinds(view, waits, NO_SPARES)
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if holds(waits, kind) and not marked(view, seat, slot):
                for rank in (True, False):
                    named = shown_with(kind, rank)
                    if not slots_of(view, seat, named & ~waits) and (
                        copies_too or not shows_a_copy(view, seat, named, waits, promised, NO_SPARES)
                    ):
                        return hinting(view, seat, slot, rank, PLAY_HINT)
    return NOTHING


@agent(title="Hasty Hollis", reasons=REASONS, origin=ORIGIN)
def hajdu_v1(view: State) -> int:
    """Plays any card that was shown to it, shows cards that fit if the hint shows no other, else discards
    the oldest card. Two copies of a card may both be shown, and lives go."""
    decided = play_shown(view)
    if decided == NOTHING and view.tokens > 0:
        decided = show_playable(view, True)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v1_fixed: copies are minded


@agent(title="Tidy Tatum", reasons=REASONS, origin=ORIGIN)
def hajdu_v1_fixed(view: State) -> int:
    """Plays any card that was shown to it, and shows cards that fit, but never two copies of one.

    It is Hasty Hollis without that mistake, in one hand or in two."""
    decided = play_shown(view)
    if decided == NOTHING and view.tokens > 0:
        decided = show_playable(view, False)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v2: reads hints, chooses among them, and knows useless cards


@compiled
def play_known(view: State, waits: int, spares: int) -> int:
    """Play a card that must fit by all that is known of it, else the oldest that was shown to fit."""
    left = unseen(view, view.seat)
    for slot in range(view.held[view.seat]):
        if surely(view.hinted_kinds[view.seat][slot] & left, waits):
            return playing(view, slot, SURE)
    slot = next_read(view, view.seat, waits, spares)
    return playing(view, slot, READ) if slot != NOTHING else NOTHING


@compiled
def is_clear(view: State, seat: int, slot: int, rank: bool, waits: int, promised: int, spares: int) -> bool:
    """Whether a hint about a card that fits can only be read as it is meant: a colour shows this card alone,
    a rank shows no card that does not fit, unless that one is then told in full."""
    named = shown_with(kind_of(view, seat, slot), rank)
    if not rank:
        return slots_of(view, seat, named) == 1 << slot
    for other in range(view.held[seat]):
        misread = holds(named & ~waits, kind_of(view, seat, other)) and not view.marks[seat][other] & COLOUR_MARK
        if misread:
            return False
    return not shows_a_copy(view, seat, named, waits, promised, spares)


@compiled
def worth(view: State, seat: int, kind: int, rank: bool) -> int:
    """Which of the hints about playable cards comes first: the more new cards it shows the better, then
    a five, then the lowest rank."""
    new_cards = slots_of(view, seat, shown_with(kind, rank)) & unmarked_slots(view, seat)
    return 6 * count_bits(new_cards) + (5 if holds(FIVES, kind) else 4 - kind % 5)


@compiled
def show_clearly(view: State, waits: int, spares: int) -> int:
    """Show a card that fits, by rank or else by colour, so that it cannot be misread."""
    promised = promised_kinds(view, waits, spares)
    best, most = NOTHING, -1
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if holds(waits & ~promised, kind):
                for rank in (True, False):
                    if is_clear(view, seat, slot, rank, waits, promised, spares):
                        value = worth(view, seat, kind, rank)
                        if value > most:
                            best, most = hinting(view, seat, slot, rank, PLAY_HINT), value
                        break
    return best


@compiled
def show_useless(view: State) -> int:
    """Show cards as useless, as many as possible: by a rank that every pile has passed, or a finished colour."""
    dead = useless(view)
    best, most = NOTHING, 0
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            for rank in (True, False):
                named = shown_with(kind, rank)
                if surely(named, dead):
                    shown = 0
                    for other in range(view.held[seat]):
                        known = surely(view.hinted_kinds[seat][other], dead)
                        shown += holds(named, kind_of(view, seat, other)) and not known
                    if shown > most:
                        best, most = hinting(view, seat, slot, rank, USELESS_HINT), shown
    return best


@compiled
def discard_useless(view: State) -> int:
    dead, left = useless(view), unseen(view, view.seat)
    for slot in range(view.held[view.seat]):
        if surely(view.hinted_kinds[view.seat][slot] & left, dead):
            return discarding(view, slot, USELESS)
    return NOTHING


@compiled
def hints_of_v2(view: State, waits: int, spares: int) -> int:
    decided = show_clearly(view, waits, spares)
    return decided if decided != NOTHING else show_useless(view)


@agent(title="Clear Charlie", reasons=REASONS, origin=ORIGIN)
def hajdu_v2(view: State) -> int:
    """Plays by what it knows of its cards, shows cards that fit so that they cannot be misread, else
    useless ones, and discards a card it knows to be useless, else the oldest."""
    waits = awaited(view)
    decided = play_known(view, waits, NO_SPARES)
    if decided == NOTHING and view.tokens > 0:
        decided = hints_of_v2(view, waits, NO_SPARES)
    if decided == NOTHING:
        decided = discard_useless(view)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v2_fives: with nothing better to show, fives


@compiled
def show_fives(view: State) -> int:
    """Show the rank of a five, or if all are told, the colour of one."""
    for rank in (True, False):
        for step in range(1, view.players):
            seat = (view.seat + step) % view.players
            for slot in range(view.held[seat]):
                if holds(FIVES, kind_of(view, seat, slot)) and not revealed(view, seat, slot):
                    rank_hinted = view.marks[seat][slot] & RANK_MARK != 0
                    if rank_hinted != rank:
                        return hinting(view, seat, slot, rank, FIVE_HINT)
    return NOTHING


@agent(title="Proud Parker", reasons=REASONS, origin=ORIGIN)
def hajdu_v2_fives(view: State) -> int:
    """Plays what was shown clearly, shows cards that fit, and shows fives so that they are kept.

    It is Clear Charlie that also shows fives, first the rank, then the colour. A five told by rank alone is played
    as soon as a pile waits for any five, and lives go."""
    waits = awaited(view)
    decided = play_known(view, waits, NO_SPARES)
    if decided == NOTHING and view.tokens > 0:
        decided = hints_of_v2(view, waits, NO_SPARES)
        if decided == NOTHING:
            decided = show_fives(view)
    if decided == NOTHING:
        decided = discard_useless(view)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v3: cards that have a copy


SPARES = struct_dtype([("cards", np.int64)])


class Spares(Protocol):
    """What everybody knows of spare copies."""

    cards: int  # shown as spares, as places in the deck


def remember_spares(view: State, public: Spares) -> None:
    """A rank that no pile waits for shows spare copies, for good: the pile may come to wait for it before they
    are thrown away. If a pile waits for it, it shows cards to be played."""
    if view.turn == 0:
        return
    happened = view.history[view.turn - 1]
    rank = (event_move(happened) - HINT) % 10 - 5
    if event_move(happened) < HINT or rank < 0 or rank == 4:
        return
    seat = (event_move(happened) - HINT) // 10
    is_spare = awaited(view) & OF_RANK[rank] == 0
    for slot in range(view.held[seat]):
        if holds(event_detail(happened), slot):
            card = 1 << view.hands[seat][slot]
            public.cards = public.cards | card if is_spare else public.cards & ~card


@compiled
def show_spares(view: State, waits: int) -> int:
    """Show a player who holds nothing playable some cards that have a copy: fours, else threes, else twos, while
    no pile waits for that rank. The last of a kind, or both copies in one hand, are no spares."""
    last = critical(view)
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        if not slots_of(view, seat, waits):
            for rank in (3, 2, 1):
                named = OF_RANK[rank]
                shown = slots_of(view, seat, named)
                if named & waits == 0 and not slots_of(view, seat, named & last) and not twins(view, seat, named):
                    for slot in range(view.held[seat]):
                        if holds(shown, slot) and not view.marks[seat][slot] & RANK_MARK:
                            return hinting(view, seat, slot, True, SPARE_HINT)
    return NOTHING


@compiled
def twins(view: State, seat: int, named: int) -> bool:
    """Whether two of the cards a hint shows are copies of each other."""
    return shows_a_copy(view, seat, named, named, 0, NO_SPARES)


@compiled
def discard_spare(view: State, spares: int) -> int:
    for rank in (3, 2, 1):
        for slot in range(view.held[view.seat]):
            shown_as_spare = view.marks[view.seat][slot] == RANK_MARK and holds(spares, view.hands[view.seat][slot])
            if shown_as_spare and surely(view.hinted_kinds[view.seat][slot], OF_RANK[rank]):
                return discarding(view, slot, SPARE)
    return NOTHING


@compiled
def discard_oldest_but_fives(view: State) -> int:
    for slot in range(view.held[view.seat]):
        if not surely(view.hinted_kinds[view.seat][slot], FIVES):
            return discarding(view, slot, OLDEST if slot == 0 else OLDEST_BUT_FIVES)
    return discarding(view, 0, OLDEST)


@compiled
def discards_of_v3(view: State, spares: int) -> int:
    decided = discard_useless(view)
    if decided == NOTHING:
        decided = discard_spare(view, spares)
    return decided if decided != NOTHING else discard_oldest_but_fives(view)


@agent(title="Thrifty Tracy", reasons=REASONS, origin=ORIGIN, watch=remember_spares, public=SPARES)
def hajdu_v3(view: State, public: Spares) -> int:
    """Plays what was shown clearly, shows cards that fit, and lets go of cards that have a copy.

    It is Clear Charlie that also shows and discards cards that have a copy, and never discards a known five as its
    oldest card."""
    waits, spares = awaited(view), public.cards
    decided = play_known(view, waits, spares)
    if decided == NOTHING and view.tokens > 0:
        decided = hints_of_v2(view, waits, spares)
        if decided == NOTHING:
            decided = show_spares(view, waits)
    return decided if decided != NOTHING else discards_of_v3(view, spares)


# v4: a card that cannot be shown clearly is shown anyway


@compiled
def show_boldly(view: State, waits: int, spares: int) -> int:
    """Show a card that fits by its rank, though the hint shows cards that do not."""
    promised = promised_kinds(view, waits, spares)
    best, most = NOTHING, -1
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if holds(waits & ~promised, kind) and not view.marks[seat][slot] & RANK_MARK:
                value = worth(view, seat, kind, True)
                named = shown_with(kind, True)
                if value > most and not shows_a_copy(view, seat, named, named, promised, spares):
                    best, most = hinting(view, seat, slot, True, BOLD_HINT), value
    return best


@compiled
def correct(view: State, waits: int, spares: int) -> int:
    """Tell the colour of a card that its holder is about to play for its rank and that does not fit."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        slot = next_read(view, seat, waits, spares)
        if slot != NOTHING and view.marks[seat][slot] == RANK_MARK and not holds(waits, kind_of(view, seat, slot)):
            return hinting(view, seat, slot, False, CORRECTION)
    return NOTHING


@agent(title="Bold Blake", reasons=REASONS, origin=ORIGIN, watch=remember_spares, public=SPARES)
def hajdu_v4(view: State, public: Spares) -> int:
    """Shows a card by its rank even if others of that rank do not fit, and trusts the next player to put it right.

    It is Thrifty Tracy with bolder hints. Whoever comes next and has nothing to play or to show must tell the colour
    of what does not fit; if nobody can, lives go."""
    waits, spares = awaited(view), public.cards
    decided = play_known(view, waits, spares)
    if decided == NOTHING and view.tokens > 0:
        decided = show_clearly(view, waits, spares)
        if decided == NOTHING:
            decided = show_boldly(view, waits, spares)
        if decided == NOTHING:
            decided = correct(view, waits, spares)
        if decided == NOTHING:
            decided = show_useless(view)
        if decided == NOTHING:
            decided = show_spares(view, waits)
    return decided if decided != NOTHING else discards_of_v3(view, spares)
