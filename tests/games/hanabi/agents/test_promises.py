"""What a hint means to every seat: promise, message, veto. Moves are made by hand; only the account is looked at."""

import pytest

from kibitz.core.agent import CompiledPlayer
from kibitz.core.table import Table
from kibitz.games.hanabi.agents.trustful import trustful
from tests.tables import PLAYERS, at, dealt, make, table_of


def table(*hands: str, **parts: object) -> Table:
    return at(*hands, agents=[trustful] * len(hands), **parts)


def account(table: Table, seat: int, note: str = "promised") -> list[int]:
    """The slots, from 1, of a hand that are under a promise; every seat must say the same."""
    players = [player for player in table.players if isinstance(player, CompiledPlayer)]
    accounts = {int(player.known("public")[note]) for player in players}
    (promised,) = accounts
    cards = table.state["hands"][seat][: table.state["held"][seat]]
    return [slot for slot, card in enumerate(cards, 1) if promised >> int(card) & 1]


def after(table: Table, *moves: str) -> Table:
    make(table, *moves)
    return table


def test_a_hint_promises_the_cards_it_touches() -> None:
    hinted = after(table("y4 g4 b4 w4", "y3 g3 b3 w3", "r2 y2 r3 g2", piles={"red": 1}), "hint red to G3")
    assert account(hinted, 2) == [1, 3]
    assert account(hinted, 2, "alone") == []


def test_a_promise_of_one_card_is_remembered_as_such() -> None:
    hinted = after(table("y4 g4 b4 w4", "y3 g3 b3 w3", "r2 y2 b2 g2", piles={"red": 1}), "hint red to G3")
    assert account(hinted, 2, "alone") == [1]


def test_a_hint_by_the_player_before_that_touches_the_card_about_to_go_is_a_message() -> None:
    hinted = after(table("y4 g4 b4 w4", "r2 g3 r3 w3", "y1 g1 b1 w1", piles={"red": 1}), "hint red to G2")
    assert account(hinted, 1) == []


def test_the_same_hint_by_another_player_is_a_promise() -> None:
    hinted = table("y4 g4 b4 w4", "y1 g1 b1 w1", "r2 g3 r3 w3", piles={"red": 1})
    assert account(after(hinted, "hint red to G3"), 2) == [1, 3]


def test_a_hint_by_the_player_before_that_leaves_the_card_about_to_go_alone_is_a_promise() -> None:
    hinted = after(table("y4 g4 b4 w4", "g3 r2 b3 w3", "y1 g1 b1 w1", piles={"red": 1}), "hint red to G2")
    assert account(hinted, 1) == [2]


def test_whoever_has_a_sure_play_is_not_about_to_discard() -> None:
    hands = ("y4 g4 b4 w4", "r2 g1 r3 w3", "y1 g2 b1 w1")
    hinted = after(table(*hands, piles={"red": 1}, hints=["green to G2", "1 to G2"]), "hint red to G2")
    assert account(hinted, 1) == [1, 3]


def test_any_hint_by_the_player_before_takes_back_the_promise_about_to_be_played() -> None:
    hinted = table("y4 g4 b4 w4", "y3 g3 b3 w3", "r3 y1 r4 g2", piles={"red": 1})
    after(hinted, "hint red to G3", "hint yellow to G3")
    assert account(hinted, 2) == [2, 3]


def test_a_vetoed_card_is_not_promised_by_the_veto_itself() -> None:
    hinted = table("y4 g4 b4 w4", "y3 g3 b3 w3", "r3 y1 b3 g3", piles={"red": 1, "blue": 2})
    after(hinted, "hint red to G3", "hint 3 to G3")
    assert account(hinted, 2) == [3, 4]


def test_a_hint_by_another_player_takes_nothing_back() -> None:
    hinted = table("y4 g4 b4 w4", "y3 g3 b3 w3", "b4 y5 w4 g4", "r2 y1 r3 g2", piles={"red": 1})
    after(hinted, "hint red to G4", "hint yellow to G4")
    assert account(hinted, 3) == [1, 2, 3]


def test_a_rank_that_no_pile_takes_is_a_message() -> None:
    hinted = after(table("y4 g4 b4 w4", "y3 g3 b3 w3", "r5 y2 b2 g5", piles={"red": 1}), "hint 5 to G3")
    assert account(hinted, 2) == []


def test_a_rank_that_some_pile_takes_is_a_promise() -> None:
    hinted = after(table("y4 g4 b4 w4", "y3 g3 b3 w3", "r5 y2 b2 g5", piles={"red": 1}), "hint 2 to G3")
    assert account(hinted, 2) == [2, 3]


def test_a_card_that_is_surely_useless_is_not_promised() -> None:
    hinted = table("y4 g4 b4 w4", "y3 g3 b3 w3", "r1 y2 r2 g5", piles={"red": 1}, hints=["1 to G3"])
    assert account(after(hinted, "hint red to G3"), 2) == [3]


def test_a_new_card_is_under_no_promise() -> None:
    hinted = table("y4 g4 b4 w4", "y3 g3 b3 w3", "r2 y2 r3 g2", piles={"red": 1})
    after(hinted, "hint red to G3", "discard 1", "play 1")
    assert account(hinted, 2) == [2]


@pytest.mark.parametrize("players", PLAYERS)
def test_all_seats_keep_the_same_account(players: int) -> None:
    for number in range(3):
        game = table_of([trustful] * players, dealt(players, number=number))
        for _ in game.steps():
            for seat in range(players):
                account(game, seat)
