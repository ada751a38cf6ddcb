"""`kibitz train`: let an agent learn by playing."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import Received, exit_code, resumable
from kibitz.cli.terminal import (
    command_words,
    compiling,
    complain,
    counted,
    note_missing_charts,
    out,
    patience,
    print_json,
    progress_bar,
    saved,
    speed_text,
    typed_command,
)

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.learn.training import Point, TrainingRun

LINES = 25  # of the learning curve that one run prints


def train(
    game: options.GameName,
    trainer: Annotated[
        str,
        typer.Argument(
            metavar="TRAINER",
            help="Learner: reinforced (Hanabi), samuel (draughts), or outcomes, directions, larger or convolution "
            "(Connect 4).",
        ),
    ],
    players: Annotated[
        str | None,
        options.option(
            "N", "Number of players; 2,4 or 2-5 alternates between them.", show_default="one more than the partners"
        ),
    ] = None,
    partners: Annotated[
        str | None,
        options.option(
            "NAME,NAME…",
            "Players in the other seats, repeated as needed: an agent, which does not learn; self; learner, a "
            "second one that learns too; or learner:AGENT, which starts from that agent's tables.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        options.count(
            "Number of training games.", limits.MOST_TRAINED, "which takes more than a day", 1, "the trainer's"
        ),
    ] = None,
    seed: options.Seed = 0,
    output: Annotated[
        Path | None, options.output("FILE.npz", "Output file for the tables; the curve and its pictures go beside it.")
    ] = None,
    start: Annotated[
        str,
        options.option(
            "AGENT", "Start from the tables of an agent, such as reinforced2 or reinforced2@my.npz.", "--from"
        ),
    ] = "",
    settings: Annotated[
        list[str] | None, options.option("NAME=VALUE", "Set a hyperparameter (an unknown name lists them).", "--set")
    ] = None,
    rule: options.Rules = None,
    jobs: options.Jobs = None,
    json: options.AsJson = False,
    cluster: options.ClusterAddress = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Let an agent learn by playing, and save what it learned as a file that any command can play with.

        kibitz train hanabi reinforced --players 2

        kibitz match hanabi reinforced2@reinforced-2.npz --players 2

    The learning curve comes from evaluation deals that are not used for training; in Hanabi it has a point every 20,000
    games. The best tables so far are kept, and holdout deals evaluate them at the end. With partners:

        kibitz train hanabi reinforced --partners trustful,trustful --output guest.npz

        kibitz train hanabi reinforced --players 2-5 --from reinforced2 --partners learner:reinforced4

    In competitive games partners are opponents, and the curve shows the share of points against them:

        kibitz train draughts samuel --set whole_games=1

    To resume a stopped run, run the same command again; the result is the same as without a break. --jobs is only for
    the evaluation; with --cluster, too, it learns on this computer.
    """
    from kibitz.core import registry
    from kibitz.core.trainer import TrainingPlan, check_settings, usual_of
    from kibitz.learn.partners import parse_partners
    from kibitz.learn.training import TrainingRun, begin_training

    which = registry.game(game)
    found = registry.trainer(which, trainer)
    usual = usual_of(found)
    names = list(options.names(partners) or usual.partners)
    counts = player_counts(which, players, len(names))
    with compiling():
        others = parse_partners(which, names, start)
        rules = which.check_rules(options.chosen_rules(rule))
        plan = TrainingPlan(
            which, counts, others.partners, others.learners, seed, rules,
            check_settings(found, chosen_settings(settings)), others.starts,
        )  # fmt: skip
        text = {
            "game": game, "trainer": trainer, "players": list(counts), "partners": names, "start": start,
            "seed": seed, "rules": rules, "settings": dict(plan.settings), "agents": others.identities,
        }  # fmt: skip
        where = output or Path(f"{trainer}-{'-'.join(map(str, counts))}.npz")
        if where.suffix != ".npz":
            raise typer.BadParameter(f"{where} does not end in .npz, the format of tables.", param_hint="--output")
        kept = begin_training(text, name=run, restart=restart, command=command_words())
    with kept, options.playing(jobs, cluster) as workers:
        training = TrainingRun(found, plan, text, where, kept, workers)
        resumable(kept, f"{counted(training.games, 'game')} of this training" if training.games else "")
        learn(training, games or usual.games)
        with patience("Evaluating on holdout deals…"):
            about = training.finish(typed_command())
            pictures = training.draw()
            training.close(about)
    if json:
        print_json({**about, "curve": [point._asdict() for point in training.curve]})
        return
    for count, score in about["score"].items():
        out.print(f"{count} players: {score['mean']:.2f} ± {score['half_width']:.2f} on holdout deals")
    saved("the tables, the curve and its pictures", *training.outputs, training.output.with_suffix(".json"), *pictures)
    note_missing_charts()


def learn(run: "TrainingRun", games: int) -> None:
    """Train, showing the learning curve as it grows."""
    from kibitz.learn.curve import in_letters

    before, started = run.games, time.perf_counter()
    every = max(1, games // run.stretch // LINES)
    with progress_bar() as progress:
        task = progress.add_task(run.trainer.name, total=max(games, run.games), completed=run.games)

        def tick(done: int, mean: float) -> None:
            if not run.curve and (done - before) % 5000 == 0:
                progress.update(task, description=f"{run.trainer.name}, {mean:.1f} while training")
            progress.update(task, completed=done)

        try:
            for point in run.train(games, tick):
                curve = in_letters([each.judged for each in run.curve], 30)
                progress.update(task, description=f"{point.judged:.2f} {curve}", completed=point.games)
                if len(run.curve) % every == 0:
                    speed = (run.games - before) / (time.perf_counter() - started)
                    progress.console.print(line(run, point, speed), soft_wrap=True)
        except KeyboardInterrupt as stopped:
            run.run.note_progress(run.games, games, now=True)
            kept = Received.keeps if run.curve else " Nothing was kept yet: the first chunk of games was not over."
            complain(f"Stopped after {run.games:,} of {games:,} games.{kept}")
            raise typer.Exit(exit_code(stopped)) from None


def line(run: "TrainingRun", point: "Point", speed: float) -> str:
    best = max(each.judged for each in run.curve)
    return (
        f"{point.games:>11,} games: {point.trained:5.2f} while training, {point.judged:5.2f} ± {point.half_width:.2f} "
        f"without exploration, best {best:5.2f}; {speed_text(speed)}"
    )


def player_counts(game: "Game", text: str | None, partners: int) -> tuple[int, ...]:
    """The numbers of players that a text names, such as 3, 2,4 or 2-5."""
    if text is None:
        return (game.check_players(partners + 1 if partners else game.usual_players),)
    counts: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise typer.BadParameter(
                f"{text!r} is not a number of players. Write 3, 2,4 or 2-5.", param_hint="--players"
            )
        counts += range(int(low), int(high or low) + 1)
    if not counts:
        raise typer.BadParameter(
            f"{text!r} contains no number of players. Write 3, 2,4 or 2-5.", param_hint="--players"
        )
    for count in counts:
        game.check_players(count)
    if partners > min(counts) - 1:
        raise typer.BadParameter(
            f"{partners} partners and the learner do not fit a table of {min(counts)}.", param_hint="--partners"
        )
    return tuple(counts)


def chosen_settings(texts: list[str] | None) -> dict[str, float]:
    chosen = {}
    for text in texts or ():
        name, _, value = (part.strip() for part in text.partition("="))
        try:
            chosen[name] = float(value)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not NAME=NUMBER.", param_hint="--set") from None
    return chosen
