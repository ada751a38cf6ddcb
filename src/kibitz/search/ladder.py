"""The ladder: one position searched with one more enhancement at each step, to show what each of them saves.

The steps up to deepening find the same value. Quiescence search continues in tactical positions, evaluates others, and
may find that the earlier steps were wrong. The later steps are quiescence search with one more idea each: a local beam
leaves out moves, singular extensions look further, and a book has looked further, so they may find another value.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError
from kibitz.search import alphabeta, expectimax
from kibitz.search.alphabeta import DEEPEST, PLAIN, Options
from kibitz.search.book import no_book
from kibitz.search.clock import Limit, limit_of
from kibitz.search.open_games import check_fits

PATIENT = Budget(1_000_000_000)  # positions per step: minimax would not end
TABLE_BITS = 20

ALPHA_BETA = PLAIN._replace(prunes=True)
ORDERED = ALPHA_BETA._replace(promising_first=2, killers=True, history=True)
WITH_TABLE = ORDERED._replace(table=True, equal_depth=True)
QUIET = WITH_TABLE._replace(deepens=True, quiets=True)
SINGULAR, BEAM = 50.0, 3  # the lead in score of a singular move, and the moves of the local beam
STEPS: tuple[tuple[str, Options], ...] = (
    ("minimax", PLAIN),
    ("alpha-beta", ALPHA_BETA),
    ("+ ordering", ORDERED),
    ("+ table", WITH_TABLE),
    ("+ deepening", WITH_TABLE._replace(deepens=True)),
    ("+ quiescence", QUIET),
    ("+ beam", QUIET._replace(beam=BEAM)),
    ("+ singular", QUIET._replace(singular=SINGULAR)),
)
DICE_STEPS = (
    ("expectiminimax", expectimax.MEAN),
    ("+ Star1", expectimax.STAR1),
    ("+ Star2", expectimax.STAR2),
)


class Step(NamedTuple):
    """The result of a search, and its counters."""

    name: str
    finished: bool  # False if the budget ran out
    value: float  # in points, for the player to move
    move: int
    line: tuple[int, ...]
    nodes: int
    cutoffs: int
    first_cutoffs: int  # of these, by the first move
    answers: int  # positions answered by the table or the book
    deepest: int  # the greatest ply reached
    seconds: float  # CPU time


def check_position(game: Game, state: Any, depth: int) -> None:
    """Raise a KibitzError if the ladder cannot search this position to this depth."""
    players, rolls = int(state["players"]), rolls_dice(game)
    needs = expectimax.NEEDS if rolls else alphabeta.NEEDS
    check_fits(game, "The ladder", players, needs=needs, dice=rolls)
    if not 1 <= depth <= DEEPEST:
        raise KibitzError(f"The depth of a search is 1 to {DEEPEST} plies, not {depth}.")
    if generic.to_move(state) == generic.CHANCE:
        rolls_now = ", ".join(game.move_text(move) for move in game.legal(state))
        raise KibitzError(f"Chance is to move in this position. Add a roll at its end: {rolls_now}.")
    if generic.to_move(state) < 0:
        raise KibitzError("The game is over in this position: there is nothing to search.")


def rolls_dice(game: Game) -> bool:
    return not generic.missing(game.dtype, ["chance_moves"])


def climb(
    game: Game, state: Any, depth: int, weights: Sequence[float] = (), book: Any = None, most: Budget = PATIENT
) -> Iterator[Step]:
    """Search a position at every step of the ladder that suits the game; with a book, one more.

    A step stops when its budget is spent.
    """
    check_position(game, state, depth)
    vector, me = np.array(weights, np.float64), int(generic.to_move(state))
    if rolls_dice(game):
        with_dice("", expectimax.MEAN, state, me, 1, vector, most)  # compiled by now
        for name, prunes in DICE_STEPS:
            yield with_dice(name, prunes, state, me, depth, vector, most)
        return
    alphabeta.search(
        alphabeta.workspace_for(state, me, PLAIN, vector, 1, no_book()), Limit(1, np.inf, 0.0), 1, False
    )  # compiled by now
    steps = [(*step, no_book()) for step in STEPS]
    if book is not None:
        steps.append(("+ book", QUIET, book))
    for name, options, pages in steps:
        workspace = alphabeta.workspace_for(state, me, options, vector, TABLE_BITS, pages)
        began = time.process_time()
        found = alphabeta.search(workspace, limit_of(most), depth, bool(options.deepens))
        seconds = time.process_time() - began
        run, frame = workspace.run[0], workspace.frames[0]
        counted = {field: int(run[field]) for field in ("nodes", "cutoffs", "first_cutoffs", "answers", "deepest")}
        counted["answers"] += int(run["book_answers"])
        line = tuple(int(move) for move in frame["line"][: frame["length"]])
        value, move = float(found.value), int(found.move)
        yield Step(name, not run["stopped"], value, move, line, **counted, seconds=seconds)


def with_dice(name: str, prunes: int, state: Any, me: int, depth: int, weights: Any, most: Budget) -> Step:
    workspace = expectimax.workspace_for(state, me, weights, prunes)
    began = time.process_time()
    found = expectimax.search(workspace, limit_of(most), depth, False)
    seconds, run = time.process_time() - began, workspace.run[0]
    nodes, cutoffs, deepest = (int(run[field]) for field in ("nodes", "cutoffs", "deepest"))
    finished, value, move = not run["stopped"], float(found.value), int(found.move)
    return Step(name, finished, value, move, (), nodes, cutoffs, 0, 0, deepest, seconds)
