"""The protocol: what clients say, checked as it is read, and how the server's messages become bytes.

docs/reference/protocol.md explains every one of them.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from kibitz.core.errors import KibitzError

VERSION = 1

Word = Annotated[str, Meta(max_length=100)]
Text = Annotated[str, Meta(max_length=500)]
Seat = Annotated[int, Meta(ge=0, le=99)]
Turn = Annotated[int, Meta(ge=0, le=100_000)]
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]  # what a page can say exactly
Milliseconds = Annotated[int, Meta(ge=0, le=60_000)]
Request = Annotated[str, Meta(max_length=100)] | Whole | None


class Message(msgspec.Struct, tag_field="type", kw_only=True):
    """Anything a client says. The request comes back with the answer."""

    request: Request = None


class Hello(Message, tag="hello"):
    version: Whole
    name: Text = ""
    program: bool = False
    records: bool = False  # what the protocol calls a view as the bytes of its struct


class Ping(Message, tag="ping"):
    """Is anybody there?"""


class Catalogue(Message, tag="catalogue"):
    pass


class Lobby(Message, tag="lobby"):
    on: bool = True
    which: Literal["all", "running", "finished"] = "all"
    page: Annotated[int, Meta(ge=0, le=10_000)] = 0


class SeatSpec(msgspec.Struct):
    """Who is to sit where at a new table."""

    kind: Literal["me", "bot", "open"]
    agent: Word = ""
    name: Text = ""


SeatSpecs = Annotated[list[SeatSpec], Meta(max_length=20)]


class Create(Message, tag="create"):
    game: Word
    seats: SeatSpecs = []
    level: Word = ""
    players: Seat | None = None
    rules: Annotated[dict[Word, Word], Meta(max_length=50)] = {}
    seed: Whole | None = None
    kibitz: bool = True
    pace: Milliseconds = 0


class Invitation(Message, tag="invitation"):
    """Is this invitation good for a seat?"""

    table: Word
    invitation: Word


class Sit(Message, tag="sit"):
    table: Word = ""
    invitation: Word = ""
    name: Text = ""


class Resume(Message, tag="resume"):
    table: Word
    token: Word


class Look(Message, tag="look"):
    table: Word


class Leave(Message, tag="leave"):
    table: Word


class Delete(Message, tag="delete"):
    table: Word


class Move(Message, tag="move"):
    table: Word
    turn: Turn
    move: Text


class GiveUp(Message, tag="give_up"):
    table: Word
    agent: Word = ""


class Retake(Message, tag="retake"):
    table: Word


class StandIn(Message, tag="stand_in"):
    table: Word
    seat: Seat
    agent: Word = ""


class Pace(Message, tag="pace"):
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


class Odds(Message, tag="odds"):
    table: Word
    turn: Turn | None = None
    seat: Seat | None = None


class History(Message, tag="history", rename={"viewer": "as"}):
    table: Word
    turn: Turn
    viewer: Seat | Literal["onlooker", "open"]


class WhatIf(Message, tag="what_if"):
    table: Word
    turn: Turn
    seats: SeatSpecs
    kibitz: bool = True
    pace: Milliseconds = 0


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


Anything = (
    Hello | Ping | Catalogue | Lobby | Create | Invitation | Sit | Resume | Look | Leave | Delete | Move | GiveUp
    | Retake | StandIn | Pace | Note | Advise | Odds | History | WhatIf | Lab | LabStart | LabCancel | LabResume
    | LabGames | LabOpen
)  # fmt: skip

DECODER = msgspec.json.Decoder(Anything)
ENCODER = msgspec.json.Encoder()


class RefusedError(KibitzError):
    """Something a client asked for and does not get: the error message that says so, with its code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class AnyRequest(msgspec.Struct):
    """What is left of a message that makes no sense."""

    request: Request = None


def decode(text: str) -> Anything:
    """What a frame or a line says."""
    try:
        return DECODER.decode(text)
    except msgspec.MsgspecError as error:
        raise RefusedError("bad_message", f"That is not a message this server understands: {error}.") from None
    except RecursionError:
        raise RefusedError(
            "bad_message", "That is not a message this server understands: it is nested too deep."
        ) from None


def request_of(text: str) -> Request:
    """The request number of a message that could not be understood otherwise, if it can be found."""
    try:
        return msgspec.json.decode(text, type=AnyRequest).request
    except (msgspec.MsgspecError, RecursionError):
        return None


def encode(type: str, **fields: Any) -> bytes:
    """A message of the server, without the fields that say nothing."""
    return ENCODER.encode({"type": type, **{name: value for name, value in fields.items() if value is not None}})
