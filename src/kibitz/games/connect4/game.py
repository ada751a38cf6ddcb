"""Connect 4 as a `Game`: texts, page, levels."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.deferred import deferred, load
from kibitz.core.game import Choice, Game, Lineup, Rule, start_as
from kibitz.engine.expectation import Expectation
from kibitz.errors import KibitzError, RecordError
from kibitz.games.connect4.board import BOARD, COLUMNS, PLACES
from kibitz.games.connect4.notation import move_text, moves_text, state_after
from kibitz.games.connect4.rules import OPENING, SEATS, STATE, move_at
from kibitz.games.connect4.view import View

HELP = """A move is a column, from 1 at the left to 7 at the right.
Other commands: moves (lists the open columns), board, history, help, quit."""


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    moves: str = ""  # of the opening


class Connect4(Game):
    name = "connect4"
    title = "Connect 4"
    description = "Drop stones into seven columns; four in a line win, across, up or diagonally."
    players = range(SEATS, SEATS + 1)
    rules = (
        Rule(
            "opening", f"the empty board, or {OPENING} random moves before the players begin",
            ("empty", "random"), option=True, title="Opening",
            words={
                "empty": Choice("Empty board"),
                "random": Choice("Random moves", f"The first {OPENING} stones are placed at random."),
            },
        ),
    )  # fmt: skip
    dtype = STATE
    longest = PLACES
    competitive = True
    reviewer = "alphabeta8"
    reviewer_unit = "search points"
    page_folder = Path(__file__).parent / "page"
    solver = deferred("kibitz.games.connect4.solving:PositionSolver")
    puzzles = deferred("kibitz.games.connect4.puzzles:PUZZLES")
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They drop stones anywhere.", ("random",)),
            "easy": Lineup("They look at their own next move.", ("greedy",)),
            "medium": Lineup("They look four plies ahead.", ("alphabeta4",)),
            "hard": Lineup("They look eight plies ahead.", ("alphabeta8",)),
            "strong": Lineup("They play 100,000 games to the end before each move.", ("mcts",)),
            "perfect": Lineup("They solve the position, or search for a few seconds.", ("solver",)),
        }
    )
    bounds = MappingProxyType(
        {
            "mine": (0, BOARD),
            "taken": (0, BOARD),
            "turn": (0, PLACES),
            "opened": (0, OPENING),
            "columns": (0, COLUMNS - 1),
        }
    )

    def starts_of(self, view: Any) -> Iterator[Any]:
        yield self.after_opening(moves_text(view)[: int(view["opened"])], (0, OPENING))

    # A start in a record

    def dump_start(self, state: Any) -> Any:
        return msgspec.to_builtins(Start(moves_text(state)[: int(state["opened"])]))

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        return self.after_opening(start_as(Start, text).moves, (OPENING if rules["opening"] == "random" else 0,))

    def after_opening(self, moves: str, lengths: tuple[int, ...]) -> Any:
        """The start after an opening of one of these lengths, as an array of one state."""
        try:
            start = state_after(moves)
        except KibitzError as error:
            raise RecordError(f"The opening {moves[:60]!r} is impossible. {error}") from None
        if len(moves) not in lengths:
            raise RecordError(
                f"By this rule a game begins after {' or '.join(map(str, lengths))} moves, not after {len(moves)}."
            )
        start[0]["opened"] = len(moves)
        return start

    # Words

    def view(self, struct: Any) -> View:
        return View(struct)

    def moves_of(self, text: str) -> list[str]:
        return list("".join(text.replace(",", " ").split()))

    def move_text(self, move: int) -> str:
        return move_text(int(move))

    def event_text(self, struct: Any, turn: int) -> str:
        return f"{self.seat_name(turn % SEATS)} plays {move_text(int(move_at(struct, turn)))}."

    def expectation_text(self, expects: Expectation) -> str:
        return f"expects to win {round(100 * expects.value)} of 100 games"

    def board(self, view: Any) -> Any:
        return load("kibitz.games.connect4.terminal:board")(View(view))

    def svg(self, view: Any) -> str:
        return str(load("kibitz.games.connect4.picture:board")(View(view)))

    def help(self) -> str:
        return HELP

    # The page

    def page(self, view: Any) -> dict[str, Any]:
        return load("kibitz.games.connect4.page_format:table")(View(view))

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        return {**super().event(view, turn), "column": int(move_at(view, turn))}

    def odds(self, view: Any) -> list[dict[str, Any]]:
        """The score of every column with best play."""
        return [] if View(view).over else load("kibitz.games.connect4.teacher:worth_of_columns")(view)

    def verdict(self, state: Any) -> str:
        stones = f"with {int(state['turn'])} stones on the board"
        return f"{super().verdict(state).removesuffix('.')} {stones}."


CONNECT4 = Connect4()
