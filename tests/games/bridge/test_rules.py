"""The rules of the play, the contract, and the score."""

import random
from typing import Any

import pytest

from kibitz.core.agent import Decision
from kibitz.errors import KibitzError
from kibitz.games.bridge import rules
from kibitz.games.bridge.cards import HEARTS, NO_TRUMP, SPADES, cards_of
from kibitz.games.bridge.contract import high_cards, imps, payoff, score, winners
from kibitz.games.bridge.game import BRIDGE
from kibitz.games.bridge.view import View
from tests.games.bridge.tables import EVEN, SUITS_APART, dealt, play, seated, table


def test_the_hand_to_the_left_of_the_declarer_leads_and_the_declarer_plays_for_dummy() -> None:
    at = table()
    assert (at.to_move, View(at.state).playing) == (3, 3)  # West leads against South
    play(at, "ht")
    assert (at.to_move, View(at.state).playing) == (2, 0)  # South plays a card of North
    play(at, "h2")
    assert at.to_move == 1
    play(at, "hq")
    assert (at.to_move, View(at.state).playing) == (2, 2)


def test_suit_must_be_followed() -> None:
    at = table(cards="ht")
    assert {str(card) for card in View(at.state).legal} == {"♥A", "♥6", "♥2"}
    with pytest.raises(KibitzError, match=r"♥ was led, and dummy can follow suit. Legal: ♥A ♥6 ♥2"):
        BRIDGE.move("sk", at.state)


def test_the_highest_card_of_the_suit_led_takes_a_trick_unless_it_is_trumped() -> None:
    high = table(contract="3NT", cards="ht h2 hq hj")
    assert (high.state["leader"], high.state["tricks"].tolist()) == (1, [0, 1])
    apart = table(SUITS_APART, contract="1H", declarer="N")  # East leads a heart, and only East has any
    play(apart, "h2 da ca s2")
    assert apart.state["leader"] == 1
    ruffed = table(SUITS_APART, contract="7S", declarer="N", cards="ha d2 c2 s2")
    assert (ruffed.state["leader"], ruffed.state["tricks"].tolist()) == (0, [1, 0])


def test_who_does_not_follow_has_shown_out() -> None:
    at = table(SUITS_APART, contract="7S", declarer="N", cards="ha d2 c2 s2")
    assert [View(at.state).shown_out(seat) for seat in range(4)] == [[HEARTS], [], [HEARTS], [HEARTS]]


def test_thirteen_tricks_are_played_and_the_side_with_its_contract_wins() -> None:
    at = table(SUITS_APART, contract="7S", declarer="N")
    while not at.over:
        at.make(Decision(BRIDGE.legal(at.state)[0]))
    assert at.result() == {"winners": 0b0101, "declarer": 0, "needed": 13, "tricks": 13, "score": 1510}
    assert BRIDGE.verdict(at.state) == "7♠ by N (G1) is just made: 13 tricks. N-S score +1510."
    assert payoff(at.state, 0) == payoff(at.state, 2) > 0.5 > payoff(at.state, 1)


@pytest.mark.parametrize(
    ("contract", "doubled", "vulnerable", "tricks", "points"),
    [
        ((1, NO_TRUMP), 0, False, 7, 90),
        ((3, NO_TRUMP), 0, True, 10, 630),
        ((4, HEARTS), 0, False, 10, 420),
        ((2, SPADES), 1, False, 8, 470),
        ((2, 0), 2, True, 9, 1160),
        ((6, SPADES), 0, True, 12, 1430),
        ((7, NO_TRUMP), 2, True, 13, 2980),
        ((4, SPADES), 0, True, 8, -200),
        ((4, SPADES), 1, False, 6, -800),
        ((4, SPADES), 1, True, 6, -1100),
        ((7, NO_TRUMP), 2, True, 0, -7600),
        ((1, 1), 1, False, 8, 240),
    ],
)
def test_scores_are_those_of_duplicate_bridge(
    contract: tuple[int, int], doubled: int, vulnerable: bool, tricks: int, points: int
) -> None:
    assert score(*contract, doubled, vulnerable, tricks) == points


def test_scores_agree_with_another_program() -> None:
    endplay = pytest.importorskip("endplay.types")
    for level in range(1, 8):
        for strain in range(5):
            for doubled, penalty in enumerate(("passed", "doubled", "redoubled")):
                for tricks in range(14):
                    theirs = endplay.Contract(
                        level=level, denom=endplay.Denom(strain if strain == 4 else 3 - strain),
                        declarer=endplay.Player.north, penalty=endplay.Penalty[penalty], result=tricks - 6 - level,
                    )  # fmt: skip
                    for vulnerable, vul in enumerate((endplay.Vul.none, endplay.Vul.both)):
                        assert score(level, strain, doubled, bool(vulnerable), tricks) == theirs.score(vul)


def test_match_points_are_counted_by_the_usual_table() -> None:
    assert [int(imps(points)) for points in (0, 10, 20, 420, 430, -600, 3990, 4000, 7600)] == [
        0, 0, 1, 9, 10, 12, 23, 24, 24,
    ]  # fmt: skip


def test_the_stronger_side_declares_and_the_rule_says_where() -> None:
    for number in range(30):
        state = dealt(number=number)[0]
        declarer = int(state["declarer"])
        ours, theirs = (
            sum(int(high_cards(int(state["dealt"][(declarer + s) % 4]))) for s in pair) for pair in ((0, 2), (1, 3))
        )
        assert ours >= theirs
        turned = dealt(number=number, declarer="west")[0]
        assert int(turned["declarer"]) == 3
        assert sorted(turned["dealt"].tolist()) == sorted(state["dealt"].tolist())
        assert turned["dealt"][3] == state["dealt"][declarer]


def test_a_contract_is_one_that_is_made_about_as_often_as_not() -> None:
    """Rules of thumb, so a wide margin: with all hands open the declarer takes about as many tricks as it needs."""
    solver = pytest.importorskip("kibitz.games.bridge.double_dummy")
    if not solver.installed():
        pytest.skip(solver.MISSING)
    states = [dealt(seed=5, number=number)[0] for number in range(10)]
    solved = solver.solve([solver.Position.of(state) for state in states])
    over = [13 - max(tricks.values()) - 6 - int(state["level"]) for state, tricks in zip(states, solved, strict=True)]
    assert -1 < sum(over) / len(over) < 1.5


def test_points_that_the_bidding_showed_are_true() -> None:
    for number in range(20):
        view = View(dealt(number=number, bidding="points")[0])
        for seat in range(4):
            least, most = view.shown_points(seat) or (0, 37)
            assert least <= int(high_cards(sum(1 << card for card in view.dealt(seat)))) <= most


def test_random_games_keep_the_rules_that_a_second_program_keeps() -> None:
    """Tricks are counted again from the cards alone, by sorting."""
    dice = random.Random(3)
    for number in range(20):
        at = seated((), dealt(number=number))
        hands = [set(cards_of(int(hand))) for hand in at.state["dealt"]]
        trumps, leader, tricks = int(at.state["strain"]), (int(at.state["declarer"]) + 1) % 4, [0, 0]
        for _ in range(13):
            trick: list[tuple[Any, int]] = []
            for step in range(4):
                seat = (leader + step) % 4
                following = {card for card in hands[seat] if trick and card.suit == trick[0][0].suit}
                assert set(BRIDGE.legal(at.state)) == (following or hands[seat])
                card = dice.choice(sorted(following or hands[seat]))
                hands[seat].remove(card)
                at.make(Decision(int(card)))
                trick.append((card, seat))
            led = trick[0][0].suit
            leader = max(trick, key=lambda played: (played[0].suit == trumps, played[0].suit == led, played[0].rank))[1]
            tricks[leader % 2] += 1
        assert at.state["tricks"].tolist() == tricks
        assert int(winners(at.state)) in (0b0101, 0b1010)
        assert int(rules.played(at.state)) == (1 << 52) - 1


def test_a_deal_without_a_contract_gets_one() -> None:
    state = BRIDGE.load_start({"deal": EVEN}, 4, BRIDGE.check_rules({}))[0]
    assert View(state).contract.text == "4S"
    assert View(state).declarer == 2
