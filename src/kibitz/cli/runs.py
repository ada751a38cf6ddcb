"""`kibitz runs` and `kibitz run`: list, show, resume, report and delete runs."""

import datetime
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import help, options
from kibitz.cli.interrupt import stoppable
from kibitz.cli.terminal import counted, note, out, plain, print_json, saved
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.runs import Run

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a run (`kibitz runs` lists them), or its folder.")]

app = typer.Typer(
    cls=help.Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="""Show, resume, report or delete a run.

        kibitz run show match-hanabi-piers-3

    Every match, duel, cross table, tuning, training and evolution is kept as a run: a folder with its plan, what was
    played as Parquet files, and its results. `kibitz runs` lists them.""",
)


def runs(json: options.AsJson = False) -> None:
    """List all runs, the newest first.

        kibitz runs

        kibitz run resume match-hanabi-piers-3

    Runs are folders below the one that the environment variable KIBITZ_RUNS names, by default in the folder for data of
    your account.
    """
    from rich.table import Table

    from kibitz.arena.runs import kept, runs_folder

    found = kept()
    if json:
        print_json([described(run) for run in found])
        return
    if not found:
        out.print(f"There are no runs in {plain(str(runs_folder()))} yet.", soft_wrap=True)
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("run", style="cyan", overflow="fold")
    for heading in ("state", "begun"):
        table.add_column(heading, no_wrap=heading == "begun")
    for run in found:
        table.add_row(plain(run.name), state_text(run), date_text(run.begun))
    out.print(table)
    out.print(f"[dim]{counted(len(found), 'run')} in {plain(str(runs_folder()))}[/]", soft_wrap=True)


def described(run: "Run") -> dict[str, Any]:
    """A run as `--json` prints it."""
    plan = run.plan
    return {
        "name": run.name, "command": run.what, "game": plan.get("game_name") or plan.get("game"),
        "agents": plan.get("agents") or plan.get("seats") or [], "seed": plan.get("seed"), "state": run.state,
        "progress": run.progress, "begun": datetime.datetime.fromtimestamp(run.begun, datetime.UTC).isoformat(),
        "words": list(run.command), "folder": str(run.folder),
    }  # fmt: skip


def state_text(run: "Run") -> str:
    state, progress = run.state, run.progress
    if state == "finished" or not progress:
        return state
    return f"{state} after {progress['done']:,} of {progress['total']:,} {progress['unit']}"


def date_text(seconds: float) -> str:
    return f"{datetime.datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"


@app.command(cls=help.Command)
@stoppable
def show(name: Name, json: options.AsJson = False) -> None:
    """Show a run: what is played, how far it is, and its results.

    kibitz run show match-hanabi-piers-3
    """
    from kibitz.arena.runs import opened

    run = opened(name)
    results = run.summary if run.finished else None
    if json:
        print_json({**described(run), "plan": run.plan, "results": results})
        return
    out.print(f"[bold]{plain(run.name)}[/]: {state_text(run)}", soft_wrap=True)
    if run.command:
        import shlex

        out.print(f"[dim]kibitz {plain(shlex.join(run.command))}[/]", soft_wrap=True)
    out.print(f"[dim]begun {date_text(run.begun)}, in {plain(str(run.folder))}[/]\n", soft_wrap=True)
    for title, values in (("plan", run.plan), ("results", results or {})):
        for key, value in values.items():
            if value not in (None, [], {}, "") and key != "code":
                out.print(f"  [cyan]{plain(key)}[/]  {plain(value_text(value))}", soft_wrap=True)
        if title == "plan":
            out.print()
    if not run.finished and run.command and not run.running:
        out.print(f"Resume it: {run.resuming}")


def value_text(value: Any) -> str:
    from kibitz.arena.runs.folder import short

    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list) and len(value) > 12:
        return f"{counted(len(value), 'value')}; --json prints them"
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        return f"{counted(len(value), 'entry', 'entries')}; --json prints them"
    if isinstance(value, list):
        return ", ".join(map(value_text, value))
    return short(value)


@app.command(cls=help.Command, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def resume(context: typer.Context, name: Name) -> None:
    """Resume a run with the command that began it.

        kibitz run resume match-hanabi-piers-3

        kibitz run resume match-hanabi-piers-3 --jobs 2

    Further options are added to the command; those that change what is played are refused.
    """
    from kibitz.arena.runs import opened
    from kibitz.arena.runs.folder import command_of

    run = opened(name)
    if run.finished:
        raise KibitzError(f"The run {run.name} is finished: `kibitz run show {run.argument}` shows it.")
    words, folder = command_of(run.place)
    if not words:
        raise KibitzError(
            f"The run {run.name} was not begun by a command. Resume it where it was begun: on the page, or by the same "
            f"program."
        )
    place = str(run.place.absolute())
    try:
        os.chdir(folder)
    except OSError as error:
        raise KibitzError(
            f"The run was begun in {folder}, which is not there now ({error.strerror}). Type its command in another "
            f"folder that has its files: {' '.join(['kibitz', *words, '--run', place])}"
        ) from None
    from kibitz.cli.app import app as whole

    words = [*words, *context.args, "--run", place]
    sys.argv = ["kibitz", *words]
    if code := whole(words, standalone_mode=False):
        raise typer.Exit(int(code))


@app.command(cls=help.Command)
@stoppable
def report(
    name: Name,
    output: Annotated[
        Path | None, options.output("FILE", "File of the report.", show_default="report.html in the run's folder")
    ] = None,
) -> None:
    """Write a report of a finished run: one HTML page with its tables and charts.

    kibitz run report match-hanabi-piers-3 --output piers.html
    """
    from kibitz.arena.run_report import written
    from kibitz.arena.runs import opened

    run = opened(name)
    if not run.finished:
        raise KibitzError(f"The run {run.name} is not finished. Resume it first: {run.resuming}")
    saved("the report", written(run, output or run.place / "report.html"))


@app.command(cls=help.Command)
@stoppable
def delete(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of runs, or their folders.")],
) -> None:
    """Delete runs with all that they keep.

    kibitz run delete match-hanabi-piers-3
    """
    from kibitz.arena.runs import opened

    found = [opened(name) for name in names]  # an unknown one is refused before any is deleted
    for run in found:
        run.delete()
        note(f"Deleted {run.name}.")
