"""Connect 4: plain alpha-beta, the solver, and Monte Carlo tree search beside OpenSpiel's, one thread."""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from report import Line, rate_line, ratio_line, short, unmeasured
from timing import Worker, take_turns, timed

from kibitz.engine.seat import Budget
from kibitz.games.connect4.board import COLUMNS
from kibitz.games.connect4.notation import state_after
from kibitz.games.connect4.rules import legal, to_move
from kibitz.games.connect4.solver import solve, workspace_for
from kibitz.games.connect4.solving import PositionSolver
from kibitz.search import alphabeta
from kibitz.search.alphabeta import PLAIN
from kibitz.search.book import no_book
from kibitz.search.clock import Limit, limit_of
from kibitz.search.playout import RANDOM
from kibitz.search.uct import EXPLORATION, Options, uct
from kibitz.search.worlds import fresh_worlds

try:
    import pyspiel
    from open_spiel.python.algorithms import mcts
except ImportError:
    pyspiel = None

SIMULATIONS, FEW = 20_000, 200  # of one search; Python makes few
STONES = 20  # in the positions that are solved
TABLE_BITS = 24  # of the solver, for published positions
WANTED_NODES, WANTED_POSITIONS = 20e6, 5e6


def plain_alpha_beta() -> Worker:
    """Nodes of alpha-beta without any helper, ten plies from the empty board, to the end of lines only."""
    [state] = state_after("")

    def work() -> int:
        options = PLAIN._replace(prunes=True)
        memory = alphabeta.workspace_for(state, 0, options, np.zeros(0), 1, no_book())
        alphabeta.search(memory, Limit(1 << 62, np.inf, 0.0), 10, False)
        return int(memory.run[0]["nodes"])

    return timed(work)


def positions(count: int) -> list[Any]:
    """Random positions that are not over."""
    dice = random.Random(1)
    found: list[Any] = []
    while len(found) < count:
        moves = ""
        for _ in range(STONES):
            [state] = state_after(moves)
            if to_move(state) < 0:
                break
            moves += str(dice.choice([column for column in range(COLUMNS) if legal(state) >> column & 1]) + 1)
        [state] = state_after(moves)
        if len(moves) == STONES and to_move(state) >= 0:
            found.append(state)
    return found


def solver() -> Worker:
    states = positions(40)

    def work() -> int:
        workspace = workspace_for(np.zeros(1 << 20, np.int64), np.zeros(0))
        for state in states:
            solve(workspace, int(state["mine"]), int(state["taken"]), STONES)
        return int(workspace.run[0]["nodes"])

    return timed(work)


def empty_board() -> Line:
    """The first move proved by the shipped book."""
    began = time.process_time()
    score = PositionSolver().score("")
    seconds = time.process_time() - began
    what = f"Connect 4: the empty board, score {score:+d}"
    return Line(what, f"{seconds:.2f} s", wanted="< 1 s", met=seconds < 1 and score == 1, figures={"seconds": seconds})


def published() -> Iterator[Line]:
    """The positions of others with their scores, a file each, where they are beside the repository."""
    folders = (root / "shared" / "reference" / "connect4" for root in Path(__file__).resolve().parents)
    folder = next((each for each in folders if each.is_dir()), None)
    if folder is None:
        yield unmeasured("Connect 4: published positions", "there is no folder shared/reference/connect4 beside this")
        return
    for path in sorted(folder.iterdir(), reverse=True):  # the easy ones first
        words = path.read_text().split()
        solver, began = PositionSolver(TABLE_BITS), time.process_time()
        right = sum(
            solver.score(moves) == int(published) for moves, published in zip(words[0::2], words[1::2], strict=True)
        )
        seconds, count = time.process_time() - began, len(words) // 2
        ours = f"{right} of {count} exact, {seconds / count:.3f} s each, {short(solver.nodes / seconds)} positions/s"
        figures = {"seconds": seconds, "positions": solver.nodes, "exact": right, "of": count}
        yield Line(f"Connect 4: {path.name}", ours, wanted="all exact", met=right == count, figures=figures)


def ours() -> Worker:
    [state] = state_after("44")
    state["seat"] = 0
    options = Options(EXPLORATION, RANDOM)
    stream = iter(range(1 << 60))
    return timed(
        lambda: int(uct(fresh_worlds(state), limit_of(Budget(SIMULATIONS)), next(stream), options).visits.sum())
    )


def after_two(game: Any) -> Any:
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(3)
    return state


def in_cpp() -> Worker:
    game = pyspiel.load_game("connect_four")
    state = after_two(game)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, 500, False, 1, False)

    def work() -> int:
        bot.step(state)
        return SIMULATIONS

    return timed(work)


def in_python() -> Worker:
    game = pyspiel.load_game("connect_four")
    state = after_two(game)
    bot = mcts.MCTSBot(game, EXPLORATION, FEW, mcts.RandomRolloutEvaluator(1), solve=False)

    def work() -> int:
        bot.step(state)
        return FEW

    return timed(work)


def measured() -> list[Line]:
    [nodes] = take_turns([plain_alpha_beta()])
    [solved] = take_turns([solver()])
    lines = [
        rate_line("Connect 4: plain alpha-beta", nodes, "nodes/s", WANTED_NODES),
        rate_line(f"Connect 4: solver, positions with {STONES} stones", solved, "positions/s", WANTED_POSITIONS),
    ]
    lines += [empty_board(), *published()]
    what = "Connect 4: Monte Carlo tree search"
    if pyspiel is None:
        return [*lines, unmeasured(what, "OpenSpiel is not installed (pip install open_spiel)")]
    mine, python, cpp = take_turns([ours(), in_python(), in_cpp()])
    return [
        *lines,
        ratio_line(what, mine, python, "OpenSpiel's in Python", "simulations/s", 20.0),
        ratio_line(what, mine, cpp, "OpenSpiel's in C++", "simulations/s", 1.0),
    ]


def load() -> None:
    for worker in (plain_alpha_beta(), solver(), ours()):
        worker()
