"""A decision at Love Letter in words, by rules over what the view shows."""

from collections.abc import Callable
from typing import NamedTuple

from kibitz.core.coaching import Evaluation, Remark
from kibitz.games.loveletter.cards import BARON, COUNTESS, GUARD, HANDMAID, KING, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import held_by
from kibitz.games.loveletter.moves import ALL_CARDS, Card, Move
from kibitz.games.loveletter.view import View

LEAST_LOSS = 0.01  # of a win, below which nothing is called a mistake
UNLIKELY = 0.5  # times the best chance, below which a guess is a poor one


class Case(NamedTuple):
    view: View
    chosen: Move
    best: Move

    def other_card(self, move: Move) -> Card:
        """The card that stays in the hand after a move."""
        hand = list(self.view.hand)
        hand.remove(move.card)
        return hand[0]

    def chances(self, seat: int) -> list[float]:
        """The probability of every card in another seat's hand, by counting."""
        return [float(chance) for chance in held_by(self.view.struct, seat)]

    def baron(self, move: Move) -> tuple[float, float]:
        """The chances to win and to lose a comparison."""
        mine, chances = self.other_card(move), self.chances(move.target if move.target is not None else 0)
        return sum(chances[:mine]), sum(chances[mine + 1 :])


def percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def princess(case: Case) -> str:
    if case.chosen.card == PRINCESS:
        return "You threw away the Princess, and with her the round"
    if case.chosen.card == PRINCE and case.chosen.target == case.view.seat and PRINCESS in case.view.hand:
        return "The Prince made you discard your own Princess"
    return ""


def known_card(case: Case) -> str:
    """A Guard that names another card than the one that the seat was shown."""
    move = case.chosen
    if move.card != GUARD or move.target is None:
        return ""
    shown = case.view.card(move.target)
    if shown is None or shown == move.named:
        return ""
    return f"You knew that G{move.target + 1} held the {shown}"


def impossible_guess(case: Case) -> str:
    move = case.chosen
    if move.card != GUARD or move.target is None or move.named is None:
        return ""
    if case.chances(move.target)[move.named] > 0.0:
        return ""
    if case.view.unseen.get(move.named, 0) == 0:
        return f"You named the {move.named}, but saw every {move.named} elsewhere"
    return f"You named the {move.named}, which G{move.target + 1} was already known not to hold"


def low_baron(case: Case) -> str:
    move = case.chosen
    if move.card != BARON or move.target is None or move.target == case.view.seat:
        return ""
    wins, loses = case.baron(move)
    if loses <= wins:
        return ""
    mine = case.other_card(move)
    return f"The Baron compared your {mine}, which was lower with {percent(loses)} and higher with {percent(wins)}"


def poor_guess(case: Case) -> str:
    move = case.chosen
    if move.card != GUARD or move.target is None or move.named is None:
        return ""
    chances = case.chances(move.target)
    best = max(range(2, len(chances)), key=chances.__getitem__)
    if chances[move.named] > UNLIKELY * chances[best]:
        return ""
    return (
        f"G{move.target + 1} held the {move.named} with {percent(chances[move.named])}, and the {ALL_CARDS[best]} with "
        f"{percent(chances[best])}"
    )


def needless_countess(case: Case) -> str:
    if case.chosen.card != COUNTESS or {KING, PRINCE} & set(case.view.hand):
        return ""
    return f"Nothing forced you to play the Countess: your other card was the {case.other_card(case.chosen)}"


def king_for_less(case: Case) -> str:
    move = case.chosen
    if move.card != KING or move.target is None:
        return ""
    chances = case.chances(move.target)
    mean = sum(kind * chance for kind, chance in enumerate(chances))
    mine = case.other_card(move)
    return f"The King gave away your {mine} for what was a lower card on average" if mean < mine else ""


def unprotected(case: Case) -> str:
    if case.best.card != HANDMAID or case.chosen.card == HANDMAID:
        return ""
    return f"The Handmaid would have protected your {case.other_card(case.best)}"


def low_card_kept(case: Case) -> str:
    mine, better = case.other_card(case.chosen), case.other_card(case.best)
    return f"You kept the {mine} instead of the {better}" if mine != better else ""


RULES: tuple[tuple[str, Callable[[Case], str]], ...] = (
    ("princess", princess),
    ("known card", known_card),
    ("impossible guess", impossible_guess),
    ("low baron", low_baron),
    ("needless countess", needless_countess),
    ("king for less", king_for_less),
    ("unprotected", unprotected),
    ("poor guess", poor_guess),
    ("wrong card kept", low_card_kept),
)


def why(case: Case) -> str:
    """What speaks for the best move."""
    move = case.best
    if move.target is None or move.target == case.view.seat:
        return ""
    if move.card == GUARD and move.named is not None:
        chance = case.chances(move.target)[move.named]
        return f"G{move.target + 1} held the {move.named} with {percent(chance)}"
    if move.card == BARON:
        wins, loses = case.baron(move)
        return f"your {case.other_card(move)} was higher with {percent(wins)} and lower with {percent(loses)}"
    return ""


def remark(view: View, found: Evaluation) -> Remark:
    case = Case(view, Move(found.chosen), Move(found.best))
    reason = why(case)
    if found.best == found.chosen or found.loss < LEAST_LOSS:
        return Remark("", f"{reason[:1].upper()}{reason[1:]}." if reason and found.best == found.chosen else "")
    kind, wrong = next(((kind, text) for kind, rule in RULES if (text := rule(case))), ("other", ""))
    better = f"{case.best} wins {percent(found.loss)} more" + (f": {reason}" if reason else "")
    return Remark(kind, f"{wrong}. {better}." if wrong else f"{better}.")
