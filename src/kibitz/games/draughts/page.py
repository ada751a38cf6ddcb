"""Draughts as JSON, for the page that draws it and for bots over the network. Squares are given by number."""

from typing import Any

from kibitz.games.draughts.moves import Move, Mover, mover_before, routes
from kibitz.games.draughts.rules import crowned_in, move_at, seat_of, side_of, winner
from kibitz.games.draughts.squares import BLACK, WHITE
from kibitz.games.draughts.state import PLAYED
from kibitz.games.draughts.view import NAMES, View

ENDINGS = ("played", "no_move", "repeated", "kings_only", "few_pieces", "main_road", "too_long")


def table(view: View) -> dict[str, Any]:
    struct = view.struct
    ending, won = int(struct["ending"]), int(winner(struct))
    return {
        "variant": view.variant,
        "seat": view.seat if view.seat >= 0 else None,
        "sides": [NAMES[int(side_of(struct, seat))] for seat in range(2)],
        "to_move": view.to_move if view.to_move >= 0 else None,
        "turn": view.turn,
        "pieces": {str(number): piece for number, piece in view.pieces.items()},
        "fen": view.fen,
        "quiet": int(struct["quiet"]),
        "ending": ENDINGS[ending] if ending != PLAYED else None,
        "winner": won if won >= 0 else None,
    }


def parts(move: Move, mover: Mover) -> dict[str, Any]:
    """A move with the squares it visits and the pieces it captures."""
    route = next(routes(move, mover), [move.origin, move.target])
    return {
        "move": str(move),
        "from": move.origin + 1,
        "to": move.target + 1,
        "route": [square + 1 for square in route],
        "captured": [square + 1 for square in move.captured],
    }


def choices(view: View) -> list[dict[str, Any]]:
    return [parts(move, mover_before(view.struct, move)) for move in view.legal]


def event(view: View, turn: int, text: str) -> dict[str, Any]:
    """A turn, from the view right after it; putting back the captured pieces restores the board before it."""
    struct, move = view.struct, Move(move_at(view.struct, turn))
    white, black, kings = (int(struct[name]) for name in ("white", "black", "kings"))
    captured = sum(1 << square for square in move.captured)
    occupied = (white | black) & ~(1 << move.target) | captured | 1 << move.origin
    crowned = bool(crowned_in(struct, turn))
    side = WHITE if white >> move.target & 1 else BLACK
    king = bool(kings >> move.target & 1) and not crowned
    mover = Mover(side, king, int(struct["rules"]), occupied)
    return {
        "turn": turn + 1,
        "text": text,
        "seat": int(seat_of(struct, side)),
        "side": NAMES[side],
        "crowned": crowned,
        **parts(move, mover),
    }
