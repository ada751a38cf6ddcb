"""Lone kings who see everything, to measure hunters by: no players, since nobody may peek.

The runner sees the board: he takes what is not protected, and otherwise runs from the edge and from the other king.
The knower sees the hunter's thoughts, too: he goes where the umpire's next answer helps least a hunter who keeps the
set of squares and plays as in `tablebase`. If mate is not known to be forced he runs.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kibitz.core.agent import Agent, Decision
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.games.chess.board import BLACK, CENTRE, KING, KING_ATTACKS, QUEEN, ROOK, WHITE, attacks
from kibitz.games.chess.moves import encode_move, from_square, to_square
from kibitz.games.kriegspiel.belief_state import BeliefStatus, initial_positions, update_belief
from kibitz.games.kriegspiel.consistency import EXACT
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.lone_king_search import squares_of_king
from kibitz.games.kriegspiel.packed_positions import ROW_LENGTH
from kibitz.games.kriegspiel.state import MATE
from kibitz.games.kriegspiel.tablebase import (
    ANNOUNCEMENTS,
    DRAWN,
    MATED,
    UNKNOWN,
    announcement_for,
    divide,
    load_tablebase,
    moves_to_mate,
    probe,
    refused_squares,
)

ENDINGS = load_tablebase()
Flees = Callable[[Table], int]  # the square that a lone black king goes to


def squares_in(mask: int) -> list[int]:
    return [square for square in range(64) if int(mask) >> square & 1]


def hunters(state: Any) -> tuple[int, int, int]:
    """Where White's king and piece stand, and which piece it is."""
    kind = QUEEN if state["pieces"][QUEEN] else ROOK
    return squares_in(state["pieces"][KING] & state["sides"][WHITE])[0], squares_in(state["pieces"][kind])[0], kind


def flights(state: Any) -> list[int]:
    """The squares that Black's king can go to."""
    king, piece, kind = hunters(state)
    attacked = int(attacks(kind, WHITE, piece, int(state["sides"][WHITE]))) | int(KING_ATTACKS[king])
    return squares_in(int(KING_ATTACKS[squares_in(state["sides"][BLACK])[0]]) & ~attacked)


def steps(one: int, other: int) -> int:
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


def runner(table: Table) -> int:
    king, piece, _ = hunters(table.state)

    def liked(square: int) -> tuple[bool, int, int]:
        threatens = steps(square, piece) == 1 < steps(king, piece)
        return square == piece, int(CENTRE[square]) + threatens, steps(square, king)

    return max(flights(table.state), key=liked)


def knower(table: Table) -> int:
    king, piece, kind = hunters(table.state)
    free, believed = flights(table.state), believed_after(table, king, piece, kind)
    if piece in free:
        return piece
    later = {square: moves_after(king, piece, kind, believed, square) for square in free}
    longest = max(later.values())
    return max((square for square in free if later[square] == longest), key=lambda square: steps(square, king))


def believed_after(table: Table, king: int, piece: int, kind: int) -> int:
    """The squares that Black's king may be on, for all that White knows, after the move he is about to make."""
    view, rows = table.view(WHITE), np.zeros((64, ROW_LENGTH), np.int64)
    found = update_belief(view, rows, BeliefStatus(initial_positions(view, rows), EXACT, -1), 0, int(view["turn"]))
    believed = 0
    for square in squares_in(squares_of_king(view, rows, found.kept)):
        believed |= int(announcement_for(king, piece, kind, square)[1])
    return believed


def moves_after(king: int, piece: int, kind: int, believed: int, other: int) -> int:
    """In how many moves mate is forced after White's next attempt, if Black's king is on a square."""
    sure = probe(ENDINGS, king, piece, kind, believed)
    if sure.move < 0:
        return UNKNOWN
    refused = believed & int(refused_squares(king, sure.move))
    if refused >> other & 1:
        return moves_after(king, piece, kind, refused, other)
    new_king, new_piece = (
        (to_square(sure.move), piece) if from_square(sure.move) == king else (king, to_square(sure.move))
    )
    goes, counts = np.zeros(ANNOUNCEMENTS, np.int64), np.zeros(ANNOUNCEMENTS, np.int64)
    divide(new_king, new_piece, kind, believed & ~refused, goes, counts)
    said = announcement_for(new_king, new_piece, kind, other)[0]
    if said in (MATED, DRAWN):
        return 0 if said == MATED else UNKNOWN
    return int(moves_to_mate(ENDINGS, new_king, new_piece, kind, int(goes[said])))


def hunted(hunter: Agent, flees: Flees, start: str, deals: int, seed: int) -> Iterator[tuple[bool, int]]:
    """Endings of a seed against this king: whether White mates him, and in how many attempts of both sides."""
    for deal in range(deals):
        table = Table(KRIEGSPIEL, [], KRIEGSPIEL.deal(keys(seed), deal, 2, KRIEGSPIEL.check_rules({"start": start})))
        player = hunter.take_seat(KRIEGSPIEL)
        while not table.over:
            if table.to_move == WHITE:
                table.make(player.decide(table.view(WHITE)))
            else:
                here = squares_in(table.state["sides"][BLACK])[0]
                table.make(Decision(encode_move(here, flees(table), 0)))
        yield int(table.state["outcome"]) == MATE, len(table.turns)


KINGS: dict[str, Flees] = {"runner": runner, "knower": knower}
