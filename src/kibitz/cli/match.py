"""`kibitz match`: many games, and what they say."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kibitz.cli.terminal import (
    COMPILING,
    AgentNames,
    AsJson,
    GameName,
    Iterations,
    Jobs,
    Players,
    Rules,
    Seed,
    ThinkMs,
    Unit,
    chosen_budget,
    chosen_rules,
    complain,
    err,
    out,
    patience,
    print_json,
    progress_bar,
    seated,
    workers,
)

if TYPE_CHECKING:
    from kibitz.arena.match import Match
    from kibitz.cli.scores import Scores
    from kibitz.cli.wins import Wins


def match(
    game: GameName,
    agents: AgentNames,
    players: Players = None,
    games: Annotated[int, typer.Option(min=1, help="How many deals are played.")] = 1000,
    seed: Seed = 0,
    jobs: Jobs = None,
    rule: Rules = None,
    unit: Unit = None,
    first: Annotated[
        Literal["fixed", "alternate", "winner"],
        typer.Option(
            help="Who begins a game that somebody wins: the seat named first, the seats in turn, or the winner of the "
            "game before (at first, and after a draw, who began last). For the winner's sake some deals are played "
            "more than once, and only the games that follow from one another count."
        ),
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
    json: AsJson = False,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Keep every game: records in a .json or .jsonl file, rows of results in a .csv or .parquet file."
        ),
    ] = None,
    charts: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Draw what was measured, as SVG and PNG in this folder.")
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

    A match that is killed while it saves goes on where it stopped when the same command is given again.
    """
    from kibitz.arena.match import Match, play
    from kibitz.arena.saved import Saved, wants_records
    from kibitz.core import registry

    which = registry.game(game)
    names = seated(which, agents, players)
    wanted = Match(
        game, names, games, seed, chosen_rules(rule, which, unit), bool(save and wants_records(save)),
        first, mirror, chosen_budget(think_ms, iterations),
    )  # fmt: skip
    with patience(COMPILING):
        ready = wanted.prepared()
        measured, begins = measure_of(ready), 0
    saved = Saved(save, ready) if save else None
    if saved is not None and len(saved.results):
        rotations, begins = ready.begun(saved.results)
        measured.add(saved.results, rotations)
        complain(f"{saved.partial.path} already holds {measured.games} of these games; going on from there.")

    failure, before, seconds = "", measured.games, 0.0
    started = time.perf_counter()
    with progress_bar() as progress:
        task = progress.add_task(" · ".join(dict.fromkeys(names)), total=ready.games, completed=before)
        try:
            for batch in play(ready, workers(jobs), before, begins):
                seconds = time.perf_counter() - started
                measured.add(batch.results, batch.rotations)
                if saved is not None:
                    saved.add(batch)
                progress.update(task, completed=measured.games)
                failure = batch.failure
        except KeyboardInterrupt:
            failure = f"Stopped after {measured.games} of {ready.games} games."
    speed = (measured.games - before) / seconds if seconds else 0.0
    if saved is not None and not failure:
        saved.finish(measured.summary(speed))
    if charts and measured.games:
        draw(measured, charts)
    if json:
        print_json(measured.summary(speed))
    elif measured.games:
        measured.show(speed)
        if save and not failure:
            out.print(f"The games are in {save}.")
    if failure:
        kept = f" The {measured.games} games before it count." if measured.games else ""
        complain(f"{failure}{kept}")
        raise typer.Exit(1)


def measure_of(match: "Match") -> "Scores | Wins":
    import numpy as np

    from kibitz.cli.scores import Scores
    from kibitz.cli.wins import Wins

    measure: Scores | Wins = Wins(match) if match.game.competitive else Scores(match)
    measure.add(np.zeros((0, match.game.width), np.int64), np.zeros(0, np.int64))  # what it takes is compiled now
    return measure


def draw(measured: "Scores | Wins", folder: Path) -> None:
    from kibitz.core.errors import KibitzError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = measured.draw(folder)
    except OSError as error:
        raise KibitzError(f"The charts cannot be written to {folder}: {error.strerror}.") from None
    err.print(f"The charts are in {', '.join(map(str, files))}.", soft_wrap=True)
