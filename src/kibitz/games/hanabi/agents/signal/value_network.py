"""The value of a state if everybody continues as `signal`: a small network trained on games (see `value_training`).

With it, search need not play a world to its end. The inputs are the open cards, the hands, and common knowledge about
each card. Colours are symmetric, so one small layer evaluates each of the five and the results are added; a second
layer adds everything else. All inputs are binary: a layer is the sum of the weight rows of the inputs that are 1.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.array_files import arrays_in
from kibitz.core.network import add_scaled
from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, mask, single
from kibitz.games.hanabi.agents.signal.questions import dispensable_slots
from kibitz.games.hanabi.agents.signal.saving import chop_of
from kibitz.games.hanabi.cards import KINDS, RANKS, holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.state import CARDS, LIVES, SEATS, TOKENS, State

COLOURS = KINDS // RANKS

# For every kind: its status, the level at which each seat (from the player to move) holds it, copies in the deck.
PLAYED, USELESS, PLAYABLE, CRITICAL, NEEDED, STATUSES = range(6)
NOT_HELD, UNKNOWN, ON_CHOP, KNOWN_CRITICAL, IDENTIFIED, KNOWN_PLAYABLE, MISTAKEN, LEVELS = range(8)
MOST_COPIES = 3
KIND_ROWS = STATUSES + SEATS * LEVELS + MOST_COPIES + 1  # of one kind; all colours share the rows of a rank

# For the table, the cap of each count: tokens, lives, deck, turns left, points lost, cards left to play, pace (cards to
# draw minus cards to play, which may be negative), contradictions.
TABLE = (TOKENS, LIVES, CARDS, SEATS + 1, 8, KINDS, 24, 2)
NO_SLACK = 8  # the count for a pace of 0
# For each seat: playable cards, known and unknown; dispensable cards, known and unknown; mistaken cards; its chop.
SEAT = (5, 5, 5, 5, 3, STATUSES)
TABLE_ROWS, SEAT_ROWS = sum(TABLE) + len(TABLE), sum(SEAT) + len(SEAT)
MOST_INPUTS = KINDS * (2 + SEATS) + len(TABLE) + SEATS * len(SEAT)

FIRST, SECOND, THIRD = 32, 48, 16  # the sizes of the layers
SHAPES = {
    "kinds": (RANKS * KIND_ROWS, FIRST), "kinds_bias": (FIRST,),
    "colours": (FIRST, SECOND), "others": (TABLE_ROWS + SEATS * SEAT_ROWS, SECOND), "others_bias": (SECOND,),
    "last": (SECOND, THIRD), "last_bias": (THIRD,), "out": (THIRD,), "out_bias": (1,),
}  # fmt: skip
FILE = Path(__file__).with_name("value_network.npz")  # layers by name and number of players, with their provenance


class Layers(NamedTuple):
    """The weights of a network, or their gradients, as in `SHAPES`."""

    kinds: Any
    kinds_bias: Any
    colours: Any
    others: Any
    others_bias: Any
    last: Any
    last_bias: Any
    out: Any
    out_bias: Any


class Sums(NamedTuple):
    """What the layers add up to, before ReLU: of each colour, of all colours after ReLU, and of the later layers."""

    first: Any
    summed: Any
    second: Any
    third: Any


def trained_for(arrays: Iterable[str]) -> list[int]:
    """The numbers of players with a network, from the names of the arrays."""
    return [players for players in range(2, SEATS + 1) if f"out_{players}" in arrays]


ARRAYS = arrays_in(FILE)
TRAINED_FOR = trained_for(ARRAYS)
NETWORKS = Layers(*(np.stack([ARRAYS[f"{name}_{players}"] for players in TRAINED_FOR]) for name in SHAPES))
NETWORK_FOR = np.array([TRAINED_FOR.index(players) if players in TRAINED_FOR else -1 for players in range(SEATS + 1)])
(
    KINDS_LAYERS, KINDS_BIASES, COLOURS_LAYERS, OTHERS_LAYERS, OTHERS_BIASES,
    LAST_LAYERS, LAST_BIASES, OUT_LAYERS, OUT_BIASES,
) = NETWORKS  # fmt: skip


# Inputs: those of the colours, one after another, then those of the table, then those of the seats.


@compiled
def inputs_of_colour(players: int) -> int:
    return RANKS * (2 + players)


@compiled
def count_inputs(players: int) -> int:
    """The number of inputs that are 1."""
    return COLOURS * inputs_of_colour(players) + len(TABLE) + players * len(SEAT)


@compiled
def encode_inputs(s: State, c: CommonKnowledge, weights: Numbers, rows: Any) -> None:
    """Write the rows of the inputs that are 1, for a state and the common knowledge about it."""
    levels = np.zeros((SEATS, KINDS), np.int64)
    table = COLOURS * inputs_of_colour(c.players)
    for step in range(c.players):
        encode_seat(s, c, step, levels[step], rows, table + len(TABLE) + step * len(SEAT), weights)
    encode_table(c, rows, table)
    encode_kinds(s, c, levels, rows)


@compiled
def encode_counts(rows: Any, at: int, row: int, counts: Any, most: Any) -> None:
    """Write the rows of some counts, each capped."""
    for n in range(len(most)):
        rows[at + n] = row + min(counts[n], most[n])
        row += most[n] + 1


@compiled
def attainable(c: CommonKnowledge) -> int:
    """The highest score that is still attainable."""
    return KINDS - count_bits(c.useless & ~c.played)


@compiled
def encode_table(c: CommonKnowledge, rows: Any, at: int) -> None:
    left, to_play = CARDS - c.drawn, attainable(c) - count_bits(c.played)
    slack, lost = max(left - to_play + NO_SLACK, 0), KINDS - attainable(c)
    tokens, lives = c.tokens | 0, c.lives | 0  # as wide as the others, so that Numba can index the tuple
    counts = (tokens, lives, left, c.countdown + 1, lost, to_play, slack, c.contradictions)
    encode_counts(rows, at, 0, counts, TABLE)


@compiled
def status(c: CommonKnowledge, kind: int) -> int:
    """The status of a kind on the piles."""
    if holds(c.played, kind):
        return PLAYED
    if holds(c.useless, kind):
        return USELESS
    if holds(c.playable, kind):
        return PLAYABLE
    return CRITICAL if holds(c.critical, kind) else NEEDED


@compiled
def level(c: CommonKnowledge, seat: int, slot: int, kind: int, chop: int) -> int:
    """What is publicly known about a card."""
    kinds = mask(c, seat, slot)
    if not holds(kinds, kind):
        return MISTAKEN
    if kinds & ~c.playable == 0:
        return KNOWN_PLAYABLE
    if single(kinds):
        return IDENTIFIED
    if slot == chop:
        return ON_CHOP
    return KNOWN_CRITICAL if kinds & ~c.critical == 0 else UNKNOWN


@compiled
def encode_seat(s: State, c: CommonKnowledge, step: int, levels: Any, rows: Any, at: int, weights: Numbers) -> None:
    """The inputs of the seat `step` places after the player to move, and the level of every kind that it holds."""
    seat = (c.to_move + step) % c.players
    chop, dispensable = chop_of(c, seat, weights), dispensable_slots(c, seat, weights)
    known_to_play = play_unknown = known_dispensable = dead_unknown = mistaken = 0
    for slot in range(c.held[seat]):
        kind = kind_of(s, seat, slot)
        known = level(c, seat, slot, kind, chop)
        levels[kind] = max(levels[kind], known)
        known_to_play += int(known == KNOWN_PLAYABLE)
        play_unknown += int(known != KNOWN_PLAYABLE and holds(c.playable, kind))
        known_dispensable += int(holds(dispensable, slot))
        dead_unknown += int(holds(c.useless, kind) and not holds(dispensable, slot))
        mistaken += int(known == MISTAKEN)
    chop_status = STATUSES if chop < 0 else status(c, kind_of(s, seat, chop))
    counts = (known_to_play, play_unknown, known_dispensable, dead_unknown, mistaken, chop_status)
    encode_counts(rows, at, TABLE_ROWS + step * SEAT_ROWS, counts, SEAT)


@compiled
def encode_kinds(s: State, c: CommonKnowledge, levels: Any, rows: Any) -> None:
    """The inputs of every kind. For useless kinds the holder is left out."""
    deck = np.zeros(KINDS, np.int64)
    for place in range(s.drawn, CARDS):
        deck[s.deck[place]] += 1
    at = 0
    for kind in range(KINDS):
        row, stands = kind % RANKS * KIND_ROWS, status(c, kind)
        useful = stands >= PLAYABLE
        rows[at] = row + stands
        for step in range(c.players):
            rows[at + 1 + step] = row + STATUSES + step * LEVELS + (levels[step, kind] if useful else NOT_HELD)
        rows[at + 1 + c.players] = row + STATUSES + SEATS * LEVELS + (deck[kind] if useful else 0)
        at += 2 + c.players


# The network


@compiled
def no_sums() -> Sums:
    return Sums(np.empty((COLOURS, FIRST)), np.empty(FIRST), np.empty(SECOND), np.empty(THIRD))


@compiled
def network_for(players: int) -> Layers:
    net = NETWORK_FOR[players]
    return Layers(
        KINDS_LAYERS[net], KINDS_BIASES[net], COLOURS_LAYERS[net], OTHERS_LAYERS[net], OTHERS_BIASES[net],
        LAST_LAYERS[net], LAST_BIASES[net], OUT_LAYERS[net], OUT_BIASES[net],
    )  # fmt: skip


@compiled
def output(net: Layers, rows: Any, players: int, sums: Sums) -> float:
    """The output of a network for the inputs that are 1; `sums` receives those of its layers."""
    each, summed, second, third = inputs_of_colour(players), sums.summed, sums.second, sums.third
    summed[:] = 0.0
    for colour in range(COLOURS):
        first = sums.first[colour]
        copy_into(first, net.kinds_bias)
        for n in range(colour * each, (colour + 1) * each):
            add_scaled(first, net.kinds[rows[n]], 1.0)
        for j in range(FIRST):
            summed[j] += max(first[j], 0.0)
    copy_into(second, net.others_bias)
    for i in range(FIRST):
        add_scaled(second, net.colours[i], summed[i])
    for n in range(COLOURS * each, count_inputs(players)):
        add_scaled(second, net.others[rows[n]], 1.0)
    copy_into(third, net.last_bias)
    for i in range(SECOND):
        add_scaled(third, net.last[i], max(second[i], 0.0))
    total = float(net.out_bias[0])
    for j in range(THIRD):
        total += max(third[j], 0.0) * net.out[j]
    return total


@compiled
def points_lost(rows: Any, players: int) -> float:
    """The predicted loss of attainable points."""
    return output(network_for(players), rows, players, no_sums())


@compiled
def expected_points(s: State, c: CommonKnowledge, weights: Numbers) -> float:
    """The predicted final score; all attainable points if there is no network for this number of players."""
    rows, most = np.empty(MOST_INPUTS, np.int64), attainable(c)
    if NETWORK_FOR[c.players] < 0:
        return float(most)
    encode_inputs(s, c, weights, rows)
    return min(max(most - points_lost(rows, c.players), 0.0), float(most))
