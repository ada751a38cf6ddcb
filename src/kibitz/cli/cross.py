"""`kibitz cross`: every agent with every other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import Received, exit_code, keeps
from kibitz.cli.terminal import (
    BOT_SECONDS,
    COMPILING,
    AsJson,
    BotSeconds,
    Depth,
    GameName,
    Iterations,
    Jobs,
    Rules,
    Seed,
    ThinkMs,
    chosen_budget,
    chosen_rules,
    complain,
    counted,
    err,
    out,
    patience,
    plain,
    print_json,
    progress_bar,
    workers,
)

if TYPE_CHECKING:
    from rich.table import Table

    from kibitz.arena.cross import Cell, Cross
    from kibitz.arena.measure import MeasuredCross

CORNER = "one seat ↓ others →"
SIDES_CORNER = "one side ↓ the other →"  # in a game of partners
FILES = (".csv", ".svg", ".png")


def cross(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            help="At least two agents: names from `kibitz agents`, path/to/my_bot.py:MyBot, or path/to/my_list.toml.",
        ),
    ],
    players: Annotated[
        int | None, typer.Option(min=1, show_default="fewest for the game", help="Number of players.")
    ] = None,
    games: Annotated[
        int,
        limits.games_option(
            limits.MOST_DEALS,
            "as the result of every deal of a cell is held in memory",
            "Deals per cell and seat.",
        ),
    ] = 1000,
    seed: Seed = 0,
    jobs: Jobs = None,
    rule: Rules = None,
    think_ms: ThinkMs = None,
    iterations: Iterations = None,
    depth: Depth = None,
    bot_seconds: BotSeconds = BOT_SECONDS,
    json: AsJson = False,
    save: Annotated[
        str | None,
        typer.Option(
            callback=limits.some_path,
            metavar="PLACE",
            help="Save the table as CSV, and a heat map as SVG and PNG, in this folder or with this prefix.",
        ),
    ] = None,
) -> None:
    """Play every agent with or against every other, and print the table of means with 95 % intervals.

        kibitz cross hanabi internal outer iggi piers --players 4

    The agent of the row sits in one seat among copies of the agent of the column; every deal is played once for each
    seat it can take, and all cells play the same deals. In a game of partners it is all of one side. Where players
    score together the cells are mean scores, and on the diagonal an agent plays with its copies.

        kibitz cross loveletter random greedy minimax counting

    Where somebody wins, the cells are shares of the games, a draw divided, and every agent gets a rating: the strength
    by Bradley and Terry that explains all the shares best, in Elo points (400 are odds of ten to one), their mean at 0.

        kibitz cross hanabi piers iggi my_bot.py:MyBot --players 3 --save results/

    writes cross-hanabi-3.csv, .svg and .png in results. Cells are kept as they are played: if it is killed, the same
    command goes on where it stopped.
    """
    from kibitz.arena.cross import CrossPlan
    from kibitz.arena.measure import MeasuredCross
    from kibitz.core import registry
    from kibitz.errors import KibitzError

    with patience(COMPILING):
        which, budget = registry.game(game), chosen_budget(think_ms, iterations, depth)
        count = players or which.players[0]
        plan = CrossPlan(game, tuple(agents), count, games, seed, chosen_rules(rule), budget, bot_seconds).prepared()
    measured = MeasuredCross(plan, place(save, f"cross-{game}-{count}") if save else None)
    if measured.saved is not None:
        partial = measured.saved.checkpoint.path
        keeps(f"{partial} keeps the cells; run the same command to resume.")
        if measured.before:
            complain(f"{partial} has {counted(len(measured.before), 'cell')} of this table; resuming.")

    stopped: KeyboardInterrupt | None = None
    try:
        play(measured, workers(jobs))
    except KeyboardInterrupt as stopping:
        stopped = stopping
    except KibitzError as error:
        raise KibitzError(f"{error}{Received.keeps}") from None
    if stopped is None:
        files = finished(measured)
        if files:
            err.print(f"The table is in {plain(', '.join(map(str, files)))}.", soft_wrap=True)
    table = measured.cross
    if json and not (stopped and table.missing):
        print_json(table.as_json())
    elif not json and table.cells:
        show(table)
    if stopped is not None:
        cells = len(plan.pairs())
        complain(f"Stopped after {cells - len(table.missing)} of {cells} cells.{Received.keeps}")
        raise typer.Exit(exit_code(stopped))


def play(measured: "MeasuredCross", jobs: int) -> None:
    """Play what is missing, with a progress bar."""
    with progress_bar() as progress:
        before = sum(cell.games for cell in measured.before)
        task = progress.add_task("", total=measured.games, completed=before)

        def count(games: int) -> None:
            progress.advance(task, games)

        for cell in measured.play(jobs, count):
            progress.update(task, description=plain(f"{cell.row} · {cell.column}"))


def finished(measured: "MeasuredCross") -> list[Path]:
    from kibitz.errors import KibitzError

    try:
        return measured.finish()
    except OSError as error:
        raise KibitzError(f"Cannot write the heat map to {measured.prefix}: {error.strerror}.") from None


def place(save: str, name: str) -> Path:
    """How the files begin: in a folder they get a name, else they have one."""
    path = Path(save)
    if path.is_dir() or save.endswith("/"):
        return path / name
    return path.with_suffix("") if path.suffix in FILES else path


WITH_ERROR, MEAN_ONLY = 15, 6  # the width of a cell like 16.97 ± 0.08, and like 17.0


def blocks(table: "Cross", width: int) -> "list[Table]":
    """The matrix with its intervals, or where that is too wide the means alone, in as many blocks as it takes."""
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
    return f"{unit * cell.mean:.{digits}f} ± {unit * cell.estimate.half_width:.{digits}f}"


def show(table: "Cross") -> None:
    plan = table.plan
    wins = plan.game.competitive
    chosen = ", ".join(f"{name}={value}" for name, value in plan.rules.items())
    terms = f"; {chosen}" if chosen else ""
    shown = "shares of the games in %" if wins else "mean scores"
    by = "side" if plan.game.sides else "seat"
    out.print(f"[bold]{plan.game.title}[/], {plan.players} players: {shown}")
    out.print(f"[dim]{plan.deals:,} deals of seed {plan.seed} for each cell and {by}{terms}[/]\n", soft_wrap=True)
    for block in blocks(table, out.width):
        out.print(block)
        out.print()
    widest = max(cell.estimate.half_width for cell in table.played())
    if wins:
        from kibitz.arena.charts import percent

        fair = percent(plan.fair_share)
        out.print(f"[dim]The fair share is {fair}. 95 % intervals of the shares: ± {100 * widest:.1f} or less.[/]\n")
        if not table.missing:
            show_ratings(table)
    else:
        out.print(f"[dim]Diagonal: with its own copies. 95 % intervals of the means: ± {widest:.2f} or less.[/]")


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
