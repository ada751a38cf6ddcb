"""PDN, the standard notation of draughts games: tags, numbered moves, and the result.

Read are numbers and letters, comments, variations (which are left out), and positions by a FEN tag; a file may hold
many games. Written are the tags that others expect, squares as is usual in the variant, and every square of a capture
where two squares could mean more than one.
"""

import re
from collections.abc import Iterator
from typing import Any

from kibitz.core.agent import Decision
from kibitz.core.formats import Format
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.errors import KibitzError, RecordError
from kibitz.games.draughts.game import DRAUGHTS
from kibitz.games.draughts.moves import Move, mover_before, routes, with_letters, with_numbers
from kibitz.games.draughts.rules import begins, winner

# PDN's numbers of the variants; then the side that begins, the board, and whether squares are letters from the bottom
# left (A0) or numbers from the bottom right of the side that begins (N1).
GAME_TYPES = {
    "english": "21,B,8,8,N1,0",
    "russian": "25,W,8,8,A0,0",
    "brazilian": "26,W,8,8,A0,0",
}
BY_NUMBER = {text.split(",")[0]: variant for variant, text in GAME_TYPES.items()}
RESULTS = {"1-0": 0, "0-1": 1, "2-0": 0, "0-2": 1, "1/2-1/2": -1, "1-1": -1, "0-0": -1}  # the winner
WRITTEN_RESULTS = {0: "1-0", 1: "0-1", -1: "1/2-1/2"}
UNFINISHED = "*"
TAG = re.compile(r'\[\s*(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]')
HEAD = re.compile(rf"(?:{TAG.pattern}\s*)+")
TOKEN = re.compile(
    r"\{[^}]*(?:\}|\Z)|;[^\n]*|\$\d+|[()]|\d+\.(?:\.\.)?|[^\s{}();]+"
)  # comments, marks, brackets, numbers, the rest
MOVE = re.compile(r"(?:[a-h][1-8]|\d{1,2})(?:[-x:*](?:[a-h][1-8]|\d{1,2}))+", re.IGNORECASE)
NUMBERED = re.compile(r"(?<![\d/])(?![0-2]-[0-2]\b)\d{1,2}[-x]\d{1,2}\b")  # a move, and not a result
SEVERAL = "The text holds {count} games. Read a file of them with `kibitz replay FILE --game N`, from 0."
LINE = 78


class Pdn(Format):
    name = "pdn"
    title = "PDN"
    suffix = "pdn"
    media_type = "text/plain"

    def recognises(self, text: str) -> bool:
        text = text.lstrip()
        head = HEAD.match(text)
        if not head:
            return False
        tags = dict(TAG.findall(head[0]))
        return "GameType" in tags or bool(NUMBERED.search(text, head.end()))

    def games(self, text: str) -> list[str]:
        starts = [found.start() for found in HEAD.finditer(text)]
        return [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=False)]

    def read(self, text: str) -> Record:
        games = self.games(text)
        if len(games) != 1:
            raise RecordError(SEVERAL.format(count=len(games)))
        return record_of(games[0])

    def write(self, record: Record) -> str:
        return written(record)


# Reading


def record_of(text: str) -> Record:
    head = HEAD.match(text)
    tags = {name: value.replace('\\"', '"') for name, value in TAG.findall(head[0])} if head else {}
    rules = DRAUGHTS.check_rules({"variant": variant_of(tags), "opening": "usual"})
    start = {"fen": tags["FEN"]} if "FEN" in tags else {}
    table = Table(DRAUGHTS, [], DRAUGHTS.load_start(start, 2, rules))
    result = make_moves(table, text[head.end() if head else 0 :])
    check_result(table, result or tags.get("Result", UNFINISHED))
    return Record.of(table, seats(tags, rules["variant"]), rules, None, None)


def seats(tags: dict[str, str], variant: str) -> list[str]:
    """The names of the players: the side that begins a usual game has the first seat."""
    names = [tags.get("White", "White"), tags.get("Black", "Black")]
    return names[::-1] if variant == "english" else names


def variant_of(tags: dict[str, str]) -> str:
    """The variant by the tag GameType; by default English, where PDN began."""
    number = tags.get("GameType", "21").split(",")[0].strip()
    if number not in BY_NUMBER:
        known = ", ".join(f"{number} ({variant})" for number, variant in BY_NUMBER.items())
        raise RecordError(f"The game is of GameType {number!r}. On 8×8 squares these can be read: {known}.")
    return BY_NUMBER[number]


def make_moves(table: Table, text: str) -> str:
    """Make the moves of a text at a table, and return the result after them."""
    for token in tokens(text):
        if token in RESULTS or token == UNFINISHED:
            return token
        number = len(table.turns) + 1
        found = MOVE.match(token)
        if not found:
            raise RecordError(f"Move {number} of the game, {token[:40]!r}, is not a move.")
        if table.over:
            verdict = DRAUGHTS.verdict(table.state)
            raise RecordError(f"The game is over after {number - 1} moves, but {token} follows. {verdict}")
        try:
            table.make(Decision(DRAUGHTS.move(found[0], table.state)))
        except KibitzError as error:
            raise RecordError(f"Move {number} of the game cannot be made: {error}") from None
    return ""


def tokens(text: str) -> Iterator[str]:
    """Moves and results, without comments, marks, variations and move numbers."""
    depth = 0
    for token in TOKEN.findall(text):
        if token in "()":
            depth += 1 if token == "(" else -1
        elif depth == 0 and token[0] not in "{;$" and not re.fullmatch(r"\d+\.(?:\.\.)?|[!?]+|\.+", token):
            yield token


def check_result(table: Table, said: str) -> None:
    """A game may be resigned or drawn before its end, but the result of a finished game must be right."""
    if table.over and said in RESULTS and RESULTS[said] != winning_side(table.state):
        raise RecordError(f"The game is said to end {said}, but its moves say: {DRAUGHTS.verdict(table.state)}")


def winning_side(state: Any) -> int:
    """WHITE or BLACK, −1 for a draw."""
    return 1 - int(state["side"]) if winner(state) >= 0 else -1


# Writing


def written(record: Record) -> str:
    end, table = record.replay(), record.opened()
    variant = DRAUGHTS.check_rules(record.rules)["variant"]
    result = WRITTEN_RESULTS[winning_side(end.state)] if end.over else UNFINISHED
    white, black = record.seats[::-1] if variant == "english" else record.seats
    tags = {
        "Event": "kibitz", "White": white, "Black": black, "Result": result,
        "GameType": GAME_TYPES[variant],
    }  # fmt: skip
    if record.start.get("fen"):
        tags |= {"SetUp": "1", "FEN": record.start["fen"]}
    words, late = [], int(table.state["side"]) != int(begins(int(table.state["rules"])))
    for turn in end.turns:
        place = len(table.turns) + late
        if place % 2 == 0:
            words.append(f"{place // 2 + 1}.")
        elif not table.turns:
            words.append(f"{place // 2 + 1}...")
        words.append(as_text(Move(turn.decision.move), table.state, variant))
        table.make(turn.decision)
    escaped = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags.items()}
    head = "\n".join(f'[{name} "{value}"]' for name, value in escaped.items())
    return f"{head}\n\n{wrapped([*words, result])}"


def as_text(move: Move, state: Any, variant: str) -> str:
    """A move in the usual notation of the variant, by two squares if they are unambiguous."""
    route, captures = [move.origin, move.target], bool(move.captured)
    alike = [other for other in map(Move, DRAUGHTS.legal(state)) if [other.origin, other.target] == route]
    if len(alike) > 1:
        route = clear_route(move, state, alike)
    return with_numbers(route, captures) if variant == "english" else with_letters(route, captures)


def clear_route(move: Move, state: Any, alike: list[Move]) -> list[int]:
    """A route of a move that distinguishes it from these moves, if there is one."""
    others = [route for other in alike if other != move for route in routes(other, mover_before(state, other))]
    mine = list(routes(move, mover_before(state, move)))
    return next((route for route in mine if not any(within(route, other) for other in others)), mine[0])


def within(route: list[int], other: list[int]) -> bool:
    """Whether a route is part of another, in the same order."""
    squares = iter(other)
    return all(square in squares for square in route)


def wrapped(words: list[str]) -> str:
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > LINE:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


FORMATS = (Pdn(),)
