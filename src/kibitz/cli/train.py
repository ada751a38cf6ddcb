"""`kibitz train`: an agent that learns by playing."""

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import Received, exit_code, keeps
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
    out,
    patience,
    plain,
    print_json,
    progress_bar,
    speed_text,
    workers,
)

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.learn.training import Point, TrainingRun

MOST_TRAINED = 10**9
LINES = 25  # of the learning curve that are printed in a run


def train(
    game: GameName,
    trainer: Annotated[
        str,
        typer.Argument(
            metavar="TRAINER", help="Learner: reinforced (Hanabi), samuel (draughts) or outcomes (Connect 4)."
        ),
    ],
    players: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Number of players; 2,4 or 2-5 alternates between them. [default: one more than the partners]",
        ),
    ] = None,
    partners: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME…",
            help="Players in the other seats, repeated as needed: an agent, which does not learn; self; learner, a "
            "second one that learns too; or learner:AGENT, which starts from that agent's tables.",
        ),
    ] = None,
    games: Annotated[
        int | None, limits.games_option(MOST_TRAINED, "which takes more than a day", "How many games it learns from.")
    ] = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        limits.path_option("FILE.npz", "Where the tables go; the curve and its pictures go beside them."),
    ] = None,
    start: Annotated[
        str,
        typer.Option(
            metavar="AGENT", help="Start from the tables of an agent, such as reinforced2 or reinforced2@my.npz."
        ),
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Set a hyperparameter: --set name=value (an unknown name lists them)."
        ),
    ] = None,
    rule: Rules = None,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Let an agent learn by playing, and keep what it learned as a file that any command can play with.

        kibitz train hanabi reinforced --players 2

        kibitz match hanabi reinforced2@reinforced-2.npz --players 2

    Now and then, in Hanabi every 20,000 games, it plays deals that it does not learn from, which gives the learning
    curve; the best so far is what is kept. In the end it is judged by fresh deals. With partners:

        kibitz train hanabi reinforced --partners trustful,trustful --output guest.npz

        kibitz train hanabi reinforced --players 2-5 --start reinforced2 --partners learner:reinforced4

    In a game that somebody wins, partners are opponents, and what is judged is the share of points against them:

        kibitz train draughts samuel --set whole_games=1

    Ctrl-C or a crash loses at most the last stretch: the same command goes on from the last that was kept, to the same
    tables as without a break. --jobs is for the judging only.
    """
    from kibitz.core import registry
    from kibitz.core.trainer import TrainingPlan, check_settings, usual_of
    from kibitz.learn.partners import parse_partners
    from kibitz.learn.training import TrainingRun

    which = registry.game(game)
    found = registry.trainer(which, trainer)
    usual = usual_of(found)
    names = [name.strip() for name in partners.split(",") if name.strip()] if partners else list(usual.partners)
    counts = player_counts(which, players, len(names))
    with patience(COMPILING):
        others = parse_partners(which, names, start)
        rules = which.check_rules(chosen_rules(rule))
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
        run = TrainingRun(found, plan, text, where, workers(jobs))
    keeps(f"{run.checkpoint} keeps the training; run the same command to resume.")
    if run.games:
        complain(f"{run.checkpoint} has {counted(run.games, 'game')} of this training; resuming.")
    learn(run, games or usual.games)
    with patience("Judging by fresh deals…"):
        about = run.finish(typed())
        pictures = run.draw()
        run.forget_checkpoint()
    if json:
        print_json({**about, "curve": [point._asdict() for point in run.curve]})
        return
    for count, score in about["score"].items():
        out.print(f"{count} players: {score['mean']:.2f} ± {score['half_width']:.2f} on holdout deals")
    files = [*run.outputs, run.output.with_suffix(".json"), *pictures]
    out.print(f"Saved: {plain(', '.join(map(str, files)))}.", soft_wrap=True)


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
            kept = Received.keeps if run.curve else " Nothing was kept yet: the first stretch was not over."
            complain(f"Stopped after {run.games:,} of {games:,} games.{kept}")
            raise typer.Exit(exit_code(stopped)) from None


def line(run: "TrainingRun", point: "Point", speed: float) -> str:
    best = max(each.judged for each in run.curve)
    return (
        f"{point.games:>11,} games: {point.trained:5.2f} while training, {point.judged:5.2f} ± {point.half_width:.2f} "
        f"without exploration, best {best:5.2f}; {speed_text(speed)}"
    )


def typed() -> str:
    """The command as it was typed, to be written down."""
    return shlex.join(["kibitz", *sys.argv[1:]])


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
