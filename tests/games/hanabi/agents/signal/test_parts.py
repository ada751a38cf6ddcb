"""The parts of `signal`: what is asked, which number a move says, what silence says, and when to do what."""

from typing import Any

import pytest

from kibitz.core.table import Table
from kibitz.games.hanabi import Move
from kibitz.games.hanabi.agents.signal import codes, implicit_signals, questions, saving
from kibitz.games.hanabi.agents.signal.player import signal
from kibitz.games.hanabi.cards import ALL, FIVES, ONES, hinted_kinds
from kibitz.games.hanabi.game import HANABI
from tests.games.hanabi.agents.signal.tables import known, mask, started, weights
from tests.tables import PLAYERS, at, dealt, make, table_of

FOURS, THREES = "y4 g4 b4 w4", "r3 y3 g3 b3"


def asked(c: Any, seat: int) -> list[tuple[int, int]]:
    """The questions to a seat: slots and kinds."""
    return [(int(c["slots"][seat, n]), int(c["kinds"][seat, n])) for n in range(int(c["asked"][seat]))]


def decides(table: Table) -> tuple[str, str]:
    decision = table.decide()
    return str(Move(decision.move)), decision.reason


# Questions


def test_first_it_is_asked_what_fits_then_what_must_be_saved_then_what_is_of_no_use() -> None:
    c = started(at(FOURS, THREES, "r1 y2 g1 b2", piles={"white": 2}).start)
    questions.ask_everybody(c, 0, 12, weights(4))
    kinds = [each for _, each in asked(c, 1)]
    playable, useless = int(c["playable"]), int(c["useless"])
    order = [
        0 if each & ~playable == 0 else 1 if each & ~int(c["critical"]) == 0 else 2 if each & ~useless == 0 else 3
        for each in kinds
    ]
    assert order == sorted(order)
    assert {0, 1, 2} <= set(order)


def test_room_that_is_left_tells_playable_kinds_apart() -> None:
    c = started(at(FOURS, THREES, "r1 y2 g1 b2", hints=["1 to G3"]).start)
    questions.ask_everybody(c, 0, 8, weights(3))
    assert mask(c, 2, 0) == ONES
    assert all(slot != 0 for slot, _ in asked(c, 2)), "what is known to fit is not asked"
    questions.ask_everybody(c, 0, 24, weights(3))
    assert any(kinds & (kinds - 1) == 0 for _, kinds in asked(c, 1))


def test_a_value_is_learnt_as_no_to_the_questions_before_it_and_yes_to_its_own() -> None:
    table = at(FOURS, THREES, "r1 y2 g1 b2")
    c = started(table.start)
    questions.ask_everybody(c, 0, 8, weights(3))
    value = int(questions.value_of(c, table.view(0), 2))
    before = asked(c, 2)
    questions.learn(c, 2, value)
    for number, (slot, kinds) in enumerate(before[: value + 1]):
        assert mask(c, 2, slot) & kinds == (mask(c, 2, slot) if number == value else 0)


def test_half_is_neither_none_nor_all() -> None:
    c = started(at(FOURS, THREES, "r1 y2 g1 b2").start)
    for kinds in (0b11, ONES, FIVES, ALL, 0b110001):
        some = int(questions.halve(c, kinds))
        assert 0 < some < kinds
        assert some & ~kinds == 0


# Codes


@pytest.mark.parametrize("players", PLAYERS)
def test_every_hint_says_a_number_and_those_to_different_seats_differ(players: int) -> None:
    table = table_of((), dealt(players, seed=3))
    c = started(table.start)
    modulus: dict[int, int] = {}
    settings = weights(players)
    count = codes.count_codes(c, 0, settings)
    for seat in range(1, players):
        codebook, first = codes.stored_codebook(c, seat), codes.first_code(c, 0, seat)
        for value in range(10):
            touched = sum(
                1 << slot
                for slot in range(int(table.state["held"][seat]))
                if int(hinted_kinds(value)) >> int(table.state["deck"][table.state["hands"][seat][slot]]) & 1
            )
            if touched:
                number = int(first + codes.code_in(codebook, value, touched))
                assert modulus.setdefault(number, seat) == seat
    assert max(modulus) < count


@pytest.mark.parametrize(("players", "most"), [(3, 8), (4, 12), (5, 16)])
def test_four_codes_for_each_receiver_or_three_that_can_always_be_said(players: int, most: int) -> None:
    hands = [FOURS, THREES, "r1 y2 g1 b2", "r1 y2 g1 w2", "w1 w3 b1 r2"][:players]
    assert codes.count_codes(started(at(*hands, tokens=7).start), 0, weights(players)) == most
    full = codes.count_codes(started(at(*hands, lives=1).start), 0, weights(players))
    assert full == most * 3 // 4


def test_with_two_players_every_value_has_a_code_of_its_own() -> None:
    c = started(at("y4 g4 b4 w4 r4", "r1 y2 g1 b2 w5", tokens=5).start)
    settings = weights(2)
    codebook = codes.codebook_of(c, 1, settings)
    questions.ask_everybody(c, 0, codes.count_codes(c, 0, settings), settings)
    values = range(int(c["asked"][1]) + 1)
    said = [int(codes.code_for(c, 1, codebook, value)) for value in values]
    assert len(set(said)) == len(said)
    assert [int(codes.value_for(c, 1, codebook, code)) for code in said] == list(values)


# What moves say


@pytest.mark.parametrize("players", [3, 4, 5])
def test_one_hint_tells_every_receiver_its_own(players: int) -> None:
    """Each of them has one card that fits: after the first hint everybody knows of one."""
    hands = ["y4 g4 b4 w4", "r1 y3 g3 b3", "y1 r3 w3 g4", "g1 b3 r4 y3", "b1 w4 r4 g3"][:players]
    table = at(*hands, tokens=7, agents=[signal] * players)
    assert decides(table)[0].startswith("hint")
    table.step()
    c = known(table, 0)
    for seat in range(1, players):
        assert any(mask(c, seat, slot) & ~int(c["playable"]) == 0 for slot in range(4)), f"G{seat + 1}"


def test_a_discard_without_need_says_that_nothing_fits() -> None:
    table = at("r5 y5 g5 b5 w5", "r3 y3 g3 b3 w3", tokens=4)
    make(table, "discard 1")
    c = known(table, 1)
    assert all(mask(c, 1, slot) & ONES == 0 for slot in range(5))


def test_a_play_says_that_nothing_had_to_be_saved() -> None:
    table = at("r1 y5 g5 b5 w5", "y3 r3 g3 b3 w3", tokens=4, hints=["red to G1", "1 to G1"])
    c = started(table.start)
    slot = int(saving.chop_at_risk(c, 1, weights(2)))
    assert mask(c, 1, slot) & FIVES
    make(table, "play 1")
    assert mask(known(table, 1), 1, slot) & FIVES == 0


def test_a_hint_in_place_of_a_known_play_says_that_a_card_must_be_saved() -> None:
    table = at("r1 y4 g4 b4 w4", "w5 r3 g3 b3 y3", tokens=4, hints=["red to G1", "1 to G1"])
    c = started(table.start)
    assert implicit_signals.implies_save(c, 0, weights(2))
    slot = int(saving.chop_at_risk(c, 1, weights(2)))
    implicit_signals.before_hint(c, 0, weights(2))
    assert mask(c, 1, slot) & ~int(c["critical"]) == 0


# When to do what


def test_a_critical_card_that_would_go_next_is_saved_before_anything_is_played() -> None:
    table = at("r1 y4 g4 b4 w4", "w5 r3 g3 b3 y3", tokens=4, hints=["red to G1", "1 to G1"], agents=[signal] * 2)
    move, reason = decides(table)
    assert move.startswith("hint")
    assert reason.startswith("The next player would discard a critical card, so I hint ")


def test_a_known_card_that_fits_is_played() -> None:
    table = at("r1 y4 g4 b4", THREES, "r4 w4 y3 g3", tokens=4, hints=["red to G1", "1 to G1"], agents=[signal] * 3)
    assert decides(table) == ("play 1", "I play my card 1: the signals show that it is playable; it must be the red 1")


def test_the_reason_of_a_hint_says_the_sum_and_what_it_means_to_each() -> None:
    table = at("y4 g4 b4 w4", "r1 y3 g3 b3", "y3 r3 w3 g1", tokens=7, agents=[signal] * 3)
    decision = table.players[0].decide(table.view(0))
    assert decision.reason.startswith("I hint red to G3, which says S = ")
    assert " of 8: G2's value is " in decision.reason
    assert "so card 1 is playable; G3's value is " in decision.reason
    to_g2 = table.players[0].decide_for(table.view(0), table.view(1)).reason  # type: ignore[attr-defined]
    assert "your value is " in to_g2
    assert "red" not in to_g2.removeprefix("I hint red")


def test_whoever_is_not_followed_still_finds_a_legal_move() -> None:
    table = at("y4 g4 b4 w4", "r1 y3 g3 b3", tokens=0)
    decision = signal.take_seat(HANABI).decide(table.view(0))
    assert Move(decision.move).is_discard
