"""Draw how the set of possible positions shrinks in one ending of Kriegspiel.

    python docs/pictures/possible_positions.py

The ending is number 3 of seed 1, king and rook of the believer against the heuristic player: before the rook's side's
attempts, the squares that the other king may stand on, and where he stands. It writes possible-positions.svg beside
this file, and prints how many positions there are in turn.
"""

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.games.chess.fen import piece_letters
from kibitz.games.kriegspiel.belief_state import BeliefStatus, initial_positions, update_belief
from kibitz.games.kriegspiel.consistency import EXACT
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.packed_positions import BLACKS, ROW_LENGTH

SEED, NUMBER, BOARDS, ACROSS = 1, 3, 8, 4
SIDE, GAP, HEAD = 20, 24, 34
SIGNS = {"K": "♔", "R": "♖", "Q": "♕", "k": "♚"}


def squares_possible(view: Any) -> tuple[int, set[int]]:
    """How many positions there are, and where the other king stands in them."""
    rows = np.zeros((1000, ROW_LENGTH), np.int64)
    found = update_belief(view, rows, BeliefStatus(initial_positions(view, rows), EXACT, -1), 0, int(view["turn"]))
    masks = [int(row[BLACKS]) & (1 << 64) - 1 for row in rows[: found.kept]]
    return int(found.kept), {mask.bit_length() - 1 for mask in masks}


def played() -> list[tuple[str, dict[int, str], set[int]]]:
    """White's attempts: the umpire's announcement, the pieces, and the squares of the set."""
    agents = [registry.agent(KRIEGSPIEL, name).take_seat(KRIEGSPIEL) for name in ("believer", "heuristic")]
    rules = KRIEGSPIEL.check_rules({"start": "rook_ending"})
    table = Table(KRIEGSPIEL, agents, KRIEGSPIEL.deal(seeds.keys(SEED), NUMBER, 2, rules))
    seen = []
    while not table.over:
        mover = table.to_move
        count, squares = squares_possible(table.view(0))
        pieces = piece_letters(table.state)
        turn = table.step()
        if table.learns(0):
            print(f"{count:3} positions: {KRIEGSPIEL.event_text(table.view(0), int(table.view(0)['turn']) - 1)}")
        if mover == 0:
            illegal = ": illegal" if "illegal" in table.text(turn) else ""
            seen.append((f"{count}: {KRIEGSPIEL.move_text(turn.decision.move)}{illegal}", pieces, squares))
    print(KRIEGSPIEL.verdict(table.state))
    return seen


def drawn_board(title: str, pieces: dict[int, str], squares: set[int], x: int, y: int) -> list[str]:
    parts = [f'<text x="{x}" y="{y - 8}" font-size="13">{title}</text>']
    for square in range(64):
        left, top = x + SIDE * (square % 8), y + SIDE * (7 - square // 8)
        shade = "#f0a07c" if square in squares else "#e9edf0" if (square % 8 + square // 8) % 2 else "#c9d2d8"
        parts.append(f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="{shade}" stroke="#fff"/>')
        if square in pieces:
            parts.append(f'<text x="{left + 2}" y="{top + 16}" font-size="18">{SIGNS[pieces[square]]}</text>')
    return parts


def main() -> None:
    seen = played()
    chosen = [seen[round(n * (len(seen) - 1) / (BOARDS - 1))] for n in range(BOARDS)]
    width, height = 8 * SIDE + GAP, 8 * SIDE + HEAD
    parts = []
    for n, (title, pieces, squares) in enumerate(chosen):
        parts += drawn_board(title, pieces, squares, GAP + width * (n % ACROSS), HEAD + height * (n // ACROSS))
    size = f"{GAP + width * ACROSS} {GAP + height * (BOARDS // ACROSS)}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif">'
    back = '<rect width="100%" height="100%" fill="#fff"/>'
    text = "\n".join([head, back, *parts, "</svg>"]) + "\n"
    Path(__file__).with_name("possible-positions.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
