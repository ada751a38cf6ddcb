"""The games of an unfinished run of an experiment: a checkpoint for each of its matches, in a folder of the cache.

A run that was killed goes on with the same command. Checkpoints are found by what was played: the experiment, how many
deals of which seed, and the code and weights of the agents (see `code_version`), so an agent that was changed since
plays its rows anew. The folder goes when the run is done.
"""

import contextlib
import json
import os
import shutil
import time
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from filelock import FileLock, Timeout

from kibitz.arena.checkpoint import Checkpoint
from kibitz.arena.code_version import code_version
from kibitz.arena.match import Match
from kibitz.arena.measure import MatchScores
from kibitz.arena.standings import Standings
from kibitz.engine.folders import cache_folder, private_folder
from kibitz.errors import KibitzError

ABANDONED = 30 * 24 * 3600  # seconds after which an unfinished run is deleted


class RunCheckpoints:
    """Where the matches of one run are kept. `problem` says why nothing is kept any more, if so."""

    def __init__(self, plan: Any, restart: bool = False, place: Path | None = None) -> None:
        """Resume an earlier run of the same plan, unless `restart`."""
        self.problem, self.earlier_games = "", 0
        try:
            runs = place or private_folder("reproduce")
        except OSError as error:
            self.folder, self.lock = cache_folder(), FileLock(os.devnull)
            self._stop_keeping(error.strerror or str(error))
            return
        self.folder = runs / digest_of_plan(plan)
        self.lock = FileLock(self.folder / "lock", blocking=False)
        try:
            remove_abandoned(runs)
            self.folder.mkdir(parents=True, exist_ok=True)
            self.lock.acquire()
        except Timeout:
            self.problem = f"Another process plays the same run and keeps {self.folder}, so this one cannot be resumed."
            return
        except OSError as error:
            self._stop_keeping(error.strerror or str(error))
            return
        if restart:
            for file in self.folder.glob("*.partial"):
                file.unlink()

    def _stop_keeping(self, why: object) -> None:
        self.problem = (
            f"{self.folder} cannot be written ({why}), so further games are not kept. The run continues; if it is "
            f"stopped, the same command resumes after the games kept before."
        )

    def kept(self, match: Match) -> "KeptMatch | None":
        """A prepared match with the games of earlier runs; None if nothing can be kept."""
        if self.problem:
            return None
        plan = {"match": msgspec.to_builtins(match.plan()), "code": code_version(match)}
        try:
            kept = KeptMatch(self, self.folder / digest_of_plan(plan), plan, match)
        except KibitzError as error:
            self._stop_keeping(error)
            return None
        self.earlier_games += len(kept.results)
        return kept

    def finish(self) -> None:
        """Remove the folder of a finished run."""
        self.release()
        if not self.problem:
            shutil.rmtree(self.folder, ignore_errors=True)

    def release(self) -> None:
        """Let another process resume the run."""
        with contextlib.suppress(OSError):
            self.lock.release()


class KeptMatch:
    """One match of a run: results are saved as they come."""

    def __init__(self, run: RunCheckpoints, target: Path, plan: Any, match: Match) -> None:
        self.run, self.match = run, match
        self.checkpoint = Checkpoint(target, plan, "games of another match", 8 * match.game.width, match.games_a_deal)
        self.results = np.frombuffer(self.checkpoint.entries(), np.int64).reshape(-1, match.game.width)
        if not self._sound():
            self.checkpoint.path.unlink()
            self.checkpoint = Checkpoint(target, plan, "", 8 * match.game.width)
            self.results = self.results[:0]

    def _sound(self) -> bool:
        """Whether these can be results of the match: files in a cache may be damaged."""
        measure = Standings(self.match) if self.match.game.competitive else MatchScores(self.match)
        try:
            measure.add(self.results, self.match.rotations(np.arange(len(self.results))))
        except (ValueError, IndexError, OverflowError, MemoryError):
            return False
        return len(self.results) <= self.match.games

    def add(self, results: Any) -> None:
        if not self.run.problem:
            try:
                self.checkpoint.add(results.tobytes())
            except KibitzError as error:
                self.run._stop_keeping(error)


def digest_of_plan(plan: Any) -> str:
    return blake2b(json.dumps(plan, sort_keys=True).encode(), digest_size=10).hexdigest()


def remove_abandoned(runs: Path) -> None:
    """Remove runs that were not resumed for a long time."""
    for folder in runs.iterdir() if runs.is_dir() else ():
        newest = max((file.stat().st_mtime for file in folder.glob("*")), default=0.0)
        if newest < time.time() - ABANDONED:
            shutil.rmtree(folder, ignore_errors=True)
