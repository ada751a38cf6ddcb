"""`kibitz host`: seats for programs in any language."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import limits
from kibitz.cli.terminal import (
    COMPILING,
    AsJson,
    GameName,
    Rules,
    chosen_rules,
    counted,
    err,
    out,
    patience,
    plain,
    print_json,
    progress_bar,
)

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from kibitz.server.host.series import Series

TOLD = 20  # games of which everything is told; of more, a count


def host(
    game_name: GameName,
    seats: Annotated[
        str,
        typer.Option(
            metavar="SEAT,SEAT...",
            help="Players in seat order: open (any client that connects), closed, an agent, or launch:COMMAND, a "
            "program that the host starts and ends; {host} and {port} in it are filled in.",
        ),
    ],
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, show_default="4000, or the next free one", help="Port.")
    ] = None,
    address: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 accepts connections from other machines.")
    ] = "127.0.0.1",
    games: Annotated[
        int,
        limits.games_option(
            limits.MOST_HOSTED, "as their numbers and results are held in memory", "How many games are played."
        ),
    ] = 1,
    at_once: Annotated[int, typer.Option(min=1, max=2000, help="Number of games played at the same time.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            callback=limits.seed,
            show_default="random, reported at the end",
            help="Random seed: the same seed gives the same deals. Keep it secret: it determines the cards.",
        ),
    ] = None,
    rule: Rules = None,
    deadline: Annotated[
        float,
        typer.Option(min=0, callback=limits.seconds, help="Time limit per move for clients in seconds; 0 disables it."),
    ] = 60.0,
    late: Annotated[
        str,
        typer.Option(
            metavar="substitute|forfeit",
            help="If a client is late, leaves or breaks the protocol: an agent takes over, or the game is forfeited.",
        ),
    ] = "substitute",
    substitute: Annotated[
        str, typer.Option(metavar="AGENT", show_default="the game's simplest", help="Agent that takes over.")
    ] = "",
    save: Annotated[
        Path | None,
        limits.path_option("FILE", "Keep the games: .jsonl or .json. A host that was killed goes on where it stopped."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Host games for programs in any language, over TCP.

        kibitz host hanabi --port 4000 --seats open,bot2,open --games 10

        kibitz host hanabi --seats "trustful,launch:node examples/bot.mjs {host}:{port}" --games 5

        kibitz host loveletter --seats open,reader --games 20 --save evening.jsonl

    Programs speak JSON in lines (docs/reference/protocol.md) or, in Hanabi, the protocol of Bida and Pandolfi's host
    (docs/reference/unibo.md); both may sit at one table. `kibitz join` seats an agent or a person.
    """
    import asyncio

    from kibitz.core import registry
    from kibitz.errors import KibitzError
    from kibitz.server.host.series import Series, remembered_seed
    from kibitz.server.host.series_plan import SeriesPlan, planned_seats

    if late not in ("substitute", "forfeit"):
        raise typer.BadParameter(f"{late!r} is neither substitute nor forfeit.", param_hint="--late")
    with patience(COMPILING):
        registry.game(game_name)
        plan = SeriesPlan(
            game_name, planned_seats(seats), games, at_once, chosen_rules(rule), seed, deadline,
            "forfeit" if late == "forfeit" else "substitute", substitute, save=save,
        ).checked()  # fmt: skip
        if save is not None and seed is None:
            plan = plan.with_seed(remembered_seed(save, plan))
        series = Series(plan)
        from kibitz.server.host.host import serve

    from kibitz.server.live.listening import listening_at

    if series.games:
        err.print(f"{series.games} of {games} games were played before; going on.")
    with listening_at(address, port, usual=4000) as listening, progress_bar() as progress:
        task = progress.add_task("games", total=games, completed=series.games, visible=not json and games > TOLD)

        def say(text: str) -> None:
            progress.update(task, completed=series.games)
            if not json and games <= TOLD:
                out.print(plain(text), soft_wrap=True)

        where = listening.getsockname()[1]
        greeting = (lambda: None) if json else (lambda: greet(address, where))
        try:
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                runner.run(until_ended(serve(plan, series, listening, say, greeting)))
        except (KeyboardInterrupt, asyncio.CancelledError):
            if series.left:
                kept = f" {save}.partial keeps them; the same command goes on." if save else ""
                raise KibitzError(f"Stopped after {series.games} of {games} games.{kept}") from None
            series.finish()  # everything was played, and only the goodbyes were cut short
    if json:
        print_json(series.summary())
    else:
        show(series)


async def until_ended(hosting: "Coroutine[Any, Any, None]") -> None:
    """Host, and end in order when the system asks for it, as after Ctrl-C: launched programs end with their host."""
    import asyncio
    import signal

    task = asyncio.current_task()
    assert task is not None
    with contextlib.suppress(NotImplementedError):  # where there are no such signals
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await hosting


def quick_loop() -> "Callable[[], asyncio.AbstractEventLoop] | None":
    """An event loop that spends half as long on every message, where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def greet(address: str, port: int) -> None:
    if address in ("127.0.0.1", "localhost", "::1"):
        note = "from this machine only; --address 0.0.0.0 lets others in, too"
    else:
        note = "from other machines, too"
    out.print(f"Listening at [bold]{plain(address)}:{port}[/], {note}.", soft_wrap=True)
    here = "localhost" if address in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "::") else address
    join = f"`kibitz join {plain(here)}:{port} --as AGENT` seats an agent."
    out.print(f"[dim]{join} Ctrl-C stops the host.[/]", soft_wrap=True)


def show(series: "Series") -> None:

    plan, summary = series.plan, series.summary()
    names = plain(" · ".join(map(str, plan.seats)))
    out.print(f"\n[bold]{series.game.title}[/]: {names}", soft_wrap=True)
    out.print(f"[dim]{counted(series.games, 'game')}, seed {plan.seed}[/]\n")
    if series.game.competitive:
        for seat, wins in enumerate(summary["wins"]):
            out.print(f"  {series.game.seat_name(seat)} {plain(str(plan.seats[seat]))}: {wins} won")
    else:
        tally = series.tally()
        spread = f" ± {tally.estimate.half_width:.3f}  [dim](95 % interval)[/]" if tally.games > 1 else ""
        out.print(f"  mean score   [bold]{tally.mean:.3f}[/]{spread}")
        out.print(f"  deviation    {tally.std:.3f}")
        out.print(f"  maximum      {summary['maximum']}")
        out.print(f"  minimum      {summary['minimum']}")
    if series.forfeits:
        out.print(f"  forfeited    {len(series.forfeits)}")
    if plan.save:
        out.print(f"\n[dim]The games are in {plan.save}.[/]", soft_wrap=True)
