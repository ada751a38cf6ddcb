"""A game record as JSON: written, read, checked, and replayed."""

import codecs
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core import formats, registry
from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.core.whole_files import write_whole
from kibitz.errors import KibitzError, RecordError
from kibitz.text import fit

FORMAT = "kibitz-game"
VERSION = 1
SHOWN = 80  # characters of a move that an error repeats
SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1  # the range of numbers in a record: 64 bits with a sign


class Made(msgspec.Struct, omit_defaults=True):
    """A move and its reason."""

    move: str
    reason: str = ""


class TakenBack(msgspec.Struct):
    """Moves that were made after turn `turn` and taken back."""

    turn: int
    moves: list[Made]


def undo_text(times: int) -> str:
    """A note on a game in which moves were taken back."""
    return "With undo: a move was taken back." if times == 1 else f"With undo: {times} moves were taken back."


class Record(msgspec.Struct, kw_only=True):
    """A game that was played: its players, rules, start, moves with reasons, and its result if it is over.

    >>> import kibitz
    >>> record = kibitz.table("tictactoe", "perfect").run().record
    >>> len(record.moves), record.result
    (9, {'winners': 0, 'turns': 9})
    >>> record.replay().over
    True
    """

    game: str
    players: int
    seats: list[str]  # the players, in the order of the seats
    rules: dict[str, str]
    start: dict[str, Any]
    moves: list[Made]
    result: dict[str, int] | None = None  # only of a finished game
    seed: int | None = None  # with `number`, where the cards came from
    number: int | None = None
    # The description of each seat's agent (see `agent_spec`), where the name is not enough.
    agents: list[dict[str, Any] | None] | msgspec.UnsetType = msgspec.UNSET
    # In a game with undo, moves that players saw and took back. Its result does not count in comparisons.
    taken_back: list[TakenBack] | msgspec.UnsetType = msgspec.UNSET
    format: str = FORMAT
    version: int = VERSION

    def __repr__(self) -> str:
        ends = ", ".join(f"{name} {value}" for name, value in (self.result or {}).items()) or "not finished"
        return f"<record of {fit(self.game)}: {' · '.join(map(fit, self.seats))}, {len(self.moves)} moves, {ends}>"

    @classmethod
    def of(
        cls,
        table: Table,
        seats: list[str],
        rules: dict[str, str],
        seed: int | None,
        number: int | None,
        agents: Sequence[dict[str, Any] | None] = (),
    ) -> "Record":
        """The game at a table so far."""
        game = table.game
        return cls(
            game=game.name,
            players=len(seats),
            seats=[fit(name) for name in seats],
            rules=rules,
            start=game.dump_start(table.start[0]),
            moves=[Made(game.move_text(turn.decision.move), turn.decision.reason) for turn in table.turns],
            result=table.result() if table.over else None,
            seed=seed,
            number=number,
            agents=list(agents) if any(agents) else msgspec.UNSET,
        )

    def replay(self) -> Table:
        """The table at the end of the record, every move checked against the rules."""
        table = self.opened()
        for _ in self.steps(table):
            pass
        if self.result is not None and not table.over:
            raise RecordError(f"The record has a result, but its {len(self.moves)} moves do not end the game.")
        if self.result is not None and self.result != table.result():
            said = fit(str(self.result), 200)
            raise RecordError(f"The record says the game ended with {said}; replayed, it is {table.result()}.")
        return table

    def opened(self) -> Table:
        """The table before the first move, without players."""
        try:
            game = registry.game(self.game)
        except KibitzError as error:
            raise RecordError(f"The record cannot be played: {error}") from error
        if len(self.seats) != self.players:
            raise RecordError(f"The record has {self.players} players but names {len(self.seats)} seats.")
        try:
            rules = game.recorded_rules(self.rules)
            players = game.check_players(self.players)
        except KibitzError as error:
            raise RecordError(f"The record cannot be played: {error}") from error
        return Table(game, [], game.load_start(self.start, players, rules), rolls=False)

    def steps(self, table: Table) -> Iterable[Table]:
        """Make the recorded moves one by one."""
        for number, made in enumerate(self.moves, start=1):
            if table.over:
                raise RecordError(
                    f"The game is over after {number - 1} moves, but the record continues with "
                    f"{fit(made.move, SHOWN)!r}."
                )
            try:
                move = table.game.move(made.move, table.state)
            except KibitzError as error:
                said = fit(made.move, SHOWN)
                raise RecordError(f"Move {number} of the record, {said!r}, cannot be made: {error}") from None
            table.make(Decision(move, made.reason))
            yield table

    def resume(self, table: Table) -> None:
        """Make the recorded moves, including those of chance; then the table rolls itself."""
        table.stop_rolling()
        for _ in self.steps(table):
            pass
        table.start_rolling()

    def up_to(self, turn: int | None) -> "Record":
        """The game after `turn` moves, or all of it."""
        if turn is None or turn >= len(self.moves):
            return self
        return msgspec.structs.replace(self, moves=self.moves[:turn], result=None)

    def dump(self) -> bytes:
        """On one line, for files with many games."""
        return msgspec.json.encode(self)

    def save(self, path: Path) -> None:
        """Write it to a file of its own, indented. A crash leaves the old or the new file."""
        write_whole(path, msgspec.json.format(self.dump(), indent=1) + b"\n", folders=False)

    def written(self, format: str = formats.OWN) -> str:
        """In kibitz's format or in one of the game's formats, by name; `understood` reads it."""
        if format == formats.OWN:
            return self.dump().decode()
        return formats.named(registry.game(self.game), format).write(self)


NO_OBJECT = "a record is the whole text of an exported game, from its first { to its last }"


def parse(text: bytes) -> Record:
    """A record with its shape checked; replaying it checks the moves."""
    try:
        record = msgspec.json.decode(text, type=Record)
    except formats.UNREADABLE as error:
        if not text.lstrip().startswith(b"{"):  # msgspec's message would not help
            raise RecordError(f"This is not a record of a game: {NO_OBJECT}.") from None
        raise RecordError(f"This is not a record of a game: {error}.") from None
    if record.format != FORMAT:
        raise RecordError(f"This is not a record of a game: its format is {record.format[:80]!r}, not {FORMAT!r}.")
    if record.version != VERSION:
        raise RecordError(f"The record is of version {record.version}; this kibitz reads version {VERSION}.")
    for name in ("seed", "number", "players", "start", "result", "agents"):
        check_numbers(name, getattr(record, name))
    return record


def check_numbers(name: str, value: Any) -> None:
    """Refuse numbers outside 64 bits at any depth."""
    values = [value]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
        elif isinstance(value, int) and not SMALLEST <= value <= LARGEST:
            raise RecordError(
                f"The record has the number {fit(str(value), 40)} in its {name}; numbers must be from −2**63 to "
                f"2**63 − 1."
            )


LINE = b'{"game"'  # what a record begins with, where each is on a line of its own
DOCUMENTS = (b'{"summary":', b'{"games":')  # what a document begins with that has each game on a line of its own
FRAME = (*DOCUMENTS, b'"games":', b"]")  # the other lines of a document
TABLES = (".csv", ".parquet")


def every(where: Path | str) -> Iterator["Record"]:
    """The games of a file, or of a text that is itself a game, such as a link.

    Files with a record on every line are read line by line, as `kibitz match --save` writes them; others are read
    whole, as their games may span lines.
    """
    if isinstance(where, str) and not os.path.exists(where) and formats.recognised(where):  # noqa: PTH110 (long links)
        yield understood(where.encode())
        return
    path = Path(where)
    if path.suffix in TABLES:
        raise RecordError(
            f"{path} is a table of results, without the games. Records are .json or .jsonl files, or in a format of "
            f"other programs. Read a table with polars."
        )
    number = 0
    try:
        with path.open("rb") as file:
            first = file.readline()
            if first.endswith(b"\n") and first.startswith((LINE, *DOCUMENTS)):
                frame = () if first.startswith(LINE) else FRAME
                lines = (line.strip() for line in itertools.chain([first], file))
                games: Iterator[bytes] = (
                    line.removesuffix(b",") for line in lines if line and not line.startswith(frame)
                )
            else:
                games = iter(games_in(first + file.read()))
            for game in games:
                yield understood(game)
                number += 1
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from None
    except RecordError as error:
        raise RecordError(f"{path}, game {number}: {error}") from None


class Games(msgspec.Struct):
    """A file of many games; only the games are read."""

    games: list[msgspec.Raw]


def read(where: Path | str, number: int = 0) -> Record:
    """Read game number `number` of a file, or a text that is itself a game, such as a link."""
    if isinstance(where, str) and not os.path.exists(where) and formats.recognised(where):  # noqa: PTH110 (long links)
        return nth_game(where.encode(), number)
    path = Path(where)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return nth_game(text, number)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


# Byte-order marks; that of UTF-32 begins like that of UTF-16.
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def as_utf8(text: bytes) -> bytes:
    """The text in UTF-8, without the byte-order mark that some editors add."""
    encoding = next((encoding for mark, encoding in MARKS.items() if text.startswith(mark)), "")
    if encoding == "utf-8":
        return text.removeprefix(codecs.BOM_UTF8)
    try:
        return text.decode(encoding).encode() if encoding else text
    except UnicodeError:
        raise RecordError(
            f"This begins with the byte-order mark of {encoding.upper()}, but is not valid "
            f"{encoding.upper()}. Save it as UTF-8."
        ) from None


def nth_game(text: bytes, number: int) -> Record:
    games = games_in(text)
    if not 0 <= number < len(games):
        raise RecordError(f"there is no game {number}; it contains {len(games)}, numbered from 0.")
    return understood(games[number])


def games_in(text: bytes) -> list[bytes]:
    """The games of a text: a document or list of games, one game per line, or a single game."""
    text = as_utf8(text)
    try:
        document = msgspec.json.decode(text, type=Games | list[msgspec.Raw])
        return [bytes(game) for game in (document.games if isinstance(document, Games) else document)]
    except formats.UNREADABLE:
        pass
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith(b'{"game"')]
    if len(ours) > 1:
        return ours
    if lines and not lines[0].startswith(b"{"):
        words = text.decode(errors="replace")
        if format := formats.recognised(words):
            return [game.encode() for game in format.games(words)]
    laid_out = lines and lines[0].startswith(b"{") and not lines[0].endswith(b"}")
    return lines if len(lines) > 1 and not laid_out else [text]


def understood(text: bytes) -> Record:
    """Read a record or a game in another program's format. A link may be a JSON string."""
    text = as_utf8(text)
    try:
        return parse(text)
    except RecordError as error:
        try:
            words = msgspec.json.decode(text, type=str)
        except formats.UNREADABLE:
            words = text.decode(errors="replace")
        format = formats.recognised(words)
        if format is None:
            others = ", ".join(each.title for each in formats.every())
            raise RecordError(f"{error}" + (f" Other formats that can be read: {others}." if others else "")) from None
    return format.read(words)
