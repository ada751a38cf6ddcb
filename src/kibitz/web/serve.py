"""Starting the server: one process for a folder of tables, a port that is free, the addresses to open, a clean end."""

import asyncio
import contextlib
import errno
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

import uvicorn

from kibitz.core.errors import KibitzError
from kibitz.web.app import make_app
from kibitz.web.house import House, Limits

PORT = 8000
PROGRAMS = 9000  # the port for programs
TRIED = 50  # ports after one that is taken
EVERYWHERE = ("0.0.0.0", "::")
GOODBYE = 0.2  # seconds for the last words to go out


def usual_folder() -> Path:
    """Where tables are kept if nothing else is said."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "kibitz"


def bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else answers wait to be collected
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except BaseException:
        listening.close()
        raise
    return listening


def listening_at(host: str, port: int | None, usual: int = PORT) -> socket.socket:
    """A socket at the port that was asked for, or else at the usual one or the next that is free."""
    try:
        return bound(host, usual if port is None else port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise KibitzError(f"The server cannot listen at {host}, port {port or usual}: {error.strerror}.") from None
    except OverflowError:
        raise KibitzError(f"{port} is not a port; ports are the numbers 1 to 65535.") from None
    free = next_free(host, usual if port is None else port)
    if port is not None:
        advice = f" Port {free.getsockname()[1]} is free: use --port {free.getsockname()[1]}." if free else ""
        if free:
            free.close()
        raise KibitzError(f"Port {port} is taken by another program, perhaps another kibitz.{advice}")
    if free is None:
        raise KibitzError(f"Port {usual} and the {TRIED} after it are taken. Choose one with --port.")
    return free


def next_free(host: str, port: int) -> socket.socket | None:
    for candidate in range(port + 1, min(port + 1 + TRIED, 65536)):
        with contextlib.suppress(OSError):
            return bound(host, candidate)
    return None


def addresses(host: str, port: int) -> list[str]:
    """Where the page can be opened: the first from this machine, the others from elsewhere."""
    here = "localhost" if host in (*EVERYWHERE, "127.0.0.1", "localhost") else f"[{host}]" if ":" in host else host
    found = [f"http://{here}:{port}/"]
    if host in EVERYWHERE:
        found += [f"http://{address}:{port}/" for address in own_addresses()]
    return found


def own_addresses() -> list[str]:
    """The addresses of this machine in its networks, the one that leads outside first."""
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way such a message would go
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


@contextlib.contextmanager
def alone_in(folder: Path, address: str) -> Iterator[None]:
    """Two servers must not keep their tables in one folder. The lock ends with the process, however that ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "server.lock").open("a+")
    except OSError as error:
        raise KibitzError(f"{folder} cannot be used: {error.strerror}. Choose another folder with --data.") from None
    with file:
        if not locked(file):
            file.seek(0)
            where = file.read().strip()
            raise KibitzError(
                f"Another `kibitz serve` keeps its tables in {folder}{f' and is at {where}' if where else ''}. Use "
                f"that one, or choose another folder with --data."
            )
        file.truncate(0)
        file.write(address)
        file.flush()
        yield


def locked(file: IO[str]) -> bool:
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class Server(uvicorn.Server):
    """Says when it is ready, and goodbye."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        doors = getattr(self.config.app.state, "doors", None)  # type: ignore[union-attr]
        if doors is not None and doors.reception.visitors:
            doors.reception.say_goodbye("The server is shutting down. Your tables are kept.")
            await asyncio.sleep(GOODBYE)
        await super().shutdown(sockets)


def config(app: object, limits: Limits) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        lifespan="on",
        loop="asyncio",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=limits.frame,
        ws_per_message_deflate=False,
        limit_concurrency=2 * limits.visitors,
        timeout_graceful_shutdown=3,
    )


def serve(
    host: str,
    port: int | None,
    data: Path,
    agents: Sequence[tuple[str, str]],
    names: Sequence[str],
    ready: Callable[[list[str], int], None],
    limits: Limits | None = None,
    programs: int | None = None,
) -> None:
    """Serve until somebody stops it. Programs have a port of their own."""
    limits = limits or Limits()
    with listening_at(host, port) as listening, listening_at(host, programs, PROGRAMS) as door:
        where = addresses(host, listening.getsockname()[1])
        with alone_in(data, where[0]):
            house = House(data, agents, limits)
            app = make_app(lambda: house, (*names, host), door)
            Server(config(app, limits), lambda: ready(where, door.getsockname()[1])).run([listening])


def open_browser(address: str) -> None:
    """Open the page, where there is a screen to open it on."""
    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
