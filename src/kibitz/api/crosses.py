"""`kibitz.cross`: every agent with or against every other."""

import io
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.api import arguments
from kibitz.api.arguments import AgentLike
from kibitz.api.catalogue import checked, html_caption
from kibitz.api.progress import Progress
from kibitz.arena.cross import Cell, Cross, CrossPlan, write_csv
from kibitz.arena.measured_cross import MeasuredCross
from kibitz.arena.statistics import Estimate
from kibitz.bots.players import BOT_SECONDS
from kibitz.core.whole_files import whole_file
from kibitz.errors import ArgumentError, UnsupportedError, unknown
from kibitz.extras import need

if TYPE_CHECKING:
    import polars

PICTURES = (".svg", ".png", ".pdf")


def cross(
    game: str,
    agents: Sequence[AgentLike],
    players: int | None = None,
    games: int = 1000,
    seed: int = 0,
    rules: Mapping[str, str] | None = None,
    *,
    jobs: int | None = None,
    think_ms: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    bot_seconds: float = BOT_SECONDS,
    progress: bool | None = None,
) -> "CrossResult":
    """Play every agent with or against every other.

    In each cell, the agent of the row sits in one seat among copies of the agent of the column, once in each seat it
    can take. Cells are mean scores or, in competitive games, shares of the games. The arguments are those of
    `kibitz.match`; `players` is by default the lowest number of players, and `games` the number of deals per cell
    and seat.

    >>> import kibitz
    >>> cross = kibitz.cross("tictactoe", ["perfect", "two_plies", "random"], games=20)
    >>> cross["perfect", "random"].mean > 0.5
    True
    """
    which = arguments.game_of(game)
    named = arguments.several(agents)
    if len(named) < 2:
        raise ArgumentError("A cross table needs two agents or more. `kibitz.match` measures one.")
    count = which.players[0] if players is None else arguments.players_of(which, players)
    deals, seed = arguments.whole("games", games, 1, arguments.MOST_GAMES), arguments.seed_of(seed)
    terms, workers = arguments.rules_of(which, rules), arguments.jobs_of(jobs)
    seconds, budget = arguments.seconds_of(bot_seconds), arguments.budget_of(think_ms, iterations, depth)
    with Progress(which.title, 0, progress) as reporting:
        there = tuple(checked(which, named))
        plan = CrossPlan(which.name, there, count, deals, seed, terms, budget, seconds)  # type: ignore[arg-type]
        with arguments.loading():
            measured = MeasuredCross(plan.prepared())
        reporting.total = measured.games
        for _ in measured.play(workers, reporting.add):
            pass
    return CrossResult(measured.cross)


class CrossResult:
    """The result of `kibitz.cross`. A notebook shows it as a table, or as a heat map."""

    def __init__(self, cross: Cross) -> None:
        self._cross = cross

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._cross.plan.game_name

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, in the order of rows and columns."""
        return self._cross.plan.agents

    @property
    def players(self) -> int:
        return self._cross.plan.players

    @property
    def matrix(self) -> Any:
        """The means as a NumPy array; NaN where an agent would play against itself."""
        return np.array([[np.nan if cell is None else cell.mean for cell in row] for row in self._cross.rows()])

    def __getitem__(self, pair: tuple[str, str]) -> Estimate:
        """The cell of a row and a column, with its interval: `cross["piers", "outer"]`."""
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(f"A cell is named by two agents, row and column, not by {pair!r}.")
        for name in pair:
            if name not in self.agents:
                raise unknown("agent in this table", str(name), self.agents, f"It has {', '.join(self.agents)}.")
        cell = self._cross.cells.get(pair)
        if cell is None:
            raise ArgumentError(f"In a competitive game {pair[0]} does not play against itself.")
        return cell.estimate

    @property
    def ratings(self) -> dict[str, Estimate]:
        """The ratings by Bradley and Terry in Elo points, whose mean is 0. Competitive games only."""
        from kibitz.arena.ratings import ratings

        if not self._cross.plan.game.competitive:
            raise UnsupportedError(f"{self._cross.plan.game.title} is cooperative, so there are no ratings.")
        return {rating.agent: rating.estimate for rating in ratings(self._cross)}

    @property
    def frame(self) -> "polars.DataFrame":
        """The cells as a polars frame with one row a cell: the agents, the mean, and its 95 % interval."""
        need("frames")
        import polars

        return polars.DataFrame([self._line(cell) for cell in self._cross.played()], infer_schema_length=None)

    def _line(self, cell: Cell) -> dict[str, Any]:
        low, high = cell.interval or (None, None)
        line = {
            "row": cell.row,
            "column": cell.column,
            "games": cell.games,
            "mean": cell.mean,
            "low": low,
            "high": high,
        }
        return line | {name: getattr(cell, name) for name in self._cross.outcomes}

    def as_dict(self) -> dict[str, Any]:
        """The table, as `kibitz cross --json` prints it."""
        return self._cross.as_json()

    def save(self, path: str | Path) -> Path:
        """Write the table as .csv, or a heat map as .svg, .png or .pdf, which needs Matplotlib."""
        file = Path(path)
        if file.suffix == ".csv":
            with whole_file(file) as draft:
                write_csv(self._cross, draft)
        elif file.suffix in PICTURES:
            picture = self._picture(file.suffix[1:])
            with whole_file(file) as draft:
                draft.write_bytes(picture)
        else:
            raise ArgumentError(f"{path} must end in .csv for the table, or in {', '.join(PICTURES)} for a heat map.")
        return file

    def _picture(self, format: str) -> bytes:
        need("charts")
        import matplotlib as mpl

        from kibitz.arena.charts import heat_map

        drawn = io.BytesIO()
        with mpl.rc_context({"svg.hashsalt": "kibitz", "svg.fonttype": "path"}):
            metadata = {"Date": None} if format == "svg" else {}
            heat_map(self._cross).savefig(
                drawn, format=format, dpi=160, bbox_inches="tight", pad_inches=0.2, metadata=metadata
            )
        return drawn.getvalue()

    @property
    def _title(self) -> str:
        plan = self._cross.plan
        shown = "shares of the games in %" if plan.game.competitive else "mean scores"
        return f"{plan.game.title}, {plan.players} players: {shown}, {plan.deals:,} deals of seed {plan.seed}"

    def _figure(self, cell: Cell | None) -> str:
        if cell is None:
            return "—"
        unit, digits = (100, 1) if self._cross.plan.game.competitive else (1, 2)
        error = f" ± {unit * cell.error:.{digits}f}" if cell.interval else ""
        return f"{unit * cell.mean:.{digits}f}{error}"

    def __str__(self) -> str:
        grid = [["", *self.agents]]
        grid += [[name, *map(self._figure, row)] for name, row in zip(self.agents, self._cross.rows(), strict=True)]
        widths = [max(len(line[column]) for line in grid) for column in range(len(grid))]
        lines = (
            "  ".join(text.rjust(width) if place else text.ljust(width)
                      for place, (text, width) in enumerate(zip(line, widths, strict=True)))
            for line in grid
        )  # fmt: skip
        return "\n".join([self._title, *lines])

    def __repr__(self) -> str:
        return f"<cross table of {self._cross.plan.game.title}, {len(self.agents)} agents>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", *self.agents))
        lines = "".join(
            f"<tr><th>{escape(name)}</th>" + "".join(f"<td>{self._figure(cell)}</td>" for cell in row) + "</tr>"
            for name, row in zip(self.agents, self._cross.rows(), strict=True)
        )
        return f"<table>{html_caption(self._title)}<tr>{head}</tr>{lines}</table>"

    def _repr_svg_(self) -> str | None:
        """A heat map; nothing without Matplotlib, so that a notebook shows the table."""
        try:
            return self._picture("svg").decode()
        except ImportError:
            return None
