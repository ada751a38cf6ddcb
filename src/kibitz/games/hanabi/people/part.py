"""People as a part of the game Hanabi, for `kibitz people`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from kibitz.core.people import Choices, Choosing, Read
from kibitz.games.hanabi.people import games, model


class HanabiPeople:
    shape = model.SHAPE

    def read(self, paths: Iterable[Path], experience: str = "") -> Read:
        return games.read(paths, experience)

    def choices(self, played: Sequence[games.PlayedGame]) -> Choices:
        return games.choices(played)

    def save(self, path: Path, fitted: Choosing) -> None:
        model.save(path, fitted)

    def load(self, path: Path | None) -> Choosing:
        return model.load(path)


PEOPLE = HanabiPeople()
