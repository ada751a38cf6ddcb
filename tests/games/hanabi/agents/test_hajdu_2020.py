"""The six generations to the letter of the thesis: how they differ from the improved ones, and from each other."""

from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi import Move
from kibitz.games.hanabi.agents.hajdu import hajdu_v2
from kibitz.games.hanabi.agents.hajdu_2020 import (
    hajdu_v1_2020,
    hajdu_v1_fixed_2020,
    hajdu_v2_2020,
    hajdu_v2_fives_2020,
    hajdu_v3_2020,
    hajdu_v4_2020,
)
from kibitz.games.hanabi.game import HANABI
from tests.tables import PLAYERS, at, played

FAMILY = (hajdu_v1_2020, hajdu_v1_fixed_2020, hajdu_v2_2020, hajdu_v2_fives_2020, hajdu_v3_2020, hajdu_v4_2020)
ALL_ONES = dict.fromkeys(("red", "yellow", "green", "blue", "white"), 1)


def decides(agent: CompiledAgent, *hands: str, **parts: object) -> str:
    return str(Move(at(*hands, agents=[agent] * len(hands), **parts).decide().move))


def test_only_the_nearest_player_with_a_playable_card_is_considered() -> None:
    hands = ("b3 w4", "y4 g5", "y2 r2 r4", "g1 b5")
    assert decides(hajdu_v1_2020, *hands, piles={"red": 1}) == "discard 1"  # the red 2 cannot be shown clearly
    assert decides(
        hajdu_v1_2020.with_weights(hajdu_v1_2020.weights.but({"reading.whom": 0})), *hands, piles={"red": 1}
    ) == ("hint 1 to G4")


def test_v1_hints_both_copies_and_the_fixed_one_does_not() -> None:
    assert decides(hajdu_v1_2020, "b3 w4", "r1 r1 b4") == "hint 1 to G2"
    assert decides(hajdu_v1_fixed_2020, "b3 w4", "r1 r1 b4") == "discard 1"


def test_v1_hints_a_card_again_and_v2_does_not() -> None:
    hands = ("b3 w4", "y4 g5", "r1 b4")
    assert decides(hajdu_v1_2020, *hands, hints=["1 to G3"]) == "hint red to G3"
    assert decides(hajdu_v2_2020, *hands, hints=["1 to G3"]) == "discard 1"


def test_v2_knows_its_cards_by_what_hints_name_alone() -> None:
    all_but_ones = ["2 to G1", "3 to G1", "4 to G1", "5 to G1"]
    hands = ("g2 g3 w1 y4 b5", "g4 g5")
    assert decides(hajdu_v2, *hands, hints=all_but_ones) == "play 3"
    assert decides(hajdu_v2_2020, *hands, hints=all_but_ones) != "play 3"


def test_v2_hints_and_discards_useless_cards() -> None:
    assert decides(hajdu_v2_2020, "b3 w4", "y1 r3 b1", piles=ALL_ONES) == "hint 1 to G2"
    assert decides(hajdu_v2_2020, "b3 w4 y1", "r3 g3", piles=ALL_ONES, hints=["1 to G1"], tokens=0) == "discard 3"


def test_fives_are_shown_by_rank_and_then_by_colour() -> None:
    hands = ("b3 w4", "y4 r5 b4")
    assert decides(hajdu_v2_fives_2020, *hands) == "hint 5 to G2"
    assert decides(hajdu_v2_fives_2020, *hands, hints=["5 to G2"]) == "hint red to G2"


def test_spares_are_shown_but_neither_last_copies_nor_both() -> None:
    assert decides(hajdu_v3_2020, "b3 w4", "y2 r3 b4") == "hint 4 to G2"
    assert decides(hajdu_v3_2020, "b3 w4", "y5 b4", discards="b4") == "discard 1"
    assert decides(hajdu_v3_2020, "b3 w4", "b4 b4 y5") == "discard 1"
    assert decides(hajdu_v3_2020, "b5 w4", "y3 r5", discards="y3", hints=["5 to G1"], tokens=0) == "discard 2"


def test_v4_hints_boldly_and_the_next_player_corrects() -> None:
    table = at("b3 w4", "b5 w3", "y2 r2 r4", agents=[hajdu_v4_2020] * 3, piles={"red": 1})
    moves = [HANABI.move_text(table.step().decision.move) for _ in range(3)]
    assert moves == ["hint 2 to G3", "hint yellow to G3", "play 2"]


def test_only_generations_that_mind_copies_and_give_clear_hints_never_lose() -> None:
    lost = {
        agent: any(played([agent] * players, 200).results[:, 1].min() == 0 for players in PLAYERS) for agent in FAMILY
    }
    assert [agent.name for agent in FAMILY if not lost[agent]] == [
        "hajdu_v1_fixed_2020", "hajdu_v2_2020", "hajdu_v3_2020",
    ]  # fmt: skip
