"""Starting the server: one process for a folder of tables, a port that is free, the addresses to open, a clean end."""

import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from kibitz.errors import KibitzError
from kibitz.server.live.limits import Limits
from kibitz.server.live.listening import listening_at
from kibitz.server.web.app import make_app
from kibitz.server.web.http_server import Server, config
from kibitz.server.web.memory import use_few_arenas
from kibitz.server.web.site import Site

PORT = 8000
PROGRAMS = 9000  # the port for programs
EVERYWHERE = ("0.0.0.0", "::")


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
        probe.connect(("192.0.2.1", 9))  # connecting a UDP socket sends nothing: it only asks for the route
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


@contextlib.contextmanager
def alone_in(folder: Path, address: str) -> Iterator[None]:
    """Two servers must not keep their tables in one folder. The file lock ends with the process, however that ends."""
    lock, said_address = FileLock(folder / "server.lock"), folder / "server.address"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire(blocking=False)
    except Timeout:
        where = said_address.read_text().strip() if said_address.exists() else ""
        raise KibitzError(
            f"Another `kibitz serve` keeps its tables in {folder}{f' and is at {where}' if where else ''}. Use "
            f"that one, or choose another folder with --data."
        ) from None
    except OSError as error:
        raise KibitzError(f"{folder} cannot be used: {error.strerror}. Choose another folder with --data.") from None
    try:
        with contextlib.suppress(OSError):  # only the error of a second server needs it
            said_address.write_text(address)
        yield
    finally:
        with contextlib.suppress(OSError):
            said_address.unlink(missing_ok=True)
        lock.release()


def serve(
    host: str,
    port: int | None,
    data: Path,
    agents: Sequence[tuple[str, str]],
    names: Sequence[str],
    ready: Callable[[list[str], int], None],
    limits: Limits | None = None,
    programs: int | None = None,
    proxies: Sequence[str] = (),
) -> None:
    """Serve until somebody stops it. Programs have a port of their own."""
    limits = limits or Limits()
    with listening_at(host, port, PORT) as listening, listening_at(host, programs, PROGRAMS) as for_programs:
        where = addresses(host, listening.getsockname()[1])
        programs_port = for_programs.getsockname()[1]
        with alone_in(data, where[0]):
            use_few_arenas()
            site = Site(data, agents, limits, proxies=proxies)
            app = make_app(lambda: site, (*names, host), for_programs)
            settings = config(app, limits, tuple(proxies))
            Server(settings, limits, lambda: ready(where, programs_port)).run([listening])


def open_browser(address: str) -> None:
    """Open the page, where there is a screen to open it on."""
    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
