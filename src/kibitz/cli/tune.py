"""`kibitz tune`: better weights for an agent."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import Received, resumable, stopped_after
from kibitz.cli.terminal import (
    command_words,
    compiling,
    counted,
    out,
    plain,
    print_json,
    progress_bar,
    saved,
    writing,
)
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.learn.tuning import Tuning, Verdict

TRIALS = 1000


def tune(
    game: options.GameName,
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="Agent to tune; its weights need names and ranges. Tuning starts from its own weights, or from a "
            "file: trustful@tuned.toml.",
        ),
    ],
    players: options.Players = None,
    against: Annotated[
        str | None,
        options.option(
            "AGENT,AGENT…", "Opponents, in competitive games: the agent plays against copies of each of them."
        ),
    ] = None,
    trials: Annotated[
        int, options.count("Number of trials.", limits.MOST_TRIALS, "as all are held in memory")
    ] = TRIALS,
    minutes: Annotated[
        float | None, options.option("M", "Stop after M minutes (not reproducible).", min=0, show_default="no limit")
    ] = None,
    deals: Annotated[
        int | None,
        options.count(
            "Deals per trial, unless it is stopped early.",
            limits.MOST_DEALS,
            "as the results are held in memory",
            50,
            "16000; 400 with search or Python bots",
        ),
    ] = None,
    holdout_deals: Annotated[
        int | None,
        options.count(
            "Holdout deals that evaluate the winner.",
            limits.MOST_DEALS,
            "as the results are held in memory",
            50,
            "100000; 2000 with search or Python bots",
        ),
    ] = None,
    sampler: Annotated[
        Literal["cmaes", "tpe", "gp", "random"],
        options.option(
            "cmaes|tpe|gp|random",
            "Search algorithm: CMA-ES, TPE, a Gaussian process (Bayesian optimization), or random search, a baseline.",
        ),
    ] = "cmaes",
    weights: Annotated[
        str | None,
        options.option(
            "NAME,NAME…", "Tune only these weights; a group name selects all of its weights.", show_default="all"
        ),
    ] = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    rule: options.Rules = None,
    think_ms: options.ThinkMs = None,
    iterations: options.Iterations = None,
    bot_seconds: options.BotSeconds = options.BOT_SECONDS,
    output: Annotated[
        Path | None, options.output("FILE", "Output file for the weights.", show_default="GAME-AGENT-PLAYERS.toml")
    ] = None,
    charts: Annotated[
        Path | None,
        options.file("FOLDER", "Draw the convergence and the importance of each weight here, as SVG and PNG."),
    ] = None,
    json: options.AsJson = False,
    cluster: options.ClusterAddress = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Tune an agent's weights, and measure the gain.

        kibitz tune hanabi trustful --players 4 --output tuned.toml

        kibitz match hanabi trustful@tuned.toml --players 4 --games 100000

    All trials play the same deals. A trial is stopped when it is clearly worse than the best so far. The winner is then
    compared with the original weights on holdout deals; that gain, with its 95 % interval, is printed and saved.

        kibitz tune loveletter counting --against greedy,minimax

    In competitive games the gain is in share of games won, with mirrored deals; draws are split.

    To resume a stopped run, or to add more --trials, run the same command again. The same seed gives the same weights
    for any number of --jobs.
    """
    from kibitz.arena.runs import begin
    from kibitz.core import registry
    from kibitz.extras import need

    need("learn")
    if charts is not None:
        need("charts")
    which = registry.game(game)
    count = which.check_players(players or which.players[0])
    opponents = options.names(against)
    if which.competitive and not opponents:
        raise KibitzError(
            f"{which.title} is competitive: name opponents with --against A,B (see `kibitz agents {game}`)."
        )
    if opponents and not which.competitive:
        raise KibitzError(f"{which.title} is cooperative and has no opponents. Leave --against out.")
    rules = which.check_rules(options.chosen_rules(rule))
    with options.playing(jobs, cluster) as workers:
        with compiling():
            for name in (agent, *opponents):  # a misspelt one is refused before the rest is imported
                options.loaded(which, name, None, bot_seconds)
            from kibitz.learn.paired_deals import Objective
            from kibitz.learn.tuning import Tuning, tunable

            objective = Objective(
                which,
                count,
                rules,
                opponents,
                options.chosen_budget(think_ms, iterations),
                bot_seconds,
                workers,
            )
            target = output or Path(f"{game}-{file_name(agent)}-{count}.toml")
            if target.is_dir():
                raise KibitzError(f"{target} is a folder. Name a file in it.")
            tuning = Tuning(
                objective, tunable(objective, agent),
                lambda plan: begin(
                    "tune", plan, f"{game}-{file_name(agent)}-{count}", name=run, restart=restart, grows=True,
                    command=command_words(),
                ),
                seed, sampler, deals, holdout_deals, list(options.names(weights)),
            )  # fmt: skip
        assert tuning.run is not None
        with tuning.run:
            resumable(tuning.run, counted(tuning.finished, "trial") if tuning.finished else "")
            command = repeated(game, agent, count, opponents, trials, tuning, weights, rules, think_ms, iterations)
            tuned(tuning, trials, minutes, command, target, charts, json)


def tuned(
    tuning: "Tuning", trials: int, minutes: float | None, command: str, target: Path, charts: Path | None, json: bool
) -> None:
    """Run the trials and the finals, write the weights, and report."""
    stopped: KeyboardInterrupt | None = None
    verdict: Verdict | None = None
    assert tuning.run is not None
    try:
        verdict = play(tuning, trials, 60 * minutes if minutes is not None else None)
    except KeyboardInterrupt as stopping:
        stopped = stopping
        tuning.run.note_progress(tuning.finished, trials, "trials", now=True)
    except KibitzError as error:
        raise KibitzError(f"{error}{'' if tuning.run.name in str(error) else Received.keeps}") from None
    if verdict is not None:
        from kibitz.learn.weights_file import weights_text, write_weights

        provenance = tuning.provenance(verdict, command)
        origin = f"kibitz tune: {tuning.plan.agent} at {tuning.plan.players} players"
        write_weights(target, weights_text(origin, provenance, verdict.weights))
        tuning.study.close({**provenance, "weights": verdict.weights})
        if json:
            print_json({**provenance, "weights": verdict.weights, "output": str(target), "run": tuning.run.name})
        else:
            show(tuning, verdict, target)
    if charts is not None and tuning.finished:
        from kibitz.learn.tuning_charts import draw

        with writing("the charts", charts, Received.keeps):
            charts.mkdir(parents=True, exist_ok=True)
            saved("the charts", *draw(tuning, verdict, charts))
    if stopped is not None:
        gain = f"best gain so far: {tuning.best.value or 0.0:+.3f} on the trials' deals"
        raise stopped_after(f"{tuning.finished:,} of {counted(trials, 'trial')}; {gain}", stopped)


def file_name(agent: str) -> str:
    """An agent's name as part of a file name."""
    last = agent.rpartition("/")[2]
    return "".join(letter if letter.isalnum() or letter in "_-" else "-" for letter in last)


def repeated(
    game: str, agent: str, players: int, opponents: tuple[str, ...], trials: int, tuning: "Tuning",
    weights: str | None, rules: dict[str, str], think_ms: int | None, iterations: int | None,
) -> str:  # fmt: skip
    """The command that repeats this run."""
    usual = tuning.objective.game.check_rules({})
    values: dict[str, Any] = {
        "players": players, "against": ",".join(opponents) or None, "trials": trials, "deals": tuning.deals,
        "holdout-deals": tuning.holdout, "sampler": tuning.sampler, "weights": weights, "seed": tuning.seed,
        "think-ms": think_ms, "iterations": iterations,
    }  # fmt: skip
    words = ["kibitz", "tune", game, agent]
    for name, value in values.items():
        words += [f"--{name}", str(value)] if value is not None else []
    for name, value in rules.items():
        words += ["--rule", f"{name}={value}"] if usual[name] != value else []
    return shlex.join(words)


def play(tuning: "Tuning", trials: int, seconds: float | None) -> "Verdict":
    """Play the trials and the finals with a progress bar."""
    from kibitz.learn.tuning import Verdict

    with progress_bar(tuning.objective.jobs) as bar:
        task = bar.add_task("trials", total=trials, completed=tuning.finished)
        for progress in tuning.play_trials(trials, seconds):
            bar.update(task, completed=progress.trials, description=f"best {progress.best:+.3f}")
        judging = bar.add_task("finals", total=100)
        for found in tuning.judge():
            if isinstance(found, Verdict):
                return found
            bar.update(judging, completed=round(100 * found.done), description=found.stage)
    raise AssertionError("a study is always judged")


def show(tuning: "Tuning", verdict: "Verdict", target: Path) -> None:
    from rich.table import Table

    plan, game = tuning.plan, tuning.objective.game
    unit, digits = ("%", 1) if game.competitive else ("points", 3)
    scale = 100 if game.competitive else 1
    against = f" against {', '.join(plan.against)}" if plan.against else ""
    out.print(f"[bold]{game.title}[/]: {plain(plan.agent)}, {plan.players} players{plain(against)}", soft_wrap=True)
    played = f"{counted(verdict.trials, 'trial')} of up to {plan.deals:,} deals, seed {plan.seed}"
    out.print(f"[dim]{played}; {plain(options.rules_text(plan.rules))}[/]", soft_wrap=True)
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
