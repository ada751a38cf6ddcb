"""What of a game goes to browsers and over the network, as JSON.

All of it is made from the record it is handed, in which what must be hidden is hidden already. What is here is enough
for any game; one with a board of its own says more.
"""

from collections.abc import Container
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from kibitz.core.deferred import load
from kibitz.core.words import Words
from kibitz.engine import generic


class PageFormat(Words):
    page_folder: ClassVar[Path | None] = None  # with board.js and board.css for the browser
    moves_are_open: ClassVar[bool] = (
        False  # whether everybody sees the same of every move: then `event` is the same too
    )

    # Delays that a table can choose for its spectators, in moves, the least first. Without any they are shown nothing
    # hidden before the game is over. A delay protects only where `late_turn` and `seen_late` keep back what still
    # matters to a player: a player may look on in a second window.
    delays: ClassVar[tuple[int, ...]] = ()
    late_words: ClassVar[str] = ""  # what spectators with a delay see, or why there is no delay, in a sentence

    def page(self, view: Any) -> dict[str, Any] | msgspec.Raw:
        """A view, an onlooker's view or an open state, as a page draws it: what becomes a JSON object, or is one."""
        return {"text": load("kibitz.core.plain_board:as_text")(self.board(view))}

    def prepare_page(self, view: Any) -> None:
        """Work out what the page of a view shows and takes long to find: a thread does so first, and `page` finds it.

        A page that is asked for without it leaves that out. It is called for open views, which people look back at.
        """

    @property
    def prepares_pages(self) -> bool:
        return type(self).prepare_page is not PageFormat.prepare_page

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        """What the viewer may know of a turn, from 0, told by the view right after it.

        Who moved is added by the table.
        """
        move = self.move_text(int(generic.move_at(view, turn)))
        return {"turn": turn + 1, "move": move, "text": self.event_text(view, turn)}

    def choices(self, view: Any) -> list[dict[str, Any]]:
        """The legal moves of the viewer, whose turn it is; `move` is the text that `Game.move` reads."""
        return [{"move": self.move_text(move)} for move in self.legal(view)]

    def odds(self, view: Any) -> list[dict[str, Any]]:
        """What a viewer can work out about what is hidden from them, if the game has anything to say on that."""
        return []

    def note_marks(self, view: Any) -> Container[int]:
        """What a person may write notes about, as numbers: in Hanabi all cards. Other games need not have any."""
        return ()

    def late_turn(self, state: Any, delay: int) -> int:
        """The last turn that spectators with a delay of so many moves may look back at; negative if there is none.

        A game in which not every turn counts, or that has rounds, says so here. It may depend only on what is public.
        """
        return int(generic.turns(state)) - delay

    def seen_late(self, past: Any, now: Any) -> Any:
        """What spectators with a delay see of a past turn, from the open states of then and of now.

        It must not depend on anything that is still hidden from a player.
        """
        return past

    def turns_explained(self, state: Any) -> int:
        """The number of turns whose reasons people who still play may hear: reasons can speak of hidden cards.

        In a game of rounds, those of the rounds that are over.
        """
        return int(generic.turns(state)) if generic.to_move(state) < 0 else 0
