"""`kibitz review`: what every decision of a game lost."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits, options
from kibitz.cli.terminal import note, out, plain, print_json, progress_bar, saved

if TYPE_CHECKING:
    from kibitz.coach.review import Review


def review(
    file: Annotated[
        str,
        typer.Argument(
            callback=limits.some_path,
            metavar="FILE|LINK",
            help="A record, or a game in another format, as for `kibitz replay`.",
        ),
    ],
    seat: Annotated[
        int | None, options.option("N", "Seat to review, from 1.", min=1, show_default="the first person's")
    ] = None,
    partners: Annotated[
        str | None,
        options.option(
            "AGENT",
            "Agent that stands for all other seats.",
            show_default="agents for themselves, a model of people for people",
        ),
    ] = None,
    number: Annotated[
        int, options.option("N", "Number of the game in a file with several, from 0.", "--game", min=0)
    ] = 0,
    playouts: Annotated[
        int | None,
        options.option(
            "N", "Playouts per decision (reproducible); decisions in doubt get six times as many.", min=1,
            callback=limits.at_most(limits.MOST_ITERATIONS, "as they are held in memory"),
            show_default="by the game",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        options.option(
            "S", "Stop after this time in seconds (not reproducible), and print what is known by then.", min=0.1,
            max=limits.MOST_SECONDS, show_default="no limit",
        ),
    ] = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    json: options.AsJson = False,
    html: Annotated[Path | None, options.file("FILE", "Write the review as a page of HTML.")] = None,
) -> None:  # fmt: skip
    """Review a game: what each decision was worth by what its player could know, and what it lost.

    kibitz review my_game.json

    kibitz review my_game.json --seat 2 --partners partner --html review.html
    """
    from kibitz.coach.review import reviewing
    from kibitz.core.record import read
    from kibitz.core.whole_files import write_whole

    work = reviewing(
        read(file, number), seat=None if seat is None else seat - 1, partners=partners, seed=seed,
        jobs=options.workers(jobs), playouts=playouts, seconds=seconds or math.inf,
    )  # fmt: skip
    with progress_bar() as progress:
        task = progress.add_task("", total=len(work.played.positions))
        for _ in work:
            progress.update(task, completed=len(work.found))
    found = work.review()
    if html is not None:
        write_whole(html, found.html)
        saved("the review", html)
    if json:
        print_json(found.as_json())
    elif html is None:
        show(found)
    for problem in found.problems:
        note(problem)


def show(review: "Review") -> None:
    from kibitz.coach.page import sentence
    from kibitz.coach.words import amount

    out.print(f"[bold]{plain(review.players[review.seat])}[/], seat {review.seat + 1}", soft_wrap=True)
    out.print(plain(sentence(review)), soft_wrap=True)
    for turn in sorted(review.worst, key=lambda turn: turn.turn):
        loss = amount(turn.loss, review.unit)
        out.print(f"{turn.turn:>3}. {plain(turn.move)}  [yellow]{turn.verdict}[/], {loss}", soft_wrap=True)
        out.print(f"     [dim]{plain(' '.join(filter(None, (turn.text, turn.convention))))}[/]", soft_wrap=True)
