"""Whether 25 was possible with open cards: lines are played by the rules, and proofs hold against those who see all."""

from typing import Any

import numpy as np
import pytest

from kibitz.arena.match import play_agents
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.engine import generic
from kibitz.engine.seeds import keys, numbers
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.open_cards import FOUND, IMPOSSIBLE, Search, open_cards

RULES = HANABI.check_rules(HANABI.table_rules)
DEALS = 25


def start_of(deck: str, players: int = 2) -> Any:
    return HANABI.load_start({"deck": deck}, players, RULES)


def deck_ending_with(last: str) -> str:
    """A deck in the order of the ranks, with some cards at its end."""
    cards = [f"{colour}{rank}" for rank, copies in zip("12345", (3, 2, 2, 2, 1), strict=True)
             for colour in "rygbw" for _ in range(copies)]  # fmt: skip
    for card in last.split():
        cards.remove(card)
    return " ".join([*cards, *last.split()])


@pytest.mark.parametrize("players", [2, 5])
def test_a_line_that_is_found_reaches_25_by_the_rules(players: int) -> None:
    for deal in range(DEALS):
        start = HANABI.deal(keys(3), deal, players, RULES)
        found = open_cards(start[0], searches=(Search(32),))
        if found.answer != FOUND:
            continue
        for move in found.moves:
            assert generic.allowed(start[0], move)
            generic.apply(start[0], move)
        assert HANABI.result(start[0])["score"] == 25


def test_a_deal_on_which_a_cheater_reached_25_is_found() -> None:
    agent = registry.agent(HANABI, "smart_cheater")
    assert isinstance(agent, CompiledAgent)
    cards, dice = (numbers(stream, 0, DEALS) for stream in keys(11))
    scores = HANABI.scores(play_agents(HANABI, [agent] * 3, RULES, cards, dice).results)[0]
    assert (scores == 25).any()
    for deal in np.flatnonzero(scores == 25).tolist():
        assert open_cards(HANABI.deal(keys(11), deal, 3, RULES)[0]).answer == FOUND


def test_a_needed_card_below_the_last_place_of_its_pile_is_impossible() -> None:
    # All red ones are drawn last of all: the four red cards above them need more turns than are left.
    assert open_cards(start_of(deck_ending_with("r1 r1 r1"))[0]).answer == IMPOSSIBLE


def test_an_easy_order_of_the_deck_is_found() -> None:
    assert open_cards(start_of(deck_ending_with(""))[0]).answer == FOUND


def test_a_position_without_a_needed_card_is_impossible() -> None:
    start = HANABI.deal(keys(1), 0, 2, RULES)
    start[0]["discarded"][0] |= 1 << 4  # the only red five
    assert open_cards(start[0]).answer == IMPOSSIBLE
