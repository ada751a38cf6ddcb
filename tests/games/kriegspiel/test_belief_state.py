"""The belief state: it contains the true position, comes from the view alone, and is never empty."""

import random
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Decision
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.games.chess.board import KING
from kibitz.games.kriegspiel.consistency import EXACT, FORCED, REPAIRED, SAMPLED
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.packed_positions import BLACKS, WHITES
from kibitz.games.kriegspiel.state import KNIGHT_CHECK, event_of
from tests.games.kriegspiel.tables import SEEN_BY_WHITE, ending_at, followed, table_at
from tests.wall import seen


def holds(rows: Any, state: Any) -> bool:
    """Whether the true position is one of those."""
    true = [*state["pieces"].tolist(), *state["sides"].tolist()]
    return bool((rows[:, : BLACKS + 1] == true).all(axis=1).any())


def test_all_moves_of_the_other_side_that_match_are_possible() -> None:
    found, rows = followed(table_at("e2e4 e7e5").view(0))
    assert found.quality == EXACT
    assert found.kept == 18  # all of 20 but d7d5 and f7f5, after which a pawn try would be announced
    assert (rows[:, WHITES] == rows[0, WHITES]).all()


def test_a_refused_attempt_leaves_the_positions_in_which_it_is_illegal() -> None:
    before, _ = followed(table_at("e2e4 e7e5").view(0))
    refused, _ = followed(table_at("e2e4 e7e5 e4e5").view(0))
    assert before.kept == 18
    assert refused.kept == 1


@pytest.mark.parametrize("seed", range(6))
def test_an_exact_belief_state_contains_the_true_position(seed: int) -> None:
    table, dice, exact = table_at(), random.Random(seed), {0, 1}
    while exact:
        table.make(Decision(dice.choice(KRIEGSPIEL.legal(table.state))))
        for seat in list(exact):
            found, rows = followed(table.view(seat))
            if found.quality != EXACT:
                exact.remove(seat)
            else:
                assert holds(rows, table.state)
    assert len(table.turns) > 5


def test_the_lone_king_of_an_ending_stands_on_one_of_three_squares_for_white_alone() -> None:
    table = Table(
        KRIEGSPIEL, [], KRIEGSPIEL.deal(seeds.keys(1), 3, 2, KRIEGSPIEL.check_rules({"start": "rook_ending"}))
    )
    found, rows = followed(table.view(0))
    assert (found.kept, found.quality) == (3, EXACT)
    assert holds(rows, table.state)
    assert table.view(0)["first_pieces"][KING] != table.start[0]["first_pieces"][KING]


def test_equal_views_give_equal_belief_states_samples_and_decisions() -> None:
    one, other = (table_at(moves) for moves in SEEN_BY_WHITE)
    ours, theirs = (table.view(0) for table in (one, other))
    ours["dice"] = theirs["dice"] = 5
    assert ours.tobytes() == theirs.tobytes()
    assert one.state.tobytes() != other.state.tobytes()
    assert (followed(ours)[1] == followed(theirs)[1]).all()
    for name in ("heuristic", "believer"):
        player, again = (registry.agent(KRIEGSPIEL, name).take_seat(KRIEGSPIEL) for _ in range(2))
        assert player.decide(ours) == again.decide(theirs)
    assert one.sample_world(0, [], 7).state.tobytes() == other.sample_world(0, [], 7).state.tobytes()


def test_a_believer_with_memory_decides_as_one_that_replays_the_game() -> None:
    believer = registry.agent(KRIEGSPIEL, "believer@10")
    table = Table(KRIEGSPIEL, [believer.take_seat(KRIEGSPIEL) for _ in range(2)], table_at().start)
    for _ in range(30):
        fresh = believer.take_seat(KRIEGSPIEL).decide(table.view(table.to_move))
        assert table.step().decision == fresh


def test_an_emptied_belief_state_is_repaired_and_the_reason_says_so() -> None:
    """After one move nothing can give check by a knight; nobody can lose a piece that was never there."""
    view = table_at("e2e4 e7e5").view(0)
    view["history"][1], view["check_mask"] = event_of(0, 0, 0, KNIGHT_CHECK, 0), KNIGHT_CHECK
    found, rows = followed(view)
    assert found.kept > 0
    assert found.quality in (REPAIRED, FORCED)
    assert (rows[:, WHITES] == view["sides"][0]).all()
    decision = registry.agent(KRIEGSPIEL, "believer").take_seat(KRIEGSPIEL).decide(view)
    assert "contradicted turn 2" in decision.reason or "contradict each other" in decision.reason
    assert KRIEGSPIEL.odds(view)[0]["sure"] is False


def test_a_belief_state_is_never_empty_in_a_long_random_game() -> None:
    table, dice = table_at(), random.Random(9)
    qualities = set()
    while not table.over and len(table.turns) < 400:
        table.make(Decision(dice.choice(KRIEGSPIEL.legal(table.state))))
        if len(table.turns) % 80 == 0 and not table.over:
            found, rows = followed(table.view(0), 64)
            qualities.add(found.quality)
            assert found.kept > 0
            assert (rows[:, WHITES] == table.state["sides"][0]).all()
            assert ((rows[:, KING] & rows[:, BLACKS]) != 0).all()
    assert qualities - {EXACT, SAMPLED, REPAIRED, FORCED} == set()


def test_a_sampled_world_can_be_continued_by_both_sides() -> None:
    table = table_at(SEEN_BY_WHITE[0])
    believer = registry.agent(KRIEGSPIEL, "believer@4")
    assert isinstance(believer, CompiledAgent)
    rows = table.continuations(0, [believer, believer], seeds.numbers(1, 0, 2))
    assert len(rows) == 2
    assert seen(table.sample_world(0, [], 1).state, 0)[1]["sides"].tolist() == table.view(0)["sides"].tolist()


def test_the_terminal_shows_the_belief_state_of_the_hunting_side() -> None:
    """Before and after the lone king's move: his own set would say nothing."""
    for moves, count in (("", 4), ("a7e7", 4), ("a7e7 f4g5", 11)):
        table = ending_at(moves)
        drawn = str(KRIEGSPIEL.watched(table.state, table.view))
        assert f"G1: {count} positions are possible." in drawn
        assert drawn.count("·") + drawn.count("(k)") == count
    assert "· " not in str(KRIEGSPIEL.board(table.view(0)))
