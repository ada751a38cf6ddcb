"""Filling a book: with all openings, with those that good replies lead to, or with the positions of played games.

The last is learning by rote (Samuel 1959): the program stores every position that it searched in a game, with the value
of the search. When a later search reaches the position, it uses that value, and so looks further than its own depth.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.move_sets import any_of, listed
from kibitz.engine.seeds import keys, number, numbers
from kibitz.errors import KibitzError
from kibitz.search import alphabeta
from kibitz.search.alphabeta import USUAL
from kibitz.search.book import Answer, Book, Evaluation, no_book, pages_of
from kibitz.search.choice import move_room
from kibitz.search.clock import ENDLESS, Limit
from kibitz.search.move_values import value_moves

MOST_POSITIONS = 100_000
BLOCK = 10  # games by rote between two additions to the book
TABLE_BITS = 16
Solve = Callable[[Any], Answer]
Progress = Callable[[int], None]


class Breadth(NamedTuple):
    """Which openings a book follows."""

    plies: int  # it has the positions after fewer moves than this
    replies: int = 0  # only this many of the best replies to a position are followed; 0: all
    full: int = 2  # after fewer moves than this, all replies are followed nevertheless


def key_of(state: Any) -> int:
    return int(generic.key(generic.positions(state, 1)[0]))


def opening_levels(game: Game, start: Any, breadth: Breadth, weights: Any, depth: int) -> Iterator[list[Any]]:
    """The unfinished positions of a book after 0, 1, 2, … moves, once each, as arrays of one state."""
    level = {key_of(start[0]): start.copy()}
    for ply in range(breadth.plies):
        yield list(level.values())
        if ply + 1 == breadth.plies:
            return
        below: dict[int, Any] = {}
        for state in level.values():
            for move in replies(game, state[0], breadth.replies if ply >= breadth.full else 0, weights, depth):
                after = state.copy()
                generic.apply(after[0], move)
                if generic.to_move(after[0]) >= 0:
                    below.setdefault(key_of(after[0]), after)
                if len(below) > MOST_POSITIONS:
                    raise KibitzError(
                        f"{breadth.plies} plies are more than {MOST_POSITIONS:,} positions of {game.title}. Use fewer "
                        f"--plies, or follow only good replies with --replies."
                    )
        level = below


def replies(game: Game, state: Any, most: int, weights: Any, depth: int) -> list[int]:
    """The legal moves, or the best of them by a search of half the depth."""
    if not most:
        return [int(move) for move in listed(generic.legal_moves(state, move_room(state)))]
    return [each.move for each in value_moves(game, state, max(depth // 2, 1), weights)[:most]]


def build(
    game: Game, start: Any, rules: int, breadth: Breadth, solve: Solve, origin: str, evaluation: Evaluation,
    weights: Any = (), depth: int = 1, progress: Progress = lambda done: None, jobs: int = 1,
) -> Book:  # fmt: skip
    """A book of openings, solved on several threads."""
    answers: dict[int, Answer] = {}
    levels = list(opening_levels(game, start, breadth, weights, depth))
    states = [state for level in levels for state in level]
    with ThreadPoolExecutor(jobs) as threads:
        for state, answer in zip(states, threads.map(solve, states), strict=True):
            answers.setdefault(key_of(state[0]), answer)
            progress(len(answers))
    return Book(game.name, rules, breadth.plies, origin, evaluation, pages_of(answers))


def learn_by_rote(
    game: Game, start: Callable[[int], Any], rules: int, games: int, random_moves: int, seed: int, weights: Any,
    depth: int, origin: str, evaluation: Evaluation, progress: Progress = lambda done: None,
) -> Book:  # fmt: skip
    """A book of the positions that a player searched in games against itself, begun by some random moves.

    It plays with the book as it grows.
    """
    answers: dict[int, Answer] = {}
    vector, pages, longest = np.array(weights, np.float64), no_book(), 0
    streams = numbers(keys(seed).dice, 0, games)
    for played in range(games):
        state = start(played)
        for turn in range(10**9):
            me = int(generic.to_move(state[0]))
            if me < 0:
                break
            longest = max(longest, turn + 1)
            move = -1
            if turn >= random_moves:
                workspace = alphabeta.workspace_for(state[0], me, USUAL, vector, TABLE_BITS, pages)
                found = alphabeta.search(workspace, Limit(ENDLESS, np.inf, 0.0), depth, True)
                move = int(found.move)
                answers[key_of(state[0])] = Answer(move, float(found.value), depth)
            else:
                legal = generic.legal_moves(state[0], move_room(state[0]))
                move = int(any_of(legal, int(number(int(streams[played]), turn)), 0))
            generic.apply(state[0], move)
        if (played + 1) % BLOCK == 0 or played + 1 == games:
            pages = pages_of(answers).view(np.float64)
        progress(played + 1)
        if len(answers) > MOST_POSITIONS:
            break
    return Book(game.name, rules, longest, origin, evaluation, pages_of(answers))
