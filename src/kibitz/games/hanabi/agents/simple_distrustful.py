"""A first-time player: takes no risk, reads no meaning into hints, and hints low cards first."""

from dataclasses import replace

from kibitz.core.weights import Numbers, Weights
from kibitz.engine.bits import chosen_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hand, hinting, least_known, playing, revealed_slots
from kibitz.games.hanabi.cards import OF_RANK, holds
from kibitz.games.hanabi.knowledge import critical, kind_of, marked_elsewhere, playable, revealed, surely
from kibitz.games.hanabi.state import RANK_MARK, State

OBVIOUS_PLAY, VALUABLE_HINT, UNKNOWN, NOT_CRITICAL, ANY = range(5)
NOBODY = -1
ORIGIN = "Jarząbek & Leja 2020, section 4.5"


@compiled
def obvious_play(view: State) -> int:
    """The slot of a card that must be playable, the lowest rank first, or −1: it is revealed and playable, or its rank
    is playable on every pile."""
    now = playable(view)
    best, lowest = -1, 5
    for slot in range(view.held[view.seat]):
        kinds = view.hinted_kinds[view.seat][slot]
        for rank in range(lowest):
            if kinds & ~OF_RANK[rank] == 0:
                in_full = revealed(view, view.seat, slot) and surely(kinds, now)
                every_pile = surely(OF_RANK[rank], now) and view.marks[view.seat][slot] & RANK_MARK
                if in_full or every_pile:
                    best, lowest = slot, rank
    return best


@compiled
def valuable_hint(view: State, nearest_first: bool) -> tuple[int, int]:
    """The seat and slot of the lowest card that is not on its pile, not revealed, and has no marked copy elsewhere: of
    the nearest player who holds one, or of the whole table, and then the nearest player's on ties."""
    best_seat, best_slot, lowest = NOBODY, 0, 5
    for step in range(1, view.players):
        if nearest_first and best_seat != NOBODY:
            break
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if (
                kind % 5 < lowest
                and not holds(view.played, kind)
                and not revealed(view, seat, slot)
                and not marked_elsewhere(view, kind, seat, slot)
            ):
                best_seat, best_slot, lowest = seat, slot, kind % 5
    return best_seat, best_slot


@agent(
    title="Simple Sam",
    reasons=(
        "I play {card}{fits}",
        "I {move}: {card} is the lowest card that we need and no hint has shown",
        "I discard {card}, as I know least about it{risk}",
        "I discard {card}: by hints alone, it need not be a last copy{risk}",
        "I discard {card} at random: all my cards are last copies we need",
    ),
    origin=f"{ORIGIN}; improved: it hints the lowest card of the whole table, and keeps one token in reserve",
    random=True,
    weights=Weights([0.0, 1.0, 1.0], ("nearest_first", "unmarked_first", "reserve")),
)
def simple_distrustful(view: State, weights: Numbers) -> int:
    """Plays only what must be playable, hints the lowest card still needed, and otherwise discards a card it knows
    little about. It keeps one token in reserve."""
    nearest_first, unmarked_first, reserve = weights[0] > 0, weights[1] > 0, weights[2]
    slot = obvious_play(view)
    if slot >= 0:
        return playing(view, slot, OBVIOUS_PLAY)
    if view.tokens > reserve:
        seat, slot = valuable_hint(view, nearest_first)
        if seat != NOBODY:
            rank = not view.marks[seat][slot] & RANK_MARK
            return hinting(view, seat, slot, rank, VALUABLE_HINT)
    unknown = least_known(view) if unmarked_first else hand(view, view.seat) & ~revealed_slots(view, view.seat)
    if unknown:
        return discarding(view, chosen_bit(unknown, view.dice, 0), UNKNOWN)
    spare = not_surely_critical(view)
    if spare:
        return discarding(view, chosen_bit(spare, view.dice, 0), NOT_CRITICAL)
    return discarding(view, chosen_bit(hand(view, view.seat), view.dice, 0), ANY)


@compiled
def not_surely_critical(view: State) -> int:
    slots = 0
    for slot in range(view.held[view.seat]):
        if not surely(view.hinted_kinds[view.seat][slot], critical(view)):
            slots |= 1 << slot
    return slots


simple_distrustful_2020 = replace(
    simple_distrustful,
    name="simple_distrustful_2020",
    title="Simple Sacha",
    description="Plays only what must be playable, hints the nearest player's lowest card still needed, and otherwise "
    "discards a card it knows little about.",
    origin=f"{ORIGIN}, to the letter",
    weights=simple_distrustful.weights.but({"nearest_first": 1.0, "reserve": 0.0}),
)
