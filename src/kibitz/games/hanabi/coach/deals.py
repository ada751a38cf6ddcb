"""How hard a deal of Hanabi was: who plays it, and whether 25 was possible."""

from pathlib import Path
from typing import Any

from kibitz.core.deal_study import OpenCards
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.open_cards import open_cards


class HanabiDeals:
    # From plain rules to a player that knows nearly everything about its hand.
    agents = ("outer", "iggi", "piers", "bot2_conventions", "trustful", "signal")
    rules = HANABI.table_rules
    table = Path(__file__).with_name("deals.json")

    def open_cards(self, state: Any) -> OpenCards:
        return open_cards(state)


DEALS = HanabiDeals()
