"""`kibitz puzzles`: solve positions with one clearly best move, list them, and make them from games."""

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import help, options
from kibitz.cli.interrupt import stoppable
from kibitz.cli.terminal import (
    compiling,
    complain,
    counted,
    out,
    plain,
    print_json,
    progress_bar,
    saved,
    typed_command,
)

if TYPE_CHECKING:
    from kibitz.coach.puzzles import Puzzle
    from kibitz.coach.solving import Progress
    from kibitz.core.game import Game

SHOWN_MOVES = 5  # in an answer

app = typer.Typer(
    cls=help.Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="""Solve puzzles: positions in which one move is clearly the best for what its player can know.

        kibitz puzzles solve hanabi --ten

        kibitz puzzles solve loveletter --theme guess

        kibitz puzzles list""",
)

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game with puzzles; `list` shows them.")]
ThemeOption = Annotated[
    str, options.option("THEME", "Only puzzles of this theme; `list GAME` shows the themes.", show_default=False)
]


@app.command("list", cls=help.Command)
@stoppable
def list_puzzles(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Show the themes and lessons of this game.")
    ] = None,
    origin: Annotated[bool, options.flag("--origin", "How they were made, as a table of Markdown.")] = False,
    json: options.AsJson = False,
) -> None:
    """List the puzzles that come with kibitz: how many per game, or per theme of a game.

        kibitz puzzles list

        kibitz puzzles list hanabi

    With --origin, it prints how many decisions were examined and kept, and the commands.
    """
    from collections import Counter

    from kibitz.coach import puzzles
    from kibitz.core import registry

    if origin:
        print_origins()
        return
    if game is None:
        counts = {each.name: len(puzzles.of(each.name)) for each in puzzles.games()}
        if json:
            print_json(counts)
            return
        for name, count in counts.items():
            out.print(f"{name:<12} {counted(count, 'puzzle')}")
        return
    which, found = registry.game(game), puzzles.of(game)
    part, themes = puzzles.part_of(which), Counter(puzzle.theme for puzzle in found)
    if json:
        print_json({"themes": dict(themes), "lessons": [each.name for each in part.lessons]})
        return
    out.print(f"[bold]{which.title}[/]: {counted(len(found), 'puzzle')}")
    for name, theme in part.themes.items():
        out.print(f"  {name:<18} {themes[name]:>5}  {theme.help}")
    if part.lessons:
        out.print("Lessons, for `kibitz puzzles solve --lesson NAME`:")
    for lesson in part.lessons:
        out.print(f"  {lesson.name:<18}        {lesson.title}")


def print_origins() -> None:
    from kibitz.coach import puzzles

    found = [(game.title, shipped.origin) for game in puzzles.games() if (shipped := puzzles.shipped(game.name))]
    heads = ["games", "decisions", "promising", "unclear", "unconfirmed", "kept", "exact", "confirmed", "shipped"]
    print(f"| | {' | '.join(heads)} |")
    print("|---" * (len(heads) + 1) + "|")
    for title, each in found:
        stages = " | ".join(f"{each.stages.get(stage, 0):,}" for stage in ("unclear", "unconfirmed", "kept"))
        confirmed = f"{100 * each.confirmed:.1f} %" if each.stages.get("kept", 0) > each.exact else ""
        print(
            f"| {title} | {each.games:,} | {each.decisions:,} | {each.promising:,} | {stages} | {each.exact:,} | "
            f"{confirmed} | {each.puzzles:,} |"
        )
    print()
    for _, each in found:
        print(f"    {each.command}")


@app.command(cls=help.Command)
@stoppable
def solve(
    game: GameArgument = "hanabi",
    theme: ThemeOption = "",
    ten: Annotated[bool, options.flag("--ten", "The ten puzzles of today, from easy to hard.")] = False,
    lesson: Annotated[str, options.option("NAME", "A lesson for beginners and its puzzles.", show_default=False)] = "",
    puzzle: Annotated[str, options.option("ID", "A single puzzle.", show_default=False)] = "",
    solver: Annotated[str, options.option("NAME", "Your name: everybody has other ten puzzles.")] = "guest",
    progress: Annotated[
        Path | None,
        options.file("FILE", "Where your rating is kept.", show_default="puzzles.json in the data folder"),
    ] = None,
) -> None:
    """Solve puzzles at the terminal: choose a move by its number or its text, then see the answer.

        kibitz puzzles solve

        kibitz puzzles solve hanabi --ten

        kibitz puzzles solve hanabi --lesson saving

    An empty line skips a puzzle, q quits. Your rating goes up or down with every puzzle that you try for the first time
    (Glicko-2); puzzles near your rating come first.
    """
    from kibitz.coach import puzzles, solving
    from kibitz.core import registry

    which, found = registry.game(game), puzzles.of(game)
    where = progress or default_progress()
    everything = read_progress(where)
    mine = solving.Progress.from_json(everything.get(which.name, {}))
    chosen = choose(which, found, mine, theme, ten, lesson, puzzle, solver)
    with compiling():
        _ = chosen[0].view
    for each in chosen:
        solved = ask(which, each)
        if solved is None:
            break
        if solved == "skipped":
            continue
        before = mine.rating.rating
        mine, _ = solving.update(mine, each, solved == "solved", date.today())
        everything[which.name] = mine.as_json()
        write_progress(where, everything)
        change = mine.rating.rating - before
        streak = f"  {counted(mine.streak, 'puzzle')} in a row" if mine.streak > 1 else ""
        out.print(f"Your rating: {mine.rating.rating:.0f} ({change:+.0f}){streak}\n")


def choose(
    game: "Game", found: "Sequence[Puzzle]", mine: "Progress", theme: str, ten: bool, lesson: str, puzzle: str,
    solver: str,
) -> "list[Puzzle]":  # fmt: skip
    """The puzzles to solve; an error lists the known names."""
    from kibitz.coach import puzzles, solving
    from kibitz.errors import KibitzError, unknown

    part = puzzles.part_of(game)
    if sum((ten, bool(lesson), bool(puzzle), bool(theme))) > 1:
        raise KibitzError("Choose one of --ten, --lesson, --puzzle and --theme.")
    if puzzle:
        fitting = [each for each in found if each.id == puzzle]
        if not fitting:
            raise KibitzError(f"There is no puzzle {puzzle[:40]!r} of {game.title}.")
        return fitting
    if lesson:
        names = [each.name for each in part.lessons]
        if lesson not in names:
            raise unknown("lesson", lesson, names, f"The lessons of {game.title} are {', '.join(names) or 'none'}.")
        text, chosen = solving.lesson(game.name, lesson)
        out.print(f"[bold]{text.title}[/]\n{text.text}\n", soft_wrap=True)
        return chosen
    if theme and theme not in part.themes:
        raise unknown("theme", theme, part.themes, f"The themes of {game.title} are {', '.join(part.themes)}.")
    if ten:
        return solving.daily_ten(found, date.today(), solver)
    chosen = solving.upcoming(found, mine.rating.rating, len(found), solver, mine.seen, theme)
    if not chosen:
        raise KibitzError("You have tried all of these puzzles. Choose another theme, or another --progress file.")
    return chosen


def ask(game: "Game", puzzle: "Puzzle") -> str | None:
    """Show a puzzle and its answer: solved, missed or skipped; None to quit."""
    from kibitz.coach import puzzles
    from kibitz.errors import KibitzError

    view = puzzle.view
    legal = [int(move) for move in game.legal(view)]
    title = puzzles.part_of(game).themes[puzzle.theme].title
    seats = f"You are {game.seat_name(puzzle.seat)}, and it is your turn."
    out.print(f"[bold]Find the best move[/]  [dim]puzzle {puzzle.id}, rating {puzzle.rating}[/]")
    out.print(f"{seats} {puzzles.convention(puzzle)}".strip(), soft_wrap=True)
    turns = range(max(len(puzzle.moves) - puzzle.players, 0), len(puzzle.moves))
    for turn in turns:
        if text := plain(game.event_text(view, turn)):
            out.print(f"[dim]{turn + 1:>3}. {text}[/]")
    out.print(game.board(view))
    texts = [game.move_text(move) for move in legal]
    numbered = not any(text.isdigit() for text in texts)  # else a number is a move by itself
    for number, text in enumerate(texts, start=1):
        out.print(f"  {number:>2}  {plain(text)}" if numbered else f"  {text}")
    while True:
        out.print("Your move? ", end="")
        answer = sys.stdin.readline()
        if answer == "" or answer.strip().lower() in ("q", "quit"):
            out.print()
            return None
        if not answer.strip():
            return "skipped"
        try:
            chosen = numbered and answer.strip().isdigit() and 0 < int(answer) <= len(legal)
            move = legal[int(answer) - 1] if chosen else int(game.move(answer.strip(), view))
        except KibitzError as error:
            complain(str(error))
            continue
        break
    solved = puzzle.solves(move)
    out.print("[bold green]Right.[/]" if solved else f"[bold red]No:[/] {plain(game.move_text(move))} is worse.")
    out.print(f"[bold]{title}.[/] {plain(puzzle.text)}", soft_wrap=True)
    for each, value, spread in puzzle.values[:SHOWN_MOVES]:
        mark = "▶" if each == move else " "
        out.print(f"  {mark} {plain(game.move_text(each)):<20} {value_text(puzzle, value, spread)}")
    return "solved" if solved else "missed"


def value_text(puzzle: "Puzzle", value: float, error: float) -> str:
    if puzzle.measure == "wins":
        return f"{100 * value:.0f} %" + ("" if puzzle.exact else f" ± {196 * error:.0f}")
    return f"{value:.2f}" + ("" if error == 0.0 else f" ± {1.96 * error:.2f}")


def default_progress() -> Path:
    from kibitz.engine.folders import data_folder

    return data_folder() / "puzzles.json"


def read_progress(where: Path) -> dict[str, Any]:
    import json

    from kibitz.errors import KibitzError

    try:
        return dict(json.loads(where.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise KibitzError(f"{where} cannot be read: {error}. Name another file with --progress.") from None


def write_progress(where: Path, everything: dict[str, Any]) -> None:
    import json

    from kibitz.core.whole_files import write_whole

    write_whole(where, json.dumps(everything, indent=1) + "\n")


@app.command(cls=help.Command)
@stoppable
def make(
    game: GameArgument,
    output: Annotated[Path, options.output("FILE", "Output file (.jsonl.gz).")],
    records: Annotated[
        Path | None,
        options.file("FILE", "Use these games between built-in agents instead of playing.", show_default=False),
    ] = None,
    games: Annotated[
        int | None, options.option("N", "Games to play or to use.", min=1, show_default="100, or all")
    ] = None,
    most: Annotated[int | None, options.option("N", "Puzzles to keep.", min=1, show_default="all")] = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
) -> None:  # fmt: skip
    """Make puzzles from games: examine every decision, keep those with one clearly best move.

        kibitz puzzles make hanabi --games 100 --seed 7 --output mine.jsonl.gz

    A decision is kept if the best move leads the second by enough (0.25 points at Hanabi, or 0.1 in the chance of 25;
    0.1 of a win at Love Letter), if the 99 % interval of the lead is clear of zero, and if a second evaluator with
    other random numbers agrees.

    The run can be stopped and resumed with the same command: what is done is kept beside the output. The puzzles are
    the same for any number of workers.
    """
    from kibitz.coach import puzzle_making, puzzles
    from kibitz.core import registry
    from kibitz.core.record import every

    which = registry.game(game)
    puzzles.part_of(which)
    used = tuple(every(records)) if records else ()
    count = min(games or len(used), len(used)) if records else games or 100
    plan = puzzle_making.Making(which, seed, used)
    made = []
    with progress_bar() as bar:
        task = bar.add_task(f"making puzzles of {which.title}", total=count)
        for each in puzzle_making.resume(plan, count, output, options.workers(jobs)):
            made.append(each)
            bar.update(task, completed=len(made))
        task = bar.add_task("putting answers in words", total=sum(len(each.puzzles) for each in made))
        worded = []
        for found in puzzle_making.worded(made, seed, options.workers(jobs)):
            worded.append(found)
            bar.advance(task)
    kept = puzzle_making.chosen(which, worded, most)
    origin = puzzle_making.origin_of(plan, typed_command(), made, len(kept))
    puzzles.write(output, origin, kept)
    stages = ", ".join(f"{number:,} {stage}" for stage, number in sorted(origin.stages.items()))
    out.print(
        f"{counted(origin.games, 'game')}, {counted(origin.decisions, 'decision')}, {origin.promising:,} promising "
        f"({stages}): {counted(len(kept), 'puzzle')}",
        soft_wrap=True,
    )
    saved("the puzzles", output)
