"""`kibitz explain`: what each search technique saves in one position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from kibitz.cli import options
from kibitz.cli.terminal import compiling, out, plain, print_json, saved, writing

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.search.ladder import Step

BAR = 36  # characters of the longest bar


def explain(
    game: options.GameName,
    after: options.After = "",
    start: options.Start = None,
    depth: Annotated[int, options.option("PLIES", "Search depth in plies.", min=1, max=64)] = 6,
    rule: options.Rules = None,
    seed: options.Seed = 0,
    chart: Annotated[
        Path | None, options.file("FILE", "Draw the number of positions of each step: .svg or .png.")
    ] = None,
    tree: Annotated[
        Path | None, options.file("FILE.svg", "Draw the first levels of the tree, with the branches alpha-beta cuts.")
    ] = None,
    book: Annotated[
        Path | None, options.file("FILE.npz", "Add a step with an opening book that `kibitz book` built.")
    ] = None,
    moves: Annotated[bool, options.flag("--moves", "List every move with its value at the same depth.")] = False,
    jobs: options.Jobs = 1,
    tree_depth: Annotated[int, options.option("PLIES", "Number of tree levels to draw.", min=1, max=12)] = 2,
    json: options.AsJson = False,
) -> None:
    """Search a position repeatedly, adding one technique at a time, and show what each saves.

        kibitz explain connect4 --after 4453 --depth 8

        kibitz explain connect4 --after 4453 --depth 6 --tree tree.svg

        kibitz explain three_sets --depth 2 --rule picks=coin --tree sets.svg --tree-depth 3

        kibitz explain dicechess --after "roll 1 e2e4 roll 2" --depth 2 --tree tree.svg

    The game must be one without hidden information. With dice, the steps are expectiminimax without pruning, Star1 and
    Star2, and the tree has a circle for each chance node. A value is in points for the player to move: a win is worth
    10,000, minus one per ply until then.
    """
    from kibitz.core import registry
    from kibitz.core.whole_files import whole_file
    from kibitz.errors import KibitzError
    from kibitz.extras import need
    from kibitz.search import drawn_tree, ladder, move_values
    from kibitz.search.players import usual_weights

    which = registry.game(game)
    if tree is not None and tree.suffix != ".svg":
        raise KibitzError(f"The tree is an SVG file: end its name in .svg, not {tree}.")
    if chart is not None:
        need("charts")
    if chart is not None and chart.suffix not in (".svg", ".png"):
        raise KibitzError(f"The chart is an SVG or PNG file: end its name in .svg or .png, not {chart}.")
    state = position_after(which, after, rule, seed, start)
    ladder.check_position(which, state, depth)
    weights = usual_weights(which)
    with compiling():
        steps = list(ladder.climb(which, state, depth, weights, pages_of(which, book, rule)))
        valued = move_values.value_moves(which, state, depth, weights, jobs=options.workers(jobs)) if moves else []
    title = f"{which.title}{f' from {start}' if start else ''}{f' after {after}' if after else ''}, {depth} plies"
    if json:
        found = [step._asdict() for step in steps]
        print_json({"steps": found, "moves": [each._asdict() for each in valued]} if moves else found)
    else:
        show(which, steps, title)
        for each in valued:
            line = ", ".join(which.move_text(move) for move in each.line[1:])
            out.print(f"  {which.move_text(each.move):<10} {each.value:+.0f}  [dim]{plain(line)}[/]")
    if chart is not None:
        with writing("the chart", chart), whole_file(chart) as draft:
            draw(steps, title, draft, chart.suffix[1:])
        saved("the chart", chart)
    if tree is not None:
        root = drawn_tree.grow(which, state, depth, tree_depth, weights)
        if root.leaves > drawn_tree.MOST_LEAVES:
            raise KibitzError(
                f"The tree has {root.leaves:,} leaves; at most {drawn_tree.MOST_LEAVES} are readable. "
                f"Draw fewer levels with --tree-depth."
            )
        with writing("the tree", tree), whole_file(tree) as draft:
            draft.write_text(drawn_tree.svg(root, title), "utf-8")
        saved("the tree", tree)


def position_after(game: "Game", moves: str, rule: list[str] | None, seed: int, start: str | None = None) -> Any:
    """The state after some moves from the usual start or another."""
    from kibitz.engine import generic
    from kibitz.engine.seeds import keys
    from kibitz.errors import KibitzError

    players, rules = min(game.players), options.rules_of_people(game, rule)
    at = game.deal(keys(seed), 0, players, rules) if start is None else game.set_up(start, players, rules)
    state = at[0]
    for number, move in enumerate(game.moves_of(moves), start=1):
        if generic.to_move(state) == generic.OVER:
            raise KibitzError(f"The game is over after {number - 1} moves of {moves!r}.")
        try:
            generic.apply(state, game.move(move, state))
        except KibitzError as error:
            raise KibitzError(f"Move {number} of {moves!r}: {error}") from None
    return state


def pages_of(game: "Game", path: Path | None, rule: list[str] | None) -> Any:
    """The pages of an opening book of this game, variant and evaluation, as a search takes them."""
    from kibitz.search.book import load_book
    from kibitz.search.players import usual_searcher

    if path is None:
        return None
    book = load_book(path, game, game.rule_bits(options.rules_of_people(game, rule)))
    if (agent := usual_searcher(game)) is not None:
        book.check_evaluation(path, agent)
    return book.words


def show(game: "Game", steps: list["Step"], title: str) -> None:
    from math import log10

    from rich.table import Table

    out.print(f"[bold]{plain(title)}[/]\n")
    grid = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    grid.add_column("", no_wrap=True)
    for heading in ("value", "move", "positions", "cut-offs", "by 1st", "table", "deepest", "seconds"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for step in steps:
        value = f"{step.value:+.0f}" if step.finished else "?"
        first = f"{step.first_cutoffs / step.cutoffs:.0%}" if step.first_cutoffs else ""
        grid.add_row(
            step.name, value, game.move_text(step.move) if step.move >= 0 else "?",
            f"{'' if step.finished else '> '}{step.nodes:,}", f"{step.cutoffs:,}", first, f"{step.answers:,}",
            str(step.deepest), f"{step.seconds:.3f}",
        )  # fmt: skip
    out.print(grid)
    out.print("\npositions, each mark a factor of two")
    for step in steps:
        marks = round(log10(max(step.nodes, 2)) / log10(2))
        out.print(f"  {step.name:<16} [cyan]{'█' * min(marks, BAR)}[/] {step.nodes:,}")
    line = steps[-1].line or (steps[-1].move,)
    out.print(f"\nThe main line: {', '.join(game.move_text(move) for move in line if move >= 0)}")


def draw(steps: list["Step"], title: str, path: Path, form: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.55 * len(steps) + 1.2), layout="constrained")
    axes = figure.add_subplot()
    bars = axes.barh([step.name for step in steps], [max(step.nodes, 1) for step in steps], color="#0072B2")
    axes.bar_label(bars, [f" {step.nodes:,}" for step in steps], fontsize=9)
    axes.set_xscale("log")
    axes.set_xlim(1, 30 * max(step.nodes for step in steps))
    axes.invert_yaxis()
    axes.set_xlabel("positions searched")
    axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, format=form or "png", metadata={"Date": None} if form == "svg" else None)
