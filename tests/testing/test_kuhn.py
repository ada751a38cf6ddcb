"""The example `examples/kuhn`: its promises, its search, and its stakes."""

import numpy as np
import pytest
from kuhn.agents import searcher
from kuhn.game import KUHN
from kuhn.rules import BET, PASS

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.testing import check_game


def table(cards: list[str], moves: list[int]) -> Table:
    at = Table(KUHN, [], KUHN.load_start({"cards": cards}, 2, {}))
    for move in moves:
        at.make(Decision(move))
    return at


def test_the_example_keeps_every_promise() -> None:
    assert check_game(KUHN, games=6).longest == 3


def test_its_search_folds_a_jack_and_calls_with_a_king() -> None:
    player = searcher.take_seat(KUHN)
    for card, move, chips in (("jack", PASS, "-1.00"), ("king", BET, "+2.00")):
        decision = player.decide(table(["queen", card], [BET]).view(1))
        assert decision == (move, f"I expect {chips} chips")
        assert player.estimates[0].move == move


@pytest.mark.parametrize(("moves", "chips"), [([PASS, PASS], 1), ([BET, PASS], -1), ([PASS, BET, BET], 2)])
def test_the_higher_card_or_the_last_bet_wins_the_stakes(moves: list[int], chips: int) -> None:
    at = table(["jack", "queen"], moves)
    gains = KUHN.gained(KUHN.row(at.state)[np.newaxis], 2)["chips"]
    assert gains.tolist() == [[-chips, chips]]


def test_a_folded_hand_stays_hidden_and_a_showdown_is_open() -> None:
    assert table(["king", "jack"], [BET, PASS]).view(1)["cards"].tolist() == [-1, 0]
    assert table(["king", "jack"], [BET, BET]).view(1)["cards"].tolist() == [2, 0]
