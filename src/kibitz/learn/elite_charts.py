"""A chart of a map of elites: the mean score of every cell, in colours safe for the colour-blind."""

from typing import TYPE_CHECKING

import numpy as np

from kibitz.arena.charts import COLOURS, readable_on
from kibitz.core.elites import Archive
from kibitz.core.game import Game
from kibitz.extras import need

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def elite_map(archive: Archive, game: Game, own: bool = False) -> "Figure":
    """Rows run downwards and columns to the right, both from 0, as in the papers."""
    need("charts")
    from matplotlib.figure import Figure

    found = archive.map
    grid = np.full((found.size, found.size), np.nan)
    for elite in found.elites:
        grid[elite.cell] = elite.alone if own else elite.others
    figure = Figure(figsize=(10.5, 8.6), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(np.ma.masked_invalid(grid), cmap=COLOURS, vmin=0)
    colours = image.to_rgba(grid)
    for (row, column), value in np.ndenumerate(grid):
        if not np.isnan(value):
            ink = readable_on(colours[row, column])
            axes.text(column, row, f"{value:.1f}", ha="center", va="center", fontsize=6.5, color=ink)
    rows, columns = archive.axes
    ticks = range(found.size)
    labels = [f"{place / found.size:g}" for place in ticks]
    axes.set_xticks(ticks, labels, rotation=90)
    axes.set_yticks(ticks, labels)
    axes.set_xlabel(f"{columns.title}: {columns.low} → {columns.high}")
    axes.set_ylabel(f"{rows.title}: {rows.high} ← {rows.low}")
    whom = "with its own copies" if own else "with every other elite"
    axes.set_title(f"{game.title}, {found.players} players: mean score of each of {len(found.elites)} elites {whom}")
    figure.colorbar(image, ax=axes, shrink=0.8, label="mean score")
    return figure
