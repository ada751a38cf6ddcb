"""The server's doors: the page and its files, the socket, records in and out; and who is let through them."""

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
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from kibitz.core import formats
from kibitz.core.errors import KibitzError
from kibitz.core.formats import OWN
from kibitz.core.record import nth_game
from kibitz.web.house import House
from kibitz.web.lab import Lab
from kibitz.web.messages import RefusedError
from kibitz.web.sockets import LineSocket, PageSocket
from kibitz.web.visitors import Reception

log = logging.getLogger("kibitz.web")

STATIC = Path(__file__).with_name("static")
STATUS = {"unknown": 404, "hidden": 403, "full": 503, "failed": 500}
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
    "cache-control": "no-cache",  # a page of yesterday must not speak with a server of today
}


class Guard:
    """Lets in only who means this server, and sends nothing out without the headers that protect the page.

    A page of somebody else, even one whose name is made to point at this machine, must not play here for its
    visitor. So the Host must be an address or a name this server knows, and the Origin, if there is one, the same.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self.app = app
        here = socket.gethostname().lower()
        self.names = {"localhost", here, f"{here}.local", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        problem = self.problem(Headers(scope=scope))
        if problem:
            await PlainTextResponse(problem, 403)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def problem(self, headers: Headers) -> str:
        host = headers.get("host", "")
        if not self.known(host):
            return f"This server is not called {host!r}. Open it by its address, or start it with --name.\n"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return "Another site's page cannot use this server.\n"
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


class Doors:
    """The routes, for one house and its laboratory."""

    def __init__(self, house: House, lab: Lab) -> None:
        self.house, self.lab = house, lab
        self.reception = Reception(house, lab)

    def routes(self) -> list[Any]:
        return [
            Route("/", self.page),
            WebSocketRoute("/socket", self.visit),
            Route("/api/tables/{id}.json", self.record),
            Route("/api/import", self.take_in, methods=["POST"]),
            Route("/games/{game}/{file:path}", self.board),
            Route("/runs/{run}/{file}", self.run_file),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    async def page(self, request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def visit(self, websocket: WebSocket) -> None:
        await websocket.accept()
        await self.reception.welcome(PageSocket(websocket))

    async def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A program comes in."""
        try:
            await self.reception.welcome(LineSocket(reader, writer))
        except (OSError, asyncio.CancelledError):
            pass  # it went away, or the server does
        finally:
            writer.close()

    async def record(self, request: Request) -> Response:
        try:
            table = await self.house.table(request.path_params["id"])
            record = self.house.record(table)
            self.house.let_go(table)
            format = request.query_params.get("format", OWN)
            text = record.written(format)
        except RefusedError as error:
            return refused(error)
        except KibitzError as error:
            return JSONResponse({"error": str(error)}, 400)
        if format != OWN and formats.named(table.game, format).link:
            return PlainTextResponse(text)
        name = f"{table.game.name}-{table.id}{'' if format == OWN else '-' + format}.json"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/json", headers=headers)

    async def take_in(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return JSONResponse({"error": "A record is sent as application/json."}, 415)
        most, body = self.house.limits.upload, b""
        async for part in request.stream():
            body += part
            if len(body) > most:
                return JSONResponse({"error": f"A record of more than {most // 1024} kB is not taken in."}, 413)
        try:
            table = await self.house.take_in(nth_game(body, 0))
        except KibitzError as error:
            return JSONResponse({"error": str(error)}, 400)
        except Exception as error:
            log.warning("A record could not be read: %r", error)
            return JSONResponse({"error": f"The record cannot be read: {type(error).__name__}: {error}."}, 400)
        self.house.lobby_changed.set()
        return JSONResponse({"table": table.id})

    async def board(self, request: Request) -> Response:
        try:
            folder = self.house.game(request.path_params["game"]).page_folder
        except RefusedError as error:
            return refused(error)
        return inside(folder, request.path_params["file"])

    async def run_file(self, request: Request) -> Response:
        path = self.lab.file(request.path_params["run"], request.path_params["file"])
        return inside(path.parent, path.name) if path else PlainTextResponse("There is no such file.\n", 404)


def refused(error: RefusedError) -> Response:
    return JSONResponse({"error": str(error)}, STATUS.get(error.code, 400))


def inside(folder: Path | None, file: str) -> Response:
    """A file of a folder, and of nowhere else."""
    path = (folder / file).resolve() if folder else None
    if folder is None or path is None or not path.is_relative_to(folder.resolve()) or not path.is_file():
        return PlainTextResponse("There is no such file.\n", 404)
    return FileResponse(path)


def make_app(house: Callable[[], House], names: Iterable[str] = (), programs: socket.socket | None = None) -> Starlette:
    """The application; the house is opened when it starts and closed when it stops.

    Programs speak with it in lines, through a socket of their own.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opened = house()
        lab = Lab(opened.data / "runs")
        doors = Doors(opened, lab)
        app.state.doors = doors
        app.router.routes[:] = doors.routes()
        await opened.open()
        lab.open()
        if programs is None:
            yield
        else:
            opened.programs_port = programs.getsockname()[1]
            async with await asyncio.start_server(doors.enter, sock=programs, limit=opened.limits.frame):
                yield
        lab.close()
        await opened.close()

    return Starlette(lifespan=lifespan, middleware=[Middleware(Guard, names=tuple(names))])
