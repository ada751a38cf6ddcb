"""Tables of Kriegspiel after some attempts, and two of them that one side cannot tell apart."""

from typing import Any

import numpy as np

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.games.chess.fen import START
from kibitz.games.kriegspiel.belief_state import BeliefStatus, initial_positions, update_belief
from kibitz.games.kriegspiel.consistency import EXACT
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.packed_positions import ROW_LENGTH

RULES = KRIEGSPIEL.check_rules({})
LECTURE = KRIEGSPIEL.check_rules({"umpire": "lecture"})
# White sees the same in both: Black moves a pawn and a rook on one edge or the other. Each attempts something illegal.
SEEN_BY_WHITE = (
    "e2e4 a7a6 e4e5 a8a7 e5e6 e7e6 a6a5 e6e7 g1f3 a7a6",
    "e2e4 h7h6 e4e5 h8h7 e5e6 e7e6 h6h5 e6e7 g1f3 h7h6",
)


def table_at(moves: str = "", position: str = START, rules: dict[str, str] = RULES) -> Table:
    table = Table(KRIEGSPIEL, [], KRIEGSPIEL.set_up(position, 2, rules))
    for move in moves.split():
        table.make(Decision(KRIEGSPIEL.move(move, table.state)))
    return table


ENDING = {"start": "rook_ending", "umpire": "club"}


def ending_at(moves: str = "") -> Table:
    """King and rook against a king whom White knows to be on one of four squares."""
    start = {"position": "8/R7/8/8/5k2/8/8/6K1 w - - 0 1", "king_among": ["g6", "f5", "g5", "f4"]}
    table = Table(KRIEGSPIEL, [], KRIEGSPIEL.load_start(start, 2, ENDING))
    for move in moves.split():
        table.make(Decision(KRIEGSPIEL.move(move, table.state)))
    return table


def said(table: Table, seat: int) -> str:
    """The announcement of the last attempt, as a seat hears it."""
    return KRIEGSPIEL.event_text(table.view(seat), len(table.turns) - 1)


def followed(view: Any, room: int = 2000) -> tuple[BeliefStatus, Any]:
    """The set of a seat, by its view."""
    rows = np.zeros((room, ROW_LENGTH), np.int64)
    found = update_belief(view, rows, BeliefStatus(initial_positions(view, rows), EXACT, -1), 0, int(view["turn"]))
    return found, rows[: found.kept]
