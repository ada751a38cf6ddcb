"""A perfect solver: what a position is worth with the best play of both, by alpha-beta on bits.

A score is 22 less the stones that the winner has used when it wins, so a faster win is worth more; it is negative if
who is to move loses, and 0 for a draw. What makes it fast: a move after which the other one wins at once is not
looked at, moves that threaten more come first, what answering above is sure of bounds a score, positions are kept in a
table of one word each, which is asked about all that can follow before any of it is searched, and the score is closed
in on by questions of yes or no.

An opening book is what the table had on positions with few stones when others were solved: it is put back into the
table.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.seat import struct_at
from kibitz.engine.seeds import PLAIN, WRAP
from kibitz.games.connect4.board import (
    BOTTOM,
    COLUMNS,
    HEIGHT,
    MIDDLE_OUT,
    PLACES,
    column_places,
    completing_places,
    has_four,
    landing_places,
)
from kibitz.games.connect4.follow_up import follow_up_bound
from kibitz.search.open_games import following

UNKNOWN = 99  # no score
MIRRORED = 14  # with fewer stones, a position and its mirror image are looked up as one
ASKS_BELOW = 20  # stones: with more, searching is as fast as asking
HIGH_COLUMN = (1 << HEIGHT) - 1
MIXES = WRAP(0xBF58476D1CE4E5B9)

# An entry is one word, so two threads can use a table at once: the key, whether there are few stones or many, and
# between which scores the position lies. Two words side by side are the places of a key: the first prefers fewer
# stones, which took longer to search, and the second takes the latest.
AGES, AGE_BITS = (8, 14, 23), 2
SCORE_BITS = 6
LOW_BITS, KEY_BITS = SCORE_BITS, 2 * SCORE_BITS + AGE_BITS  # how far to the left each is
OFFSET = 32  # makes a score positive
MASK = (1 << SCORE_BITS) - 1
WORD = struct_dtype([("entry", np.int64)])
word_at = struct_at(WORD)
DESK = struct_dtype(
    [(name, np.int64) for name in ("nodes", "answers", "cutoffs", "most_nodes", "stopped", "table", "table_bits")]
)
FRAME = struct_dtype([("moves", np.int64, COLUMNS), ("threats", np.int64, COLUMNS)])


class Desk(Protocol):
    """A struct of the type DESK."""

    nodes: int
    answers: int  # positions that the table decided
    cutoffs: int
    most_nodes: int  # it stops after so many
    stopped: bool
    table: int  # address
    table_bits: int


class Memory(NamedTuple):
    desk: Any
    frames: Any
    table: Any


@compiled
def memory_of(table: Any, book: Any) -> Memory:
    """A desk to solve positions at, with a table of a power of two of words, into which a book is put."""
    desk = np.zeros(1, DESK)
    here = desk[0]
    here.table = table.ctypes.data
    while 1 << here.table_bits < table.shape[0]:
        here.table_bits += 1
    here.most_nodes = 1 << 62
    for n in range(book.shape[0] // 2):
        key, rest = int(book[2 * n]), int(book[2 * n + 1])
        if find(here, key) == 0:  # a table that was used may know more by now
            keep(here, key, rest >> 2 * SCORE_BITS, (rest >> LOW_BITS & MASK) - OFFSET, (rest & MASK) - OFFSET)
    return Memory(desk, np.zeros(PLACES + 2, FRAME), table)


@compiled
def mirrored(stones: int) -> int:
    """The same stones with left and right exchanged."""
    turned = 0
    for column in range(COLUMNS):
        turned |= (stones >> HEIGHT * column & HIGH_COLUMN) << HEIGHT * (COLUMNS - 1 - column)
    return turned


@compiled
def key_of(mine: int, taken: int, turn: int) -> int:
    key = mine + taken + BOTTOM
    return min(key, mirrored(key)) if turn < MIRRORED else key


@compiled
def age_of(turn: int) -> int:
    """The greater, the more stones there are."""
    return int(turn >= AGES[0]) + int(turn >= AGES[1]) + int(turn >= AGES[2])


@compiled
def place_of(desk: Desk, key: int) -> int:
    """The address of the first of the two places of a key."""
    mixed = WRAP(WRAP(key) * MIXES)
    return desk.table + 16 * PLAIN(mixed >> WRAP(65 - desk.table_bits))


@compiled
def find(desk: Desk, key: int) -> int:
    """The entry of a key, or 0."""
    place = place_of(desk, key)
    entry = word_at(place).entry
    if entry >> KEY_BITS == key:
        return entry
    entry = word_at(place + 8).entry
    return entry if entry >> KEY_BITS == key else 0


@compiled
def keep(desk: Desk, key: int, age: int, low: int, high: int) -> None:
    """Keep between which scores a position lies."""
    place = place_of(desk, key)
    first = word_at(place).entry
    entry = (key << AGE_BITS | age) << 2 * SCORE_BITS | (low + OFFSET) << LOW_BITS | high + OFFSET
    if first == 0 or first >> KEY_BITS == key or first >> 2 * SCORE_BITS & 3 >= age:
        word_at(place).entry = entry
    else:
        word_at(place + 8).entry = entry


@compiled
def solve(memory: Memory, mine: int, taken: int, turn: int) -> int:
    """The score of a position that is not over, to who is to move; UNKNOWN if the desk allows too few positions."""
    desk, frame = memory.desk[0], memory.frames[0]
    if landing_places(taken) & completing_places(mine, taken):
        return (PLACES + 1 - turn) // 2
    low, high = -((PLACES - turn) // 2), (PLACES - 1 - turn) // 2
    # Whether it is won, drawn or lost is asked first, then in how many moves.
    while low < high and not desk.stopped:
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = low // 2
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        score = score_at(mine, taken, turn, middle, middle + 1, frame, desk)
        if score <= middle:
            high = score
        else:
            low = score
    return UNKNOWN if desk.stopped else low


@compiled
def score_at(mine: int, taken: int, turn: int, alpha: int, beta: int, frame: Any, desk: Desk) -> int:
    """The score of a position in which who is to move cannot win at once; beyond alpha and beta, a bound of it."""
    desk.nodes += 1
    theirs = mine ^ taken
    landing = landing_places(taken)
    threats = completing_places(theirs, taken)
    moves, forced = landing, landing & threats
    if forced:
        if forced & (forced - 1):
            return -((PLACES - turn) // 2)  # two places cannot be taken at once
        moves = forced
    moves &= ~(threats >> 1)  # a stone below such a place would let the other one win there
    if moves == 0:
        return -((PLACES - turn) // 2)
    if turn >= PLACES - 2:
        return 0
    if forced == 0:
        bound = follow_up_bound(mine, taken, turn, landing, threats)
        if bound <= alpha:
            return bound
    low, high = -((PLACES - 2 - turn) // 2), (PLACES - 1 - turn) // 2
    key = key_of(mine, taken, turn)
    entry = find(desk, key)
    if entry:
        low, high = (entry >> LOW_BITS & MASK) - OFFSET, (entry & MASK) - OFFSET
    if low >= beta or high <= alpha or low == high:
        desk.answers += 1
        return low if low >= beta else high
    alpha, beta = max(alpha, low), min(beta, high)
    if turn < ASKS_BELOW:
        score = known_below(mine, taken, turn, moves, desk)
        if score >= beta:
            desk.answers += 1
            keep(desk, key, age_of(turn), score, high)
            return score
    count = 0
    for n in range(COLUMNS):
        stone = moves & column_places(MIDDLE_OUT[n])
        if stone:
            threatened = count_bits(completing_places(mine | stone, taken))
            slot = count
            while slot > 0 and frame.threats[slot - 1] < threatened:
                frame.moves[slot] = frame.moves[slot - 1]
                frame.threats[slot] = frame.threats[slot - 1]
                slot -= 1
            frame.moves[slot] = stone
            frame.threats[slot] = threatened
            count += 1
    if desk.nodes >= desk.most_nodes:
        desk.stopped = True
    below = following(frame)
    best = low
    for n in range(count):
        score = -score_at(theirs, taken | frame.moves[n], turn + 1, -beta, -alpha, below, desk)
        if desk.stopped:
            return 0
        best = max(best, score)
        if best >= beta:
            desk.cutoffs += 1
            keep(desk, key, age_of(turn), best, high)
            return best
        alpha = max(alpha, best)
    keep(desk, key, age_of(turn), low, max(best, low))
    return max(best, low)


@compiled
def known_below(mine: int, taken: int, turn: int, moves: int, desk: Desk) -> int:
    """The best score that the table is sure of after one of these moves."""
    best = -PLACES
    for column in MIDDLE_OUT:
        stone = moves & column_places(column)
        if stone:
            entry = find(desk, key_of(mine ^ taken, taken | stone, turn + 1))
            if entry:
                best = max(best, OFFSET - (entry & MASK))
    return best


@compiled
def column_scores(memory: Memory, mine: int, taken: int, turn: int, most_nodes: int) -> Any:
    """The score of every column to who is to move; UNKNOWN where it is full, or more positions were to be looked at."""
    scores, desk = np.full(COLUMNS, UNKNOWN), memory.desk[0]
    for column in MIDDLE_OUT:
        desk.most_nodes = desk.nodes + most_nodes
        desk.stopped = False
        stone = landing_places(taken) & column_places(column)
        if stone == 0:
            continue
        if has_four(mine | stone):
            scores[column] = (PLACES + 1 - turn) // 2
        elif turn == PLACES - 1:
            scores[column] = 0
        else:
            score = solve(memory, mine ^ taken, taken | stone, turn + 1)
            scores[column] = UNKNOWN if score == UNKNOWN else -score
    return scores
