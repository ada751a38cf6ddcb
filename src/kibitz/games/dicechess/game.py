"""Dice chess as a `Game`: rules, players, starts, words, and the data of the page."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.deferred import load
from kibitz.core.game import Game, Lineup, start_as
from kibitz.engine import generic
from kibitz.errors import KibitzError, RecordError
from kibitz.games.chess.board import BLACK, HALFMOVE_LIMIT, WHITE
from kibitz.games.chess.fen import (
    KIND_NAMES,
    fen,
    move_text,
    parse_move,
    piece_letters,
    read_fen,
    refuse_capturable_king,
    square_name,
)
from kibitz.games.chess.moves import copy_board, from_square, perft_by_move, to_square
from kibitz.games.chess.terminal import render_board
from kibitz.games.chess.view import BOUNDS, choices, named_pieces, start_board
from kibitz.games.dicechess.rules import (
    FACES,
    LONGEST,
    PASSES,
    ROLL,
    STATE,
    begin,
    event_kind,
    event_move,
    event_taken,
    king_is_gone,
)
from kibitz.games.dicechess.search_position import POSITION as POSITION
from kibitz.games.dicechess.view import View


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    position: str


class DiceChess(Game):
    name = "dicechess"
    title = "Dice chess"
    description = "Chess with a die that decides which kind of piece moves; capture the king to win."
    players = range(2, 3)
    dtype = STATE
    stream_fields = ("streams", "chance")
    longest = LONGEST
    competitive = True
    reviewer = "monte_carlo"
    seat_titles = ("White", "Black")
    page_folder = Path(__file__).parent / "page"
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They move at random.", ("random",)),
            "easy": Lineup("They capture the most valuable piece.", ("greedy",)),
            "medium": Lineup("They use Monte Carlo tree search.", ("mcts",)),
            "hard": Lineup("They look ahead at all moves and rolls.", ("expectiminimax",)),
        }
    )
    bounds = MappingProxyType(
        {
            **BOUNDS,
            **{f"first_{name}": ends for name, ends in BOUNDS.items()},
            "rolled": (0, FACES),
            "turn": (0, LONGEST),
            "history": (0, (1 << 23) - 1),
        }
    )

    def starts_of(self, view: Any) -> Iterator[Any]:
        yield self.begun(start_board(view, self.title)[0])

    # A start in a record

    def dump_start(self, state: Any) -> Any:
        return msgspec.to_builtins(Start(fen(state)))

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        try:
            return self.set_up(start_as(Start, text).position, players, rules)
        except KibitzError as error:
            raise RecordError(str(error)) from None

    def set_up(self, text: str, players: int, rules: Mapping[str, str]) -> Any:
        return self.begun(read_fen(text)[0])

    def begun(self, board: Any) -> Any:
        """A game that begins with this position, as an array of one state."""
        start = self.dealt(2)
        copy_board(board, start[0])
        begin(start[0])
        return start

    def count_moves(self, start: Any, depth: int) -> Iterator[tuple[int, int]]:
        """Perft by the rules of ordinary chess, without dice: counts are published for those."""
        refuse_capturable_king(start[0], fen(start[0]))
        return perft_by_move(start[0], depth)

    # Words

    def view(self, struct: Any) -> View:
        return View(struct)

    def move(self, answer: Any, struct: Any) -> int:
        if not isinstance(answer, str):
            return super().move(answer, struct)
        if generic.to_move(struct) == generic.CHANCE:
            return self.roll(answer, struct)
        if struct["rolled"] and answer.strip().casefold().startswith("roll"):
            kind = KIND_NAMES[int(struct["rolled"]) - 1]
            raise KibitzError(f"{answer[:40]!r} comes too soon: a {kind} was rolled and has to move first.")
        move = parse_move(answer)
        return move if generic.allowed(struct, move) else super().move(answer, struct)

    def roll(self, answer: str, struct: Any) -> int:
        """A roll, as a record has it."""
        try:
            return super().move(answer, struct)
        except KibitzError:
            raise KibitzError(
                f"{answer[:40]!r} is not a roll. Every move follows a roll, from roll 1 to roll {FACES}."
            ) from None

    def moves_of(self, text: str) -> list[str]:
        """Moves and rolls, as `roll 1 e2e4 roll 2`; a number alone is a roll."""
        words = re.findall(r"roll\s*\S+|[^\s,]+", text)
        return [f"roll {word}" if word.isdecimal() else " ".join(word.split()) for word in words]

    def move_text(self, move: int) -> str:
        return f"roll {move - ROLL}" if move > ROLL else move_text(move)

    def event_text(self, struct: Any, turn: int) -> str:
        event = int(struct["history"][turn])
        move, kind = int(event_move(event)), KIND_NAMES[event_kind(event)]
        who = self.seat_name(mover_of(struct, turn))
        if move > ROLL:
            passes = f", and no {kind} can move" if event & PASSES else ""
            return f"{who} rolls {move - ROLL}, {kind}{passes}"
        taken = event_taken(event)
        takes = f" and captures a {KIND_NAMES[taken]}" if taken >= 0 else ""
        promotion = f" and promotes to a {KIND_NAMES[move & 7]}" if move & 7 else ""
        return f"{who}: {kind} {square_name(from_square(move))} to {square_name(to_square(move))}{takes}{promotion}"

    def board(self, view: Any) -> Any:
        rolled = int(view["rolled"])
        return render_board(piece_letters(view), f"rolled {rolled}, {KIND_NAMES[rolled - 1]}" if rolled else "")

    def svg(self, view: Any) -> str:
        rolled = int(view["rolled"])
        below = f"rolled {rolled}, {KIND_NAMES[rolled - 1]}" if rolled else ""
        return str(load("kibitz.games.chess.picture:board")(piece_letters(view), below, self.title))

    def help(self) -> str:
        return (
            "Type the squares a piece moves from and to: e2e4, or e7e8q to promote to a queen. "
            "Commands: moves, board, history, help, quit."
        )

    def verdict(self, state: Any) -> str:
        moved = (int(state["turn"]) + 1) // 2
        for side in (WHITE, BLACK):
            if king_is_gone(state, side):
                count = "1 roll" if moved == 1 else f"{moved} rolls"
                return f"{self.seat_name(1 - side)} takes the king and wins after {count}."
        why = (
            f"{HALFMOVE_LIMIT} moves without a pawn move or a capture"
            if state["halfmove_clock"] >= HALFMOVE_LIMIT
            else "the game is too long"
        )
        return f"Draw: {why}."

    # The page

    def page(self, view: Any) -> dict[str, Any]:
        return {
            "squares": named_pieces(view),
            "side": int(view["side"]),
            "rolled": int(view["rolled"]),
            "last": last_squares(view),
            "passed": passed_rolls(view),
        }

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        event = int(view["history"][turn])
        move = int(event_move(event))
        shown = {"turn": turn + 1, "move": self.move_text(move), "text": self.event_text(view, turn)}
        if move > ROLL:
            return {**shown, "roll": move - ROLL, "passes": bool(event & PASSES)}
        return {**shown, "from": square_name(from_square(move)), "to": square_name(to_square(move))}

    def choices(self, view: Any) -> list[dict[str, Any]]:
        return choices(self.legal(view))


def last_squares(struct: Any) -> list[str] | None:
    """The squares of the last move, ignoring later rolls."""
    for event in reversed(struct["history"][: int(struct["turn"])].tolist()):
        move = int(event_move(event))
        if move < ROLL:
            return [square_name(from_square(move)), square_name(to_square(move))]
    return None


def passed_rolls(struct: Any) -> list[int]:
    """The rolls since the last move that let nobody move."""
    rolls: list[int] = []
    for event in reversed(struct["history"][: int(struct["turn"])].tolist()):
        if int(event_move(event)) < ROLL:
            break
        if event & PASSES:
            rolls.append(int(event_move(event)) - ROLL)
    return rolls[::-1]


def mover_of(struct: Any, turn: int) -> int:
    """The side whose turn it was: the turn passes with every move, and with every roll that lets nobody move."""
    began = int(struct["side"])
    for event in struct["history"][: int(struct["turn"])].tolist():
        began ^= event_move(event) < ROLL or bool(event & PASSES)
    for event in struct["history"][:turn].tolist():
        began ^= event_move(event) < ROLL or bool(event & PASSES)
    return began


DICE_CHESS = DiceChess()
