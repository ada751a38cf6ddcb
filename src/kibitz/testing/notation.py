"""Notation: every legal move can be written and read back, and nonsense is refused with a sentence."""

from kibitz.core.plain_board import as_text
from kibitz.engine.loop import ONLOOKER
from kibitz.errors import KibitzError
from kibitz.testing.position import Position

NONSENSE = ("", "no such move", "-1", "9999999", "ÄÖ♥")


def both_ways(at: Position) -> None:
    if at.table.over:
        return
    written: dict[str, int] = {}
    view = at.view(at.table.to_move)
    for move in at.legal():
        text = at.game.move_text(move)
        at.require(isinstance(text, str) and text.strip() == text != "" and "\n" not in text,
                   f"`move_text` writes the move {move} as {text!r}. It must return one line of text.")  # fmt: skip
        at.require(text not in written, f"`move_text` writes the moves {written.get(text)} and {move} as {text!r}.")
        written[text] = move
        for record in (at.state, view):
            try:
                read = int(at.game.move(text, record))
            except KibitzError as error:
                at.refuse(f"`Game.move` does not read {text!r}, the text of the move {move}: {error}")
            at.require(read == move, f"`Game.move` reads {text!r}, the text of the move {move}, as the move {read}.")
    at.texts.update(written)


def refused(at: Position) -> None:
    """Texts that are not a legal move raise a KibitzError."""
    if at.table.over:
        return
    legal = set(at.legal())
    others = [text for text, move in at.texts.items() if move not in legal]
    for text in (*NONSENSE, *others):
        try:
            read = int(at.game.move(text, at.state))
        except KibitzError as error:
            at.require(bool(str(error)), f"`Game.move` refuses {text!r} without an explanation.")
            continue
        except Exception as error:
            at.refuse(f"`Game.move` raises {type(error).__name__} for {text!r}. Raise a KibitzError that explains it.")
        at.require(read in legal, f"`Game.move` reads {text!r} as the move {read}, which is not legal here.")


def sentences(at: Position) -> None:
    game = at.game
    at.require(bool(game.help()), "`help` returns no text.")
    names = [game.seat_name(seat) for seat in at.viewers]
    at.require(len(set(names)) == at.players, f"`seat_name` gives seats the same name: {', '.join(names)}.")
    for record in (at.state, *(at.view(seat) for seat in (*at.viewers, ONLOOKER))):
        if not at.moves or at.table.over:  # drawing is slow
            as_text(game.board(record))
        game.view(record)
        if at.moves:
            text = game.event_text(record, len(at.moves) - 1)
            at.require(isinstance(text, str) and bool(text), f"`event_text` returns {text!r} for the last move.")
