"""The page's files, kept in memory so that it loads even when the process has no file descriptors left.

Browsers that accept gzip get a third of the bytes. Scripts and style sheets are sent without comments and indentation,
each line in its place.
"""

import gzip
import logging
import mimetypes
import re
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

log = logging.getLogger("kibitz.server.web")

NO_ROOM = "The server cannot open this file right now. Try again in a moment.\n"


# What no browser needs. Templates of one line only and comments without quotes cannot be part of a string.
NEEDLESS = {
    ".js": re.compile(rb"^[ \t]+|^[ \t]*//.*$|[ \t]+//[^\"'`\n]*$", re.M),
    ".css": re.compile(rb"^[ \t]+|/\*.*?\*/", re.M | re.S),
}


class KeptFile(NamedTuple):
    changed: tuple[int, int]  # the time of its last change, and its size
    content: bytes
    compressed: bytes  # by gzip
    etag: str

    def sent(self, request: Request) -> tuple[bytes, dict[str, str]]:
        """The content for a request and its headers; each encoding has its own ETag."""
        headers = {"vary": "accept-encoding"}
        if len(self.compressed) < len(self.content) and takes_gzip(request.headers.get("accept-encoding", "")):
            return self.compressed, {**headers, "content-encoding": "gzip", "etag": f'"{self.etag}-gzip"'}
        return self.content, {**headers, "etag": f'"{self.etag}"'}

    def response(self, request: Request, media_type: str) -> Response:
        """The file, or 304 if the browser has this version."""
        content, headers = self.sent(request)
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=media_type, headers=headers)


def kept_in_memory(content: bytes, changed: tuple[int, int] = (0, 0)) -> KeptFile:
    etag = blake2b(content, digest_size=12).hexdigest()
    return KeptFile(changed, content, gzip.compress(content, mtime=0), etag)


class PageFiles:
    def __init__(self) -> None:
        self.kept: dict[Path, KeptFile] = {}

    def keep(self, folder: Path | None) -> None:
        """Preload all files of a folder."""
        for path in sorted(folder.rglob("*")) if folder is not None else ():
            if path.is_file():
                self._read(path.resolve())

    def response(self, folder: Path | None, file: str, request: Request) -> Response:
        """A file inside a folder, or 304 if the browser has this version."""
        path = inside(folder, file)
        if path is None:
            return missing()
        try:
            kept = self._read(path)
        except OSError as error:
            log.warning("%s cannot be read: %s", path, error.strerror)
            return PlainTextResponse(NO_ROOM, 503)
        return kept.response(request, media_type(path))

    def _read(self, path: Path) -> KeptFile:
        """The current file. Checking for changes needs no file descriptor."""
        status = path.stat()
        changed = status.st_mtime_ns, status.st_size
        kept = self.kept.get(path)
        if kept is None or kept.changed != changed:
            kept = kept_in_memory(lean(path.read_bytes(), path.suffix), changed)
            self.kept[path] = kept
        return kept


def lean(content: bytes, suffix: str) -> bytes:
    """A script or style sheet without comments and indentation; line numbers stay."""
    needless = NEEDLESS.get(suffix)
    return content if needless is None else needless.sub(lambda found: b"\n" * found[0].count(b"\n"), content)


def takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding header allows gzip."""
    for coding in accepted.lower().split(","):
        name, _, weight = coding.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def inside(folder: Path | None, file: str) -> Path | None:
    """The path of a file inside a folder, or None."""
    if folder is None:
        return None
    try:
        path = (folder / file).resolve()
        return path if path.is_relative_to(folder.resolve()) and path.is_file() else None
    except (OSError, ValueError):  # the name is too long or contains a null character
        return None


def whole_file(path: Path | None) -> Response:
    """A file, read on request."""
    if path is None:
        return missing()
    try:
        return Response(path.read_bytes(), media_type=media_type(path))
    except FileNotFoundError:
        return missing()
    except OSError as error:
        log.warning("%s cannot be read: %s", path, error.strerror)
        return PlainTextResponse(NO_ROOM, 503)


def media_type(path: Path) -> str:
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def missing() -> Response:
    return PlainTextResponse("File not found.\n", 404)
