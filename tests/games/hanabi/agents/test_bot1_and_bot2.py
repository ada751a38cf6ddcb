"""Bot1 and Bot2 at tables set up for one rule each."""

from typing import Any

import pytest

from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.agents.bot1 import CAN_HINT, CRITICAL, SAFE_DISCARD, SAFE_PLAY, bot1, phase
from kibitz.games.hanabi.agents.bot2 import bot2
from kibitz.games.hanabi.analytics import unseen_copies
from kibitz.games.hanabi.game import HANABI
from tests.tables import EVERY_RULES, PLAYERS, at, named, other_cards, played, without_evidence

ZERO = {**EVERY_RULES[0], "lost_game": "zero"}


def decided(agent: CompiledAgent, *hands: str, **parts: Any) -> tuple[str, str]:
    """The move and the reason of the first player."""
    decision = at(*hands, agents=[agent] * len(hands), **parts).decide()
    return HANABI.move_text(decision.move), without_evidence(decision.reason)


# Bot1


@pytest.mark.parametrize(
    ("hints", "tokens", "expected"),
    [
        (["1 to G2"], 1, SAFE_PLAY),  # every pile waits for a one
        (["4 to G2"], 1, SAFE_DISCARD),  # no four is the last of its kind yet
        ([], 2, CAN_HINT),  # a token is left when it is to move
        ([], 1, CRITICAL),
    ],
)
def test_a_partner_is_in_the_phase_of_the_safest_thing_it_can_do(hints: list[str], tokens: int, expected: int) -> None:
    view = at("y1 y2 y3 y4 y5", "r1 g2 b3 w4 r5", hints=hints).view(0)
    assert phase(view, 1, unseen_copies(view, 1), tokens, 1) == expected


def test_bot1_helps_a_critical_partner_before_it_plays() -> None:
    move, reason = decided(bot1, "y1 y2 y3 y4 y5", "g2 r1 b3 w4 r5", hints=["1 to G1"], tokens=1)
    assert move == "hint 1 to G2"
    assert reason == "I hint 1 to G2, who had no safe move and now knows that G2's card 2 (red 1) can be played"


def test_bot1_shows_a_safe_discard_where_nothing_can_be_made_safe_to_play() -> None:
    """Both a two and "not a five" may go; telling the fives tells more."""
    move, reason = decided(bot1, "y1 y2 y3 y4 y5", "g2 r5 w5 b5 g5", tokens=1)
    assert move == "hint 5 to G2"
    assert (
        reason == "I hint 5 to G2, who had no safe move and can now discard G2's card 1 (green 2) "
        "without a lasting loss"
    )


def test_bot1_tells_most_where_nothing_can_be_made_safe() -> None:
    move, reason = decided(bot1, "y1 y2 y3 y4 y2", "r5 w5 b5 g5 y5", tokens=1)
    assert move == "hint 5 to G2"
    assert reason == "I hint 5 to G2, who has no safe move after any hint; this one says most"


def test_bot1_helps_the_first_of_the_critical_partners() -> None:
    """The next player still finds a token; the two after it would not."""
    hands = ("y1 y2 y3 y4", "r2 r3 r4 g2", "g1 g3 g4 b4", "b1 b2 b3 w4")
    assert decided(bot1, *hands, tokens=2)[0] == "hint 1 to G3"


def test_bot1_plays_the_oldest_safe_card_when_no_partner_is_critical() -> None:
    move, reason = decided(bot1, "y2 y1 g1 y4 y5", "r2 r3 r4 g2 g3", hints=["1 to G1"], tokens=2)
    assert (move, reason) == ("play 2", "I play my card 2")


def test_bot1_shares_tokens_beyond_one_a_player_with_the_partner_in_the_worst_phase() -> None:
    hands = ("y1 y2 y3 y4 y5", "r1 r2 r3 r4 r5", "g1 g2 g3 g4 g5")
    move, reason = decided(bot1, *hands, hints=["1 to G2"], tokens=4)
    assert move == "hint 1 to G3"
    assert (
        reason == "I have tokens to spare, so I hint 1 to G3, who needs a hint most "
        "and now knows that G3's card 1 (green 1) can be played"
    )


def test_bot1_hints_the_nearest_of_partners_in_the_same_phase() -> None:
    hands = ("y1 y2 y3 y4 y5", "r1 r2 r3 r4 r5", "g1 g2 g3 g4 g5")
    assert decided(bot1, *hands, tokens=4)[0] == "hint 1 to G2"


def test_bot1_discards_the_likeliest_useless_card_when_tokens_are_not_to_spare() -> None:
    move, reason = decided(bot1, "y2 y3 y4 y5 y1", "r2 r3 r4 r5 g5", hints=["5 to G1"], piles={}, tokens=2)
    assert (move, reason) == ("discard 5", "I discard my card 5: of my cards it is the safest to discard")


# Bot2


def test_bot2_plays_the_safe_card_that_makes_most_cards_playable() -> None:
    hints = ["1 to G1", "red to G1", "yellow to G1"]
    move, reason = decided(bot2, "r1 y1 g3 b3 w3", "y2 y3 b4 b5 g4", hints=hints)
    assert (move, reason) == ("play 2", "I play my card 2")


def test_bot2_counts_what_it_knows_of_its_own_hand_among_the_cards_a_play_opens() -> None:
    hints = ["1 to G1", "red to G1", "yellow to G1", "2 to G1"]
    assert decided(bot2, "r1 y1 y2 b3 w3", "b2 y3 b4 b5 g4", hints=hints)[0] == "play 2"


def test_bot2_makes_a_partner_sure_of_a_playable_card() -> None:
    move, reason = decided(bot2, "y2 y3 y4 y5 g5", "r3 r1 g4 b4 w4")
    assert (move, reason) == (
        "hint 1 to G2",
        "I hint 1 to G2, who now knows that G2's card 2 (red 1) can be played",
    )


def test_bot2_tips_the_card_that_makes_most_cards_playable_wherever_it_is() -> None:
    hands = ("y2 y3 y4 y5 g5", "r1 r3 r4 g4 g3", "b2 b2 b1 b3 w4")
    assert decided(bot2, *hands)[0] == "hint 1 to G3"


def test_bot2_discards_a_surely_useless_card_when_there_are_fewer_tokens_than_players() -> None:
    hands = ("r1 y3 y4 y5 g5", "r3 r4 g4 b4 w4")
    parts: dict[str, Any] = {"piles": {"red": 1}, "hints": ["red to G1", "1 to G1"]}
    assert decided(bot2, *hands, tokens=1, **parts) == (
        "discard 1",
        "We are short of tokens, so I discard my card 1, which is safe",
    )
    assert decided(bot2, *hands, tokens=2, **parts)[0].startswith("hint")


def test_bot2_tips_a_playable_card_even_if_its_holder_will_not_be_sure() -> None:
    move, reason = decided(bot2, "y2 y3 y4 y5 g5", "r2 w3 g4 b4 w4", piles={"red": 1})
    assert (move, reason) == (
        "hint 2 to G2",
        "I hint 2 to G2, who now knows more about G2's card 1 (red 2), which can be played",
    )


def test_bot2_gives_the_hint_that_tells_most_when_nothing_fits() -> None:
    move, reason = decided(bot2, "y2 y3 y4 y5 g4", "r5 w5 g5 b5 w4")
    assert (move, reason) == (
        "hint 5 to G2",
        "I hint 5 to G2; it touches G2's card 1 (red 5), and no other hint says more",
    )


def test_bot2_throws_the_newest_of_equally_useless_cards_away_without_a_token() -> None:
    move, reason = decided(bot2, "y2 y3 y4 y5 g5", "r2 w3 g4 b4 w4", tokens=0)
    assert (move, reason) == ("discard 5", "I discard my card 5: of my cards it is the safest to discard")


def test_bot2_keeps_a_card_that_may_be_the_last_of_its_kind() -> None:
    assert decided(bot2, "y2 y3 y4 g5 y5", "r2 w3 g4 b4 w4", tokens=0, hints=["5 to G1"])[0] == "discard 3"


# Both


@pytest.mark.parametrize("agent", [bot1, bot2], ids=named)
@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
def test_the_bots_never_make_an_illegal_move(agent: CompiledAgent, rules: dict[str, str]) -> None:
    for players in PLAYERS:
        assert played([agent] * players, 100, rules=rules).done == 100


@pytest.mark.parametrize("agent", [bot1, bot2], ids=named)
def test_the_bots_lose_no_life(agent: CompiledAgent) -> None:
    """They play only what is sure to fit."""
    assert (played([agent] * 3, 200).results[:, 1] == 3).all()


@pytest.mark.parametrize("hands", [("r2", "y2"), ("r2", "y2", "g3"), ("w5", "r5")])
@pytest.mark.parametrize("agent", [bot1, bot2], ids=named)
@pytest.mark.parametrize("tokens", [0, 8])
def test_the_bots_can_move_when_partners_hold_no_card(
    agent: CompiledAgent, hands: tuple[str, ...], tokens: int
) -> None:
    """At the very end hands run out; with one card each, everybody's next turn is the last."""
    table = at(*hands, agents=[agent] * len(hands), discards=other_cards(*hands), tokens=tokens)
    table.run()


@pytest.mark.parametrize(
    ("players", "least", "most"), [(2, 13.5, 15.2), (3, 17.0, 18.2), (4, 16.8, 17.7), (5, 15.9, 16.8)]
)
def test_bot2_scores_what_the_report_says(players: int, least: float, most: float) -> None:
    """The report's 14.37, 17.65, 17.25, 16.33 of 100 games; margins are 0.3 and the sampling error of both."""
    assert least < played([bot2] * players, 1000, rules=ZERO, seed=0).results[:, 0].mean() < most
