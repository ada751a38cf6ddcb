"""A view from a host that lies: what no game can show is refused, because agents rely on it."""

from typing import Any

import pytest

from kibitz.errors import RecordError
from kibitz.games.chess.board import KING, as_mask
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.state import A_PIECE, KEEPS_TURN, MATE, event_of
from tests.games.kriegspiel.tables import ENDING, RULES, ending_at, table_at

PLAYED = "e2e4 d7d5 e4d5 d8d5"  # both captured on d5
D5 = 35


def lie_about(view: Any, field: str, value: Any, place: int | None = None) -> Any:
    if place is None:
        view[field] = value
    else:
        view[field][place] = value
    return view


@pytest.mark.parametrize(
    ("field", "place", "value", "says"),
    [
        ("pieces", 4, 0, "other values of pieces"),
        ("sides", 1, 1 << 60, "other values of sides"),
        ("check_mask", None, 1, "other values of check_mask"),
        ("fullmove_number", None, 1, "more or fewer moves than its number says"),
        ("first_castling", None, 16, "first_castling must be from 0"),
        ("first_pieces", KING, 1 << 4, "two pieces share a square"),
        ("king_candidates", None, 1 << 60, "a king is missing, or not on one of his possible squares"),
        ("outcome", None, MATE, "cannot be attempted"),
        ("history", 0, event_of(4 << 9 | 5 << 3, 0, 0, 0, 0), "cannot be attempted"),
        ("history", 0, event_of(12 << 9 | 28 << 3, A_PIECE, 28, 0, 0), "makes an impossible capture"),
        ("history", 1, event_of(51 << 9 | 35 << 3, 0, 0, 0, 1), "an attempt of the other side"),
        ("history", 1, event_of(0, A_PIECE, 20, 0, 0), "captures a piece that is not there"),
        ("history", 1, event_of(0, A_PIECE, 4, 0, 0), "captures a piece that is not there"),
        ("history", 1, event_of(0, 0, 0, 31, 1), "no position matches the announcement"),
    ],
)
def test_a_view_that_no_game_shows_is_refused(field: str, place: int | None, value: int, says: str) -> None:
    view = table_at(PLAYED).view(0)
    KRIEGSPIEL.check_view(view, 0)
    with pytest.raises(RecordError, match=says):
        KRIEGSPIEL.check_view(lie_about(view, field, value, place), 0)


def test_a_lone_kings_squares_must_match_the_announcements() -> None:
    table = ending_at("a7a5")
    view = table.view(0)
    KRIEGSPIEL.check_view(view, 0)
    view["history"][0] ^= 2 << 24  # he is in check from the file, too
    view["check_mask"] ^= 2
    with pytest.raises(RecordError, match="no position matches the announcement"):
        KRIEGSPIEL.check_view(view, 0)


def test_a_side_with_nothing_left_to_attempt_is_refused() -> None:
    """Its agents would choose among no moves."""
    table = table_at("", "7k/8/8/8/8/p7/P1r5/K7 b - - 0 1")
    table_view = table_at("c2c8", "7k/8/8/8/8/p7/P1r5/K7 b - - 0 1").view(0)
    KRIEGSPIEL.check_view(table_view, 0)
    assert KRIEGSPIEL.legal(table_view)
    refused = [move | KEEPS_TURN for move in KRIEGSPIEL.legal(table_view)]
    turn = int(table_view["turn"])
    table_view["history"][turn : turn + len(refused)] = refused
    table_view["turn"] = turn + len(refused)
    with pytest.raises(RecordError, match="nothing left to attempt"):
        KRIEGSPIEL.check_view(table_view, 0)
    assert not table.over


def test_a_finished_game_is_replayed() -> None:
    table = table_at("b1b8", "7k/8/6K1/8/8/8/8/1R6 w - - 0 1")
    for seat in range(2):
        view = table.view(seat)
        KRIEGSPIEL.check_view(view, seat)
        with pytest.raises(RecordError, match="other values of"):
            KRIEGSPIEL.check_view(lie_about(view, "pieces", as_mask(1 << 63), 0), seat)


def test_a_view_of_another_game_is_refused() -> None:
    before, after = table_at("e2e4").view(0), table_at("d2d4 d7d5").view(0)
    KRIEGSPIEL.check_next(table_at("d2d4 d7d5").view(0), 0, table_at("d2d4").view(0))
    with pytest.raises(RecordError, match="of another game than the view before it"):
        KRIEGSPIEL.check_next(after, 0, before)


def test_a_lone_king_is_not_among_squares_of_white_pieces() -> None:
    start = {"position": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "king_among": ["e8", "a1"]}
    with pytest.raises(RecordError, match="and no other piece"):
        KRIEGSPIEL.load_start(start, 2, RULES)


def test_a_sampled_ending_is_dumped_and_loaded() -> None:
    """Its king has left the squares he may have begun on."""
    table = ending_at("a7a5 f4g4 g1f2 g4h3")
    world = table.sample_world(0, [], 5).start[0]
    text = KRIEGSPIEL.dump_start(world)
    assert text["king_among"] == []
    assert (KRIEGSPIEL.load_start(text, 2, ENDING)[0]["pieces"] == world["pieces"]).all()
