"""The inputs of a network: facts that players of this game talk about, as bits.

The network evaluates the table once for every other player. Its inputs are the board, its own hand as it knows it, that
player's hand as both know it, and what that player would do after each of the ten hints (see `partners`). So a network
is as wide for five players as for two, and what it learns about one partner holds for all.

All inputs come from the view and from the public account of promises (see `promises`), never from hidden cards.
"""

from typing import Any

from kibitz.core.network import Shape
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.choices import avalanches
from kibitz.games.hanabi.agents.partners import Partner, hinted, partner, piles_after, spoken_for, wrongs
from kibitz.games.hanabi.agents.promises import Account, Intent, hinted_play, intent, promises_to, trusted
from kibitz.games.hanabi.agents.tips import (
    Hand,
    Outlook,
    guess_discard,
    hand_after,
    known_hand,
    obvious_discard,
    obvious_play,
    outlook,
    sure_slots,
    touched_by,
    touches,
    unhinted,
)
from kibitz.games.hanabi.agents.trustful import HARMLESS, outcome
from kibitz.games.hanabi.analytics import cards_among, unseen_copies
from kibitz.games.hanabi.cards import ALL, KINDS, RANKS, holds, ranks_of
from kibitz.games.hanabi.env.encoding import WORD, put, upto
from kibitz.games.hanabi.knowledge import Copies, kind_of, plays_missing, unseen
from kibitz.games.hanabi.rules import DISCARD, HINT, event_detail, event_misplayed, event_move
from kibitz.games.hanabi.state import CARDS, HAND, LIVES, TOKENS, State

NAME = "hanabi-facts-1"  # of this encoding, as files of networks name it: another one gets another number

COMMON, OWN_CARD, THEIR_CARD, INTENTS, TIP = 118, 43, 33, 24, 34  # bits
HINTS = 10
WIDTH = COMMON + HAND * (OWN_CARD + THEIR_CARD) + INTENTS + HINTS * TIP
WORDS = WIDTH // WORD + 2  # and one that the last may run over into

# What it answers: how it likes to play and to discard each of its cards and to give each hint, and the points that it
# expects at the end, as a share of the best score.
VALUE = HINT + HINTS
SHAPE = Shape(NAME, WIDTH, VALUE + 1)

DECK_STEPS = (0, 1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 30)


@compiled
def one_of(place: int, width: int) -> int:
    """The bit of one among several; none if it is not one of them."""
    return 1 << place if 0 <= place < width else 0


@compiled
def tenths(part: int, whole: int) -> int:
    """A share as a bit for every full tenth of it: nine of them, as a whole one has a bit elsewhere."""
    return upto(min(9, 10 * part // whole)) if whole else 0


@compiled
def colours_of(kinds: int) -> int:
    """The colours among these kinds, as bits 0–4."""
    colours = 0
    for colour in range(5):
        colours |= (((kinds >> 5 * colour) & 31) != 0) << colour
    return colours


@compiled
def put_common(view: State, seat: int, look: Outlook, words: Any) -> int:
    """The board, and what was done last; behind it who it is that the network looks at."""
    at = put(words, 0, upto(view.tokens) | upto(view.lives) << TOKENS, TOKENS + LIVES)
    deck = CARDS - view.drawn
    left = 0
    for step in range(len(DECK_STEPS)):
        left |= (deck > DECK_STEPS[step]) << step
    at = put(words, at, left | one_of(view.countdown, 6) << len(DECK_STEPS), len(DECK_STEPS) + 6)
    at = put(words, at, view.played, KINDS)
    at = put(words, at, look.useless & ~view.played & ALL, KINDS)
    at = put(words, at, look.critical, KINDS)
    offset = (seat - view.seat) % view.players
    at = put(words, at, 1 << view.players - 2 | 1 << offset + 3, 8)
    last = 0
    if view.turn > 0:
        happened = view.history[view.turn - 1]
        move = event_move(happened)
        last = 1 << (0 if move < DISCARD else 1 if move < HINT else 2 if (move - HINT) % 10 < RANKS else 3)
        last |= event_misplayed(happened) << 4 if move < DISCARD else 0
    return put(words, at, last, 5)


@compiled
def touched_last(view: State) -> int:
    """The viewer's slots that the last move, if it was a hint, has touched."""
    if view.turn == 0:
        return 0
    happened = view.history[view.turn - 1]
    move = event_move(happened)
    return event_detail(happened) if move >= HINT and (move - HINT) // 10 == view.seat else 0


@compiled
def put_own_hand(view: State, mine: Hand, promised: int, alone: int, look: Outlook, words: Any, at: int) -> int:
    """Every own card: what it can be, how likely it fits, is useless, is critical; what was promised of it."""
    copies: Copies = unseen_copies(view, view.seat)
    touched = touched_last(view)
    sure = obvious_play(mine, mine.slots, look.playable)
    hoped = hinted_play(mine, promised if view.lives > 1 else promised & alone, look.playable)
    free = obvious_discard(mine, look.useless)
    chop = guess_discard(mine, look.critical)
    for slot in range(HAND):
        if slot >= view.held[view.seat]:
            at += OWN_CARD
            continue
        kinds = mine.kinds[slot]
        every = cards_among(copies, kinds)
        fits, dead, last = (
            cards_among(copies, kinds & look.playable), cards_among(copies, kinds & look.useless),
            cards_among(copies, kinds & look.critical),
        )  # fmt: skip
        at = put(words, at, ranks_of(kinds) | colours_of(kinds) << 5, 10)
        flags = 1 | (view.marks[view.seat][slot] & 3) << 1
        flags |= (fits == every) << 3 | (dead == every) << 4 | (last == every) << 5
        flags |= (fits > 0) << 6 | (dead > 0) << 7 | (last > 0) << 8
        flags |= holds(promised, slot) << 9 | holds(alone, slot) << 10 | holds(touched, slot) << 11
        flags |= (slot == sure) << 12 | (slot == hoped) << 13 | (slot == free) << 14 | (slot == chop) << 15
        at = put(words, at, flags, 16)
        at = put(words, at, tenths(fits, every), 9)
        rare = (20 * last > every) | (10 * last > every) << 1 | (5 * last > every) << 2 | (2 * last > every) << 3
        often = (4 * dead >= every) | (2 * dead >= every) << 1 | (4 * dead >= 3 * every) << 2
        at = put(words, at, rare | often << 4 | (count_bits(kinds) == 1) << 7, 8)
    return at


@compiled
def put_their_hand(
    view: State, other: Partner, claims: tuple[int, int], avalanche: int, look: Outlook, words: Any, at: int
) -> int:
    """Every card of the other player: what it is, what its holder knows and was promised, what will become of it."""
    seat, once, twice = other.seat, claims[0], claims[1]
    known_fits, known_dead = sure_slots(other.hand, look.playable), sure_slots(other.hand, look.useless)
    for slot in range(HAND):
        if slot >= view.held[seat]:
            at += THEIR_CARD
            continue
        kind = kind_of(view, seat, slot)
        again = False
        for place in range(view.held[seat]):
            again = again or (place != slot and kind_of(view, seat, place) == kind)
        flags = 1 | holds(look.playable, kind) << 1 | holds(look.useless, kind) << 2 | holds(look.critical, kind) << 3
        flags |= (view.marks[seat][slot] & 3) << 4 | holds(known_fits, slot) << 6 | holds(known_dead, slot) << 7
        flags |= holds(other.promises.slots, slot) << 8 | holds(other.promises.alone, slot) << 9
        flags |= holds(once, kind) << 10 | holds(twice, kind) << 11 | again << 12
        flags |= holds(other.run.right, slot) << 13 | holds(other.run.wrong_first, slot) << 14
        flags |= holds(other.run.wrong_later, slot) << 15 | holds(avalanche, kind) << 16
        at = put(words, at, flags, 17)
        at = put(words, at, one_of(plays_missing(view, kind), 5) | 1 << 5 + kind % 5 | 1 << 10 + kind // 5, 15)
        at = put(words, at, count_bits(other.hand.kinds[slot]) == 1, 1)
    return at


@compiled
def put_intents(view: State, other: Partner, about_to: Intent, danger: int, words: Any, at: int) -> int:
    """What all expect of the other player, what it will really do, and the result."""
    act, slot = other.about_to.act, other.about_to.slot
    at = put(words, at, one_of(act, 5) | one_of(slot, HAND) << 5, 10)
    return put(words, at, one_of(about_to.act, 5) | one_of(about_to.slot, HAND) << 5 | 1 << 10 + danger, 14)


@compiled
def several(count: int, most: int) -> int:
    """A small number in unary."""
    return upto(min(count, most))


@compiled
def put_tips(
    view: State, other: Partner, claims: tuple[int, int], danger: int, look: Outlook, words: Any, at: int
) -> int:
    """Of each hint: what it touches and tells, and what the other player does after it."""
    seat = other.seat
    hints = touches(view, seat)
    colour_unhinted, rank_unhinted = unhinted(view, seat)
    dead_before = sure_slots(other.hand, look.useless)
    for value in range(HINTS):
        touched = touched_by(hints, value)
        if touched == 0:
            at += TIP
            continue
        then = hinted(view, other, value, touched, look)
        after = intent(then.hand, then.promised, look)
        result = outcome(view, seat, after, look)
        new = touched & (colour_unhinted if value < 5 else rank_unhinted)
        gained, lost = then.run.right & ~other.run.right, other.run.right & ~then.run.right
        wrong = then.run.wrong_first & ~wrongs(other.run)
        wrong_later = then.run.wrong_later & ~wrongs(other.run)
        freed = sure_slots(hand_after(other.hand, value, touched), look.useless) & ~dead_before
        lowest, doubled, saved = RANKS, False, False
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if holds(gained, slot):
                lowest = min(lowest, kind % 5)
                doubled = doubled or holds(claims[0], kind)
            saved = saved or (holds(new, slot) and holds(look.critical, kind) and not holds(other.hand.marked, slot))
        features = 1 | several(count_bits(touched) - 1, 3) << 1 | several(count_bits(new), 3) << 4 | then.message << 7
        features |= one_of(after.act - 1, 4) << 8 | 1 << 12 + result
        features |= (result > danger) << 16 | (result < danger) << 17
        at = put(words, at, features, 18)
        comes = several(count_bits(gained), 3) | (lost != 0) << 3 | several(count_bits(wrong), 2) << 4
        comes |= (wrong_later != 0) << 6 | one_of(lowest, RANKS) << 7 | doubled << 12 | saved << 13
        comes |= several(count_bits(freed), 2) << 14
        at = put(words, at, comes, 16)
    return at


@compiled
def put_inputs(view: State, account: Account, step: int, words: Any) -> None:
    """Write the inputs for a look at the player `step` seats on, as bits."""
    words[:] = 0
    look = outlook(view)
    mine = known_hand(view, view.seat, unseen(view, view.seat))
    promises = promises_to(view, view.seat, account)
    claims, piles = spoken_for(view, account, mine), view.played & ALL
    for offset in range(1, step + 1):
        other = partner(view, account, (view.seat + offset) % view.players, piles)
        piles = piles_after(view, other)
    about_to = intent(other.hand, trusted(other.promises, view.lives), look)
    danger = outcome(view, other.seat, about_to, look) if view.held[other.seat] > 0 else HARMLESS
    at = put_common(view, other.seat, look, words)
    at = put_own_hand(view, mine, promises.slots, promises.alone, look, words, at)
    at = put_their_hand(view, other, claims, avalanches(view), look, words, at)
    at = put_intents(view, other, about_to, danger, words, at)
    put_tips(view, other, claims, danger, look, words, at)
