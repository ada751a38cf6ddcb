"""`kibitz elites`: the map of agents of many behaviours, to look at, to take agents from, and to make."""

import datetime
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import keeps, stoppable
from kibitz.cli.terminal import (
    COMPILING,
    AsJson,
    Jobs,
    Seed,
    complain,
    err,
    out,
    patience,
    plain,
    print_json,
    progress_bar,
    workers,
)

if TYPE_CHECKING:
    from rich.text import Text

    from kibitz.core.elites import Archive, Elite
    from kibitz.core.game import Game
    from kibitz.learn.map_elites import MapMaker

app = typer.Typer(
    invoke_without_command=True,
    no_args_is_help=False,
    rich_markup_mode="rich",
    help="""Look at the map of elites: for every way to behave the best agent that was bred.

        kibitz elites

    draws it, with the mean score of every elite with all the others.

        kibitz elites show 0.5 0.9

    prints the agent that gives half of the possible hints and plays at nine in ten, as a file for `kibitz match`. It
    also has a name of its own, for every command and page: elite-0.50-0.90.""",
)

GameOption = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", show_default="the first with a map", help="Name of a game."),
]
MapFile = Annotated[
    Path | None,
    limits.path_option("FILE", "Another map than the one that comes with the game, as `kibitz elites make` writes it."),
]
Own = Annotated[bool, typer.Option("--own", help="Show mean scores with own copies.")]


def chosen_archive(game: str | None, map: Path | None) -> "tuple[Game, Archive]":
    from kibitz.core import registry
    from kibitz.core.elites import Archive
    from kibitz.errors import KibitzError

    having = [each for each in registry.games() if each.elites is not None]
    if game is None and not having:
        raise KibitzError("No installed game has a map of elites.")
    which = registry.game(game) if game is not None else having[0]
    if map is not None and which.breed is not None and which.behaviour is not None:
        return which, Archive(map, which.breed, which.behaviour)
    if which.elites is None:
        raise KibitzError(
            f"{which.title} has no map of elites. Games that have: {', '.join(each.name for each in having) or 'none'}."
        )
    return which, which.elites


@app.callback()
@stoppable
def elites(
    context: typer.Context,
    game: GameOption = None,
    map: MapFile = None,
    own: Own = False,
    json: AsJson = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    which, archive = chosen_archive(game, map)
    found = archive.map
    if json:
        print_json(
            [
                {
                    "name": archive.name(elite.cell), "behaviour": dict(zip(found.axes, elite.behaviour, strict=True)),
                    "alone": elite.alone, "alone_error": elite.alone_error, "others": elite.others,
                    "others_error": elite.others_error, "does": archive.breed.in_words(elite.genes),
                }
                for elite in found.elites
            ]
        )  # fmt: skip
        return
    rows, columns = archive.axes
    with_whom = "with its own copies" if own else "with each of the others"
    out.print(f"[bold]{which.title}[/], {found.players} players: {len(found.elites)} elites, mean scores {with_whom}")
    out.print(f"[dim]rows: {rows.title}, {rows.about}[/]", soft_wrap=True)
    out.print(f"[dim]columns: {columns.title}, {columns.about}[/]\n", soft_wrap=True)
    for line in drawn(archive, own):
        out.print(line, no_wrap=True, crop=False, overflow="ignore")
    best = max(found.elites, key=lambda elite: elite.alone if own else elite.others)
    widest = max(elite.alone_error if own else elite.others_error for elite in found.elites)
    out.print(f"\nThe best is [cyan]{archive.name(best.cell)}[/]: {figures(best)}.")
    first, second = (f"{place / found.size:.2f}" for place in best.cell)
    out.print(f"[dim]95 % intervals: ± {widest:.2f} or less. `kibitz elites show {first} {second}` prints it.[/]")


def figures(elite: "Elite") -> str:
    return (
        f"{elite.others:.2f} ± {elite.others_error:.2f} with the others, "
        f"{elite.alone:.2f} ± {elite.alone_error:.2f} with its copies"
    )


def drawn(archive: "Archive", own: bool) -> "list[Text]":
    """The map in the terminal: numbers, and behind them shades for terminals that have colours."""
    from rich.text import Text

    found = archive.map
    values = {elite.cell: elite.alone if own else elite.others for elite in found.elites}
    highest = max(values.values(), default=1.0) or 1.0
    steps = range(found.size)
    lines = [Text("      " + "".join(f"{f'.{round(100 * place / found.size):02}':>4}" for place in steps), "dim")]
    for row in steps:
        line = Text(f"{row / found.size:.2f}  ", "dim")
        for column in steps:
            if (row, column) in values:
                value = values[row, column]
                line.append(f"{value:4.0f}", shade(value / highest))
            else:
                line.append("   ·", "dim")
        lines.append(line)
    return lines


def shade(share: float) -> str:
    """From dark to light blue to yellow, as `cividis` goes, which people see alike however they see colours."""
    low, high = (0, 34, 78), (254, 232, 56)
    mixed = [round(first + (second - first) * share) for first, second in zip(low, high, strict=True)]
    return f"{'black' if share > 0.55 else 'white'} on rgb({mixed[0]},{mixed[1]},{mixed[2]})"


@app.command()
@stoppable
def show(
    row: Annotated[float, typer.Argument(metavar="COMMUNICATIVENESS", help="Position on the first axis, 0 to 1.")],
    column: Annotated[float, typer.Argument(metavar="RISK_AVERSION", help="Position on the second axis, 0 to 1.")],
    game: GameOption = None,
    map: MapFile = None,
    output: Annotated[Path | None, limits.path_option("FILE", "Write it to this file instead of the terminal.")] = None,
) -> None:
    """Print the elite of a cell as the file that `kibitz match` plays.

        kibitz elites show 0.5 0.9 --output talker.toml

        kibitz match hanabi talker.toml piers

    A cell is called by the lower ends of what it covers, and any number inside it names it.
    """
    from kibitz.core.whole_files import write_whole

    which, archive = chosen_archive(game, map)
    elite = archive.elite(row, column)
    name = archive.name(elite.cell)
    made, about = archive.map.provenance, archive.about(elite)
    provenance: dict[str, object] = {
        **dict(zip(archive.map.axes, elite.behaviour, strict=True)),
        "players": archive.map.players,
        "score_with_copies": elite.alone, "score_with_copies_error": elite.alone_error,
        "score_with_other_elites": elite.others, "score_with_other_elites_error": elite.others_error,
        **{key: made[key] for key in ("command", "seed", "date") if key in made},
    }  # fmt: skip
    text = archive.breed.written(elite.genes, {"name": name, **about, "provenance": provenance})
    if output is None:
        print(text, end="")
        return
    write_whole(output, text)
    err.print(f"{plain(name)} is in {plain(str(output))}; kibitz match {which.name} {plain(str(output))} --players 2")


@app.command()
@stoppable
def draw(
    output: Annotated[str, typer.Argument(metavar="PLACE", help="Output prefix; .svg and .png are appended.")],
    game: GameOption = None,
    map: MapFile = None,
    own: Own = False,
) -> None:
    """Draw the map as a heat map in SVG and PNG.

    kibitz elites draw docs/pictures/elites
    """
    from kibitz.arena import charts
    from kibitz.errors import KibitzError
    from kibitz.learn.elite_charts import elite_map

    which, archive = chosen_archive(game, map)
    place = Path(output)
    try:
        files = charts.save(elite_map(archive, which, own), place.with_suffix("") if place.suffix else place)
    except OSError as error:
        raise KibitzError(f"Cannot write the picture to {output}: {error.strerror}.") from None
    err.print(f"The map is in {plain(', '.join(str(file) for file in files))}.", soft_wrap=True)


@app.command()
@stoppable
def make(
    output: Annotated[
        Path | None, limits.path_option("FILE", "Where the map is written, as JSON; elites.json if not said.")
    ] = None,
    game: GameOption = None,
    players: Annotated[int, typer.Option(min=1, help="Number of players.")] = 2,
    seed: Seed = 0,
    evaluations: Annotated[int, typer.Option(min=1, max=10**8, help="Number of agents bred and evaluated.")] = 100_000,
    games: Annotated[int, typer.Option(min=2, max=10**6, help="Self-play games per agent.")] = 100,
    confirming: Annotated[
        int, typer.Option(min=2, max=10**6, help="Additional games before an agent takes a cell.")
    ] = 400,
    judging: Annotated[int, typer.Option(min=2, max=10**6, help="Final games per elite, on holdout deals.")] = 2000,
    pool: Annotated[int, typer.Option(min=2, max=10**6, help="Games per pair of elites.")] = 60,
    jobs: Jobs = None,
) -> None:
    """Make a map: breed agents by MAP-Elites, then let the elites play with one another.

        kibitz elites make --output mine.json --evaluations 20000

        kibitz elites --map mine.json

    The same seed gives the same map on any number of workers. If it is stopped or killed, the same command goes on
    where it was. The map that comes with kibitz took less than half an hour of processor time.
    """
    from kibitz.learn.map_elites import MapMaker, MapPlan

    output = output or Path("elites.json")
    with patience(COMPILING):
        which = game or chosen_archive(None, None)[0].name
        plan = MapPlan(
            which, players, seed, evaluations=evaluations, beginners=min(5000, evaluations), games=games,
            confirming=confirming, judging=judging, pool=pool,
        ).prepared()  # fmt: skip
        maker = MapMaker(plan, output)
    keeps(f"{maker.checkpoint.path} keeps what was bred; run the same command to resume.")
    if maker.batches or maker.rows:
        complain(f"{maker.checkpoint.path} has {maker.batches} of {plan.batches} batches; resuming.")
    started = time.process_time()
    breed(maker, workers(jobs))
    with patience("Measuring the elites on fresh deals…"):
        judged = maker.judged(workers(jobs))
    agents = [plan.breed.agent(genes, str(cell)) for cell, genes, _ in judged]
    with progress_bar() as progress:
        task = progress.add_task("everybody with everybody", total=len(agents), completed=len(maker.rows))
        for _ in maker.pool(agents, workers(jobs)):
            progress.advance(task)
    resumed = maker.before > 0
    made = maker.finish(
        judged,
        {
            "command": command(), "seed": seed, "evaluations": evaluations, "games": games, "confirming": confirming,
            "judging": judging, "pool": pool, "date": datetime.date.today().isoformat(),
            "processor_seconds": None if resumed else round(time.process_time() - started),
        },
    )  # fmt: skip
    err.print(f"{len(made.elites)} elites are in {plain(str(output))}. kibitz elites --map {plain(str(output))}")


def breed(maker: "MapMaker", jobs: int) -> None:
    plan = maker.plan
    with progress_bar() as progress:
        task = progress.add_task(
            "", total=plan.evaluations, completed=min(maker.batches * plan.batch, plan.evaluations)
        )
        for _ in maker.evolve(jobs):
            best = max((holder.score for holder in maker.holders.values()), default=0.0)
            words = f"{len(maker.holders)} elites, the best scores {best:.2f}"
            done = min(maker.batches * plan.batch, plan.evaluations)
            progress.update(task, completed=done, description=words)


def command() -> str:
    """The command as it can be given again."""
    return shlex.join(["kibitz", *sys.argv[1:]])
