"""What a state is worth if everybody goes on as `signal` does: a small network that learnt it from games.

Search need not play a world to its end then. The network is shown what lies open, who holds what, and what everybody
takes each card to be. Colours are alike, so one small layer looks at each of the five, and what it finds is added up;
a second one adds everything else. All inputs are switches, so that a layer is a sum of rows of weights.
"""

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.bits import count_bits
from kibitz.core.compile import compiled
from kibitz.core.weights import Numbers
from kibitz.hanabi.agents.signal.common import Common, mask, single
from kibitz.hanabi.agents.signal.questions import spare_slots
from kibitz.hanabi.agents.signal.saving import next_to_go
from kibitz.hanabi.cards import COLOURS, KINDS, RANKS, holds
from kibitz.hanabi.knowledge import kind_of
from kibitz.hanabi.state import CARDS, LIVES, SEATS, TOKENS, State

# Of every kind: how the piles stand to it, what each seat holds of it, from the one to move on, and what the deck does.
PLAYED, DEAD, FITS, LAST, NEEDED, STATUSES = range(6)
NOT_HELD, UNKNOWN, GOES_NEXT, TO_BE_KEPT, IDENTIFIED, FITS_FOR_SURE, MISTAKEN, LEVELS = range(8)
DECK_COPIES = 4
PER_KIND = STATUSES + SEATS * LEVELS + DECK_COPIES
KIND_ROWS = RANKS * PER_KIND  # the same for every colour

# Of the table: each a number from 0 up to its most.
TABLE_MOST = (TOKENS, LIVES, CARDS, SEATS + 1, 8, KINDS, 24, 2)
# Of each seat: cards that fit, known to and not; cards to be spared, known to be and not; mistaken ones; what goes next.
SEAT_MOST = (5, 5, 5, 5, 3, STATUSES)
SLACK_ZERO = 8  # the row of no slack: see `pace`
TABLE_ROWS = sum(TABLE_MOST) + len(TABLE_MOST)
SEAT_ROWS = sum(SEAT_MOST) + len(SEAT_MOST)
OTHER_ROWS = TABLE_ROWS + SEATS * SEAT_ROWS

FIRST, SECOND, THIRD = 32, 48, 16  # sizes of the layers


# The network: by number of players, layer by layer, matrices and biases.
SHAPES = {
    "kinds": (KIND_ROWS, FIRST), "kinds_bias": (FIRST,),
    "colours": (FIRST, SECOND), "others": (OTHER_ROWS, SECOND), "others_bias": (SECOND,),
    "last": (SECOND, THIRD), "last_bias": (THIRD,), "out": (THIRD,), "out_bias": (1,),
}  # fmt: skip
FILE = Path(__file__).with_name("prospects.npz")


def read_layer(name: str) -> Any:
    """A layer for every number of players; zeros where nothing was learnt."""
    layers = np.zeros((SEATS + 1, *SHAPES[name]), np.float32)
    with np.load(FILE) as arrays:
        for players in range(2, SEATS + 1):
            if f"{name}_{players}" in arrays:
                layers[players] = arrays[f"{name}_{players}"]
    return layers


KINDS_LAYER, KINDS_BIAS, COLOURS_LAYER = read_layer("kinds"), read_layer("kinds_bias"), read_layer("colours")
OTHERS_LAYER, OTHERS_BIAS = read_layer("others"), read_layer("others_bias")
LAST_LAYER, LAST_BIAS, OUT_LAYER, OUT_BIAS = map(read_layer, ("last", "last_bias", "out", "out_bias"))


@compiled
def rows_a_colour(players: int) -> int:
    return RANKS * (2 + players)


@compiled
def row_count(players: int) -> int:
    return len(COLOURS) * rows_a_colour(players) + len(TABLE_MOST) + players * len(SEAT_MOST)


MOST_ROWS = len(COLOURS) * RANKS * (2 + SEATS) + len(TABLE_MOST) + SEATS * len(SEAT_MOST)


@compiled
def attainable(c: Common) -> int:
    """The points that can still be had."""
    return KINDS - count_bits(c.dead & ~c.played)


@compiled
def status(c: Common, kind: int) -> int:
    if holds(c.played, kind):
        return PLAYED
    if holds(c.dead, kind):
        return DEAD
    if holds(c.fits, kind):
        return FITS
    return LAST if holds(c.last, kind) else NEEDED


@compiled
def level(c: Common, seat: int, slot: int, kind: int, next_slot: int) -> int:
    """What is known of a card."""
    kinds = mask(c, seat, slot)
    if not holds(kinds, kind):
        return MISTAKEN
    if kinds & ~c.fits == 0:
        return FITS_FOR_SURE
    if single(kinds):
        return IDENTIFIED
    if slot == next_slot:
        return GOES_NEXT
    return TO_BE_KEPT if kinds & ~c.last == 0 else UNKNOWN


@compiled
def put_inputs(s: State, c: Common, weights: Numbers, rows: Any) -> None:
    """Write the rows of the switches that are on in a state, of which everybody knows this."""
    players = c.players
    levels, deck = np.zeros((SEATS, KINDS), np.int64), np.zeros(KINDS, np.int64)
    for place in range(s.drawn, CARDS):
        deck[s.deck[place]] += 1
    at = len(COLOURS) * rows_a_colour(players)
    behind = at + len(TABLE_MOST)
    for step in range(players):
        seat = (c.to_move + step) % players
        next_slot, spare = next_to_go(c, seat, weights), spare_slots(c, seat, weights)
        fits = hidden_fits = spared = hidden_spare = mistaken = 0
        for slot in range(c.held[seat]):
            kind = kind_of(s, seat, slot)
            known = level(c, seat, slot, kind, next_slot)
            levels[step, kind] = max(levels[step, kind], known)
            useful = not holds(c.dead, kind)
            fits += int(known == FITS_FOR_SURE)
            hidden_fits += int(known != FITS_FOR_SURE and holds(c.fits, kind))
            spared += int(holds(spare, slot))
            hidden_spare += int(not useful and not holds(spare, slot))
            mistaken += int(known == MISTAKEN)
        goes = STATUSES if next_slot < 0 else status(c, kind_of(s, seat, next_slot))
        row = TABLE_ROWS + step * SEAT_ROWS
        row = put_number(rows, behind, row, fits, 0)
        row = put_number(rows, behind + 1, row, hidden_fits, 1)
        row = put_number(rows, behind + 2, row, spared, 2)
        row = put_number(rows, behind + 3, row, hidden_spare, 3)
        row = put_number(rows, behind + 4, row, mistaken, 4)
        row = put_number(rows, behind + 5, row, goes, 5)
        behind += len(SEAT_MOST)
    put_table(s, c, rows, at)
    at = 0
    for kind in range(KINDS):
        rank, stands = kind % RANKS, status(c, kind)
        row = rank * PER_KIND
        rows[at] = row + stands
        row += STATUSES
        for step in range(players):
            rows[at + 1 + step] = row + (levels[step, kind] if stands >= FITS else NOT_HELD)
            row += LEVELS
        row = rank * PER_KIND + STATUSES + SEATS * LEVELS
        rows[at + 1 + players] = row + (deck[kind] if stands >= FITS else 0)
        at += 2 + players


@compiled
def put_number(rows: Any, at: int, row: int, value: int, which: int) -> int:
    """Switch on the row of a number of a seat; where the next number's rows begin."""
    rows[at] = row + min(value, SEAT_MOST[which])
    return row + SEAT_MOST[which] + 1


@compiled
def put_table(s: State, c: Common, rows: Any, at: int) -> None:
    left = CARDS - c.drawn
    to_play = attainable(c) - count_bits(c.played)
    slack = min(max(left - to_play + SLACK_ZERO, 0), TABLE_MOST[6])
    lost = min(KINDS - attainable(c), TABLE_MOST[4])
    row = 0
    rows[at] = row + c.tokens
    row += TABLE_MOST[0] + 1
    rows[at + 1] = row + c.lives
    row += TABLE_MOST[1] + 1
    rows[at + 2] = row + left
    row += TABLE_MOST[2] + 1
    rows[at + 3] = row + c.countdown + 1
    row += TABLE_MOST[3] + 1
    rows[at + 4] = row + lost
    row += TABLE_MOST[4] + 1
    rows[at + 5] = row + to_play
    row += TABLE_MOST[5] + 1
    rows[at + 6] = row + slack
    row += TABLE_MOST[6] + 1
    rows[at + 7] = row + min(c.doubts, TABLE_MOST[7])


@compiled
def expected_loss(rows: Any, players: int) -> float:
    """How many of the points that can still be had will not be, by the network."""
    first, second, third = np.empty(FIRST), np.empty(SECOND), np.empty(THIRD)
    each = rows_a_colour(players)
    summed = np.zeros(FIRST)
    for colour in range(len(COLOURS)):
        for j in range(FIRST):
            first[j] = KINDS_BIAS[players, j]
        for n in range(colour * each, (colour + 1) * each):
            row = rows[n]
            for j in range(FIRST):
                first[j] += KINDS_LAYER[players, row, j]
        for j in range(FIRST):
            summed[j] += max(first[j], 0.0)
    for j in range(SECOND):
        second[j] = OTHERS_BIAS[players, j]
    for i in range(FIRST):
        for j in range(SECOND):
            second[j] += summed[i] * COLOURS_LAYER[players, i, j]
    for n in range(len(COLOURS) * each, row_count(players)):
        row = rows[n]
        for j in range(SECOND):
            second[j] += OTHERS_LAYER[players, row, j]
    for j in range(THIRD):
        third[j] = LAST_BIAS[players, j]
    for i in range(SECOND):
        found = max(second[i], 0.0)
        for j in range(THIRD):
            third[j] += found * LAST_LAYER[players, i, j]
    total = float(OUT_BIAS[players, 0])
    for j in range(THIRD):
        total += max(third[j], 0.0) * OUT_LAYER[players, j]
    return total


@compiled
def expected_points(s: State, c: Common, weights: Numbers) -> float:
    """The score at the end, by the network."""
    rows = np.empty(MOST_ROWS, np.int64)
    put_inputs(s, c, weights, rows)
    most = attainable(c)
    return min(max(most - expected_loss(rows, c.players), 0.0), float(most))
