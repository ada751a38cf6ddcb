"""`kibitz reproduce`: replay a paper's table and compare the figures."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import Received, resumable, stopped_after
from kibitz.cli.terminal import (
    COMPILING,
    command_words,
    complain,
    counted,
    out,
    print_json,
    progress_bar,
    saved,
    writing,
)
from kibitz.errors import KibitzError

LEFT = ("table", "pairing", "begins", "verdict")
ON_SCREEN = 5  # columns that fit a terminal of 80 characters

if TYPE_CHECKING:
    from kibitz.arena import runs
    from kibitz.arena.experiment import Experiment, PairingRow, Run, TableRow


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Experiment, or the path of its file. Without it, list the experiments."),
    ] = None,
    games: Annotated[
        int | None,
        options.count(
            "Deals per row.",
            limits.MOST_REPRODUCED,
            "as the score of every deal of a row is held in memory",
            2,
            "from the experiment",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        options.option(
            "N",
            "Random seed: the same seed gives the same deals.",
            callback=limits.seed,
            show_default="from the experiment",
        ),
    ] = None,
    jobs: options.Jobs = None,
    bot_seconds: options.BotSeconds = options.BOT_SECONDS,
    json: options.AsJson = False,
    output: Annotated[
        Path | None, options.output("FILE", "Write the table as Markdown, with charts as SVG and PNG beside it.")
    ] = None,
    check: Annotated[
        bool, options.flag("--check", "Exit with status 1 if a row differs or a claim does not hold.")
    ] = False,
    cluster: options.ClusterAddress = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Replay a published table: their figures, ours, the difference with its 95 % interval, and a verdict per row.

        kibitz reproduce jarzabek-leja-2020

    A row agrees if the difference is within sampling error, or within the experiment's margin beyond that. Rows whose
    agents kibitz does not have are listed as missing.

    Claims in words are checked too. A claim holds if our whole 95 % interval satisfies it, does not hold if no part of
    the interval does, and is undecided otherwise: play more --games to decide it.

    To resume a run that was stopped or killed, run the same command again. Rows of agents that have changed since are
    replayed.
    """
    from kibitz.arena import experiment, report
    from kibitz.arena.runs import begin
    from kibitz.extras import need

    if name is None:
        found = {each: experiment.read(each).title for each in experiment.names()}
        if json:
            print_json(found)
        else:
            for each, title in found.items():
                out.print(f"[bold cyan]{each}[/]  {title}")
        return
    if output:
        need("charts")
    paper = experiment.read(name)
    games, seed = games or paper.games, paper.seed if seed is None else seed
    plan = experiment.Run(paper, games, seed, 1, bot_seconds)
    with begin("reproduce", plan.plan(), paper_name(name), name=run, restart=restart, command=command_words()) as kept:
        resumable(kept)
        with options.playing(jobs, cluster) as workers:
            rows = play(replace(plan, jobs=workers), kept, json)
        claims = experiment.claims(paper, rows)
        results = {
            "experiment": name, "games": games, "seed": seed,
            "rows": [row.as_json() for row in rows], "claims": [claim.as_json() for claim in claims],
        }  # fmt: skip
        if json:
            print_json(results)
        else:
            show(paper, rows, games, seed)
        if output:
            with writing("the table", output, Received.keeps):
                report.write_page(output, name, paper, rows, games, seed)
            saved("the table", output)
        kept.finish(results)
    if check and (any(row.differs for row in report.rows_of_scores(rows)) or any(claim.fails for claim in claims)):
        raise typer.Exit(1)


def paper_name(name: str) -> str:
    return name.removesuffix(".toml").rpartition("/")[2]


def play(plan: "Run", kept: "runs.Run", json: bool) -> list["TableRow | PairingRow"]:
    """Play all rows. If the command is stopped, show those that are finished."""
    paper, rows, reported = plan.experiment, list["TableRow | PairingRow"](), False
    with progress_bar(plan.jobs) as progress:
        task = progress.add_task(COMPILING, total=plan.games)

        def count(played: int) -> None:
            nonlocal reported
            progress.update(task, advance=played, description=f"row {len(rows) + 1} of {paper.length}")
            if matches.earlier_games and not reported:
                reported = True
                complain(
                    f"The run {kept.name} has games of an earlier command; resuming. Use --restart to start again."
                )

        ready = replace(plan, count=count).keeping(kept)
        assert ready.matches is not None
        matches = ready.matches
        try:
            for row in ready.played():
                rows.append(row)
        except KeyboardInterrupt as stopping:
            progress.stop()
            if rows and not json:
                show(paper, rows, plan.deals, plan.seed)
            raise stopped_after(f"{len(rows)} of {counted(paper.length, 'row')}", stopping) from None
        except KibitzError as error:
            raise KibitzError(f"{error}{Received.keeps}") from None
    matches.finish()
    return rows


def show(paper: "Experiment", rows: list["TableRow | PairingRow"], games: int, seed: int) -> None:
    from rich.table import Table

    from kibitz.arena import experiment, report

    claims = experiment.claims(paper, rows)
    out.print(f"[bold]{paper.title}[/]\n[dim]{paper.source}[/]")
    table = Table(box=None, padding=(0, 2, 0, 0))
    differing = [row for row in report.rows_of_scores(rows) if row.differs]
    for heading in report.headings(rows)[:ON_SCREEN]:
        table.add_column(heading, justify="left" if heading in LEFT else "right")
    for row in rows:
        style = "dim" if row.ours is None else "bold yellow" if row in differing else ""
        table.add_row(*report.cells(row)[:ON_SCREEN], style=style)
    out.print(table)
    for claim in claims:
        out.print(f"\n[bold{' yellow' if claim.fails else ''}]{claim.verdict}[/]: {claim.text}")
        for finding in claim.findings:
            out.print(f"  [dim]{finding.compares}[/]")
            out.print(f"    {report.whose(paper)} {finding.theirs}; ours {finding.ours or '—'}: {finding.verdict}")
    played = f"{report.their_games(paper)}Ours: {report.games_played(rows, games)}; seed {seed}."
    out.print(f"\n{report.summary(rows, claims)} {played}")
    for agent, note in paper.notes.items():
        out.print(f"[dim]{agent}: {' '.join(note.split())}[/]")
