"""Two agents without a plan: one acts at random, the other never takes a risk."""

from kibitz.engine.bits import chosen_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import (
    discarding,
    hand,
    least_known,
    may_discard,
    playing,
    random_new_hint,
    revealed_slots,
)
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import playable
from kibitz.games.hanabi.state import TOKENS, State

ORIGIN = "Jarząbek & Leja 2020, sections 4.3 and 4.4"
PLAY, DISCARD, HINT = range(3)


@compiled
def revealed_playable(view: State) -> int:
    """The slots in the viewer's hand whose card is revealed and playable."""
    slots = 0
    now = playable(view)
    for slot in range(view.held[view.seat]):
        if holds(revealed_slots(view, view.seat), slot) and view.hinted_kinds[view.seat][slot] & ~now == 0:
            slots |= 1 << slot
    return slots


@agent(
    title="Erratic Ellis",
    reasons=(
        "I have no plan, so I play {card}{odds}",
        "I have no plan, so I discard {card}{risk}",
        "I have no plan, so I give a hint about {card}",
    ),
    origin=ORIGIN,
    random=True,
)
def erratic(view: State) -> int:
    """Plays, discards or hints with equal probability. If it plays, it prefers a card it knows to be playable."""
    actions = 1 << PLAY
    if may_discard(view):
        actions |= 1 << DISCARD
    if view.tokens > 0:
        actions |= 1 << HINT
    action = chosen_bit(actions, view.dice, 0)
    mine = hand(view, view.seat)
    if action == PLAY:
        known = revealed_playable(view)
        return playing(view, chosen_bit(known if known else mine, view.dice, 1), PLAY)
    if action == DISCARD:
        return discarding(view, chosen_bit(mine, view.dice, 1), DISCARD)
    return random_new_hint(view, 1, HINT)


@agent(
    title="Drifting Drew",
    reasons=(
        "Hints revealed {card}, so I play it{fits}",
        "I discard {card}, as I know least about it{risk}",
        "I give a random new hint about {card}",
    ),
    origin=ORIGIN,
    random=True,
)
def stopped_clock(view: State) -> int:
    """Tries to play, discard and hint in random order, each only if it knows of no harm: it plays revealed cards,
    discards what it knows least about, and hints what was not hinted yet."""
    first = below(view.dice, 0, 3)
    second = (first + 1 + below(view.dice, 1, 2)) % 3
    for action in (first, second, 3 - first - second):
        if action == PLAY:
            known = revealed_playable(view)
            if known:
                return playing(view, chosen_bit(known, view.dice, 2), PLAY)
        elif action == DISCARD:
            if view.tokens < TOKENS:
                unknown = least_known(view)
                return discarding(
                    view, chosen_bit(unknown if unknown else hand(view, view.seat), view.dice, 2), DISCARD
                )
        elif view.tokens > 0:
            return random_new_hint(view, 2, HINT)
    return 0
