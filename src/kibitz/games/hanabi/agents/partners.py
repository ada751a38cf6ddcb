"""Predict the other players under the promise protocol: what they would play, now and after a hint."""

from typing import NamedTuple

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.promises import (
    WAITS,
    Account,
    Intent,
    Promises,
    expected,
    meaning,
    next_play,
    promises_after,
    promises_to,
    slots_among,
    trusted,
)
from kibitz.games.hanabi.agents.tips import NONE, Hand, Outlook, hand_after, known_hand, obvious_play
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import fitting, kind_of, revealed, unseen, unseen_by_all, with_copy
from kibitz.games.hanabi.state import State


class Run(NamedTuple):
    """The slots a player would play, turn after turn, without further hints.

    Right plays, misplays before the first right play, and misplays after it.
    """

    right: int
    wrong_first: int
    wrong_later: int


class Partner(NamedTuple):
    """Another player."""

    seat: int
    hand: Hand  # as it knows it, as far as the viewer can tell
    open_hand: Hand  # as everybody knows it
    promises: Promises
    about_to: Intent  # what everybody expects of it
    piles: int  # as they will be in its turn
    run: Run


class Hinted(NamedTuple):
    """A partner after a hint."""

    hand: Hand
    promised: int  # the slots with a promise it believes
    message: bool
    run: Run


@compiled
def run_of(view: State, seat: int, hand: Hand, promised: int, piles: int) -> Run:
    right = wrong_first = wrong_later = 0
    left = hand.slots
    while left:
        now = fitting(piles)
        play = next_play(hand, left, promised, now)
        if play.act == WAITS:
            break
        bit = 1 << play.slot
        left &= ~bit
        kind = kind_of(view, seat, play.slot)
        if holds(now, kind):
            right |= bit
            piles |= 1 << kind
        elif right:
            wrong_later |= bit
        else:
            wrong_first |= bit
    return Run(right, wrong_first, wrong_later)


@compiled
def wrongs(run: Run) -> int:
    return run.wrong_first | run.wrong_later


@compiled
def partner(view: State, account: Account, seat: int, piles: int) -> Partner:
    return partner_with(view, account, seat, piles, unseen(view, seat), unseen_by_all(view))


@compiled
def partner_with(view: State, account: Account, seat: int, piles: int, unseen: int, unseen_by_all: int) -> Partner:
    """A partner who knows, before hints, that its cards are among the first kinds, and everybody among the second."""
    hand = known_hand(view, seat, unseen)
    promises = promises_to(view, seat, account)
    return Partner(
        seat,
        hand,
        known_hand(view, seat, unseen_by_all),
        promises,
        expected(view, seat, account),
        piles,
        run_of(view, seat, hand, trusted(promises, view.lives), piles),
    )


@compiled
def hinted(view: State, other: Partner, value: int, touched: int, look: Outlook) -> Hinted:
    """A partner as it would be after a hint."""
    meant = meaning(value, touched, hand_after(other.open_hand, value, touched), other.about_to, look)
    hand = hand_after(other.hand, value, touched)
    promised = trusted(promises_after(other.promises, meant), view.lives)
    run = run_of(view, other.seat, hand, promised, other.piles)
    return Hinted(hand, promised, meant.promised | meant.vetoed == 0, run)


@compiled
def piles_after(view: State, other: Partner) -> int:
    """The piles after a partner's turn, assuming that it plays only what it is certain of.

    A promised play is often postponed: the player before a mistake first prevents it.
    """
    now = fitting(other.piles)
    slot = obvious_play(other.hand, other.hand.slots, now)
    return other.piles | 1 << kind_of(view, other.seat, slot) if slot != NONE else other.piles


@compiled
def spoken_for(view: State, account: Account, mine: Hand) -> tuple[int, int]:
    """The kinds of which at least one card, and at least two cards, are promised or known in full to their holder."""
    copies = (0, 0, 0)
    for seat in range(view.players):
        if seat != view.seat:
            promised = slots_among(view, seat, account.promised)
            for slot in range(view.held[seat]):
                if holds(promised, slot) or revealed(view, seat, slot):
                    copies = with_copy(copies, 1 << kind_of(view, seat, slot))
    for slot in range(view.held[view.seat]):
        if holds(mine.marked, slot) and count_bits(mine.kinds[slot]) == 1:
            copies = with_copy(copies, mine.kinds[slot])
    return copies[0], copies[1]
