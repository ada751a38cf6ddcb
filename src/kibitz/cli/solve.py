"""`kibitz solve`: what positions are worth with the best play of everybody."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.terminal import COMPILING, GameName, Jobs, complain, patience, progress_bar, workers


def solve(
    game: GameName,
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="MOVES...", help="Positions, each as the moves that lead to it; none is the start."),
    ] = None,
    file: Annotated[
        Path | None,
        limits.path_option("FILE", "Solve every line of a file: moves, and if known their score, which is compared."),
    ] = None,
    jobs: Jobs = 1,
) -> None:
    """Solve positions: print each score from the point of view of the player to move.

        kibitz solve connect4 4453

        kibitz solve connect4 --file positions.txt

    In Connect 4 moves are columns from 1 to 7. A score is 22 less the stones that the winner has used when it wins,
    negative if who is to move loses, 0 for a draw: the higher, the faster.
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
    with patience(COMPILING):
        solver = which.solver()
    wrong = 0
    with progress_bar() as progress:
        task = progress.add_task(f"solving {which.title}", total=len(lines))
        found = solver.scores([position for position, _ in lines], workers(jobs))
        for number, ((position, told), score) in enumerate(zip(lines, found, strict=True), start=1):
            print(score, flush=True)
            progress.update(task, completed=number)
            if told is not None and told != score:
                wrong += 1
                complain(f"Line {number}: {position} has score {score}, but the file says {told}.")
    if wrong:
        raise typer.Exit(1)


def read_lines(path: Path) -> list[tuple[str, int | None]]:
    """The positions of a file, and the score that stands behind each, if one does."""
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
        if len(words) > 2 or not score.removeprefix("-").isdecimal():
            raise KibitzError(f"Line {number} of {path} has to be moves, and perhaps their score: {line[:80]!r}.")
        found.append((words[0], int(score) if len(words) == 2 else None))
    return found
