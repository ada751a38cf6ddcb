"""`kibitz.records`, `load` and `save`: games in files of kibitz and of other programs."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from kibitz.core import formats, registry
from kibitz.core import record as core
from kibitz.core.record import Record
from kibitz.core.whole_files import whole_file
from kibitz.errors import ArgumentError, RecordError
from kibitz.text import fit

OURS = (".json", ".jsonl")


def records(path: str | Path) -> Iterator[Record]:
    """The games of a file, one by one: kibitz's own .json and .jsonl, or a format of other programs.

    Files with a game on every line are read line by line, so they may be larger than memory. The moves are checked by
    `kibitz.replay` and `Record.replay`, not while reading.

    >>> import kibitz, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> played = kibitz.match("tictactoe", "perfect", games=3, jobs=1, records=True)
    >>> path = kibitz.save(played.records, folder.name + "/games.jsonl")
    >>> [record.result["turns"] for record in kibitz.records(path)]
    [9, 9, 9]
    >>> folder.cleanup()
    """
    checked(path)
    games = core.every(path)
    first = next(games, None)  # read now, so that a missing file is an error here
    return games if first is None else itertools.chain([first], games)


def load(path: str | Path, number: int = 0) -> Record:
    """Game `number` of a file, counted from 0, or a text that is itself a game, such as a link of hanab.live."""
    checked(path)
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ArgumentError(f"`number` is {number!r}, but must be a whole number from 0.")
    if Path(path).suffix in core.TABLES:
        return next(core.every(path))  # raises
    return core.read(path, number)


def checked(path: object) -> None:
    if not isinstance(path, str | Path) or not str(path).strip():
        raise ArgumentError(f"`path` is {fit(repr(path), 80)}, but must be the path of a file.")


def save(games: Record | Iterable[Record], path: str | Path, format: str | None = None) -> Path:
    """Write a record, or several, and return the path.

    A .json or .jsonl file gets kibitz's own format, .jsonl with one game on each line. Other endings, such as .pdn and
    .pbn, choose a format of other programs. `format` overrides the ending: "kibitz", or a format's name, such as
    "hanab.live".
    """
    checked(path)
    file, games = Path(path), [games] if isinstance(games, Record) else games
    waiting = iter(games)
    first = next(waiting, None)
    if not isinstance(first, Record):
        raise ArgumentError("There is no record to save: `games` must be a record, or records.")
    named = format or by_ending(file, first)
    second = next(waiting, None)
    every = itertools.chain([first], [] if second is None else [second], waiting)
    document = file.suffix == ".json" and second is not None
    before, between, after = ('{"games":[\n', ",\n", "\n]}\n") if document else ("", "\n", "\n")
    try:
        with whole_file(file) as draft, draft.open("w", encoding="utf-8", newline="\n") as out:
            out.write(before + first_text(first, named, alone=file.suffix == ".json" and second is None))
            out.writelines(between + record.written(named) for record in itertools.islice(every, 1, None))
            out.write(after)
    except OSError as error:
        raise RecordError(f"{file} cannot be written: {error.strerror or error}.") from None
    return file


def first_text(record: Record, named: str, alone: bool) -> str:
    """A record as text, indented if it has a .json file of its own."""
    if alone and named == formats.OWN:
        return msgspec.json.format(record.dump(), indent=1).decode()
    return record.written(named)


def by_ending(file: Path, record: Record) -> str:
    """The format that the ending of a file's name chooses."""
    if file.suffix in OURS:
        return formats.OWN
    known = registry.game(record.game).formats
    found = next((each.name for each in known if f".{each.suffix}" == file.suffix), None)
    if found is None:
        endings = dict.fromkeys([*OURS, *(f".{each.suffix}" for each in known)])
        raise RecordError(f"{file} must end in {' or '.join(endings)}, or name a format: save(games, path, format=…).")
    return found
