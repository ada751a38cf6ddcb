"""The matches of a run that plays many, each with the results of its games.

They are found by the match and by the code of its agents (`code_version`), so matches of an agent that was changed are
played again.
"""

import json
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.code_version import code_version
from kibitz.arena.match import Match
from kibitz.arena.measure import KeptGames, measure_of
from kibitz.arena.runs import Run


class KeptMatch:
    """One match of a run; its results are kept as they come."""

    def __init__(self, run: Run, match: Match) -> None:
        plan = {"match": msgspec.to_builtins(match.plan()), "code": code_version(match)}
        digest = blake2b(json.dumps(plan, sort_keys=True).encode(), digest_size=6).hexdigest()
        self.games = KeptGames(run.place, match, f"match-{digest}")
        self.games.count(measure_of(match))  # refuses damaged ones
        blocks = [chunk.results for chunk in self.games.blocks()]
        self.results = np.concatenate([np.zeros((0, match.game.width), np.int64), *blocks])[: match.games]

    def add(self, results: Any) -> None:
        self.games.rows.add(results)


class KeptMatches:
    """The matches of a run. `earlier_games` counts those that earlier commands played."""

    def __init__(self, run: Run) -> None:
        self.run, self.earlier_games = run, 0
        self.opened: list[KeptMatch] = []

    def kept(self, match: Match) -> KeptMatch | None:
        """A prepared match with the games of earlier commands; None if the run is not kept."""
        if not self.run.is_kept:
            return None
        kept = KeptMatch(self.run, match)
        self.opened.append(kept)
        self.earlier_games += len(kept.results)
        return kept

    def finish(self) -> None:
        """Write the last parts, and forget matches that the run did not need."""
        if not self.run.is_kept:
            return
        needed = set()
        for each in self.opened:
            each.games.rows.finish()
            needed |= {path.name for path in each.games.rows.parts}
        for file in self.run.place.glob("match-*.*"):
            if file.name not in needed:
                file.unlink()
