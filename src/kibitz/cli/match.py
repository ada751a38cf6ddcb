"""`kibitz match`: many games, and what they say."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import Received, exit_code, keeps
from kibitz.cli.terminal import (
    BOT_SECONDS,
    COMPILING,
    AgentNames,
    AsJson,
    BotSeconds,
    Depth,
    GameName,
    Iterations,
    Jobs,
    Players,
    Rules,
    Seed,
    Start,
    ThinkMs,
    chosen_budget,
    chosen_rules,
    chosen_start,
    complain,
    err,
    out,
    patience,
    plain,
    print_json,
    progress_bar,
    seated,
    workers,
)

if TYPE_CHECKING:
    from kibitz.arena.measure import MeasuredMatch


def match(
    game: GameName,
    agents: AgentNames,
    players: Players = None,
    games: Annotated[
        int,
        limits.games_option(limits.MOST_GAMES, "which takes days at best", "How many deals are played."),
    ] = 1000,
    seed: Seed = 0,
    jobs: Jobs = None,
    rule: Rules = None,
    start: Start = None,
    first: Annotated[
        Literal["fixed", "alternate"],
        typer.Option(help="Who begins a game that somebody wins: the seat named first, or the seats in turn."),
    ] = "fixed",
    mirror: Annotated[
        bool,
        typer.Option(
            "--mirror",
            help="Play every deal once for each seat to begin it, which takes the luck of the cards out; all "
            "those games count.",
        ),
    ] = False,
    think_ms: ThinkMs = None,
    iterations: Iterations = None,
    depth: Depth = None,
    bot_seconds: BotSeconds = BOT_SECONDS,
    json: AsJson = False,
    save: Annotated[
        Path | None,
        limits.path_option(
            "FILE", "Keep every game: records in a .json or .jsonl file, rows of results in a .csv or .parquet file."
        ),
    ] = None,
    charts: Annotated[
        Path | None,
        limits.path_option("FOLDER", "Draw what was measured, as SVG and PNG in this folder."),
    ] = None,
) -> None:
    """Play many games and measure.

    A game with a score: mean, interval, spread, perfect and lost games. One agent and --players is a table of
    its copies; several agents sit in the order named. The same seed gives the same deals to any of them:

        kibitz match hanabi smart_cheater --players 4 --games 10000

        kibitz match hanabi simple_distrustful my_bot.py:MyBot erratic --seed 7

    A game that somebody wins: wins and draws with intervals, by who begins, by the turn of the end, and what else
    the game counts. The seats stay those that are named, whoever sits where; --mirror compares them best.

        kibitz match loveletter greedy random --games 10000 --mirror

    With --start every game begins with one position, and with --mirror each seat has either side of it:

        kibitz match kriegspiel believer random --games 20 --mirror --start "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

    Ctrl-C ends a match with what was played so far. One that saves, and was stopped or killed, goes on where it was
    when the same command is given again.
    """
    from kibitz.arena.match import Match
    from kibitz.arena.measure import MeasuredMatch
    from kibitz.arena.saved_match import wants_records
    from kibitz.core import registry
    from kibitz.errors import KibitzError

    if save and games > limits.MOST_SAVED:
        raise KibitzError(f"One file holds at most {limits.MOST_SAVED:,} games. Save fewer, or measure without --save.")
    which = registry.game(game)
    names = seated(which, agents, players)
    chosen_start(which, start, len(names), which.check_rules(chosen_rules(rule)))
    wanted = Match(
        game, names, games, seed, chosen_rules(rule), bool(save and wants_records(save)),
        first, mirror, chosen_budget(think_ms, iterations, depth), bot_seconds, start=start,
    )  # fmt: skip
    with patience(COMPILING):
        ready = wanted.prepared()
        measured = MeasuredMatch(ready, save)
    if measured.saved is not None:
        partial = measured.saved.checkpoint.path
        keeps(f"{partial} keeps the games; the same command goes on from there.")
        if measured.before:
            complain(f"{partial} already holds {measured.before} of these games; going on from there.")

    stopped: KeyboardInterrupt | None = None
    with progress_bar() as progress:
        label = plain(" · ".join(dict.fromkeys(names)))
        task = progress.add_task(label, total=ready.games, completed=measured.before)
        try:
            for _ in measured.play(workers(jobs)):
                progress.update(task, completed=measured.games)
        except KeyboardInterrupt as stopping:
            stopped = stopping
    if stopped is None:
        measured.finish()
        if charts and measured.games:
            draw(measured, charts)
    show(measured, json)
    if stopped is not None:
        complain(f"Stopped after {measured.games:,} of {ready.games:,} games.{Received.keeps}")
        raise typer.Exit(exit_code(stopped))
    if measured.failure:
        kept = f" The {measured.games:,} games before it count." if measured.games else ""
        complain(f"{measured.failure}{kept}{Received.keeps}")
        raise typer.Exit(1)
    if save and not json:
        out.print(f"The games are in {plain(str(save))}.", soft_wrap=True)


def show(measured: "MeasuredMatch", json: bool) -> None:
    """What the games that were played come to."""
    from kibitz.arena.measure import MatchScores
    from kibitz.cli import match_scores, wins

    measure, speed = measured.measure, measured.games_per_second
    if json:
        print_json({**measure.as_json(), "games_per_second": speed})
    elif not measured.games:
        return
    elif isinstance(measure, MatchScores):
        match_scores.show(measure, speed)
    else:
        wins.show(measure, speed)


def draw(measured: "MeasuredMatch", folder: Path) -> None:
    from kibitz.errors import KibitzError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = measured.draw(folder)
    except OSError as error:
        raise KibitzError(f"The charts cannot be written to {folder}: {error.strerror}.") from None
    err.print(f"The charts are in {plain(', '.join(map(str, files)))}.", soft_wrap=True)
