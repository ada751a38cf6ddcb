"""Game formats of other programs, which a game can import and export."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import msgspec

from kibitz.core import registry
from kibitz.errors import KibitzError, unknown

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.record import Record

# Exceptions of reading JSON: invalid, of another shape, nested too deep, or with half a surrogate pair.
UNREADABLE = (msgspec.MsgspecError, RecursionError, UnicodeError)
OWN = "kibitz"  # the name of kibitz's own format


class Format(ABC):
    name: ClassVar[str]  # for commands
    title: ClassVar[str]  # for pages
    link: ClassVar[bool] = False  # whether the text is a URL
    suffix: ClassVar[str] = "json"  # of the file name; `media_type` is its MIME type
    media_type: ClassVar[str] = "application/json"

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Whether a text is meant to be in this format, valid or not."""

    @abstractmethod
    def read(self, text: str) -> "Record":
        """Read a game; a RecordError says what is wrong."""

    @abstractmethod
    def write(self, record: "Record") -> str:
        """Write a game, on one line if it is JSON or a link; a RecordError says why this format cannot represent it."""

    def games(self, text: str) -> list[str]:
        """The games in a text of this format; a file may contain several."""
        return [text]


def every() -> Iterator[Format]:
    """The formats of all games. A game that cannot be loaded is skipped."""
    for name in sorted(registry.game_entries()):
        try:
            yield from registry.game(name).formats
        except KibitzError:
            continue


def recognised(text: str) -> Format | None:
    return next((each for each in every() if each.recognises(text)), None)


def named(game: "Game", name: str) -> Format:
    formats = {each.name: each for each in game.formats}
    if name not in formats:
        raise unknown("format", name, (OWN, *formats), f"{game.title} is written as {' or '.join((OWN, *formats))}.")
    return formats[name]
