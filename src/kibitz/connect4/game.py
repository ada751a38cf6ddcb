"""Connect 4 as a `Game`: words, page, levels."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

from kibitz.connect4.board import BOARD, COLUMNS, PLACES
from kibitz.connect4.notation import move_text, moves_text, state_after
from kibitz.connect4.rules import SEATS, STATE
from kibitz.connect4.view import View
from kibitz.core.deferred import load
from kibitz.core.errors import KibitzError, RecordError
from kibitz.core.expectation import Expectation
from kibitz.core.game import Game, Lineup

HELP = """A move is a column, from 1 at the left to 7 at the right.
Or a question: moves (the columns that are not full), board, history, help. To leave: quit."""


class Connect4(Game):
    name = "connect4"
    title = "Connect 4"
    description = "Stones fall into seven columns; four in a line win, across, up or aslant."
    players = range(SEATS, SEATS + 1)
    dtype = STATE
    longest = PLACES
    moves_are_open = True
    competitive = True
    page_folder = Path(__file__).parent / "page"
    lineups = MappingProxyType(
        {
            "beginner": Lineup("they drop stones anywhere", ("random",)),
            "easy": Lineup("they look at their own next move", ("greedy",)),
            "medium": Lineup("they look four plies ahead", ("alphabeta4",)),
            "hard": Lineup("they look eight plies ahead", ("alphabeta8",)),
            "strong": Lineup("they play on to the end a hundred thousand times before each move", ("mcts",)),
            "perfect": Lineup("they cannot be beaten, and win whatever can be won", ("solver",)),
        }
    )
    bounds = MappingProxyType(
        {"mine": (0, BOARD), "taken": (0, BOARD), "turn": (0, PLACES), "columns": (0, COLUMNS - 1)}
    )

    def check_view(self, view: Any, seat: int) -> None:
        super().check_view(view, seat)
        try:
            played = state_after(moves_text(view))
        except KibitzError as error:
            raise RecordError(f"The moves in this view of Connect 4 cannot be: {error}") from None
        if played[0]["mine"] != view["mine"] or played[0]["taken"] != view["taken"]:
            raise RecordError("The stones in this view of Connect 4 are not those of its moves.")

    # Words

    def view(self, struct: Any) -> View:
        return View(struct)

    def move_text(self, move: int) -> str:
        return move_text(int(move))

    def event_text(self, struct: Any, turn: int) -> str:
        return f"{self.seat_name(turn % SEATS)} plays {move_text(int(struct['columns'][turn]))}."

    def expectation_text(self, expects: Expectation) -> str:
        return f"wins {round(100 * expects.value)} of 100 games in {expects.tries:,} of its {expects.trials:,} trials"

    def board(self, view: Any) -> Any:
        return load("kibitz.connect4.terminal:board")(View(view))

    def help(self) -> str:
        return HELP

    # The page

    def page(self, view: Any) -> dict[str, Any]:
        return load("kibitz.connect4.page_format:table")(View(view))

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        return {**super().event(view, turn), "column": int(view["columns"][turn])}

    def odds(self, view: Any) -> list[dict[str, Any]]:
        """What every column is worth with the best play of both."""
        return [] if View(view).over else load("kibitz.connect4.teacher:worth_of_columns")(view)

    def turns_explained(self, state: Any) -> int:
        return int(state["turn"])

    def verdict(self, state: Any) -> str:
        turns = f"after {int(state['turn'])} moves"
        return f"{super().verdict(state).removesuffix('.')} {turns}."


CONNECT4 = Connect4()
