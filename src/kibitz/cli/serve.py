"""`kibitz serve`: the table in the browser."""

import signal
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli import options
from kibitz.cli.interrupt import StoppedError, ended_in_order
from kibitz.cli.terminal import out


def serve(
    address: Annotated[
        str, options.option("ADDRESS", "Address to listen on; 0.0.0.0 accepts other devices.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        options.option("N", "Port of the page.", min=0, max=65535, show_default="8000, or the next free one"),
    ] = None,
    programs: Annotated[
        int | None,
        options.option("N", "Port for remote bots.", min=0, max=65535, show_default="9000, or the next free one"),
    ] = None,
    data: Annotated[
        Path | None, options.file("FOLDER", "Folder for tables and runs.", show_default="~/.local/share/kibitz")
    ] = None,
    agent: Annotated[
        list[str] | None,
        options.option(
            "GAME=WHERE",
            "Offer your own agent: hanabi=path/to/my_bot.py:MyBot. It runs in processes with limits, without a "
            "sandbox. Repeatable.",
        ),
    ] = None,
    name: Annotated[list[str] | None, options.option("HOST", "Additional host name of the page. Repeatable.")] = None,
    limit: Annotated[
        list[str] | None,
        options.option("NAME=N", "Set a limit, such as tables=5000; docs/how-to/serve.md lists them. Repeatable."),
    ] = None,
    proxy: Annotated[
        list[str] | None, options.option("ADDRESS", "Trust X-Forwarded-For from this proxy. Repeatable.")
    ] = None,
    open: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Start the web server: play with bots and people, watch, replay and run matches in the browser.

        kibitz serve

        kibitz serve --address 0.0.0.0 --port 8080

    Every move is stored before it is sent. After a stop, a crash or a kill, the server restores all tables and seats.
    """
    from kibitz.engine.folders import data_folder
    from kibitz.errors import KibitzError
    from kibitz.server.live.limits import limits_with
    from kibitz.server.web import server

    agents = []
    for each in agent or ():
        game, equals, where = each.partition("=")
        if not equals:
            raise KibitzError(f"{each!r} is not GAME=AGENT. Write it like hanabi=path/to/my_bot.py:MyBot.")
        agents.append((game.strip(), where.strip()))
    folder = data.expanduser() if data else data_folder()

    def ready(addresses: list[str], door: int) -> None:
        here, *elsewhere = addresses
        out.print(f"The table is at [bold]{here}[/]", soft_wrap=True)
        for each in elsewhere:
            out.print(f"   and from other devices at [bold]{each}[/]", soft_wrap=True)
        out.print(f"[dim]Invited bots connect to port {door}.[/]", soft_wrap=True)
        out.print(f"[dim]Tables are saved in {folder}. Ctrl-C stops the server.[/]", soft_wrap=True)
        if open:
            server.open_browser(here)

    def stop(number: int, _: Any) -> None:
        raise StoppedError(number)

    before = signal.signal(signal.SIGTERM, stop)  # the server raises the signal again when it has stopped in order
    try:
        server.serve(address, port, folder, agents, name or (), ready, limits_with(limit or ()), programs, proxy or ())
    except KeyboardInterrupt as stopped:
        out.print("Stopped. All tables are saved.")
        raise ended_in_order(stopped) from None
    finally:
        signal.signal(signal.SIGTERM, before)
