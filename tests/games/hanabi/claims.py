"""What the reasons of Hanabi agents claim, phrase by phrase, and whether it is so for who sees a view."""

from collections.abc import Callable

from kibitz.engine.bits import count_bits
from kibitz.games.hanabi import View
from kibitz.games.hanabi.analytics import chance_of
from kibitz.games.hanabi.cards import FIVES
from kibitz.games.hanabi.moves import Move
from kibitz.games.hanabi.view import Card

Claim = Callable[[View, Card, Move], bool]


def known(card: Card) -> int:
    """The kinds a card can be for the viewer."""
    return 1 << card.kind.index if card.kind is not None else card.possible


def surely(card: Card, wanted: int) -> bool:
    return known(card) & ~wanted == 0


def mine(view: View) -> tuple[Card, ...]:
    return view.hands[view.seat]


def chances(view: View, wanted: int) -> list[float]:
    return [chance_of(view, card, wanted) for card in mine(view)]


def most(view: View, card: Card, wanted: int) -> bool:
    """Whether no other own card is likelier to be one of these kinds."""
    return chance_of(view, card, wanted) >= max(chances(view, wanted)) - 1e-12


def least_likely(view: View, card: Card, wanted: int) -> bool:
    return chance_of(view, card, wanted) <= min(chances(view, wanted)) + 1e-12


def touched(view: View, move: Move) -> list[Card]:
    """The cards that a hint touches."""
    if not move.is_hint:
        return []
    held = view.hands[move.target]
    return [card for card in held if card.kind is not None and str(move.value) in str(card.kind).split()]


def all_told_or_fit(view: View, move: Move) -> bool:
    return all(surely(card, view.playable) or card.colour_hinted for card in touched(view, move)) or (
        len(touched(view, move)) == 1
    )


def least_known(view: View, card: Card) -> bool:
    """Nothing was told of it, or of every card something, and not all of it; or all was told of all."""
    told = [each.colour_hinted + each.rank_hinted for each in mine(view)]
    here = card.colour_hinted + card.rank_hinted
    return here == 0 or (min(told) > 0 and (here == 1 or min(told) == 2))


def copied(view: View, card: Card) -> bool:
    others = (each for hand in view.hands for each in hand if each.seat != card.seat)
    return any(each.kind == card.kind for each in others)


CLAIMS: dict[str, Claim] = {
    "is sure to fit": lambda view, card, move: surely(card, view.playable),
    "{card} fits": lambda view, card, move: surely(card, view.playable),
    "which fits": lambda view, card, move: surely(card, view.playable),
    "knows that it fits": lambda view, card, move: surely(card, view.playable),
    "does not fit now": lambda view, card, move: surely(card, ~view.playable),
    "will fit": lambda view, card, move: surely(card, ~view.useless),
    "nothing fits": lambda view, card, move: not any(known(each) & view.playable for each in mine(view)),
    "can never be played": lambda view, card, move: surely(card, view.useless),
    "loses nothing for good": lambda view, card, move: surely(card, ~view.critical),
    "{card} is no last copy": lambda view, card, move: surely(card, ~view.critical),
    "is safe to throw away": lambda view, card, move: surely(card, ~view.critical),
    "is the last of its kind": lambda view, card, move: surely(card, view.critical),
    "all my cards are last copies": lambda view, card, move: all(surely(each, view.critical) for each in mine(view)),
    "the only one of its kind": lambda view, card, move: card.kind is not None and card.kind.rank == 5,
    "is not on its pile yet": lambda view, card, move: not known(card) & int(view.struct["played"]),
    "another player holds a copy": lambda view, card, move: copied(view, card),
    "{card} was told in full": lambda view, card, move: card.revealed,
    "{card} was not told in full": lambda view, card, move: not card.revealed,
    "whatever else the hint shows fits too": lambda view, card, move: all_told_or_fit(view, move),
    "it is known what {card} is": lambda view, card, move: count_bits(card.possible) == 1,
    "told least of": lambda view, card, move: least_known(view, card),
    "a hint touched {card}": lambda view, card, move: card.marked,
    "a hint touched only {card}": lambda view, card, move: card.marked,
    "the latest hint was about": lambda view, card, move: card.marked,
    "no hint touched": lambda view, card, move: not card.marked,
    "the only card it touches": lambda view, card, move: touched(view, move) == [card],
    "touches {card}": lambda view, card, move: card in touched(view, move),
    "touches only {card}": lambda view, card, move: touched(view, move) == [card],
    "the least likely to fit": lambda view, card, move: least_likely(view, card, view.playable),
    "the likeliest to fit": lambda view, card, move: most(view, card, view.playable),
    "the likeliest to be useless": lambda view, card, move: most(view, card, view.useless),
    "the safest to throw away": lambda view, card, move: most(view, card, ~view.critical),
    "{card} is the oldest{": lambda view, card, move: card.slot == 0,
    "no hint shows to be a five": lambda view, card, move: card.hinted_kinds & ~FIVES != 0,
    "hints alone do not say": lambda view, card, move: card.hinted_kinds & ~view.critical != 0,
}

# Reasons that claim nothing of a card: they say what was done, or by which convention.
NO_CLAIM = (
    "by our conventions {card}",
    "hint: {says}",
    "do; {says}",
    "is missed least",
    "which says: {called}",
    "thought through to the last card",
    "by what moves said {card}",
    "says {sum}",
    "must not be lost. {sum}",
    "hint: {sum}",
    "somebody does not follow the sums",
    "any legal move",
    "{card} is to be played",
    "{card} is to go",
    "hint: {sum}",
    "by the sums",
    "liked best: ",
    "pass: ",
    "for want of a plan",
    "hint: about {card}",
    "first aid: the holder of {card} can do nothing safe",
    "this tells most",
    "is next to go",
    "there is no hint to give",
    "was promised by a hint",
    "it is about {card}",
    "was shown as one",
    "so {card} goes",
    "play random",
    "tell unknown",
    "tell most information",
    "tell random",
    "discard oldest",
    "discard random",
    "no rule applies",
    "by experience I rate",
)
