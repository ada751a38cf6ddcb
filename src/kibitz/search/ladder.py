"""The ladder: one position searched with one idea more at each step, to see what each of them saves.

Every step finds the same value, as far as the same positions are evaluated. Quiescence search, the last, evaluates
others: it goes on where a position is not calm, and may find that the rest were wrong.
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

PATIENT = Budget(1_000_000_000)  # positions of a step: minimax does not end otherwise
TABLE_BITS = 20

ALPHA_BETA = PLAIN._replace(prunes=True)
ORDERED = ALPHA_BETA._replace(promising_first=2, killers=True, history=True)
WITH_TABLE = ORDERED._replace(table=True, equal_depth=True)
STEPS: tuple[tuple[str, Options], ...] = (
    ("minimax", PLAIN),
    ("alpha-beta", ALPHA_BETA),
    ("+ ordering", ORDERED),
    ("+ table", WITH_TABLE),
    ("+ deepening", WITH_TABLE._replace(deepens=True)),
    ("+ quiescence", WITH_TABLE._replace(deepens=True, quiets=True)),
)
DICE_STEPS = (
    ("expectiminimax", expectimax.MEAN),
    ("+ Star1", expectimax.STAR1),
    ("+ Star2", expectimax.STAR2),
)


class Step(NamedTuple):
    """What a search found, and how."""

    name: str
    finished: bool  # or stopped, after too many positions
    value: float  # in points, to who is to move
    move: int
    line: tuple[int, ...]
    nodes: int
    cutoffs: int
    first_cutoffs: int  # of these, by the first move that was tried
    answers: int  # positions that the table had, or the book
    deepest: int  # ply
    seconds: float  # of processor time


def check_position(game: Game, state: Any, depth: int) -> None:
    """Refuse what the ladder cannot be climbed at."""
    players, rolls = int(state["players"]), rolls_dice(game)
    needs = expectimax.NEEDS if rolls else alphabeta.NEEDS
    check_fits(game, "The ladder from minimax on", players, needs=needs, dice=rolls)
    if not 1 <= depth <= DEEPEST:
        raise KibitzError(f"A search looks 1 to {DEEPEST} plies ahead, not {depth}.")
    if generic.to_move(state) == generic.CHANCE:
        rolls_now = ", ".join(game.move_text(move) for move in game.legal(state))
        raise KibitzError(f"Chance is to move in this position. Say at its end what it rolls: {rolls_now}.")
    if generic.to_move(state) < 0:
        raise KibitzError("Nobody is to move in this position: there is nothing to search for.")


def rolls_dice(game: Game) -> bool:
    return not generic.missing(game.dtype, ["chance_moves"])


def climb(
    game: Game, state: Any, depth: int, weights: Sequence[float] = (), book: Any = None, most: Budget = PATIENT
) -> Iterator[Step]:
    """Search a position at every step of the ladder that fits the game; the pages of a book make one more.

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
        steps.append(("+ book", STEPS[-1][1], book))
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
