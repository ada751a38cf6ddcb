"""What a person may go by when choosing a move: numbers about the position, and about each legal move.

All are computed from the person's view, its history included. The numbers about the position (the *context*) are the
same for every move; those about a move depend on its kind: a play, a discard or a hint. Most are 0 or 1, the others
shares or probabilities.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.analytics import chance, uncertainty, unseen_copies
from kibitz.games.hanabi.cards import OF_COLOUR, OF_RANK, hinted_kinds, holds
from kibitz.games.hanabi.knowledge import Copies, awaited, critical, kind_of, kinds_after_hint, surely, unseen, useless
from kibitz.games.hanabi.rules import DISCARD, HINT, MOVES, event_detail, event_misplayed, event_move, legal
from kibitz.games.hanabi.state import CARDS, HAND, TOKENS, State

VERSION = "hanabi-people-1"  # of these inputs: a model fitted to others is refused

PLAYS, DISCARDS, HINTS = range(3)  # the kinds of moves
CONTEXT = 52  # numbers about the position
WIDTHS = (58, 38, 50)  # numbers about a move, by its kind
WIDEST = max(WIDTHS)
KINDS_OF_MOVES = len(WIDTHS)
NEVER = -99
PLAYED, MISPLAYED, GONE = -2, -3, -4  # in place of a slot: what became of a card that has left the hand


class Past(NamedTuple):
    """What the history says about the viewer's cards, by slot, and about its hints, by value."""

    touches: Any  # hints that touched the card
    last: Any  # the turn of the latest of them, or NEVER
    group: Any  # the number of cards it touched
    newest: Any  # whether the card was the newest of these
    oldest: Any
    played: Any  # cards of that group that were played since
    misplayed: Any
    born: Any  # the turn in which it was drawn
    given: Any  # by value: the turn in which the viewer last gave this hint, or NEVER


class Hand(NamedTuple):
    """What the viewer can know of its own cards, by slot."""

    fits: Any  # the chance to be playable, with all visible cards counted
    plainly: Any  # the same by hints alone: the share of the kinds that they leave open
    dead: Any  # the chance to be useless
    last: Any  # the chance to be critical


class Room(NamedTuple):
    """Buffers for the inputs of a position."""

    past: Past
    hand: Hand
    context: Any
    moves: Any  # the legal moves, in order
    kinds: Any  # the kind of each
    rows: Any  # the numbers about each


@compiled
def new_room() -> Room:
    ints, shares = np.zeros((8, HAND), np.int64), np.zeros((4, HAND))
    past = Past(ints[0], ints[1], ints[2], ints[3], ints[4], ints[5], ints[6], ints[7], np.zeros(10, np.int64))
    hand = Hand(shares[0], shares[1], shares[2], shares[3])
    moves, kinds = np.zeros(MOVES, np.int64), np.zeros(MOVES, np.int64)
    return Room(past, hand, np.zeros(CONTEXT), moves, kinds, np.zeros((MOVES, WIDEST)))


@compiled
def yes(condition: bool) -> float:
    return 1.0 if condition else 0.0


# The past


@compiled
def freshly_touched(view: State, turn: int, seat: int) -> int:
    """The slots of a seat that hints touched in the round before a turn."""
    slots = 0
    for before in range(max(turn - view.players + 1, 0), turn):
        happened = view.history[before]
        move = event_move(happened)
        if move >= HINT and (move - HINT) // 10 == seat:
            slots |= event_detail(happened)
    return slots


@compiled
def note_touch(past: Past, hand: Any, held: int, touched: int, turn: int) -> None:
    """Note a hint to the viewer, who held these cards then; later hints are already noted."""
    group = count_bits(touched)
    played = misplayed = 0
    newest = oldest = NEVER
    for place in range(held):
        if holds(touched, place):
            played += int(hand[place] == PLAYED)
            misplayed += int(hand[place] == MISPLAYED)
            oldest = place if oldest == NEVER else oldest
            newest = place
    for place in range(held):
        slot = hand[place]
        if holds(touched, place) and slot >= 0:
            past.touches[slot] += 1
            if past.last[slot] == NEVER:
                past.last[slot], past.group[slot] = turn, group
                past.newest[slot], past.oldest[slot] = int(place == newest), int(place == oldest)
                past.played[slot], past.misplayed[slot] = played, misplayed


@compiled
def read_past(view: State, past: Past, context: Any) -> None:
    """Go back through the history with the viewer's hand as it was at each turn."""
    me, players = view.seat, view.players
    hand = np.zeros(HAND + 1, np.int64)
    held = view.held[me] | 0
    for slot in range(HAND):
        hand[slot] = slot
        past.last[slot] = NEVER
        past.touches[slot] = past.group[slot] = past.newest[slot] = past.oldest[slot] = 0
        past.played[slot] = past.misplayed[slot] = past.born[slot] = 0
    for value in range(10):
        past.given[value] = NEVER
    undrawn = players - view.countdown if view.countdown >= 0 else 0  # the latest moves, after the deck ran out
    hints = moves = trusted = betrayed = 0
    for back in range(1, view.turn + 1):
        turn = view.turn - back
        happened = view.history[turn]
        move = event_move(happened)
        if (view.to_move - back) % players != me:
            moves += 1
            hints += int(move >= HINT)
            if move >= HINT and (move - HINT) // 10 == me:
                note_touch(past, hand, held, event_detail(happened), turn)
        elif move >= HINT:
            value = (move - HINT) % 10
            past.given[value] = max(past.given[value], turn)
        else:
            if back > undrawn and held > 0:
                held -= 1
                if hand[held] >= 0:
                    past.born[hand[held]] = turn + 1
            slot = min(move % HAND, held)
            for place in range(held, slot, -1):
                hand[place] = hand[place - 1]
            misplayed = event_misplayed(happened)
            hand[slot] = GONE if move >= DISCARD else MISPLAYED if misplayed else PLAYED
            held = min(held + 1, HAND)
            if move < DISCARD and holds(freshly_touched(view, turn, me), slot):
                trusted += int(not misplayed)
                betrayed += int(misplayed)
    context[0] = min(trusted, 4) / 4
    context[1] = min(betrayed, 2) / 2
    context[2] = (hints + 1) / (moves + 2)


# The position


@compiled
def read_hand(view: State, hand: Hand, unseen: Copies, fits: int, dead: int, last: int) -> None:
    for slot in range(view.held[view.seat]):
        kinds = int(view.hinted_kinds[view.seat][slot])
        hand.fits[slot] = chance(unseen, kinds, fits)
        hand.plainly[slot] = count_bits(kinds & fits) / count_bits(kinds)
        hand.dead[slot] = chance(unseen, kinds, dead)
        hand.last[slot] = chance(unseen, kinds, last)


@compiled
def read_context(view: State, room: Room, fits: int, last: int) -> None:
    """The numbers about the position, after those of `read_past`."""
    me, players = view.seat, view.players
    x, hand = room.context, room.hand
    for tokens in range(TOKENS + 1):
        x[3 + tokens] = yes(view.tokens == tokens)
    x[12], x[13] = yes(view.lives == 1), yes(view.lives == 2)
    x[14], x[15] = (CARDS - view.drawn) / 40, yes(view.countdown > 0)
    x[16], x[17] = count_bits(view.played) / 25, min(view.turn, 60) / 60
    x[18] = yes(view.turn < 2 * players)
    fresh = freshly_touched(view, view.turn, me)
    touched = count_bits(fresh)
    x[19], x[20], x[21] = yes(touched == 1), yes(touched == 2), yes(touched >= 3)
    best = plainest = freshest = deadest = hinted_best = 0.0
    sure = plainly_sure = plainly_dead = free = 0
    for slot in range(view.held[me]):
        kinds = int(view.hinted_kinds[me][slot])
        best, plainest = max(best, hand.fits[slot]), max(plainest, hand.plainly[slot])
        deadest = max(deadest, hand.dead[slot])
        sure += int(hand.fits[slot] == 1.0)
        plainly_sure += int(surely(kinds, fits))
        plainly_dead += int(hand.dead[slot] == 1.0)
        free += int(view.marks[me][slot] == 0)
        if holds(fresh, slot):
            freshest = max(freshest, hand.fits[slot])
        if view.marks[me][slot] != 0:
            hinted_best = max(hinted_best, hand.fits[slot])
    x[22], x[23], x[24], x[25] = best, plainest, freshest, deadest
    x[26], x[27], x[28], x[29] = min(sure, 2) / 2, yes(plainly_sure > 0), yes(plainly_dead > 0), free / HAND
    x[30] = hinted_best
    waiting = known = unknown = saved = misled = 0
    for step in range(1, players):
        seat = (me + step) % players
        unseen_by = unseen(view, seat)
        chop = True
        for slot in range(view.held[seat]):
            kind, marks = kind_of(view, seat, slot), view.marks[seat][slot]
            if holds(fits, kind):
                waiting += 1
                sees = surely(view.hinted_kinds[seat][slot] & unseen_by, fits)
                known += int(sees)
                unknown += int(marks == 0)
            elif marks != 0 and view.hinted_kinds[seat][slot] & fits:
                misled += 1
            if marks == 0 and chop:
                chop = False
                saved += int(holds(last, kind))
    x[31], x[32], x[33] = min(waiting, 3) / 3, yes(known > 0), yes(unknown > 0)
    x[34], x[35], x[36] = yes(saved > 0), min(misled, 3) / 3, yes(waiting == 0)
    # What the players before did, the last of them first, and what the viewer did.
    for place in range(37, 46):
        x[place] = 0.0
    if view.turn > 0:
        happened = view.history[view.turn - 1]
        move = event_move(happened)
        x[37], x[38] = yes(move >= HINT), yes(move < DISCARD and not event_misplayed(happened))
        x[39], x[40] = yes(event_misplayed(happened)), yes(DISCARD <= move < HINT)
        x[41] = yes(move >= HINT and (move - HINT) % 10 >= 5)
    if view.turn >= players:
        happened = view.history[view.turn - players]
        move = event_move(happened)
        x[42], x[43] = yes(move >= HINT), yes(move < DISCARD and not event_misplayed(happened))
        x[44], x[45] = yes(event_misplayed(happened)), yes(DISCARD <= move < HINT)
    x[46], x[47] = (players - 2) / 3, yes(view.held[me] < HAND)
    left = CARDS - view.drawn
    x[48], x[49] = yes(left <= 5), (25 - count_bits(useless(view) & ~view.played)) / 25
    x[50], x[51] = yes(view.tokens == TOKENS), 1.0


# The moves


@compiled
def read_play(view: State, room: Room, slot: int, fresh: int, fits: int, x: Any) -> None:
    me, past, hand = view.seat, room.past, room.hand
    held, kinds, marks = view.held[me], int(view.hinted_kinds[me][slot]), view.marks[me][slot]
    p, plainly = hand.fits[slot], hand.plainly[slot]
    is_fresh, touched = holds(fresh, slot), count_bits(fresh)
    x[0], x[1], x[2] = p, yes(p == 1.0), yes(surely(kinds, fits))
    x[3], x[4], x[5] = yes(p == 0.0), plainly, yes(plainly == 0.0)
    x[6], x[7], x[8] = hand.dead[slot], hand.last[slot], yes(0.5 < p < 1.0)
    x[9] = yes(is_fresh)
    x[10] = yes(is_fresh and touched == 1)
    newest = oldest = -1
    most = 0.0
    for other in range(held):
        if holds(fresh, other):
            newest = other
            oldest = other if oldest < 0 else oldest
            most = max(most, hand.fits[other])
    rank = False
    for before in range(max(view.turn - view.players + 1, 0), view.turn):
        move = event_move(view.history[before])
        rank = rank or (move >= HINT and (move - HINT) // 10 == me and (move - HINT) % 10 >= 5)
    several = is_fresh and touched > 1
    x[11], x[12] = yes(several and slot == newest), yes(several and slot == oldest)
    x[13], x[14] = yes(is_fresh and rank), yes(is_fresh and past.touches[slot] == 1)
    x[15], x[16] = yes(is_fresh and marks == 3), yes(several and p == most)
    x[17], x[18] = yes(is_fresh) * p, x[10] * p
    x[19], x[20] = yes(is_fresh and view.lives == 1), (1.0 - p) * yes(view.lives == 1)
    x[21], x[22] = (1.0 - p) * yes(view.lives == 2), p * yes(view.countdown > 0)
    later = marks != 0 and not is_fresh
    since = view.turn - past.last[slot] if past.last[slot] != NEVER else 60
    x[23], x[24] = yes(later), yes(marks == 0)
    x[25], x[26], x[27] = yes(marks == 3), yes(marks == 2), yes(marks == 1)
    x[28] = min(since, 24) / 24
    x[29] = yes(later and since < 2 * view.players + 1)
    x[30], x[31] = yes(later and past.group[slot] == 1), yes(later and past.group[slot] > 1 and past.newest[slot] == 1)
    x[32] = yes(later and past.group[slot] > 1 and past.oldest[slot] == 1)
    x[33], x[34] = yes(past.played[slot] > 0), yes(past.misplayed[slot] > 0)
    x[35] = min(past.touches[slot], 4) / 4
    x[36] = yes(later) * p
    for place in range(HAND):
        x[37 + place] = yes(slot == place)
    x[42] = yes(slot == held - 1)
    for each in range(5):
        x[43 + each] = yes(kinds & ~OF_RANK[each] == 0)
    x[48] = count_bits(kinds) / 25
    better = 0
    for other in range(held):
        better += int(hand.fits[other] > p)
    x[49], x[50] = yes(better == 0), yes(better == 1)
    x[51] = min(view.turn - past.born[slot], 40) / 40
    x[52] = p * yes(marks == 0)
    x[53], x[54] = yes(several and rank and slot == oldest), yes(several and rank and slot == newest)
    x[55] = yes(several and not rank and slot == newest)
    one_kind = kinds & (kinds - 1) == 0
    x[56], x[57] = yes(one_kind and p == 1.0), p * p


@compiled
def read_discard(view: State, room: Room, slot: int, fresh: int, fits: int, dead: int, x: Any) -> None:
    me, past, hand = view.seat, room.past, room.hand
    held, kinds, marks = view.held[me], int(view.hinted_kinds[me][slot]), view.marks[me][slot]
    x[0], x[1], x[2] = hand.dead[slot], yes(hand.dead[slot] == 1.0), yes(surely(kinds, dead))
    x[3], x[4] = hand.last[slot], yes(hand.last[slot] == 1.0)
    x[5], x[6] = hand.fits[slot], yes(hand.fits[slot] == 1.0)
    x[7], x[8] = yes(marks == 0), yes(holds(fresh, slot))
    x[9], x[10], x[11] = yes(marks == 3), yes(marks == 2), yes(marks == 1)
    first = last = -1
    free = better = safer = 0
    for other in range(held):
        if view.marks[me][other] == 0:
            free += 1
            last = other
            first = other if first < 0 else first
        better += int(hand.dead[other] > hand.dead[slot])
        safer += int(hand.last[other] < hand.last[slot])
    x[12], x[13] = yes(slot == first), yes(slot == last)
    x[14] = 1.0 / free if free > 0 and marks == 0 else 0.0
    for place in range(HAND):
        x[15 + place] = yes(slot == place)
    x[20] = yes(slot == held - 1)
    x[21] = min(view.turn - past.born[slot], 40) / 40
    x[22], x[23] = yes(better == 0), yes(safer == 0)
    for each in range(5):
        x[24 + each] = yes(kinds & ~OF_RANK[each] == 0)
    x[29] = min(past.touches[slot], 4) / 4
    since = view.turn - past.last[slot] if past.last[slot] != NEVER else 60
    x[30], x[31] = min(since, 24) / 24, yes(past.misplayed[slot] > 0)
    x[32] = count_bits(kinds) / 25
    x[33] = yes(marks != 0 and past.group[slot] == 1)
    # The same place as the viewer's latest discard
    x[34] = 0.0
    for back in range(view.players, view.turn + 1, view.players):
        move = event_move(view.history[view.turn - back])
        if DISCARD <= move < HINT:
            x[34] = yes(move - DISCARD == slot)
            break
    x[35], x[36] = hand.plainly[slot], yes(hand.plainly[slot] == 0.0)
    x[37] = hand.last[slot] * yes(view.lives == 1)


@compiled
def read_hint(
    view: State, past: Past, seat: int, value: int, unseen_by: Copies, fits: int, dead: int, last: int, x: Any
) -> None:
    named, mark = hinted_kinds(value), 1 if value < 5 else 2
    possible = unseen(view, seat)
    held = view.held[seat]
    touched = newly = informed = good = bad = revealed = finished = lost = surely_lost = rank = 0
    chop = -1
    saves = endangered = newest_good = oldest_good = False
    gain = likely = risk = 0.0
    known = 0
    for slot in range(held):
        kind, marks = kind_of(view, seat, slot), view.marks[seat][slot]
        before, after = int(view.hinted_kinds[seat][slot]), kinds_after_hint(view, seat, slot, value)
        fitting = holds(fits, kind)
        if after != before:
            gain += uncertainty(unseen_by, before) - uncertainty(unseen_by, after)
        if fitting and surely(before & possible, fits):
            known += 1
        elif fitting and surely(after & possible, fits):
            revealed += 1
        if surely(after & possible, dead) and not surely(before & possible, dead):
            surely_lost += 1
        if marks == 0 and chop < 0:
            chop = slot
        if holds(named, kind):
            touched += 1
            new = marks & mark == 0
            informed += int(new)
            if marks == 0:
                newly += 1
                endangered = endangered or holds(last, kind)
                saves = saves or (slot == chop and holds(last, kind))
            if new and holds(dead, kind):
                lost += 1
            chance_after = chance(unseen_by, after, fits)
            if fitting and new:
                good += 1
                rank = max(rank, kind % 5 + 1)
                likely = max(likely, chance_after)
                finished += int(marks != 0)
            elif not fitting:
                bad += int(new)
                risk = max(risk, chance_after)
            newest_good = fitting
            oldest_good = fitting if touched == 1 else oldest_good
    for each in range(10):
        x[each] = yes(value == each and each >= 5) if each >= 5 else 0.0
    x[0], x[1], x[2], x[3], x[4] = yes(value >= 5), touched / 5, yes(touched == 1), newly / 5, yes(informed == 0)
    x[10], x[11], x[12] = yes(good > 0), min(good, 3) / 3, yes(good > 0 and bad == 0)
    x[13], x[14] = yes(newest_good and informed > 0), yes(oldest_good and informed > 0)
    x[15], x[16], x[17] = min(revealed, 2) / 2, yes(finished > 0), yes(endangered)
    x[18], x[19], x[20] = yes(saves), min(lost, 3) / 3, min(surely_lost, 2) / 2
    x[21], x[22], x[23] = gain / 5, rank / 5, likely
    x[24], x[25] = risk, risk * yes(view.lives == 1)
    x[26] = yes(good == 1 and touched == 1)
    x[27] = yes(good > 0 and value >= 5)
    x[28], x[29] = yes(informed == 0 and gain < 1e-9), yes(known > 0)
    since = view.turn - past.given[value] if past.given[value] != NEVER else 60
    x[30], x[31] = yes(since <= view.players), min(since, 24) / 24
    height = count_bits(view.played & OF_COLOUR[value]) if value < 5 else 0
    x[32] = height / 5
    lowest = count_bits(view.played & OF_RANK[value - 5]) if value >= 5 else 0
    x[33] = lowest / 5
    x[34], x[35] = yes(value == 5 and view.played == 0), yes(good == 0 and newly > 0)
    x[36], x[37] = yes(good == 0 and lost == 0 and not endangered and informed > 0), bad / 5
    x[38] = yes(finished > 0 and revealed > 0)


@compiled
def compare_hints(view: State, room: Room, first: int, count: int) -> None:
    """Compare each hint with the others: by information, playable cards, certainty, and cards they touch."""
    gain = good = likely = surest = 0.0
    n_good = 0
    least = 1.0
    for row in range(first, count):
        x = room.rows[row]
        gain, good, likely, surest = max(gain, x[21]), max(good, x[11]), max(likely, x[23]), max(surest, x[15])
        n_good += int(x[10] > 0)
        if x[10] > 0:
            least = min(least, x[37])
    for row in range(first, count):
        x = room.rows[row]
        x[39], x[40] = yes(x[21] == gain), gain - x[21]
        x[41], x[42] = yes(x[10] > 0 and x[11] == good), yes(x[10] > 0 and x[23] == likely)
        x[43], x[44] = yes(x[10] > 0 and n_good == 1), yes(x[10] > 0 and x[37] == least)
        x[45], x[46] = yes(x[15] > 0 and x[15] == surest), yes(x[10] == 0 and n_good > 0)
        x[47] = yes(n_good == 0)
        x[48] = yes(n_good == 0) * x[21]
        x[49] = yes(view.tokens == 1 and x[10] > 0)


@compiled
def read_position(view: State, room: Room) -> int:
    """Write the inputs of every legal move of the viewer, at its turn; returns the number of moves."""
    me = view.seat
    fits, dead, last = awaited(view), useless(view), critical(view)
    fresh = freshly_touched(view, view.turn, me)
    read_past(view, room.past, room.context)
    read_hand(view, room.hand, unseen_copies(view, me), fits, dead, last)
    read_context(view, room, fits, last)
    mask = legal(view)
    count = 0
    for slot in range(view.held[me]):
        room.moves[count], room.kinds[count] = slot, PLAYS
        read_play(view, room, slot, fresh, fits, room.rows[count])
        count += 1
    for slot in range(view.held[me]):
        if holds(mask, DISCARD + slot):
            room.moves[count], room.kinds[count] = DISCARD + slot, DISCARDS
            read_discard(view, room, slot, fresh, fits, dead, room.rows[count])
            count += 1
    first = count
    for seat in range(view.players):
        if seat != me and mask >> (HINT + 10 * seat) & 0b11111_11111:
            unseen_by = unseen_copies(view, seat)
            for value in range(10):
                move = HINT + 10 * seat + value
                if holds(mask, move):
                    room.moves[count], room.kinds[count] = move, HINTS
                    read_hint(view, room.past, seat, value, unseen_by, fits, dead, last, room.rows[count])
                    count += 1
    compare_hints(view, room, first, count)
    return count


@compiled
def read_positions(views: Any, contexts: Any, moves: Any, kinds: Any, rows: Any, counts: Any) -> int:
    """Write the inputs of many positions, one after another; returns the number of rows."""
    room = new_room()
    at = 0
    for n in range(views.shape[0]):
        count = read_position(views[n], room)
        counts[n] = count
        contexts[n] = room.context
        for row in range(count):
            moves[at], kinds[at] = room.moves[row], room.kinds[row]
            for place in range(WIDEST):
                rows[at, place] = room.rows[row, place]
            at += 1
    return at
