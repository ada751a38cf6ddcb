"""Small decisions that many agents share: a card among some slots, a discard, a hint to pass.

Sets of slots are masks: bit 0 is the oldest card.
"""

from kibitz.engine.bits import chosen_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import HINT_VALUE, LAST_REASON, SEAT_NUMBER, SLOT, decision, refused
from kibitz.games.hanabi.cards import ALL, FIVES, holds
from kibitz.games.hanabi.knowledge import kind_of, marked, revealed
from kibitz.games.hanabi.rules import DISCARD, HINT, PLAY, legal
from kibitz.games.hanabi.state import NO_FULL_DISCARD, RANK_MARK, TOKENS, State

HINTS = -1 << HINT
INSTEAD = LAST_REASON  # of every agent: `agents.NO_DISCARD`
HINT_VALUES = 10  # five colours, five ranks


@compiled
def hand(view: State, seat: int) -> int:
    """Every slot of a hand."""
    return (1 << view.held[seat]) - 1


@compiled
def slots_of(view: State, seat: int, kinds: int) -> int:
    """The slots of a hand, which must be visible, that hold one of these kinds."""
    slots = 0
    for slot in range(view.held[seat]):
        if holds(kinds, kind_of(view, seat, slot)):
            slots |= 1 << slot
    return slots


@compiled
def unmarked_slots(view: State, seat: int) -> int:
    slots = 0
    for slot in range(view.held[seat]):
        if not marked(view, seat, slot):
            slots |= 1 << slot
    return slots


@compiled
def revealed_slots(view: State, seat: int) -> int:
    slots = 0
    for slot in range(view.held[seat]):
        if revealed(view, seat, slot):
            slots |= 1 << slot
    return slots


@compiled
def least_known(view: State) -> int:
    """The unmarked own cards, else those not revealed; none if all are revealed."""
    unmarked = unmarked_slots(view, view.seat)
    return unmarked if unmarked else hand(view, view.seat) & ~revealed_slots(view, view.seat)


@compiled
def lowest_ranks(view: State, seat: int, slots: int) -> int:
    """The slots with the lowest rank among these; the cards must be visible."""
    lowest, best = 5, 0
    for slot in range(view.held[seat]):
        if holds(slots, slot):
            rank = kind_of(view, seat, slot) % 5
            if rank < lowest:
                lowest, best = rank, 0
            if rank == lowest:
                best |= 1 << slot
    return best


@compiled
def held_elsewhere(view: State) -> int:
    """The kinds in the other hands."""
    kinds = 0
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.held[seat]):
                kinds |= 1 << kind_of(view, seat, slot)
    return kinds


@compiled
def avalanches(view: State) -> int:
    """The kinds whose play lets another player continue the same pile."""
    return (held_elsewhere(view) >> 1) & ~FIVES & ALL


@compiled
def may_discard(view: State) -> bool:
    return view.tokens < TOKENS or not view.rules & NO_FULL_DISCARD


@compiled
def random_hint(view: State, roll: int) -> int:
    """A random legal hint; if there is none, the oldest card is discarded or played."""
    hints = legal(view) & HINTS
    if hints:
        return chosen_bit(hints, view.dice, roll)
    return DISCARD if may_discard(view) else PLAY


@compiled
def has_slot(view: State, seat: int, slot: int) -> bool:
    return 0 <= slot < view.held[seat]


@compiled
def playing(view: State, slot: int, reason: int) -> int:
    if not has_slot(view, view.seat, slot):
        return refused(SLOT, slot)
    return decision(PLAY + slot, reason, view.hands[view.seat][slot])


@compiled
def discarding(view: State, slot: int, reason: int) -> int:
    """Discard, or where the rules forbid it because no token is missing, spend one on a hint."""
    if not has_slot(view, view.seat, slot):
        return refused(SLOT, slot)
    if not may_discard(view):
        return decision(random_hint(view, 99), INSTEAD)
    return decision(DISCARD + slot, reason, view.hands[view.seat][slot])


@compiled
def hinting(view: State, seat: int, slot: int, rank: bool, reason: int) -> int:
    """Hint the rank or the colour of a card."""
    if not 0 <= seat < view.players or seat == view.seat:
        return refused(SEAT_NUMBER, seat)
    if not has_slot(view, seat, slot):
        return refused(SLOT, slot)
    kind = kind_of(view, seat, slot)
    return hinting_value(view, seat, 5 + kind % 5 if rank else kind // 5, slot, reason)


@compiled
def hinting_value(view: State, seat: int, value: int, slot: int, reason: int) -> int:
    """Give a hint by its value (colours 0–4, ranks 5–9) because of a card, which it need not touch."""
    if not 0 <= seat < view.players or seat == view.seat:
        return refused(SEAT_NUMBER, seat)
    if not has_slot(view, seat, slot):
        return refused(SLOT, slot)
    if not 0 <= value < HINT_VALUES:
        return refused(HINT_VALUE, value)
    return decision(HINT + 10 * seat + value, reason, view.hands[seat][slot])


@compiled
def random_new_hint(view: State, first_roll: int, reason: int) -> int:
    """Hint a random unhinted property of a random card of a random player; any hint if all cards are revealed."""
    players = 0
    for seat in range(view.players):
        if seat != view.seat and hand(view, seat) & ~revealed_slots(view, seat):
            players |= 1 << seat
    if players == 0:
        return decision(random_hint(view, first_roll), reason)
    seat = chosen_bit(players, view.dice, first_roll)
    slot = chosen_bit(hand(view, seat) & ~revealed_slots(view, seat), view.dice, first_roll + 1)
    unhinted = 3 & ~view.marks[seat][slot]
    rank = chosen_bit(unhinted, view.dice, first_roll + 2) == RANK_MARK - 1
    return hinting(view, seat, slot, rank, reason)
