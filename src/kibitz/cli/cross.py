"""`kibitz cross`: every agent with every other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import Received, resumable, stopped_after
from kibitz.cli.terminal import (
    command_words,
    compiling,
    counted,
    note,
    note_missing_charts,
    out,
    plain,
    print_json,
    progress_bar,
    saved,
    writing,
)
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from rich.table import Table

    from kibitz.arena.cross import Cell, Cross
    from kibitz.arena.executors import Executor
    from kibitz.arena.measured_cross import MeasuredCross

CORNER = "one seat ↓ others →"
SIDES_CORNER = "one side ↓ the other →"  # in a game of partners
FILES = (".csv", ".svg", ".png")


def cross(
    game: options.GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            help="At least two agents: names from `kibitz agents`, path/to/my_bot.py:MyBot, or path/to/my_list.toml.",
        ),
    ],
    players: options.Players = None,
    games: Annotated[
        int,
        options.count(
            "Deals per cell and seat.", limits.MOST_DEALS, "as the result of every deal of a cell is held in memory"
        ),
    ] = 1000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    rule: options.Rules = None,
    think_ms: options.ThinkMs = None,
    iterations: options.Iterations = None,
    depth: options.Depth = None,
    bot_seconds: options.BotSeconds = options.BOT_SECONDS,
    json: options.AsJson = False,
    output: Annotated[
        str | None,
        options.option(
            "PLACE",
            "Save the table as CSV, and a heat map as SVG and PNG, in this folder or with this prefix.",
            "--output",
            "-o",
            callback=limits.some_path,
        ),
    ] = None,
    cluster: options.ClusterAddress = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Play every agent with or against every other, and print the table of means with 95 % intervals.

        kibitz cross hanabi internal outer iggi piers --players 4

    The agent of the row sits in one seat among copies of the agent of the column; every deal is played once for each
    seat it can take, and all cells play the same deals. In a game of partners it plays one whole side. In cooperative
    games the cells are mean scores, and on the diagonal an agent plays with its copies.

        kibitz cross loveletter random greedy minimax counting

    In competitive games the cells are shares of the games (draws are split), and every agent gets a rating: the
    Bradley-Terry strength that fits all the shares best, in Elo points (400 are odds of ten to one) with mean 0.

        kibitz cross hanabi piers iggi my_bot.py:MyBot --players 3 --output results/

    writes cross-hanabi-3.csv, .svg and .png in results. Every table is kept as a run (see `kibitz runs`): to resume a
    stopped one, run the same command again. A table with more agents plays only the missing cells, if a finished one
    has the others for the same deals, rules and versions of the agents; --restart plays them all.
    """
    from kibitz.arena.cross import CrossPlan
    from kibitz.arena.measured_cross import MeasuredCross, begin_cross
    from kibitz.core import registry

    which, budget = registry.game(game), options.chosen_budget(think_ms, iterations, depth)
    number, rules = players or which.players[0], options.chosen_rules(rule)
    prefix = place(output, f"cross-{game}-{number}") if output else None
    with compiling():
        plan = CrossPlan(game, tuple(agents), number, games, seed, rules, budget, bot_seconds).prepared()
        kept = begin_cross(plan, name=run, restart=restart, command=command_words())
    with kept, options.playing(jobs, cluster) as workers:
        measured = MeasuredCross(plan, kept, shares=not restart)
        own = len(measured.before) - len(measured.shared)
        resumable(kept, f"{counted(own, 'cell')} of this table" if measured.sums else "")
        if measured.shared:
            note(f"{counted(len(measured.shared), 'cell')} taken from finished tables of the same deals and agents.")
        run_cross(measured, workers, prefix, json)


def run_cross(measured: "MeasuredCross", jobs: "int | Executor", prefix: Path | None, json: bool) -> None:
    """Play the missing cells, and report the table."""
    stopped: KeyboardInterrupt | None = None
    try:
        play(measured, jobs)
    except KeyboardInterrupt as stopping:
        stopped = stopping
        measured.pause()
    except KibitzError as error:
        measured.pause()
        raise KibitzError(f"{error}{Received.keeps}") from None
    table = measured.cross
    if stopped is None:
        measured.finish()
        if prefix is not None:
            save(table, prefix)
    if json and not (stopped and table.missing):
        print_json(table.as_json())
    elif not json and table.cells:
        show(table)
    if stopped is not None:
        cells = len(table.plan.pairs())
        raise stopped_after(f"{cells - len(table.missing)} of {cells} cells", stopped)


def save(table: "Cross", prefix: Path) -> None:
    """Write the table, and draw it if charts can be drawn."""
    from kibitz.arena import charts
    from kibitz.arena.cross import write_csv
    from kibitz.core.whole_files import whole_file
    from kibitz.extras import has

    file = prefix.with_name(prefix.name + ".csv")
    with writing("the table", str(prefix), Received.keeps):
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as draft:
            write_csv(table, draft)
        saved("the table", file, *(charts.save(charts.heat_map(table), prefix) if has("charts") else ()))
        note_missing_charts()


def play(measured: "MeasuredCross", jobs: "int | Executor") -> None:
    """Play what is missing, with a progress bar."""
    with progress_bar(jobs) as progress:
        task = progress.add_task("", total=measured.games, completed=measured.games_before)

        def count(games: int) -> None:
            progress.advance(task, games)

        for cell in measured.play(jobs, count):
            progress.update(task, description=plain(f"{cell.row} · {cell.column}"))


def place(save: str, name: str) -> Path:
    """The prefix of the files: in a folder they get the usual name."""
    path = Path(save)
    if path.is_dir() or save.endswith("/"):
        return path / name
    return path.with_suffix("") if path.suffix in FILES else path


WITH_ERROR, MEAN_ONLY = 15, 6  # the width of a cell like 16.97 ± 0.08, and like 17.0


def blocks(table: "Cross", width: int) -> "list[Table]":
    """The matrix with its intervals; if that is too wide, blocks of columns with the means alone."""
    from rich.table import Table

    from kibitz.arena.charts import short_names

    labels = [f"{number} {plain(label)}" for number, label in enumerate(short_names(table.plan.agents), start=1)]
    corner = SIDES_CORNER if table.plan.game.sides else CORNER
    room = width - max(len(label) for label in [corner, *labels]) - 2
    headings = [max(WITH_ERROR, len(label) + 2) for label in labels]
    whole = sum(headings) <= room
    columns = len(labels) if whole else max(1, room // MEAN_ONLY)
    grids = []
    for first in range(0, len(labels), columns):
        grid = Table(box=None, padding=(0, 2, 0, 0))
        grid.add_column(corner, style="cyan", no_wrap=True)
        shown = range(first, min(first + columns, len(labels)))
        for column in shown:
            grid.add_column(labels[column] if whole else str(column + 1), justify="right", no_wrap=True)
        for row, cells in enumerate(table.rows()):
            texts = []
            for column in shown:
                text = figure(cells[column], table.plan.game.competitive, whole)
                texts.append(f"[bold]{text}[/]" if row == column else text)
            grid.add_row(labels[row], *texts)
        grids.append(grid)
    return grids


def figure(cell: "Cell | None", wins: bool, with_error: bool) -> str:
    """A mean score, or a share in hundredths."""
    if cell is None:
        return "—"
    unit, digits = (100, 1) if wins else (1, 2)
    if not with_error:
        return f"{unit * cell.mean:.1f}"
    error = f" ± {unit * cell.error:.{digits}f}" if cell.interval else ""
    return f"{unit * cell.mean:.{digits}f}{error}"


def show(table: "Cross") -> None:
    plan = table.plan
    wins = plan.game.competitive
    terms = f"; {options.rules_text(plan.rules)}" if plan.rules else ""
    shown = "shares of the games in %" if wins else "mean scores"
    by = "side" if plan.game.sides else "seat"
    out.print(f"[bold]{plan.game.title}[/], {plan.players} players: {shown}")
    out.print(f"[dim]{plan.deals:,} deals of seed {plan.seed} for each cell and {by}{terms}[/]\n", soft_wrap=True)
    for block in blocks(table, out.width):
        out.print(block)
        out.print()
    widest = max(cell.error for cell in table.played())
    if wins:
        from kibitz.arena.charts import percent

        fair = percent(plan.fair_share)
        out.print(f"[dim]The fair share is {fair}. 95 % intervals of the shares: ± {100 * widest:.1f} or less.[/]\n")
        if not table.missing:
            show_ratings(table)
    else:
        out.print(f"[dim]Diagonal: with its own copies. 95 % intervals of the means: ± {widest:.2f} or less.[/]")
        if not table.missing and len(plan.agents) > 2:
            show_partners(table)


def show_partners(table: "Cross") -> None:
    from rich.table import Table

    from kibitz.arena.partners import UNDERSTOOD, partnerships

    grid = Table(box=None, padding=(0, 2, 0, 0))
    grid.add_column("with the others", style="cyan", no_wrap=True)
    grid.add_column("mean", justify="right", no_wrap=True)
    for heading in ("best partner", "worst partner"):
        grid.add_column(heading, no_wrap=True)
    grid.add_column("group", justify="right")
    for each in partnerships(table):
        names = (plain(each.best), plain(each.worst))
        grid.add_row(plain(each.agent), f"{each.estimate:.2f}", *names, str(each.group))
    out.print()
    out.print(grid)
    lost = UNDERSTOOD * table.plan.game.best
    out.print(
        f"[dim]Tables of agents of one group lose at most {lost:g} points on average against self-play.[/]",
        soft_wrap=True,
    )


def show_ratings(table: "Cross") -> None:
    from rich.table import Table

    from kibitz.arena.ratings import rating_text, ratings

    grid = Table(box=None, padding=(0, 2, 0, 0))
    grid.add_column("rating", style="cyan", no_wrap=True)
    grid.add_column("Elo points", justify="right", no_wrap=True)
    for rating in ratings(table):
        grid.add_row(plain(rating.agent), rating_text(rating))
    out.print(grid)
    out.print("[dim]400 points are odds of ten to one; the mean is 0; ± is half of a 95 % interval.[/]")
