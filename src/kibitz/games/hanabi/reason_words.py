"""Fill in {card}, {fits}, {useless}, {free}, {odds}, {risk} and {dead} in the reasons of Hanabi agents.

Each variable is computed from the view of the decision. It stays empty if that view does not support it.
"""

from functools import cached_property
from typing import Any

from kibitz.games.hanabi import knowledge
from kibitz.games.hanabi.analytics import chance, unseen_copies
from kibitz.games.hanabi.moves import ALL_KINDS
from kibitz.games.hanabi.state import FACE_DOWN
from kibitz.games.hanabi.view import kinds_in

FEW = 3  # kinds that are listed one by one
NO_CARD = "nothing in particular"


def seat_name(seat: int) -> str:
    return f"G{seat + 1}"


def percent(likely: float) -> str:
    """A probability strictly between 0 and 1, never rounded to either."""
    return f"{min(max(round(100 * likely), 1), 99)} %"


def listed(kinds: int) -> str:
    *others, last = [f"the {kind}" for kind in kinds_in(kinds)]
    return f"{', '.join(others)} or {last}" if others else last


class ReasonWords(dict[str, str]):
    """The variables, computed on first use. For a reader who does not see all of the view, no probabilities."""

    def __init__(self, place: int, view: Any, for_reader: bool = False) -> None:
        super().__init__()
        self.place, self.struct, self.for_reader = place, view, for_reader

    def __missing__(self, word: str) -> str:
        return str(getattr(self, f"say_{word}")())

    @cached_property
    def where(self) -> tuple[int, int] | None:
        """The seat and the slot of the card; None if it is in no hand."""
        hands = zip(self.struct["hands"].tolist(), self.struct["held"].tolist(), strict=True)
        for seat, (hand, held) in enumerate(hands):
            if self.place >= 0 and self.place in hand[:held]:
                return seat, hand.index(self.place)
        return None

    @cached_property
    def kinds(self) -> int:
        """What the card can be for the deciding seat: one kind if it sees the card, 0 if unknown."""
        if self.where is None:
            return 0
        if (kind := int(self.struct["deck"][self.place])) != FACE_DOWN:
            return 1 << kind
        seat, slot = self.where
        return int(knowledge.possible(self.struct, seat, slot)) if seat == self.struct["seat"] else 0

    @property
    def seen(self) -> bool:
        return self.where is not None and int(self.struct["deck"][self.place]) != FACE_DOWN

    def surely(self, wanted: int) -> bool:
        return self.kinds != 0 and self.kinds & ~wanted == 0

    def chance(self, wanted: int) -> float:
        """The probability that the card is of a wanted kind."""
        assert self.where is not None
        seat, slot = self.where
        if self.seen:
            return float(self.surely(wanted))
        return float(chance(unseen_copies(self.struct, seat), int(self.struct["hinted_kinds"][seat][slot]), wanted))

    # The variables

    def say_card(self) -> str:
        if self.where is None:
            return NO_CARD if self.place < 0 else "a card that is gone"
        seat, slot = self.where
        face = f" ({ALL_KINDS[int(self.struct['deck'][self.place])]})" if self.seen else ""
        whose = "my" if seat == self.struct["seat"] else f"{seat_name(seat)}'s"
        return f"{whose} card {slot + 1}{face}"

    def say_fits(self) -> str:
        """Why it is certainly playable."""
        if not self.surely(int(knowledge.playable(self.struct))):
            return ": it can be played now"
        if self.seen:
            return ": it is next on its pile"
        named = len(kinds_in(self.kinds))
        if named <= FEW:
            return f": it must be {listed(self.kinds)}{', and any of them can be played' if named > 1 else ''}"
        return ": whatever it is, it can be played"

    def say_useless(self) -> str:
        """Why it can never be played."""
        if not self.surely(int(knowledge.useless(self.struct))):
            return ""
        if self.kinds & (self.kinds - 1):
            return ", whatever it is"
        played = self.surely(int(self.struct["played"]))
        why = "is already on its pile" if played else "has lost all copies of a card below it"
        card = listed(self.kinds) if self.seen else f"it must be {listed(self.kinds)}, which"
        return f", because {card} {why}"

    def say_free(self) -> str:
        """Why discarding it loses nothing for good."""
        if not self.seen:
            return ""
        if self.surely(int(knowledge.useless(self.struct))):
            return self.say_useless()
        if self.surely(int(knowledge.critical(self.struct))):
            return ""
        return ", because it is not the last of its kind"

    def say_odds(self) -> str:
        """How likely it is to be playable."""
        if self.for_reader or not self.kinds:
            return ""
        likely = self.chance(int(knowledge.playable(self.struct)))
        if likely == 1.0:
            return "; it must be playable"
        return f"; by my count, the chance is {percent(likely)}" if likely else "; by my count, it cannot be playable"

    def say_risk(self) -> str:
        """How likely it is a critical card."""
        if self.for_reader or not self.kinds:
            return ""
        likely = self.chance(int(knowledge.critical(self.struct)))
        if likely == 0.0:
            return "; it cannot be a last copy we need"
        if likely == 1.0:
            return "; it is a last copy we need"
        return f"; the chance that it is a last copy we need is {percent(likely)}"

    def say_dead(self) -> str:
        """How likely it is to be useless."""
        if self.for_reader or not self.kinds:
            return ""
        likely = self.chance(int(knowledge.useless(self.struct)))
        return ", for certain" if likely == 1.0 else f", at {percent(likely)}" if likely else ""
