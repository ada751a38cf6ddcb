"""The value of a hand: an ordered list of questions "is the card in this slot one of these kinds?".

The value is the number of the first question whose answer is yes, or the number of questions if there is none. First
come playable cards, then a save, then dispensable cards; the remaining codes distinguish playable kinds, then other
cards, critical kinds first.
"""

from kibitz.core.weights import Numbers
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.common_knowledge import (
    MAX_CODES,
    CommonKnowledge,
    copies_left,
    mask,
    narrow,
    single,
)
from kibitz.games.hanabi.agents.signal.saving import chop_at_risk, similar_cost_slots
from kibitz.games.hanabi.agents.signal.weights import (
    ASK_DUPLICATES,
    DUPLICATES,
    FORESIGHT,
    IDENTITIES,
    OTHER_CARDS,
    SAVE_TOKENS,
    SIMILAR_COST,
)
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import fitting
from kibitz.games.hanabi.state import State

EVEN = 4096  # the chance 1, as a whole number


@compiled
def known_elsewhere(c: CommonKnowledge, seat: int) -> int:
    """The kinds that other players are known to hold."""
    kinds = 0
    for other in range(c.players):
        if other != seat:
            for slot in range(c.held[other]):
                if single(mask(c, other, slot)):
                    kinds |= mask(c, other, slot)
    return kinds


@compiled
def dispensable_kinds(c: CommonKnowledge, seat: int, weights: Numbers) -> int:
    """The kinds that a seat can discard at no loss: useless ones, and those known to be in other hands."""
    return c.useless | known_elsewhere(c, seat) if weights[DUPLICATES] != 0 else c.useless


@compiled
def dispensable_slots(c: CommonKnowledge, seat: int, weights: Numbers) -> int:
    """The slots of cards that are publicly dispensable."""
    dispensable = dispensable_kinds(c, seat, weights)
    slots = 0
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot)
        slots |= int(kinds & ~dispensable == 0) << slot
        if weights[DUPLICATES] != 0 and single(kinds):
            dispensable |= kinds  # the second of two copies in one hand
    return slots


@compiled
def encoding_slots(c: CommonKnowledge, seat: int, slot: int, weights: Numbers) -> int:
    """The slots among which the choice of a discard encodes a number: dispensable ones, or those of similar cost."""
    dispensable = dispensable_slots(c, seat, weights)
    if holds(dispensable, slot):
        return dispensable
    return similar_cost_slots(c, seat, slot, weights) if dispensable == 0 and weights[SIMILAR_COST] >= 0 else 0


@compiled
def foresee(c: CommonKnowledge, mover: int, weights: Numbers) -> None:
    """The playable and dispensable kinds at each seat's next turn, if known playable cards are played until then."""
    played = int(c.played)
    for step in range(1, c.players):
        seat = (mover + step) % c.players
        playable = fitting(played) & ~c.useless
        c.playable_at[seat] = playable
        c.dispensable[seat] = dispensable_kinds(c, seat, weights)
        if weights[FORESIGHT] != 0:
            played |= lowest_known(c, seat, playable)


@compiled
def lowest_known(c: CommonKnowledge, seat: int, playable: int) -> int:
    """The lowest playable kind that a seat is known to hold; 0 if there is none."""
    lowest = 0
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot)
        fits_for_sure = kinds & ~playable == 0 and single(kinds) and kinds != 0
        if fits_for_sure and (lowest == 0 or lowest_bit(kinds) % 5 < lowest_bit(lowest) % 5):
            lowest = int(kinds)
    return lowest


@compiled
def ask_everybody(c: CommonKnowledge, mover: int, codes: int, weights: Numbers) -> None:
    """Make the questions to all seats but the mover, for a sum modulo the number of codes."""
    if c.asked_for == codes:
        return
    foresee(c, mover, weights)
    for seat in range(c.players):
        if seat != mover:
            ask(c, seat, min(codes, MAX_CODES) - 1, weights)
    c.asked_for = codes


@compiled
def ask(c: CommonKnowledge, seat: int, most: int, weights: Numbers) -> None:
    """Make the questions to one hand."""
    playable = c.playable_at[seat]
    dispensable = (c.dispensable[seat] if weights[ASK_DUPLICATES] != 0 else c.useless) & ~playable
    asked = ask_slots(c, seat, 0, most, playable)
    plays = asked
    if weights[SAVE_TOKENS] != 0 and seat == (c.to_move + 1) % c.players:
        asked = ask_danger(c, seat, asked, most, playable, weights)
    asked = ask_slots(c, seat, asked, most, dispensable)
    if weights[IDENTITIES] != 0:
        asked = split(c, seat, 0, plays, asked, most, True)
    if weights[OTHER_CARDS] != 0:
        others = asked
        asked = ask_others(c, seat, asked, most, playable | dispensable)
        asked = split(c, seat, others, asked, asked, most, False)
    c.asked[seat] = asked


@compiled
def put(c: CommonKnowledge, seat: int, number: int, slot: int, kinds: int) -> None:
    c.slots[seat, number] = slot
    c.kinds[seat, number] = kinds


@compiled
def ask_slots(c: CommonKnowledge, seat: int, asked: int, most: int, wanted: int) -> int:
    """Ask for each unidentified card whether it is one of the wanted kinds, the likeliest first."""
    done = 0
    while asked < most:
        best, top = -1, 0
        for slot in range(c.held[seat]):
            kinds = mask(c, seat, slot)
            if holds(done, slot) or single(kinds) or kinds & wanted == 0:
                continue
            yes, total = copies_left(c, kinds & wanted), copies_left(c, kinds)
            if yes == 0 or yes == total:
                continue
            chance = yes * EVEN // total
            if chance >= top:
                best, top = slot, chance
        if best < 0:
            break
        done |= 1 << best
        put(c, seat, asked, best, mask(c, seat, best) & wanted)
        asked += 1
    return asked


@compiled
def ask_danger(c: CommonKnowledge, seat: int, asked: int, most: int, playable: int, weights: Numbers) -> int:
    """Ask whether the chop is critical."""
    if asked < most:
        slot = chop_at_risk(c, seat, weights)
        if slot >= 0:
            kinds = mask(c, seat, slot) & c.critical & ~playable
            if kinds != 0:
                put(c, seat, asked, slot, kinds)
                asked += 1
    return asked


@compiled
def halve(c: CommonKnowledge, kinds: int) -> int:
    """About half of several kinds, by the copies left; neither none nor all of them."""
    total = copies_left(c, kinds)
    some, copies = 0, 0
    rest = kinds
    while rest:
        kind = rest & -rest
        rest &= rest - 1
        more = copies_left(c, kind)
        if some == 0 or 2 * (copies + more) <= total + more:
            some |= kind
            copies += more
            if 2 * copies >= total:
                break
    return some if some != kinds else some & (some - 1)


@compiled
def split(c: CommonKnowledge, seat: int, first: int, end: int, asked: int, most: int, by_chance: bool) -> int:
    """Split the questions that cover most, until each is about a single kind or the codes are used up."""
    while asked < most:
        best, top = -1, 0
        for number in range(first, end):
            kinds = c.kinds[seat, number]
            if not single(kinds):
                worth = copies_left(c, kinds)
                if by_chance:
                    worth = worth * EVEN // copies_left(c, mask(c, seat, c.slots[seat, number]))
                if worth > top:
                    best, top = number, worth
        if best < 0:
            break
        slot, kinds = c.slots[seat, best], c.kinds[seat, best]
        for number in range(asked, best, -1):
            put(c, seat, number, c.slots[seat, number - 1], c.kinds[seat, number - 1])
        some = halve(c, kinds)
        put(c, seat, best, slot, some)
        put(c, seat, best + 1, slot, kinds & ~some)
        asked += 1
        end += 1
    return asked


@compiled
def ask_others(c: CommonKnowledge, seat: int, asked: int, most: int, settled: int) -> int:
    """Ask for cards that are neither known playable nor dispensable whether they are critical."""
    done = 0
    while asked < most:
        best, top = -1, 0
        for slot in range(c.held[seat]):
            kinds = mask(c, seat, slot) & ~settled
            if not holds(done, slot) and not single(mask(c, seat, slot)) and not single(kinds):
                copies = copies_left(c, kinds)
                if copies >= top:
                    best, top = slot, copies
        if best < 0:
            break
        done |= 1 << best
        kinds = mask(c, seat, best) & ~settled
        some = kinds & c.critical
        put(c, seat, asked, best, some if some != 0 and some != kinds else halve(c, kinds))
        asked += 1
    return asked


@compiled
def value_of(c: CommonKnowledge, view: State, seat: int) -> int:
    """The value of a visible hand."""
    for number in range(c.asked[seat]):
        if holds(c.kinds[seat, number], view.deck[c.hands[seat][c.slots[seat, number]]]):
            return number
    return c.asked[seat]


@compiled
def learn(c: CommonKnowledge, seat: int, value: int) -> None:
    """Record the value of a hand: no to the questions before it, and yes to its own."""
    for number in range(min(value + 1, c.asked[seat])):
        kinds = c.kinds[seat, number]
        narrow(c, c.hands[seat][c.slots[seat, number]], kinds if number == value else ~kinds)
