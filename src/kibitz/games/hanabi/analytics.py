"""Card probabilities by counting: entropy, playability and uselessness, from any seat's point of view.

Python agents use functions of a `View` and a `Card`; compiled agents use the same counts as masks:

    unseen = unseen_copies(view, seat)
    chance(unseen, possible(view, seat, slot), playable(view))

For a partner's point of view, the viewer counts what it knows the partner to see. Its own hand, which only the partner
sees, counts as unseen. So no hidden card is needed, and a certainty by this count is one for the partner, too.
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
    """The number of unseen cards of these kinds."""
    return count_bits(unseen[0] & kinds) + count_bits(unseen[1] & kinds) + count_bits(unseen[2] & kinds)


@compiled
def chance(unseen: Copies, kinds: int, wanted: int) -> float:
    """The probability that a card of these possible kinds is a wanted one; one of the kinds must be unseen."""
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
    """The entropy of a hand for its holder, the sum over its cards, after a hint of this value or now."""
    total = 0.0
    for slot in range(s.held[seat]):
        total += uncertainty(unseen, kinds_after_hint(s, seat, slot, value))
    return total


@compiled
def dispensable(s: State) -> int:
    """The kinds that can be discarded at no cost: useless, or with another copy left in deck or hands."""
    return ALL & ~critical(s)


# For Python agents: views and cards. Certainty is exactly 1.0 and impossibility 0.0, because cards are counted, not
# probabilities added up.


def counted(view: View, card: Card, by: int | None) -> tuple[Copies, int]:
    """The copies that a seat does not see, and the kinds a card can be for it (by default for its holder).

    A seat other than the holder sees the card. If the viewer sees it too, its kind is certain; if it is the viewer's
    own card, the viewer can only report its own count.
    """
    if by is not None and by != card.seat and card.kind is not None:
        return (ALL, 0, 0), 1 << card.kind.index
    return unseen_copies(view.struct, card.seat), card.hinted_kinds


def odds(view: View, card: Card, by: int | None = None) -> dict[Kind, float]:
    """The probability of each kind for a card, for its holder or another seat."""
    unseen, kinds = counted(view, card, by)
    chances = ((kind, float(chance(unseen, kinds, 1 << kind.index))) for kind in ALL_KINDS)
    return {kind: likely for kind, likely in chances if likely}


def entropy(view: View, card: Card, by: int | None = None) -> float:
    """The uncertainty of the card in bits, 0 if it is known."""
    return float(uncertainty(*counted(view, card, by)))


def chance_of(view: View, card: Card, wanted: int, by: int | None = None) -> float:
    """The probability that the card is of a wanted kind, a mask such as `view.critical`."""
    return float(chance(*counted(view, card, by), wanted))


def playability(view: View, card: Card, by: int | None = None) -> float:
    """The probability that the card is playable now."""
    return chance_of(view, card, view.playable, by)


def uselessness(view: View, card: Card, by: int | None = None) -> float:
    """The probability that discarding the card costs nothing."""
    return chance_of(view, card, int(dispensable(view.struct)), by)


def hand_entropy(view: View, seat: int) -> float:
    """The uncertainty of a hand for its holder: the sum over its cards."""
    return sum(entropy(view, card) for card in view.hands[seat])


def after_hint(view: View, hint: Move | str) -> View:
    """The viewer's view after the seat to move gives this hint."""
    move = as_move(hint)
    if not move.is_hint or not rules.allowed(view.struct, move):
        raise KibitzError(f"'{move}' is not a legal hint now; view.legal lists the legal moves.")
    later = np.array([view.struct])
    rules.apply(later[0], move)
    return View(later[0])
