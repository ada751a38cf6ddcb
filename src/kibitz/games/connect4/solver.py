"""A perfect solver: the score of a position with best play, by alpha-beta on bit boards.

A score is 22 minus the number of stones the winner has used, so a faster win scores higher; it is negative if the
player to move loses, and 0 for a draw. The search is fast because it skips moves that lose at once, tries moves with
more threats first, bounds scores by the follow-up strategy (`follow_up`), looks up all successors in a transposition
table before it searches any of them, and narrows the score down by searches with a null window.

The opening book holds table entries of positions with few stones, which are put back into the table.
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
from kibitz.search.choice import VALUE, Estimates, empty_estimates
from kibitz.search.open_games import following

UNSOLVED = 99  # instead of a score
MIRRORED = 14  # with fewer stones, a position and its mirror image share an entry
LOOKS_AHEAD = 20  # stones: with more, searching successors is as fast as looking them up
HIGH_COLUMN = (1 << HEIGHT) - 1
MIXES = WRAP(0xBF58476D1CE4E5B9)

# An entry is one word, so two threads can share a table: the key, an age class by the number of stones, and a lower and
# an upper bound of the score. A key has two slots side by side: the first prefers entries with fewer stones, which took
# longer to search, and the second takes the latest.
AGES, AGE_BITS = (8, 14, 23), 2
SCORE_BITS = 6
LOW_BITS, KEY_BITS = SCORE_BITS, 2 * SCORE_BITS + AGE_BITS  # how far each is shifted
OFFSET = 32  # makes a score positive
MASK = (1 << SCORE_BITS) - 1
WORD = struct_dtype([("entry", np.int64)])
word_at = struct_at(WORD)
RUN = struct_dtype(
    [(name, np.int64) for name in ("nodes", "table_hits", "cutoffs", "node_limit", "stopped", "table", "table_bits")]
)
FRAME = struct_dtype([("moves", np.int64, COLUMNS), ("threats", np.int64, COLUMNS)])


class Run(Protocol):
    """A struct of the type RUN."""

    nodes: int
    table_hits: int  # positions decided by the table
    cutoffs: int
    node_limit: int  # the search stops at this number of nodes
    stopped: bool
    table: int  # address
    table_bits: int


class Workspace(NamedTuple):
    run: Any
    frames: Any
    table: Any


@compiled
def workspace_for(table: Any, book: Any) -> Workspace:
    """Working memory for the solver, with the entries of a book. The length of the table must be a power of two."""
    runs = np.zeros(1, RUN)
    run = runs[0]
    run.table = table.ctypes.data
    while 1 << run.table_bits < table.shape[0]:
        run.table_bits += 1
    run.node_limit = 1 << 62
    for n in range(book.shape[0] // 2):
        key, rest = int(book[2 * n]), int(book[2 * n + 1])
        if lookup(run, key) == 0:  # a table in use may have better bounds
            store(run, key, rest >> 2 * SCORE_BITS, (rest >> LOW_BITS & MASK) - OFFSET, (rest & MASK) - OFFSET)
    return Workspace(runs, np.zeros(PLACES + 2, FRAME), table)


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
    """The age class: higher with more stones."""
    return int(turn >= AGES[0]) + int(turn >= AGES[1]) + int(turn >= AGES[2])


@compiled
def slot_address(run: Run, key: int) -> int:
    """The address of the first of the two slots of a key."""
    mixed = WRAP(WRAP(key) * MIXES)
    return run.table + 16 * PLAIN(mixed >> WRAP(65 - run.table_bits))


@compiled
def lookup(run: Run, key: int) -> int:
    """The entry of a key, or 0."""
    place = slot_address(run, key)
    entry = word_at(place).entry
    if entry >> KEY_BITS == key:
        return entry
    entry = word_at(place + 8).entry
    return entry if entry >> KEY_BITS == key else 0


@compiled
def store(run: Run, key: int, age: int, low: int, high: int) -> None:
    """Store bounds of the score of a position."""
    place = slot_address(run, key)
    first = word_at(place).entry
    entry = (key << AGE_BITS | age) << 2 * SCORE_BITS | (low + OFFSET) << LOW_BITS | high + OFFSET
    if first == 0 or first >> KEY_BITS == key or first >> 2 * SCORE_BITS & 3 >= age:
        word_at(place).entry = entry
    else:
        word_at(place + 8).entry = entry


@compiled
def solve(workspace: Workspace, mine: int, taken: int, turn: int) -> int:
    """The score of a position that is not over, for the player to move; UNSOLVED if the node limit is reached."""
    run, frame = workspace.run[0], workspace.frames[0]
    if landing_places(taken) & completing_places(mine, taken):
        return (PLACES + 1 - turn) // 2
    low, high = -((PLACES - turn) // 2), (PLACES - 1 - turn) // 2
    # First find out whether it is won, drawn or lost, then in how many moves.
    while low < high and not run.stopped:
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = low // 2
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        score = score_at(mine, taken, turn, middle, middle + 1, frame, run)
        if score <= middle:
            high = score
        else:
            low = score
    return UNSOLVED if run.stopped else low


@compiled
def score_at(mine: int, taken: int, turn: int, alpha: int, beta: int, frame: Any, run: Run) -> int:
    """The score of a position without an immediate win; outside of alpha and beta, a bound of it."""
    run.nodes += 1
    theirs = mine ^ taken
    landing = landing_places(taken)
    threats = completing_places(theirs, taken)
    moves, forced = landing, landing & threats
    if forced:
        if forced & (forced - 1):
            return -((PLACES - turn) // 2)  # only one of two threats can be stopped
        moves = forced
    moves &= ~(threats >> 1)  # a stone below a threat lets the opponent win on top of it
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
    entry = lookup(run, key)
    if entry:
        low, high = (entry >> LOW_BITS & MASK) - OFFSET, (entry & MASK) - OFFSET
    if low >= beta or high <= alpha or low == high:
        run.table_hits += 1
        return low if low >= beta else high
    alpha, beta = max(alpha, low), min(beta, high)
    if turn < LOOKS_AHEAD:
        score = bound_from_successors(mine, taken, turn, moves, run)
        if score >= beta:
            run.table_hits += 1
            store(run, key, age_of(turn), score, high)
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
    if run.nodes >= run.node_limit:
        run.stopped = True
    below = following(frame)
    best = low
    for n in range(count):
        score = -score_at(theirs, taken | frame.moves[n], turn + 1, -beta, -alpha, below, run)
        if run.stopped:
            return 0
        best = max(best, score)
        if best >= beta:
            run.cutoffs += 1
            store(run, key, age_of(turn), best, high)
            return best
        alpha = max(alpha, best)
    store(run, key, age_of(turn), low, max(best, low))
    return max(best, low)


@compiled
def bound_from_successors(mine: int, taken: int, turn: int, moves: int, run: Run) -> int:
    """A lower bound of the score: the best that the table guarantees after one of these moves."""
    best = -PLACES
    for column in MIDDLE_OUT:
        stone = moves & column_places(column)
        if stone:
            entry = lookup(run, key_of(mine ^ taken, taken | stone, turn + 1))
            if entry:
                best = max(best, OFFSET - (entry & MASK))
    return best


@compiled
def estimate_columns(workspace: Workspace, mine: int, taken: int, turn: int, node_limit: int) -> Estimates:
    """The score of each column that is not full, for the player to move, as far as `node_limit` nodes each reach."""
    found, run = empty_estimates(COLUMNS), workspace.run[0]
    for column in MIDDLE_OUT:
        stone = landing_places(taken) & column_places(column)
        if stone == 0:
            continue
        found.moves[column] = column
        before, score = run.nodes, 0
        run.node_limit = before + node_limit
        run.stopped = False
        if has_four(mine | stone):
            score = (PLACES + 1 - turn) // 2
        elif turn < PLACES - 1:
            score = solve(workspace, mine ^ taken, taken | stone, turn + 1)
            score = UNSOLVED if score == UNSOLVED else -score
        if score != UNSOLVED:
            found.values[column], found.errors[column], found.bounds[column] = score, 0.0, VALUE
            found.visits[column] = max(run.nodes - before, 1)
    return found
