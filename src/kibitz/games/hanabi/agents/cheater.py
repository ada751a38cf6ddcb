"""Two agents that see their own hand, as upper bounds: one acts at random, the other thinks."""

from kibitz.engine.bits import chosen_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import (
    avalanches,
    discarding,
    hand,
    held_elsewhere,
    lowest_ranks,
    playing,
    random_hint,
    slots_of,
)
from kibitz.games.hanabi.knowledge import critical, kind_of, playable, useless
from kibitz.games.hanabi.state import State

ORIGIN = "Jarząbek & Leja 2020, sections 4.1 and 4.2"


@agent(
    title="Peeking Pip",
    reasons=("I play {card}{fits}", "No card of mine can be played, so I discard {card} at random"),
    origin=ORIGIN,
    cheats=True,
    random=True,
)
def cheater(view: State) -> int:
    """Peeks at its hand: plays a random playable card, else discards a random card. Never hints."""
    me = view.seat
    fitting = slots_of(view, me, playable(view))
    if fitting:
        return playing(view, chosen_bit(fitting, view.dice, 0), 0)
    return discarding(view, chosen_bit(hand(view, me), view.dice, 0), 1)


PLAY, PATIENT_PASS, USELESS, LATE_PASS, COPY, NOT_CRITICAL, HIGHEST = range(7)


@compiled
def others_without_useless(view: State, dead: int) -> int:
    stuck = 0
    for seat in range(view.players):
        if seat != view.seat and not slots_of(view, seat, dead):
            stuck += 1
    return stuck


@agent(
    title="Sly Sydney",
    reasons=(
        "I play {card}{fits}",
        "To pass, I {move}: there are tokens to spare, and a discard would waste a turn",
        "I discard {card}: it can never be played{useless}",
        "To pass, I {move}: none of my cards is useless yet",
        "I discard {card}: another player holds a copy of it",
        "I discard {card}: that loses nothing for good{free}",
        "I discard {card}: all my cards are last copies we need, and it is the highest",
    ),
    origin=ORIGIN,
    cheats=True,
    random=True,
)
def smart_cheater(view: State) -> int:
    """Peeks at its hand and thinks: plays what lets others continue a pile, passes while tokens last, and discards
    only what nobody will miss."""
    me = view.seat
    dead = useless(view)
    now = playable(view)
    fitting = slots_of(view, me, now)
    if fitting:
        avalanche = slots_of(view, me, now & avalanches(view))
        best = lowest_ranks(view, me, avalanche if avalanche else fitting)
        return playing(view, chosen_bit(best, view.dice, 0), PLAY)
    if view.tokens > 1 + others_without_useless(view, dead):
        return decision(random_hint(view, 0), PATIENT_PASS)
    useless_here = slots_of(view, me, dead)
    if useless_here:
        return discarding(view, chosen_bit(useless_here, view.dice, 0), USELESS)
    if view.tokens > 0:
        return decision(random_hint(view, 0), LATE_PASS)
    copies = slots_of(view, me, held_elsewhere(view))
    if copies:
        return discarding(view, chosen_bit(copies, view.dice, 0), COPY)
    spare = slots_of(view, me, ~critical(view))
    if spare:
        return discarding(view, chosen_bit(spare, view.dice, 0), NOT_CRITICAL)
    return discarding(view, chosen_bit(highest_ranks(view, me), view.dice, 0), HIGHEST)


@compiled
def highest_ranks(view: State, seat: int) -> int:
    highest, best = -1, 0
    for slot in range(view.held[seat]):
        rank = kind_of(view, seat, slot) % 5
        if rank > highest:
            highest, best = rank, 0
        if rank == highest:
            best |= 1 << slot
    return best
