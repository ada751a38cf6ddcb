"""What the reasons of Hanabi agents claim, phrase by phrase, and whether a view bears it out."""

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


def all_hinted_or_playable(view: View, move: Move) -> bool:
    return all(surely(card, view.playable) or card.colour_hinted for card in touched(view, move)) or (
        len(touched(view, move)) == 1
    )


def least_known(view: View, card: Card) -> bool:
    """It is unmarked, or all cards are marked and it is not revealed, or all are revealed."""
    marks = [each.colour_hinted + each.rank_hinted for each in mine(view)]
    here = card.colour_hinted + card.rank_hinted
    return here == 0 or (min(marks) > 0 and (here == 1 or min(marks) == 2))


def hinted_in_round(view: View) -> list[int]:
    """The slots of the viewer that hints of the last round touched, the oldest card first."""
    events = view.history[max(len(view.history) - view.players + 1, 0) :]
    return sorted(
        {slot for each in events if each.move.is_hint and each.move.target == view.seat for slot in each.touched}
    )


def copied(view: View, card: Card) -> bool:
    others = (each for hand in view.hands for each in hand if each.seat != card.seat)
    return any(each.kind == card.kind for each in others)


def just_hinted(view: View) -> list[int]:
    """The viewer's slots that hints touched since its last turn."""
    round = view.history[max(len(view.history) - view.players + 1, 0) :]
    return sorted(
        {slot for each in round if each.move.is_hint and each.move.target == view.seat for slot in each.touched}
    )


CLAIMS: dict[str, Claim] = {
    "just hinted {card} alone": lambda view, card, move: just_hinted(view) == [card.slot],
    "{card} is the newest, so": lambda view, card, move: just_hinted(view)[1:][-1:] == [card.slot],
    "{card} is the oldest, so": lambda view, card, move: just_hinted(view)[:-1][:1] == [card.slot],
    "just hinted {card} among others": lambda view, card, move: card.slot in just_hinted(view)[1:-1],
    "just hinted {card}, and it may be playable": lambda view, card, move: (
        card.slot in just_hinted(view) and card.hinted_kinds & view.playable != 0
    ),
    "just hinted {card}, and it may be useless": lambda view, card, move: (
        card.slot in just_hinted(view) and card.hinted_kinds & int(view.struct["played"]) != 0
    ),
    "hinted {card} some time ago": lambda view, card, move: card.marked and card.slot not in just_hinted(view),
    "I take a chance": lambda view, card, move: not card.marked,
    "the oldest without a hint": lambda view, card, move: card == next(each for each in mine(view) if not each.marked),
    "no hint was about it": lambda view, card, move: not card.marked,
    "although it was hinted": lambda view, card, move: card.marked,
    "about {card}": lambda view, card, move: card in touched(view, move),
    "{fits}": lambda view, card, move: surely(card, view.playable),
    "{card} can be played": lambda view, card, move: surely(card, view.playable),
    "asked to play it": lambda view, card, move: card.marked,
    "to ask for {card}: it can be played": lambda view, card, move: surely(card, view.playable),
    "to save {card}: it can be played": lambda view, card, move: surely(card, view.playable),
    "{card}, which can be played": lambda view, card, move: surely(card, view.playable),
    "cannot be played now": lambda view, card, move: surely(card, ~view.playable),
    "does not fit now": lambda view, card, move: surely(card, ~view.playable),
    "will be playable": lambda view, card, move: surely(card, ~view.useless),
    "No card of mine can be played": lambda view, card, move: not any(known(e) & view.playable for e in mine(view)),
    "without a lasting loss": lambda view, card, move: surely(card, ~view.critical),
    "discard {card}, which is safe": lambda view, card, move: surely(card, ~view.critical),
    "there is only one of its kind": lambda view, card, move: card.kind is not None and card.kind.rank == 5,
    "the lowest card that we need": lambda view, card, move: not known(card) & int(view.struct["played"]),
    "Hints revealed {card}": lambda view, card, move: card.revealed,
    "does not know both": lambda view, card, move: not card.revealed,
    "and so can whatever else the hint touches": lambda view, card, move: all_hinted_or_playable(view, move),
    "I know {card} in full": lambda view, card, move: count_bits(card.possible) == 1,
    "I know least about": lambda view, card, move: least_known(view, card),
    "a hint touched it": lambda view, card, move: card.marked,
    "a hint touched only this card": lambda view, card, move: card.marked,
    "that the latest hint touched": lambda view, card, move: card.marked,
    "without a hint": lambda view, card, move: not card.marked or all(each.marked for each in mine(view)),
    "the only card it touches": lambda view, card, move: touched(view, move) == [card],
    "the hint touches only this card": lambda view, card, move: touched(view, move) == [card],
    "it touches {card}": lambda view, card, move: card in touched(view, move),
    "least likely to be playable": lambda view, card, move: least_likely(view, card, view.playable),
    "most likely to be playable": lambda view, card, move: most(view, card, view.playable),
    "most likely to be useless": lambda view, card, move: most(view, card, view.useless),
    "the safest to discard": lambda view, card, move: most(view, card, ~view.critical),
    "my oldest{": lambda view, card, move: card.slot == 0,
    "by hints alone": lambda view, card, move: card.hinted_kinds & ~view.critical != 0,
    "is sure to fit": lambda view, card, move: surely(card, view.playable),
    "can never be played": lambda view, card, move: surely(card, view.useless),
    "loses nothing for good": lambda view, card, move: surely(card, ~view.critical),
    "is the last of its kind": lambda view, card, move: surely(card, view.critical),
    "all my cards are last copies": lambda view, card, move: all(surely(each, view.critical) for each in mine(view)),
    "another player holds a copy": lambda view, card, move: copied(view, card),
    "no hint touched": lambda view, card, move: not card.marked,
    "hinted {card} alone, which": lambda view, card, move: hinted_in_round(view) == [card.slot],
    "the newest of several hinted": lambda view, card, move: card.slot == max(hinted_in_round(view)),
    "the oldest of several hinted": lambda view, card, move: card.slot == min(hinted_in_round(view)),
    "the likeliest to be meant": lambda view, card, move: card.slot in hinted_in_round(view),
    "some time ago, and now I play it": lambda view, card, move: card.marked,
    "take a chance and play {card}": lambda view, card, move: not card.marked,
    "{card}, although it was hinted": lambda view, card, move: card.marked,
    "expect no mistake from it": lambda view, card, move: card in touched(view, move),
    "expect that it is played": lambda view, card, move: card in touched(view, move),
    "expect that it is kept": lambda view, card, move: card in touched(view, move),
    "expect that it is not played": lambda view, card, move: card in touched(view, move),
    "expect others to use the token": lambda view, card, move: not card.marked,
    "no hint shows to be a five": lambda view, card, move: card.hinted_kinds & ~FIVES != 0,
}

# Reasons that claim nothing of a card: they say what was done, or by which convention.
NO_CLAIM = (
    "nothing better is left",
    "it leads to what I want you to do",
    "it costs least",
    "by our conventions it is",
    "which {says}",
    "my chop{",
    "I can best do without",
    "the rest of the game",
    "the signals",
    "says {sum}",
    "No hint says the sum",
    "does not follow my protocol",
    "{card}: {said}",
    "no hint to give",
    "the sums",
    "next best: ",
    "so {card} goes",
    "which says: {called}",
    "any legal move",
    "{card} is to go",
    "hint: {sum}",
    "by the sums",
    "liked best: ",
    "I have no plan",
    "at random",
    "a random new hint",
    "a random hint",
    "no safe move after any hint",
    "this one says most",
    "the least harmful hint",
    "my next",
    "I have no useful hint",
    "a hint promised it",
    "no other hint says more",
    "no other hint touches more",
    "a hint showed that it has another copy",
    "no hint to give",
    "No rule applies",
    "so {card} goes",
    "a hint about it",
    "To pass, ",
    "by experience I rate",
)
