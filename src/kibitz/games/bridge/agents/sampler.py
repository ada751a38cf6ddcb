"""The sampler: determinization with a double-dummy solver, as in Ginsberg's GIB.

It deals the unseen cards many times, consistent with the cards played, the voids shown and the bidding. A double-dummy
solver finds the tricks that every legal card takes in each deal; the card with the best mean is played. What this
misses, strategy fusion, is explained in `docs/explanation/bridge.md`.
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from kibitz.core.agent import Progress, Traits, no_progress
from kibitz.engine.expectation import Bound, MoveEstimate
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import number
from kibitz.games.bridge import double_dummy, worlds
from kibitz.games.bridge.cards import Card
from kibitz.games.bridge.double_dummy import Position
from kibitz.games.bridge.state import STATE
from kibitz.games.bridge.view import View


class Sampler:
    """Deals the unseen cards 50 times and plays the card that takes most tricks on average.

    Each deal is solved double-dummy by endplay. `sampler@deals=200` deals more often.
    """

    title = "Dealer Dana"
    origin = "Ginsberg, GIB: steps toward an expert-level bridge-playing program, IJCAI 1999"
    traits: ClassVar = Traits(random=True)
    weights: ClassVar = {"deals": 50.0}
    ranges: ClassVar = {"deals": (1.0, 1000.0)}

    def __init__(self) -> None:
        double_dummy.library()  # fails before the game if it is missing
        self.progress: Progress = no_progress
        self.estimates: Sequence[MoveEstimate] = ()  # of the last decision, in tricks

    def decide(self, view: View) -> tuple[Card, str]:
        if len(view.legal) == 1:
            self.estimates = ()
            return view.legal[0], "I have only one legal card"
        self.estimates = self.estimate(view, round(self.weights["deals"]))
        return Card(self.estimates[0].move), reason(self.estimates)

    def estimate(self, view: View, deals: int) -> list[MoveEstimate]:
        """For every legal card, the mean tricks that its side takes in the whole play, the best card first."""
        dealt = [sampled(view.struct, number(view.dice, deal)) for deal in range(deals)]
        solved = double_dummy.solve(dealt, self.progress)
        taken = view.tricks[view.playing % 2]
        found = list[MoveEstimate]()
        for card in sorted(view.legal, key=lambda card: (card.rank, card.suit)):
            tricks = [each[card] for each in solved]
            mean, error = sum(tricks) / deals, math.inf
            if deals > 1:
                error = math.sqrt(sum((each - mean) ** 2 for each in tricks) / (deals - 1) / deals)
            found.append(MoveEstimate(int(card), taken + mean, error, deals, Bound.VALUE))
        return sorted(found, key=lambda each: -each.value)


def reason(found: list[MoveEstimate]) -> str:
    best, card = found[0].value, Card(found[0].move)
    over = f"tricks on average over {found[0].visits} deals"
    second = next((each for each in found if each.value < best), None)
    if second is None:
        return f"{card} takes {best:.1f} {over}, like every other card"
    digits = 1 if f"{best:.1f}" != f"{second.value:.1f}" else 2
    return f"{card} takes {best:.{digits}f} {over}; next best: {Card(second.move)} with {second.value:.{digits}f}"


def sampled(view: Any, stream: int) -> Position:
    """A sampled deal that is consistent with a view."""
    pair = np.zeros(2, STATE)
    pair[SEEN] = view
    worlds.sample_world(pair, stream)
    return Position.of(pair[WORLD])
