"""The puzzles that come with kibitz, and how puzzles are made."""

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.coach import puzzle_making, puzzles
from kibitz.coach.puzzle_making import Making, without_secrets
from kibitz.coach.puzzles import Puzzle
from kibitz.core import registry
from kibitz.core.puzzling import Z
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.games.hanabi.state import FACE_DOWN

SHIPPED = ("hanabi", "loveletter", "connect4", "draughts")
LEAST = {"hanabi": 1000, "loveletter": 200, "connect4": 50, "draughts": 50}
LEAST_GAP = {"points": 0.25, "perfect": 0.1, "search points": 90.0}
VIEWED = 60  # puzzles of a game that are replayed
MOST_BYTES = 1_000_000  # of all files

games = pytest.mark.parametrize("game", SHIPPED)


@games
def test_every_puzzle_has_one_clearly_best_move(game: str) -> None:
    part = puzzles.part_of(registry.game(game))
    for puzzle in puzzles.of(game):
        values = [value for _, value, _ in puzzle.values]
        assert values[0] > values[1]
        assert puzzle.exact == (puzzle.gap[1] == 0.0) or puzzle.measure == "search points"
        assert puzzle.gap[0] >= LEAST_GAP.get(puzzle.measure, part.least_gap) - 1e-3
        for lead, error in (puzzle.gap, puzzle.confirmed):
            assert lead > (Z - 0.01) * error
        assert puzzle.theme in part.themes
        assert puzzle.text.endswith(".")
        assert set(puzzle.found_by) <= set(part.references)


@games
def test_there_are_enough_puzzles_and_no_position_twice(game: str) -> None:
    found = puzzles.of(game)
    assert len({puzzle.id for puzzle in found}) == len(found) >= LEAST[game]
    for puzzle in found:
        assert puzzle.id == puzzles.identity(puzzle.game, puzzle.players, puzzle.start, puzzle.moves, puzzle.seat)


@games
def test_the_file_says_how_it_was_made(game: str) -> None:
    shipped = puzzles.shipped(game)
    assert shipped is not None
    origin = shipped.origin
    assert origin.command.startswith(f"kibitz puzzles make {game} ")
    assert f"--seed {origin.seed}" in origin.command
    assert origin.puzzles == len(shipped.puzzles)
    assert sum(origin.stages.values()) == origin.promising <= origin.decisions


def test_all_puzzles_take_less_than_a_megabyte() -> None:
    where = [Path(puzzles.__file__).parents[1] / "games" / game / puzzles.FILE for game in SHIPPED]
    assert sum(path.stat().st_size for path in where) < MOST_BYTES


def spread(found: tuple[Puzzle, ...]) -> tuple[Puzzle, ...]:
    return found[:: max(len(found) // VIEWED, 1)]


@games
def test_all_legal_moves_of_a_puzzle_have_a_value(game: str) -> None:
    for puzzle in spread(puzzles.of(game)):
        view = puzzle.view
        assert generic.to_move(view) == puzzle.seat
        assert {move for move, _, _ in puzzle.values} == set(map(int, registry.game(game).legal(view)))
        assert puzzle.solves(puzzle.best)
        assert puzzle.loss(puzzle.best) == 0.0


@games
def test_a_question_tells_nothing_of_the_answer(game: str) -> None:
    for puzzle in spread(puzzles.of(game))[:10]:
        asked = puzzles.question(puzzle)
        assert not {"theme", "text", "values", "best", "gap", "start", "found_by"} & set(asked)
        told = puzzles.solution(puzzle, puzzle.values[-1][0])
        assert not told["solved"]
        assert told["loss"] > 0
        assert told["best"] in asked["moves"].values()


def test_a_view_of_hanabi_hides_the_hand_and_the_deck() -> None:
    for puzzle in spread(puzzles.of("hanabi")):
        view = puzzle.view
        hand = view["hands"][puzzle.seat][: view["held"][puzzle.seat]]
        assert (view["deck"][hand] == FACE_DOWN).all()
        assert (view["deck"][view["drawn"] :] == FACE_DOWN).all()


@pytest.mark.parametrize("game", ["hanabi", "loveletter"])
def test_a_puzzle_depends_on_nothing_that_its_solver_cannot_see(game: str) -> None:
    """Two games that look alike to a seat give the same start, and from it the same view."""
    which = registry.game(game)
    record = Making(which, 5).table(1)[1]
    table = record.opened()
    for _, _ in zip(range(6), record.steps(table), strict=False):
        pass
    seat = table.to_move
    view = table.view(seat)
    other = another_game(which, table, record, seat)
    start = without_secrets(record, view, 7)
    assert without_secrets(other, view, 7).tobytes() == start.tobytes()
    again = Table(which, [], np.array([start]), rolls=False)
    for turn in table.turns:
        again.make(turn.decision)
    seen = again.view(seat).copy()
    seen["dice"] = view["dice"]
    assert seen.tobytes() == view.tobytes()


def another_game(game: Any, table: Table, record: Record, seat: int) -> Record:
    """A game that looks the same to a seat, with other hidden cards."""
    pair = np.zeros(2, game.dtype)
    pair[1] = table.view(seat)
    generic.sample_world(pair, 99)
    generic.rewind(record.opened().start, pair)
    alike = Table(game, [], pair[:1].copy(), rolls=False)
    for turn in table.turns:
        alike.make(turn.decision)
    assert alike.state.tobytes() != table.state.tobytes()
    return Record.of(alike, record.seats, record.rules, None, None)


def test_a_run_is_the_same_on_any_number_of_threads_and_after_a_break(tmp_path: Path) -> None:
    plan = Making(registry.game("loveletter"), 3)
    whole = list(puzzle_making.resume(plan, 4, tmp_path / "whole", 1))
    with contextlib.closing(puzzle_making.resume(plan, 4, tmp_path / "broken", 2)) as broken:  # type: ignore[type-var]
        next(broken)
    assert list(puzzle_making.resume(plan, 4, tmp_path / "broken", 2)) == whole
    assert sum(len(made.puzzles) for made in whole) > 0


def test_a_file_of_puzzles_is_read_as_it_was_written(tmp_path: Path) -> None:
    shipped = puzzles.shipped("connect4")
    assert shipped is not None
    puzzles.write(tmp_path / "copy", shipped.origin, shipped.puzzles)
    assert puzzles.read(tmp_path / "copy") == shipped
    (tmp_path / "other").write_text("no puzzles")
    with pytest.raises(KibitzError, match="is not a file of puzzles"):
        puzzles.read(tmp_path / "other")


def test_games_without_puzzles_say_which_have_some() -> None:
    with pytest.raises(KibitzError, match="There are some of connect4, draughts, hanabi, loveletter"):
        puzzles.of("coins")
    with pytest.raises(KibitzError, match="They can for"):
        puzzles.part_of(registry.game("coins"))


def test_the_conventions_of_the_partners_are_told() -> None:
    for puzzle in spread(puzzles.of("hanabi")):
        assert puzzles.convention(puzzle)


@pytest.mark.slow
@games
def test_an_evaluation_with_other_random_numbers_finds_the_same_moves(game: str) -> None:
    """Also where the belief is another sample: what the solver can know is that of the puzzle, as it is shipped."""
    part, found = puzzles.part_of(registry.game(game)), puzzles.of(game)
    for number, puzzle in enumerate(found[:: len(found) // 20]):
        examiner = part.examiner(puzzle.seats, puzzle.seat)
        answer = examiner.evaluate(examiner.see(puzzle.views), keys(99).dice + number)
        assert answer is not None
        if part.unit != "search points":  # the other search is deeper
            assert answer.best == puzzle.best
            assert answer.gap.points > 0.0
