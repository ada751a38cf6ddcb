"""`kibitz check`: test that a game keeps the promises of `kibitz.core.game`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import options
from kibitz.cli.terminal import counted, out, plain, print_json, progress_bar

if TYPE_CHECKING:
    from kibitz.testing.check import Report


def check(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Name of a game from `kibitz games`, or package.module:NAME.")
    ],
    games: Annotated[int, options.option("N", "Random games per variant.", min=1, max=10_000)] = 1,
    seed: Annotated[int, options.option("N", "Random seed of these games.", min=0)] = 0,
    mutants: Annotated[int, options.option("N", "Number of mutated views, records and texts to try.", min=0)] = 500,
    interpreted: Annotated[
        bool, typer.Option(help="Check in plain Python as well, which detects array indices out of bounds (slower).")
    ] = True,
    json: options.AsJson = False,
) -> None:
    """Test a game: play random games in every way, and check its rules, views, notation, records and pages.

        kibitz check hanabi

        kibitz check my_package.game:MY_GAME --games 20

    It plays with every number of players and every choice of rules, first in plain Python, which detects array indices
    out of bounds, then compiled. Then it mutates views, records and texts, as a hostile host or file might: each must
    be refused or legal, and no agent may crash or hang. The first fault is printed, and the exit code is 1.

    In a test of your package: from kibitz.testing import check_game
    """
    from kibitz.testing.check import check_game, ways_to_play
    from kibitz.testing.fuzz import Plan, fuzz
    from kibitz.testing.plain_python import check_in_plain_python, named_game, same_games

    if ":" in game:  # a game that is not installed yet
        sys.path.insert(0, str(Path.cwd()))
    which = named_game(game)
    total = games * sum(1 for _ in ways_to_play(which))
    with progress_bar() as progress:
        task = progress.add_task("", total=total)

        def played(report: "Report") -> None:
            progress.update(task, completed=report.games)

        first = None
        if interpreted:
            progress.update(task, description=f"{which.title}, in plain Python", completed=0)
            first = check_in_plain_python(game, games, seed, played)
        progress.update(task, description=f"{which.title}, compiled", completed=0)
        report = check_game(which, games=games, seed=seed, progress=played)
        if first is not None:
            same_games(first, report)
        progress.update(task, description=f"{which.title}, mutants", completed=0, total=mutants)
        found = fuzz(Plan(game, seed), mutants, progress=lambda tried: progress.update(task, completed=tried)).check()
    if json:
        print_json({"game": report.game, "games": report.games, "moves": report.moves, "longest": report.longest,
                    "checks": report.checks, "mutants": {"tried": found.tried, "refused": found.refused}})  # fmt: skip
        return
    out.print(
        f"[bold]{plain(which.title)}[/] passes: {counted(report.games, 'random game')}, "
        f"{counted(report.moves, 'move')}, the longest of {report.longest} (at most {which.longest}), "
        f"{'in plain Python and compiled' if first else 'compiled'}.",
        soft_wrap=True,
    )
    for section, count in report.checks.items():
        out.print(f"  {section:<20} {counted(count, 'check'):>14}")
    out.print(
        f"  mutated views, records and texts: {found.tried:,}, of which {found.refused:,} refused; agents decided on "
        f"{found.decisions:,} of the others",
        soft_wrap=True,
    )
