"""`kibitz match`: play many games and print statistics."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import Received, resumable, stopped_after
from kibitz.cli.terminal import (
    command_words,
    compiling,
    complain,
    out,
    plain,
    print_json,
    progress_bar,
    saved,
    writing,
)
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor
    from kibitz.arena.measure import MeasuredMatch

USUAL_GAMES, MOST_UNTIL = 1000, 1_000_000


def match(
    game: options.GameName,
    agents: options.AgentNames,
    players: options.Copies = None,
    games: Annotated[
        int | None,
        options.count(
            "Number of deals; with --until, the most.",
            limits.MOST_GAMES,
            "which takes days at best",
            default="1000; with --until, 1000000",
        ),
    ] = None,
    until: Annotated[
        float | None,
        options.option(
            "WIDTH", "Play until the mean score, or every agent's share of the games (0 to 1), is known to ± WIDTH."
        ),
    ] = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    rule: options.Rules = None,
    start: options.Start = None,
    first: Annotated[
        Literal["fixed", "alternate"],
        options.option(
            "fixed|alternate",
            "First to move in competitive games: always the seat named first, or each seat alternately.",
        ),
    ] = "fixed",
    mirror: Annotated[
        bool, options.flag("--mirror", "Play every deal once per starting seat, to reduce luck; all these games count.")
    ] = False,
    think_ms: options.ThinkMs = None,
    iterations: options.Iterations = None,
    depth: options.Depth = None,
    bot_seconds: options.BotSeconds = options.BOT_SECONDS,
    json: options.AsJson = False,
    output: Annotated[
        Path | None, options.output("FILE", "Save every game: records as .json or .jsonl, results as .csv or .parquet.")
    ] = None,
    charts: Annotated[
        Path | None, options.file("FOLDER", "Draw charts of the results in this folder, as SVG and PNG.")
    ] = None,
    cluster: options.ClusterAddress = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Play many games and print statistics.

    Cooperative games: mean score with its interval, spread, perfect and lost games. One agent with --players plays with
    its copies; several agents sit in the order named. The same seed gives the same deals to all of them:

        kibitz match hanabi smart_cheater --players 4 --games 10000

        kibitz match hanabi simple_distrustful my_bot.py:MyBot erratic --seed 7

    Competitive games: wins and draws with intervals, by starting seat and by last turn. Figures belong to the agents as
    named, wherever they sit. --mirror gives the fairest comparison:

        kibitz match loveletter greedy random --games 10000 --mirror

    With --start, every game begins from one position; with --mirror, each agent plays every side of it:

        kibitz match kriegspiel believer random --games 20 --mirror --start "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

    With --until, the match ends as soon as its 95 % interval is narrow enough. The interval is valid although it is
    looked at again and again:

        kibitz match hanabi piers --players 4 --until 0.05

    Ctrl-C stops the match and prints the results so far. Every match is kept as a run (see `kibitz runs`): to resume
    it, run the same command again.
    """
    from kibitz.arena.match import Match
    from kibitz.arena.measure import MeasuredMatch, begin_match
    from kibitz.arena.saved_match import keeps
    from kibitz.core import registry
    from kibitz.extras import need

    if charts:
        need("charts")
    if until is not None and not (math.isfinite(until) and until > 0):
        raise KibitzError(f"--until is {until:g}, but must be a width above 0, such as 0.05.")
    games = games or (MOST_UNTIL if until is not None else USUAL_GAMES)
    if output and games > limits.MOST_SAVED:
        raise KibitzError(
            f"One file holds at most {limits.MOST_SAVED:,} games. Save fewer, or measure without --output."
        )
    which, keep = registry.game(game), keeps(output)
    names, rules = options.named_seats(which, agents, players), options.chosen_rules(rule)
    options.chosen_start(which, start, len(names), which.check_rules(rules))
    wanted = Match(
        game, names, games, seed, rules, keep == "records", first, mirror,
        options.chosen_budget(think_ms, iterations, depth), bot_seconds, start=start,
    )  # fmt: skip
    with compiling():
        ready = wanted.prepared()
        kept = begin_match(ready, keep, until, name=run, restart=restart, command=command_words())
    with kept, options.playing(jobs, cluster) as workers:
        measured = MeasuredMatch(ready, kept, keep, until=until)
        resumable(kept, f"{measured.before:,} of these games" if measured.before else "")
        play(measured, workers, output, charts, json)


def play(
    measured: "MeasuredMatch", jobs: "int | Executor", output: Path | None, charts: Path | None, json: bool
) -> None:
    """Play the missing games, and report the results."""
    from kibitz.arena.saved_match import write_games

    ready = measured.match
    stopped: KeyboardInterrupt | None = None
    with progress_bar(jobs) as progress:
        label = plain(" · ".join(dict.fromkeys(ready.seats)))
        task = progress.add_task(label, total=measured.expected_games, completed=measured.before)
        try:
            for _ in measured.play(jobs):
                progress.update(task, completed=measured.games, total=measured.expected_games)
        except KeyboardInterrupt as stopping:
            stopped = stopping
            measured.pause()
        except KibitzError as error:
            measured.pause()
            raise KibitzError(f"{error}{Received.keeps}") from None
    if stopped is None:
        measured.finish()
        if output and not measured.failure:
            write_games(measured, output)
        if charts and measured.games:
            with writing("the charts", charts):
                charts.mkdir(parents=True, exist_ok=True)
                saved("the charts", *measured.draw(charts))
    show(measured, json)
    if stopped is not None:
        of = f" of {ready.games:,}" if measured.until is None else ""
        raise stopped_after(f"{measured.games:,}{of} games", stopped)
    if measured.failure:
        kept = f" The {measured.games:,} games before it count." if measured.games else ""
        complain(f"{measured.failure}{kept}{Received.keeps}")
        raise typer.Exit(1)
    if output and not json:
        out.print(f"Saved the games to {plain(str(output))}.", soft_wrap=True)


def show(measured: "MeasuredMatch", json: bool) -> None:
    """Print the results."""
    from kibitz.arena.measure import MatchScores
    from kibitz.cli import match_scores, wins

    measure, speed = measured.measure, measured.games_per_second
    if json:
        print_json({**measured.as_json(), "games_per_second": speed})
    elif not measured.games:
        return
    elif isinstance(measure, MatchScores):
        match_scores.show(measure, speed)
    else:
        wins.show(measure, speed)
    if measured.until is not None and not json and measured.games:
        known, wanted = measured.half_width, measured.until
        reached = "" if known <= wanted else f": more than the {wanted:g} asked for. Allow more --games"
        out.print(f"\n  Known to ± {known:.3g} (95 %, valid at any time){reached}.")
