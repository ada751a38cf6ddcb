"""What a game provides to say how hard a deal was: agents to play it, and perhaps a search with open cards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol


class OpenCards(NamedTuple):
    """Whether the best result was possible with all cards face up."""

    answer: str  # "found", "impossible" (proved) or "unknown"
    moves: tuple[int, ...] = ()  # a line that reaches it, if one was found


class DealStudy(Protocol):
    """The part of a game that judges deals."""

    agents: Sequence[str]  # fast and different; each plays every deal with copies of itself
    rules: Mapping[str, str]
    table: Path  # the scores of these agents over many deals, as `kibitz deals measure` writes them

    def open_cards(self, state: Any) -> OpenCards: ...
