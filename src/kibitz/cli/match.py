"""`kibitz match`: play many games and print statistics."""

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
        limits.games_option(limits.MOST_GAMES, "which takes days at best", "Number of deals."),
    ] = 1000,
    seed: Seed = 0,
    jobs: Jobs = None,
    rule: Rules = None,
    start: Start = None,
    first: Annotated[
        Literal["fixed", "alternate"],
        typer.Option(help="Who begins in competitive games: always the seat named first, or each seat alternately."),
    ] = "fixed",
    mirror: Annotated[
        bool,
        typer.Option(
            "--mirror",
            help="Play every deal once per starting seat, to reduce the luck of the deal; all these games count.",
        ),
    ] = False,
    think_ms: ThinkMs = None,
    iterations: Iterations = None,
    depth: Depth = None,
    bot_seconds: BotSeconds = BOT_SECONDS,
    json: AsJson = False,
    save: Annotated[
        Path | None,
        limits.path_option("FILE", "Save every game: records as .json or .jsonl, results as .csv or .parquet."),
    ] = None,
    charts: Annotated[
        Path | None,
        limits.path_option("FOLDER", "Draw charts of the results in this folder, as SVG and PNG."),
    ] = None,
) -> None:
    """Play many games and print statistics.

    Cooperative games: mean score with its interval, spread, perfect and lost games. One agent with --players plays with
    its copies; several agents sit in the order named. The same seed gives the same deals to all of them:

        kibitz match hanabi smart_cheater --players 4 --games 10000

        kibitz match hanabi simple_distrustful my_bot.py:MyBot erratic --seed 7

    Competitive games: wins and draws with intervals, by who begins and by the last turn, and what else the game counts.
    Figures belong to the agents as named, wherever they sit. --mirror gives the fairest comparison.

        kibitz match loveletter greedy random --games 10000 --mirror

    With --start, every game begins from one position; with --mirror, each agent plays every side of it:

        kibitz match kriegspiel believer random --games 20 --mirror --start "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

    Ctrl-C stops the match and prints the results so far. To resume a match with --save, run the same command again.
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
        keeps(f"{partial} keeps the games; run the same command to resume.")
        if measured.before:
            complain(f"{partial} has {measured.before} of these games; resuming.")

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
        out.print(f"Saved the games to {plain(str(save))}.", soft_wrap=True)


def show(measured: "MeasuredMatch", json: bool) -> None:
    """Print the results."""
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
        raise KibitzError(f"Cannot write the charts to {folder}: {error.strerror}.") from None
    err.print(f"Saved the charts: {plain(', '.join(map(str, files)))}.", soft_wrap=True)
