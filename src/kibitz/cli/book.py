"""`kibitz book`: an opening book of an open game, built by search, and what it says of a position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.explain import position_after, rules_of
from kibitz.cli.terminal import (
    COMPILING,
    GameName,
    Jobs,
    Rules,
    err,
    out,
    patience,
    plain,
    progress_bar,
    workers,
)

if TYPE_CHECKING:
    from kibitz.core.game import Game

MOST_POSITIONS = 100_000


def book(
    game: GameName,
    output: Annotated[Path | None, limits.path_option("FILE.npz", "Build a book and write it to this file.")] = None,
    read: Annotated[Path | None, limits.path_option("FILE.npz", "Say what a book has of a position.")] = None,
    plies: Annotated[int, typer.Option(min=1, max=20, help="Number of plies that the book covers.")] = 4,
    depth: Annotated[int, typer.Option(min=1, max=64, metavar="PLIES", help="Search depth per position in plies.")] = 8,
    position: Annotated[
        str,
        typer.Option(metavar="MOVES", help="With --read: moves that lead to the position. [default: none, the start]"),
    ] = "",
    rule: Rules = None,
    jobs: Jobs = 1,
) -> None:
    """Build an opening book by search, or look a position up in one.

        kibitz book draughts --plies 4 --depth 9 --output openings.npz

        kibitz book draughts --read openings.npz --position "22-18 9-13"

    Every position after fewer moves than --plies is searched --depth plies deep, from the start as people play, and is
    kept with its value and its best move. A search that is handed the book reads there what a position is worth, if
    that was searched as deep as is wanted, instead of searching on:

        kibitz explain draughts --depth 8 --book openings.npz

    A book is for one game and one variant: by other --rule it is refused.
    """
    from kibitz.errors import KibitzError

    if (output is None) == (read is None):
        raise KibitzError("Use --output FILE to build a book, or --read FILE to look up a position.")
    if output is not None and output.suffix != ".npz":
        raise KibitzError(f"A book is written to a file that ends in .npz, not {output}.")
    from kibitz.core import registry

    which = registry.game(game)
    if output is not None:
        built(which, output, plies, depth, rule, workers(jobs))
    elif read is not None:
        looked_up(which, read, position, rule)


def built(game: "Game", path: Path, plies: int, depth: int, rule: list[str] | None, jobs: int) -> None:
    import numpy as np

    from kibitz.errors import KibitzError
    from kibitz.search import alphabeta
    from kibitz.search import book as books
    from kibitz.search.ladder import check_position
    from kibitz.search.move_values import searching
    from kibitz.search.open_games import check_fits
    from kibitz.search.players import usual_weights

    rules = rules_of(game, rule)
    state = position_after(game, "", rule, 0)
    check_fits(game, "An opening book", int(state["players"]), needs=alphabeta.NEEDS)
    check_position(game, state, depth)
    start = np.array([state], state.dtype)
    if not path.parent.is_dir():
        raise KibitzError(f"There is no folder {path.parent} to write the book to.")
    with patience(COMPILING):
        solve = searching(usual_weights(game), depth)
        count = sum(1 for _ in zip(books.opening_states(game, start, plies), range(MOST_POSITIONS + 1), strict=False))
    if count > MOST_POSITIONS:
        raise KibitzError(
            f"{plies} plies are more than {MOST_POSITIONS:,} positions of {game.title}. Use fewer --plies."
        )
    chosen = " ".join(f"{name}={value}" for name, value in rules.items())
    origin = f"kibitz book {game.name} --plies {plies} --depth {depth}" + (f", by {chosen}" if chosen else "")
    with progress_bar() as progress:
        task = progress.add_task(f"{game.title}, {depth} plies", total=count)

        def told(done: int) -> None:
            progress.update(task, completed=done)

        made = books.build(game, start, game.rule_bits(rules), plies, solve, origin, told, jobs)
    made.save(path)
    err.print(f"{len(made.pages):,} positions of {game.title} are in {plain(str(path))}.", soft_wrap=True)


def looked_up(game: "Game", path: Path, position: str, rule: list[str] | None) -> None:
    from kibitz.engine import generic
    from kibitz.errors import KibitzError
    from kibitz.search.book import load_book
    from kibitz.search.players import value_text

    found = load_book(path, game, game.rule_bits(rules_of(game, rule)))
    state = position_after(game, position, rule, 0)
    page = found.page(int(generic.key(generic.positions(state, 1)[0])))
    if page is None:
        raise KibitzError(
            f"The book has {len(found.pages):,} positions after fewer than {found.plies} moves, and not this one."
        )
    out.print(f"{game.move_text(page.move)}: {value_text(page.value)}, searched {page.depth} plies deep")
    out.print(f"[dim]{len(found.pages):,} positions, built by {plain(found.origin)}[/]", soft_wrap=True)
