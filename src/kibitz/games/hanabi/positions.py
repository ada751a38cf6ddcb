"""Positions for tests and puzzles, set up card by card.

position(hands=["r1 b3 w5 g2", "y1 y2 y3 y4"], piles={"red": 2}, discards="w1 w1", hints=["red to G1"])
"""

from collections.abc import Mapping
from typing import Any

from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.start_positions import Start, load


def position(hands: list[str], *, rules: Mapping[str, str] | None = None, **parts: Any) -> Any:
    """A position as an array of one state; the parts are those of `Start`."""
    start = Start(hands=hands, **parts)
    return load(start, HANABI.check_players(len(hands)), HANABI.rule_bits(HANABI.check_rules(rules or {})))
