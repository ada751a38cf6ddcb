"""`kibitz evolve`: agents that are bred by how well they play."""

import datetime
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import keeps
from kibitz.cli.terminal import (
    COMPILING,
    AsJson,
    GameName,
    Jobs,
    Rules,
    Seed,
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
    from kibitz.arena.statistics import Estimate
    from kibitz.core.breeding import Genes
    from kibitz.learn.evolution import Evolution

WITH = {"copies": "its own copies", "group": "the group", "strangers": "strangers"}
HOW = {
    "tournament": "by tournaments of their own alone",
    "group": "by a fixed group of partners",
    "both": "by tournaments of their own and by a fixed group",
}


def names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def evolve(
    game: GameName,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT",
            show_default="what the game puts agents together from",
            help="Agent whose weights are bred, within their ranges.",
        ),
    ] = None,
    by: Annotated[
        Literal["tournament", "group", "both"],
        typer.Option(
            help="Fitness: play with copies and others of the generation (tournament), with a fixed group, or both."
        ),
    ] = "both",
    group: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,…", show_default="the agents of the game's levels", help="Fixed partners or opponents."
        ),
    ] = None,
    strangers: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="Agents used only to evaluate the winner."),
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=1, show_default="fewest for the game", help="Number of players.")
    ] = None,
    population: Annotated[int, typer.Option(min=2, max=10_000, help="Agents per generation.")] = 60,
    generations: Annotated[int, typer.Option(min=1, max=100_000, help="Number of generations.")] = 60,
    games: Annotated[int, typer.Option(min=1, max=10**6, help="Deals per partner in each generation.")] = 60,
    rivals: Annotated[
        int,
        typer.Option(
            min=0,
            max=10_000,
            help="Others of the generation that each agent plays with in a tournament; 0 is pure self-play.",
        ),
    ] = 4,
    judging: Annotated[
        int,
        typer.Option(
            min=2, max=10**6, help="Holdout deals that choose the winner, and again as many that evaluate it."
        ),
    ] = 2000,
    seed: Seed = 0,
    jobs: Jobs = None,
    rule: Rules = None,
    json: AsJson = False,
    output: Annotated[
        Path | None,
        limits.path_option("FILE", "Output file for the winner, playable by any command. [default: bred.toml]"),
    ] = None,
) -> None:
    """Breed agents: the better ones have children, which are changed a little, and so on.

        kibitz evolve hanabi --output bred.toml

        kibitz match hanabi bred.toml piers

    In Hanabi they are lists of rules. With an agent named, its weights are bred, in any game; where somebody wins, by
    the share of games won:

        kibitz evolve hanabi trustful --by tournament --output weights.toml

        kibitz match hanabi trustful@weights.toml --players 2

    Agents that only ever meet each other come to understand only each other. Strangers show it:

        kibitz evolve hanabi --by tournament --strangers piers,outer,bot2 --output alone.toml

    The same seed breeds the same agent on any number of workers. If it is stopped or killed, the same command goes on
    where it was.
    """
    from kibitz.core import registry
    from kibitz.errors import KibitzError
    from kibitz.learn.evolution import Evolution, EvolutionPlan

    output = output or Path("bred.toml")
    with patience(COMPILING):
        which = registry.game(game)
        plan = EvolutionPlan(
            game, what or "", by, names(group), names(strangers), players or max(2, which.players[0]), seed,
            chosen_rules(rule), population, generations, games, rivals, judging,
        ).prepared()  # fmt: skip
        if output.suffix != plan.breed.suffix:
            raise KibitzError(
                f"The winner is written as {plan.breed.suffix}: name a file like bred{plan.breed.suffix}."
            )
        evolution = Evolution(plan, output)
    keeps(f"{evolution.checkpoint.path} keeps the generations; run the same command to resume.")
    if evolution.before:
        complain(f"{evolution.checkpoint.path} has {counted(evolution.before, 'generation')}; resuming.")
    breed(evolution, workers(jobs))
    with patience("Judging the best on fresh deals…"):
        genes = evolution.winner(workers(jobs))
        scores = evolution.told(genes, workers(jobs))
    evolution.finish(plan.breed.written(genes, about(evolution, output, scores)))
    show(evolution, genes, scores, output, json)


def breed(evolution: "Evolution", jobs: int) -> None:
    plan = evolution.plan
    with progress_bar() as progress:
        task = progress.add_task("", total=plan.generations, completed=evolution.before)
        for _ in evolution.evolve(jobs):
            best, mean = evolution.past[-1]
            progress.update(
                task, advance=1, description=f"best {figure(evolution, best)}, mean {figure(evolution, mean)}"
            )


def figure(evolution: "Evolution", value: float) -> str:
    return f"{100 * value:.1f} %" if evolution.plan.game.competitive else f"{value:.2f}"


def about(evolution: "Evolution", output: Path, scores: "dict[str, Estimate]") -> dict[str, Any]:
    """The head of the winner's file."""
    plan = evolution.plan
    words = [f"{figure(evolution, scores[name].mean)} with {WITH[name]}" for name in scores]
    with_whom = ", ".join(words)
    command = shlex.join(["kibitz", *sys.argv[1:]])
    provenance: dict[str, Any] = {
        "command": command, "by": plan.by, "group": ",".join(plan.group), "strangers": ",".join(plan.strangers),
        "players": plan.players, "seed": plan.seed, "population": plan.population, "generations": plan.generations,
        "games": plan.games, "judging": plan.judging, "date": datetime.date.today().isoformat(),
    }  # fmt: skip
    for name, found in scores.items():
        provenance |= {f"score_{name}": round(found.mean, 4), f"score_{name}_error": round(found.half_width, 4)}
    return {
        "name": output.stem,
        "description": f"Bred {HOW[plan.by]}. On fresh deals with {plan.players} players it reaches {with_whom}.",
        "origin": f"kibitz evolve, seed {plan.seed}, {plan.generations} generations of {plan.population}",
        "provenance": provenance,
    }


def show(evolution: "Evolution", genes: "Genes", scores: "dict[str, Estimate]", output: Path, json: bool) -> None:
    plan = evolution.plan
    if json:
        print_json(
            {
                "game": plan.game_name, "what": plan.breed.what, "by": plan.by, "group": list(plan.group),
                "strangers": list(plan.strangers), "players": plan.players, "seed": plan.seed, "rules": plan.rules,
                "generations": [{"best": best, "mean": mean} for best, mean in evolution.past],
                "scores": {name: {"mean": each.mean, "error": each.half_width} for name, each in scores.items()},
                "genes": genes, "file": str(output),
            }
        )  # fmt: skip
        return
    out.print(f"[bold]{plan.game.title}[/], {plan.players} players: {plan.breed.what}, bred {HOW[plan.by]}\n")
    for line in plan.breed.in_words(genes):
        out.print(f"  {plain(line)}", soft_wrap=True)
    out.print()
    for name, found in scores.items():
        error = f"{100 * found.half_width:.1f}" if plan.game.competitive else f"{found.half_width:.2f}"
        out.print(f"  {figure(evolution, found.mean)} ± {error}  with {WITH[name]}")
    out.print(f"\n[dim]On {plan.judging:,} holdout deals of seed {plan.seed} per partner; 95 % intervals.[/]")
    played = plan.breed.usage(str(output))
    err.print(f"It is in {plain(str(output))}: kibitz match {plan.game_name} {plain(played)} …", soft_wrap=True)
