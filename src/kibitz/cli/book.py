"""`kibitz book`: build a book of positions by search, or look a position up in one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from kibitz.cli import options
from kibitz.cli.explain import position_after
from kibitz.cli.terminal import counted, note, out, plain, progress_bar, typed_command

if TYPE_CHECKING:
    from kibitz.core.game import Game


class Chosen(NamedTuple):
    """The options of a book to build."""

    agent: str | None
    plies: int
    replies: int | None
    full: int
    games: int | None
    random_moves: int
    depth: int
    seed: int
    rule: list[str] | None
    jobs: int


def book(
    game: options.GameName,
    output: Annotated[Path | None, options.output("FILE.npz", "Build a book and write it to this file.")] = None,
    read: Annotated[Path | None, options.file("FILE.npz", "Look a position up in this book.")] = None,
    agent: Annotated[
        str | None, options.option("AGENT", "Agent whose evaluation is used.", show_default="the game's usual one")
    ] = None,
    plies: Annotated[int, options.option("PLIES", "Number of plies that the book covers.", min=1, max=40)] = 4,
    replies: Annotated[
        int | None,
        options.option("N", "Follow only the N best replies to a position.", min=1, max=100, show_default="all"),
    ] = None,
    full: Annotated[
        int, options.option("PLIES", "Number of plies before --replies begins to leave out replies.", min=0, max=40)
    ] = 2,
    games: Annotated[
        int | None,
        options.option(
            "N",
            "Store the positions of N games of the agent against itself instead (learning by rote).",
            min=1,
            max=100_000,
        ),
    ] = None,
    random_moves: Annotated[
        int, options.option("N", "Number of random moves at the start of each of these games.", min=0, max=100)
    ] = 6,
    depth: Annotated[int, options.option("PLIES", "Search depth per position in plies.", min=1, max=64)] = 8,
    after: options.After = "",
    rule: options.Rules = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
) -> None:
    """Build a book of positions by search, or look a position up in one.

        kibitz book draughts --plies 4 --depth 9 --output openings.npz

        kibitz book draughts --read openings.npz --after "22-18 9-13"

    Every position within --plies moves of the start is searched --depth plies deep and stored with its value and best
    move. With --replies the book reaches further: after --full plies it follows only the best replies.

        kibitz book draughts --plies 8 --replies 2 --depth 9 --output deep.npz

    A search with the book uses a stored value if it is deep enough, and a player makes the stored move if that was
    searched deeper than the player looks:

        kibitz explain draughts --depth 8 --book openings.npz

        kibitz watch draughts alphabeta6@book=openings.npz alphabeta2 --rule opening=usual

    With --games the agent learns by rote: it plays against itself and stores every position with its value.

        kibitz book draughts --games 200 --depth 4 --output rote.npz

    A book belongs to one game, its rules, and one evaluation; it is refused with any other.
    """
    from kibitz.errors import KibitzError

    if (output is None) == (read is None):
        raise KibitzError("Use --output FILE to build a book, or --read FILE to look up a position.")
    if output is not None and output.suffix != ".npz":
        raise KibitzError(f"A book is a file that ends in .npz, not {output}.")
    from kibitz.core import registry

    which = registry.game(game)
    if output is not None:
        build(
            which,
            output,
            Chosen(agent, plies, replies, full, games, random_moves, depth, seed, rule, options.workers(jobs)),
        )
    elif read is not None:
        look_up(which, read, after, rule)


def build(game: "Game", path: Path, chosen: "Chosen") -> None:
    import numpy as np

    from kibitz.core import registry
    from kibitz.core.agent import CompiledAgent
    from kibitz.errors import KibitzError
    from kibitz.search import alphabeta, openings
    from kibitz.search.book import Evaluation
    from kibitz.search.ladder import check_position
    from kibitz.search.move_values import searching
    from kibitz.search.open_games import check_fits
    from kibitz.search.players import usual_searcher

    rules = options.rules_of_people(game, chosen.rule)
    state = position_after(game, "", chosen.rule, 0)
    check_fits(game, "An opening book", int(state["players"]), needs=alphabeta.NEEDS)
    check_position(game, state, chosen.depth)
    if not path.parent.is_dir():
        raise KibitzError(f"The folder {path.parent} does not exist. Create it first.")
    agent = registry.agent(game, chosen.agent) if chosen.agent else usual_searcher(game)
    if not isinstance(agent, CompiledAgent) or agent.reads_book is None:
        raise KibitzError(
            f"{agent.name if agent else game.title} does not search by alpha-beta, so it has no values for a book. "
            f"Name another --agent: `kibitz agents {game.name}` lists them."
        )
    start, bits, evaluation = np.array([state], state.dtype), game.rule_bits(rules), Evaluation.of(agent)
    weights, origin = agent.weights.values, typed_command()
    breadth = openings.Breadth(chosen.plies, chosen.replies or 0, chosen.full)
    title = f"{game.title}, {counted(chosen.depth, 'ply', 'plies')}"
    with progress_bar() as progress:
        task = progress.add_task(title, total=chosen.games)

        def tick(done: int) -> None:
            progress.update(task, completed=done)

        if chosen.games:
            made = openings.learn_by_rote(
                game, lambda number: start.copy(), bits, chosen.games, chosen.random_moves, chosen.seed, weights,
                chosen.depth, origin, evaluation, tick,
            )  # fmt: skip
        else:
            made = openings.build(
                game, start, bits, breadth, searching(weights, chosen.depth), origin, evaluation, weights,
                chosen.depth, tick, chosen.jobs,
            )  # fmt: skip
    made.save(path)
    note(f"Saved {len(made.pages):,} positions of {game.title} to {path}.")


def look_up(game: "Game", path: Path, position: str, rule: list[str] | None) -> None:
    from kibitz.engine import generic
    from kibitz.errors import KibitzError
    from kibitz.search.book import load_book
    from kibitz.search.players import value_text

    found = load_book(path, game, game.rule_bits(options.rules_of_people(game, rule)))
    state = position_after(game, position, rule, 0)
    page = found.page(int(generic.key(generic.positions(state, 1)[0])))
    if page is None:
        raise KibitzError(
            f"This position is not in the book, which covers {counted(len(found.pages), 'position')} of fewer "
            f"than {counted(found.plies, 'move')}."
        )
    out.print(f"{game.move_text(page.move)}: {value_text(page.value)}, searched {page.depth} plies deep")
    out.print(f"[dim]{len(found.pages):,} positions, built by {plain(found.origin)}[/]", soft_wrap=True)
