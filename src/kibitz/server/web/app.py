"""The web application: the page and its files, the WebSocket, import and export of records, and request checks."""

import asyncio
import contextlib
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from kibitz.core import formats
from kibitz.core.formats import OWN
from kibitz.errors import KibitzError
from kibitz.server.live.connection_limit import FULL, NO_ROOM, Acceptor, Slot, serve_streams
from kibitz.server.live.connections import LineConnection
from kibitz.server.live.log_limit import limit_logs
from kibitz.server.live.messages import RefusedError, encode
from kibitz.server.live.public_text import public_text
from kibitz.server.live.storage import StorageError
from kibitz.server.web import elite_maps, texts
from kibitz.server.web.lab import REPORT
from kibitz.server.web.page_files import KeptFile, PageFiles, inside, kept_in_memory, whole_file
from kibitz.server.web.site import Site
from kibitz.server.web.websocket import WebSocketConnection

log = logging.getLogger("kibitz.server.web")

STATIC = Path(__file__).with_name("static")
STATUS = {"unknown": 404, "hidden": 403, "full": 503, "failed": 500, "too_fast": 429}
SLOW_UPLOAD = 30.0  # seconds for a record to arrive
TOO_MANY_IMPORTS = RefusedError("too_fast", "Too many imports. Wait a minute.")
REFUSED_PROGRAM = encode("error", code="full", message=FULL) + b"\n"
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; "
        "object-src 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",  # revalidate: an older page in the cache may not fit this server
}
# A report sorts its tables by itself; as a page of no origin it reaches nothing of this one.
REPORT_HEADERS = {
    "content-security-policy": (
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data:; frame-ancestors 'none'"
    )
}


class Guard:
    """Checks Host and Origin of every request, and adds the headers that protect the page to every response.

    This prevents DNS rebinding and cross-site WebSocket hijacking: a page of another site, even if its name resolves to
    this machine, must not act for its visitor. The Host must be an IP address or a name this server knows, and an
    Origin must match it. Starlette's TrustedHostMiddleware cannot allow all IP addresses and ignores the Origin.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self.app = app
        here = socket.gethostname().lower()
        self.names = {"localhost", here, f"{here}.local", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        problem = self.problem(Headers(scope=scope))
        if problem:
            await PlainTextResponse(problem, 403)(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, receive, send_with_headers)
        except OSError as error:
            if error.errno not in NO_ROOM or started:
                raise
            await PlainTextResponse(FULL + "\n", 503)(scope, receive, send_with_headers)

    def problem(self, headers: Headers) -> str:
        host = headers.get("host", "")
        if not self.known(host):
            return f"Unknown host {host!r}. Open the server by its IP address, or start it with --name.\n"
        origin = headers.get("origin")
        if origin is not None and not same_site(origin, host):
            return "Requests from pages of other sites are not allowed.\n"
        return ""

    def known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def same_site(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc == host
    except ValueError:  # malformed, such as http://[
        return False


class Routes:
    """The routes of one site."""

    def __init__(self, site: Site) -> None:
        self.site, self.files = site, PageFiles()
        self.maps: dict[str, KeptFile] = {}  # of elites, by game
        self.files.keep(STATIC)

    def routes(self) -> list[Any]:
        return [
            Route("/", self.page),
            WebSocketRoute("/socket", self.websocket),
            Route("/api/tables/{id}.json", self.record),
            Route("/api/import", self.take_in, methods=["POST"]),
            Route("/api/elites/{game}.json", self.elites),
            Route("/games/{game}/{file:path}", self.board),
            Route("/runs/{run}/{file}", self.run_file),
            Route("/static/{file:path}", self.static),
            Route("/texts/{language}/{section}.json", self.texts),
        ]

    async def page(self, request: Request) -> Response:
        return self.files.response(STATIC, "index.html", request)

    async def static(self, request: Request) -> Response:
        return self.files.response(STATIC, request.path_params["file"], request)

    async def texts(self, request: Request) -> Response:
        return texts.response(request.path_params["language"], request.path_params["section"], request)

    async def websocket(self, websocket: WebSocket) -> None:
        await websocket.accept()
        slot = websocket.scope["state"].get("slot") or Slot("")
        await self.site.sessions.serve(WebSocketConnection(websocket), slot)

    async def program(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, slot: Slot) -> None:
        """Serve a program that connected to the programs' port."""
        slot.ended_by(writer.transport.abort)
        try:
            await self.site.sessions.serve(LineConnection(reader, writer), slot)
        except (OSError, asyncio.CancelledError):
            pass  # the program disconnected, or the server stops
        finally:
            writer.close()
            self.site.connections.release(slot)

    async def record(self, request: Request) -> Response:
        try:
            table = await self.site.tables.table(request.path_params["id"])
            record = self.site.record(table)
            self.site.tables.forget_finished(table)
            format = request.query_params.get("format", OWN)
            text = record.written(format)
        except RefusedError as error:
            return refused(error)
        except StorageError as error:
            return JSONResponse({"error": public_text(error)}, 503)
        except KibitzError as error:
            return JSONResponse({"error": public_text(error)}, 400)
        theirs = formats.named(table.game, format) if format != OWN else None
        if theirs and theirs.link:
            return PlainTextResponse(text)
        name = f"{table.game.name}-{table.id}{f'-{format}.{theirs.suffix}' if theirs else '.json'}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type=theirs.media_type if theirs else "application/json", headers=headers)

    async def take_in(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return JSONResponse({"error": "Send the record as application/json."}, 415)
        address = request.client.host if request.client else ""
        if not self.site.uploads.take(address):
            return refused(TOO_MANY_IMPORTS)
        most, body = self.site.limits.upload, bytearray()
        try:
            async with asyncio.timeout(SLOW_UPLOAD):
                async for part in request.stream():
                    body += part
                    if not self.site.uploaded.take(address, len(part)):
                        return refused(TOO_MANY_IMPORTS)
                    if len(body) > most:
                        return JSONResponse({"error": f"The record is too large. The limit is {most // 1024} kB."}, 413)
            table = await self.site.take_in(bytes(body), address)
        except TimeoutError:
            return JSONResponse({"error": f"The record did not arrive within {SLOW_UPLOAD:g} seconds."}, 408)
        except StorageError as error:
            return JSONResponse({"error": public_text(error)}, 503)
        except KibitzError as error:
            return JSONResponse({"error": public_text(error)}, 400)
        except (ClientDisconnect, asyncio.CancelledError):
            return JSONResponse({"error": "The connection or the server closed before the record was read."}, 503)
        except Exception as error:
            log.warning("A record could not be read: %r", error)
            problem = public_text(f"{type(error).__name__}: {error}")
            return JSONResponse({"error": f"The record cannot be read: {problem}."}, 400)
        return JSONResponse({"table": table.id})

    async def board(self, request: Request) -> Response:
        try:
            folder = self.site.tables.game(request.path_params["game"]).page_folder
        except RefusedError as error:
            return refused(error)
        return self.files.response(folder, request.path_params["file"], request)

    async def elites(self, request: Request) -> Response:
        """The map of elites of a game. It is cached: it does not change while the server runs."""
        try:
            game = self.site.tables.game(request.path_params["game"])
            if game.name not in self.maps:
                self.maps[game.name] = kept_in_memory(await asyncio.to_thread(elite_maps.as_json, game))
        except RefusedError as error:
            return refused(error)
        return self.maps[game.name].response(request, "application/json")

    async def run_file(self, request: Request) -> Response:
        path = self.site.lab.file(request.path_params["run"], request.path_params["file"])
        response = await asyncio.to_thread(whole_file, inside(path.parent, path.name) if path else None)
        if path is not None and path.name == REPORT:
            response.headers.update(REPORT_HEADERS)
        return response


def refused(error: RefusedError) -> Response:
    return JSONResponse({"error": public_text(error)}, STATUS.get(error.code, 400))


def make_app(site: Callable[[], Site], names: Iterable[str] = (), programs: socket.socket | None = None) -> Starlette:
    """The application. It opens the site at startup and closes it at shutdown; programs connect to their own socket."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        limit_logs()
        opened = site()
        routes = Routes(opened)
        app.router.routes[:] = routes.routes()
        await opened.open()
        acceptor = program_acceptor(opened, routes, programs) if programs is not None else None
        yield {"site": opened}
        if acceptor is not None:
            acceptor.close()
        await opened.close()

    return Starlette(lifespan=lifespan, middleware=[Middleware(Guard, names=tuple(names))])


def program_acceptor(site: Site, routes: Routes, listening: socket.socket) -> Acceptor:
    site.programs_port = listening.getsockname()[1]

    async def serve(connection: socket.socket, slot: Slot) -> None:
        await serve_streams(connection, site.limits.frame, lambda reader, writer: routes.program(reader, writer, slot))

    acceptor = Acceptor(listening, site.connections, serve, REFUSED_PROGRAM)
    acceptor.start()
    return acceptor
