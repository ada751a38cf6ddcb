"""`kibitz.runs` and `kibitz.run`: what earlier commands played, read from its folders."""

import re
from typing import TYPE_CHECKING, Any

from kibitz.api.catalogue import html_caption
from kibitz.arena import run_report
from kibitz.arena import runs as kept_runs
from kibitz.arena.runs.rows import read_parquet
from kibitz.errors import ArgumentError, UnsupportedError
from kibitz.extras import need
from kibitz.text import fit

if TYPE_CHECKING:
    import polars

PART = re.compile(r"-\d{5}$")  # the number of a part of a table


def runs() -> "list[SavedRun]":
    """The runs that commands and the laboratory of the page kept, the newest first.

    >>> import kibitz
    >>> [run.name for run in kibitz.runs() if run.what == "cross" and run.state == "finished"]
    []
    """
    return [SavedRun(run) for run in kept_runs.kept()]


def run(name: str) -> "SavedRun":
    """A run by its name, or by the path of its folder."""
    if not isinstance(name, str) or not name.strip():
        raise ArgumentError(f"`name` is {fit(repr(name), 80)}, but must be the name of a run, or its folder.")
    return SavedRun(kept_runs.opened(name))


class SavedRun:
    """A run that was kept: its plan, its results, and what was played. A notebook shows the results as tables."""

    def __init__(self, run: kept_runs.Run) -> None:
        self._run = run

    @property
    def name(self) -> str:
        """The name of the run."""
        return self._run.name

    @property
    def what(self) -> str:
        """The command that played it: `match`, `duel`, `cross`, `reproduce`, `tune` and so on."""
        return self._run.what

    @property
    def state(self) -> str:
        """`finished`, `running` or `stopped`."""
        return self._run.state

    @property
    def plan(self) -> dict[str, Any]:
        """What determines the results: agents and their code, rules, seed."""
        return dict(self._run.plan)

    @property
    def results(self) -> dict[str, Any]:
        """The results, as the command prints them with `--json`. Finished runs only."""
        if not self._run.finished:
            raise UnsupportedError(f"The run {self.name} is {self.state}, so it has no results. {self._resuming}")
        return self._run.summary

    @property
    def _resuming(self) -> str:
        return f"Resume it: {self._run.resuming}"

    @property
    def frames(self) -> "dict[str, polars.DataFrame]":
        """The tables of its folder as polars frames, by name: `games` of a match, `cells` of a cross table, and so on.

        A match has `games` or `records` if it was played with `--output`, else the sums of its `statistics`.
        """
        need("frames")
        import polars

        parts: dict[str, list[polars.DataFrame]] = {}
        for path in self._run.files(".parquet"):
            parts.setdefault(PART.sub("", path.stem), []).append(read_parquet(path, polars.DataFrame.clone))
        return {name: polars.concat(frames, how="diagonal_relaxed") for name, frames in parts.items()}

    def __repr__(self) -> str:
        return f"<run {self.name}: {self.state}>"

    def _repr_html_(self) -> str:
        if not self._run.finished:
            return f"<table>{html_caption(f'{self.name}: {self.state}. {self._resuming}')}</table>"
        shown = [*run_report.sections(self.results), *run_report.pictures(self._run)]
        return "\n".join([f"<h3>{run_report.text(self.name)}</h3>", *shown])
