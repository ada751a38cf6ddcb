"""`kibitz solve`: the value of positions with perfect play."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.terminal import compiling, complain, progress_bar


def solve(
    game: options.GameName,
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="MOVES...", help="Positions, each as the moves that lead to it. [default: the start]"),
    ] = None,
    file: Annotated[
        Path | None,
        options.file("FILE", "Solve every line of a file: moves, optionally followed by the expected score."),
    ] = None,
    jobs: options.Jobs = 1,
) -> None:
    """Solve positions: print each score from the point of view of the player to move.

        kibitz solve connect4 4453

        kibitz solve connect4 --file positions.txt

    In Connect 4 moves are columns from 1 to 7. The score of a win is 22 minus the number of stones the winner has
    played, so faster wins score higher; a loss is negative, and a draw is 0. A wrong score in a file exits with 1.
    """
    from kibitz.core import registry
    from kibitz.errors import KibitzError

    which = registry.game(game)
    if which.solver is None:
        known = ", ".join(each.name for each in registry.games() if each.solver is not None)
        raise KibitzError(f"Positions of {which.title} cannot be solved. Those of {known} can.")
    if moves and file:
        raise KibitzError("Name positions or a file of them, not both.")
    lines = read_lines(file) if file else [(each, None) for each in moves or [""]]
    with compiling():
        solver = which.solver()
    wrong = 0
    with progress_bar() as progress:
        task = progress.add_task(f"solving {which.title}", total=len(lines))
        found = solver.scores([position for position, _ in lines], options.workers(jobs))
        for number, ((position, expected), score) in enumerate(zip(lines, found, strict=True), start=1):
            print(score, flush=True)
            progress.update(task, completed=number)
            if expected is not None and expected != score:
                wrong += 1
                complain(f"Line {number}: {position} has score {score}, but the file says {expected}.")
    if wrong:
        raise typer.Exit(1)


def read_lines(path: Path) -> list[tuple[str, int | None]]:
    """The positions of a file, each with its expected score if it has one."""
    from kibitz.errors import KibitzError

    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise KibitzError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    found: list[tuple[str, int | None]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        score = words[1] if len(words) == 2 else "0"
        if len(words) > 2 or not score.removeprefix("-").isdecimal() or len(score) > 9:
            raise KibitzError(
                f"Line {number} of {path} must be moves, optionally followed by their score: {line[:80]!r}."
            )
        found.append((words[0], int(score) if len(words) == 2 else None))
    return found
