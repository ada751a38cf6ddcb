"""`kibitz duel`: two agents play until it is known which is better."""

from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import Received, resumable, stopped_after
from kibitz.cli.options import rules_text
from kibitz.cli.terminal import command_words, compiling, counted, out, plain, print_json, print_terms, progress_bar
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.duel import Look, MeasuredDuel
    from kibitz.arena.executors import Executor

Agent = "an agent as in `kibitz match`"


def duel(
    game: options.GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=f"One agent: {Agent}.")],
    b: Annotated[str, typer.Argument(metavar="B", help=f"The other agent: {Agent}.")],
    players: options.Players = None,
    alpha: Annotated[float, options.option("P", "Error rate: how often a verdict may be wrong.")] = 0.05,
    margin: Annotated[
        float,
        options.option("D", "Smallest difference that matters, in points, or in games as a share of those played."),
    ] = 0.1,
    max_games: Annotated[
        int, options.count("Stop after this number of games.", limits.MOST_GAMES, "which takes days at best", least=2)
    ] = 100_000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    rule: options.Rules = None,
    think_ms: options.ThinkMs = None,
    iterations: options.Iterations = None,
    depth: options.Depth = None,
    bot_seconds: options.BotSeconds = options.BOT_SECONDS,
    json: options.AsJson = False,
    cluster: options.ClusterAddress = None,
    run: options.RunName = None,
    restart: options.Restart = False,
) -> None:
    """Play two agents until one is known to be better, or the margin to be too wide.

        kibitz duel hanabi trustful bayesian_trustful4 --players 4

    Both play the same deals. In a cooperative game each plays them with its own copies, and the difference of the
    scores counts. The verdict is A or B if the interval of the mean difference excludes zero, and `equal` if all of it
    is smaller than --margin. The interval is valid however often one looks, so the duel stops at once.

        kibitz duel loveletter minimax greedy --margin 0.05

    In a competitive game every deal is played twice, with the seats exchanged. The difference is the share of games
    that A wins minus that of B; a draw is divided. The verdict comes from a sequential probability ratio test of the
    pairs (GSPRT): A or B against no difference, with half of --alpha each. `equal` means that neither is better by
    --margin or more.

    If --max-games are not enough, the verdict is `undecided`. Every duel is kept as a run (see `kibitz runs`): to
    resume a stopped one, run the same command again.
    """
    from kibitz.arena.duel import DuelPlan, MeasuredDuel, begin_duel
    from kibitz.core import registry

    which, budget = registry.game(game), options.chosen_budget(think_ms, iterations, depth)
    number, rules = players or which.players[0], options.chosen_rules(rule)
    with compiling():
        plan = DuelPlan(
            game, (a, b), number, alpha, margin, max_games, seed, rules, budget, bot_seconds
        ).prepared()  # fmt: skip
        kept = begin_duel(plan, name=run, restart=restart, command=command_words())
    with kept, options.playing(jobs, cluster) as workers:
        measured = MeasuredDuel(plan, kept)
        resumable(kept, f"{measured.games_before:,} games of this duel" if measured.games_before else "")
        run_duel(measured, workers, json)


def run_duel(measured: "MeasuredDuel", jobs: "int | Executor", json: bool) -> None:
    """Play until the duel is decided, and report it."""
    stopped: KeyboardInterrupt | None = None
    with progress_bar(jobs) as progress:
        task = progress.add_task("", total=measured.expected_games, completed=measured.games_before)
        try:
            for look in measured.play(jobs):
                progress.update(
                    task, completed=look.games, total=measured.expected_games, description=interval_text(look)
                )
        except KeyboardInterrupt as stopping:
            stopped = stopping
            measured.pause()
        except KibitzError as error:
            measured.pause()
            raise KibitzError(f"{error}{Received.keeps}") from None
    if stopped is None:
        measured.finish()
    if json:
        print_json(measured.as_json())
    elif measured.look.deals:
        show(measured)
    if stopped is not None:
        raise stopped_after(counted(measured.look.games, "game"), stopped)


def interval_text(look: "Look") -> str:
    if look.interval is None:
        return f"{look.difference:+.3f}"
    return f"{look.difference:+.3f} ± {look.half_width:.3f}"


def show(measured: "MeasuredDuel") -> None:
    plan, look = measured.plan, measured.look
    names = [plain(name) for name in plan.agents]
    out.print(f"[bold]{plan.game.title}[/]: {names[0]} against {names[1]}", soft_wrap=True)
    games = f"{counted(look.games, 'game')} of {plan.players} players, seed {plan.seed}"
    print_terms(games, rules_text(plan.rules))
    out.print()
    share = plan.game.competitive
    for letter, name, mean in zip("AB", names, measured.means, strict=True):
        out.print(f"  {letter}  {name}  [bold]{f'{mean:.1%}' if share else f'{mean:.3f}'}[/]", soft_wrap=True)
    level = f"{100 - 100 * plan.alpha:.4g} % interval, valid at any time"
    out.print(f"\n  difference  [bold]{interval_text(look)}[/]  [dim]({level})[/]")
    out.print(f"  verdict     [bold]{verdict_text(measured)}[/]", soft_wrap=True)


def verdict_text(measured: "MeasuredDuel") -> str:
    plan, look = measured.plan, measured.look
    names = [plain(name) for name in plan.agents]
    if look.verdict == "equal":
        return f"equal: they differ by less than {plan.margin:g}"
    if look.verdict == "undecided":
        left = f"; about {2 * look.deals_left:,} more games would decide it" if look.deals_left else ""
        return f"undecided{left}"
    better = names["AB".index(look.verdict)]
    return f"{look.verdict}: {better} is better"
