"""`kibitz check`: whether a game, ours or of a package, keeps what is promised of games."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.terminal import AsJson, counted, out, plain, print_json, progress_bar

if TYPE_CHECKING:
    from kibitz.testing.check import Report


def check(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Name of a game from `kibitz games`, or package.module:NAME.")
    ],
    games: Annotated[int, typer.Option(min=1, max=10_000, help="Random games per variant.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of these games.")] = 0,
    mutants: Annotated[int, typer.Option(min=0, help="Number of mutated views, records and texts to try.")] = 500,
    interpreted: Annotated[
        bool, typer.Option(help="Check in plain Python as well, which detects array indices out of bounds (slower).")
    ] = True,
    json: AsJson = False,
) -> None:
    """Play random games of a game in every way, and check its rules, views, notation, records and pages.

    It plays with every number of players by every choice of rules, first in plain Python, where an index outside of an
    array is found, then in machine code. Then it changes views, records and texts of these games, as a hostile host
    or file would: each must be refused, or be legal, and no agent may crash or hang on one that is accepted. What is
    wrong is told in a sentence, and the exit code is 1.

        kibitz check hanabi

        kibitz check my_package.game:MY_GAME --games 20

    In a test of your package: from kibitz.testing import check_game
    """
    from kibitz.testing.check import check_game, ways_to_play
    from kibitz.testing.fuzz import Plan, fuzz
    from kibitz.testing.plain_python import check_in_plain_python, named_game, same_games

    if ":" in game:  # a game that is written here, and not installed yet
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
        progress.update(task, description=f"{which.title}, changed views", completed=0, total=mutants)
        found = fuzz(Plan(game, seed), mutants, progress=lambda tried: progress.update(task, completed=tried)).check()
    if json:
        print_json({"game": report.game, "games": report.games, "moves": report.moves, "longest": report.longest,
                    "checks": report.checks, "mutants": {"tried": found.tried, "refused": found.refused}})  # fmt: skip
        return
    out.print(
        f"[bold]{plain(which.title)}[/] keeps its promises: {counted(report.games, 'random game')}, "
        f"{counted(report.moves, 'move')}, the "
        f"longest of {report.longest} (at most {which.longest}){', in plain Python and compiled' if first else ''}."
    )
    for section, count in report.checks.items():
        out.print(f"  {section:<20} {count:>7,} checks")
    out.print(
        f"  {found.tried:,} changed views, records and texts: {found.refused:,} refused; agents decided at "
        f"{found.decisions:,} of the others"
    )
