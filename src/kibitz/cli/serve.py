"""`kibitz serve`: the table in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.terminal import out


def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen: this machine alone, or 0.0.0.0 for your phone and your friends, too.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, show_default="8000, or the next that is free", help="The port.")
    ] = None,
    programs: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, show_default="9000, or the next that is free", help="The port for bots from elsewhere."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            parser=limits.path_named,
            metavar="FOLDER",
            show_default="~/.local/share/kibitz",
            help="The folder in which tables and runs are kept.",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME=WHERE",
            help="Offer an agent of yours, too: hanabi=path/to/my_bot.py:MyBot. It runs in processes with limits, but "
            "without a sandbox.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="A further name under which the page may be opened.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="Change a limit, like tables=5000; docs/how-to/serve.md has all."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS", help="A proxy before this server, whose word is taken for its clients' addresses."
        ),
    ] = None,
    open: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Serve the table to browsers: play with bots and with other people, look on, replay, measure.

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
            raise KibitzError(f"{each!r} is not GAME=WHERE, like hanabi=path/to/my_bot.py:MyBot.")
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
