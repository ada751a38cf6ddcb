"""Kriegspiel: the umpire's announcements, possible attempts, and how a game ends."""

import pytest

from kibitz.engine.loop import ONLOOKER
from kibitz.errors import KibitzError, RecordError
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.state import LONGEST
from tests.games.kriegspiel.tables import RULES, said, table_at


def test_a_side_sees_its_own_pieces_and_a_spectator_none() -> None:
    table = table_at("e2e4 e7e5")
    assert set(KRIEGSPIEL.view(table.view(0)).pieces.values()) == set("PRNBQK")
    assert set(KRIEGSPIEL.view(table.view(1)).pieces.values()) == set("prnbqk")
    assert KRIEGSPIEL.view(table.view(ONLOOKER)).pieces == {}
    assert said(table, 0) == said(table, ONLOOKER) == "G2 has moved"
    assert said(table, 1) == "G2 plays e7e5"


def test_an_illegal_attempt_is_heard_by_both_and_leaves_the_same_side_to_move() -> None:
    table = table_at("e2e4 d7d5 f1b5")  # check: the knight is not in the way
    assert said(table, 1) == "G1 has moved, check on the long diagonal"
    table = table_at("e2e4 d7d5 f1b5 g8f6")
    assert table.to_move == 1
    assert said(table, 0) == "G2 attempts something: illegal"
    assert said(table, 1) == "G2 attempts g8f6: illegal"
    with pytest.raises(KibitzError, match="you attempted it in this turn, and it is illegal"):
        KRIEGSPIEL.move("g8f6", table.state)


def test_a_capture_is_announced_with_its_square_and_whether_it_was_a_pawn() -> None:
    assert said(table_at("e2e4 d7d5 e4d5"), 1) == "G1 has moved, a pawn is captured on d5"
    assert said(table_at("e2e4 d7d5 e4d5 d8d5 b1c3 a7a6 c3d5"), 1) == "G1 has moved, a piece is captured on d5"
    passing = table_at("e2e4 a7a6 e4e5 d7d5")
    assert said(passing, 0) == "G2 has moved, a pawn can capture"
    assert (
        said(table_at("e2e4 a7a6 e4e5 d7d5 e5d6"), 0) == "G1 plays e5d6, a pawn is captured on d5, a pawn can capture"
    )


@pytest.mark.parametrize(
    ("position", "move", "direction"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "on the rank"),
        ("4k3/8/8/8/8/8/R7/3K4 w - - 0 1", "a2e2", "on the file"),
        ("6k1/8/8/8/6N1/8/6R1/K7 w - - 0 1", "g4h6", "on the file and by a knight"),
        ("8/8/1k6/8/8/8/8/2B1K2Q w - - 0 1", "c1e3", "on the long diagonal"),
        ("8/2k5/8/8/8/8/8/2B1K2Q w - - 0 1", "c1f4", "on the long diagonal"),
        ("8/2k5/8/8/8/8/3B4/4K2Q w - - 0 1", "d2a5", "on the short diagonal"),
        ("4k3/8/8/8/4N3/8/8/4K2Q w - - 0 1", "e4f6", "by a knight"),
    ],
)
def test_check_is_announced_with_its_direction(position: str, move: str, direction: str) -> None:
    assert said(table_at(move, position), 1) == f"G1 has moved, check {direction}"


def test_a_pawn_may_try_to_capture_only_after_an_announcement() -> None:
    with pytest.raises(KibitzError, match="the umpire has not announced that a pawn can capture"):
        table_at("e2e4 a7a6 e4d5")
    assert table_at("e2e4 d7d5 e4f5").to_move == 0  # one can, but not there


@pytest.mark.parametrize(
    ("position", "move", "verdict"),
    [
        ("7k/8/6K1/8/8/8/8/1R6 w - - 0 1", "b1b8", "G1 mates after 1 attempt of both sides."),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "Draw: G2 is not in check and cannot move."),
        ("7k/8/8/8/8/8/5r2/6K1 w - - 0 1", "g1f2", "Draw: insufficient material."),
        ("7k/8/8/8/8/8/5R2/6K1 w - - 99 80", "f2f3", "Draw: 100 moves without a pawn move or a capture."),
    ],
)  # fmt: skip
def test_how_a_game_ends_and_then_everything_is_seen(position: str, move: str, verdict: str) -> None:
    table = table_at(move, position)
    assert table.over
    assert KRIEGSPIEL.verdict(table.state) == verdict
    assert KRIEGSPIEL.view(table.view(0)).pieces == KRIEGSPIEL.view(table.view(ONLOOKER)).pieces != {}


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "the side that has just moved is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "the game is over: Draw"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: str, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        KRIEGSPIEL.set_up(position, 2, RULES)
    with pytest.raises(RecordError, match=says):
        KRIEGSPIEL.load_start({"position": position, "king_among": []}, 2, RULES)


def test_a_lone_king_must_be_on_one_of_the_squares_he_may_be_on() -> None:
    start = {"position": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "king_among": ["d8", "e7"]}
    with pytest.raises(RecordError, match="has to be on one of the squares"):
        KRIEGSPIEL.load_start(start, 2, RULES)
    view = KRIEGSPIEL.load_start({**start, "king_among": ["e8", "e7"]}, 2, RULES)[0]
    assert KRIEGSPIEL.dump_start(view) == {**start, "king_among": ["e7", "e8"]}


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("e3e4", "you have no piece on e3"),
        ("a1a2", "your own piece is on a2"),
        ("g1g3", "a piece on g1 does not move like that"),
        ("castle", "Write the squares it goes from and to"),
        ("e7e5", "you have no piece on e7"),
    ],
)
def test_an_impossible_attempt_is_refused_with_the_reason(move: str, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        table_at(move)


def test_a_view_that_cannot_be_is_refused() -> None:
    view = table_at("e2e4").view(0)
    KRIEGSPIEL.check_view(view, 0)
    view["turn"] = LONGEST + 1
    with pytest.raises(RecordError, match="turn must be from 0"):
        KRIEGSPIEL.check_view(view, 0)
    view["turn"], view["pieces"][5] = 1, 0
    with pytest.raises(RecordError, match="other values of pieces"):
        KRIEGSPIEL.check_view(view, 0)
