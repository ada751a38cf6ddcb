"""What everybody knows is the same for every seat, and true, in games of `signal`; and survives games of others."""

from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.engine.loop import move_of
from kibitz.games.hanabi.agents.signal.player import signal
from kibitz.games.hanabi.game import HANABI
from tests.games.hanabi.agents.signal.tables import known, mask, started
from tests.tables import DEFAULTS, EVERY_RULES, PLAYERS, all_know_the_truth, at, dealt, make, named, played, table_of

STRICT = {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"}


@pytest.mark.machine_code
@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_knows_the_same_after_every_move_and_it_is_true(players: int) -> None:
    all_know_the_truth(signal, players, known, "masks", seed=21, rules=STRICT)


def same_decisions(agents: list[CompiledAgent], games: int, rules: dict[str, str], seed: int) -> None:
    """The loop, where seats share what they read, plays as the table in Python, where every seat reads alone."""
    logs = played(agents, games, rules=rules, seed=seed).logs
    for number in range(games):
        table = table_of(agents, dealt(len(agents), rules=rules, seed=seed, number=number))
        while not table.over:
            decision = table.decide()
            assert decision.move == move_of(int(logs[number][len(table.turns)]))
            table.make(decision)


@pytest.mark.machine_code
@pytest.mark.parametrize("players", PLAYERS)
def test_seats_that_share_what_they_read_decide_as_seats_that_read_alone(players: int) -> None:
    same_decisions([signal] * players, 4, STRICT, 22)


def stranger(name: str) -> CompiledAgent:
    agent = registry.agent(HANABI, name)
    assert isinstance(agent, CompiledAgent)
    return agent


@pytest.mark.machine_code
@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
def test_by_any_rules_and_with_anybody_it_plays_to_the_end(rules: dict[str, str]) -> None:
    tables = (
        [signal, stranger("random_legal")],
        [signal, stranger("trustful"), signal],
        [stranger("erratic"), signal, signal, stranger("piers")],
        [signal, stranger("bot2"), signal.with_weights({"mod_sum.plays": 1.0}), signal, stranger("random_legal")],
    )
    for agents in tables:
        assert played(agents, 20, rules=rules, seed=23).done == 20


@pytest.mark.machine_code
def test_with_strangers_too_shared_and_own_reading_decide_the_same() -> None:
    other_settings = signal.with_weights({"mod_sum.discards": 0.0})
    same_decisions([signal, stranger("trustful"), signal, other_settings], 6, DEFAULTS, 24)


@pytest.mark.machine_code
def test_who_is_seen_not_to_follow_is_taken_at_his_word() -> None:
    """A stranger's hints say sums that are not so; after two contradictions nothing is read into moves."""
    reasons = []
    for number in range(4):
        table = table_of([signal, stranger("trustful"), signal], dealt(3, seed=25, rules=DEFAULTS, number=number))
        table.run()
        reasons.append([turn.decision.reason for turn in table.turns])
    literal = [any(reason.startswith("A player does not follow") for reason in game) for game in reasons]
    assert sum(literal) >= 2


def test_a_position_without_a_past_is_read_from_its_hints() -> None:
    table = at("r2 y4 g3", "g4 g3 w1", "b1 b2 b3", piles={"red": 1}, hints=["red to G1", "2 to G1"])
    assert mask(started(table.start), 0, 0) == 1 << 1
    decision = signal.take_seat(HANABI).decide(table.view(0))
    assert decision == (0, "I play my card 1: the signals show that it is playable; it must be the red 2")


def test_a_kind_whose_copies_are_all_known_is_ruled_out_everywhere() -> None:
    table = at("r5 y4", "g4 g3", "b1 b2", hints=["red to G1", "5 to G1"])
    c = started(table.start)
    assert mask(c, 0, 0) == 1 << 4
    assert not mask(c, 1, 0) >> 4 & 1


def test_the_board_is_kept_from_moves_alone() -> None:
    table = at("r1 y4 g3", "g4 g3 w1", "b1 b2 b3", tokens=4)
    make(table, "play 1", "discard 2", "hint 4 to G1")
    c = known(table, 0)
    for name in ("played", "tokens", "lives", "drawn", "turn", "to_move", "countdown"):
        assert int(c[name]) == int(table.state[name]), name
    assert [int(each) for each in c["held"]] == [int(each) for each in table.state["held"]]
    held: Any = table.state["hands"]
    assert all(int(c["hands"][seat][slot]) == int(held[seat][slot]) for seat in range(3) for slot in range(3))
