"""The protocol: requests of clients, validated as they are decoded, and the encoding of the server's messages.

docs/reference/protocol.md explains every message.
"""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from kibitz.errors import KibitzError

VERSION = 2

Word = Annotated[str, Meta(max_length=100)]
Text = Annotated[str, Meta(max_length=500)]
Seat = Annotated[int, Meta(ge=0, le=99)]
Turn = Annotated[int, Meta(ge=0, le=100_000)]
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]  # the integers that JavaScript represents exactly
Milliseconds = Annotated[int, Meta(ge=0, le=60_000)]
ChatMode = Literal["off", "quick", "free"]  # while the game runs: no chat, quick words only, or texts as well
MoveSeconds = Annotated[int, Meta(ge=0, le=86_400)]
Request = Annotated[str, Meta(max_length=100)] | Whole | None


class Message(msgspec.Struct, tag_field="type", kw_only=True):
    """A message of a client. Its `request` is returned with the answer."""

    request: Request = None


class Hello(Message, tag="hello"):
    version: Whole
    name: Text = ""
    program: bool = False
    structs: bool = False  # views as the bytes of their struct


class Ping(Message, tag="ping"):
    """Is anybody there?"""


class Catalogue(Message, tag="catalogue"):
    pass


class Lobby(Message, tag="lobby"):
    on: bool = True
    which: Literal["all", "running", "finished"] = "all"
    page: Annotated[int, Meta(ge=0, le=10_000)] = 0
    search: Word = ""


class MyGames(Message, tag="my_games"):
    """What is the state of these tables?"""

    tables: Annotated[list[Word], Meta(max_length=200)]
    page: Annotated[int, Meta(ge=0, le=10_000)] = 0
    search: Word = ""


class SeatSpec(msgspec.Struct):
    """The player of a seat at a new table."""

    kind: Literal["me", "bot", "open"]
    agent: Word = ""
    name: Text = ""


SeatSpecs = Annotated[list[SeatSpec], Meta(max_length=20)]


class Create(Message, tag="create"):
    game: Word
    seats: SeatSpecs = []
    level: Word = ""
    players: Seat | None = None
    seat: Seat = 0  # of the creator, where a level names the other players
    rules: Annotated[dict[Word, Word], Meta(max_length=50)] = {}
    seed: Whole | None = None
    kibitz: bool = True
    bot_delay: Milliseconds = 0
    spectators: Turn = 0  # moves by which spectators' open view is delayed; 0: only after the end
    chat: ChatMode = "quick"
    joinable: bool = False  # open seats need no invitation
    move_seconds: MoveSeconds = 0  # per move of a person; 0: no limit


class Invitation(Message, tag="invitation"):
    """Is this invitation valid for a seat? Without one: is the table open to everybody?"""

    table: Word
    invitation: Word = ""


class Sit(Message, tag="sit"):
    table: Word = ""
    invitation: Word = ""
    name: Text = ""


class Resume(Message, tag="resume"):
    table: Word
    token: Word


class Spectate(Message, tag="spectate"):
    table: Word


class Leave(Message, tag="leave"):
    table: Word


class Delete(Message, tag="delete"):
    table: Word
    token: Word = ""  # the creator's, if they are not at the table


class Move(Message, tag="move"):
    table: Word
    turn: Turn
    move: Text
    reason: Text = ""  # of a program, shown when the game is over


class Undo(Message, tag="undo"):
    table: Word
    turn: Turn  # the number of moves to keep


class HandToBot(Message, tag="hand_to_bot"):
    table: Word
    agent: Word = ""


class ReclaimSeat(Message, tag="reclaim_seat"):
    table: Word


class StandIn(Message, tag="stand_in"):
    table: Word
    seat: Seat
    agent: Word = ""


class Options(Message, tag="options"):
    """Options that a table's creator may change while it runs."""

    table: Word
    spectators: Turn | None = None
    chat: ChatMode | None = None
    chat_spectators: bool | None = None


class Chat(Message, tag="chat"):
    """Either a text, or a quick word by its number."""

    table: Word
    text: Text = ""
    word: Annotated[int, Meta(ge=0, le=100)] | None = None


class OpenSeat(Message, tag="open_seat"):
    """Open a seat that is reserved for a player who does not come."""

    table: Word
    seat: Seat


class Joinable(Message, tag="joinable"):
    """Let everybody take an open seat of a table, or only those who are invited."""

    table: Word
    on: bool


class Rematch(Message, tag="rematch"):
    """Play again with the players of a finished game: join the next table, or decline."""

    table: Word
    token: Word
    answer: Literal["propose", "accept", "decline"] = "propose"


class BotDelay(Message, tag="bot_delay"):
    table: Word
    milliseconds: Milliseconds | None = None
    paused: bool | None = None
    step: bool = False


class Note(Message, tag="note"):
    table: Word
    mark: Annotated[int, Meta(ge=0, le=100_000)]
    text: Text


class Advise(Message, tag="advise"):
    table: Word
    agent: Word
    turn: Turn | None = None
    seat: Seat | None = None


class AdviseAll(Message, tag="advise_all"):
    table: Word
    agents: Annotated[list[Word], Meta(min_length=1, max_length=12)]
    turn: Turn | None = None
    seat: Seat | None = None


class Why(Message, tag="why"):
    """Why was a move made, as far as I can know?"""

    table: Word
    turn: Annotated[int, Meta(ge=1, le=100_000)]


class Odds(Message, tag="odds"):
    table: Word
    turn: Turn | None = None
    seat: Seat | None = None


class Ladder(Message, tag="ladder"):
    """What does each search technique save, in a position without hidden information?"""

    table: Word
    turn: Turn | None = None
    seat: Seat | None = None
    depth: Annotated[int, Meta(ge=1, le=12)] = 5


class History(Message, tag="history", rename={"viewer": "as"}):
    table: Word
    turn: Turn
    viewer: Seat | Literal["spectator", "open"]


class ReplayLeader(Message, tag="replay_leader"):
    """Lead the replay, end the lead, or pass it to a client that requested it."""

    table: Word
    on: bool = True
    key: Word = ""  # of a leader whose connection broke
    to: Annotated[int, Meta(ge=0)] | None = None


class ReplayCursor(Message, tag="replay_cursor", rename={"viewer": "as"}):
    """The position the leader of a replay shows, and the move they point at."""

    table: Word
    turn: Turn
    viewer: Seat | Literal["spectator", "open"]
    event: Turn | None = None


class WhatIf(Message, tag="what_if"):
    table: Word
    turn: Turn
    seats: SeatSpecs
    kibitz: bool = True
    bot_delay: Milliseconds = 0


class AnalysisBoard(Message, tag="analysis_board"):
    """A table that continues from a turn of another, where one person moves for every seat."""

    table: Word
    turn: Turn


class Lab(Message, tag="lab"):
    on: bool = True


class LabStart(Message, tag="lab_start"):
    what: Literal["match", "cross"]
    game: Word
    agents: Annotated[list[Word], Meta(min_length=1, max_length=30)]
    players: Seat
    games: Annotated[int, Meta(ge=1, le=1_000_000)]
    seed: Whole = 0
    rules: Annotated[dict[Word, Word], Meta(max_length=50)] = {}


class LabCancel(Message, tag="lab_cancel"):
    run: Word
    token: Word = ""


class LabResume(Message, tag="lab_resume"):
    run: Word
    token: Word = ""


class LabGames(Message, tag="lab_games"):
    """Which games are behind a run, or behind a cell of a cross table?"""

    run: Word
    row: Word = ""
    column: Word = ""


class LabOpen(Message, tag="lab_open"):
    """One of those games, as a table to look at."""

    run: Word
    number: Annotated[int, Meta(ge=0, le=100_000_000)]
    match: Annotated[int, Meta(ge=0, le=100)] = 0
    row: Word = ""
    column: Word = ""


class Review(Message, tag="review"):
    """What was every decision of a finished game worth?"""

    table: Word
    partners: Word = ""  # the agent that stands for all seats but the reviewed one; default: who they were
    seat: Seat | None = None  # the reviewed one, if `partners` names an agent
    on: bool = True  # whether to be sent what is still to come


class Progress(Message, tag="progress"):
    """My games and puzzles so far. A table with the token of a seat there adds that seat's game."""

    key: Word = ""  # without one, a new key is sent
    table: Word = ""
    token: Word = ""


class ForgetProgress(Message, tag="forget_progress"):
    key: Word


class Puzzle(Message, tag="puzzle"):
    """A puzzle to solve: one by its id, or the next of today's ten, of a lesson, of a theme, or of all."""

    game: Word = "hanabi"
    key: Word = ""  # the visitor's; without it, nothing is counted
    puzzle: Word = ""
    daily: bool = False
    lesson: Word = ""
    theme: Word = ""


class Solve(Message, tag="solve"):
    """The visitor's answer to a puzzle."""

    game: Word
    puzzle: Word
    move: Text
    key: Word = ""


class Daily(Message, tag="daily"):
    """The deal of the day, and what others made of it."""

    game: Word = "hanabi"
    key: Word = ""


class PlayDaily(Message, tag="play_daily"):
    """Sit down at the deal of the day. A visitor's first table counts."""

    key: Word
    game: Word = "hanabi"


MESSAGES: list[Any] = Message.__subclasses__()  # every class above
DECODER: msgspec.json.Decoder[Message] = msgspec.json.Decoder(reduce(or_, MESSAGES))
ENCODER = msgspec.json.Encoder()


class RefusedError(KibitzError):
    """A refused request: the error message, with its code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class AnyRequest(msgspec.Struct):
    """A message that cannot be decoded, with its request number."""

    request: Request = None


def decode(text: str) -> Message:
    """The message in a frame or a line."""
    try:
        return DECODER.decode(text)
    except msgspec.MsgspecError as error:
        raise RefusedError("bad_message", f"That is not a message this server understands: {error}.") from None
    except RecursionError:
        raise RefusedError(
            "bad_message", "That is not a message this server understands: it is nested too deep."
        ) from None


def request_of(text: str) -> Request:
    """The request number of an invalid message, if it can be found."""
    try:
        return msgspec.json.decode(text, type=AnyRequest).request
    except (msgspec.MsgspecError, RecursionError):
        return None


# What the server says, in the order of docs/reference/protocol.md.
ServerMessage = Literal[
    "welcome", "pong", "bye", "pending", "catalogue", "tables", "tables_changed", "my_games", "invitation", "seat",
    "events", "event", "view", "seats", "your_turn", "notice", "reasons", "chat", "chat_line", "replay_leader",
    "ok", "deleted", "options", "advice", "odds", "ladder", "why", "history", "runs", "lab_started",
    "lab_games", "lab_opened", "review", "progress", "puzzle", "solved", "daily", "error",
]  # fmt: skip


def encode(type: ServerMessage, **fields: Any) -> bytes:
    """A message of the server, without empty fields."""
    return ENCODER.encode({"type": type, **{name: value for name, value in fields.items() if value is not None}})
