"""Love Letter: rules, views, sampled worlds and agents. This package exports what agents need."""

from kibitz.games.loveletter.cards import BARON, COUNTESS, GUARD, HANDMAID, KING, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.moves import Card, Move, play
from kibitz.games.loveletter.view import View

__all__ = [
    "BARON", "COUNTESS", "GUARD", "HANDMAID", "KING", "PRIEST", "PRINCE", "PRINCESS", "Card", "Move", "View", "play",
]  # fmt: skip
