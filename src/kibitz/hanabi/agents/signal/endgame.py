"""The end of the deck: every sensible move is played out in sampled worlds.

In such a world players know what was told, and a hint tells each of them one more card. The numbers come from what lies
open on the table, so that whoever imagines what this player saw can tell what it did.
"""

from typing import Any

import numpy as np

from kibitz.core.bits import count_bits
from kibitz.core.compile import SMALL, compiled, struct_dtype
from kibitz.core.seeds import below, number
from kibitz.core.weights import Numbers
from kibitz.hanabi.agents.choices import may_discard
from kibitz.hanabi.agents.signal.common import Common, mask, single
from kibitz.hanabi.agents.signal.hand import Own, likeliest_play
from kibitz.hanabi.agents.signal.pace import DISCARDS, HINTS, PLAYS, Plan
from kibitz.hanabi.agents.signal.settings import END_LOYALTY, END_TOLD, END_TRIAL, END_WORLDS, SLACK
from kibitz.hanabi.cards import ALL, FIVES, KINDS, MIDDLE, ONES, holds
from kibitz.hanabi.knowledge import discards, exhausted, fitting, with_copy
from kibitz.hanabi.state import CARDS, FACE_DOWN, HAND, SEATS, TOKENS, State
from kibitz.hanabi.worlds import face_down_counts

MOST_PLANS = 8

# A world that is played on.
WORLD_FIELDS: list[tuple[Any, ...]] = [
    ("deck", SMALL, CARDS),  # the kind of every card
    ("hands", SMALL, (SEATS, HAND)),  # kinds
    ("held", SMALL, SEATS),
    ("known", SMALL, SEATS),  # the slots of cards that their holders know
]
END_WORLD = struct_dtype(WORLD_FIELDS)
World: Any = Any


@compiled
def open_stream(c: Common) -> int:
    """Where this turn's random numbers come from: what lies open on the table."""
    return number(c.played ^ (c.discarded[0] << 25), c.turn)


@compiled
def dead_kinds(played: int, gone: Any) -> int:
    blocked = exhausted(gone) & ~played
    for _ in range(4):
        blocked |= (blocked << 1) & ~ONES
    return (blocked | played) & ALL


@compiled
def sample(world: World, own: Own, view: State, unseen: Any, pool: Any, stream: int) -> bool:
    """Fill in the cards that are not seen, the own hand by what it can be; whether that was possible."""
    me = view.seat
    total = 0
    for kind in range(KINDS):
        for _ in range(unseen[kind]):
            pool[total] = kind
            total += 1
    done = 0
    for _ in range(view.held[me]):  # the best known card first
        best, least = -1, 99
        for slot in range(view.held[me]):
            if not holds(done, slot) and count_bits(own.kinds[slot]) < least:
                best, least = slot, count_bits(own.kinds[slot])
        done |= 1 << best
        fit = 0
        for i in range(total):
            fit += int(holds(own.kinds[best], pool[i]))
        if fit == 0:
            return False
        nth = below(stream, best, fit)
        for i in range(total):
            if holds(own.kinds[best], pool[i]):
                if nth == 0:
                    world.deck[view.hands[me][best]] = pool[i]
                    total -= 1
                    pool[i] = pool[total]
                    break
                nth -= 1
    for place in range(view.drawn, CARDS):
        i = below(stream, place, total)
        world.deck[place] = pool[i]
        total -= 1
        pool[i] = pool[total]
    return True


@compiled
def play_on(world: World, own: Own, c: Common, view: State, first: Plan, slack: float, told: int) -> int:
    """Make a move and play to the end; the score."""
    players, me = int(view.players), int(view.seat)
    played = int(view.played)
    gone = discards(view)
    dead, fits = int(c.dead), int(c.fits)
    for seat in range(players):
        world.held[seat] = view.held[seat]
        known = 0
        for slot in range(view.held[seat]):
            world.hands[seat, slot] = world.deck[view.hands[seat][slot]]
            kinds = own.kinds[slot] if seat == me else mask(c, seat, slot)
            known |= int(single(kinds) or kinds & ~fits == 0 or kinds & ~dead == 0) << slot
        world.known[seat] = known
    drawn, tokens, lives, countdown = int(view.drawn), int(view.tokens), int(view.lives), int(view.countdown)
    seat, act, at = me, int(first.act), int(first.slot)
    while True:
        if act < 0:
            fits = fitting(played)
            top = -1
            for slot in range(world.held[seat]):
                kind = world.hands[seat, slot]
                if holds(fits, kind) and holds(world.known[seat], slot) and 4 - kind % 5 > top:
                    act, at, top = PLAYS, slot, 4 - kind % 5
            if act < 0:
                if countdown >= 0:
                    act = HINTS
                else:
                    others = 0
                    for other in range(players):
                        if other != seat:
                            for slot in range(world.held[other]):
                                others |= 1 << world.hands[other, slot]
                    one, two, _ = gone
                    critical = FIVES | (one & MIDDLE) | (two & ONES)
                    least = 99
                    for slot in range(world.held[seat]):
                        kind = world.hands[seat, slot]
                        cost = 0
                        if not holds(world.known[seat], slot):
                            cost = 5
                        elif holds(dead, kind):
                            cost = 0
                        elif holds(others, kind):
                            cost = 1
                        else:
                            cost = (20 if holds(critical, kind) else 8) - kind % 5
                        if cost < least:
                            least, at = cost, slot
                    room = CARDS - drawn - (KINDS - count_bits(dead))
                    if tokens < TOKENS and least <= 1 and (others & fits == 0 or room > slack):
                        act = DISCARDS
                    else:
                        act = HINTS if tokens > 0 else DISCARDS
        countdown -= 1 if countdown > 0 else 0
        if act == HINTS:
            if tokens > 0:
                tokens -= 1
                fits = fitting(played)
                for other in range(players):
                    if other != seat:
                        new = 0
                        for slot in range(world.held[other]):
                            if not holds(world.known[other], slot) and holds(fits, world.hands[other, slot]):
                                new = 1 << slot
                        if new == 0:
                            for slot in range(world.held[other]):
                                if count_bits(new) < told and not holds(world.known[other], slot):
                                    new |= 1 << slot
                        world.known[other] |= new
        else:
            kind = world.hands[seat, at]
            if act == PLAYS and holds(fitting(played), kind):
                played |= 1 << kind
                dead |= 1 << kind
                tokens += 1 if kind % 5 == 4 and tokens < TOKENS else 0
            else:
                if act == PLAYS:
                    lives -= 1
                    if lives == 0:
                        return 0
                else:
                    tokens += 1 if tokens < TOKENS else 0
                gone = with_copy(gone, 1 << kind)
                if not holds(dead, kind):
                    dead = dead_kinds(played, gone)
            world.held[seat] -= 1
            for slot in range(at, world.held[seat]):
                world.hands[seat, slot] = world.hands[seat, slot + 1]
            known = world.known[seat]
            world.known[seat] = (known & ((1 << at) - 1)) | (known >> (at + 1)) << at
            if drawn < CARDS:
                world.hands[seat, world.held[seat]] = world.deck[drawn]
                world.held[seat] += 1
                drawn += 1
                if drawn == CARDS:
                    countdown = players
        if countdown == 0 or dead == ALL:
            return count_bits(played)
        act = -1
        seat = seat + 1 if seat + 1 < players else 0


@compiled
def think(world: World, own: Own, c: Common, view: State, usual: Plan, least: int, weights: Numbers) -> Plan:
    """The best of the usual plan and its alternatives, over sampled worlds."""
    acts, slots = np.empty(MOST_PLANS, np.int64), np.empty(MOST_PLANS, np.int64)
    acts[0], slots[0] = usual.act, usual.slot
    plans = 1
    for slot in range(view.held[view.seat]):
        if own.kinds[slot] & ~c.fits == 0 and not (usual.act == PLAYS and usual.slot == slot) and plans < 5:
            acts[plans], slots[plans] = PLAYS, slot
            plans += 1
    if usual.act != HINTS and view.tokens > 0:
        acts[plans], slots[plans] = HINTS, 0
        plans += 1
    if usual.act != DISCARDS and may_discard(view):
        acts[plans], slots[plans] = DISCARDS, least
        plans += 1
    risky, chance = likeliest_play(own, c, view)
    if chance > 0 and view.lives > 1:
        acts[plans], slots[plans] = PLAYS, risky
        plans += 1
    if plans == 1:
        return usual
    unseen, pool = face_down_counts(view), np.empty(CARDS, np.int64)
    for place in range(CARDS):
        if view.deck[place] != FACE_DOWN:
            world.deck[place] = view.deck[place]
    most = KINDS - count_bits(c.dead & ~c.played)
    sums = np.zeros(MOST_PLANS)
    trial, worlds = int(weights[END_TRIAL]), int(weights[END_WORLDS])
    done, tries = 0, 0
    stream = open_stream(c)
    while done < worlds and tries < 4 * worlds:
        tries += 1
        if not sample(world, own, view, unseen, pool, number(stream, tries)):
            continue
        for i in range(plans if done >= trial else 1):
            score = play_on(world, own, c, view, Plan(acts[i], slots[i]), weights[SLACK], int(weights[END_TOLD]))
            sums[i] += score + int(score == most)
        done += 1
        if done == trial:
            if sums[0] >= trial * (most + 1):
                return usual
            sums[0] = 0.0
    best = 0
    sums[0] += weights[END_LOYALTY]
    for i in range(1, plans):
        if sums[i] > sums[best]:
            best = i
    return Plan(acts[best], slots[best])
