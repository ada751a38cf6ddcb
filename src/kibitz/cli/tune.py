"""`kibitz tune`: better weights for an agent."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import Received, exit_code, keeps
from kibitz.cli.terminal import (
    BOT_SECONDS,
    COMPILING,
    AsJson,
    BotSeconds,
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
    workers,
)

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from kibitz.learn.tuning import Progress, Tuning, Verdict

TRIALS = 1000
MOST_TRIALS, MOST_DEALS = 10**6, 10**7


def tune(
    game: GameName,
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="Agent to tune; its weights need names and ranges. Tuning starts from its own weights, or from a "
            "file: trustful@tuned.toml.",
        ),
    ],
    players: Annotated[
        int | None, typer.Option(min=1, show_default="fewest for the game", help="Number of players.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT,AGENT…",
            help="Opponents, in competitive games: the agent plays against copies of each of them.",
        ),
    ] = None,
    trials: Annotated[
        int,
        typer.Option(
            min=1, callback=limits.at_most(MOST_TRIALS, "as all are held in memory"), help="Number of trials."
        ),
    ] = TRIALS,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, metavar="M", help="Stop after M minutes (not reproducible). [default: no limit]"),
    ] = None,
    deals: Annotated[
        int | None,
        limits.games_option(
            MOST_DEALS,
            "as the results are held in memory",
            "Deals per trial, unless it is stopped early. [default: 16000; 400 with search or Python bots]",
            least=50,
        ),
    ] = None,
    holdout_deals: Annotated[
        int | None,
        limits.games_option(
            MOST_DEALS,
            "as the results are held in memory",
            "Holdout deals that evaluate the winner. [default: 100000; 2000 with search or Python bots]",
            least=50,
        ),
    ] = None,
    sampler: Annotated[
        Literal["cmaes", "tpe", "gp", "random"],
        typer.Option(
            help="Search algorithm: CMA-ES, TPE, a Gaussian process (needs the extra kibitz\\[gp]), or random search "
            "as a baseline."
        ),
    ] = "cmaes",
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME…",
            help="Tune only these weights; a group name selects all of its weights. [default: all]",
        ),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    rule: Rules = None,
    think_ms: ThinkMs = None,
    iterations: Iterations = None,
    bot_seconds: BotSeconds = BOT_SECONDS,
    output: Annotated[
        Path | None, limits.path_option("FILE", "Output file for the weights. [default: GAME-AGENT-PLAYERS.toml]")
    ] = None,
    study: Annotated[
        Path | None,
        limits.path_option("FILE", "Checkpoint file for the trials. [default: the output file with the ending .study]"),
    ] = None,
    charts: Annotated[
        Path | None,
        limits.path_option(
            "FOLDER", "Draw the convergence and the importance of each weight in this folder, as SVG and PNG."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Tune an agent's weights, and measure the gain.

        kibitz tune hanabi trustful --players 4 --output tuned.toml

        kibitz match hanabi trustful@tuned.toml --players 4 --games 100000

    All trials play the same deals. A trial is stopped when it is clearly worse than the best so far. The winner is then
    compared with the original weights on holdout deals; that gain, with its 95 % interval, is printed and saved.

        kibitz tune loveletter counting --against greedy,minimax

    In competitive games the gain is in share of games won, with mirrored deals; draws are split.

    To resume a stopped run, or to add more --trials, run the same command again; running it in another terminal adds a
    worker to the same study. With one process, the same seed gives the same weights for any number of --jobs.
    """
    from kibitz.core import registry
    from kibitz.errors import KibitzError

    which = registry.game(game)
    count = which.check_players(players or which.players[0])
    opponents = tuple(name for name in (against or "").split(",") if name)
    if which.competitive and not opponents:
        raise KibitzError(
            f"{which.title} is competitive: name opponents with --against A,B (see `kibitz agents {game}`)."
        )
    if opponents and not which.competitive:
        raise KibitzError(f"{which.title} is cooperative and has no opponents. Leave --against out.")
    rules = which.check_rules(chosen_rules(rule))
    with patience(COMPILING):
        from kibitz.learn.paired_deals import Objective
        from kibitz.learn.tuning import Tuning, tunable

        objective = Objective(
            which, count, rules, opponents, chosen_budget(think_ms, iterations), bot_seconds, workers(jobs)
        )
        target = output or Path(f"{game}-{file_name(agent)}-{count}.toml")
        if target.is_dir():
            raise KibitzError(f"{target} is a folder. Name a file in it.")
        tuning = Tuning(
            objective, tunable(objective, agent), study or target.with_suffix(".study"), seed, sampler, deals,
            holdout_deals, [name for name in (weights or "").split(",") if name],
        )  # fmt: skip
    keeps(f"{tuning.path} keeps the trials; run the same command to resume.")
    if tuning.finished:
        complain(f"{tuning.path} has {counted(tuning.finished, 'trial')}; resuming.")

    stopped: KeyboardInterrupt | None = None
    verdict: Verdict | None = None
    try:
        verdict = tuned(tuning, trials, 60 * minutes if minutes is not None else None)
    except KeyboardInterrupt as stopping:
        stopped = stopping
    except KibitzError as error:
        raise KibitzError(f"{error}{'' if str(tuning.path) in str(error) else Received.keeps}") from None
    command = typed(game, agent, count, opponents, trials, tuning, weights, rules, think_ms, iterations)
    if verdict is not None:
        from kibitz.learn.weights_file import weights_text, write_weights

        provenance = tuning.provenance(verdict, command)
        origin = f"kibitz tune: {agent} at {count} players"
        write_weights(target, weights_text(origin, provenance, verdict.weights))
        if json:
            print_json({**provenance, "weights": verdict.weights, "output": str(target), "study": str(tuning.path)})
        else:
            show(tuning, verdict, target)
    if charts is not None and tuning.finished:
        draw(tuning, verdict, charts)
    if stopped is not None:
        best = tuning.best.value or 0.0
        complain(
            f"Stopped after {tuning.finished:,} of {trials:,} trials; best gain so far: {best:+.3f} on the trials' "
            f"deals.{Received.keeps}"
        )
        raise typer.Exit(exit_code(stopped))


def file_name(agent: str) -> str:
    """An agent's name as part of a file name."""
    last = agent.rpartition("/")[2]
    return "".join(letter if letter.isalnum() or letter in "_-" else "-" for letter in last)


def typed(
    game: str, agent: str, players: int, opponents: tuple[str, ...], trials: int, tuning: "Tuning",
    weights: str | None, rules: dict[str, str], think_ms: int | None, iterations: int | None,
) -> str:  # fmt: skip
    """The command that gives the same result."""
    usual = tuning.objective.game.check_rules({})
    options: dict[str, Any] = {
        "players": players, "against": ",".join(opponents) or None, "trials": trials, "deals": tuning.deals,
        "holdout-deals": tuning.fresh, "sampler": tuning.sampler, "weights": weights, "seed": tuning.seed,
        "think-ms": think_ms, "iterations": iterations,
    }  # fmt: skip
    words = ["kibitz", "tune", game, agent]
    for name, value in options.items():
        words += [f"--{name}", str(value)] if value is not None else []
    for name, value in rules.items():
        words += ["--rule", f"{name}={value}"] if usual[name] != value else []
    return shlex.join(words)


def tuned(tuning: "Tuning", trials: int, seconds: float | None) -> "Verdict":
    """Play the trials and the finals with a progress bar."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from kibitz.learn.tuning import Verdict

    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[said]}"),
        TimeRemainingColumn(compact=True), console=err, transient=True, disable=not sys.stderr.isatty(),
    ) as bar:  # fmt: skip
        task = bar.add_task("trials", total=trials, completed=tuning.finished, said="")
        for progress in tuning.run(trials, seconds):
            tell(bar, task, progress)
        judging = bar.add_task("finals", total=100, said="")
        for found in tuning.judge():
            if isinstance(found, Verdict):
                return found
            bar.update(judging, completed=round(100 * found.done), description=found.stage)
    raise AssertionError("a study is always judged")


def tell(bar: "Bar", task: Any, progress: "Progress") -> None:
    speed = f", {progress.trials_per_second:.1f} trials/s" if progress.trials_per_second else ""
    bar.update(task, completed=progress.trials, said=f"best {progress.best:+.3f}{speed}")


def show(tuning: "Tuning", verdict: "Verdict", target: Path) -> None:
    from rich.table import Table

    plan, game = tuning.plan, tuning.objective.game
    unit, digits = ("%", 1) if game.competitive else ("points", 3)
    scale = 100 if game.competitive else 1
    against = f" against {', '.join(plan.against)}" if plan.against else ""
    rules = ", ".join(f"{name}={value}" for name, value in plan.rules.items())
    out.print(f"[bold]{game.title}[/]: {plain(plan.agent)}, {plan.players} players{plain(against)}", soft_wrap=True)
    played = f"{counted(verdict.trials, 'trial')} of up to {plan.deals:,} deals, seed {plan.seed}"
    out.print(f"[dim]{played}; {rules}[/]", soft_wrap=True)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for number, heading in enumerate(("weight", "before", "after", "min", "max")):
        table.add_column(heading, justify="right" if number else "left", style="" if number else "cyan", no_wrap=True)
    for name, was in plan.start.items():
        low, high = plan.ranges[name]
        table.add_row(plain(name), f"{was:g}", f"{verdict.weights[name]:g}", f"{low:g}", f"{high:g}")
    out.print(table)
    if not verdict.changed:
        out.print("\nNo better weights were found. Try more --trials.")
    else:
        gain, half = scale * verdict.gain, scale * verdict.difference.half_width
        judged = f"[dim](95 % interval, {verdict.deals:,} holdout deals)[/]"
        out.print(f"\n  gain   [bold]{gain:+.{digits}f}[/] ± {half:.{digits}f} {unit}  {judged}")
        out.print(f"  from   {scale * verdict.start_mean:.{digits}f} to {scale * verdict.mean:.{digits}f}")
    played = f"{plan.agent.partition('@')[0]}@{target}"
    out.print(f"\nSaved the weights to {plain(str(target))}. Play them as `{plain(played)}`.", soft_wrap=True)


def draw(tuning: "Tuning", verdict: "Verdict | None", folder: Path) -> None:
    from kibitz.errors import KibitzError
    from kibitz.learn.tuning_charts import draw as drawn

    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = drawn(tuning, verdict, folder)
    except OSError as error:
        raise KibitzError(f"Cannot write the charts to {folder}: {error.strerror}.{Received.keeps}") from None
    err.print(f"Saved the charts: {plain(', '.join(map(str, files)))}.", soft_wrap=True)
