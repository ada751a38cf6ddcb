"""Random attempts per second, compared with OpenSpiel's Kriegspiel and the moves of python-chess.

    python benchmarks/kriegspiel.py

Ours are judged and announced by the umpire, in the compiled loop on one thread. OpenSpiel is driven move by move from
Python, as it has no loop of its own there; so is `chess`, which makes legal moves and announces nothing.
"""

import random
from functools import partial

import chess
from report import Line, drawn, rate_line, ratio_line, unmeasured
from rich.console import Console
from rival import INSTALLED, MISSING
from timing import take_turns, timed

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.games.kriegspiel.game import KRIEGSPIEL

GAMES, WANTED = 40, 100_000


def ours(games: int) -> int:
    agents = [registry.agent(KRIEGSPIEL, "random")] * 2
    match = Match.of(KRIEGSPIEL, agents, games, 1, rules=KRIEGSPIEL.check_rules({}))
    return int(play_compiled(match, 0, range(games), keeps=False).results[:, 1].sum())


def open_spiel(game: object, dice: random.Random) -> int:
    state, attempts = game.new_initial_state(), 0  # type: ignore[attr-defined]
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
        attempts += 1
    return attempts


def python_chess(dice: random.Random) -> int:
    board, moves = chess.Board(), 0
    while moves < 300 and not board.is_game_over():
        board.push(dice.choice(list(board.legal_moves)))
        moves += 1
    return moves


def measured() -> list[Line]:
    dice = random.Random(1)
    workers = [timed(partial(ours, GAMES)), timed(partial(python_chess, dice))]
    if INSTALLED:
        import pyspiel

        workers.append(timed(partial(open_spiel, pyspiel.load_game("kriegspiel"), dice)))
    rates = take_turns(workers)
    what = "kriegspiel: random attempts"
    lines = [
        rate_line(what, rates[0], "attempts/s", WANTED),
        ratio_line(f"{what} and moves", rates[0], rates[1], "python-chess", "a second"),
    ]
    beside = f"{what}, both with an umpire"
    other = (
        ratio_line(beside, rates[0], rates[2], "OpenSpiel", "attempts/s") if INSTALLED else unmeasured(beside, MISSING)
    )
    return [*lines, other]


def load() -> None:
    ours(1)


if __name__ == "__main__":
    load()
    Console(width=160).print(drawn(measured()))
