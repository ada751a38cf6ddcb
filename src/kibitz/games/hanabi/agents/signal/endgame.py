"""Endgame search: every sensible move is played out in sampled worlds.

In these worlds players know the cards that hints identified, and each further hint identifies one more card per player.
The random numbers come from the open cards, so anyone who reconstructs this player's view can predict its move.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import SMALL, compiled, struct_dtype
from kibitz.engine.seeds import below, number
from kibitz.games.hanabi.agents.choices import may_discard
from kibitz.games.hanabi.agents.signal.action_selection import DISCARDS, HINTS, PLAYS, Action
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, mask, single
from kibitz.games.hanabi.agents.signal.own_hand import OwnHand, likeliest_play
from kibitz.games.hanabi.cards import ALL, FIVES, KINDS, MIDDLE, ONES, holds
from kibitz.games.hanabi.knowledge import discards, exhausted, fitting, with_copy
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, HAND, SEATS, TOKENS, State
from kibitz.games.hanabi.worlds import face_down_counts

MAX_ACTIONS = 8
COPY, UNKNOWN, NEEDED, CRITICAL = 1, 5, 8, 20  # discard costs in rollouts

# A sampled world in a rollout.
WORLD_FIELDS: list[tuple[Any, ...]] = [
    ("deck", SMALL, CARDS),  # the kind of every card
    ("hands", SMALL, (SEATS, HAND)),  # kinds
    ("held", SMALL, SEATS),
    ("known", SMALL, SEATS),  # the slots of cards that their holders know
    ("played", np.int64), ("useless", np.int64),
    ("one", np.int64), ("two", np.int64), ("three", np.int64),  # kinds with at least 1, 2, 3 copies gone
    ("players", np.int64), ("seat", np.int64),  # the player to move
    ("tokens", np.int64), ("lives", np.int64), ("drawn", np.int64), ("countdown", np.int64),
]  # fmt: skip
ENDGAME_WORLD = struct_dtype(WORLD_FIELDS)
World: Any = Any  # a struct of the type ENDGAME_WORLD


class EndgameBudget(NamedTuple):
    """The parameters of the search."""

    worlds: int  # to sample,
    trial_worlds: int  # unless the usual move is perfect in the first few
    min_gain: float  # points that another move must gain, summed over the worlds
    slack: float  # players in rollouts discard while the pace is above this
    cards_per_hint: int  # that a hint identifies to a player without a playable card


@compiled
def open_stream(c: CommonKnowledge) -> int:
    """The stream of this turn's random numbers, from the open cards."""
    return number(c.played ^ (c.discarded[0] << 25), c.turn)


@compiled
def dead_kinds(played: int, gone: Any) -> int:
    blocked = exhausted(gone) & ~played
    for _ in range(4):
        blocked |= (blocked << 1) & ~ONES
    return (blocked | played) & ALL


@compiled
def sample_world(world: World, own: OwnHand, view: State, unseen: Any, pool: Any, stream: int) -> bool:
    """Sample the hidden cards, the player's own hand by its possible kinds; whether that was possible."""
    me = view.seat
    total = 0
    for kind in range(KINDS):
        for _ in range(unseen[kind]):
            pool[total] = kind
            total += 1
    done = 0
    for _ in range(view.held[me]):  # the card with the fewest kinds first
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
def start_rollout(world: World, own: OwnHand, c: CommonKnowledge, view: State) -> None:
    """Set up the table with the cards of the world. Players know a card if they know what to do with it."""
    world.players, world.seat = view.players, view.seat
    world.played, world.useless = view.played, c.useless
    world.one, world.two, world.three = discards(view)
    world.tokens, world.lives, world.drawn, world.countdown = view.tokens, view.lives, view.drawn, view.countdown
    for seat in range(view.players):
        world.held[seat] = view.held[seat]
        known = 0
        for slot in range(view.held[seat]):
            world.hands[seat, slot] = world.deck[view.hands[seat][slot]]
            kinds = own.kinds[slot] if seat == view.seat else mask(c, seat, slot)
            known |= int(single(kinds) or kinds & ~c.playable == 0 or kinds & ~c.useless == 0) << slot
        world.known[seat] = known


@compiled
def rollout_policy(world: World, slack: float) -> Action:
    """The rollout policy: play the lowest known playable card, discard a cheap card, or hint."""
    seat = world.seat
    playable = fitting(world.played)
    best, lowest = -1, 5
    for slot in range(world.held[seat]):
        kind = world.hands[seat, slot]
        if holds(playable, kind) and holds(world.known[seat], slot) and kind % 5 < lowest:
            best, lowest = slot, kind % 5
    if best >= 0:
        return Action(PLAYS, best)
    if world.countdown >= 0:
        return Action(HINTS, 0)
    others = 0
    for other in range(world.players):
        if other != seat:
            for slot in range(world.held[other]):
                others |= 1 << world.hands[other, slot]
    slot, cost = cheapest_discard_in(world, others)
    pace = CARDS - world.drawn - (KINDS - count_bits(world.useless))
    if world.tokens < TOKENS and cost <= COPY and (others & playable == 0 or pace > slack):
        return Action(DISCARDS, slot)
    return Action(HINTS if world.tokens > 0 else DISCARDS, slot)


@compiled
def cheapest_discard_in(world: World, others: int) -> tuple[int, int]:
    """The cheapest discard of the player to move, and its cost: useless, a copy, unknown, needed, critical."""
    seat = world.seat
    critical = FIVES | (world.one & MIDDLE) | (world.two & ONES)
    best, least = 0, 99
    for slot in range(world.held[seat]):
        kind = world.hands[seat, slot]
        if not holds(world.known[seat], slot):
            cost = UNKNOWN
        elif holds(world.useless, kind):
            cost = 0
        elif holds(others, kind):
            cost = COPY
        else:
            cost = (CRITICAL if holds(critical, kind) else NEEDED) - kind % 5
        if cost < least:
            best, least = slot, cost
    return best, least


@compiled
def give_hint(world: World, cards_per_hint: int) -> None:
    """Every other player learns of a playable card, or else of up to `cards_per_hint` others."""
    world.tokens -= 1
    playable = fitting(world.played)
    for other in range(world.players):
        if other != world.seat:
            new, more = 0, 0
            for slot in range(world.held[other]):
                if not holds(world.known[other], slot):
                    if holds(playable, world.hands[other, slot]):
                        new = 1 << slot
                    if count_bits(more) < cards_per_hint:
                        more |= 1 << slot
            world.known[other] |= new if new else more


@compiled
def play_or_discard(world: World, slot: int, plays: bool) -> None:
    """Play or discard a card, and draw."""
    seat = world.seat
    kind = world.hands[seat, slot]
    if plays and holds(fitting(world.played), kind):
        world.played |= 1 << kind
        world.useless |= 1 << kind
        world.tokens += int(kind % 5 == 4 and world.tokens < TOKENS)
    else:
        world.lives -= int(plays)
        world.tokens += int(not plays and world.tokens < TOKENS)
        gone = with_copy((world.one, world.two, world.three), 1 << kind)
        world.one, world.two, world.three = gone
        if not holds(world.useless, kind):
            world.useless = dead_kinds(world.played, gone)
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
def rollout(
    world: World, own: OwnHand, c: CommonKnowledge, view: State, first: Action, slack: float, cards_per_hint: int
) -> int:
    """Make a move and play to the end; the score, 0 if the game is lost."""
    start_rollout(world, own, c, view)
    act, slot = int(first.act), int(first.slot)
    while True:
        world.countdown -= int(world.countdown > 0)
        if act != HINTS:
            play_or_discard(world, slot, act == PLAYS)
        elif world.tokens > 0:
            give_hint(world, cards_per_hint)
        if world.lives == 0:
            return 0
        if world.countdown == 0 or world.useless == ALL:
            return count_bits(world.played)
        world.seat = world.seat + 1 if world.seat + 1 < world.players else 0
        action = rollout_policy(world, slack)
        act, slot = int(action.act), int(action.slot)


@compiled
def search_endgame(
    world: World, own: OwnHand, c: CommonKnowledge, view: State, expected: Action, least: int, budget: EndgameBudget
) -> Action:
    """The best of the plan by rules of thumb and its alternatives, over sampled worlds."""
    acts, slots = np.empty(MAX_ACTIONS, np.int64), np.empty(MAX_ACTIONS, np.int64)
    acts[0], slots[0] = expected.act, expected.slot
    actions = 1
    for slot in range(view.held[view.seat]):
        if own.kinds[slot] & ~c.playable == 0 and not (expected.act == PLAYS and expected.slot == slot) and actions < 5:
            acts[actions], slots[actions] = PLAYS, slot
            actions += 1
    if expected.act != HINTS and view.tokens > 0:
        acts[actions], slots[actions] = HINTS, 0
        actions += 1
    if expected.act != DISCARDS and may_discard(view):
        acts[actions], slots[actions] = DISCARDS, least
        actions += 1
    risky, chance = likeliest_play(own, c, view)
    if chance > 0 and view.lives > 1:
        acts[actions], slots[actions] = PLAYS, risky
        actions += 1
    if actions == 1:
        return expected
    unseen, pool = face_down_counts(view), np.empty(CARDS, np.int64)
    for place in range(CARDS):
        if view.deck[place] != FACE_DOWN:
            world.deck[place] = view.deck[place]
    most = KINDS - count_bits(c.useless & ~c.played)
    sums = np.zeros(MAX_ACTIONS)
    trial_worlds, worlds = budget.trial_worlds, budget.worlds
    done, tries = 0, 0
    stream = open_stream(c)
    while done < worlds and tries < 4 * worlds:
        tries += 1
        if not sample_world(world, own, view, unseen, pool, number(stream, tries)):
            continue
        for i in range(actions if done >= trial_worlds else 1):
            score = rollout(world, own, c, view, Action(acts[i], slots[i]), budget.slack, budget.cards_per_hint)
            sums[i] += score + int(score == most)
        done += 1
        if done == trial_worlds:
            if sums[0] >= trial_worlds * (most + 1):
                return expected
            sums[0] = 0.0
    best = 0
    sums[0] += budget.min_gain
    for i in range(1, actions):
        if sums[i] > sums[best]:
            best = i
    return Action(acts[best], slots[best])
