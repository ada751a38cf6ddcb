"""What browsers and programs get of a game, as JSON.

All of it is made from a view or state in which hidden information is already removed. These defaults suit any game; a
game with a board of its own overrides them.
"""

from collections.abc import Container
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np

from kibitz.core.deferred import load
from kibitz.core.words import Words
from kibitz.engine import generic


class PageFormat(Words):
    page_folder: ClassVar[Path | None] = None  # contains board.js and board.css
    dtype: ClassVar[np.dtype[Any]]  # the struct type of states and views

    # The spectator delays that a table can choose, in moves, in ascending order. Without delays, spectators see nothing
    # hidden before the end of the game. A delay is safe only if `late_turn` and `seen_late` hide what still matters to
    # a player, who may watch in a second window.
    delays: ClassVar[tuple[int, ...]] = ()
    late_words: ClassVar[str] = ""  # a sentence: what delayed spectators see, or why there is no delay

    @property
    def moves_are_open(self) -> bool:
        """Whether all seats see every move in full, so that `event` is the same for all: by default if nothing is
        hidden.
        """
        return generic.hides_nothing(self.dtype)

    def page(self, view: Any) -> dict[str, Any] | msgspec.Raw:
        """A view, an onlooker's view or an open state as a JSON object that the page draws."""
        return {"text": load("kibitz.core.plain_board:as_text")(self.board(view))}

    def svg(self, view: Any) -> str:
        """A view, an onlooker's view or an open state as a picture for notebooks; by default the board as text."""
        return str(load("kibitz.core.svg:text_picture")(load("kibitz.core.plain_board:trimmed")(self.board(view))))

    def prepare_page(self, view: Any) -> None:
        """Compute slow parts of a page in advance, in a thread, for `page` to use.

        It is called for open views, which people look back at. Without it, `page` leaves the slow parts out.
        """

    @property
    def prepares_pages(self) -> bool:
        return type(self).prepare_page is not PageFormat.prepare_page

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        """A turn, counted from 0, as seen by the viewer right after it. The table adds who moved."""
        move = self.move_text(int(generic.move_at(view, turn)))
        return {"turn": turn + 1, "move": move, "text": self.event_text(view, turn)}

    def choices(self, view: Any) -> list[dict[str, Any]]:
        """The legal moves of the viewer in turn; `Game.move` reads the text in `move`."""
        return [{"move": self.move_text(move)} for move in self.legal(view)]

    def odds(self, view: Any) -> list[dict[str, Any]]:
        """Probabilities of hidden things, as far as the viewer can know, for games that compute them."""
        return []

    def note_marks(self, view: Any) -> Container[int]:
        """The numbers of the things that people may annotate: in Hanabi, all cards."""
        return ()

    def late_turn(self, state: Any, delay: int) -> int:
        """The last turn that spectators with a delay may see; negative if there is none.

        Games with rounds, or with turns that do not count, override it. It may only depend on public information.
        """
        return int(generic.turns(state)) - delay

    def seen_late(self, past: Any, now: Any) -> Any:
        """What delayed spectators see of a past turn, given the open states then and now.

        It must not depend on anything that is still hidden from a player.
        """
        return past

    def turns_explained(self, state: Any) -> int:
        """The number of turns whose reasons players may read during the game: reasons can reveal hidden cards.

        By default all turns if nothing is hidden, else none before the end. In a game of rounds, the turns of finished
        rounds.
        """
        explained = generic.hides_nothing(self.dtype) or generic.to_move(state) == generic.OVER
        return int(generic.turns(state)) if explained else 0
