"""Pictures of what was measured, for papers and pages.

Matplotlib takes a moment to load: it is imported where a picture is drawn, and never before.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.arena.statistics import Z95

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.arena.cross import Cross
    from kibitz.arena.experiment import Row
    from kibitz.arena.match import Match
    from kibitz.arena.statistics import Tally

COLOURS = "viridis"  # its steps are even to every eye, the colour-blind's too, and in print
CELL, NARROWEST = 0.62, 3.4  # inches
LEAST_SPAN = 4  # points from the darkest to the lightest colour, so that noise does not look like a finding
GREY = "0.35"
ENDINGS = (".svg", ".png")


def heat_map(cross: "Cross") -> "Figure":
    """A cross table as a square of colours, with its figures written in and self-play framed."""
    import numpy as np
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    plan = cross.plan
    means = np.array([[cell.mean for cell in row] for row in cross.rows()])
    labels = short_names(plan.agents)
    count = len(labels)
    side = max(CELL * count, NARROWEST)
    figure = Figure(figsize=(side, side))  # what stands around the square is added when it is saved
    axes = figure.add_axes((0, 0, 1, 1))
    highest = float(np.ceil(means.max()))
    lowest = min(float(np.floor(means.min())), highest - LEAST_SPAN)
    image = axes.imshow(means, cmap=COLOURS, vmin=lowest, vmax=highest)
    colours = image.to_rgba(means)
    for row, cells in enumerate(cross.rows()):
        for column, cell in enumerate(cells):
            ink = readable_on(colours[row, column])
            written = [(f"{cell.mean:.1f}", 3.5, 10.0)]
            if cell.stderr is not None:
                written.append((f"± {cell.half_width:.2f}", -9.0, 6.5))
            for text, height, points in written:
                axes.annotate(
                    text, (column, row), (0, height), textcoords="offset points",
                    ha="center", va="center", color=ink, fontsize=points,
                )  # fmt: skip
            if row == column:
                axes.add_patch(Rectangle((column - 0.44, row - 0.44), 0.88, 0.88, fill=False, edgecolor=ink, lw=0.8))
    lines = np.arange(count - 1) + 0.5
    axes.set_xticks(range(count), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(count), labels)
    axes.set_xticks(lines, minor=True)
    axes.set_yticks(lines, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel("in one seat", color=GREY)
    axes.set_xlabel("in the other seat" if plan.players == 2 else f"in the other {plan.players - 1} seats", color=GREY)
    axes.set_title(f"{plan.game.title}, {plan.players} players: mean score", loc="left", weight="bold", pad=22)
    about = f"{plan.deals:,} deals of seed {plan.seed}, ± 95 % interval; self-play is framed"
    axes.annotate(about, (0, 1), (0, 7), "axes fraction", textcoords="offset points", fontsize=8, color=GREY)
    bar = figure.add_axes((1 + 0.2 / side, 0, 0.16 / side, 1))
    figure.colorbar(image, cax=bar)
    bar.spines[:].set_visible(False)
    bar.tick_params(length=0, labelsize=8)
    return figure


def histograms(title: str, rows: Sequence["Row"]) -> "Figure":
    """How often each score came up: a panel for each agent in self-play, a line for each number of players."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    panels: dict[str, list[Row]] = {}
    for row in rows:
        if row.ours is not None and len(set(row.seats)) == 1:
            panels.setdefault(row.seats[0], []).append(row)
    across = min(3, max(1, len(panels)))
    down = -(-len(panels) // across) or 1
    figure = Figure(figsize=(3.2 * across, 2.1 * down), layout="constrained")
    places = figure.subplots(down, across, sharex=True, squeeze=False)
    most = max((len(row.seats) for group in panels.values() for row in group), default=5)
    for axes in places.flat:
        axes.set_visible(False)
    for axes, (agent, group) in zip(places.flat, panels.items(), strict=False):
        axes.set_visible(True)
        for row in group:
            assert row.ours is not None
            players = len(row.seats)
            share = 100 * row.ours.counts / row.ours.games
            colour = mpl.colormaps[COLOURS]((players - 2) / max(most - 1, 1))
            marker = "os^Dv"[players % 5]  # told apart without colours, too
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


def scores(match: "Match", tally: "Tally") -> "Figure":
    """How often each score came up in a match, with the mean marked."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.0), layout="constrained")
    axes = figure.subplots()
    axes.bar(range(tally.best + 1), 100 * tally.counts / tally.games, 0.84, color="#0072B2")
    axes.axvline(tally.mean, color="black", lw=1.2, ls=(0, (4, 2)))
    error = f" ± {Z95 * tally.stderr:.2f}" if tally.stderr is not None else ""
    axes.annotate(
        f"mean {tally.mean:.2f}{error}", (tally.mean, 1), (4, 3), ("data", "axes fraction"),
        textcoords="offset points", fontsize=8.5, ha="right" if tally.mean > tally.best / 2 else "left",
    )  # fmt: skip
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8.5)
    axes.set_xlabel("score", color=GREY)
    axes.set_ylabel("% of games", color=GREY)
    alike = len(set(match.seats)) == 1
    names = short_names(match.seats)
    who = f"{names[0]} × {len(names)}" if alike else " · ".join(names)
    rules = ", ".join(f"{name}={value}" for name, value in match.rules.items())
    figure.text(0.01, 1.02, f"{tally.games:,} games of seed {match.seed}; {rules}", fontsize=8, color=GREY, va="bottom")
    figure.text(0.01, 1.08, f"{match.game.title}: scores of {who}", fontsize=11.5, weight="bold", va="bottom")
    return figure


def readable_on(colour: Iterable[float]) -> str:
    """The ink that stands out on a colour."""
    red, green, blue, *_ = colour
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.48 else "black"


def short_names(names: Sequence[str]) -> list[str]:
    """Names without their folders, where that leaves them different."""
    short = [name.rsplit("/", 1)[-1] for name in names]
    return short if len(set(short)) == len(short) else list(names)


def save(figure: "Figure", prefix: Path) -> list[Path]:
    """Write a picture as SVG and as PNG; the same figures give the same files."""
    import matplotlib as mpl

    paths = [prefix.with_name(prefix.name + ending) for ending in ENDINGS]
    with mpl.rc_context({"svg.hashsalt": "kibitz", "svg.fonttype": "path"}):
        for path in paths:
            metadata = {"Date": None} if path.suffix == ".svg" else {}
            figure.savefig(path, dpi=160, bbox_inches="tight", pad_inches=0.2, metadata=metadata)
    return paths
