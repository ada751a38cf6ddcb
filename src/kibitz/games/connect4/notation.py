"""Moves and whole games as text: a move is its column, from 1 to 7, and a game the columns of its moves, as in 4453."""

from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games.connect4.board import COLUMNS, PLACES
from kibitz.games.connect4.rules import STATE, apply, clear, legal, to_move


def move_text(move: int) -> str:
    return str(move + 1)


def moves_text(state: Any) -> str:
    return "".join(move_text(int(column)) for column in state["columns"][: state["turn"]])


def state_after(moves: str) -> Any:
    """The state after some moves from the empty board, as an array of one."""
    state = np.zeros(1, STATE)
    clear(state[0], 2)
    columns = moves.replace(" ", "").replace(",", "")
    if len(columns) > PLACES:
        raise KibitzError(f"A game has at most {PLACES} moves, and this one has {len(columns)}.")
    shown = columns if columns == moves else moves[:PLACES]
    for number, letter in enumerate(columns, start=1):
        if letter not in "1234567":
            raise KibitzError(f"{letter!r}, move {number} of {shown!r}, is not a column. Columns are 1 to {COLUMNS}.")
        if to_move(state[0]) < 0:
            raise KibitzError(f"The game is over after {number - 1} moves of {shown!r}, so no more can follow.")
        if not legal(state[0]) >> int(letter) - 1 & 1:
            raise KibitzError(f"Column {letter} is full, so it cannot be move {number} of {shown!r}.")
        apply(state[0], int(letter) - 1)
    return state
