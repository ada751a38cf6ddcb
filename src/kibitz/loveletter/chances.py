"""What a view says of the card in another hand: how likely it is each of the kinds."""

from typing import Any

import numpy as np

from kibitz.core.compile import compiled
from kibitz.loveletter.cards import FACE_DOWN, KINDS
from kibitz.loveletter.rules import unseen
from kibitz.loveletter.state import Table


@compiled
def shares(counts: Any) -> Any:
    """Numbers of cards as chances; none if there are no cards."""
    total = 0.0
    for kind in range(KINDS):
        total += counts[kind]
    chances = np.zeros(KINDS)
    if total > 0:
        for kind in range(KINDS):
            chances[kind] = counts[kind] / total
    return chances


@compiled
def unread(view: Table) -> Any:
    """How many cards of each kind could be anywhere, for somebody who forgets what a Priest has shown."""
    left = unseen(view)
    for seat in range(view.players):
        if seat != view.seat and view.hands[seat][0] != FACE_DOWN:
            left[view.hands[seat][0]] += 1
    return left


@compiled
def held_by(view: Table, seat: int) -> Any:
    """The chances of a seat's card, by all that was shown, laid down, missed and compared."""
    chances = np.zeros(KINDS)
    if view.hands[seat][0] != FACE_DOWN:
        chances[view.hands[seat][0]] = 1.0
        return chances
    left = unseen(view)
    for kind in range(KINDS):
        if view.missed[seat] >> kind & 1:
            left[kind] = 0
    return shares(left)
