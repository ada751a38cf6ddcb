"""Trustful at scripted tables: every module, and the order they come in."""

from typing import Any

import pytest

from kibitz.games.hanabi import Move
from kibitz.games.hanabi.agents.trustful import WEIGHT_NAMES, trustful
from tests.tables import EVERY_RULES, PLAYERS, at, make, named, other_cards, played, without_evidence

FOURS = "y4 g4 b4 w4"
THREES = "y3 g3 b3 w3"


def says(*hands: str, moves: tuple[str, ...] = (), **parts: Any) -> tuple[str, str]:
    """What the player to move decides after these moves, and why."""
    table = at(*hands, agents=[trustful] * len(hands), **parts)
    make(table, *moves)
    decision = table.decide()
    return str(Move(decision.move)), without_evidence(decision.reason)


# 1. Necessary tip


def test_an_own_sure_play_makes_the_next_players_promise_right() -> None:
    hands = (FOURS, "r2 y3 g3 b3", "r3 y1 b2 g2")
    hints = ["red to G2", "2 to G2"]
    assert says(*hands, piles={"red": 1}, hints=hints, moves=("hint red to G3",)) == (
        "play 1",
        "I play my card 1 so that the next player's promised card can follow",
    )


def test_a_promise_that_would_be_misplayed_is_vetoed_with_a_hint_that_promises_a_right_play() -> None:
    hands = (FOURS, THREES, "r3 b4 y1 g2")
    assert says(*hands, piles={"red": 1}, moves=("hint red to G3",)) == (
        "hint 1 to G3",
        "I hint 1 to G3 to stop G3's card 1 (red 3): it was promised, but it cannot be played now",
    )


def test_without_such_a_hint_the_card_itself_is_hinted_rank_before_colour() -> None:
    hands = (FOURS, THREES, "r3 b4 y4 g4")
    assert says(*hands, piles={"red": 1}, moves=("hint red to G3",))[0] == "hint 3 to G3"


def test_a_right_promise_is_left_alone() -> None:
    hands = (FOURS, THREES, "r2 b4 y4 g4")
    assert says(*hands, piles={"red": 1}, tokens=2, moves=("hint red to G3",))[0] == "discard 1"


def test_a_critical_card_about_to_go_is_saved_by_a_play_it_makes_possible() -> None:
    said = says(FOURS, "r5 y3 g1 b3", THREES.replace("y3", "y4"), tokens=1)
    assert said == (
        "hint 1 to G2",
        "I hint 1 to G2 to save G2's card 1 (red 5): it is the last of its kind and would be discarded next",
    )


def test_without_such_a_play_it_is_marked_rank_before_colour() -> None:
    assert says(FOURS, "r5 y3 g4 b3", "w3 g3 b2 r4", tokens=1)[0] == "hint 5 to G2"


def test_in_the_last_round_no_card_is_saved() -> None:
    hands = ("y4 g4", "r5 y3")
    assert says(*hands, discards=other_cards(*hands), tokens=1)[0] == "discard 1"


# 2. and 3. Plays


def test_a_sure_play_comes_before_a_promised_one() -> None:
    hands = (FOURS, THREES, "r2 y1 b4 g4")
    parts: dict[str, Any] = {"piles": {"red": 1}, "hints": ["yellow to G3", "1 to G3"]}
    assert says(*hands, moves=("hint red to G3", "discard 1"), **parts) == (
        "play 2",
        "I play my card 2",
    )


def test_a_promised_card_is_played_from_the_left() -> None:
    hands = (FOURS, THREES, "b4 r2 y4 r3")
    assert says(*hands, piles={"red": 1}, moves=("hint red to G3", "discard 1")) == (
        "play 2",
        "I play my card 2: a hint promised it",
    )


def test_promised_cards_of_known_rank_come_first() -> None:
    hands = ("y4 g4 b4 w4", THREES, "g5 b5 y5 w5", "r3 y4 w2 b3")
    moves = ("hint red to G4", "hint 2 to G4", "discard 1")
    assert says(*hands, piles={"red": 2, "white": 1}, moves=moves)[0] == "play 3"


def test_a_promised_card_that_cannot_fit_is_not_played() -> None:
    hands = (FOURS, THREES, "r2 r4 b3 g3")
    moves = ("hint red to G3", "discard 1", "play 1")
    assert says(*hands, piles={"red": 1}, tokens=3, moves=(*moves, "discard 1", "discard 1"))[0] == "play 1"
    reasons = says(*hands, piles={"red": 1}, tokens=3, moves=(*moves, "hint 4 to G3", "discard 1"))
    assert not reasons[0].startswith("play")


def test_with_one_life_only_a_card_promised_alone_is_played() -> None:
    hands = (FOURS, THREES, "r2 b4 r3 g4")
    several = says(*hands, piles={"red": 1}, lives=1, tokens=3, moves=("hint red to G3", "discard 1"))
    assert not several[0].startswith("play")
    alone = (FOURS, THREES, "r2 b4 y4 g4")
    assert says(*alone, piles={"red": 1}, lives=1, moves=("hint red to G3", "discard 1"))[0] == "play 1"


# 4. to 8. Tips


def test_a_play_tip_promises_what_fits_from_the_left() -> None:
    said = says(FOURS, THREES, "r2 b4 r3 g4", piles={"red": 1}, tokens=2)
    assert said == (
        "hint red to G3",
        "I hint red to G3 to get G3's card 1 (red 2) played; it will be playable",
    )


def test_cards_in_the_wrong_order_are_hinted_otherwise() -> None:
    assert says(FOURS, THREES, "r3 b4 r2 g4", piles={"red": 1}, tokens=2)[0] == "hint 2 to G3"


def test_a_right_promise_to_the_next_player_is_not_ruined() -> None:
    hands = (FOURS, "b3 g3 w3 y3", "r2 b4 y1 g4")
    assert says(*hands, piles={"red": 1}, tokens=6, moves=("hint red to G3",))[0] == "discard 1"


def test_a_copy_of_a_promised_card_is_not_promised() -> None:
    hands = ("y4 g4 b4 w4", THREES, "r2 b4 y4 g4", "y5 g5 r2 b5")
    assert says(*hands, piles={"red": 1}, tokens=3)[0] == "hint 2 to G4"
    assert says(*hands, piles={"red": 1}, tokens=3, moves=("hint red to G3",))[0] == "discard 1"


def test_the_last_token_is_kept() -> None:
    assert says(FOURS, THREES, "r2 b4 r3 g4", piles={"red": 1}, tokens=1)[0] == "discard 1"


def test_a_discard_tip_frees_two_cards() -> None:
    piles = dict.fromkeys(("red", "yellow", "green", "blue", "white"), 1)
    hands = (FOURS, THREES, "r1 g1 b3 r4")
    assert says(*hands, piles=piles, tokens=3) == (
        "hint 1 to G3",
        "I hint 1 to G3, who now knows that G3's card 1 (red 1) can never be played",
    )


def test_a_save_tip_tells_a_critical_card_as_a_message() -> None:
    hands = (FOURS, THREES, "b3 r5 g4 r4")
    assert says(*hands, tokens=5)[0] == "discard 1"
    assert says(*hands, tokens=6) == (
        "hint 5 to G3",
        "I hint 5 to G3 to save G3's card 2 (red 5): it is the last of its kind",
    )


def test_an_information_tip_needs_all_tokens() -> None:
    hands = (FOURS, "y2 g3 b3 w3", "g2 b2 r3 w2")
    assert says(*hands, tokens=7)[0] == "discard 1"
    move, reason = says(*hands, tokens=8)
    assert move.startswith("hint")
    assert reason == f"I have nothing better to do, so I {move}: no other hint says more"


def test_where_no_discard_is_allowed_something_is_hinted() -> None:
    move, reason = says("y4 g4", "b4 w4", rules={"full_discard": "forbidden"})
    assert move.startswith("hint")
    assert "hint" in reason


# 9. and 10. Discards


def test_a_useless_card_goes_before_a_tip_only_with_few_tokens() -> None:
    hands = ("y4 r1 b4 w4", THREES, "r2 b4 r3 g4")
    parts: dict[str, Any] = {"piles": {"red": 1}, "hints": ["red to G1", "1 to G1"]}
    assert says(*hands, tokens=2, **parts) == ("discard 2", "I discard my card 2: it can never be played")
    assert says(*hands, tokens=3, **parts)[0] == "hint red to G3"


def test_the_oldest_unmarked_card_goes() -> None:
    said = says("y4 g4 b4", "y3 g3", tokens=0, hints=["yellow to G1"])
    assert said == ("discard 2", "I have nothing better to do, so I discard my card 2, my next")


# The agent as a whole


def test_there_are_27_weights_and_a_range_to_tune_each_in() -> None:
    assert len(WEIGHT_NAMES) == len(trustful.weights) == 27
    for weight, (low, high) in zip(trustful.weights.values, trustful.weights.ranges, strict=True):
        assert low <= weight <= high


def test_other_weights_make_another_player() -> None:
    silent = trustful.with_weights({"discard_tip.bar": 99.0, "play_tip.bar": 99.0})
    table = at(FOURS, THREES, "r2 b4 r3 g4", agents=[silent] * 3, piles={"red": 1}, tokens=2)
    assert str(Move(table.decide().move)) == "discard 1"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
def test_every_move_is_legal(players: int, rules: dict[str, str]) -> None:
    assert played([trustful] * players, 200, rules=rules).done == 200


@pytest.mark.parametrize(
    ("players", "mean", "deviation"), [(2, 17.94, 3.41), (3, 20.39, 1.69), (4, 20.43, 1.67), (5, 19.03, 1.61)]
)
def test_it_scores_what_the_paper_reports_or_more(players: int, mean: float, deviation: float) -> None:
    """2,000 games of a fixed seed; a mean is then within 0.12 of the true one, far less than what is to spare."""
    scores = played([trustful] * players, 2000, seed=5).results[:, 0]
    assert scores.mean() >= mean
    assert scores.std() <= deviation
