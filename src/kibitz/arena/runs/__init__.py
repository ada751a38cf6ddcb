"""Runs: long tasks whose results are kept in a folder each, survive a kill, and can be found again.

A folder has `plan.json` (what is played: agents, rules, seeds, versions, the command), the games or their statistics as
Parquet files, and `summary.json` as soon as the run is finished. Until then, the newest rows are in a journal.
"""

from kibitz.arena.runs.folder import Run, begin, kept, opened, runs_folder
from kibitz.arena.runs.rows import Entries, Numbers, Rows, Tally, Texts

__all__ = ["Entries", "Numbers", "Rows", "Run", "Tally", "Texts", "begin", "kept", "opened", "runs_folder"]
