"""Rules of thumb from first lessons: second hand low, third hand high, draw trumps, cash winners.

It counts the cards played to know its winners, and looks no further than the trick on the table.
"""

from kibitz.engine.bits import count_bits, lowest_bit, nth_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.games.bridge.agents import agent
from kibitz.games.bridge.cards import NO_TRUMP, RANK_OF, RANKS, SUIT_MASKS, SUIT_OF, SUITS, TEN
from kibitz.games.bridge.rules import beats, due, dummy, legal, length, played, winning_place
from kibitz.games.bridge.state import State

(
    FORCED,
    SEQUENCE,
    FOURTH,
    SHORT,
    RETURN,
    DRAW,
    CASH,
    THROUGH,
    LOWEST_LEAD,
    LOW,
    COVER,
    HIGH,
    CHEAPLY,
    RUFF,
    DISCARD,
    SURE,
) = range(16)
REASONS = (
    "I have only one legal card",
    "I lead {card}, the top of a sequence",
    "I lead {card}, fourth best of my longest suit",
    "I lead {card} from a short suit, to ruff the next one",
    "I return {suit}, my partner's suit, with {card}",
    "I draw trumps with {card}",
    "I cash {card}: no card left can beat it",
    "I lead {card} towards the honours opposite",
    "I have no better lead than {card}",
    "I play low with {card}: a higher card gains nothing",
    "I cover the honour with {card}",
    "I play third hand high with {card}",
    "I win the trick cheaply with {card}",
    "I ruff with {card}",
    "I discard {card}",
    "I play {card}, which is sure to win the trick",
)


@compiled
def highest(cards: int) -> int:
    return nth_bit(cards, count_bits(cards) - 1)


@compiled
def against(view: State) -> int:
    """The cards that the opponents may hold, as a mask: all that the side to play does not see in its own hands."""
    seat = due(view)
    ours = view.hands[seat]
    partner = (seat + 2) & 3
    declaring = (seat ^ view.declarer) & 1 == 0
    if declaring:
        ours |= view.hands[partner]
    gone = played(view) | ours
    return ((1 << (SUITS * RANKS)) - 1) & ~gone


@compiled
def master(card: int, others: int) -> bool:
    """Whether a card is a master: no card of its suit that the others may hold beats it."""
    return others & SUIT_MASKS[SUIT_OF[card]] & ~((1 << card) - 1) == 0


@compiled
def sequence_top(cards: int) -> int:
    """The highest of a suit's cards if it is an honour with the next one below it, else −1."""
    if cards == 0:
        return -1
    top = highest(cards)
    return top if RANK_OF[top] > TEN and cards >> (top - 1) & 1 else -1


@compiled
def lowest_equal(cards: int, card: int) -> int:
    """The lowest of the cards that touch a card from below."""
    while RANK_OF[card] > 0 and cards >> (card - 1) & 1:
        card -= 1
    return card


@compiled
def longest_suit(hand: int, but: int) -> int:
    """The longest suit, the higher cards on ties; the suit `but` only if there is no other."""
    best, most = -1, 0
    for suit in range(SUITS):
        cards = hand & SUIT_MASKS[suit]
        worth = 64 * count_bits(cards) + (RANK_OF[highest(cards)] if cards else 0)
        if suit != but and cards and worth > most:
            best, most = suit, worth
    return best if best >= 0 else but


@compiled
def fourth_best(cards: int) -> int:
    """The fourth highest of a suit's cards, or the lowest of fewer."""
    count = count_bits(cards)
    return nth_bit(cards, count - 4) if count >= 4 else lowest_bit(cards)


@compiled
def opening_lead(view: State) -> int:
    hand = view.hands[due(view)]
    trumps = view.strain
    if trumps != NO_TRUMP:
        for suit in range(SUITS):
            top = sequence_top(hand & SUIT_MASKS[suit])
            if suit != trumps and top >= 0 and RANK_OF[top] > TEN + 2:
                return decision(top, SEQUENCE, top)
        for suit in range(SUITS):
            cards = hand & SUIT_MASKS[suit]
            if suit != trumps and count_bits(cards) == 1 and 0 < length(hand, trumps) < 4:
                return decision(lowest_bit(cards), SHORT, lowest_bit(cards))
    suit = longest_suit(hand, trumps)
    top = sequence_top(hand & SUIT_MASKS[suit])
    if top >= 0:
        return decision(top, SEQUENCE, top)
    card = fourth_best(hand & SUIT_MASKS[suit])
    return decision(card, FOURTH, card)


@compiled
def cashed(view: State, hand: int, others: int) -> int:
    """A winner in the longest suit that the opponents cannot ruff, or −1."""
    best, most = -1, 0
    trumps_left = view.strain != NO_TRUMP and others & SUIT_MASKS[view.strain] != 0
    for suit in range(SUITS):
        cards = hand & SUIT_MASKS[suit]
        if cards == 0 or (trumps_left and suit != view.strain and count_bits(others & SUIT_MASKS[suit]) < 3):
            continue
        top = highest(cards)
        if master(top, others) and count_bits(cards) > most:
            best, most = top, count_bits(cards)
    return best


@compiled
def declarer_leads(view: State, hand: int, others: int) -> int:
    """Draw trumps, cash winners, or lead from the longest suit of both hands towards the honours opposite."""
    other_hand = view.hands[(due(view) + 2) & 3]
    if view.strain != NO_TRUMP:
        mine = hand & SUIT_MASKS[view.strain]
        out = others & SUIT_MASKS[view.strain]
        if mine and out and count_bits(mine | other_hand & SUIT_MASKS[view.strain]) > count_bits(out):
            top = highest(mine)
            card = top if master(top, others) else lowest_bit(mine)
            return decision(card, DRAW, card)
    card = cashed(view, hand, others)
    if card >= 0:
        return decision(card, CASH, card)
    best, most = -1, -1
    for suit in range(SUITS):
        cards, partners = hand & SUIT_MASKS[suit], other_hand & SUIT_MASKS[suit]
        if cards and suit != view.strain:
            worth = 2 * count_bits(cards | partners) + (8 if partners >> (RANKS * suit + TEN + 1) else 0)
            if worth > most:
                best, most = lowest_bit(cards), worth
    if best >= 0:
        return decision(best, THROUGH, best)
    card = lowest_bit(hand)
    return decision(card, LOWEST_LEAD, card)


@compiled
def partners_suit(view: State) -> int:
    """The suit that partner led first, or −1."""
    partner = (due(view) + 2) & 3
    leader = (view.declarer + 1) & 3
    for trick in range(view.turn >> 2):
        if leader == partner:
            return SUIT_OF[view.history[4 * trick]]
        leader = (leader + winning_place(view, 4 * trick, 4 * trick + 4)) & 3
    return -1


@compiled
def defender_leads(view: State, hand: int, others: int) -> int:
    """Cash winners, return partner's suit, or play the longest suit."""
    card = cashed(view, hand, others)
    if card >= 0:
        return decision(card, CASH, card)
    suit = partners_suit(view)
    if suit >= 0 and hand & SUIT_MASKS[suit]:
        cards = hand & SUIT_MASKS[suit]
        card = highest(cards) if count_bits(cards) < 3 else lowest_bit(cards)
        return decision(card, RETURN, card)
    suit = longest_suit(hand, view.strain)
    top = sequence_top(hand & SUIT_MASKS[suit])
    if top >= 0:
        return decision(top, SEQUENCE, top)
    card = fourth_best(hand & SUIT_MASKS[suit])
    return decision(card, FOURTH, card)


@compiled
def lowest_over(view: State, cards: int, best: int) -> int:
    """The lowest card of one suit that beats a card, or −1."""
    while cards:
        card = lowest_bit(cards)
        if beats(view, card, best):
            return card
        cards &= cards - 1
    return -1


@compiled
def thrown(view: State, hand: int, others: int) -> int:
    """The least valuable discard: a low card of a long suit, no trump, no winner."""
    best, worst = -1, 1 << 20
    for suit in range(SUITS):
        cards = hand & SUIT_MASKS[suit]
        if cards == 0 or (suit == view.strain and hand != cards):
            continue
        card = lowest_bit(cards)
        worth = 8 * RANK_OF[card] - 4 * count_bits(cards) + (200 if master(card, others) else 0)
        if worth < worst:
            best, worst = card, worth
    return best


@compiled
def void_in_suit(view: State, hand: int, best: int, partner_wins: bool, others: int) -> int:
    """Ruff unless partner is winning; otherwise discard."""
    if view.strain != NO_TRUMP and not partner_wins:
        card = lowest_over(view, hand & SUIT_MASKS[view.strain], best)
        if card >= 0:
            return decision(card, RUFF, card)
    card = thrown(view, hand, others)
    return decision(card, DISCARD, card)


@compiled
def follow(view: State, cards: int) -> int:
    """Second hand low, third hand high, fourth hand as cheaply as possible."""
    place = view.turn & 3
    start = view.turn - place
    best_place = winning_place(view, start, view.turn)
    best = view.history[best_place]
    partner_wins = place >= 2 and best_place == view.turn - 2
    others = against(view)
    hand = view.hands[due(view)]
    if SUIT_OF[lowest_bit(cards)] != SUIT_OF[view.history[start]]:
        return void_in_suit(view, hand, best, partner_wins, others)
    low = lowest_bit(cards)
    cheap = lowest_over(view, cards, best)
    if cheap < 0:
        return decision(low, LOW, low)
    if place == 3:
        return decision(low, LOW, low) if partner_wins else decision(cheap, CHEAPLY, cheap)
    if place == 1:
        if RANK_OF[best] > TEN:
            return decision(cheap, COVER, cheap)
        top = highest(cards)
        if (due(view) == dummy(view) or due(view) == view.declarer) and master(top, others) and view.strain != NO_TRUMP:
            card = lowest_equal(cards, top)
            return decision(card, SURE, card)
        return decision(low, LOW, low)
    if partner_wins and master(best, others & ~cards):
        return decision(low, LOW, low)
    card = lowest_equal(cards, highest(cards))
    if partner_wins and RANK_OF[card] - RANK_OF[best] < 2:
        return decision(low, LOW, low)
    return decision(card, HIGH, card) if beats(view, card, best) else decision(low, LOW, low)


@agent(title="Thumb Thea", reasons=REASONS, origin="rules of thumb of the first lessons")
def heuristic(view: State) -> int:
    """Plays by rules of thumb: second hand low, third hand high, cover an honour with an honour.

    Leads fourth best of its longest suit or the top of a sequence, draws trumps as declarer, cashes winners, and
    returns its partner's suit.
    """
    cards = legal(view)
    if count_bits(cards) == 1:
        return decision(lowest_bit(cards), FORCED)
    if view.turn & 3:
        return follow(view, cards)
    if view.turn == 0:
        return opening_lead(view)
    if (due(view) ^ view.declarer) & 1 == 0:
        return declarer_leads(view, cards, against(view))
    return defender_leads(view, cards, against(view))
