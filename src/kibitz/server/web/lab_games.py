"""The games behind a figure of the laboratory: the worst and the best, and the record of one.

A run saves results, not games. A game follows from its seed, its number and its players, so it is replayed on request.
"""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.arena.match import Match, PlayElsewhere, play, play_here
from kibitz.arena.rotation import rotated
from kibitz.arena.worth import worth
from kibitz.errors import KibitzError
from kibitz.server.live.messages import RefusedError
from kibitz.server.web.lab import Run, match_of, plan_of

MAX_GAMES = 2000  # the first games of the run are searched
SECONDS = 10.0  # time limit of the search
LISTED = 8  # games at each end of the list


def matches_of(run: Run, row: str, column: str) -> list[Match]:
    """The matches of a run, or of one cell of its cross table."""
    if run.what == "match":
        return [match_of(run)]
    plan = plan_of(run)
    if row not in plan.agents or column not in plan.agents or (plan.game.competitive and row == column):
        raise RefusedError("unknown", f"The run has no games of {row!r} with {column!r}.")
    return plan.matches(row, column)


def values_of(match: Match, results: Any, rotations: Any, row: str) -> Any:
    """The worth of each game to the row's agent; in a match, to the first."""
    seat = match.seats.index(row) if row in match.seats else 0
    return worth(match.game, results, seat, match.players, rotations)


def games_of(run: Run, row: str = "", column: str = "") -> dict[str, Any]:
    """The worst and the best games of a run or of a cell, found within the time limit."""
    found: list[tuple[float, int, int, list[str]]] = []
    matches, ends = matches_of(run, row, column), time.monotonic() + SECONDS
    for which, match in enumerate(matches):
        deals = max(1, MAX_GAMES // len(matches) // match.games_a_deal)
        prepared = replace(match, deals=min(match.deals, deals)).prepared()
        for batch in play(prepared):
            if batch.failure:
                raise RefusedError("failed", batch.failure)
            for place, value in enumerate(values_of(prepared, batch.results, batch.rotations, row).tolist()):
                seats = list(rotated(prepared.seats, int(batch.rotations[place])))
                found.append((value, which, batch.first + place, seats))
            if time.monotonic() > ends:
                break
    found.sort(key=lambda game: game[:3])
    half = min(LISTED, (len(found) + 1) // 2)
    return {
        "looked_through": len(found),
        "worst": [described(game) for game in found[:half]],
        "best": [described(game) for game in reversed(found[max(half, len(found) - LISTED) :])],
    }


def described(game: tuple[float, int, int, list[str]]) -> dict[str, Any]:
    value, which, number, seats = game
    return {"value": value, "match": which, "number": number, "seats": seats}


def record_of(run: Run, row: str, column: str, which: int, number: int) -> bytes:
    """One game of a run, replayed, as a record with the players' reasons."""
    matches = matches_of(run, row, column)
    if which >= len(matches) or number >= matches[which].games:
        raise RefusedError("unknown", f"The run has no game {number}.")
    match = replace(matches[which], records=True).prepared()
    [rotation] = match.rotations(np.array([number])).tolist()
    deal = np.array([match.deal_of(number)])
    elsewhere = PlayElsewhere()
    try:
        played = (elsewhere if match.has_bots else play_here)(match, rotation, deal)
    finally:
        elsewhere.stop()
    if played.failure or not played.records:
        raise KibitzError(played.failure or "The game could not be replayed.")
    return played.records[0]
