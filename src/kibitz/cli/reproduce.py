"""`kibitz reproduce`: a paper's table played again, theirs beside ours."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.terminal import COMPILING, AsJson, Jobs, Seed, err, out, patience, print_json, workers

if TYPE_CHECKING:
    from kibitz.arena.experiment import Experiment, Row


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="An experiment, or the path of its file; lists them if left out."),
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="How many deals are played for each row.")] = 10_000,
    seed: Seed = 0,
    jobs: Jobs = None,
    json: AsJson = False,
    save: Annotated[Path | None, typer.Option(help="Write the table as Markdown.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 if a row differs.")] = False,
) -> None:
    """Play a published table again: theirs, ours, the difference with its 95 % interval, a verdict for each row.

        kibitz reproduce jarzabek-leja-2020

    A row agrees if the two means are no further apart than sampling error allows, and within the
    experiment's margin if it takes that as well. Rows whose agents do not exist here are listed as missing.
    """
    from kibitz.arena import experiment

    if name is None:
        found = {each: experiment.read(each).title for each in experiment.names()}
        if json:
            print_json(found)
        else:
            for each, title in found.items():
                out.print(f"[bold cyan]{each}[/]  {title}")
        return
    paper = experiment.read(name)
    rows = []
    with patience(COMPILING):
        playing = experiment.rows(paper, games, seed, workers(jobs))
        rows.append(next(playing))
    with err.status("") as status:
        for row in playing:
            rows.append(row)
            status.update(f"{len(rows)} of {len(paper.tables())} rows: {row.label}")
    if json:
        print_json({"experiment": name, "games": games, "seed": seed, "rows": [row.as_json() for row in rows]})
    else:
        show(paper, rows, games, seed)
    if save:
        save.write_text(as_markdown(name, paper, rows, games, seed))
        err.print(f"The table is in {save}.")
    if check and any(row.differs for row in rows):
        raise typer.Exit(1)


HEADINGS = ("table", "theirs", "ours", "difference, 95 %", "verdict", "deviation", "perfect in 1000")
ON_SCREEN = 5  # as many columns fit a terminal of 80


def cells(row: "Row") -> tuple[str, ...]:
    theirs = row.theirs
    their_perfect = "—" if theirs.perfect is None else f"{1000 * theirs.perfect / row.their_games:.0f}"
    if row.ours is None:
        return row.label, f"{theirs.mean:.2f}", "", "", row.verdict, f"{theirs.std:.2f}", their_perfect
    gap, half = row.difference
    return (
        row.label,
        f"{theirs.mean:.2f}",
        f"{row.ours.mean:.2f}",
        f"{gap:+.2f} ± {half:.2f}",
        row.verdict,
        f"{theirs.std:.2f} → {row.ours.std:.2f}",
        f"{their_perfect} → {1000 * row.ours.perfect / row.ours.games:.0f}",
    )


def summary(rows: list["Row"]) -> str:
    measured = [row for row in rows if row.ours is not None]
    differing = sum(row.differs for row in measured)
    missing = sorted({agent for row in rows for agent in row.missing})
    text = f"{len(measured) - differing} of {len(measured)} rows agree."
    if missing:
        text += f" {len(rows) - len(measured)} rows wait for agents that do not exist here yet: {', '.join(missing)}."
    return text


def show(paper: "Experiment", rows: list["Row"], games: int, seed: int) -> None:
    from rich.table import Table

    out.print(f"[bold]{paper.title}[/]\n[dim]{paper.source}[/]")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in HEADINGS[:ON_SCREEN]:
        table.add_column(heading, justify="left" if heading in ("table", "verdict") else "right")
    for row in rows:
        style = "dim" if row.ours is None else "bold yellow" if row.differs else ""
        table.add_row(*cells(row)[:ON_SCREEN], style=style)
    out.print(table)
    out.print(f"{summary(rows)} Theirs: {paper.their_games:,} games a row. Ours: {games:,} games of seed {seed}.")
    for agent, note in paper.notes.items():
        out.print(f"[dim]{agent}: {' '.join(note.split())}[/]")


def as_markdown(name: str, paper: "Experiment", rows: list["Row"], games: int, seed: int) -> str:
    lines = [
        f"# {paper.title}",
        "",
        f"{paper.source}.",
        "",
        f"Made by `kibitz reproduce {name} --games {games} --seed {seed} --save FILE`. Theirs: {paper.their_games:,} "
        f"games a row. Ours: {games:,}. {summary(rows)}",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---" * len(HEADINGS) + "|",
        *("| " + " | ".join(cells(row)) + " |" for row in rows),
    ]
    for agent, note in paper.notes.items():
        lines += ["", f"**{agent}**: {' '.join(note.split())}"]
    return "\n".join(lines) + "\n"
