"""Action selection: the best play, discard and hint by the learner's tables, and the choice among the three.

The same functions choose in training, with exploration bonuses and some random moves, and in play, without them.
"""

from typing import NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.bits import chosen_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below
from kibitz.games.hanabi.agents.choices import HINTS, avalanches, may_discard, slots_of
from kibitz.games.hanabi.agents.reinforced.notes import Notes, card_note, hint_note, unnoted
from kibitz.games.hanabi.agents.reinforced.situations import (
    DISCARD_IT,
    FOR_ACTIONS,
    HINT_IT,
    IDEAS,
    LOOK_AHEAD,
    PARTNERS,
    PLAY_IT,
    PLAYS_FROM,
    RIGHT,
    WAITS,
    WRONG,
    HintEffect,
    Intention,
    Own,
    action_situation,
    discard_situation,
    hint_situation,
    place_of,
    play_situation,
)
from kibitz.games.hanabi.agents.tips import Outlook, outlook, touched_by, touches, unhinted
from kibitz.games.hanabi.analytics import unseen_copies
from kibitz.games.hanabi.cards import ALL, hinted_kinds, holds
from kibitz.games.hanabi.knowledge import Copies, fitting, kind_of, surely
from kibitz.games.hanabi.rules import DISCARD, HINT, legal
from kibitz.games.hanabi.state import State

NO_HINT = -1
ANY = -1


class ValueTables(NamedTuple):
    """The learned value of every situation, and its exploration bonus; no bonuses outside of training."""

    values: Numbers
    bonuses: Numbers


class Option(NamedTuple):
    """A move with its situation, the situation's value, and the value plus the exploration bonus."""

    move: int
    situation: int
    value: float
    score: float


class Choice(NamedTuple):
    """A move, and the two situations behind it: of the action, and of the card or hint."""

    move: int
    action: int
    detail: int


NOTHING = -1.0


@compiled
def ideas_of(values: Numbers) -> int:
    return int(values[IDEAS])


@compiled
def bonus(tables: ValueTables, situation: int) -> float:
    return tables.bonuses[situation] if tables.bonuses.shape[0] else 0.0


@compiled
def better(best: Option, move: int, situation: int, tables: ValueTables) -> Option:
    """The better of two options, the first on ties."""
    value = tables.values[situation]
    score = value + bonus(tables, situation)
    return Option(move, situation, value, score) if score > best.score else best


# The player's own hand


@compiled
def of_own_hand(view: State, notes: Notes, look: Outlook, tables: ValueTables, wanted: int) -> tuple[Option, Option]:
    """The best play and the best discard from the player's own hand."""
    me, ideas = view.seat, ideas_of(tables.values)
    unseen, unmarked = unseen_copies(view, me), unnoted(view, me, notes)
    play = discard = Option(ANY, 0, NOTHING, NOTHING)
    for slot in range(view.held[me]):
        if holds(wanted, slot):
            kinds, note = view.hinted_kinds[me][slot] & unseen[0], notes.of_card[view.hands[me][slot]]
            card = Own(kinds, unseen, note, view.marks[me][slot] & 3, place_of(slot, view.held[me], unmarked))
            situation = play_situation(card, look, view.played, view.turn, view.players, view.tokens, ideas)
            play = better(play, slot, situation, tables)
            situation = discard_situation(card, look, view.played, view.tokens, ideas)
            discard = better(discard, DISCARD + slot, situation, tables)
    return play, discard


# Other hands


class Receiver(NamedTuple):
    """A possible receiver of a hint, with the table as it is expected when it is to move."""

    seat: int
    distance: int
    unseen: Copies
    unmarked: int
    look: Outlook
    played: int


@compiled
def kinds_after_hint(view: State, seat: int, slot: int, value: int, touched: int) -> int:
    """The kinds a card can be by all hints and one more, which touches these slots, or NO_HINT."""
    left = view.hinted_kinds[seat][slot] & ALL
    if value == NO_HINT:
        return left
    named = hinted_kinds(value)
    return left & named if holds(touched, slot) else left & ~named


@compiled
def intention(view: State, notes: Notes, other: Receiver, values: Numbers, value: int, touched: int) -> Intention:
    """The play that another player prefers after a hint, or after NO_HINT, by the same tables."""
    hint = hint_note(value, touched, other.unmarked, view.turn + 1)
    best = Intention(0, NOTHING)
    held, turn = view.held[other.seat], view.turn + other.distance
    tokens = view.tokens - (0 if value == NO_HINT else 1)
    for slot in range(held):
        note, marks = notes.of_card[view.hands[other.seat][slot]], view.marks[other.seat][slot] & 3
        if holds(touched, slot):
            note, marks = card_note(hint, touched, other.unmarked, slot), marks | (2 if value >= 5 else 1)
        kinds = kinds_after_hint(view, other.seat, slot, value, touched) & other.unseen[0]
        card = Own(kinds, other.unseen, note, marks, place_of(slot, held, other.unmarked & ~touched))
        situation = play_situation(card, other.look, other.played, turn, view.players, tokens, ideas_of(values))
        if values[situation] > best.value:
            best = Intention(slot | 0, values[situation])  # int64, like the first
    return best


@compiled
def outcome(view: State, other: Receiver, intended: Intention) -> int:
    if intended.value < PLAYS_FROM:
        return WAITS
    return RIGHT if holds(other.look.playable, kind_of(view, other.seat, intended.slot)) else WRONG


@compiled
def surely_useless(view: State, other: Receiver, value: int, touched: int) -> int:
    """The slots that a player knows to be useless after a hint, or after NO_HINT."""
    slots = 0
    for slot in range(view.held[other.seat]):
        kinds = kinds_after_hint(view, other.seat, slot, value, touched) & other.unseen[0]
        slots |= surely(kinds, other.look.useless) << slot
    return slots


@compiled
def of_hints_to(
    view: State, notes: Notes, tables: ValueTables, other: Receiver, before: int, wanted: int, best: Option
) -> Option:
    """The better of the best informative hint to a player and the best so far."""
    seat, look = other.seat, other.look
    fits, later = slots_of(view, seat, look.playable), slots_of(view, seat, ALL & ~look.playable & ~look.useless)
    avalanche, critical = slots_of(view, seat, avalanches(view) & look.playable), slots_of(view, seat, look.critical)
    useless = surely_useless(view, other, NO_HINT, 0)
    colour_unhinted, rank_unhinted = unhinted(view, seat)
    hints = touches(view, seat)
    for value in range(10):
        touched, move = touched_by(hints, value), HINT + 10 * seat + value
        new = touched & (colour_unhinted if value < 5 else rank_unhinted)
        if new == 0 or (wanted != ANY and wanted != move):
            continue
        effect = HintEffect(
            touched, fits, later,
            surely_useless(view, other, value, touched) & ~useless,
            new & ~(rank_unhinted if value < 5 else colour_unhinted),
            avalanche, critical, other.unmarked & -other.unmarked, value >= 5, other.distance,
        )  # fmt: skip
        then = Intention(0, NOTHING)
        if ideas_of(tables.values) & PARTNERS:
            then = intention(view, notes, other, tables.values, value, touched)
        best = better(best, move, hint_situation(effect, before, then, ideas_of(tables.values)), tables)
    return best


@compiled
def of_hints(view: State, notes: Notes, look: Outlook, tables: ValueTables, wanted: int) -> Option:
    """The best hint, or the value of the wanted one; its move is ANY if there is none."""
    best = Option(ANY, 0, NOTHING, NOTHING)
    if view.tokens == 0:
        return best
    ideas, piles = ideas_of(tables.values), view.played & ALL
    for distance in range(1, view.players):
        seat = (view.seat + distance) % view.players
        then = Outlook(fitting(piles), look.useless | piles, look.critical & ~piles)
        other = Receiver(seat, distance, unseen_copies(view, seat), unnoted(view, seat, notes), then, piles)
        before = WAITS
        if ideas & PARTNERS:
            intended = intention(view, notes, other, tables.values, NO_HINT, 0)
            before = outcome(view, other, intended)
            if before == RIGHT and ideas & LOOK_AHEAD:
                piles |= 1 << kind_of(view, seat, intended.slot)
        if wanted == ANY or (wanted - HINT) // 10 == seat:
            best = of_hints_to(view, notes, tables, other, before, wanted, best)
    return best


# The choice of the action


@compiled
def choose(view: State, notes: Notes, tables: ValueTables) -> Choice:
    """The best move by these tables, with its situations."""
    look = outlook(view)
    play, discard = of_own_hand(view, notes, look, tables, (1 << view.held[view.seat]) - 1)
    hint = of_hints(view, notes, look, tables, ANY)
    situation = action_situation(view, play.value, discard.value, hint.value)
    best, choice = better(Option(ANY, 0, NOTHING, NOTHING), play.move, situation, tables), play
    # With all tokens available, a discard gains none.
    if may_discard(view) and (view.tokens < 8 or hint.move == ANY):
        action = better(best, discard.move, situation + DISCARD_IT, tables)
        best, choice = action, discard if action.move == discard.move else choice
    if hint.move != ANY:
        action = better(best, hint.move, situation + HINT_IT, tables)
        best, choice = action, hint if action.move == hint.move else choice
    return Choice(choice.move, best.situation, choice.situation)


# Random moves in training

WHETHER, WHAT, WHICH = 1000, 1001, 1002  # the rolls of a turn that decide it
ROLLS = 1 << 20


@compiled
def is_random(view: State, share: float) -> bool:
    return below(view.dice, WHETHER, ROLLS) < share * ROLLS


@compiled
def random_choice(view: State, notes: Notes, tables: ValueTables, chosen: Choice) -> Choice:
    """A random play, discard or hint, with equal probabilities; the given choice if there is none."""
    situation = chosen.action - (chosen.action - FOR_ACTIONS) % 3
    action, look = below(view.dice, WHAT, 3), outlook(view)
    if action == HINT_IT:
        wanted = chosen_bit(legal(view) & HINTS, view.dice, WHICH)
        hint = of_hints(view, notes, look, tables, wanted)
        return Choice(hint.move, situation + HINT_IT, hint.situation) if wanted != ANY and hint.move != ANY else chosen
    slot = below(view.dice, WHICH, view.held[view.seat])
    play, discard = of_own_hand(view, notes, look, tables, 1 << slot)
    if action == PLAY_IT:
        return Choice(play.move, situation, play.situation)
    return Choice(discard.move, situation + DISCARD_IT, discard.situation) if may_discard(view) else chosen
