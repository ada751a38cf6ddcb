"""Finds and decodes bare JSON objects in a stream of bytes, without newlines or lengths between them.

Objects may arrive in pieces of any size, or several in one piece. Every byte is examined once, whatever the pieces.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from kibitz.errors import KibitzError

LIMIT = 1 << 20  # bytes per object; the longest state has about 10,000

SPACE = re.compile(rb"[ \t\r\n]*+")
INSIDE_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
OUTSIDE_STRINGS = re.compile(rb'(?:[^{}"]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)  # whole strings are passed over
OPEN, CLOSE, QUOTE = b'{}"'
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class NotAnObjectError(KibitzError):
    """Not a JSON object, or one that is too long."""


class JsonObjectStream:
    """Find the ends of objects by counting braces outside strings; decoding validates the rest."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.depth = 0
        self.in_string = False
        self.escaped = False  # the last byte was a backslash in a string
        self.pieces: list[bytes] = []  # of the incomplete object
        self.buffered = 0  # bytes in them

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The objects completed by these bytes, in order; the iterator must be exhausted.

        Raises a NotAnObjectError at anything that is not an object, or at one that is too long, after yielding those
        before it.
        """
        place = begin = 0
        while place < len(data):
            if not self.depth:
                begin = place = skip(SPACE, data, place)
                if place == len(data):
                    return
                if data[place] != OPEN:
                    raise NotAnObjectError(f"A JSON object begins with {{, and {data[place : place + 20]!r} does not.")
            place = self._find_end(data, place)
            if self.buffered + place - begin > self.limit:
                raise NotAnObjectError(f"A JSON object of more than {self.limit:,} bytes is not read.")
            if self.depth:
                break
            yield b"".join((*self.pieces, data[begin:place]))
            self.pieces, self.buffered = [], 0
        if self.depth:
            self.pieces.append(data[begin:])
            self.buffered += len(data) - begin

    def _find_end(self, data: bytes, place: int) -> int:
        """The end of the current object, or of the data."""
        while place < len(data):
            if self.escaped:
                self.escaped = False
                place += 1
                continue
            place = skip(INSIDE_STRING if self.in_string else OUTSIDE_STRINGS, data, place)
            if place == len(data):
                break
            byte = data[place]
            place += 1
            if byte == QUOTE:  # a string ends, or one begins that continues after these bytes
                self.in_string = not self.in_string
            elif byte == OPEN:
                self.depth += 1
            elif byte == CLOSE:
                self.depth -= 1
                if not self.depth:
                    break
            else:  # a backslash, the last of these bytes
                self.escaped = True
        return place


def skip(pattern: re.Pattern[bytes], data: bytes, place: int) -> int:
    found = pattern.match(data, place)
    return found.end() if found else place


def decode_object(text: bytes, parse_float: Callable[[str], float] | None = None) -> dict[str, Any]:
    """Decode an object; a NotAnObjectError says why that fails."""
    try:
        said = json.loads(text, parse_float=parse_float)
        if SURROGATE.search(text):  # half a surrogate pair is valid JSON, but cannot be sent or printed
            json.dumps(said, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise NotAnObjectError(f"that is not JSON: {error}") from None
    if not isinstance(said, dict):
        raise NotAnObjectError("a JSON object is expected")
    return said
