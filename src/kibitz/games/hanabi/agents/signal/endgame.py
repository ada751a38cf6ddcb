"""The end of the deck: every sensible move is played out in sampled worlds.

In such a world players know what was told, and a hint tells each of them one more card. The numbers come from what lies
open on the table, so that whoever imagines what this player saw can tell what it did.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import SMALL, compiled, struct_dtype
from kibitz.engine.seeds import below, number
from kibitz.games.hanabi.agents.choices import may_discard
from kibitz.games.hanabi.agents.signal.action_selection import DISCARDS, HINTS, PLAYS, Plan
from kibitz.games.hanabi.agents.signal.common_knowledge import Common, mask, single
from kibitz.games.hanabi.agents.signal.own_hand import Own, likeliest_play
from kibitz.games.hanabi.cards import ALL, FIVES, KINDS, MIDDLE, ONES, holds
from kibitz.games.hanabi.knowledge import discards, exhausted, fitting, with_copy
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, HAND, SEATS, TOKENS, State
from kibitz.games.hanabi.worlds import face_down_counts

MOST_PLANS = 8
COPY, UNKNOWN, NEEDED, CRITICAL = 1, 5, 8, 20  # what players of a sampled world miss in a card

# A world that is played on.
WORLD_FIELDS: list[tuple[Any, ...]] = [
    ("deck", SMALL, CARDS),  # the kind of every card
    ("hands", SMALL, (SEATS, HAND)),  # kinds
    ("held", SMALL, SEATS),
    ("known", SMALL, SEATS),  # the slots of cards that their holders know
    ("played", np.int64), ("dead", np.int64),
    ("one", np.int64), ("two", np.int64), ("three", np.int64),  # the kinds of which so many copies are gone
    ("players", np.int64), ("seat", np.int64),  # who is to move
    ("tokens", np.int64), ("lives", np.int64), ("drawn", np.int64), ("countdown", np.int64),
]  # fmt: skip
END_WORLD = struct_dtype(WORLD_FIELDS)
World: Any = Any  # a struct of the type END_WORLD


class Effort(NamedTuple):
    """How the end is thought through."""

    worlds: int  # that are sampled,
    trial: int  # unless the usual move ends as well as can be in so many of them
    loyalty: float  # points, over all worlds, that another move must gain
    slack: float  # players of a world throw cards away while more cards are to be drawn than to be played, by more
    told: int  # cards that a hint tells somebody for whom nothing fits


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
def set_up(world: World, own: Own, c: Common, view: State) -> None:
    """The table as it lies, with the cards of the world. Players know a card if they know what to do with it."""
    world.players, world.seat = view.players, view.seat
    world.played, world.dead = view.played, c.dead
    world.one, world.two, world.three = discards(view)
    world.tokens, world.lives, world.drawn, world.countdown = view.tokens, view.lives, view.drawn, view.countdown
    for seat in range(view.players):
        world.held[seat] = view.held[seat]
        known = 0
        for slot in range(view.held[seat]):
            world.hands[seat, slot] = world.deck[view.hands[seat][slot]]
            kinds = own.kinds[slot] if seat == view.seat else mask(c, seat, slot)
            known |= int(single(kinds) or kinds & ~c.fits == 0 or kinds & ~c.dead == 0) << slot
        world.known[seat] = known


@compiled
def usual(world: World, slack: float) -> Plan:
    """What a player of the world does: play the lowest known card that fits, throw away what can be spared, or hint."""
    seat = world.seat
    fits = fitting(world.played)
    best, lowest = -1, 5
    for slot in range(world.held[seat]):
        kind = world.hands[seat, slot]
        if holds(fits, kind) and holds(world.known[seat], slot) and kind % 5 < lowest:
            best, lowest = slot, kind % 5
    if best >= 0:
        return Plan(PLAYS, best)
    if world.countdown >= 0:
        return Plan(HINTS, 0)
    others = 0
    for other in range(world.players):
        if other != seat:
            for slot in range(world.held[other]):
                others |= 1 << world.hands[other, slot]
    slot, cost = cheapest_in(world, others)
    room = CARDS - world.drawn - (KINDS - count_bits(world.dead))
    if world.tokens < TOKENS and cost <= COPY and (others & fits == 0 or room > slack):
        return Plan(DISCARDS, slot)
    return Plan(HINTS if world.tokens > 0 else DISCARDS, slot)


@compiled
def cheapest_in(world: World, others: int) -> tuple[int, int]:
    """The card that the player to move misses least, and how much: nothing, a copy, an unknown card, a needed one."""
    seat = world.seat
    critical = FIVES | (world.one & MIDDLE) | (world.two & ONES)
    best, least = 0, 99
    for slot in range(world.held[seat]):
        kind = world.hands[seat, slot]
        if not holds(world.known[seat], slot):
            cost = UNKNOWN
        elif holds(world.dead, kind):
            cost = 0
        elif holds(others, kind):
            cost = COPY
        else:
            cost = (CRITICAL if holds(critical, kind) else NEEDED) - kind % 5
        if cost < least:
            best, least = slot, cost
    return best, least


@compiled
def hint_in(world: World, told: int) -> None:
    """Everybody else learns of a card that fits, or else of so many others."""
    world.tokens -= 1
    fits = fitting(world.played)
    for other in range(world.players):
        if other != world.seat:
            new, more = 0, 0
            for slot in range(world.held[other]):
                if not holds(world.known[other], slot):
                    if holds(fits, world.hands[other, slot]):
                        new = 1 << slot
                    if count_bits(more) < told:
                        more |= 1 << slot
            world.known[other] |= new if new else more


@compiled
def take_in(world: World, slot: int, plays: bool) -> None:
    """Play or discard a card, and draw."""
    seat = world.seat
    kind = world.hands[seat, slot]
    if plays and holds(fitting(world.played), kind):
        world.played |= 1 << kind
        world.dead |= 1 << kind
        world.tokens += int(kind % 5 == 4 and world.tokens < TOKENS)
    else:
        world.lives -= int(plays)
        world.tokens += int(not plays and world.tokens < TOKENS)
        gone = with_copy((world.one, world.two, world.three), 1 << kind)
        world.one, world.two, world.three = gone
        if not holds(world.dead, kind):
            world.dead = dead_kinds(world.played, gone)
    world.held[seat] -= 1
    for after in range(slot, world.held[seat]):
        world.hands[seat, after] = world.hands[seat, after + 1]
    known = world.known[seat]
    world.known[seat] = (known & ((1 << slot) - 1)) | (known >> (slot + 1)) << slot
    if world.drawn < CARDS:
        world.hands[seat, world.held[seat]] = world.deck[world.drawn]
        world.held[seat] += 1
        world.drawn += 1
        if world.drawn == CARDS:
            world.countdown = world.players


@compiled
def play_on(world: World, own: Own, c: Common, view: State, first: Plan, slack: float, told: int) -> int:
    """Make a move and play to the end; the score, which is nothing if the game is lost."""
    set_up(world, own, c, view)
    act, slot = int(first.act), int(first.slot)
    while True:
        world.countdown -= int(world.countdown > 0)
        if act != HINTS:
            take_in(world, slot, act == PLAYS)
        elif world.tokens > 0:
            hint_in(world, told)
        if world.lives == 0:
            return 0
        if world.countdown == 0 or world.dead == ALL:
            return count_bits(world.played)
        world.seat = world.seat + 1 if world.seat + 1 < world.players else 0
        plan = usual(world, slack)
        act, slot = int(plan.act), int(plan.slot)


@compiled
def think(world: World, own: Own, c: Common, view: State, expected: Plan, least: int, effort: Effort) -> Plan:
    """The best of the plan by rules of thumb and its alternatives, over sampled worlds."""
    acts, slots = np.empty(MOST_PLANS, np.int64), np.empty(MOST_PLANS, np.int64)
    acts[0], slots[0] = expected.act, expected.slot
    plans = 1
    for slot in range(view.held[view.seat]):
        if own.kinds[slot] & ~c.fits == 0 and not (expected.act == PLAYS and expected.slot == slot) and plans < 5:
            acts[plans], slots[plans] = PLAYS, slot
            plans += 1
    if expected.act != HINTS and view.tokens > 0:
        acts[plans], slots[plans] = HINTS, 0
        plans += 1
    if expected.act != DISCARDS and may_discard(view):
        acts[plans], slots[plans] = DISCARDS, least
        plans += 1
    risky, chance = likeliest_play(own, c, view)
    if chance > 0 and view.lives > 1:
        acts[plans], slots[plans] = PLAYS, risky
        plans += 1
    if plans == 1:
        return expected
    unseen, pool = face_down_counts(view), np.empty(CARDS, np.int64)
    for place in range(CARDS):
        if view.deck[place] != FACE_DOWN:
            world.deck[place] = view.deck[place]
    most = KINDS - count_bits(c.dead & ~c.played)
    sums = np.zeros(MOST_PLANS)
    trial, worlds = effort.trial, effort.worlds
    done, tries = 0, 0
    stream = open_stream(c)
    while done < worlds and tries < 4 * worlds:
        tries += 1
        if not sample(world, own, view, unseen, pool, number(stream, tries)):
            continue
        for i in range(plans if done >= trial else 1):
            score = play_on(world, own, c, view, Plan(acts[i], slots[i]), effort.slack, effort.told)
            sums[i] += score + int(score == most)
        done += 1
        if done == trial:
            if sums[0] >= trial * (most + 1):
                return expected
            sums[0] = 0.0
    best = 0
    sums[0] += effort.loyalty
    for i in range(1, plans):
        if sums[i] > sums[best]:
            best = i
    return Plan(acts[best], slots[best])
