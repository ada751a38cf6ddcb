"""A partner for people: the best move by a score that was trained in games with models of people.

The score is linear in what `people.inputs` reads from a view, and in a few numbers about what a person may do with a
hint. `benchmarks/partner.py` trains it by natural policy gradient. There are two sets of weights: where points on the
piles count although the last life is lost, more risk could pay.
"""

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.weights import Numbers, Weights
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.person import explained
from kibitz.games.hanabi.analytics import chance, unseen_copies
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import Copies, awaited, critical, kind_of, kinds_after_hint
from kibitz.games.hanabi.people.inputs import (
    CONTEXT,
    HINTS,
    KINDS_OF_MOVES,
    PLAYS,
    WIDTHS,
    Room,
    new_room,
    read_position,
    yes,
)
from kibitz.games.hanabi.rules import HINT, MOVES
from kibitz.games.hanabi.state import HAND, LOST_SCORES_ZERO, TOKENS, State

FILE = Path(__file__).with_name("partner.npz")  # made by `benchmarks/partner.py train`
PLAY_EXTRAS, HINT_EXTRAS = 4, 16
# By kind of move, the numbers about it that weigh more or less in some situations.
VARYING = np.array([[0, 10, 11, 12, 23, 5], [0, 3, 12, 7, 5, 30], [10, 26, 18, 15, 21, 24]], np.int64)
SITUATIONS = 7
PRODUCTS = VARYING.shape[1] * SITUATIONS
EXTRAS = np.array([PLAY_EXTRAS, 0, HINT_EXTRAS], np.int64)  # by kind of move
BLOCKS = CONTEXT + np.array(WIDTHS, np.int64) + EXTRAS + PRODUCTS
FIRST = np.array([0, BLOCKS[0], BLOCKS[0] + BLOCKS[1]], np.int64)  # by kind of move: where its weights begin
WEIGHTS = int(BLOCKS.sum())  # for each way to count a lost game
CLEARED = 0.05  # a card that seems playable with less than this chance is not going to be played

# In the order of the reasons of `person`, which finds the one that applies.
REASONS = (
    "I play {card}{fits}",
    "I was just hinted {card} alone, which people mean as: play it{odds}",
    "people mostly mean the newest of several hinted cards, and {card} is the newest, so I play it{odds}",
    "people often mean the oldest of several hinted cards, and {card} is the oldest, so I play it{odds}",
    "I was just hinted {card} among others, and it is the likeliest to be meant{odds}",
    "I was hinted {card} some time ago, and now I play it{odds}",
    "I take a chance and play {card}{odds}",
    "I discard {card}: it can never be played{useless}",
    "I discard {card}, the oldest without a hint, and expect others to use the token{risk}",
    "I discard {card}: no hint was about it, and I expect others to use the token{risk}",
    "I discard {card}, although it was hinted{risk}",
    "I {move} and expect that it is played: {card} can be played",
    "I {move} and expect that it is kept: {card} is the last of its kind",
    "I {move} and expect that it is not played: {card} can never be played",
    "I {move}, about {card}, and expect no mistake from it",
)


def trained() -> Weights:
    """The weights that come with Hanabi; by number of players, as they were trained."""
    return Weights(np.zeros(2 * WEIGHTS)).from_file(FILE)


@compiled
def read_play_extras(view: State, x: Any, extras: Any) -> None:
    p = x[0]
    extras[0], extras[1] = yes(p > 0.75), yes(p > 0.9)
    extras[2], extras[3] = (1.0 - p) * yes(view.lives == 3), (1.0 - p) * yes(view.drawn >= 40)


@compiled
def read_hint_extras(
    view: State, seat: int, value: int, unseen_by: Copies, fits: int, last: int, x: Any, extras: Any
) -> None:
    """What a person may do with a hint: play the only card it touches, or the newest or oldest of several."""
    named = hinted_kinds(value)
    touched = 0
    newest = oldest = -1
    total = fixed = 0.0
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        after = kinds_after_hint(view, seat, slot, value)
        fitting = holds(fits, kind)
        if holds(named, kind):
            touched += 1
            newest = slot
            oldest = slot if oldest < 0 else oldest
            if not fitting:
                total += chance(unseen_by, after, fits)
        if not fitting and view.marks[seat][slot] != 0:
            before = chance(unseen_by, int(view.hinted_kinds[seat][slot]), fits)
            fixed += yes(before > 0.2 and chance(unseen_by, after, fits) < CLEARED)
    for place in range(HINT_EXTRAS):
        extras[place] = 0.0
    if touched == 0:
        return
    single = newest == oldest
    new_fits, old_fits = holds(fits, kind_of(view, seat, newest)), holds(fits, kind_of(view, seat, oldest))
    new_risk = old_risk = 0.0
    if not new_fits:
        new_risk = chance(unseen_by, kinds_after_hint(view, seat, newest, value), fits)
    if not old_fits:
        old_risk = chance(unseen_by, kinds_after_hint(view, seat, oldest, value), fits)
    focus = (new_risk + old_risk) / 2
    extras[0], extras[1] = yes(single) * new_risk, yes(single and new_risk > CLEARED)
    extras[2], extras[3] = yes(not single) * new_risk, yes(not single) * old_risk
    extras[4] = total
    extras[5], extras[6] = focus * yes(view.lives == 1), focus * yes(view.lives == 2)
    endangered = holds(last, kind_of(view, seat, newest)) or holds(last, kind_of(view, seat, oldest))
    extras[7], extras[8] = focus * yes(endangered), fixed
    extras[9] = yes(x[10] > 0 and view.tokens <= 2)
    extras[10], extras[11] = yes(single and new_fits), yes(not single and new_fits and old_fits)
    extras[12] = yes(not single and new_fits != old_fits)
    extras[13] = ((seat - view.seat) % view.players - 1) / 3
    extras[14] = x[10] * x[29]
    extras[15] = yes(value >= 5) * focus


@compiled
def read_extras(view: State, room: Room, count: int, extras: Any) -> None:
    """The numbers about each move that the model of people does not have."""
    fits, last = awaited(view), critical(view)
    seat, unseen_by = view.seat | 0, unseen_copies(view, view.seat)
    for row in range(count):
        if room.kinds[row] == PLAYS:
            read_play_extras(view, room.rows[row], extras[row])
        elif room.kinds[row] == HINTS:
            move = room.moves[row] - HINT
            if move // 10 != seat:
                seat = move // 10
                unseen_by = unseen_copies(view, seat)
            read_hint_extras(view, seat, move % 10, unseen_by, fits, last, room.rows[row], extras[row])


@compiled
def read_situation(view: State, room: Room, situation: Any) -> None:
    """What makes some numbers weigh more or less."""
    context = room.context
    situation[0], situation[1], situation[2], situation[3] = context[12], context[13], context[14], context[16]
    situation[4], situation[5], situation[6] = view.tokens / TOKENS, context[37], context[31]


@compiled
def dot(weights: Numbers, at: int, x: Any, count: int) -> float:
    """A sum of products, four at a time: additions that need not wait for each other take a third of the time."""
    a = b = c = d = 0.0
    whole = count - count % 4
    for place in range(0, whole, 4):
        a += weights[at + place] * x[place]
        b += weights[at + place + 1] * x[place + 1]
        c += weights[at + place + 2] * x[place + 2]
        d += weights[at + place + 3] * x[place + 3]
    for place in range(whole, count):
        a += weights[at + place] * x[place]
    return a + b + (c + d)


@compiled
def score_moves(view: State, weights: Numbers, room: Room, extras: Any, count: int, scores: Any) -> None:
    """Score every legal move of a view that `read_position` and `read_extras` have read."""
    begin = 0 if view.rules & LOST_SCORES_ZERO else WEIGHTS
    situation, varied = np.empty(SITUATIONS), np.empty(VARYING.shape[1])
    read_situation(view, room, situation)
    row = 0
    for kind in range(KINDS_OF_MOVES):
        if row == count or room.kinds[row] != kind:
            continue
        at = begin + FIRST[kind]
        common = dot(weights, at, room.context, CONTEXT)
        rows = at + CONTEXT
        own = rows + WIDTHS[kind]
        products = own + EXTRAS[kind]
        for place in range(VARYING.shape[1]):
            varied[place] = dot(weights, products + place * SITUATIONS, situation, SITUATIONS)
        while row < count and room.kinds[row] == kind:
            x = room.rows[row]
            total = common + dot(weights, rows, x, WIDTHS[kind]) + dot(weights, own, extras[row], EXTRAS[kind])
            for place in range(VARYING.shape[1]):
                total += varied[place] * x[VARYING[kind, place]]
            scores[row] = total
            row += 1


@compiled
def best_of(scores: Any, count: int) -> int:
    best = 0
    for row in range(1, count):
        if scores[row] > scores[best]:
            best = row
    return best


@agent(
    title="Partner Pat",
    reasons=REASONS,
    origin="Trained by benchmarks/partner.py with models of people (docs/explanation/partner.md)",
    weights=trained(),
)
def partner(view: State, weights: Numbers) -> int:
    """A partner for people: trained in games with models of real people, for any number of players.

    It plays a card that was just hinted if that is likely enough to be meant, gives hints that people act on, and
    avoids those that would make them play a wrong card.
    """
    room, extras, scores = new_room(), np.empty((MOVES, HINT_EXTRAS)), np.empty(MOVES)
    count = read_position(view, room)
    read_extras(view, room, count, extras)
    score_moves(view, weights, room, extras, count, scores)
    move = room.moves[best_of(scores, count)]
    slot = move % HAND if move < HINT else 0
    return explained(view, move, room.hand.fits[slot], room.hand.dead[slot])
