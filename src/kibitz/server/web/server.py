"""Starting the server: one process per data folder, a free port, the addresses to open, a clean shutdown."""

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
    """The page's addresses: first for this machine, then for others in the network."""
    here = "localhost" if host in (*EVERYWHERE, "127.0.0.1", "localhost") else f"[{host}]" if ":" in host else host
    found = [f"http://{here}:{port}/"]
    if host in EVERYWHERE:
        found += [f"http://{address}:{port}/" for address in own_addresses()]
    return found


def own_addresses() -> list[str]:
    """This machine's network addresses, that of the default route first."""
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: connecting a UDP socket only looks up the route
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


@contextlib.contextmanager
def alone_in(folder: Path, address: str) -> Iterator[None]:
    """Lock a data folder against a second server. The lock ends with the process, even if it is killed."""
    lock, address_file = FileLock(folder / "server.lock"), folder / "server.address"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire(blocking=False)
    except Timeout:
        where = address_file.read_text().strip() if address_file.exists() else ""
        raise KibitzError(
            f"Another `kibitz serve` uses {folder}{f' and runs at {where}' if where else ''}. Use that one, or choose "
            f"another folder with --data."
        ) from None
    except OSError as error:
        raise KibitzError(f"{folder} cannot be used: {error.strerror}. Choose another folder with --data.") from None
    try:
        with contextlib.suppress(OSError):  # only used in a second server's error message
            address_file.write_text(address)
        yield
    finally:
        with contextlib.suppress(OSError):
            address_file.unlink(missing_ok=True)
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
    """Serve until stopped. Programs have their own port."""
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
    """Open the page in a browser if there is a display."""
    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
