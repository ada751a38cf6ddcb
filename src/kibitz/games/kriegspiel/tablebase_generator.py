"""Retrograde analysis of king and rook, or queen, against a king on an unknown one of a set of squares.

`python -m kibitz.games.kriegspiel.tablebase_generator` writes the file that `tablebase` reads. Round n searches, for
every placement of the attacker's pieces, for sets from which mate is forced in n moves. After the attacker's move the
announcement partitions the squares of the other king. So a winning set is assembled for each move: for every
announcement the squares from which the king can only go into one set already won, and, of the squares for which the
move is refused, those in a set that another attempt wins. Each round keeps the largest sets. The result is sound but
not complete: every set found is won, but some won sets are not found, or with more moves than necessary.

Sets never needed on the way from a start of the game, or from no knowledge at all, are removed.
"""

import argparse
import datetime
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.chess.board import KING_ATTACKS, QUEEN, ROOK, as_mask, bit, without_lowest
from kibitz.games.chess.moves import from_square, to_square
from kibitz.games.kriegspiel.rules import KING_CANDIDATES
from kibitz.games.kriegspiel.tablebase import (
    ANNOUNCEMENTS,
    CODES,
    MATED,
    PATH,
    PLACEMENT_COUNT,
    SYMMETRY_OF,
    UNKNOWN,
    Tablebase,
    announcement_for,
    divide,
    find_entry,
    free_squares,
    load_tablebase,
    place_of,
    probe,
    refused_squares,
    save_tablebase,
    targets_of,
    transform,
)

ROUNDS = 50  # own moves; after 50 of each side the game is drawn
KEPT = 100  # sets per placement and round


class WonSets(NamedTuple):
    """The sets of all placements, in the order of rounds."""

    sets: Any
    moves: Any
    count: Any  # by place


@compiled
def largest(sets: Any, count: int, squares: int, goes: Any) -> int:
    """The largest subset of these squares from which he can only go into one and the same set."""
    best = 0
    for n in range(count):
        inside = within(sets[n], squares, goes)
        if count_bits(inside) > count_bits(best):
            best = inside
    return best


@compiled
def within(won: int, squares: int, goes: Any) -> int:
    """The squares from which the king can only go into a set."""
    found = 0
    while squares != 0:
        square = lowest_bit(squares)
        squares = without_lowest(squares)
        if goes[square] & ~won == 0:
            found |= bit(square)
    return found


@compiled
def largest_part(sets: Any, count: int, squares: int) -> int:
    """The largest subset of these squares that is within one of the sets."""
    best = 0
    for n in range(count):
        if count_bits(sets[n] & squares) > count_bits(best):
            best = sets[n] & squares
    return best


@compiled
def is_in_one(squares: int, sets: Any, count: int) -> bool:
    n = count - 1  # the last ones are the largest
    while n >= 0 and squares & ~sets[n] != 0:
        n -= 1
    return n >= 0


@compiled
def insert_by_size(squares: int, new: Any, count: int) -> int:
    """Insert a set among the largest new ones, without its subsets; returns their number."""
    size, kept = count_bits(squares), 0
    for n in range(count):
        if new[n] & ~squares != 0:
            new[kept] = new[n]
            kept += 1
    place = min(kept, new.shape[0] - 1)
    kept = place + 1
    while place > 0 and count_bits(new[place - 1]) < size:
        new[place] = new[place - 1]
        place -= 1
    new[place] = squares
    return kept


@compiled
def sets_before(king: int, piece: int, kind: int, found: WonSets, new: Any) -> int:
    """Find the largest sets won by one more move with the attacker's pieces on these squares; returns their number."""
    count, place, free = 0, place_of(king, piece, kind), free_squares(king, piece, kind)
    if is_in_one(free, found.sets[place], found.count[place]):
        return 0
    goes, parts = np.empty(64, np.int64), np.empty(ANNOUNCEMENTS, np.int64)
    for attempt in range(3):  # the king's attempts twice: a set that wins after a refusal may be found later
        targets = targets_of(king, piece, kind, attempt != 1)
        while targets != 0:
            end = lowest_bit(targets)
            targets = without_lowest(targets)
            new_king, new_piece = (end, piece) if attempt != 1 else (king, end)
            turn, after = SYMMETRY_OF[new_king, new_piece], place_of(new_king, new_piece, kind)
            won, known = found.sets[after], found.count[after]
            parts[:] = 0
            refused = KING_ATTACKS[end] & free if attempt != 1 else 0
            left = free & ~refused
            while left != 0:
                square = lowest_bit(left)
                left = without_lowest(left)
                said, where = announcement_for(new_king, new_piece, kind, square)
                parts[said] |= bit(square)
                goes[square] = transform(where, turn)
            sure = parts[MATED]
            for said in range(1, MATED):
                if parts[said]:
                    sure |= largest(won, known, parts[said], goes)
            before = largest_part(found.sets[place], found.count[place], refused)
            now = largest_part(new, count, refused)
            sure |= before if count_bits(before) > count_bits(now) else now
            for n in range(max(known, 1)):
                squares = sure | within(won[n], parts[0], goes) if known else sure
                full = count == new.shape[0] and count_bits(squares) <= count_bits(new[count - 1])
                if squares == 0 or full or is_in_one(squares, new, count):
                    continue
                if not is_in_one(squares, found.sets[place], found.count[place]):
                    count = insert_by_size(squares, new, count)
    return count


@compiled
def next_round(codes: Any, kind: int, moves: int, found: WonSets, new: Any, counts: Any) -> int:
    """Add the sets won in this number of moves, and return their number."""
    for n in range(codes.shape[0]):
        counts[n] = 0
        if codes[n] >> 6 != codes[n] & 63:
            counts[n] = sets_before(codes[n] >> 6, codes[n] & 63, kind, found, new[n])
    for n in range(codes.shape[0]):
        place = place_of(codes[n] >> 6, codes[n] & 63, kind)
        for k in range(counts[n]):
            found.sets[place, found.count[place]] = new[n, k]
            found.moves[place, found.count[place]] = moves
            found.count[place] += 1
    return int(counts.sum())


def solve(rounds: int, kept: int) -> Tablebase:
    """All sets found, for both pieces."""
    room = (2 * PLACEMENT_COUNT, rounds * kept)
    found = WonSets(np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(2 * PLACEMENT_COUNT, np.int64))
    new, counts = np.zeros((PLACEMENT_COUNT, kept), np.int64), np.zeros(PLACEMENT_COUNT, np.int64)
    for kind in (ROOK, QUEEN):
        for moves in range(1, rounds + 1):
            added = int(next_round(CODES, kind, moves, found, new, counts))
            print(f"{'rook' if kind == ROOK else 'queen'}: {added:,} sets won in {moves} moves", file=sys.stderr)
            if added == 0:
                break
    present = np.arange(room[1]) < found.count[:, None]
    first = np.concatenate([[0], np.cumsum(found.count)])
    return Tablebase(first, found.sets[present], found.moves[present])


# Pruning


class Needed(NamedTuple):
    marked: Any  # by entry
    waiting: Any  # entries whose best attempts are not followed yet
    count: Any  # of these


@compiled
def mark(endings: Tablebase, king: int, piece: int, kind: int, squares: int, needed: Needed) -> bool:
    """Mark the entry found for some squares, if there is one."""
    entry = find_entry(endings, king, piece, kind, squares)
    if entry >= 0 and not needed.marked[entry]:
        needed.marked[entry] = True
        needed.waiting[needed.count[0]] = entry
        needed.count[0] += 1
    return entry >= 0


@compiled
def mark_successors(endings: Tablebase, king: int, piece: int, kind: int, squares: int, needed: Needed) -> None:
    """Mark what the best attempts from a set lead to, one after another refusal."""
    goes, counts = np.empty(ANNOUNCEMENTS, np.int64), np.empty(ANNOUNCEMENTS, np.int64)
    while squares != 0:
        move = probe(endings, king, piece, kind, squares).move
        if move < 0:
            break
        refused = squares & refused_squares(king, move)
        new_king, new_piece = (to_square(move), piece) if from_square(move) == king else (king, to_square(move))
        divide(new_king, new_piece, kind, squares & ~refused, goes, counts)
        for said in range(MATED):
            if counts[said]:
                mark(endings, new_king, new_piece, kind, goes[said], needed)
        squares = refused


@compiled
def mark_reachable(
    endings: Tablebase, king: int, piece: int, kind: int, starts: Any, codes: Any, needed: Needed
) -> None:
    """Mark the entries of the starts, and all that are reachable from them."""
    for n in range(starts.shape[0]):
        if not mark(endings, king, piece, kind, starts[n], needed):
            mark_successors(endings, king, piece, kind, starts[n], needed)
    while needed.count[0] > 0:
        needed.count[0] -= 1
        entry = needed.waiting[needed.count[0]]
        place = np.searchsorted(endings.first, entry, side="right") - 1
        its_kind, code = (ROOK, codes[place]) if place < PLACEMENT_COUNT else (QUEEN, codes[place - PLACEMENT_COUNT])
        mark_successors(endings, code >> 6, code & 63, its_kind, endings.sets[entry], needed)


def starts_of(code: int, kind: int) -> Any:
    """What can be known of the other king before the first move: nothing, and every start that the game deals."""
    free, some = int(free_squares(code >> 6, code & 63, kind)), set()
    for near in range(64):
        beside = [1 << n for n in range(64) if (free & (int(KING_ATTACKS[near]) | 1 << near)) >> n & 1]
        some |= set(map(sum, combinations(beside, KING_CANDIDATES)))
    return np.array([as_mask(each) for each in (free, *sorted(some))])


def pruned(endings: Tablebase) -> Tablebase:
    """The sets without which some start would not be won as soon."""
    size = len(endings.sets)
    needed = Needed(np.zeros(size, np.bool_), np.zeros(size, np.int64), np.zeros(1, np.int64))
    for kind in (ROOK, QUEEN):
        for code in CODES[CODES >> 6 != CODES & 63].tolist():
            mark_reachable(endings, code >> 6, code & 63, kind, starts_of(code, kind), CODES, needed)
    places = np.searchsorted(endings.first, np.flatnonzero(needed.marked), side="right") - 1
    sizes = np.bincount(places, minlength=2 * PLACEMENT_COUNT)
    return Tablebase(np.concatenate([[0], np.cumsum(sizes)]), endings.sets[needed.marked], endings.moves[needed.marked])


# Verification


@compiled
def bounds(endings: Tablebase, king: int, piece: int, kind: int, starts: Any, moves: Any) -> None:
    """Write the number of moves in which each start is won at the latest."""
    for n in range(starts.shape[0]):
        moves[n] = probe(endings, king, piece, kind, starts[n]).moves


@compiled
def is_proved(endings: Tablebase, king: int, piece: int, kind: int, squares: int, moves: int) -> bool:
    """Whether attempts, one after another refusal, lead only to mate and to sets with fewer moves."""
    while squares != 0:
        sure = probe(endings, king, piece, kind, squares)
        if sure.moves > moves:
            return False
        squares &= refused_squares(king, sure.move)
    return True


@compiled
def count_unproved(endings: Tablebase, codes: Any) -> int:
    """The number of sets not proved by those with fewer moves. If it is 0, the whole file is right."""
    unproved = 0
    for place in range(2 * PLACEMENT_COUNT):
        kind, code = (ROOK, codes[place]) if place < PLACEMENT_COUNT else (QUEEN, codes[place - PLACEMENT_COUNT])
        for n in range(endings.first[place], endings.first[place + 1]):
            if not is_proved(endings, code >> 6, code & 63, kind, endings.sets[n], endings.moves[n]):
                unproved += 1
    return unproved


def report(endings: Tablebase) -> Iterator[str]:
    """The moves in which all starts of the game are won, symmetric ones counted once, and whether that is proved."""
    for kind, name in ((ROOK, "rook"), (QUEEN, "queen")):
        found, nothing = [], []
        for code in CODES[CODES >> 6 != CODES & 63].tolist():
            starts = starts_of(code, kind)
            moves = np.zeros(len(starts), np.int64)
            bounds(endings, code >> 6, code & 63, kind, starts, moves)
            nothing.append(moves[0])
            found.append(moves[1:])
        yield f"{name}: {announcements(np.concatenate(found))}"
        yield f"{name}, with nothing known of the other king: {announcements(np.array(nothing))}"
    unproved = int(count_unproved(endings, CODES))
    yield f"{len(endings.sets):,} sets in the file, {unproved} of them not proved by those with fewer moves"


def announcements(moves: Any) -> str:
    won = moves[moves < UNKNOWN]
    mean = f"{won.mean():.1f} on average"
    return f"{len(won):,} of {len(moves):,} starts are won, whatever he does, in {won.max()} moves at most, {mean}"


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--rounds", type=int, default=ROUNDS, help="maximum number of own moves to mate")
    words.add_argument("--kept", type=int, default=KEPT, help="maximum number of sets per placement and round")
    words.add_argument("--output", type=Path, default=PATH)
    words.add_argument("--verify", action="store_true", help="do not solve; report on the file and prove its sets")
    chosen = words.parse_args()
    if not chosen.verify:
        found = solve(chosen.rounds, chosen.kept)
        made = f"python -m kibitz.games.kriegspiel.tablebase_generator --rounds {chosen.rounds} --kept {chosen.kept}"
        save_tablebase(chosen.output, pruned(found), f"{made}, {datetime.date.today().isoformat()}")
        print(f"{len(found.sets):,} sets were found.")
    print("\n".join(report(load_tablebase(chosen.output))))


if __name__ == "__main__":
    main()
