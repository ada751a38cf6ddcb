"""`kibitz people`: models of how real people play, fitted to their games."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz import __version__
from kibitz.cli import help, limits, options
from kibitz.cli.interrupt import stoppable
from kibitz.cli.terminal import (
    compiling,
    complain,
    counted,
    note,
    out,
    plain,
    print_json,
    progress_bar,
    saved,
)

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.people import Choices, Choosing, People

SHOWN = 5  # problems printed one by one

app = typer.Typer(
    cls=help.Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="""Fit models of how real people play to their games, and judge them.

        kibitz people score games.jsonl

    says how well the model that comes with kibitz predicts the moves of these people.

        kibitz people fit games.jsonl --output mine.npz

    fits another one, which plays as person@mine.npz. Games are read from files that you name; the servers of kibitz
    never fit anything.""",
)

Files = Annotated[
    list[Path] | None,
    typer.Argument(
        parser=limits.path_named,
        metavar="FILE...",
        help="Games of people, or folders of them: hanab.live JSON (one game per file or line, also .gz), or logs of "
        "the HanabiData set.",
    ),
]
Games = Annotated[
    list[Path] | None,
    options.file("FOLDER", "A folder of games, such as exports of hanab.live. Repeatable.", show_default=False),
]
GameOption = Annotated[
    str | None,
    options.option("GAME", "Name of a game.", "--game", show_default="the first game with models of people"),
]
Cap = Annotated[int, options.count("Games for which one person counts at most.", 10**6, "as it is a number of games")]
Experience = Annotated[
    str,
    options.option(
        "WORD",
        "Experience of people whose games do not name it: new, dabbling (1-10 games), intermediate (10-50) or expert.",
        show_default="unknown",
    ),
]


def chosen_part(name: str | None) -> "tuple[Game, People]":
    from kibitz.core import registry
    from kibitz.errors import KibitzError

    having = [each for each in registry.games() if each.people is not None]
    which = registry.game(name) if name is not None else having[0] if having else None
    if which is None or which.people is None:
        known = ", ".join(each.name for each in having) or "none"
        raise KibitzError(f"Games of people can be read for {known}.")
    return which, which.people


def read_choices(part: "People", files: Sequence[Path] | None, folders: Sequence[Path] | None, experience: str) -> Any:
    """The choices of people in some files; what cannot be used is named."""
    from kibitz.errors import KibitzError

    paths: Iterable[Path] = [*(files or ()), *(folders or ())]
    if not paths:
        raise KibitzError("Name files or folders with games of people, as in `kibitz people score games.jsonl`.")
    with compiling():
        games, problems = part.read(paths, experience)
        for problem in problems[:SHOWN]:
            complain(problem)
        if len(problems) > SHOWN:
            complain(f"{counted(len(problems) - SHOWN, 'more problem')} of this kind.")
        if not games:
            raise KibitzError("None of these files holds a game that can be used.")
        return part.choices(games)


@app.command(cls=help.Command)
@stoppable
def fit(
    files: Files = None,
    games: Games = None,
    output: Annotated[
        Path | None, options.output("FILE", "Output file for the model.", show_default="people.npz")
    ] = None,
    folds: Annotated[
        int, options.option("N", "Folds over people that judge the model; 0 skips this.", min=0, max=50)
    ] = 5,
    cap: Cap = 20,
    experience: Experience = "",
    source: Annotated[
        str, options.option("TEXT", "Where the games come from; kept in the file.", show_default=False)
    ] = "",
    seed: options.Seed = 0,
    game: GameOption = None,
    json: options.AsJson = False,
) -> None:
    """Fit a model of people to their games.

        kibitz people fit games.jsonl --output mine.npz

        kibitz people fit --games exports --experience expert

        kibitz match hanabi person@mine.npz iggi --games 1000

    The model gives every legal move a probability: from what the person sees, from the game so far, and from habits in
    which people differ. It is judged on people it was not fitted to (folds over people), with 95 % intervals by
    bootstrap over people. The file holds what was learned, not the games.

    Fitting takes some minutes on one core.
    """
    from kibitz.learn import people

    which, part = chosen_part(game)
    target = output or Path("people.npz")
    choices = read_choices(part, files, games, experience)
    for problem in people.check_games(choices):
        complain(problem)
    settings = people.Settings(cap=cap, seed=seed)
    figures: dict[str, Any] = {}
    model: Choosing | None = None
    with progress_bar() as bar:
        steps = [people.cross_fit(choices, part.shape, settings, folds)] if folds > 1 else []
        for step in [*steps, people.fit(choices, part.shape, settings)]:
            for found in shown(bar, step):
                if isinstance(found, people.Judged):
                    figures = found.figures(cap)
                else:
                    model = found
    assert model is not None
    provenance = {
        "version": __version__, "files": [path.name for path in (*(files or ()), *(games or ()))],
        "seed": seed, "cap": cap, "folds": folds,
        "people": people.people_by_experience(choices), "games": len(set(choices.games.tolist())),
        "decisions": len(choices), "on_people_not_in_the_fit": figures,
    }  # fmt: skip
    part.save(target, people.described(model, about(which, choices, source), provenance))
    if json:
        print_json({**provenance, "output": str(target)})
        return
    show(which, figures or None, provenance)
    saved("the model", target)
    out.print(f"Play it as `person@{plain(str(target))}`.", soft_wrap=True)


def about(game: "Game", choices: "Choices", source: str) -> str:
    people, games = counted(len(choices.names), "person", "people"), counted(len(set(choices.games.tolist())), "game")
    origin = f" Source: {source}" if source else ""
    return f"Fitted by `kibitz people fit` to {games} of {game.title} by {people}.{origin}"


def shown(bar: Any, steps: Any) -> Any:
    """Show the progress of a fit; yields what is not progress."""
    from kibitz.learn.people import Stage

    task, name = None, ""
    for step in steps:
        if not isinstance(step, Stage):
            yield step
            continue
        if step.name != name:
            task, name = bar.add_task(step.name, total=step.of), step.name
        bar.update(task, completed=step.done)


@app.command(cls=help.Command)
@stoppable
def score(
    files: Files = None,
    games: Games = None,
    model: Annotated[
        Path | None,
        options.file("FILE", "A model that `kibitz people fit` wrote.", show_default="the one that comes with kibitz"),
    ] = None,
    cap: Cap = 20,
    experience: Experience = "",
    game: GameOption = None,
    json: options.AsJson = False,
) -> None:
    """Judge a model of people: how well it predicts their moves.

        kibitz people score games.jsonl

        kibitz people score --games exports --model mine.npz --json

    Prints the share of moves that were the likeliest (accuracy) and the mean of -log(probability of the move) in nats
    (log loss), with 95 % intervals by bootstrap over people. A person counts for at most --cap games.

    The first figures take every move as that of a stranger. The next ones also use the person's moves before in the
    same game, and those in earlier games. They say nothing about other people if the model was fitted to these games.
    """
    from kibitz.learn import people

    which, part = chosen_part(game)
    fitted = part.load(model)
    choices = read_choices(part, files, games, experience)
    judged = people.judge_all(choices, part.shape, fitted, cap)
    figures = judged.figures(cap)
    if json:
        print_json(figures)
        return
    show(which, figures, None)
    if fitted.about:
        note(f"The model: {fitted.about}")


ROWS = (("a stranger", ""), ("knowing the game so far", "with_this_game"), ("and earlier games", "with_earlier_games"))


def show(game: "Game", figures: "dict[str, Any] | None", provenance: "dict[str, Any] | None") -> None:
    from rich.table import Table

    if provenance is not None:
        by = ", ".join(f"{count} {name}" for name, count in provenance["people"].items() if count)
        head = f"{counted(provenance['games'], 'game')}, {counted(provenance['decisions'], 'decision')}"
        out.print(f"[bold]{game.title}[/]: {head}; people: {by}", soft_wrap=True)
    if figures is None:
        return
    where = "on people not in the fit" if provenance is not None else "on these games"
    people = counted(figures["people"], "person", "people")
    out.print(f"[dim]{where}: {people}, at most {counted(figures['cap'], 'game')} each; 95 % intervals[/]")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for number, heading in enumerate(("what is known", "accuracy", "", "log loss", "")):
        table.add_column(heading, justify="right" if number else "left", no_wrap=True)
    for name, key in ROWS:
        part = figures[key] if key else figures
        low, high = part["accuracy_interval"]
        least, most = part["log_loss_interval"]
        table.add_row(
            name, f"{part['accuracy']:.1%}", f"({low:.1%}-{high:.1%})", f"{part['log_loss']:.3f}",
            f"({least:.3f}-{most:.3f})",
        )  # fmt: skip
    out.print(table)
