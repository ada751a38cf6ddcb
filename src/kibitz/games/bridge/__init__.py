"""Bridge: the card play of a deal, from the opening lead to the thirteenth trick. What a Python agent needs is here."""

from kibitz.games.bridge.cards import Card
from kibitz.games.bridge.view import Contract, Trick, View

__all__ = ["Card", "Contract", "Trick", "View"]
