"""The promise protocol: what a hint means beyond its literal content, and how a player acts on it.

A hint is either a promise, "play these cards, from left to right", or a message with only its literal content.
Everybody interprets every hint by public knowledge alone, so all keep the same account of the promised cards.
"""

from typing import NamedTuple, Protocol

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.games.hanabi.agents.tips import (
    NONE,
    Hand,
    Outlook,
    guess_discard,
    known_hand,
    obvious_discard,
    obvious_play,
    outlook,
    sure_slots,
)
from kibitz.games.hanabi.cards import ALL, OF_RANK, holds, lowest_rank, ranks_of
from kibitz.games.hanabi.knowledge import unseen_by_all
from kibitz.games.hanabi.rules import HINT, event_detail, event_move
from kibitz.games.hanabi.state import State

ACCOUNT = struct_dtype([("promised", np.int64), ("alone", np.int64), ("act", np.int64), ("slot", np.int64)])


class Account(Protocol):
    """The public account of promises. A card is its place in the deck, so a set of cards is a mask."""

    promised: int  # the promised cards
    alone: int  # the cards promised by a hint on a single card
    act: int  # what the player after the next is expected to do
    slot: int


WAITS, PLAYS_SURE, PLAYS_PROMISED, DISCARDS_SURE, DISCARDS_GUESS = range(5)


class Promises(NamedTuple):
    """The promised slots of a hand, and those promised by a hint on a single card."""

    slots: int
    alone: int


class Intent(NamedTuple):
    """What a player does next if it gives no hint, and with which card."""

    act: int
    slot: int


WAITING = Intent(WAITS, NONE)  # nothing is expected of players who are not next to move


class Meaning(NamedTuple):
    """The slots a hint promises (none: it is a message), and the slot whose promise it withdraws."""

    promised: int
    vetoed: int


@compiled
def meaning(value: int, touched: int, after: Hand, about_to: Intent, look: Outlook) -> Meaning:
    """What a hint means to a player with this intent, and with this hand in public knowledge after the hint.

    A surely useless card is never promised.
    """
    if about_to.act >= DISCARDS_SURE and holds(touched, about_to.slot):
        return Meaning(0, 0)
    vetoed = 1 << about_to.slot if about_to.act == PLAYS_PROMISED else 0
    if value >= 5 and OF_RANK[value - 5] & look.playable == 0:
        return Meaning(0, vetoed)
    return Meaning(touched & ~vetoed & ~sure_slots(after, look.useless), vetoed)


@compiled
def promises_after(promises: Promises, meant: Meaning) -> Promises:
    alone = meant.promised if count_bits(meant.promised) == 1 else 0
    return Promises(promises.slots & ~meant.vetoed | meant.promised, promises.alone & ~meant.vetoed | alone)


@compiled
def trusted(promises: Promises, lives: int) -> int:
    """The slots whose promise is believed: with one life left, only those promised alone."""
    return promises.slots if lives > 1 else promises.slots & promises.alone


@compiled
def hinted_play(hand: Hand, promised: int, now: int) -> int:
    """The slot of a promised card that can be playable: the lowest known rank, else the leftmost; or NONE."""
    best, lowest, leftmost = NONE, 5, NONE
    while promised:
        slot = lowest_bit(promised)
        promised &= promised - 1
        kinds = hand.kinds[slot]
        if kinds & now:
            if count_bits(ranks_of(kinds)) == 1:
                if lowest_rank(kinds) < lowest:
                    best, lowest = slot, lowest_rank(kinds)
            elif leftmost == NONE:
                leftmost = slot
    return best if best != NONE else leftmost


@compiled
def next_play(hand: Hand, slots: int, promised: int, now: int) -> Intent:
    """The next play of a player from these slots, or WAITING."""
    slot = obvious_play(hand, slots, now)
    if slot != NONE:
        return Intent(PLAYS_SURE, slot)
    slot = hinted_play(hand, promised & slots, now)
    if slot != NONE:
        return Intent(PLAYS_PROMISED, slot)
    return WAITING


@compiled
def intent(hand: Hand, promised: int, look: Outlook) -> Intent:
    """What a player with this knowledge and these believed promises does next, if it gives no hint."""
    play = next_play(hand, hand.slots, promised, look.playable)
    if play.act != WAITS:
        return play
    slot = obvious_discard(hand, look.useless)
    if slot != NONE:
        return Intent(DISCARDS_SURE, slot)
    return Intent(DISCARDS_GUESS, guess_discard(hand, look.critical))


# The account, the same for every seat.


@compiled
def slots_among(view: State, seat: int, cards: int) -> int:
    """The slots of a hand that hold one of these cards."""
    slots = 0
    for slot in range(view.held[seat]):
        slots |= holds(cards, view.hands[seat][slot]) << slot
    return slots


@compiled
def cards_in(view: State, seat: int, slots: int) -> int:
    """The cards in these slots of a hand."""
    cards = 0
    while slots:
        cards |= 1 << view.hands[seat][lowest_bit(slots)]
        slots &= slots - 1
    return cards


@compiled
def promises_to(view: State, seat: int, account: Account) -> Promises:
    return Promises(slots_among(view, seat, account.promised), slots_among(view, seat, account.alone))


@compiled
def expected(view: State, seat: int, account: Account) -> Intent:
    """What everybody expects of a player if it moves next after the player to move; else WAITING."""
    if seat == (view.to_move + 1) % view.players:
        return Intent(account.act, account.slot)
    return WAITING


@compiled
def note_hint(view: State, account: Account, seat: int, value: int, touched: int, look: Outlook, unseen: int) -> None:
    """Enter a hint that was just given: it can address the receiver's intent only if the receiver moves next."""
    about_to = Intent(account.act, account.slot) if seat == view.to_move else WAITING
    after = known_hand(view, seat, unseen)
    promises = promises_after(promises_to(view, seat, account), meaning(value, touched, after, about_to, look))
    others = ~cards_in(view, seat, after.slots)
    account.promised = account.promised & others | cards_in(view, seat, promises.slots)
    account.alone = account.alone & others | cards_in(view, seat, promises.alone)


@compiled
def enter_last_move(view: State, public: Account, unseen: int) -> None:
    """After every move: enter the promises of a hint, and the intent of the player after the next.

    `unseen` are the kinds that a card can be for everybody, without hints.
    """
    look = outlook(view)
    if view.turn > 0:
        happened = view.history[view.turn - 1]
        move = event_move(happened)
        if move >= HINT:
            note_hint(view, public, (move - HINT) // 10, (move - HINT) % 10, event_detail(happened), look, unseen)
    seat = (view.to_move + 1) % view.players
    promised = trusted(promises_to(view, seat, public), view.lives)
    about_to = intent(known_hand(view, seat, unseen), promised, look)
    public.act, public.slot = about_to.act, about_to.slot


def keep_account(view: State, public: Account) -> None:
    enter_last_move(view, public, unseen_by_all(view))


def keep_account_by_hints(view: State, public: Account) -> None:
    """The account of players who judge a card by its hints alone."""
    enter_last_move(view, public, ALL)
