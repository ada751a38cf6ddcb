"""`kibitz elites`: show, use and make maps of agents by playing style."""

import datetime
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import help, options
from kibitz.cli.interrupt import Received, resumable, stoppable
from kibitz.cli.terminal import (
    command_words,
    compiling,
    counted,
    note,
    out,
    patience,
    print_json,
    progress_bar,
    saved,
    typed_command,
    writing,
)

if TYPE_CHECKING:
    from rich.text import Text

    from kibitz.core.elites import Archive, Elite, EliteMap
    from kibitz.core.game import Game
    from kibitz.learn.map_elites import MapMaker

app = typer.Typer(
    cls=help.Group,
    invoke_without_command=True,
    no_args_is_help=False,
    rich_markup_mode=None,
    help="""Show the map of elites: for every playing style the best agent that was bred.

        kibitz elites

    draws it, with the mean score of every elite with all the others.

        kibitz elites show 0.5 0.9

    prints the agent that gives half of the possible hints and plays at nine in ten, as a file for `kibitz match`. It
    also has a name for every command and page: elite-0.50-0.90.""",
)

GameOption = Annotated[
    str | None, options.option("GAME", "Name of a game.", "--game", show_default="the first with a map")
]
MapFile = Annotated[
    Path | None, options.file("FILE", "Another map than the one of the game, as `kibitz elites make` writes it.")
]
Own = Annotated[bool, options.flag("--own", "Show mean scores with copies of the same agent.")]


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
            f"{which.title} has no map of elites. Games with a map: "
            f"{', '.join(each.name for each in having) or 'none'}."
        )
    return which, which.elites


@app.callback()
@stoppable
def elites(
    context: typer.Context, game: GameOption = None, map: MapFile = None, own: Own = False, json: options.AsJson = False
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
    """The map as text: numbers, shaded on terminals with colours."""
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
    """From dark blue to yellow, like the colour map `cividis`, which is safe for colour-blind readers."""
    low, high = (0, 34, 78), (254, 232, 56)
    mixed = [round(first + (second - first) * share) for first, second in zip(low, high, strict=True)]
    return f"{'black' if share > 0.55 else 'white'} on rgb({mixed[0]},{mixed[1]},{mixed[2]})"


@app.command(cls=help.Command)
@stoppable
def show(
    row: Annotated[float, typer.Argument(metavar="COMMUNICATIVENESS", help="Position on the first axis, 0 to 1.")],
    column: Annotated[float, typer.Argument(metavar="RISK_AVERSION", help="Position on the second axis, 0 to 1.")],
    game: GameOption = None,
    map: MapFile = None,
    output: Annotated[Path | None, options.output("FILE", "Write it to this file instead of the terminal.")] = None,
) -> None:
    """Print the elite of a cell as a file that `kibitz match` plays.

        kibitz elites show 0.5 0.9 --output talker.toml

        kibitz match hanabi talker.toml piers

    A cell is named by its lower bounds; any number within its bounds selects it.
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
    note(f"Saved {name} to {output}. Play it: kibitz match {which.name} {output} --players 2")


@app.command(cls=help.Command)
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
    from kibitz.learn.elite_charts import elite_map

    which, archive = chosen_archive(game, map)
    place = Path(output)
    with writing("the picture", output):
        saved("the map", *charts.save(elite_map(archive, which, own), place.with_suffix("") if place.suffix else place))


@app.command(cls=help.Command)
@stoppable
def make(
    output: Annotated[Path, options.output("FILE", "Output file for the map, as JSON.")] = Path("elites.json"),
    game: GameOption = None,
    players: Annotated[int, options.option("N", "Number of players.", min=1)] = 2,
    seed: options.Seed = 0,
    evaluations: Annotated[
        int, options.option("N", "Number of agents bred and evaluated.", min=1, max=10**8)
    ] = 100_000,
    games: Annotated[int, options.option("N", "Self-play games per agent.", min=2, max=10**6)] = 100,
    confirming: Annotated[
        int, options.option("N", "Additional games before an agent takes a cell.", min=2, max=10**6)
    ] = 400,
    holdout_deals: Annotated[
        int, options.option("N", "Holdout deals that evaluate each elite at the end.", min=2, max=10**6)
    ] = 2000,
    pool: Annotated[int, options.option("N", "Games per pair of elites.", min=2, max=10**6)] = 60,
    jobs: options.Jobs = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Make a map: breed agents by MAP-Elites, then let the elites play with one another.

        kibitz elites make --output mine.json --evaluations 20000

        kibitz elites --map mine.json

    The same seed gives the same map on any number of workers. To resume a stopped run, run the same command again. The
    map of Hanabi took less than half an hour of CPU time.
    """
    from kibitz.learn.map_elites import MapMaker, MapPlan, begin_map

    with compiling():
        which = game or chosen_archive(None, None)[0].name
        plan = MapPlan(
            which, players, seed, evaluations=evaluations, beginners=min(5000, evaluations), games=games,
            confirming=confirming, judging=holdout_deals, pool=pool,
        ).prepared()  # fmt: skip
        kept = begin_map(plan, name=run, restart=restart, command=command_words())
    with kept:
        maker = MapMaker(plan, kept)
        resumable(kept, f"{maker.batches} of {plan.batches} batches" if maker.batches or maker.rows else "")
        made = made_map(maker, output, options.workers(jobs))
    note(f"Saved {counted(len(made.elites), 'elite')} to {output}. Show the map: kibitz elites --map {output}")


def made_map(maker: "MapMaker", output: Path, jobs: int) -> "EliteMap":
    """Breed the missing agents, evaluate the elites, and write the map."""
    from kibitz.core.whole_files import write_whole

    plan, started = maker.plan, time.process_time()
    breed(maker, jobs)
    with patience("Evaluating the elites on holdout deals…"):
        judged = maker.judged(jobs)
    agents = [plan.breed.agent(genes, str(cell)) for cell, genes, _ in judged]
    with progress_bar() as progress:
        task = progress.add_task("pairs of elites", total=len(agents), completed=len(maker.rows))
        for _ in maker.pool(agents, jobs):
            progress.advance(task)
    provenance = {
        "command": typed_command(), "seed": plan.seed, "evaluations": plan.evaluations, "games": plan.games,
        "confirming": plan.confirming, "judging": plan.judging, "pool": plan.pool,
        "date": datetime.date.today().isoformat(),
        "processor_seconds": None if maker.before else round(time.process_time() - started),
    }  # fmt: skip
    return maker.finish(judged, provenance, lambda text: write_whole(output, text, Received.keeps.strip()))


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
