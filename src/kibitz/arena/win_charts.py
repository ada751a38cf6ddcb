"""Charts of a competitive match: shares of wins, last turns, and whatever else the game counts by turn."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.charts import GREY, short_names
from kibitz.arena.standings import Standings, last_turn
from kibitz.extras import need
from kibitz.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kibitz.core.results import Count

# Players have Okabe and Ito's colours, which are safe for the colour-blind; kinds are ordered, so they have even steps.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
STEPS = "viridis"
NOBODY = "0.65"
SEEN = 0.005  # the least share of games without a winner that is drawn
MOST_GROUPS = 24  # groups of bars; more turns are binned


def pictures(standings: Standings) -> Iterator[tuple[str, "Figure"]]:
    """All charts of a match, with their file names."""
    yield "shares", shares(standings)
    if standings.by_turn.size:
        yield "by-turn", by_turn(standings)
    for count in standings.match.game.counts:
        if count.kinds and standings.counts[count.name].any():
            yield count.name, kinds_by_turn(standings, count)


def shares(standings: Standings) -> "Figure":
    """Each seat's share of wins: a bar with its 95 % interval, and points by place at the table."""
    names, players = numbered(standings), standings.match.players
    figure, [[axes]] = panels(standings, "share of the games won", 1, (6.4, 0.62 * (players + 1)))
    for seat in range(players):
        share = standings.share(seat)
        axes.barh(seat, share.mean, 0.62, color=COLOURS[seat % len(COLOURS)])
        low, high = share.low, share.high
        axes.plot([low, high], [seat, seat], color="black", lw=1.4, solid_capstyle="butt")
        for end in (low, high):
            axes.plot([end, end], [seat - 0.12, seat + 0.12], color="black", lw=1.4)
        axes.annotate(
            f"{share.mean:.1%}", (max(high, share.mean), seat), (6, 0), textcoords="offset points", va="center"
        )
    drawn = standings.draws / standings.games
    axes.barh(players, drawn, 0.62, color=NOBODY)
    axes.annotate(f"{drawn:.1%}", (drawn, players), (6, 0), textcoords="offset points", va="center", color=GREY)
    axes.axvline(1 / players, color=GREY, lw=0.9, ls=(0, (4, 3)), zorder=0)
    axes.annotate(
        "fair share", (1 / players, -0.5), (3, 3), textcoords="offset points", fontsize=8, color=GREY, va="bottom"
    )
    mark_places(standings, axes)
    axes.set_yticks(range(players + 1), [*names, "draws"])
    axes.set_ylim(players + 0.5, -0.5)
    axes.set_xlim(0, min(1.12, axes.get_xlim()[1] * 1.12))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.tick_params(axis="y", length=0)
    return figure


def mark_places(standings: Standings, axes: "Axes") -> None:
    """A seat's shares by its place at the table, if it had more than one."""
    players = standings.match.players
    if int((standings.began > 0).sum()) < 2:
        return
    for place in range(players):
        found = [(seat, standings.share_when(seat, (seat - place) % players)) for seat in range(players)]
        known = [(share.mean, seat + 0.2) for seat, share in found if share is not None]
        axes.plot(
            *zip(*known, strict=True), ls="", marker="os^Dv"[place % 5], ms=5.5, mfc="white", mec="black",
            label="when it begins" if place == 0 else f"at place {place + 1}",
        )  # fmt: skip
    axes.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def by_turn(standings: Standings) -> "Figure":
    """The number of games by winner and last turn, and the mean last turn."""
    names, players = numbered(standings), standings.match.players
    ends, step = grouped(standings.by_turn)
    rows = [row for row in drawn_rows(ends) if ends[row].any()]
    figure, [[axes]] = panels(
        standings, "the turn of the end, by winner", 1, (max(5.2, (0.2 + 0.12 * len(rows)) * ends.shape[1]), 3.2)
    )
    width = 0.84 / len(rows)
    top = 100 * ends.max() / standings.games
    heights = [top * (1.06 + 0.05 * place) for place in range(len(rows))]
    for place, row in enumerate(rows):
        colour, name = (NOBODY, "draws") if row == players else (COLOURS[row % len(COLOURS)], names[row])
        mean = standings.mean_turn(row)
        assert mean is not None
        where = np.arange(ends.shape[1]) + (place - (len(rows) - 1) / 2) * width
        bars = 100 * ends[row] / standings.games
        axes.bar(where, bars, width, color=colour, label=f"{name}, mean {mean:.2f}")
        at = (mean - 1 - (step - 1) / 2) / step
        axes.plot([at, at], [0, heights[place]], color=colour, lw=1.2, ls=(0, (4, 2)), zorder=0)
        axes.plot(at, heights[place], color=colour, marker="v", ms=6.5, ls="")
    axes.set_ylim(0, heights[-1] + 0.04 * top)
    label_turns(axes, ends.shape[1], step)
    axes.set_ylabel("per 100 games", color=GREY)
    axes.legend(fontsize=8.5, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def kinds_by_turn(standings: Standings, count: "Count") -> "Figure":
    """A count by turn and kind, stacked, with a panel for each seat, and for no seat if it occurs."""
    names = [*numbered(standings), "draws"]
    counted = standings.counts[count.name]
    rows = drawn_rows(counted)
    bars, step = grouped(counted[:, : last_turn(counted)])
    kinds = [kind for kind in range(len(count.kinds)) if bars[:, :, kind].any()]
    turns = bars.shape[1]
    size = (max(3.2, 0.26 * turns) * min(2, len(rows)), 2.7 * -(-len(rows) // 2))
    figure, places = panels(standings, count.title[0].lower() + count.title[1:], len(rows), size)
    ink = steps(len(count.kinds))
    for axes, row in zip([axes for line in places for axes in line], rows, strict=False):
        base = np.zeros(turns)
        for kind in kinds:
            heights = 100 * bars[row, :, kind] / standings.games
            label = count.kinds[kind] if row == rows[0] else None
            axes.bar(range(turns), heights, 0.84, base, color=ink[kind], label=label, edgecolor="white", lw=0.4)
            base += heights
        axes.set_title(names[row], loc="left", fontsize=9.5)
        axes.set_ylim(0, 105 * bars[rows].sum(axis=2).max() / standings.games)
        label_turns(axes, turns, step)
    for line in places:
        line[0].set_ylabel("per 100 games", color=GREY)
    figure.legend(loc="outside right center", fontsize=8.5, frameon=False, reverse=True)
    return figure


def drawn_rows(counted: Any) -> list[int]:
    """The seats to draw, with an entry for no seat if it is frequent enough."""
    nobody = len(counted) - 1
    return [*range(nobody), *([nobody] if counted[nobody].sum() > SEEN * counted.sum() else [])]


def grouped(counted: Any) -> tuple[Any, int]:
    """Counts by turn, binned if there are too many turns, and the size of a bin."""
    step = -(-counted.shape[1] // MOST_GROUPS)
    return np.add.reduceat(counted, np.arange(0, counted.shape[1], step), axis=1), step


def label_turns(axes: "Axes", groups: int, step: int) -> None:
    labels = [str(turn + 1) if step == 1 else f"{turn * step + 1}–{(turn + 1) * step}" for turn in range(groups)]
    axes.set_xticks(range(groups), labels, fontsize=8)
    axes.tick_params(axis="x", length=0, labelrotation=45 if step > 1 else 0)
    axes.set_xlim(-0.6, groups - 0.4)
    axes.set_xlabel("turn", color=GREY)


def steps(count: int) -> list[Any]:
    need("charts")
    import matplotlib as mpl

    return [mpl.colormaps[STEPS](place / max(1, count - 1)) for place in range(count)]


def numbered(standings: Standings) -> list[str]:
    """The named seats, with numbers where two are the same agent."""
    names = short_names(standings.match.seats)
    alike = len(set(names)) < len(names)
    return [f"{number} {name}" if alike else name for number, name in enumerate(names, start=1)]


def panels(standings: Standings, shown: str, count: int, size: tuple[float, float]) -> tuple["Figure", Any]:
    """A titled figure with this number of panels, at most two per row."""
    need("charts")
    from matplotlib.figure import Figure

    across, down = min(2, count), -(-count // 2)
    height = size[1] + 0.6
    figure = Figure(figsize=(size[0] + 0.6, height), layout="constrained")
    places = figure.subplots(down, across, sharey=True, squeeze=False)
    for axes in places.flat:
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8.5)
    for axes in places.flat[count:]:
        axes.set_visible(False)
    match = standings.match
    rules = ", ".join(f"{name}={value}" for name, value in match.terms.items())
    begins = "mirrored deals" if match.mirror else f"first seat: {match.first}"
    lines = [
        f"{counted(standings.games, 'game')} of seed {match.seed}, {begins}; {rules}",
        " · ".join(numbered(standings)),
    ]
    for number, line in enumerate(lines):
        figure.text(0.01, 1 + (0.05 + number * 0.17) / height, line, fontsize=8, color=GREY, va="bottom")
    title = f"{match.game.title}: {shown}"
    figure.text(0.01, 1 + 0.43 / height, title, fontsize=11.5, weight="bold", va="bottom")
    return figure, places
