"""Charts of matches and cross tables, for papers and pages.

Matplotlib is slow to load, so it is imported only where a chart is drawn.
"""

from collections.abc import Iterable, Sequence
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.core.whole_files import whole_file
from kibitz.extras import need
from kibitz.text import counted, fit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.arena.cross import Cell, Cross
    from kibitz.arena.experiment import TableRow
    from kibitz.arena.match import Match
    from kibitz.arena.statistics import ScoreCounts

COLOURS = "viridis"  # perceptually uniform, also for the colour-blind and in print
CELL, NARROWEST = 0.62, 3.4  # inches
PARTED_COLOURS = "PuOr"  # diverging around white, safe for the colour-blind
LEAST_SHARE = 0.1  # the least distance from the fair share to the strongest colour
LEAST_SPAN = 4  # the least span of the colours in points, so that noise does not look like a finding
GREY = "0.35"
ENDINGS = (".svg", ".png")


def heat_map(cross: "Cross") -> "Figure":
    """A cross table as a square of colours, with its figures written in.

    In cooperative games, self-play is framed, and agents that understand one another are neighbours, with a gap between
    their groups. In competitive games, the colours diverge at the fair share, and ratings are shown beside the square.
    """
    import numpy as np

    need("charts")
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    from kibitz.arena.partners import groups

    plan = cross.plan
    wins = plan.game.competitive
    grouped = [list(plan.agents)] if wins or cross.missing else groups(cross)
    names = [name for group in grouped for name in group]
    table = [[cross.cells.get((row, column)) for column in names] for row in names]
    means = np.array([[np.nan if cell is None else cell.mean for cell in row] for row in table])
    shorter = dict(zip(plan.agents, short_names(plan.agents), strict=True))
    labels = [shorter[name] for name in names]
    count = len(labels)
    side = max(CELL * count, NARROWEST)
    figure = Figure(figsize=(side, side))  # labels around the square are added when it is saved
    axes = figure.add_axes((0, 0, 1, 1))
    lowest, highest = share_span(means, plan.fair_share) if wins else score_span(means)
    image = axes.imshow(means, cmap=PARTED_COLOURS if wins else COLOURS, vmin=lowest, vmax=highest)
    colours = image.to_rgba(means)
    for row, cells in enumerate(table):
        for column, cell in enumerate(cells):
            ink = readable_on(colours[row, column]) if cell else GREY
            for text, height, points in written(cell, wins):
                axes.annotate(
                    text, (column, row), (0, height), textcoords="offset points",
                    ha="center", va="center", color=ink, fontsize=points,
                )  # fmt: skip
            if row == column and not wins:
                axes.add_patch(Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, fill=False, edgecolor=ink, lw=0.8))
    lines = np.arange(count - 1) + 0.5
    axes.set_xticks(range(count), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(count), labels)
    axes.set_xticks(lines, minor=True)
    axes.set_yticks(lines, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    for end in np.cumsum([len(group) for group in grouped])[:-1] - 0.5:
        axes.axhline(end, color="white", linewidth=4)
        axes.axvline(end, color="white", linewidth=4)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    around = "in the other seat" if plan.players == 2 else f"in the other {plan.players - 1} seats"
    axes.set_ylabel("on one side" if plan.game.sides else "in one seat", color=GREY)
    axes.set_xlabel("on the other" if plan.game.sides else around, color=GREY)
    shown, note = "mean score", "self-play is framed"
    if wins:
        shown, note = "share of the games won", f"the fair share is {percent(plan.fair_share)} %"
    axes.set_title(f"{plan.game.title}, {plan.players} players: {shown}", loc="left", weight="bold", pad=22)
    about = f"{counted(plan.deals, 'deal')} of seed {plan.seed}, ± 95 % interval; {note}"
    axes.annotate(about, (0, 1), (0, 7), "axes fraction", textcoords="offset points", fontsize=8, color=GREY)
    beside = draw_ratings(cross, figure, side) if wins else 0.0
    bar = figure.add_axes((1 + (0.2 + beside) / side, 0, 0.16 / side, 1))
    figure.colorbar(image, cax=bar, format=(lambda share, _: f"{100 * share:.0f} %") if wins else None)
    bar.spines[:].set_visible(False)
    bar.tick_params(length=0, labelsize=8)
    return figure


def score_span(means: Any) -> tuple[float, float]:
    highest = float(ceil(means.max()))
    return min(float(floor(means.min())), highest - LEAST_SPAN), highest


def share_span(means: Any, fair: float) -> tuple[float, float]:
    """A colour range symmetric around the fair share that covers all shares."""
    import numpy as np

    furthest = max(LEAST_SHARE, float(np.nanmax(np.abs(means - fair))))
    return fair - furthest, fair + furthest


def percent(share: float) -> str:
    """A share in percent, without needless decimals."""
    return f"{100 * share:.0f}" if abs(100 * share - round(100 * share)) < 0.05 else f"{100 * share:.1f}"


def written(cell: "Cell | None", wins: bool) -> list[tuple[str, float, float]]:
    """The texts of a cell, each with its height and size: the figure, and its error."""
    if cell is None:
        return [("—", 0.0, 10.0)]
    unit, error = (100, 1) if wins else (1, 2)
    lines = [(f"{unit * cell.mean:.1f}", 3.5, 10.0)]
    if cell.stderr is not None:
        lines.append((f"± {unit * cell.error:.{error}f}", -9.0, 6.5))
    return lines


def draw_ratings(cross: "Cross", figure: "Figure", side: float) -> float:
    """A strip beside the square with the rating of every row and its interval; returns its width in inches."""
    from kibitz.arena.ratings import rating_text, ratings

    width = 1.9
    places = {agent: row for row, agent in enumerate(cross.plan.agents)}
    axes = figure.add_axes((1 + 0.25 / side, 0, (width - 0.35) / side, 1))
    found = ratings(cross)
    for rating in found:
        row, (low, high) = places[rating.agent], (rating.estimate.low, rating.estimate.high)
        axes.plot([low, high], [row, row], color="black", lw=1.6, solid_capstyle="butt")
        axes.plot(rating.points, row, color="black", marker="o", ms=5)
        axes.annotate(
            rating_text(rating), (rating.points, row), (0, 7), textcoords="offset points",
            fontsize=7.5, ha="center", va="bottom", bbox={"color": "white", "pad": 0.6},
        )  # fmt: skip
    axes.axvline(0, color=GREY, lw=0.8, ls=(0, (4, 3)), zorder=0)
    furthest = 1.5 * max(50.0, *(abs(rating.points) + rating.estimate.half_width for rating in found))
    axes.set_xlim(-furthest, furthest)
    axes.set_ylim(len(places) - 0.5, -0.5)
    axes.set_yticks([])
    axes.tick_params(labelsize=8)
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.set_title("rating", fontsize=9, color=GREY, pad=7)
    axes.set_xlabel("Elo points, mean 0", color=GREY, fontsize=9)
    return width


def histograms(title: str, rows: Sequence["TableRow"]) -> "Figure":
    """Score distributions: a panel per agent in self-play, a line per number of players."""
    need("charts")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    panels: dict[str, dict[int, TableRow]] = {}
    for row in rows:  # several may show the same table beside different rivals
        if row.ours is not None and len(set(row.seats)) == 1:
            panels.setdefault(row.seats[0], {})[len(row.seats)] = row
    across = min(3, max(1, len(panels)))
    down = -(-len(panels) // across) or 1
    figure = Figure(figsize=(3.2 * across, 2.1 * down), layout="constrained")
    places = figure.subplots(down, across, sharex=True, squeeze=False)
    most = max((players for group in panels.values() for players in group), default=5)
    for axes in places.flat:
        axes.set_visible(False)
    for axes, (agent, group) in zip(places.flat, panels.items(), strict=False):
        axes.set_visible(True)
        for players, row in group.items():
            assert row.ours is not None
            share = 100 * row.ours.counts / row.ours.games
            colour = mpl.colormaps[COLOURS]((players - 2) / max(most - 1, 1))
            marker = "os^Dv"[players % 5]  # distinguishable without colours, too
            axes.plot(share, color=colour, lw=1, marker=marker, markersize=2.5, label=f"{players} players")
        axes.set_title(agent, loc="left", fontsize=9, weight="bold")
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=7)
        axes.set_ylim(bottom=0)
    drawn = [axes for axes in places.flat if axes.get_visible()]
    if drawn:
        drawn[0].legend(fontsize=6.5, frameon=False)
        drawn[0].set_ylabel("% of games", fontsize=8, color=GREY)
    figure.supxlabel("score", fontsize=8, color=GREY)
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, weight="bold")
    return figure


def scores(match: "Match", tally: "ScoreCounts") -> "Figure":
    """The score distribution of a match, with the mean marked."""
    need("charts")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.0), layout="constrained")
    axes = figure.subplots()
    axes.bar(range(tally.best + 1), 100 * tally.counts / tally.games, 0.84, color="#0072B2")
    axes.axvline(tally.mean, color="black", lw=1.2, ls=(0, (4, 2)))
    axes.annotate(
        f"mean {tally.estimate:.2f}", (tally.mean, 1), (4, 3), ("data", "axes fraction"),
        textcoords="offset points", fontsize=8.5, ha="right" if tally.mean > tally.best / 2 else "left",
    )  # fmt: skip
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8.5)
    axes.set_xlabel("score", color=GREY)
    axes.set_ylabel("% of games", color=GREY)
    alike = len(set(match.seats)) == 1
    names = short_names(match.seats)
    who = f"{names[0]} × {len(names)}" if alike else " · ".join(names)
    rules = ", ".join(f"{name}={value}" for name, value in match.terms.items())
    figure.text(
        0.01, 1.02, f"{counted(tally.games, 'game')} of seed {match.seed}; {rules}", fontsize=8, color=GREY, va="bottom"
    )
    figure.text(0.01, 1.08, f"{match.game.title}: scores of {who}", fontsize=11.5, weight="bold", va="bottom")
    return figure


def readable_on(colour: Iterable[float]) -> str:
    """Black or white, whichever is readable on a colour."""
    red, green, blue, *_ = colour
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.48 else "black"


def short_names(names: Sequence[str]) -> list[str]:
    """Printable names, without their folders where they stay distinct."""
    short = [fit(name.rsplit("/", 1)[-1]) for name in names]
    return short if len(set(short)) == len(short) else list(map(fit, names))


def save(figure: "Figure", prefix: Path) -> list[Path]:
    """Write a chart as SVG and PNG; the same data give identical files."""
    import matplotlib as mpl

    paths = [prefix.with_name(prefix.name + ending) for ending in ENDINGS]
    with mpl.rc_context({"svg.hashsalt": "kibitz", "svg.fonttype": "path"}):
        for path in paths:
            metadata = {"Date": None} if path.suffix == ".svg" else {}
            with whole_file(path) as draft:
                figure.savefig(
                    draft, format=path.suffix[1:], dpi=160, bbox_inches="tight", pad_inches=0.2, metadata=metadata
                )
    return paths
