"""The first answer of a host, which shows its protocol: lines of JSON, JSON objects, or neither.

A client of a kibitz host sends a hello, a line of JSON, and gets a welcome. A client of a host of JSON objects sends a
name in a line and gets a full name like `G2 (Ada)`, often only when all seats are taken. A host of JSON objects treats
a hello as a name.
"""

import json
import re
from typing import Any

from kibitz.client.address import HostError
from kibitz.client.json_stream import LIMIT, JsonObjectStream, NotAnObjectError, decode_object
from kibitz.client.stream import ByteStream, shown

VERSION = 2  # of the protocol
LONGEST_NAME = 4096  # bytes of a full name
QUOTED = 60  # bytes of an unknown answer

FULL_NAME = re.compile(r"G([1-9])\D.*", re.DOTALL)

Message = dict[str, Any]


class RefusedError(HostError):
    """The host refused this client or its name."""


def hello(name: str, records: bool) -> bytes:
    """A short hello with the name near the beginning, because hosts of JSON objects may truncate names."""
    message = {"type": "hello", "name": name, "version": VERSION, **({"structs": True} if records else {})}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"


def first_answer(stream: ByteStream) -> Message | str:
    """A message in a line, or a full name from a host of JSON objects."""
    if not stream.buffer and not stream.fill():
        raise RefusedError(
            f"The host at {stream.where} closed the connection before the game began. Are all seats taken?"
        )
    deadline = stream.deadline()
    while not stream.buffer.lstrip():
        if len(stream.buffer) > LONGEST_NAME or not stream.fill(deadline):
            raise no_host(stream)
    del stream.buffer[: len(stream.buffer) - len(stream.buffer.lstrip())]
    if stream.buffer.startswith(b"{"):
        return first_object(stream, deadline)
    if stream.buffer.startswith(b"G"):
        return full_name(stream)
    raise no_host(stream)


def full_name(stream: ByteStream) -> str:
    try:
        line = stream.line(LONGEST_NAME)
    except HostError:
        raise no_host(stream) from None
    name = (line or b"").decode(errors="replace").rstrip("\r")
    if not FULL_NAME.fullmatch(name):
        raise no_host(stream, (line or bytes(stream.buffer))[:QUOTED])
    return name


def first_object(stream: ByteStream, deadline: float) -> Message:
    """A message, which ends its line. A host of JSON objects may also send one, as an error."""
    objects = JsonObjectStream(LIMIT)
    unread = bytes(stream.buffer)
    try:
        while (found := next(objects.feed(unread), None)) is None:
            unread = stream.receive(deadline)
            stream.buffer += unread
            if not unread:
                raise HostError(f"The host at {stream.where} closed the connection in the middle of its first message.")
        said = decode_object(found)
    except NotAnObjectError:
        raise no_host(stream) from None
    del stream.buffer[: len(found)]
    if isinstance(said.get("type"), str):
        while not stream.buffer and stream.fill(deadline):
            pass
        del stream.buffer[: 2 if stream.buffer.startswith(b"\r\n") else 1]  # the newline
        return said
    if "error" in said:
        raise RefusedError(f"The host at {stream.where} says: {shown(said['error'])}")
    if "current" in said:
        raise HostError(f"The host at {stream.where} sent a state, and no full name before it.")
    raise no_host(stream, found[:QUOTED])


def no_host(stream: ByteStream, answer: bytes = b"") -> HostError:
    answer = bytes(answer or stream.buffer[:QUOTED])
    if answer.startswith(b"HTTP/"):
        return HostError(
            f"At {stream.where} is a web server, not a host. `kibitz host` and `kibitz serve` print the port for "
            f"programs when they start: use that one."
        )
    return HostError(
        f"The server at {stream.where} answered {shown(answer.decode(errors='replace'))!r}. A host answers with a "
        f"message in JSON or with a full name like 'G2 (Ada)', and this is neither. Is it the right port?"
    )
