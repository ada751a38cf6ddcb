"""A stand-in for a casual human player, to measure agents with a partner like that. It is not registered.

It has the two habits that newcomers find by themselves: a fresh hint means "play this", and the oldest unmarked card is
discarded. It reads nothing else into hints, looks one turn ahead, and overlooks things.
"""

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hinting, playing, slots_of, unmarked_slots
from kibitz.games.hanabi.cards import FIVES, holds
from kibitz.games.hanabi.knowledge import awaited, critical, kind_of, possible, surely, useless
from kibitz.games.hanabi.rules import HINT, event_detail, event_move
from kibitz.games.hanabi.state import State

NOTHING = -1
OVERLOOKED = 8  # one opportunity in this many is overlooked
SURE, FRESH, PLAY_HINT, SAVE_HINT, USELESS, OLDEST = range(6)


@compiled
def sees(view: State, roll: int) -> bool:
    """Whether an opportunity is noticed this time."""
    return below(view.dice, roll, OVERLOOKED) != 0


@compiled
def newest(slots: int) -> int:
    """The newest card of some slots; there must be one."""
    slot = 0
    while slots >> (slot + 1):
        slot += 1
    return slot


@compiled
def newest_touched(view: State, seat: int, touched: int) -> int:
    """The card a hint is about: the newest it marks for the first time, else the newest it touches."""
    new = touched & unmarked_slots(view, seat)
    return newest(new if new else touched)


@compiled
def freshly_hinted(view: State) -> int:
    """The viewer's card that the latest hint since its last turn is about, or NOTHING."""
    for back in range(1, min(view.players, view.turn + 1)):
        happened = view.history[view.turn - back]
        move = event_move(happened)
        if move >= HINT and (move - HINT) // 10 == view.seat:
            return newest(event_detail(happened))
    return NOTHING


@compiled
def play(view: State, waits: int) -> int:
    """A card that must be playable, else the card of a fresh hint if it can be; with one life left only the first."""
    for slot in range(view.held[view.seat]):
        if surely(possible(view, view.seat, slot), waits) and sees(view, slot):
            return playing(view, slot, SURE)
    slot = freshly_hinted(view)
    if slot != NOTHING and view.lives > 1 and possible(view, view.seat, slot) & waits and sees(view, 10):
        return playing(view, slot, FRESH)
    return NOTHING


@compiled
def knows_a_play(view: State, seat: int, waits: int) -> bool:
    """Whether a player holds a marked playable card."""
    return slots_of(view, seat, waits) & ~unmarked_slots(view, seat) != 0


@compiled
def play_hint(view: State, waits: int) -> int:
    """Hint a playable card of the nearest player without a marked one, so that the hint is about that card."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        if knows_a_play(view, seat, waits) or not sees(view, 10 + step):
            continue
        for slot in range(view.held[seat] - 1, -1, -1):
            kind = kind_of(view, seat, slot)
            if holds(waits, kind):
                for rank in (True, False):
                    named = 0
                    for other in range(view.held[seat]):
                        copy = kind_of(view, seat, other)
                        same = copy % 5 == kind % 5 if rank else copy // 5 == kind // 5
                        named |= same << other
                    if newest_touched(view, seat, named) == slot:
                        return hinting(view, seat, slot, rank, PLAY_HINT)
    return NOTHING


@compiled
def save_hint(view: State) -> int:
    """Hint the next player's oldest unmarked card if it is critical: a five by rank, another by either property."""
    seat = (view.seat + 1) % view.players
    free = unmarked_slots(view, seat)
    if free == 0 or not sees(view, 20):
        return NOTHING
    slot = lowest_bit(free)
    kind = kind_of(view, seat, slot)
    if not holds(critical(view), kind):
        return NOTHING
    return hinting(view, seat, slot, holds(FIVES, kind) or below(view.dice, 21, 2) == 0, SAVE_HINT)


@compiled
def discard(view: State) -> int:
    """A card known to be useless, else the oldest unmarked card, else the oldest."""
    dead = useless(view)
    for slot in range(view.held[view.seat]):
        if surely(possible(view, view.seat, slot), dead) and sees(view, 30 + slot):
            return discarding(view, slot, USELESS)
    free = unmarked_slots(view, view.seat)
    return discarding(view, lowest_bit(free) if free else 0, OLDEST)


@agent(
    title="Casual Chris",
    reasons=(
        "I play {card}{fits}",
        "I play {card}: you just gave me a hint about it",
        "I {move}: {card} can be played",
        "I {move}: {card} is the last of its kind",
        "I discard {card}: it can never be played{useless}",
        "I discard {card}: it is the oldest without a hint{risk}",
    ),
    origin="kibitz",
    random=True,
)
def human_proxy(view: State) -> int:
    """Plays freshly hinted cards, hints playable cards to the nearest player who needs it, and overlooks some things.

    It misses one in eight chances to play, to hint or to save a card.
    """
    waits = awaited(view)
    decided = play(view, waits)
    if decided == NOTHING and view.tokens > 0:
        decided = save_hint(view)
        if decided == NOTHING:
            decided = play_hint(view, waits)
    return decided if decided != NOTHING else discard(view)
