"""Six generations of one player: it plays hinted cards, hints playable ones, and discards the oldest.

Every generation first tries to play, then to hint, then discards, and adds a change to the one before:

    v1        plays every hinted card; its hints touch only playable cards
    v1_fixed  never hints both copies of a card
    v2        interprets hints; hints and discards useless cards
    v2_fives  v2, and hints fives
    v3        v2, and hints and discards spare copies, and keeps fives
    v4        v3, and hints a playable card by rank even if the hint touches others, for the next player to correct

`hajdu_2020` has the same generations to the letter of the thesis; these are improved.

A module returns a decision, or NOTHING to leave the turn to the next. A hint that shows a card as playable is a
promise; cards shown as spare copies are remembered as a mask of places in the deck.
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
IMPROVED = f"{ORIGIN}; improved: it considers all players for its hints"
KNOWING = f"{IMPROVED}, chooses among them, and uses negative hints and the copies it sees"
NOTHING = -1
NO_SPARES = 0

REASONS = (
    "I play {card}: a hint touched it, so I am asked to play it{odds}",
    "I play {card}{fits}",
    "I play {card}: a hint touched it, and a pile needs a card like it{odds}",
    "I {move}: {card} can be played, and so can whatever else the hint touches, unless it is revealed",
    "I boldly {move}: {card} can be played; the next player must correct what else the hint touches",
    "I {move} to stop {card}: it would be played for its rank, but it cannot be played now",
    "I {move}, who now knows that {card} can never be played{useless}",
    "I {move}: {card} is a five, and there is only one of its kind",
    "I {move}: {card} can be discarded without a lasting loss{free}",
    "I discard {card}: it can never be played{useless}",
    "I discard {card}: a hint showed that it has another copy{risk}",
    "I have nothing to play and no hint to give, so I discard {card}{risk}",
    "I discard {card}: it is my oldest card that no hint shows to be a five{risk}",
)
(
    SHOWN, SURE, READ,
    PLAY_HINT, BOLD_HINT, CORRECTION, USELESS_HINT, FIVE_HINT, SPARE_HINT,
    USELESS, SPARE, OLDEST, OLDEST_BUT_FIVES,
) = range(len(REASONS))  # fmt: skip


# What a hint means, and how its receiver interprets it


@compiled
def touched_with(kind: int, rank: bool) -> int:
    """The kinds that a hint about this kind names, by its rank or by its colour."""
    return OF_RANK[kind % 5] if rank else OF_COLOUR[kind // 5]


@compiled
def only_one_of_its_colour(view: State, seat: int, slot: int) -> bool:
    """Whether this card, hinted by colour, is the only one in the hand hinted to have that colour."""
    colour = OF_COLOUR[lowest_bit(view.hinted_kinds[seat][slot]) // 5]
    for other in range(view.held[seat]):
        if other != slot and view.marks[seat][other] & COLOUR_MARK and view.hinted_kinds[seat][other] & colour:
            return False
    return True


@compiled
def read_as_playable(view: State, seat: int, slot: int, waits: int, spares: int) -> bool:
    """Whether the holder plays this card because of its hints.

    A revealed card: if it is playable. One hinted by rank: if a pile needs that rank, and the card was not shown as a
    spare copy. One hinted by colour: if it is the only one of that colour.
    """
    marks, kinds = view.marks[seat][slot], view.hinted_kinds[seat][slot]
    if marks == COLOUR_MARK:
        return kinds & waits != 0 and only_one_of_its_colour(view, seat, slot)
    if marks == RANK_MARK:
        return kinds & waits != 0 and not holds(spares, view.hands[seat][slot])
    return marks != 0 and surely(kinds, waits)


@compiled
def next_read(view: State, seat: int, waits: int, spares: int) -> int:
    """The oldest slot whose card its holder plays because of its hints, or NOTHING."""
    for slot in range(view.held[seat]):
        if read_as_playable(view, seat, slot, waits, spares):
            return slot
    return NOTHING


@compiled
def promised_kinds(view: State, waits: int, spares: int) -> int:
    """The kinds that another player is about to play."""
    kinds = 0
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.held[seat]):
                if read_as_playable(view, seat, slot, waits, spares):
                    kinds |= 1 << kind_of(view, seat, slot)
    return kinds


@compiled
def touches_a_copy(view: State, seat: int, named: int, waits: int, promised: int, spares: int) -> bool:
    """Whether a hint touches two copies of a needed card, or one whose copy is already promised."""
    touched = 0
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        if holds(named & waits, kind):
            promised_elsewhere = holds(promised, kind) and not read_as_playable(view, seat, slot, waits, spares)
            if promised_elsewhere or holds(touched, kind):
                return True
            touched |= 1 << kind
    return False


# v1


@compiled
def play_hinted(view: State) -> int:
    for slot in range(view.held[view.seat]):
        if marked(view, view.seat, slot):
            return playing(view, slot, SHOWN)
    return NOTHING


@compiled
def hint_playable(view: State, copies_too: bool) -> int:
    """Hint the nearest player's oldest playable card, touching only playable cards."""
    waits = awaited(view)
    promised = promised_kinds(view, waits, NO_SPARES)
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if holds(waits, kind) and not marked(view, seat, slot):
                for rank in (True, False):
                    named = touched_with(kind, rank)
                    if not slots_of(view, seat, named & ~waits) and (
                        copies_too or not touches_a_copy(view, seat, named, waits, promised, NO_SPARES)
                    ):
                        return hinting(view, seat, slot, rank, PLAY_HINT)
    return NOTHING


@agent(title="Hasty Hollis", reasons=REASONS, origin=IMPROVED)
def hajdu_v1(view: State) -> int:
    """Plays any hinted card, gives hints that touch only playable cards, and otherwise discards the oldest card. It
    may hint both copies of a card, which costs lives."""
    decided = play_hinted(view)
    if decided == NOTHING and view.tokens > 0:
        decided = hint_playable(view, True)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v1_fixed: never both copies


@agent(title="Tidy Tatum", reasons=REASONS, origin=IMPROVED)
def hajdu_v1_fixed(view: State) -> int:
    """Plays any hinted card, and hints playable cards, but never both copies of one.

    It is Hasty Hollis without that mistake, within a hand or across hands."""
    decided = play_hinted(view)
    if decided == NOTHING and view.tokens > 0:
        decided = hint_playable(view, False)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v2: interprets hints, chooses among them, and recognises useless cards


@compiled
def play_known(view: State, waits: int, spares: int) -> int:
    """Play a card that must be playable, else the oldest that hints ask to play."""
    left = unseen(view, view.seat)
    for slot in range(view.held[view.seat]):
        if surely(view.hinted_kinds[view.seat][slot] & left, waits):
            return playing(view, slot, SURE)
    slot = next_read(view, view.seat, waits, spares)
    return playing(view, slot, READ) if slot != NOTHING else NOTHING


@compiled
def is_clear(view: State, seat: int, slot: int, rank: bool, waits: int, promised: int, spares: int) -> bool:
    """Whether a hint about a playable card cannot be misread: a colour touches only this card; a rank touches only
    playable cards and cards that it reveals."""
    named = touched_with(kind_of(view, seat, slot), rank)
    if not rank:
        return slots_of(view, seat, named) == 1 << slot
    for other in range(view.held[seat]):
        misread = holds(named & ~waits, kind_of(view, seat, other)) and not view.marks[seat][other] & COLOUR_MARK
        if misread:
            return False
    return not touches_a_copy(view, seat, named, waits, promised, spares)


@compiled
def worth(view: State, seat: int, kind: int, rank: bool) -> int:
    """The rank of a hint about a playable card: by the number of newly marked cards, then a five, then the lowest
    rank."""
    new_cards = slots_of(view, seat, touched_with(kind, rank)) & unmarked_slots(view, seat)
    return 6 * count_bits(new_cards) + (5 if holds(FIVES, kind) else 4 - kind % 5)


@compiled
def hint_clearly(view: State, waits: int, spares: int) -> int:
    """Hint a playable card, by rank or else by colour, so that it cannot be misread."""
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
def hint_useless(view: State) -> int:
    """Hint as many useless cards as possible, by a rank that every pile has passed or by a finished colour."""
    dead = useless(view)
    best, most = NOTHING, 0
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            for rank in (True, False):
                named = touched_with(kind, rank)
                if surely(named, dead):
                    newly_known = 0
                    for other in range(view.held[seat]):
                        known = surely(view.hinted_kinds[seat][other], dead)
                        newly_known += holds(named, kind_of(view, seat, other)) and not known
                    if newly_known > most:
                        best, most = hinting(view, seat, slot, rank, USELESS_HINT), newly_known
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
    decided = hint_clearly(view, waits, spares)
    return decided if decided != NOTHING else hint_useless(view)


@agent(title="Clear Charlie", reasons=REASONS, origin=KNOWING)
def hajdu_v2(view: State) -> int:
    """Plays by what it knows about its cards, gives hints about playable cards that cannot be misread, else about
    useless ones, and discards a card it knows to be useless, else the oldest."""
    waits = awaited(view)
    decided = play_known(view, waits, NO_SPARES)
    if decided == NOTHING and view.tokens > 0:
        decided = hints_of_v2(view, waits, NO_SPARES)
    if decided == NOTHING:
        decided = discard_useless(view)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v2_fives: hints fives if there is no better hint


@compiled
def hint_fives(view: State) -> int:
    """Hint the rank of a five, or if all ranks are hinted, the colour of one."""
    for rank in (True, False):
        for step in range(1, view.players):
            seat = (view.seat + step) % view.players
            for slot in range(view.held[seat]):
                if holds(FIVES, kind_of(view, seat, slot)) and not revealed(view, seat, slot):
                    rank_hinted = view.marks[seat][slot] & RANK_MARK != 0
                    if rank_hinted != rank:
                        return hinting(view, seat, slot, rank, FIVE_HINT)
    return NOTHING


@agent(title="Proud Parker", reasons=REASONS, origin=KNOWING)
def hajdu_v2_fives(view: State) -> int:
    """Plays clearly hinted cards, hints playable cards, and hints fives so that they are kept.

    It is Clear Charlie that also hints fives, first the rank, then the colour. A five hinted by rank alone is played
    as soon as any pile needs a five, which costs lives."""
    waits = awaited(view)
    decided = play_known(view, waits, NO_SPARES)
    if decided == NOTHING and view.tokens > 0:
        decided = hints_of_v2(view, waits, NO_SPARES)
        if decided == NOTHING:
            decided = hint_fives(view)
    if decided == NOTHING:
        decided = discard_useless(view)
    return decided if decided != NOTHING else discarding(view, 0, OLDEST)


# v3: spare copies


SPARES = struct_dtype([("cards", np.int64)])


class Spares(Protocol):
    """The public knowledge about spare copies."""

    cards: int  # those shown as spares, as places in the deck


def remember_spares(view: State, public: Spares) -> None:
    """A hint of a rank that no pile needs shows spare copies. They stay spares even if a pile needs that rank before
    they are discarded. If a pile needs the rank, the hint shows cards to play."""
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
def hint_spares(view: State, waits: int) -> int:
    """Hint spare copies to a player without playable cards: fours, else threes, else twos, if no pile needs that rank.
    A last copy is no spare, and neither are both copies in one hand."""
    last = critical(view)
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        if not slots_of(view, seat, waits):
            for rank in (3, 2, 1):
                named = OF_RANK[rank]
                touched = slots_of(view, seat, named)
                if named & waits == 0 and not slots_of(view, seat, named & last) and not twins(view, seat, named):
                    for slot in range(view.held[seat]):
                        if holds(touched, slot) and not view.marks[seat][slot] & RANK_MARK:
                            return hinting(view, seat, slot, True, SPARE_HINT)
    return NOTHING


@compiled
def twins(view: State, seat: int, named: int) -> bool:
    """Whether a hint touches both copies of a card."""
    return touches_a_copy(view, seat, named, named, 0, NO_SPARES)


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


@agent(title="Thrifty Tracy", reasons=REASONS, origin=KNOWING, watch=remember_spares, public=SPARES)
def hajdu_v3(view: State, public: Spares) -> int:
    """Plays clearly hinted cards, hints playable cards, and discards spare copies.

    It is Clear Charlie that also hints and discards spare copies, and never discards a known five as its oldest card.
    """
    waits, spares = awaited(view), public.cards
    decided = play_known(view, waits, spares)
    if decided == NOTHING and view.tokens > 0:
        decided = hints_of_v2(view, waits, spares)
        if decided == NOTHING:
            decided = hint_spares(view, waits)
    return decided if decided != NOTHING else discards_of_v3(view, spares)


# v4: a card that cannot be hinted clearly is hinted anyway


@compiled
def hint_boldly(view: State, waits: int, spares: int) -> int:
    """Hint a playable card by its rank, although the hint touches cards that are not playable."""
    promised = promised_kinds(view, waits, spares)
    best, most = NOTHING, -1
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if holds(waits & ~promised, kind) and not view.marks[seat][slot] & RANK_MARK:
                value = worth(view, seat, kind, True)
                named = touched_with(kind, True)
                if value > most and not touches_a_copy(view, seat, named, named, promised, spares):
                    best, most = hinting(view, seat, slot, True, BOLD_HINT), value
    return best


@compiled
def correct(view: State, waits: int, spares: int) -> int:
    """Hint the colour of an unplayable card that its holder is about to play because of its rank."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        slot = next_read(view, seat, waits, spares)
        if slot != NOTHING and view.marks[seat][slot] == RANK_MARK and not holds(waits, kind_of(view, seat, slot)):
            return hinting(view, seat, slot, False, CORRECTION)
    return NOTHING


@agent(title="Bold Blake", reasons=REASONS, origin=KNOWING, watch=remember_spares, public=SPARES)
def hajdu_v4(view: State, public: Spares) -> int:
    """Hints a card by its rank even if others of that rank are not playable, and trusts the next player to correct it.

    It is Thrifty Tracy with bolder hints. The next player with nothing to play or to hint must correct the unplayable
    card by its colour; otherwise it costs lives."""
    waits, spares = awaited(view), public.cards
    decided = play_known(view, waits, spares)
    if decided == NOTHING and view.tokens > 0:
        decided = hint_clearly(view, waits, spares)
        if decided == NOTHING:
            decided = hint_boldly(view, waits, spares)
        if decided == NOTHING:
            decided = correct(view, waits, spares)
        if decided == NOTHING:
            decided = hint_useless(view)
        if decided == NOTHING:
            decided = hint_spares(view, waits)
    return decided if decided != NOTHING else discards_of_v3(view, spares)
