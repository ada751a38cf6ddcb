"""What speaks for a move of Love Letter, in words: the chances it takes, by all that who decides can know."""

from typing import Any

from kibitz.games.loveletter.cards import BARON, GUARD, HANDMAID, KING, NAMES, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import held_by
from kibitz.games.loveletter.moves import Move

ABOUT_MOVE = 128  # a reason is about a move if it points at this and more: at the move's number above it


def percent(chance: float) -> str:
    """Never 0 % or 100 % of what is not certain."""
    return f"with a chance of {min(max(round(100 * chance), 1), 99)} %"


def holds(who: str, card: str, chance: float) -> str:
    if chance in (0.0, 1.0):
        return f"{who} surely holds the {card}" if chance else f"{who} surely does not hold the {card}"
    return f"{who} holds the {card} {percent(chance)}"


def compares(how: str, chance: float) -> str:
    """How a card compares, with a chance that is a sum, and need not be exact."""
    chance = round(chance, 9)
    if chance in (0.0, 1.0):
        return f"surely {how}" if chance else f"never {how}"
    return f"{how} {percent(chance)}"


def why(move: Move, view: Any) -> str:
    """What a move does for the viewer, whose turn it is."""
    card, target = move.card, move.target
    if card == HANDMAID:
        return "; nobody can touch me until my next turn"
    if target is None:
        return "; everybody is protected, so it does nothing" if card in (GUARD, PRIEST, BARON, KING) else ""
    hand = view["hands"][view["seat"]].tolist()
    kept, who = hand[0] + hand[1] - card, f"G{target + 1}"
    if target == view["seat"]:
        return f"; I lay down my {NAMES[kept]} and draw another card"
    chances = held_by(view, target).tolist()
    if card == GUARD:
        assert move.named is not None
        return f"; {holds(who, str(move.named), chances[move.named])}"
    if card == PRIEST:
        return f"; it shows me the card of {who}"
    if card == BARON:
        lower, higher = compares("lower", sum(chances[:kept])), compares("higher", sum(chances[kept + 1 :]))
        return f"; against my {NAMES[kept]} the card of {who} is {lower}, and {higher}"
    if card == PRINCE:
        return f"; {who} lays a card down, and {holds(who, NAMES[PRINCESS], chances[PRINCESS])}"
    return f"; I get the card of {who} for my {NAMES[kept]}"
