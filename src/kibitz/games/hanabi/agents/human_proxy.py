"""A stand-in for a person who plays now and then, to measure agents beside one. It is in no catalogue.

It knows the two habits that newcomers find by themselves: a fresh hint means "play this", and the oldest card that
nothing was said of goes. It reads nothing else into a hint, looks no further than one turn, and overlooks things.
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
OVERLOOKED = 8  # one in so many things that could be seen is not seen
SURE, FRESH, PLAY_HINT, SAVE_HINT, USELESS, OLDEST = range(6)


@compiled
def sees(view: State, roll: int) -> bool:
    """Whether something that is there to be seen is noticed this time."""
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
    """The card a hint is about: the newest that was not marked before, else the newest it touches."""
    new = touched & unmarked_slots(view, seat)
    return newest(new if new else touched)


@compiled
def freshly_hinted(view: State) -> int:
    """The own card that a hint since one's last turn is about, or NOTHING; of several hints the last counts."""
    for back in range(1, min(view.players, view.turn + 1)):
        happened = view.history[view.turn - back]
        move = event_move(happened)
        if move >= HINT and (move - HINT) // 10 == view.seat:
            return newest(event_detail(happened))
    return NOTHING


@compiled
def play(view: State, waits: int) -> int:
    """A card that must fit, else the card of a fresh hint if it may fit; with one life left only what must."""
    for slot in range(view.held[view.seat]):
        if surely(possible(view, view.seat, slot), waits) and sees(view, slot):
            return playing(view, slot, SURE)
    slot = freshly_hinted(view)
    if slot != NOTHING and view.lives > 1 and possible(view, view.seat, slot) & waits and sees(view, 10):
        return playing(view, slot, FRESH)
    return NOTHING


@compiled
def knows_a_play(view: State, seat: int, waits: int) -> bool:
    """Whether a player was told of a card that fits."""
    return slots_of(view, seat, waits) & ~unmarked_slots(view, seat) != 0


@compiled
def play_hint(view: State, waits: int) -> int:
    """Tell the nearest player who knows of nothing to play of a card that fits, so that the hint is about that card."""
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
                        told = kind_of(view, seat, other)
                        same = told % 5 == kind % 5 if rank else told // 5 == kind // 5
                        named |= same << other
                    if newest_touched(view, seat, named) == slot:
                        return hinting(view, seat, slot, rank, PLAY_HINT)
    return NOTHING


@compiled
def save_hint(view: State) -> int:
    """Tell the next player of a last copy that is about to go: a five by its rank, another by its colour or rank."""
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
    """A card known to be useless, else the oldest that nothing was said of, else the oldest."""
    dead = useless(view)
    for slot in range(view.held[view.seat]):
        if surely(possible(view, view.seat, slot), dead) and sees(view, 30 + slot):
            return discarding(view, slot, USELESS)
    free = unmarked_slots(view, view.seat)
    return discarding(view, lowest_bit(free) if free else 0, OLDEST)


@agent(
    title="Casual Chris",
    reasons=(
        "sure play: {card} must fit",
        "hinted play: I was just told of {card}",
        "play hint: {card} fits",
        "save hint: {card} is the last of its kind",
        "useless discard: {card} can never be played",
        "oldest discard: nothing was said of {card}",
    ),
    origin="kibitz",
    random=True,
)
def human_proxy(view: State) -> int:
    """Plays what it was just told of, tells the nearest who needs it of a card that fits, and overlooks some things.

    One in eight chances to play, to hint or to save a card is missed.
    """
    waits = awaited(view)
    decided = play(view, waits)
    if decided == NOTHING and view.tokens > 0:
        decided = save_hint(view)
        if decided == NOTHING:
            decided = play_hint(view, waits)
    return decided if decided != NOTHING else discard(view)
