"""The words that stand for {card}, {fits}, {useless}, {free}, {odds} and {risk} in the reasons of Hanabi agents.

A reason says of a card what its agent knows, and these words say from what: each is worked out from the view that was
decided by, and is left out where that does not bear it out.
"""

from functools import cached_property
from typing import Any

from kibitz.games.hanabi import knowledge
from kibitz.games.hanabi.analytics import chance, unseen_copies
from kibitz.games.hanabi.moves import ALL_KINDS
from kibitz.games.hanabi.state import FACE_DOWN
from kibitz.games.hanabi.view import kinds_in

FEW = 3  # kinds that are named one by one
NO_CARD = "nothing in particular"


def seat_name(seat: int) -> str:
    return f"G{seat + 1}"


def percent(likely: float) -> str:
    """Never 0 % or 100 % of what is not certain."""
    return f"{min(max(round(100 * likely), 1), 99)} %"


def listed(kinds: int) -> str:
    *others, last = [f"the {kind}" for kind in kinds_in(kinds)]
    return f"{', '.join(others)} or {last}" if others else last


class ReasonWords(dict[str, str]):
    """Made as they are asked for. For a reader from whom some cards are hidden, what an agent counts is left out."""

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
        """What the card can be for who decides: one kind if its face is seen; 0 if that cannot be said."""
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
        """How likely the card is one of the wanted kinds."""
        assert self.where is not None
        seat, slot = self.where
        if self.seen:
            return float(self.surely(wanted))
        return float(chance(unseen_copies(self.struct, seat), int(self.struct["hinted_kinds"][seat][slot]), wanted))

    # The words

    def say_card(self) -> str:
        if self.where is None:
            return NO_CARD if self.place < 0 else "a card that is gone"
        seat, slot = self.where
        face = f" ({ALL_KINDS[int(self.struct['deck'][self.place])]})" if self.seen else ""
        whose = "my" if seat == self.struct["seat"] else f"{seat_name(seat)}'s"
        return f"{whose} card {slot + 1}{face}"

    def say_fits(self) -> str:
        """Why it is sure to fit."""
        if not self.surely(int(knowledge.playable(self.struct))):
            return ""
        if self.seen:
            return f": {listed(self.kinds)} is next"
        named = kinds_in(self.kinds)
        if len(named) == 1:
            return f": it can only be {listed(self.kinds)}, which is next"
        if len(named) <= FEW:
            return f": it can only be {listed(self.kinds)}, and each of them is next"
        return f": it can be {len(named)} kinds of card, and each of them is next"

    def say_useless(self) -> str:
        """Why it can never be played."""
        if not self.surely(int(knowledge.useless(self.struct))):
            return ""
        played = self.surely(int(self.struct["played"]))
        why = "lies on its pile already" if played else "is past for its pile, or its pile can never reach it"
        if self.kinds & (self.kinds - 1) == 0:
            why = why if played else "cannot be reached any more: a card below it is gone for good"
            return (
                f": {'' if self.seen else 'it can only be '}{listed(self.kinds)}{'' if self.seen else ', which'} {why}"
            )
        return f": whatever it is, it {why}"

    def say_free(self) -> str:
        """Why to throw it away loses nothing for good."""
        if not self.seen:
            return ""
        if self.surely(int(knowledge.useless(self.struct))):
            return self.say_useless()
        if self.surely(int(knowledge.critical(self.struct))):
            return ""
        return ": it is still needed, but not the last of its kind"

    def say_odds(self) -> str:
        """How likely it is to fit."""
        if self.for_reader or not self.kinds:
            return ""
        likely = self.chance(int(knowledge.playable(self.struct)))
        if likely == 1.0:
            return "; it is sure to fit"
        return f"; by my count it fits with a chance of {percent(likely)}" if likely else "; by my count it cannot fit"

    def say_risk(self) -> str:
        """How likely it is a card that must not be thrown away."""
        if self.for_reader or not self.kinds:
            return ""
        likely = self.chance(int(knowledge.critical(self.struct)))
        if likely == 0.0:
            return "; it is surely no last copy that is still needed"
        if likely == 1.0:
            return "; it is a last copy that is still needed"
        return f"; the chance that it is a last copy still needed is {percent(likely)}"

    def say_dead(self) -> str:
        """How likely it is never to be played again."""
        if self.for_reader or not self.kinds:
            return ""
        likely = self.chance(int(knowledge.useless(self.struct)))
        return "; it surely is" if likely == 1.0 else f"; the chance of that is {percent(likely)}" if likely else ""
