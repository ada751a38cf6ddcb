"""Distrustful at scripted tables: every module, and the order they come in."""

from typing import Any

import pytest

from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi import Move
from kibitz.games.hanabi.agents.distrustful import distrustful, distrustful_2020
from tests.tables import EVERY_RULES, PLAYERS, at, named, played, without_evidence


def says(*hands: str, agent: CompiledAgent = distrustful, **parts: Any) -> tuple[str, str]:
    """What the player to move decides, and why."""
    decision = at(*hands, agents=[agent] * len(hands), **parts).decide()
    return str(Move(decision.move)), without_evidence(decision.reason)


DULL = "y5 g5 b5 w5"  # fives on empty piles: nobody plays or hints them
FOURS = "y4 g4 b4 w4"


def test_the_last_copy_of_a_card_that_fits_is_kept_from_going() -> None:
    said = says(FOURS, "r2 g3 b3 w3", DULL, piles={"red": 1}, discards="r2", tokens=1)
    assert said == (
        "hint 2 to G2",
        "I hint 2 to G2 to save G2's card 1 (red 2): it can be played, is the last of its kind, and would be "
        "discarded next",
    )


def test_its_colour_is_hinted_when_its_rank_is_known() -> None:
    hints = ["2 to G2", "3 to G2"]
    said = says(FOURS, "r2 g3 b3 w3", DULL, piles={"red": 1}, discards="r2", tokens=1, hints=hints)
    assert said[0] == "hint red to G2"


@pytest.mark.parametrize(
    "parts",
    [
        {"discards": "r2", "tokens": 0},  # no token to do it with
        {"discards": "", "tokens": 1},  # not the last copy
        {"discards": "r2", "tokens": 1, "piles": {}},  # does not fit yet
        {"discards": "r2", "tokens": 1, "hints": ["white to G2", "1 to G2"]},  # it will play another card
        {"discards": "r2", "tokens": 1, "hints": ["blue to G2", "1 to G2"]},  # it will discard another card
    ],
)
def test_nobody_is_warned_without_need(parts: dict[str, Any]) -> None:
    said = says(FOURS, "r2 w1 b1 w3", DULL, **{"piles": {"red": 1, "blue": 1}, **parts})
    assert said == ("discard 1", "I have nothing better to do, so I discard my card 1, my next")


def test_a_card_that_is_sure_to_fit_is_played_the_lowest_rank_first() -> None:
    hints = ["red to G1", "3 to G1", "blue to G1", "1 to G1"]
    said = says("r3 y4 b1 w4", DULL, piles={"red": 2, "green": 1}, hints=hints)
    assert said == ("play 3", "I play my card 3")


def test_copies_in_sight_make_a_card_sure() -> None:
    """Of the twos, only the red can be in the hand that does not see the others."""
    others = ("y2 y2 g2 g2 r5", "b2 b2 w2 w2 y5")
    assert says("r2 y4 g4", *others, piles={"red": 1}, hints=["2 to G1"])[0] == "play 1"


def test_the_player_of_2020_knows_its_cards_by_hints_alone() -> None:
    others = ("y2 y2 g2 g2 r5", "b2 b2 w2 w2 y5")
    said = says("r2 y4 g4", *others, agent=distrustful_2020, piles={"red": 1}, hints=["2 to G1"], tokens=1)
    assert said[0] == "discard 2"


def test_the_player_of_2020_prefers_an_avalanche_play() -> None:
    """Both twos can be played. Then the fourth player can play the red 3."""
    hands = ("y4 g4", "g2 b5", "r2 y5", "r3 w5")
    hinted: dict[str, Any] = {"piles": {"red": 1, "green": 1}, "hints": ["2 to G2", "2 to G3"]}
    assert says(*hands, agent=distrustful, **hinted)[0] == "hint green to G2"
    assert says(*hands, agent=distrustful_2020, **hinted)[0] == "hint red to G3"


def test_a_good_tip_marks_cards_worth_more_than_two() -> None:
    said = says(FOURS, "r1 g1 b4 w4", DULL, tokens=2)
    assert said == (
        "hint 1 to G2",
        "I hint 1 to G2; it touches G2's card 1 (red 1), and no other hint brings us closer to a play",
    )


def test_a_good_tip_that_makes_a_card_sure_comes_first() -> None:
    """Two twos not yet playable for sure are worth more than the second mark of one that then is."""
    hands = (FOURS, "r2 y2 g2 b5", "w2 y5 g5 r5")
    piles = {"red": 1, "yellow": 1, "green": 1, "white": 1}
    assert says(*hands, piles=piles, tokens=2)[0] == "hint 2 to G2"
    assert says(*hands, piles=piles, tokens=2, hints=["white to G3"])[0] == "hint 2 to G3"


def test_a_card_whose_copy_is_marked_already_counts_nothing() -> None:
    hands = (FOURS, "r1 g1 b4 w4", "r1 y5 g5 b5")
    assert says(*hands, tokens=2, hints=["red to G3"])[0] == "hint 1 to G3"
    assert says(*hands, tokens=2, hints=["red to G3", "1 to G3"])[0] == "discard 1"


def test_the_last_token_is_kept() -> None:
    assert says(FOURS, "r1 g1 b4 w4", DULL, tokens=1)[0] == "discard 1"


def test_a_mediocre_tip_needs_three_tokens() -> None:
    hands = (FOURS, "b4 r1 y4 w3", DULL)
    assert says(*hands, tokens=2)[0] == "discard 1"
    assert says(*hands, tokens=3) == (
        "hint 1 to G2",
        "I have nothing better to do, so I hint 1 to G2; it touches G2's card 2 (red 1), and "
        "no other hint brings us closer to a play",
    )


def test_a_discard_tip_frees_three_cards() -> None:
    piles = dict.fromkeys(("red", "yellow", "green", "blue", "white"), 1)
    assert says(FOURS, "r1 g1 b1 r5", DULL, piles=piles, tokens=2) == (
        "hint 1 to G2",
        "I hint 1 to G2, who now knows that G2's card 1 (red 1) can never be played",
    )
    assert says(FOURS, "r1 g1 r5 y4", DULL, piles=piles, tokens=2)[0] == "discard 1"


def test_a_useless_card_goes_before_a_tip_only_with_few_tokens() -> None:
    hands = ("y4 r1 b4 w4", "y1 g1 b4 w4", DULL)
    parts: dict[str, Any] = {"piles": {"red": 1}, "hints": ["red to G1", "1 to G1"]}
    assert says(*hands, tokens=2, **parts) == ("discard 2", "I discard my card 2: it can never be played")
    assert says(*hands, tokens=3, **parts)[0] == "hint 1 to G2"


def test_a_mediocre_tip_comes_before_a_useless_card_only_with_all_tokens() -> None:
    hands = ("y4 r1 b4 w4", "b4 y1 g4 w3", DULL)
    parts: dict[str, Any] = {"piles": {"red": 1}, "hints": ["red to G1", "1 to G1"]}
    assert says(*hands, tokens=7, **parts)[0] == "discard 2"
    assert says(*hands, tokens=8, **parts)[0] == "hint 1 to G2"


def test_the_oldest_unmarked_card_goes_then_the_oldest_not_surely_critical_then_the_oldest() -> None:
    assert says("r5 y4 g5", "b5 w5", tokens=0, hints=["5 to G1"])[0] == "discard 2"
    assert says("r5 y4 g5", "b5 w5", tokens=0, hints=["5 to G1", "4 to G1"])[0] == "discard 2"
    assert says("r5 y5 g5", "b5 w5", tokens=0, hints=["5 to G1"])[0] == "discard 1"


def test_where_no_discard_is_allowed_something_is_hinted() -> None:
    rules = {"full_discard": "forbidden"}
    assert says("y4 g4", "b5 w5", rules=rules) == (
        "hint 5 to G2",
        "I may not discard now, so I hint 5 to G2; it touches G2's card 1 (blue 5)",
    )


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
def test_every_move_is_legal_and_no_life_is_lost(players: int, rules: dict[str, str]) -> None:
    games = played([distrustful] * players, 200, rules=rules)
    assert games.done == 200
    assert (games.results[:, 1] == 3).all()


@pytest.mark.parametrize(("players", "mean"), [(2, 17.52), (3, 16.49), (4, 15.72), (5, 14.46)])
def test_it_scores_what_the_paper_reports_or_more(players: int, mean: float) -> None:
    """2,000 games of a fixed seed; counting the copies in sight is worth more than the sampling error of 0.1."""
    assert played([distrustful] * players, 2000, seed=5).results[:, 0].mean() >= mean
