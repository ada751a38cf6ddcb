"""Why a move is good, in words: the probabilities behind it, from what its player knows."""

from typing import Any

from kibitz.games.loveletter.cards import BARON, GUARD, HANDMAID, KING, NAMES, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import held_by
from kibitz.games.loveletter.moves import Move

ABOUT_MOVE = 128  # added to a move's number where the subject of a reason is a move


def percent(chance: float) -> str:
    """Never 0 % or 100 %, because it is not certain."""
    return f"{min(max(round(100 * chance), 1), 99)} %"


def holds(who: str, card: str, chance: float) -> str:
    if chance in (0.0, 1.0):
        return f"{who} holds the {card}" if chance else f"{who} cannot hold the {card}"
    return f"{who} holds the {card} with {percent(chance)} probability"


def compares(how: str, chance: float) -> str:
    """How a card compares, with a probability that is a sum and may be inexact."""
    chance = round(chance, 9)
    if chance in (0.0, 1.0):
        return f"certainly {how}" if chance else f"never {how}"
    return f"{how} with {percent(chance)} probability"


def why(move: Move, view: Any) -> str:
    """The advantage of a move for the viewer, whose turn it is."""
    card, target = move.card, move.target
    if card == HANDMAID:
        return ": nobody can target me until my next turn"
    if target is None:
        return ": everybody is protected, so it has no effect" if card in (GUARD, PRIEST, BARON, KING) else ""
    hand = view["hands"][view["seat"]].tolist()
    kept, who = hand[0] + hand[1] - card, f"G{target + 1}"
    if target == view["seat"]:
        return f": I discard my {NAMES[kept]} and draw another card"
    chances = held_by(view, target).tolist()
    if card == GUARD:
        assert move.named is not None
        return f": {holds(who, str(move.named), chances[move.named])}"
    if card == PRIEST:
        return f": I see the card of {who}"
    if card == BARON:
        lower, higher = compares("lower", sum(chances[:kept])), compares("higher", sum(chances[kept + 1 :]))
        return f": compared with my {NAMES[kept]}, the card of {who} is {lower} and {higher}"
    if card == PRINCE:
        return f": {who} discards a card, and {holds(who, NAMES[PRINCESS], chances[PRINCESS])}"
    return f": I get the card of {who} for my {NAMES[kept]}"
