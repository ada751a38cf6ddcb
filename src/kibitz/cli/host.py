"""`kibitz host`: games for programs in any language, over TCP."""

import contextlib
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import StoppedError, keeps, stopped_after
from kibitz.cli.terminal import compiling, counted, note, out, plain, print_json, print_terms, progress_bar

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from kibitz.server.host.series import Series

REPORTED = 20  # games reported one by one; longer series show a progress bar


def host(
    game_name: options.GameName,
    seats: Annotated[
        str,
        options.option(
            "SEAT,SEAT…",
            "Players in seat order: open (any client that connects), closed, an agent, or launch:COMMAND, a "
            "program that the host starts and ends; {host} and {port} in it are filled in.",
        ),
    ],
    port: Annotated[
        int | None, options.option("N", "Port.", min=0, max=65535, show_default="4000, or the next free one")
    ] = None,
    address: Annotated[
        str, options.option("ADDRESS", "Address to listen on; 0.0.0.0 accepts other devices.")
    ] = "127.0.0.1",
    games: Annotated[
        int, options.count("Number of games.", limits.MOST_HOSTED, "as their numbers and results are held in memory")
    ] = 1,
    at_once: Annotated[int, options.option("N", "Number of games played at the same time.", min=1, max=2000)] = 1,
    seed: Annotated[
        int | None,
        options.option(
            "N",
            "Random seed: the same seed gives the same deals. Keep it secret: it determines the cards.",
            callback=limits.seed,
            show_default="random, reported at the end",
        ),
    ] = None,
    rule: options.Rules = None,
    bot_seconds: Annotated[
        float,
        options.option(
            "S",
            "Time limit per move of clients in seconds; 0 disables it (for human players).",
            min=0,
            callback=limits.seconds,
        ),
    ] = 60.0,
    late: Annotated[
        str,
        options.option(
            "substitute|forfeit",
            "If a client is late, leaves or breaks the protocol: an agent takes over, or the game is forfeited.",
        ),
    ] = "substitute",
    substitute: Annotated[
        str, options.option("AGENT", "Agent that takes over.", show_default="the game's simplest")
    ] = "",
    dialect: Annotated[
        str,
        options.option(
            "NAME",
            "How states in the game's own protocol are written. Hanabi: program, or report, in which `final` is the "
            "number of the last state.",
            show_default="the protocol's own",
        ),
    ] = "",
    output: Annotated[
        Path | None, options.output("FILE", "Save the games: .jsonl or .json. A stopped series can be resumed.")
    ] = None,
    json: options.AsJson = False,
) -> None:
    """Host games for programs in any language, over TCP.

        kibitz host hanabi --port 4000 --seats open,bot2,open --games 10

        kibitz host hanabi --seats "bot2,launch:node examples/bot.mjs {host}:{port}" --games 5

        kibitz host loveletter --seats open,reader --games 20 --output evening.jsonl

    Programs send JSON in lines (docs/reference/protocol.md) or, in Hanabi, use the protocol of Bida and Pandolfi's host
    (docs/reference/unibo.md); both may play at one table. `kibitz join` adds an agent or a person.

    With --seed, the games are those of `kibitz match` with that seed and the same rules.
    """
    import asyncio

    from kibitz.core import registry
    from kibitz.server.host.series import Series, remembered_seed
    from kibitz.server.host.series_plan import SeriesPlan, planned_seats

    if late not in ("substitute", "forfeit"):
        raise typer.BadParameter(f"{late!r} is neither substitute nor forfeit.", param_hint="--late")
    with compiling():
        registry.game(game_name)
        plan = SeriesPlan(
            game_name, planned_seats(seats), games, at_once, options.chosen_rules(rule), seed, bot_seconds,
            "forfeit" if late == "forfeit" else "substitute", substitute, save=output,
            dialect=dialect,
        ).checked()  # fmt: skip
        if output is not None and seed is None:
            plan = plan.with_seed(remembered_seed(output, plan))
        series = Series(plan)
        from kibitz.server.host.host import serve

    from kibitz.server.live.listening import listening_at

    if series.games:
        note(f"{series.games} of {games} games were played before; resuming.")
    with listening_at(address, port, usual=4000) as listening, progress_bar() as progress:
        task = progress.add_task("games", total=games, completed=series.games, visible=not json and games > REPORTED)

        def say(text: str) -> None:
            progress.update(task, completed=series.games)
            if not json and games <= REPORTED:
                out.print(plain(text), soft_wrap=True)

        where = listening.getsockname()[1]
        greeting = (lambda: None) if json else (lambda: greet(address, where))
        try:
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                runner.run(until_ended(serve(plan, series, listening, say, greeting)))
        except (KeyboardInterrupt, asyncio.CancelledError) as stopped:
            if series.left:
                if output:
                    keeps(f"{output}.partial keeps them; run the same command to resume.")
                by = stopped if isinstance(stopped, KeyboardInterrupt) else StoppedError(signal.SIGTERM)
                raise stopped_after(f"{series.games} of {counted(games, 'game')}", by) from None
            series.finish()  # all games are over, and only the good-byes were cut short
    if json:
        print_json(series.summary())
    else:
        show(series)


async def until_ended(hosting: "Coroutine[Any, Any, None]") -> None:
    """Host until the end or until SIGTERM, which is handled like Ctrl-C: launched programs end with their host."""
    import asyncio

    task = asyncio.current_task()
    assert task is not None
    with contextlib.suppress(NotImplementedError):  # where there are no such signals
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await hosting


def quick_loop() -> "Callable[[], asyncio.AbstractEventLoop] | None":
    """An event loop that needs half as long per message, where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def greet(address: str, port: int) -> None:
    if address in ("127.0.0.1", "localhost", "::1"):
        note = "from this machine only; --address 0.0.0.0 accepts others"
    else:
        note = "also from other machines"
    out.print(f"Listening at [bold]{plain(address)}:{port}[/], {note}.", soft_wrap=True)
    here = "localhost" if address in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "::") else address
    join = f"`kibitz join {plain(here)}:{port} --as AGENT` adds an agent."
    out.print(f"[dim]{join} Ctrl-C stops the host.[/]", soft_wrap=True)


def show(series: "Series") -> None:
    plan, summary = series.plan, series.summary()
    names = plain(" · ".join(map(str, plan.seats)))
    out.print(f"\n[bold]{series.game.title}[/]: {names}", soft_wrap=True)
    print_terms(f"{counted(series.games, 'game')}, seed {plan.seed}", options.rules_text(plan.rules))
    out.print()
    if series.game.competitive:
        for seat, wins in enumerate(summary["wins"]):
            out.print(f"  {series.game.seat_name(seat)} {plain(str(plan.seats[seat]))}: {wins} won")
    else:
        from kibitz.cli.match_scores import show_mean

        show_mean(series.tally())
        out.print(f"  maximum      {summary['maximum']}")
        out.print(f"  minimum      {summary['minimum']}")
    if series.forfeits:
        out.print(f"  forfeited    {len(series.forfeits)}")
    if plan.save:
        out.print(f"\n[dim]Saved the games to {plan.save}.[/]", soft_wrap=True)
