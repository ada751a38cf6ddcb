"""What a seat can know at its turn."""

from typing import Any, NamedTuple

from kibitz.games.hanabi.hand_belief import BITS, KIND


class Known(NamedTuple):
    """What a seat can know at its turn: its view, and the likely hands."""

    view: Any  # as an array of one
    start: Any
    hands: Any
    likelihoods: Any
    chances: Any  # of the hands
    exact: bool

    def kinds(self, slot: int) -> dict[int, float]:
        """The kinds that an own card can be, with their probabilities by hints and by what the others did."""
        found: dict[int, float] = {}
        for hand, chance in zip(self.hands.tolist(), self.chances.tolist(), strict=True):
            kind = hand >> (BITS * slot) & KIND
            found[kind] = found.get(kind, 0.0) + chance
        return found

    def chance(self, slot: int, wanted: int) -> float:
        """The probability that an own card is of a wanted kind."""
        return min(sum(chance for kind, chance in self.kinds(slot).items() if wanted >> kind & 1), 1.0)
