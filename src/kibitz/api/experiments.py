"""`kibitz.reproduce`: the tables of a paper, played again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kibitz.api import arguments
from kibitz.api.catalogue import html_table
from kibitz.api.progress import Progress
from kibitz.arena import experiment, report
from kibitz.arena.claims import seats_named
from kibitz.arena.experiment import PairingRow, Run, TableRow
from kibitz.bots.players import BOT_SECONDS
from kibitz.errors import ArgumentError, UnsupportedError, unknown
from kibitz.extras import need
from kibitz.text import fit

if TYPE_CHECKING:
    import polars

MOST_DEALS = 10**6  # the score of every deal of a row is held in memory


def reproduce(
    name: str,
    games: int | None = None,
    seed: int | None = None,
    *,
    jobs: int | None = None,
    bot_seconds: float = BOT_SECONDS,
    progress: bool | None = None,
) -> "ReproduceResult":
    """Play the tables of a paper again, and compare its figures and claims with ours.

    Args:
        name: an experiment, as `kibitz reproduce` lists them, or the path of its file.
        games: the number of deals per row, by default that of the experiment.
        seed: the random seed, by default that of the experiment.

    The other arguments are those of `kibitz.match`.

    >>> import kibitz
    >>> paper = kibitz.reproduce("cox-2015", games=20)
    >>> paper.rows[0]["verdict"] in ("agrees", "ours is higher", "ours is lower")
    True
    """
    if not isinstance(name, str):
        raise ArgumentError(f"`name` is {fit(repr(name), 80)}, but must be the name of an experiment.")
    paper = experiment.read(name)
    deals = paper.games if games is None else arguments.whole("games", games, 2, MOST_DEALS)
    seed = paper.seed if seed is None else arguments.seed_of(seed)
    workers, seconds = arguments.jobs_of(jobs), arguments.seconds_of(bot_seconds)
    with Progress(paper.title, 0, progress) as reporting:
        run = Run(paper, deals, seed, workers, seconds, count=reporting.add)
        reporting.total = run.games
        rows = list(run.played())
    return ReproduceResult(run, rows)


class ReproduceResult:
    """The result of `kibitz.reproduce`. A notebook shows it as two tables: the figures and the claims."""

    def __init__(self, run: Run, rows: Sequence[TableRow | PairingRow]) -> None:
        self._run, self._rows = run, list(rows)
        self._claims = experiment.claims(run.experiment, rows)

    @property
    def title(self) -> str:
        """The title of the paper."""
        return self._run.experiment.title

    @property
    def games(self) -> int:
        """The number of deals per row; rows with slow searches may have fewer."""
        return self._run.deals

    @property
    def seed(self) -> int:
        return self._run.seed

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the rows, such as `piers × 4`, or the seats in order."""
        return tuple(row.label for row in self._rows)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, as `kibitz reproduce --json` prints them."""
        return [row.as_json() for row in self._rows]

    @property
    def claims(self) -> list[dict[str, Any]]:
        """What the paper says in words, each with its verdict and its comparisons."""
        return [claim.as_json() for claim in self._claims]

    def scores(self, table: str) -> Any:
        """The score of every game of a table, as a NumPy array. Cooperative games only."""
        try:
            seats = seats_named(table)
        except ValueError as error:
            raise ArgumentError(f"{error}.") from None
        found = {seats: scores for row in self._rows if isinstance(row, TableRow)
                 for seats, (_, scores) in row.tables.items()}  # fmt: skip
        if not found:
            raise UnsupportedError(f"{self.title} is about wins, so its games have no common score.")
        if seats not in found:
            raise unknown("table", table, self.tables, f"It has {fit(', '.join(self.tables), 400)}.")
        return found[seats]

    @property
    def frame(self) -> "polars.DataFrame":
        """The rows as a polars frame: their figures, ours, the difference with its 95 % interval, and the verdict."""
        need("frames")
        import polars

        return polars.DataFrame([self._line(row) for row in self._rows], infer_schema_length=None)

    def _line(self, row: TableRow | PairingRow) -> dict[str, Any]:
        line: dict[str, Any] = {"table": row.label, "players": len(row.seats)}
        if isinstance(row, PairingRow):
            shares = [row.ours.share(seat).mean for seat in range(len(row.seats))] if row.ours else [None] * 2
            draws = row.ours.draws / row.ours.games if row.ours else None
            return line | {"first wins": shares[0], "second wins": shares[1], "draws": draws, "verdict": row.verdict}
        theirs, known = row.theirs, row.ours is not None
        gap = row.difference if known and theirs is not None else None
        return line | {
            "theirs": theirs and theirs.mean, "their std": theirs and theirs.std,
            "ours": row.estimate.mean if known else None, "our std": row.std,
            "low": row.estimate.low if known else None, "high": row.estimate.high if known else None,
            "difference": gap and gap.mean, "half width": gap and gap.half_width, "verdict": row.verdict,
        }  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """The experiment, as `kibitz reproduce --json` prints it."""
        return {"title": self.title, "games": self.games, "seed": self.seed, "rows": self.rows, "claims": self.claims}

    @property
    def _cells(self) -> list[list[str]]:
        return [list(report.cells(row)) for row in self._rows]

    def __str__(self) -> str:
        grid = [list(report.headings(self._rows)), *self._cells]
        widths = [max(len(line[column]) for line in grid) for column in range(len(grid[0]))]
        lines = ("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in grid)
        judged = [f"{claim.verdict}: {claim.text}" for claim in self._claims]
        text = [self.title, *(line.rstrip() for line in lines), *judged, report.summary(self._rows, self._claims)]
        return "\n".join(text)

    def __repr__(self) -> str:
        return f"<{self.title}: {report.summary(self._rows, self._claims)}>"

    def _repr_html_(self) -> str:
        caption = f"{self.title}: {self.games:,} deals a row, seed {self.seed}"
        shown = html_table(report.headings(self._rows), self._cells, caption)
        if self._claims:
            shown += html_table(("claim", "verdict"), [(claim.text, claim.verdict) for claim in self._claims])
        return shown
