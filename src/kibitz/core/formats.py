"""Formats of other programs for a game that was played: a game names those it can be read from and written in."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import msgspec

from kibitz.core import registry
from kibitz.errors import KibitzError, unknown

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.record import Record

# What reading JSON can raise: it is none, has another shape, nests too deep, or has half of a letter in it.
UNREADABLE = (msgspec.MsgspecError, RecursionError, UnicodeError)
OWN = "kibitz"  # what the format of our own records is called, where a format is named


class Format(ABC):
    name: ClassVar[str]  # as people type it
    title: ClassVar[str]  # as a page offers it
    link: ClassVar[bool] = False  # whether what is written is an address to go to
    suffix: ClassVar[str] = "json"  # of a file with such a game, and what browsers are told that it is
    media_type: ClassVar[str] = "application/json"

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Whether a text means to be a game in this format, be it a right one or not."""

    @abstractmethod
    def read(self, text: str) -> "Record":
        """The game of a text; a RecordError says what is wrong with it."""

    @abstractmethod
    def write(self, record: "Record") -> str:
        """A game as text, on one line if it is JSON or a link; a RecordError says why this format cannot hold it."""

    def games(self, text: str) -> list[str]:
        """The games of a text that it recognises, where a file may hold several on many lines."""
        return [text]


def every() -> Iterator[Format]:
    """The formats of every game. A game that cannot be loaded has none: it must not keep others from being read."""
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
