"""Two players with the conventions of `partner`, and weights set by hand instead of trained: the middle levels.

A hint mostly means "play this", theirs and yours: they play what they were hinted, and hint what can be played. One
does not look at what else a hint touches; the other avoids hints that could be misread, and protects last copies.
Training of `partner` starts from the latter.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.core.weights import Weights
from kibitz.games.hanabi.agents.partner import BLOCKS, partner
from kibitz.games.hanabi.people.inputs import CONTEXT, DISCARDS, HINTS, KINDS_OF_MOVES, PLAYS, WIDTHS

# By kind of move: the weight of any move of this kind, and of the numbers about it (`people.inputs`). The number behind
# the last of these is the first of `partner.read_hint_extras`: the risk that the only card touched is misplayed.
ANY = {PLAYS: -7.0, DISCARDS: 0.0, HINTS: -1.0}
PLAYING = {0: 10.0, 1: 3.0, 3: -6.0, 10: 8.0, 11: 5.0}  # likely, certain, impossible; hinted alone, newest of several
DISCARDING = {0: 2.0, 1: 3.0, 3: -5.0, 5: -3.0, 7: 1.0, 12: 1.5}  # useless, critical, playable, unhinted, oldest
HINTING = {10: 3.5, 4: -4.0}  # touches a playable card; says nothing new
CARE = {26: 1.0, 24: -3.0, 18: 1.5, WIDTHS[HINTS]: -3.0}  # one card alone; misread; saves the next discard


def by_hand(careful: bool) -> Any:
    parts = []
    for kind, about in zip(
        range(KINDS_OF_MOVES), (PLAYING, DISCARDING, HINTING | (CARE if careful else {})), strict=True
    ):
        part = np.zeros(BLOCKS[kind])
        part[CONTEXT - 1] = ANY[kind]
        for place, value in about.items():
            part[CONTEXT + place] = value
        parts.append(part)
    return np.tile(np.concatenate(parts), 2)


def hand_set(name: str, title: str, description: str, careful: bool) -> Any:
    weights = Weights(by_hand(careful))
    return replace(partner, name=name, title=title, description=description, origin="kibitz", weights=weights)


hint_and_play = hand_set(
    "hint_and_play",
    "Hopeful Hazel",
    "Plays what it was hinted, and hints what you can play, without looking at the other cards that the hint touches.",
    careful=False,
)
common_sense = hand_set(
    "common_sense",
    "Sensible Sidney",
    "Plays what it was hinted, hints what you can play, avoids hints that you could misread, and protects last copies.",
    careful=True,
)
