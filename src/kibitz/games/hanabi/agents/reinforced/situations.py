"""The learner's features: situations, discretized and numbered as indices of its tables.

Four tables are concatenated in one vector: for the card to play, the card to discard, the hint to give, and the choice
among the three. Counts are capped and probabilities are binned, so that situations recur. The last number of the vector
tells which extensions of the thesis are in use (see `INFERENCE` and the others).
"""

from typing import NamedTuple

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.reinforced.notes import (
    FIRST_MARK,
    NEWEST,
    OLDEST,
    RANK_HINT,
    TOGETHER,
    TURN,
    WITH_NEXT_DISCARD,
)
from kibitz.games.hanabi.agents.tips import Outlook
from kibitz.games.hanabi.analytics import cards_among
from kibitz.games.hanabi.cards import holds, lowest_rank, ranks_of
from kibitz.games.hanabi.knowledge import Copies
from kibitz.games.hanabi.state import CARDS, COLOUR_MARK, RANK_MARK, State

PLAYS = 6 * 7 * 2**4 * 3 * 3
DISCARDS = 4 * 3 * 4 * 4 * 3 * 3
HINTS = 8 * 3 * 3**4 * 2**3 * 3 * 2 * 2
ACTIONS = 9 * 3 * 3 * 6 * 4 * 5 * 3
FOR_PLAYS = 0
FOR_DISCARDS = FOR_PLAYS + PLAYS
FOR_HINTS = FOR_DISCARDS + DISCARDS
FOR_ACTIONS = FOR_HINTS + HINTS
IDEAS = FOR_ACTIONS + ACTIONS  # the index of the extensions in use
WEIGHTS = IDEAS + 1

# Extensions of the thesis, as bits.
INFERENCE = 1  # judge a card by all that its holder sees, not only by its hints
SIGNALS = 2  # a card's position among those its last hint touched, and whether that hint is recent
PARTNERS = 4  # the receiver's next play by the learner's own tables, and whether it is right
LOOK_AHEAD = 8  # the piles as expected when the receiver moves
ALL_IDEAS = INFERENCE | SIGNALS | PARTNERS | LOOK_AHEAD


class Own(NamedTuple):
    """A card as its holder knows it."""

    kinds: int  # the kinds it can be
    unseen: Copies  # the copies that the holder does not see
    note: int
    marks: int
    place: int  # NEXT_DISCARD, LAST_DRAWN or BETWEEN


NEXT_DISCARD, LAST_DRAWN, BETWEEN = range(3)


@compiled
def place_of(slot: int, held: int, unmarked: int) -> int:
    """A card's position: the oldest unmarked one, the newest, or another."""
    if unmarked & -unmarked == 1 << slot:
        return NEXT_DISCARD
    return LAST_DRAWN if slot == held - 1 else BETWEEN


@compiled
def at_most_two(count: int) -> int:
    return min(count, 2)


@compiled
def token_class(tokens: int) -> int:
    return 0 if tokens < 2 else 1 if tokens < 6 else 2


@compiled
def in_quarters(part: int, whole: int) -> int:
    """A probability as one of six classes: 0, four quarters, 1."""
    if part == 0:
        return 0
    return 5 if part == whole else 1 + 4 * part // whole


@compiled
def some_or_all(kinds: int, wanted: int) -> int:
    """0 if the card cannot be of a wanted kind, 2 if it must be, else 1."""
    found = kinds & wanted
    return 0 if found == 0 else 2 if found == kinds else 1


@compiled
def piles_below(played: int, kinds: int) -> int:
    """The number of piles that lack more than one card below this one's rank, at most 2; 0 if the rank is unknown."""
    ranks = ranks_of(kinds)
    if count_bits(ranks) != 1:
        return 0
    rank, piles = lowest_rank(kinds), 0
    for colour in range(5):
        piles += count_bits((played >> 5 * colour) & 0b11111) <= rank
    return at_most_two(piles)


@compiled
def group_class(note: int) -> int:
    """A card's position among those its last hint touched: 0 untouched, 1 alone, then the newest and the oldest of two,
    and the newest, the oldest and the others of more."""
    together = note & TOGETHER
    if together < 2:
        return together
    if note & NEWEST:
        return 2 * together - 2
    return 2 * together - 1 if note & OLDEST else 6


@compiled
def play_situation(card: Own, look: Outlook, played: int, turn: int, players: int, tokens: int, ideas: int) -> int:
    note = card.note
    if ideas & INFERENCE:
        fit = in_quarters(cards_among(card.unseen, card.kinds & look.playable), cards_among(card.unseen, card.kinds))
    else:
        fit = piles_below(played, card.kinds) + (3 if card.marks == COLOUR_MARK | RANK_MARK else 0)
    if ideas & SIGNALS:
        group, first = group_class(note), note & FIRST_MARK != 0
        fresh = note != 0 and turn - (note >> TURN) < players
        beside = note & WITH_NEXT_DISCARD != 0
    else:
        group, first, fresh = note & TOGETHER, False, False
        beside = card.place == NEXT_DISCARD
    index = fit * 7 + group
    index = index * 2 + (note & RANK_HINT != 0)
    index = index * 2 + first
    index = index * 2 + fresh
    index = index * 2 + beside
    index = index * 3 + some_or_all(card.kinds, look.critical)
    return FOR_PLAYS + index * 3 + token_class(tokens)


@compiled
def discard_situation(card: Own, look: Outlook, played: int, tokens: int, ideas: int) -> int:
    if ideas & INFERENCE:
        whole = cards_among(card.unseen, card.kinds)
        useless = in_quarters(cards_among(card.unseen, card.kinds & look.useless), whole)
        index = 0 if useless == 0 else 3 if useless == 5 else 1 if useless < 3 else 2
        index = index * 3 + some_or_all(card.kinds, look.playable)
        critical = in_quarters(cards_among(card.unseen, card.kinds & look.critical), whole)
        index = index * 4 + (critical if critical < 2 else 3 if critical == 5 else 2)
    else:
        index = piles_below(played, card.kinds)
        index = index * 3 + at_most_two(card.note & TOGETHER)
        index = index * 4 + (card.kinds & look.critical != 0)
    index = index * 4 + card.marks
    index = index * 3 + card.place
    return FOR_DISCARDS + index * 3 + token_class(tokens)


class HintEffect(NamedTuple):
    """The effects of a hint, as slots of its receiver's hand."""

    touched: int
    fits: int  # of the whole hand: playable when the receiver moves
    fits_later: int
    freed: int  # newly known to be useless
    revealed: int  # newly hinted in both colour and rank
    avalanche: int
    critical: int
    next_discard: int
    rank: bool
    distance: int


class Intention(NamedTuple):
    """The play that a player prefers, and its value to that player."""

    slot: int
    value: float


WAITS, RIGHT, WRONG = range(3)
PLAYS_FROM = 0.6  # with a lower value of its best play, a player is expected to do something else


@compiled
def trust_class(value: float) -> int:
    return 0 if value < 0.4 else 1 if value < 0.65 else 2 if value < 0.85 else 3


@compiled
def hint_situation(effect: HintEffect, before: int, then: Intention, ideas: int) -> int:
    """`before` is the result of the receiver's present intention, `then` its intention after the hint."""
    touched = effect.touched
    index = 0
    if ideas & PARTNERS:
        index = (trust_class(then.value) * 2 + holds(effect.fits, then.slot)) * 3 + before
    index = index * 3 + at_most_two(count_bits(touched & effect.fits))
    index = index * 3 + at_most_two(count_bits(touched & effect.fits_later))
    index = index * 3 + at_most_two(count_bits(effect.freed))
    index = index * 3 + at_most_two(count_bits(effect.revealed))
    index = index * 2 + (touched & effect.avalanche != 0)
    index = index * 2 + (touched & effect.next_discard != 0)
    index = index * 2 + (touched & effect.critical != 0)
    index = index * 3 + min(effect.distance, 3) - 1
    index = index * 2 + effect.rank
    in_danger = before == WAITS and effect.next_discard & effect.critical != 0
    return FOR_HINTS + index * 2 + (in_danger if ideas & PARTNERS else False)


PLAY_IT, DISCARD_IT, HINT_IT = range(3)  # the action, added to its situation


@compiled
def action_situation(view: State, play: float, discard: float, hint: float) -> int:
    """The situation of an action, by tokens, lives, deck and the best options' values (negative if impossible)."""
    left = CARDS - view.drawn
    index = view.tokens * 3 + view.lives - 1
    index = index * 3 + (2 if left == 0 else 1 if left < 8 else 0)
    index = index * 6 + (play >= 0.35) + (play >= 0.55) + (play >= 0.7) + (play >= 0.85) + (play >= 0.95)
    index = index * 4 + (discard >= 0.3) + (discard >= 0.5) + (discard >= 0.85)
    index = index * 5 + (hint >= 0.4) + (hint >= 0.55) + (hint >= 0.7) + (hint >= 0.85)
    return FOR_ACTIONS + 3 * index
