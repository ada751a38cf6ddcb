"""The sampler: determinization with a double-dummy solver, as in Ginsberg's GIB.

It deals the unseen cards many times, consistent with the cards played, the voids shown and the bidding. A double-dummy
solver finds the tricks that every legal card takes in each deal; the card with the best mean is played. What this
misses, strategy fusion, is explained in `docs/explanation/bridge.md`.
"""

from typing import Any, ClassVar

import numpy as np

from kibitz.core.agent import Progress, Traits, no_progress
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

    def decide(self, view: View) -> tuple[Card, str]:
        if len(view.legal) == 1:
            return view.legal[0], "I have only one legal card"
        deals = round(self.weights["deals"])
        means = self.means(view, deals)
        ranked = sorted(view.legal, key=lambda card: (-means[card], card.rank, card.suit))
        return ranked[0], self.words(ranked, means, deals)

    def means(self, view: View, deals: int) -> dict[Card, float]:
        """For every legal card, the mean number of tricks that its side takes in the whole play."""
        dealt = [sampled(view.struct, number(view.dice, deal)) for deal in range(deals)]
        solved = double_dummy.solve(dealt, self.progress)
        taken = view.tricks[view.playing % 2]
        return {card: taken + sum(tricks[card] for tricks in solved) / deals for card in view.legal}

    def words(self, ranked: list[Card], means: dict[Card, float], deals: int) -> str:
        best = means[ranked[0]]
        over = f"tricks on average over {deals} deals"
        others = [card for card in ranked if means[card] < best]
        if not others:
            return f"{ranked[0]} takes {best:.1f} {over}, like every other card"
        second = means[others[0]]
        digits = 1 if f"{best:.1f}" != f"{second:.1f}" else 2
        return f"{ranked[0]} takes {best:.{digits}f} {over}; next best: {others[0]} with {second:.{digits}f}"


def sampled(view: Any, stream: int) -> Position:
    """A sampled deal that is consistent with a view."""
    pair = np.zeros(2, STATE)
    pair[SEEN] = view
    worlds.sample_world(pair, stream)
    return Position.of(pair[WORLD])
