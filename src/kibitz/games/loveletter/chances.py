"""The probabilities of the cards in other hands, from a view."""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.games.loveletter.cards import FACE_DOWN, KINDS
from kibitz.games.loveletter.rules import unseen
from kibitz.games.loveletter.state import State


@compiled
def share_out(counts: Any, chances: Any) -> None:
    """Write numbers of cards as probabilities; zeros if there are no cards."""
    total = 0
    for kind in range(KINDS):
        total += counts[kind]
    part = 1.0 / total if total > 0 else 0.0
    for kind in range(KINDS):
        chances[kind] = counts[kind] * part


@compiled
def shares(counts: Any) -> Any:
    """Numbers of cards as probabilities; zeros if there are no cards."""
    chances = np.empty(KINDS)
    share_out(counts, chances)
    return chances


@compiled
def unread(view: State) -> Any:
    """The number of cards of each kind that could be anywhere, ignoring cards that were shown."""
    left = unseen(view)
    for seat in range(view.players):
        if seat != view.seat and view.hands[seat][0] != FACE_DOWN:
            left[view.hands[seat][0]] += 1
    return left


@compiled
def write_held(view: State, seat: int, left: Any, chances: Any) -> None:
    """Write the probabilities of a seat's card, from everything the view shows. `left` are the unseen cards."""
    shown = view.hands[seat][0]
    if shown != FACE_DOWN:
        chances[:] = 0.0
        chances[shown] = 1.0
        return
    total = 0
    for kind in range(KINDS):
        chances[kind] = 0 if view.missed[seat] >> kind & 1 else left[kind]
        total += chances[kind]
    part = 1.0 / total if total > 0 else 0.0
    for kind in range(KINDS):
        chances[kind] *= part


@compiled
def held_by(view: State, seat: int) -> Any:
    """The probabilities of a seat's card, from everything the view shows."""
    chances = np.empty(KINDS)
    write_held(view, seat, unseen(view), chances)
    return chances
