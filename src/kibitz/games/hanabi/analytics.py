"""How likely a card is to be what: entropy, playability and uselessness, from any side of the table, by counting.

For Python agents there are functions of a `View` and a `Card`; compiled agents use the same counts as masks:

    unseen = unseen_copies(view, seat)
    chance(unseen, possible(view, seat, slot), playable(view))

From a partner's side a viewer counts what it knows the partner to see. Its own hand, which the partner sees and it
does not, counts as unseen. So no hidden card is needed, and what is sure by this count is sure for the partner.
"""

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.errors import KibitzError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import ALL, FIVES, MIDDLE, ONES
from kibitz.games.hanabi.knowledge import NO_HINT, Copies, critical, kinds_after_hint, visible
from kibitz.games.hanabi.moves import ALL_KINDS, Kind, Move, as_move
from kibitz.games.hanabi.state import CARDS, State
from kibitz.games.hanabi.view import Card, View

LOG2 = np.log2(np.maximum(np.arange(CARDS + 1), 1))


# For compiled agents: masks of kinds and numbers of copies.


@compiled
def unseen_copies(s: State, seat: int) -> Copies:
    """The kinds of which a seat does not see at least one, two, three copies."""
    one, two, three = visible(s, seat)
    return (
        (ONES & ~three) | (MIDDLE & ~two) | (FIVES & ~one),
        (ONES & ~two) | (MIDDLE & ~one),
        ONES & ~one,
    )


@compiled
def cards_among(unseen: Copies, kinds: int) -> int:
    """How many unseen cards are of these kinds."""
    return count_bits(unseen[0] & kinds) + count_bits(unseen[1] & kinds) + count_bits(unseen[2] & kinds)


@compiled
def chance(unseen: Copies, kinds: int, wanted: int) -> float:
    """How likely a card that can be of these kinds is a wanted one; one of the kinds must be unseen."""
    return cards_among(unseen, kinds & wanted) / cards_among(unseen, kinds)


@compiled
def uncertainty(unseen: Copies, kinds: int) -> float:
    """The entropy, in bits, of a card that can be of these kinds; one of them must be unseen.

    With c copies of a kind among n cards that is log n − Σ c log c / n, and c is at most 3.
    """
    threes = count_bits(unseen[2] & kinds)
    twos = count_bits(unseen[1] & kinds) - threes
    return LOG2[cards_among(unseen, kinds)] - (2 * LOG2[2] * twos + 3 * LOG2[3] * threes) / cards_among(unseen, kinds)


@compiled
def hand_uncertainty(s: State, seat: int, unseen: Copies, value: int = NO_HINT) -> float:
    """The entropy of a hand for its holder, card by card, after a hint of this value or as it is."""
    total = 0.0
    for slot in range(s.held[seat]):
        total += uncertainty(unseen, kinds_after_hint(s, seat, slot, value))
    return total


@compiled
def dispensable(s: State) -> int:
    """The kinds that can be thrown away at no cost: useless for good, or with another copy left in deck or hands."""
    return ALL & ~critical(s)


# For Python agents: views and cards. Certainty is exactly 1.0 and impossibility 0.0, because cards are counted, not
# probabilities added up.


def counted(view: View, card: Card, by: int | None) -> tuple[Copies, int]:
    """What a seat counts when it judges a card: the copies it does not see, and the kinds they may be.

    The holder is asked if no seat is named. Another seat sees the card. If the viewer sees it too, one
    kind is certain; if it is the viewer's own, what the others see is hidden from the viewer, whose
    own count is all there is to tell.
    """
    if by is not None and by != card.seat and card.kind is not None:
        return (ALL, 0, 0), 1 << card.kind.index
    return unseen_copies(view.struct, card.seat), card.hinted_kinds


def odds(view: View, card: Card, by: int | None = None) -> dict[Kind, float]:
    """How likely the card is to be of each kind, for its holder or for another seat."""
    unseen, kinds = counted(view, card, by)
    chances = ((kind, float(chance(unseen, kinds, 1 << kind.index))) for kind in ALL_KINDS)
    return {kind: likely for kind, likely in chances if likely}


def entropy(view: View, card: Card, by: int | None = None) -> float:
    """How uncertain the card is, in bits: 0 for one that is known."""
    return float(uncertainty(*counted(view, card, by)))


def chance_of(view: View, card: Card, wanted: int, by: int | None = None) -> float:
    """The chance that the card is of one of the wanted kinds, a mask such as `view.critical`."""
    return float(chance(*counted(view, card, by), wanted))


def playability(view: View, card: Card, by: int | None = None) -> float:
    """The chance that the card fits on a pile now."""
    return chance_of(view, card, view.playable, by)


def uselessness(view: View, card: Card, by: int | None = None) -> float:
    """The chance that throwing the card away costs nothing."""
    return chance_of(view, card, int(dispensable(view.struct)), by)


def hand_entropy(view: View, seat: int) -> float:
    """How uncertain a hand is for its holder: the sum over its cards."""
    return sum(entropy(view, card) for card in view.hands[seat])


def after_hint(view: View, hint: Move | str) -> View:
    """The table as the viewer would see it once the seat to move has given this hint."""
    move = as_move(hint)
    if not move.is_hint or not rules.allowed(view.struct, move):
        raise KibitzError(f"'{move}' is not a hint that can be given now; the legal moves are in view.legal.")
    later = np.array([view.struct])
    rules.apply(later[0], move)
    return View(later[0])
