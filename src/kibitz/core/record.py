"""A whole game as JSON: written, read, checked, and replayed to the same end."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.errors import KibitzError, RecordError
from kibitz.core.table import Table

FORMAT = "kibitz-game"
VERSION = 1


class Made(msgspec.Struct, omit_defaults=True):
    """A move as it was made."""

    move: str
    reason: str = ""


class Record(msgspec.Struct, kw_only=True):
    game: str
    players: int
    seats: list[str]  # who played, in the order of the seats
    rules: dict[str, str]
    start: dict[str, Any]
    moves: list[Made]
    result: dict[str, int] | None = None  # of a finished game
    seed: int | None = None  # with the game's number: where its cards came from
    number: int | None = None
    format: str = FORMAT
    version: int = VERSION

    @classmethod
    def of(
        cls, table: Table, seats: list[str], rules: dict[str, str], seed: int | None, number: int | None
    ) -> "Record":
        """The game at a table so far."""
        game = table.game
        return cls(
            game=game.name,
            players=len(seats),
            seats=seats,
            rules=rules,
            start=game.dump_start(table.start[0]),
            moves=[Made(game.move_text(turn.decision.move), turn.decision.reason) for turn in table.turns],
            result=table.result() if table.over else None,
            seed=seed,
            number=number,
        )

    def replay(self) -> Table:
        """The table at the end of the record, every move checked against the rules."""
        table = self.opened()
        for _ in self.steps(table):
            pass
        if self.result is not None and not table.over:
            raise RecordError(f"The record has a result, but its {len(self.moves)} moves do not end the game.")
        if self.result is not None and self.result != table.result():
            raise RecordError(f"The record says the game ended with {self.result}; replayed, it is {table.result()}.")
        return table

    def opened(self) -> Table:
        """The table before the first move, with nobody in its seats."""
        try:
            game = registry.game(self.game)
        except KibitzError as error:
            raise RecordError(f"The record cannot be played: {error}") from error
        if len(self.seats) != self.players:
            raise RecordError(f"The record has {self.players} players but names {len(self.seats)} seats.")
        try:
            rules = game.check_rules(self.rules)
            players = game.check_players(self.players)
        except KibitzError as error:
            raise RecordError(f"The record cannot be played: {error}") from error
        return Table(game, [], game.load_start(self.start, players, rules))

    def steps(self, table: Table) -> Iterable[Table]:
        """Make the recorded moves one by one."""
        for number, made in enumerate(self.moves, start=1):
            if table.over:
                raise RecordError(
                    f"The game is over after {number - 1} moves, but the record goes on with {made.move!r}."
                )
            try:
                move = table.game.move(made.move, table.state)
            except KibitzError as error:
                raise RecordError(f"Move {number} of the record, {made.move!r}, cannot be made: {error}") from None
            table.make(Decision(move, made.reason))
            yield table

    def dump(self) -> bytes:
        """On one line, as it stands in a file of many games."""
        return msgspec.json.encode(self)

    def save(self, path: Path) -> None:
        """In a file of its own, laid out for reading; a crash leaves the old file or the new one."""
        draft = path.with_name(path.name + ".new")
        draft.write_bytes(msgspec.json.format(self.dump(), indent=1) + b"\n")
        draft.replace(path)


def parse(text: bytes) -> Record:
    """A record, its shape checked; the moves are checked when it is replayed."""
    try:
        record = msgspec.json.decode(text, type=Record)
    except msgspec.MsgspecError as error:
        raise RecordError(f"This is not a record of a game: {error}.") from None
    if record.format != FORMAT:
        raise RecordError(f"This is not a record of a game: its format is {record.format!r}, not {FORMAT!r}.")
    if record.version != VERSION:
        raise RecordError(f"The record is of version {record.version}; this kibitz reads version {VERSION}.")
    return record


class Games(msgspec.Struct):
    """A file of many games, of which only the games are read here."""

    games: list[msgspec.Raw]


def read(path: Path, number: int = 0) -> Record:
    """A game of a file: a record, or game number `number` of the games a match saved."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return nth_game(text, number)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def nth_game(text: bytes, number: int) -> Record:
    try:
        games = [bytes(game) for game in msgspec.json.decode(text, type=Games).games]
    except msgspec.MsgspecError:
        lines = [line for line in text.splitlines() if line.startswith(b'{"game"')]
        games = lines if len(lines) > 1 else [text]
    if not 0 <= number < len(games):
        raise RecordError(f"there is no game {number}; it holds {len(games)}, numbered from 0.")
    return parse(games[number])
