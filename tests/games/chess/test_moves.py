"""The moves of chess: published perft counts, and the moves that python-chess finds."""

import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from kibitz.engine import generic
from kibitz.errors import KibitzError
from kibitz.games.chess import search_position
from kibitz.games.chess.board import BOARD, checkers
from kibitz.games.chess.fen import START, fen, move_text, parse_move, read_fen
from kibitz.games.chess.moves import (
    ALL_KINDS,
    MAX_MOVES,
    is_legal,
    is_pseudo_legal,
    list_legal,
    list_pseudo_legal,
    make_move,
    perft,
)
from tests.fuzzing import TIMES

# Positions of the Chess Programming Wiki, with their counts of positions by depth.
COUNTS = {
    START: (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97862, 4085603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594),
}


@pytest.mark.parametrize(("position", "counts"), COUNTS.items(), ids=range(1, len(COUNTS) + 1))
def test_counts_of_positions_are_the_published_ones(position: str, counts: tuple[int, ...]) -> None:
    board = read_fen(position)[0]
    assert [perft(board, depth) for depth in range(len(counts) + 1)] == [1, *counts]


def wander(dice: random.Random) -> Iterator[tuple[chess.Board, np.ndarray]]:
    """A random game on both boards. Captures are preferred, so that few pieces are left at the end."""
    theirs, ours = chess.Board(), read_fen(START)
    for _ in range(200):
        yield theirs, ours
        moves = list(theirs.legal_moves)
        if not moves:
            return
        takes = [move for move in moves if theirs.is_capture(move) or move.promotion]
        move = dice.choice(takes if takes and dice.random() < 0.3 else moves)
        theirs.push(move)
        make_move(ours[0], parse_move(move.uci()))


def test_moves_are_those_that_python_chess_finds() -> None:
    room, after = np.zeros(MAX_MOVES, np.int64), np.zeros(1, BOARD)
    for seed in range(25 * TIMES):
        for theirs, ours in wander(random.Random(seed)):
            board = ours[0]
            found = room[: list_legal(board, ALL_KINDS, room, after)].tolist()
            assert found == sorted(found)
            assert sorted(map(move_text, found)) == sorted(move.uci() for move in theirs.legal_moves)
            assert (checkers(board, board["side"]) != 0) == theirs.is_check()
            assert fen(board) == theirs.fen(en_passant="fen")
            assert read_fen(fen(board)).tobytes() == ours.tobytes()


def test_any_number_is_recognised_as_a_move_or_not() -> None:
    room, after = np.zeros(MAX_MOVES, np.int64), np.zeros(1, BOARD)
    for position in list(COUNTS)[1:4]:
        board = read_fen(position)[0]
        can = set(room[: list_pseudo_legal(board, ALL_KINDS, room)].tolist())
        legal = set(room[: list_legal(board, ALL_KINDS, room, after)].tolist())
        assert {move for move in range(-9, 1 << 16) if is_pseudo_legal(board, move)} == can
        assert {move for move in can if is_legal(board, move, after)} == legal


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks instead of 8"),
        ("9/8/8/8/8/8/8/8 w - - 0 1", "'9' is not a piece"),
        ("kk6/8/8/8/8/8/8/7K w - - 0 1", "Black has 2 kings"),
        ("8/8/8/8/8/8/8/7K w - - 0 1", "Black has 0 kings"),
        ("k7/8/8/8/8/8/8/6KP w - - 0 1", "pawn is on the first or the last rank"),
        ("k7/p7/pppppppp/8/8/8/8/7K w - - 0 1", "Black has 9 pawns"),
        ("k7/8/8/8/8/8/PPPPPPPP/NNN4K w - - 0 1", "more than the 8 pawns of the start"),
        ("k7/8/8/8/8/8/8/6K w - - 0 1", "Rank 1 has 7 squares"),
        ("k7/8/8/8/8/8/8/7K x - - 0 1", "w or b, not 'x'"),
        ("k7/8/8/8/8/8/8/7K w K - 0 1", "on their home squares"),
        ("k7/8/8/8/8/8/8/7K w KK - 0 1", "some of KQkq, not 'KK'"),
        ("k7/8/8/8/8/8/8/7K w - e6 0 1", "No pawn has just passed over e6"),
        ("k7/8/8/8/8/8/8/7K w - z9 0 1", "- or a square, not 'z9'"),
        ("k7/8/8/8/8/8/8/7K w - - -1 1", "a number from 0 to 9999, not '-1'"),
        ("k7/8/8/8/8/8/8/7K w - - 0 0", "a number from 1 to 9999, not '0'"),
        ("k7/8/8/8/8/8/8/7K w - - 0 1 2", "7 fields"),
        ("", "0 fields"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        read_fen(text)


@pytest.mark.parametrize("text", ["e2", "e2e9", "e7e8k", "castle", "e2e4e5"])
def test_text_that_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(KibitzError, match=r"not a (move|square)"):
        parse_move(text)


def test_a_message_quotes_only_the_beginning_of_a_long_text() -> None:
    for text in ("8/" * 50_000, "k7/8/8/8/8/8/8/7K w - - " + "9" * 50_000 + " 1"):
        with pytest.raises(KibitzError) as refused:
            read_fen(text)
        assert len(str(refused.value)) < 500


@pytest.mark.parametrize("start", [START, *list(COUNTS)[1:4]], ids=range(1, 5))
def test_the_key_of_a_position_is_updated_as_if_made_from_scratch(start: str) -> None:
    """Over random games with castling, promotions and captures en passant."""
    dice, room = random.Random(3), np.zeros(MAX_MOVES, np.int64)
    keys: dict[int, str] = {}
    for _ in range(4):
        position = search_position.position_of(read_fen(start)[0])
        for _ in range(60):
            count = int(search_position.moves(position[0], room))
            if count == 0:
                break
            search_position.apply(position[0], int(dice.choice(room[:count].tolist())))
            key = int(generic.key(position[0]))
            assert key == int(search_position.zobrist_of(position[0]))
            facts = fen(position[0]).rsplit(" ", 2)[0]  # without the numbers of moves
            assert keys.setdefault(key, facts) == facts
