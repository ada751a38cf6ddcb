"""`kibitz evolve`: breed agents by selection."""

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kibitz.cli import options
from kibitz.cli.interrupt import Received, resumable
from kibitz.cli.terminal import (
    command_words,
    compiling,
    counted,
    note,
    out,
    patience,
    plain,
    print_json,
    progress_bar,
    typed_command,
)

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor
    from kibitz.arena.statistics import Estimate
    from kibitz.core.breeding import Genes
    from kibitz.learn.evolution import Evolution

WITH = {"copies": "its own copies", "group": "the group", "strangers": "strangers"}
HOW = {
    "tournament": "by tournaments within each generation",
    "group": "with a fixed group of partners",
    "both": "by tournaments within each generation and with a fixed group",
}


def evolve(
    game: options.GameName,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[AGENT]",
            help="Agent whose weights are bred, within their ranges. [default: agents composed of the game's parts]",
        ),
    ] = None,
    by: Annotated[
        Literal["tournament", "group", "both"],
        options.option(
            "tournament|group|both",
            "Fitness: play with copies and others of the generation (tournament), with a fixed group, or both.",
        ),
    ] = "both",
    group: Annotated[
        str | None,
        options.option(
            "A,B,…", "Fixed partners or opponents.", show_default="the agents of the game's levels that do not search"
        ),
    ] = None,
    strangers: Annotated[str | None, options.option("A,B,…", "Agents used only to evaluate the winner.")] = None,
    players: options.Players = None,
    population: Annotated[int, options.option("N", "Agents per generation.", min=2, max=10_000)] = 60,
    generations: Annotated[int, options.option("N", "Number of generations.", min=1, max=100_000)] = 60,
    games: Annotated[int, options.option("N", "Deals per partner in each generation.", min=1, max=10**6)] = 60,
    rivals: Annotated[
        int,
        options.option(
            "N",
            "Others of the generation that each agent plays with in a tournament; 0 is pure self-play.",
            min=0,
            max=10_000,
        ),
    ] = 4,
    holdout_deals: options.HoldoutDeals = 2000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    rule: options.Rules = None,
    json: options.AsJson = False,
    output: Annotated[Path, options.output("FILE", "Output file for the winner, playable by any command.")] = Path(
        "bred.toml"
    ),
    cluster: options.ClusterAddress = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Breed agents: the best of each generation have children, which are mutated a little.

        kibitz evolve hanabi --output bred.toml

        kibitz match hanabi bred.toml piers

    In Hanabi the agents are lists of rules. In any game you can name an agent to breed its weights; in competitive
    games the fitness is the share of games won:

        kibitz evolve hanabi trustful --by tournament --output weights.toml

        kibitz match hanabi trustful@weights.toml --players 2

    Agents that meet only each other may understand only each other. Evaluate the winner with strangers to find out:

        kibitz evolve hanabi --by tournament --strangers piers,outer,bot2 --output alone.toml

    The same seed breeds the same agent on any number of workers. To resume a stopped run, run the same command again.
    """
    from kibitz.core import registry
    from kibitz.core.whole_files import write_whole
    from kibitz.errors import KibitzError
    from kibitz.learn.evolution import Evolution, EvolutionPlan, begin_evolution

    with compiling():
        which = registry.game(game)
        plan = EvolutionPlan(
            game, what or "", by, options.names(group), options.names(strangers), players or max(2, which.players[0]),
            seed, options.chosen_rules(rule), population, generations, games, rivals, holdout_deals,
        ).prepared()  # fmt: skip
        if output.suffix != plan.breed.suffix:
            raise KibitzError(
                f"The winner is written as {plan.breed.suffix}: name a file like bred{plan.breed.suffix}."
            )
        kept = begin_evolution(plan, name=run, restart=restart, command=command_words())
    with kept, options.playing(jobs, cluster) as workers:
        evolution = Evolution(plan, kept)
        resumable(kept, counted(evolution.before, "generation") if evolution.before else "")
        breed(evolution, workers)
        with patience("Evaluating the best on holdout deals…"):
            genes = evolution.winner(workers)
            scores = evolution.measured(genes, options.workers(jobs))
        write_whole(output, plan.breed.written(genes, about(evolution, output, scores)), Received.keeps.strip())
        evolution.finish(results(evolution, genes, scores))
    show(evolution, genes, scores, output, json)


def breed(evolution: "Evolution", jobs: "int | Executor") -> None:
    """Breed the generations with a progress bar over all agents to evaluate."""
    plan = evolution.plan
    with progress_bar(jobs) as progress:
        task = progress.add_task(
            "first generation", total=plan.generations * plan.population, completed=evolution.before * plan.population
        )
        for _ in evolution.evolve(jobs, lambda: progress.advance(task)):
            best, mean = evolution.past[-1]
            words = f"generation {len(evolution.past)}: best {figure(evolution, best)}, mean {figure(evolution, mean)}"
            progress.update(task, completed=len(evolution.past) * plan.population, description=words)


def figure(evolution: "Evolution", value: float) -> str:
    return f"{100 * value:.1f} %" if evolution.plan.game.competitive else f"{value:.2f}"


def about(evolution: "Evolution", output: Path, scores: "dict[str, Estimate]") -> dict[str, Any]:
    """The header of the winner's file."""
    plan = evolution.plan
    reached = ", ".join(f"{figure(evolution, scores[name].mean)} with {WITH[name]}" for name in scores)
    provenance: dict[str, Any] = {
        "command": typed_command(), "by": plan.by, "group": ",".join(plan.group), "strangers": ",".join(plan.strangers),
        "players": plan.players, "seed": plan.seed, "population": plan.population, "generations": plan.generations,
        "games": plan.games, "judging": plan.judging, "date": datetime.date.today().isoformat(),
    }  # fmt: skip
    for name, found in scores.items():
        provenance |= {f"score_{name}": round(found.mean, 4), f"score_{name}_error": round(found.half_width, 4)}
    return {
        "name": output.stem,
        "description": f"Bred {HOW[plan.by]}. On holdout deals with {plan.players} players it reaches {reached}.",
        "origin": f"kibitz evolve, seed {plan.seed}, {plan.generations} generations of {plan.population}",
        "provenance": provenance,
    }


def results(evolution: "Evolution", genes: "Genes", scores: "dict[str, Estimate]") -> dict[str, Any]:
    plan = evolution.plan
    return {
        "game": plan.game_name, "what": plan.breed.what, "by": plan.by, "group": list(plan.group),
        "strangers": list(plan.strangers), "players": plan.players, "seed": plan.seed, "rules": plan.rules,
        "generations": [{"best": best, "mean": mean} for best, mean in evolution.past],
        "scores": {name: {"mean": each.mean, "error": each.half_width} for name, each in scores.items()},
        "genes": genes,
    }  # fmt: skip


def show(evolution: "Evolution", genes: "Genes", scores: "dict[str, Estimate]", output: Path, json: bool) -> None:
    plan = evolution.plan
    if json:
        print_json({**results(evolution, genes, scores), "file": str(output)})
        return
    out.print(
        f"[bold]{plan.game.title}[/], {plan.players} players: {plan.breed.what}, bred {HOW[plan.by]}", soft_wrap=True
    )
    out.print(f"[dim]{plain(options.rules_text(plan.rules))}[/]\n", soft_wrap=True)
    for line in plan.breed.in_words(genes):
        out.print(f"  {plain(line)}", soft_wrap=True)
    out.print()
    for name, found in scores.items():
        error = f"{100 * found.half_width:.1f}" if plan.game.competitive else f"{found.half_width:.2f}"
        out.print(f"  {figure(evolution, found.mean)} ± {error}  with {WITH[name]}")
    out.print(f"\n[dim]On {plan.judging:,} holdout deals of seed {plan.seed} per partner; 95 % intervals.[/]")
    played = plan.breed.usage(str(output))
    note(f"Saved the winner to {output}. Play it: kibitz match {plan.game_name} {played} …")
