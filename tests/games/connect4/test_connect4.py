"""Connect 4: rules and patterns against plain Python, the solver against a full search, and the agents."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.engine import generic
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.games.connect4 import teacher
from kibitz.games.connect4.agents import PATTERNS, greedy, solver
from kibitz.games.connect4.board import COLUMNS, HEIGHT, PLACES, ROWS, completing_places, has_four
from kibitz.games.connect4.evaluation import evaluate
from kibitz.games.connect4.game import CONNECT4
from kibitz.games.connect4.notation import moves_text, state_after
from kibitz.games.connect4.openings import book_of, load_book, save_book
from kibitz.games.connect4.rules import POSITION, legal, payoff, to_move
from kibitz.games.connect4.solver import key_of, lookup, solve, store, workspace_for
from kibitz.games.connect4.solving import PositionSolver
from kibitz.games.connect4.view import View
from kibitz.games.connect4.words import plies_to_end, score_text
from kibitz.search import alphabeta
from kibitz.search.alphabeta import PLAIN, Options
from kibitz.search.book import no_book
from kibitz.search.clock import Limit, limit_of
from kibitz.search.open_games import DECIDED, WIN
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.uct import Options as TreeOptions
from kibitz.search.uct import uct
from kibitz.search.worlds import fresh_worlds
from tests.any_game import played, table_of
from tests.golden import game_text, is_as_kept

GOLDEN = Path(__file__).parent / "golden"
ENDLESS = Limit(1 << 62, np.inf, 0.0)
LINES = [
    [(row + up * n, column + right * n) for n in range(4)]
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    for row in range(ROWS)
    for column in range(COLUMNS)
    if 0 <= row + 3 * up < ROWS and 0 <= column + 3 * right < COLUMNS
]


def random_moves(dice: random.Random, most: int = PLACES) -> str:
    """The moves of a random game, or of its beginning."""
    moves = ""
    while len(moves) < most:
        [state] = state_after(moves)
        if to_move(state) < 0:
            break
        moves += str(dice.choice([column for column in range(COLUMNS) if legal(state) >> column & 1]) + 1)
    return moves


def plain_four(grid: list[list[int]], player: int) -> bool:
    return any(all(grid[row][column] == player for row, column in line) for line in LINES)


def test_a_game_ends_with_four_in_any_direction_or_a_full_board_and_not_earlier() -> None:
    assert len(LINES) == 69
    dice = random.Random(4)
    for _ in range(60):
        moves = random_moves(dice)
        for length in range(len(moves) + 1):
            [state] = state_after(moves[:length])
            view = View(state)
            fours = [plain_four(view.grid, player) for player in (1, 2)]
            assert fours == [bool(has_four(view.theirs if length % 2 == player else view.mine)) for player in (1, 0)]
            assert (to_move(state) < 0) == (any(fours) or length == PLACES)
        assert len(view.four) >= 4 or not any(fours)
        assert [float(payoff(state, seat)) for seat in (0, 1)] == (
            [0.5, 0.5] if not any(fours) else list(map(float, fours))
        )


def test_patterns_and_threats_agree_with_plain_python() -> None:
    dice, weights = random.Random(1), np.array([1.0, 100.0, 10_000.0])
    for _ in range(60):
        [state] = state_after(random_moves(dice, dice.randrange(2, 30)))
        grid, counts = View(state).grid, {1: 0.0, 2: 0.0}
        threats = {1: 0, 2: 0}
        for line in LINES:
            stones = [grid[row][column] for row, column in line]
            for player in (1, 2):
                if stones.count(player) + stones.count(0) == 4 and 0 < stones.count(player) < 4:
                    counts[player] += weights[stones.count(player) - 1]
                    if stones.count(player) == 3:
                        row, column = line[stones.index(0)]
                        threats[player] |= 1 << HEIGHT * column + row
        view = View(state)
        if not view.over:
            position = generic.positions(state, 1)[0]
            assert position.dtype == POSITION
            mover = view.to_move
            assert evaluate(position, mover - 1, weights) == counts[mover] - counts[3 - mover]
            assert evaluate(position, 2 - mover, weights) == counts[3 - mover] - counts[mover]
            assert int(completing_places(view.mine, view.taken)) == threats[mover]


def searched(moves: str, options: Options, depth: int, weights: Any = PATTERNS.values) -> tuple[Any, Any]:
    [state] = state_after(moves)
    workspace = alphabeta.workspace_for(state, len(moves) % 2, options, np.array(weights), 16, no_book())
    return alphabeta.search(workspace, ENDLESS, depth, bool(options.deepens)), workspace.run[0]


def test_the_solver_agrees_with_a_full_search() -> None:
    dice = random.Random(7)
    workspace, compared = workspace_for(np.zeros(1 << 14, np.int64), np.zeros(0)), 0
    while compared < 40:
        moves = random_moves(dice, 24 + compared % 12)
        [state] = state_after(moves)
        if to_move(state) < 0:
            continue
        found, _ = searched(moves, Options(quiets=False), PLACES, np.zeros(0))
        score = int(solve(workspace, int(state["mine"]), int(state["taken"]), len(moves)))
        if abs(found.value) < DECIDED:
            assert score == 0
        else:
            assert (score > 0) == (found.value > 0)
            assert plies_to_end(score, len(moves)) == WIN - abs(found.value)
        compared += 1


def mirror(moves: str) -> str:
    return "".join(str(8 - int(column)) for column in moves)


def test_a_score_is_that_of_the_best_column_and_of_the_mirror_image() -> None:
    dice, solving = random.Random(2), PositionSolver(16)
    for _ in range(10):
        moves = random_moves(dice, 22)
        [state] = state_after(moves)
        if to_move(state) < 0:
            continue
        score = solving.score(moves)
        assert solving.score(mirror(moves)) == score
        assert max(each["score"] for each in CONNECT4.odds(state)) == score
    assert solving.nodes > 0


def test_scores_and_their_texts_agree() -> None:
    solving = PositionSolver(12)
    assert solving.score("121212") == 18  # the fourth stone of a column wins: 22 − 4
    assert score_text(18, 6) == "wins with this move"
    full = "121212212121343434434343565656656565777777"
    assert solving.score(full[:41]) == 0
    assert score_text(0, 41) == "a draw with best play"
    assert list(solving.scores(["121212", full[:41]], jobs=2)) == [18, 0]


def test_a_book_restores_the_entries_with_few_stones(tmp_path: Path) -> None:
    table = np.zeros(1 << 10, np.int64)
    run = workspace_for(table, np.zeros(0)).run[0]
    key, late = int(key_of(0, 0, 0)), int(key_of(5, 7, 20))
    store(run, key, 0, 1, 1)
    store(run, late, 3, -2, 4)
    save_book(tmp_path / "book.npz", book_of(table), "a test")
    fresh = workspace_for(np.zeros(1 << 10, np.int64), load_book(tmp_path / "book.npz"))
    assert lookup(fresh.run[0], key) == lookup(run, key) != 0
    assert lookup(fresh.run[0], late) == 0
    assert solve(fresh, 0, 0, 0) == 1  # found in the table
    assert fresh.run[0]["nodes"] < 10
    (tmp_path / "book.npz").write_text("no book")
    with pytest.raises(KibitzError, match="is not an opening book"):
        load_book(tmp_path / "book.npz")


# Search


def test_every_search_refinement_keeps_the_value_and_quiescence_sees_beyond_the_horizon() -> None:
    ladder = [
        PLAIN,
        PLAIN._replace(prunes=True),
        PLAIN._replace(prunes=True, promising_first=2),
        PLAIN._replace(prunes=True, promising_first=2, killers=True, history=True),
        PLAIN._replace(prunes=True, promising_first=2, killers=True, history=True, table=True),
        Options(quiets=False),
    ]
    found = [searched("44353", options, 6) for options in ladder]
    assert len({each.value for each, _ in found}) == 1
    assert found[0][1]["nodes"] > 10 * found[1][1]["nodes"] > 20 * found[2][1]["nodes"]
    # Three in a row that are open at both ends cannot be stopped.
    blind, seeing = (searched("2233", Options(quiets=quiets), 1)[0] for quiets in (False, True))
    assert blind.value < DECIDED
    assert (seeing.value, seeing.move) == (WIN - 3, 3)


def test_a_lone_good_move_is_searched_deeper() -> None:
    plain, shallow = searched("44", Options(quiets=False), 3)
    deep, run = searched("44", Options(quiets=False, singular=50.0), 3)
    assert (shallow["extended"], shallow["deepest"]) == (0, 3)
    assert run["extended"] > 0
    assert run["deepest"] > 3
    assert plain.move == deep.move


@pytest.mark.parametrize("playout", [RANDOM, MODEL])
def test_tree_search_finds_a_win_and_a_defence(playout: int) -> None:
    for moves, column in (("121212", 0), ("12121", 0)):
        [state] = state_after(moves)
        state["seat"] = len(moves) % 2
        found = uct(fresh_worlds(state), limit_of(Budget(3000)), 5, TreeOptions(1.0, playout))
        assert int(found.visits.argmax()) == column
        assert found.visits.sum() == 3000


# Players


@pytest.mark.parametrize("agents", [("greedy", "random"), ("alphabeta4", "greedy")])
def test_the_game_goes_as_it_always_did(agents: tuple[str, ...]) -> None:
    table = table_of(
        CONNECT4,
        [registry.agent(CONNECT4, name) for name in agents],
        CONNECT4.deal(keys(4), 0, 2, CONNECT4.check_rules({})),
    )
    text = game_text(table, " ".join(agents), "{number:3}  {text}  [{reason}]")
    is_as_kept(text, GOLDEN / f"{'-'.join(agents)}.txt")


def test_looking_ahead_beats_random_play() -> None:
    ahead = registry.agent(CONNECT4, "alphabeta4")
    wins = played(CONNECT4, [registry.agent(CONNECT4, "random"), ahead], 100, {}, seed=0).results[:, 0]
    assert (wins == 2).mean() > 0.95
    assert greedy.decide is ahead.decide  # type: ignore[attr-defined]


def test_the_solver_wins_won_positions_and_says_when_it_ran_out_of_time() -> None:
    hurried = solver.with_budget(Budget(700)).take_seat(CONNECT4)
    [view] = state_after("2233")
    view["seat"] = 0
    decided = hurried.decide(view)
    assert decided.move == 3
    assert decided.reason.startswith("I win within 3 plies (scores ")
    [view] = state_after("")
    view["seat"] = 0
    decided = hurried.decide(view)
    assert decided.move == 3
    assert decided.reason.startswith("I win within 41 plies (scores 1: -2, 2: -1, 3: +0, 4: +1")
    [view] = state_after("12345671")
    view["seat"] = 0
    assert hurried.decide(view).reason.startswith("I ran out of time")


def test_random_openings_differ_and_are_stored() -> None:
    starts = {moves_text(CONNECT4.deal(keys(1), number, 2, {"opening": "random"})[0]) for number in range(20)}
    assert len(starts) > 15
    assert {len(moves) for moves in starts} == {4}
    ahead = registry.agent(CONNECT4, "alphabeta4")
    turns = played(CONNECT4, [ahead, ahead], 30, {"opening": "random"}, seed=0).results[:, 1]
    assert len(set(turns.tolist())) > 5
    for moves, opening, says in (
        ("44", "random", "begins after 4 moves, not after 2"),
        ("4x", "random", "is impossible"),
    ):
        with pytest.raises(KibitzError, match=says):
            CONNECT4.load_start({"moves": moves}, 2, {"opening": opening})


# Words


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("48", "'8', move 2 of '48', is not a column"),
        ("4a", "'a', move 2"),
        ("1111111", "Column 1 is full"),
        ("12121212", "over after 7 moves"),
        ("1" * 43, "at most 42 moves"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(moves: str, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        state_after(moves)


def test_positions_are_read_and_written() -> None:
    [state] = state_after("4, 4 5")
    assert moves_text(state) == "445"
    assert View(state).open_columns == [1, 2, 3, 4, 5, 6, 7]
    assert View(state).grid[0] == [0, 0, 0, 1, 1, 0, 0]
    with pytest.raises(KibitzError, match="Legal are 1, 2, 3"):
        CONNECT4.move("9", state)
    state["mine"] = 1
    state["seat"] = 1
    with pytest.raises(KibitzError, match="No legal game of Connect 4"):
        CONNECT4.check_view(state, 1)


def test_every_column_has_its_exact_score_or_is_marked_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teacher, "MOST_NODES", 1000)
    [state] = state_after("2233")
    found = CONNECT4.odds(state)
    assert [each["column"] for each in found] == [1, 2, 3, 4, 5, 6, 7]
    assert (found[3]["score"], found[3]["text"]) == (18, "wins within 3 plies")
    [state] = state_after("12345671")
    assert any(each["score"] is None and "not known" in each["text"] for each in CONNECT4.odds(state))
    [over] = state_after("1212121")
    assert CONNECT4.odds(over) == []
