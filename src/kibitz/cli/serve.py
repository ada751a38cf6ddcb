"""`kibitz serve`: the table in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.terminal import out


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 accepts connections from other devices.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, show_default="8000, or the next free one", help="Port of the page.")
    ] = None,
    programs: Annotated[
        int | None,
        typer.Option(min=0, max=65535, show_default="9000, or the next free one", help="Port for remote bots."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            parser=limits.path_named,
            metavar="FOLDER",
            show_default="~/.local/share/kibitz",
            help="Folder for tables and runs.",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME=WHERE",
            help="Offer your own agent: hanabi=path/to/my_bot.py:MyBot. It runs in processes with limits, without a "
            "sandbox. Repeatable.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="Additional host name of the page. Repeatable.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER", help="Set a limit, such as tables=5000; docs/how-to/serve.md lists them. Repeatable."
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Trust X-Forwarded-For from this proxy."),
    ] = None,
    open: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Start the web server: play with bots and people, watch, replay and run matches in the browser.

        kibitz serve

        kibitz serve --host 0.0.0.0 --port 8080

    Every move is kept before anybody is told of it. When the server is stopped, or killed, and started again, all
    tables are back and everybody sits where they sat.
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
        for address in elsewhere:
            out.print(f"   and from other devices at [bold]{address}[/]", soft_wrap=True)
        out.print(f"[dim]Bots from elsewhere take a seat they are invited to at port {door}.[/]", soft_wrap=True)
        out.print(f"[dim]Tables are kept in {folder}. Ctrl-C stops the server.[/]", soft_wrap=True)
        if open:
            server.open_browser(here)

    try:
        server.serve(host, port, folder, agents, name or (), ready, limits_with(limit or ()), programs, proxy or ())
    except KeyboardInterrupt:
        out.print("Stopped. Every table is kept.")
