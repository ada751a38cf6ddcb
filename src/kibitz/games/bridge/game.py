"""Bridge as a `Game`: rules for the compiled loop, words, results for the arena, and the data of the page."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from kibitz.core.deferred import deferred, load
from kibitz.core.game import Choice, Game, Lineup, Rule
from kibitz.engine import generic
from kibitz.games.bridge import constrained_deals, contract, page, rules, starts, view_checks, worlds
from kibitz.games.bridge.cards import ALL_CARDS, CARDS, MOST_POINTS, NO_TRUMP, RANKS, SEATS
from kibitz.games.bridge.state import DECLARER_BITS, POINTS_SHOWN, STATE
from kibitz.games.bridge.view import View
from kibitz.games.bridge.words import BridgeWords

generic.implement(
    "bridge",
    STATE,
    deal=rules.deal,
    deal_the_rest=constrained_deals.deal_the_rest,
    to_move=rules.to_move,
    observe=worlds.observe,
    allowed=rules.allowed,
    legal=rules.legal,
    apply=rules.apply,
    move_at=rules.move_at,
    result=contract.result,
    sample_world=worlds.sample_world,
    rewind=worlds.rewind,
    payoff=contract.payoff,
    information_key=worlds.information_key,
)


class Bridge(BridgeWords, Game):
    name = "bridge"
    title = "Bridge"
    description = "The card play of a deal: the declarer plays two hands to make a contract against two defenders."
    players = range(SEATS, SEATS + 1)
    sides = 2
    rules = (
        Rule(
            "declarer", "where the declarer of a deal sits", ("dealt", "north", "east", "south", "west"),
            title="Who declares",
            words={
                "dealt": Choice("By the cards", "The side with more points, the hand with more trumps."),
                "north": Choice("North, the first seat", "The first seat plays the contract, with both hands."),
                "east": Choice("East, the second seat", "The first seat defends, and dummy plays before it."),
                "south": Choice("South, the third seat", "The first seat is dummy, and only watches."),
                "west": Choice("West, the fourth seat", "The first seat defends, and makes the opening lead."),
            },
        ),
        Rule(
            "bidding", "public information about the hands, as from bidding: none, or ranges of points",
            ("silent", "points"), title="Bidding information",
            words={
                "silent": Choice("Nothing", "Only the contract is known."),
                "points": Choice("Points", "For every hand: 0–5, 6–9, 10–12, 13–15, 16–18, 19–21 or more."),
            },
        ),
    )  # fmt: skip
    page_folder = Path(__file__).parent / "page"
    moves_are_open = True
    late_words = "Spectators see the hands when the deal is over: hands do not change, so no delay hides them."
    dtype = STATE
    longest = CARDS
    columns = contract.COLUMNS
    competitive = True
    seat_titles = ("North, declarer", "East, leads", "South, dummy", "West")
    usual_players = SEATS
    table_rules = MappingProxyType({"declarer": "north"})
    formats = deferred("kibitz.games.bridge.formats.pbn:FORMATS")
    bounds = MappingProxyType(
        {
            "dealt": (0, ALL_CARDS),
            "hands": (0, ALL_CARDS),
            "history": (0, CARDS - 1),
            "voids": (0, 15),
            "min_points": (0, MOST_POINTS),
            "max_points": (0, MOST_POINTS),
            "min_lengths": (0, RANKS),
            "max_lengths": (0, RANKS),
            "tricks": (0, RANKS),
            "level": (1, 7),
            "strain": (0, NO_TRUMP),
            "doubled": (0, 2),
            "declarer": (0, SEATS - 1),
            "dealer": (0, SEATS - 1),
            "vulnerable": (0, 3),
            "leader": (0, SEATS - 1),
            "turn": (0, CARDS),
            "rules": (0, DECLARER_BITS | POINTS_SHOWN),
        }
    )
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They play any legal card.", ("random",)),
            "easy": Lineup("They play by rules of thumb: second hand low, third hand high.", ("heuristic",)),
            "strong": Lineup("They deal the unseen cards many times and solve each deal.", ("sampler",)),
        }
    )  # fmt: skip

    def check_fields(self, view: Any, seat: int) -> None:
        view_checks.check(view, seat)

    def dump_start(self, state: Any) -> Any:
        return starts.dump(state)

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        return starts.load(text, players, self.rule_bits(rules))

    def set_up(self, text: str, players: int, rules: Mapping[str, str]) -> Any:
        """A deal in PBN, rotated if the rules seat the declarer."""
        return load("kibitz.games.bridge.formats.pbn:set_up")(text, players, self.rule_bits(rules))

    def gained(self, results: Any, players: int) -> dict[str, Any]:
        """The tricks and the score of each seat's side."""
        _, declarer, _, tricks, score = results[:, : len(self.columns)].T
        seats = np.arange(players)
        declares = (seats ^ declarer[:, None]) & 1 == 0
        return {
            "tricks": np.where(declares, tricks[:, None], RANKS - tricks[:, None]),
            "points": np.where(seats & 1 == 0, score[:, None], -score[:, None]),
        }

    def turns_explained(self, state: Any) -> int:
        """Reasons reveal the player's hand, so they are shown when all cards have been played."""
        return int(state["turn"]) if state["turn"] == CARDS else 0

    def page(self, view: Any) -> dict[str, Any]:
        return page.table(View(view))

    def prepare_page(self, view: Any) -> None:
        page.prepare(View(view))

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        return page.event(View(view), turn, self.event_text(view, turn))

    def choices(self, view: Any) -> list[dict[str, Any]]:
        return page.choices(View(view))


BRIDGE = Bridge()
