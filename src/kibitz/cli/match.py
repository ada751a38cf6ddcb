"""`kibitz match`: many games, and what they say."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.terminal import (
    COMPILING,
    AgentNames,
    AsJson,
    GameName,
    Jobs,
    Players,
    Rules,
    Seed,
    chosen_rules,
    complain,
    out,
    patience,
    print_json,
    progress_bar,
    seated,
    workers,
)

if TYPE_CHECKING:
    from kibitz.arena.match import Match
    from kibitz.arena.statistics import Tally


def match(
    game: GameName,
    agents: AgentNames,
    players: Players = None,
    games: Annotated[int, typer.Option(min=1, help="How many deals are played.")] = 1000,
    seed: Seed = 0,
    jobs: Jobs = None,
    rule: Rules = None,
    json: AsJson = False,
    save: Annotated[
        Path | None,
        typer.Option(help="Keep every game: records in a .json or .jsonl file, a row each in a .csv file."),
    ] = None,
) -> None:
    """Play many games and measure: mean, interval, spread, perfect and lost games, games a second.

    One agent and --players is a table of its copies:

        kibitz match hanabi smart_cheater --players 4 --games 10000

    Several agents sit in the order named; the same seed gives the same deals to any of them:

        kibitz match hanabi simple_distrustful my_bot.py:MyBot erratic --seed 7

    A match that is killed while it saves goes on where it stopped when the same command is given again.
    """
    from kibitz.arena.match import Match, play
    from kibitz.arena.saved import Saved, wants_records
    from kibitz.arena.statistics import Tally
    from kibitz.core import registry

    which = registry.game(game)
    names = seated(which, agents, players)
    wanted = Match(game, names, games, seed, chosen_rules(rule), bool(save and wants_records(save)))
    with patience(COMPILING):
        ready = wanted.prepared()
    saved = Saved(save, ready) if save else None
    tally = Tally(which.best)
    if saved is not None and len(saved.results):
        tally.add(*which.scores(saved.results))
        complain(f"{saved.partial} already holds {tally.games} of these games; going on from there.")

    failure, before, seconds = "", tally.games, 0.0
    started = time.perf_counter()
    with progress_bar() as progress:
        task = progress.add_task(" · ".join(dict.fromkeys(names)), total=games, completed=tally.games)
        try:
            for batch in play(ready, workers(jobs), tally.games):
                seconds = time.perf_counter() - started
                tally.add(*which.scores(batch.results))
                if saved is not None:
                    saved.add(batch)
                progress.update(task, completed=tally.games)
                failure = batch.failure
        except KeyboardInterrupt:
            failure = f"Stopped after {tally.games} of {games} games."
    summary = summarised(ready, tally, (tally.games - before) / seconds if seconds else 0.0)
    if saved is not None and failure:
        saved.close()
    elif saved is not None:
        saved.finish(summary)

    if json:
        print_json(summary)
    elif tally.games:
        show(ready, tally, summary)
        if save and not failure:
            out.print(f"The games are in {save}.")
    if failure:
        kept = f" The {tally.games} games before it count." if tally.games else ""
        complain(f"{failure}{kept}")
        raise typer.Exit(1)


def summarised(match: "Match", tally: "Tally", games_per_second: float) -> dict[str, Any]:
    return {
        "game": match.game_name,
        "seats": list(match.seats),
        "rules": match.rules,
        "seed": match.seed,
        "games": tally.games,
        "mean": tally.mean,
        "stderr": tally.stderr,
        "interval": tally.interval,
        "std": tally.std,
        "perfect": tally.perfect,
        "lost": tally.lost,
        "histogram": tally.counts.tolist(),
        "games_per_second": games_per_second,
    }


def show(match: "Match", tally: "Tally", summary: dict[str, Any]) -> None:
    from kibitz.arena.statistics import bars

    alike = len(set(match.seats)) == 1
    who = f"{match.seats[0]} × {len(match.seats)}" if alike else " · ".join(match.seats)
    chosen = ", ".join(f"{name}={value}" for name, value in match.rules.items())
    out.print(f"[bold]{match.game.title}[/]: {who}", soft_wrap=True, markup=True)
    out.print(f"[dim]{tally.games:,} games of seed {match.seed}; {chosen}[/]")
    spread = f" ± {1.96 * tally.stderr:.3f}" if tally.stderr is not None else ""
    out.print(f"\n  mean score   [bold]{tally.mean:.3f}[/]{spread}  [dim](95 % interval)[/]")
    out.print(f"  deviation    {tally.std:.3f}")
    out.print(f"  perfect      {tally.perfect:,} [dim]({tally.perfect / tally.games:.1%})[/]")
    out.print(f"  lost         {tally.lost:,} [dim]({tally.lost / tally.games:.1%})[/]\n")
    for score, count, bar in bars(tally.counts):
        out.print(f"  {score:>3}  [cyan]{bar}[/] [dim]{count:,}[/]")
    out.print(f"\n  {summary['games_per_second']:,.0f} games a second")
