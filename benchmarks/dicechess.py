"""Dice chess beside python-chess, and what pruning at chance nodes saves.

    python benchmarks/dicechess.py --depth 3 --positions 40 --seed 1

prints the positions searched and the CPU seconds of expectiminimax without pruning, with Star1 and with
Star2, at the same depth and to the same values, over positions from games of greedy players. `make bench` has it with
fewer positions, and how fast random games and the counts of chess are.
"""

import argparse
import random
import time
from typing import Any, NamedTuple

import numpy as np
from report import NONE, Line, rate_line, ratio_line, short, unmeasured
from timing import Worker, take_turns, timed

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.games.chess.fen import read_fen
from kibitz.games.chess.moves import perft
from kibitz.games.dicechess.game import DICE_CHESS
from kibitz.games.dicechess.rules import ROLL
from kibitz.games.dicechess.search_position import WEIGHTS
from kibitz.search import expectimax
from kibitz.search.clock import Limit

try:
    import chess
except ImportError:
    chess = None  # type: ignore[assignment]

SEED, GAMES, THEIR_GAMES = 1, 500, 4
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DEPTH, THEIR_DEPTH = 5, 3
WANTED_MOVES, WANTED_COUNTED = 100_000, 2_000_000
MISSING = "python-chess is not installed (pip install chess)"
PRUNED = {"none": expectimax.MEAN, "Star1": expectimax.STAR1, "Star2": expectimax.STAR2}


# Random games


def random_games() -> Worker:
    """Games of random players; only the moves of the players count, not what is rolled."""
    match = Match("dicechess", ("random", "random"), GAMES, SEED).prepared()
    decisions = play_compiled(match, 0, np.arange(GAMES), keeps=True).decisions
    moves = int(((decisions >= 0) & (event_moves(decisions) < ROLL)).sum())

    def work() -> int:
        play_compiled(match, 0, np.arange(GAMES))
        return moves

    return timed(work)


def event_moves(decisions: Any) -> Any:
    from kibitz.engine.loop import move_of

    return np.vectorize(lambda each: int(move_of(each)))(decisions)


def their_random_games() -> Worker:
    """The same with the boards of python-chess: a die chooses the piece, and who takes the king wins."""
    dice = random.Random(SEED)

    def work() -> int:
        made = 0
        for _ in range(THEIR_GAMES):
            board = chess.Board()
            while board.king(chess.WHITE) is not None and board.king(chess.BLACK) is not None:
                if board.halfmove_clock >= 100:
                    break
                mask = board.pieces_mask(dice.randint(1, 6), board.turn)
                moves = list(board.generate_pseudo_legal_moves(mask))
                if moves:
                    board.push(dice.choice(moves))
                    made += 1
                else:
                    board.turn = not board.turn
        return made

    return timed(work)


# Counts of ordinary chess


def counted() -> Worker:
    board = read_fen(START)[0]
    return timed(lambda: perft(board, DEPTH))


def their_count() -> Worker:
    def count(board: "chess.Board", depth: int) -> int:
        if depth == 1:
            return sum(1 for _ in board.legal_moves)
        total = 0
        for move in list(board.legal_moves):
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    return timed(lambda: count(chess.Board(), THEIR_DEPTH))


# Pruning at chance nodes


class Searched(NamedTuple):
    nodes: int
    seconds: float
    values: list[float]


def middle_games(count: int, seed: int) -> list[Any]:
    """Positions in which somebody is to move, each from another game of greedy players, after 20 to 59 turns."""
    greedy, found = registry.agent(DICE_CHESS, "greedy"), list[Any]()
    for number in range(20 * count):
        start = DICE_CHESS.deal(keys(seed), number, 2, {})
        table = Table(DICE_CHESS, [greedy.take_seat(DICE_CHESS, explains=False) for _ in range(2)], start)
        while not table.over and len(table.turns) < 20 + number % 40:
            table.step()
        while not table.over and table.to_move < 0:
            table.step()
        if not table.over and len(DICE_CHESS.legal(table.state)) > 1:
            found.append(table.state)
        if len(found) == count:
            break
    return found


def searched(states: list[Any], prunes: int, depth: int) -> Searched:
    weights, nodes, values = np.array(WEIGHTS.values), 0, list[float]()
    before = time.process_time()
    for state in states:
        memory = expectimax.workspace_for(state, int(state["side"]), weights, prunes)
        values.append(float(expectimax.search(memory, Limit(1 << 62, np.inf, 0.0), depth, False).value))
        nodes += int(memory.run[0]["nodes"])
    return Searched(nodes, time.process_time() - before, values)


def pruning(depth: int, positions: int, seed: int) -> dict[str, Searched]:
    """What each way to prune takes; all of them must find the same values."""
    states = middle_games(positions, seed)
    searched(states[:1], expectimax.MEAN, 1)  # compiled by now
    found = {name: searched(states, prunes, depth) for name, prunes in PRUNED.items()}
    for name, each in found.items():
        if not np.allclose(each.values, found["none"].values, atol=1e-3):
            raise SystemExit(f"{name} finds other values than a search without pruning.")
    return found


def pruning_lines() -> list[Line]:
    lines = []
    for depth, positions in ((2, 40), (3, 10)):
        found = pruning(depth, positions, SEED)
        plain = found["none"]
        for name in ("Star1", "Star2"):
            each = found[name]
            lines.append(
                Line(
                    f"dice chess: expectiminimax, {depth} plies, {name}", f"{short(each.nodes / positions)} positions",
                    f"no pruning: {short(plain.nodes / positions)} positions",
                    f"{plain.nodes / each.nodes:.2f} × fewer, {plain.seconds / each.seconds:.2f} × faster",
                    figures={key: value._asdict() for key, value in found.items()},
                )
            )  # fmt: skip
    return lines


# The table


def measured() -> list[Line]:
    what = ("dice chess: random moves", f"chess: positions counted to depth {DEPTH}")
    if chess is None:
        moves, counts = take_turns([random_games()]), take_turns([counted()])
        beside = [unmeasured(each, MISSING) for each in what]
    else:
        moves, counts = take_turns([random_games(), their_random_games()]), take_turns([counted(), their_count()])
        beside = [
            ratio_line(what[0], moves[0], moves[1], "python-chess", "moves/s"),
            ratio_line(what[1], counts[0], counts[1], f"python-chess, to depth {THEIR_DEPTH}", "positions/s"),
        ]
    return [
        rate_line(what[0], moves[0], "moves/s", WANTED_MOVES, NONE),
        rate_line(what[1], counts[0], "positions/s", WANTED_COUNTED, NONE),
        *beside,
        *pruning_lines(),
    ]


def load() -> None:
    """Have everything compiled and in the cache."""
    random_games()()
    perft(read_fen(START)[0], 2)
    pruning(1, 1, SEED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()
    found = pruning(chosen.depth, chosen.positions, chosen.seed)
    plain = found["none"]
    print(f"{chosen.positions} positions of seed {chosen.seed}, {chosen.depth} plies, the same values")
    for name, each in found.items():
        share, nodes = each.nodes / plain.nodes, round(each.nodes / chosen.positions)
        print(
            f"{name:6} {nodes:12,} positions a search ({share:6.1%})  "
            f"{1000 * each.seconds / chosen.positions:9.2f} ms ({each.seconds / plain.seconds:6.1%})"
        )


if __name__ == "__main__":
    main()
