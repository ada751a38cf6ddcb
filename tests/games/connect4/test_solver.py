"""The solver's book and bounds, and published scores of positions."""

import random
import re
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games.connect4.board import BOTTOM, COLUMNS, HEIGHT, PLACES, completing_places, landing_places
from kibitz.games.connect4.follow_up import NO_BOUND, follow_up_bound
from kibitz.games.connect4.game import CONNECT4
from kibitz.games.connect4.notation import state_after
from kibitz.games.connect4.openings import PATH, about, load_book, openings, save_book, stones_of
from kibitz.games.connect4.rules import to_move
from kibitz.games.connect4.solver import LOW_BITS, MASK, OFFSET, Workspace, solve, workspace_for
from kibitz.games.connect4.solving import PositionSolver
from kibitz.games.connect4.words import plies_to_end
from kibitz.search.alphabeta import Options
from kibitz.search.open_games import DECIDED, WIN
from tests.games.connect4.test_connect4 import searched

REFERENCE = next(
    (found for root in Path(__file__).parents if (found := root / "shared" / "reference" / "connect4").is_dir()), None
)
QUICK = ("Test_L3_R1", "Test_L2_R1", "Test_L1_R1")


def fresh(bits: int = 18) -> Workspace:
    return workspace_for(np.zeros(1 << bits, np.int64), np.zeros(0))


def position_of(key: int) -> tuple[int, int]:
    """The stones of the player to move, and all, from a key: in each column the highest bit is above the stones."""
    mine = taken = 0
    for column in range(COLUMNS):
        bits = key >> HEIGHT * column & (1 << HEIGHT) - 1
        above = 1 << bits.bit_length() - 1
        mine |= (bits ^ above) << HEIGHT * column
        taken |= (above - 1) << HEIGHT * column
    return mine, taken


def test_the_built_in_book_knows_the_first_moves() -> None:
    solving = PositionSolver(20)
    assert solving.score("") == 1  # the middle column wins with the last stone but one
    assert [solving.score(move) for move in "1234"] == [2, 1, 0, -1]
    assert solving.nodes < 1000
    [start] = state_after("")
    assert [each["score"] for each in CONNECT4.odds(start)] == [-2, -1, 0, 1, 0, -1, -2]
    origin, _, *rows = about(PATH).splitlines()
    assert re.match(r"python -m kibitz\.[a-z.]*connect4\.openings --minutes \d", origin)
    assert [row.split() for row in rows[:3]] == [["0", "1", "1"], ["1", "4", "4"], ["2", "25", "25"]]


def test_the_book_agrees_with_the_solver() -> None:
    book = load_book()
    keys, bounds = book[0::2].astype(np.int64), book[1::2].astype(np.int64)
    stones = stones_of(keys)
    late = np.flatnonzero(stones == stones.max())
    for place in random.Random(3).sample(late.tolist(), 4):
        mine, taken = position_of(int(keys[place]))
        assert mine + taken + BOTTOM == keys[place]
        score = int(solve(fresh(20), mine, taken, int(stones[place])))
        assert (bounds[place] >> LOW_BITS & MASK) - OFFSET <= score <= (bounds[place] & MASK) - OFFSET


def test_openings_are_all_positions_without_mirror_images_central_ones_first() -> None:
    found = list(openings(4))
    assert [sum(turn == each for turn, _ in found) for each in range(4)] == [1, 4, 25, 121]
    assert found[1][1] == (0, 1 << HEIGHT * (COLUMNS // 2))


@pytest.mark.parametrize(("content", "says"), [("another", "a book of draughts"), ("broken", "is not an opening book")])
def test_a_book_of_another_game_and_a_broken_one_are_refused(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "book.npz"
    save_book(path, np.zeros(0), "a test")
    with np.load(path) as file:
        parts = dict(file)
    if content == "another":
        np.savez(path, **{**parts, "origin": np.array(["draughts", "a test"])})
    else:
        path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(KibitzError, match=says):
        load_book(path)
    with pytest.raises(KibitzError, match="cannot be read"):
        load_book(tmp_path / "none.npz")


def full_score(moves: str) -> int:
    """The score by alpha-beta to the end of the game, without the solver's bounds."""
    value = searched(moves, Options(quiets=False), PLACES, np.zeros(0))[0].value
    if abs(value) < DECIDED:
        return 0
    scores = range(1, PLACES) if value > 0 else range(-PLACES, 0)
    return next(score for score in scores if plies_to_end(score, len(moves)) == WIN - abs(value))


def test_the_follow_up_bound_is_never_below_the_score() -> None:
    dice, bounds = random.Random(5), list[int]()
    while len(bounds) < 12:
        columns = list("1234567" * 6)
        dice.shuffle(columns)
        moves = "".join(columns[: dice.randrange(24, 32)])
        try:
            [state] = state_after(moves)
        except KibitzError:
            continue  # the game ended earlier
        mine, taken, turn = (int(state[field]) for field in ("mine", "taken", "turn"))
        landing, threats = int(landing_places(taken)), int(completing_places(mine ^ taken, taken))
        if to_move(state) < 0 or landing & threats or landing & int(completing_places(mine, taken)):
            continue
        bound = int(follow_up_bound(mine, taken, turn, landing, threats))
        if bound < NO_BOUND:
            assert full_score(moves) <= bound
            bounds.append(bound)
    assert min(bounds) < 0


@pytest.mark.skipif(REFERENCE is None, reason="the published positions are missing")
def test_published_positions_have_their_published_scores() -> None:
    assert REFERENCE is not None
    lines = list(chain.from_iterable((REFERENCE / name).read_text().split() for name in QUICK))
    solving = PositionSolver(20)
    assert [solving.score(moves) for moves in lines[0::2]] == list(map(int, lines[1::2]))
