"""Words: every legal move is written and read back, and nonsense is refused with a sentence."""

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
                   f"the move {move} is written as {text!r}. It has to be words on one line.")  # fmt: skip
        at.require(text not in written, f"the moves {written.get(text)} and {move} are both written as {text!r}.")
        written[text] = move
        for record in (at.state, view):
            try:
                read = int(at.game.move(text, record))
            except KibitzError as error:
                at.refuse(f"the move {move} is written as {text!r}, which `Game.move` does not read: {error}")
            at.require(read == move, f"the move {move} is written as {text!r}, which `Game.move` reads as {read}.")
    at.texts.update(written)


def refused(at: Position) -> None:
    """What is no move, or not a legal one now, is a KibitzError."""
    if at.table.over:
        return
    legal = set(at.legal())
    others = [text for text, move in at.texts.items() if move not in legal]
    for text in (*NONSENSE, *others):
        try:
            read = int(at.game.move(text, at.state))
        except KibitzError as error:
            at.require(bool(str(error)), f"`Game.move` refuses {text!r} without a sentence.")
            continue
        except Exception as error:
            at.refuse(f"`Game.move` raises {type(error).__name__} at {text!r}. Raise a KibitzError with a sentence.")
        at.require(read in legal, f"`Game.move` reads {text!r} as the move {read}, which is not legal now.")


def sentences(at: Position) -> None:
    game = at.game
    at.require(bool(game.help()), "`help` says nothing.")
    names = [game.seat_name(seat) for seat in at.viewers]
    at.require(len(set(names)) == at.players, f"seats have the same name: {', '.join(names)}.")
    for record in (at.state, *(at.view(seat) for seat in (*at.viewers, ONLOOKER))):
        if not at.moves or at.table.over:  # drawing takes longer than all else
            as_text(game.board(record))
        game.view(record)
        if at.moves:
            text = game.event_text(record, len(at.moves) - 1)
            at.require(isinstance(text, str) and bool(text), f"`event_text` of the last move is {text!r}.")
