"""Two agents without a plan: one acts at random, the other never takes a risk."""

from dataclasses import replace

from kibitz.core.weights import Numbers, Weights
from kibitz.engine.bits import chosen_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.engine.seeds import below
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import (
    discarding,
    hand,
    least_known,
    may_discard,
    playing,
    random_hint,
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
        "I have no plan, so I {move}",
    ),
    origin=f"{ORIGIN}; improved: it plays a card it knows to be playable, and its hints are new",
    random=True,
    weights=Weights([1.0], ("informed",)),  # 0: all details of a move are random
)
def erratic(view: State, weights: Numbers) -> int:
    """Plays, discards or hints with equal probability. If it plays, it prefers a card it knows to be playable."""
    actions = 1 << PLAY
    if may_discard(view):
        actions |= 1 << DISCARD
    if view.tokens > 0:
        actions |= 1 << HINT
    action = chosen_bit(actions, view.dice, 0)
    mine = hand(view, view.seat)
    if action == PLAY:
        known = revealed_playable(view) if weights[0] > 0 else 0
        return playing(view, chosen_bit(known if known else mine, view.dice, 1), PLAY)
    if action == DISCARD:
        return discarding(view, chosen_bit(mine, view.dice, 1), DISCARD)
    return random_new_hint(view, 1, HINT) if weights[0] > 0 else decision(random_hint(view, 1), HINT)


erratic_2020 = replace(
    erratic,
    name="erratic_2020",
    title="Erratic Emery",
    description="Plays, discards or hints with equal probability, and picks the details at random.",
    origin=f"{ORIGIN}, to the letter",
    weights=erratic.weights.but({"informed": 0.0}),
)


@agent(
    title="Drifting Drew",
    reasons=(
        "Hints revealed {card}, so I play it{fits}",
        "I discard {card}, as I know least about it{risk}",
        "I {move}: a random new hint",
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
