"""Matches: the same result however they are played, and nothing lost on the way."""

import json
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.match import Match, play

BOTS = """
class Steady:
    def decide(self, view):
        return view.random.choice(view.legal)

class Breaks:
    def decide(self, view):
        if view.discards and view.turn > 8:
            raise RuntimeError("out of ideas")
        return "discard 1"
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def results(match: Match, jobs: int, first: int = 0) -> np.ndarray:
    return np.concatenate([batch.results for batch in play(match.prepared(), jobs, first)])


def test_compiled_tables_give_the_same_games_on_one_two_and_four_workers() -> None:
    match = Match("hanabi", ("simple_distrustful", "erratic", "cheater"), 5000, seed=3)
    one = results(match, 1)
    assert len(one) == 5000
    assert (one == results(match, 2)).all()
    assert (one == results(match, 4)).all()


def test_python_tables_give_the_same_games_on_one_and_two_workers(bots: Path) -> None:
    match = Match("hanabi", (f"{bots}:Steady", "simple_distrustful"), 50, seed=3)
    assert (results(match, 1) == results(match, 2)).all()


def test_compiled_and_python_tables_give_the_same_games() -> None:
    seats = ("simple_distrustful", "stopped_clock", "smart_cheater")
    compiled = Match("hanabi", seats, 25, seed=11)
    recorded = Match("hanabi", seats, 25, seed=11, records=True)
    assert (results(compiled, 1) == results(recorded, 1)).all()


def test_a_match_that_starts_later_goes_on_with_the_same_games() -> None:
    match = Match("hanabi", ("erratic", "erratic"), 3000, seed=1)
    assert (results(match, 2)[1234:] == results(match, 2, first=1234)).all()


def test_every_line_up_gets_the_same_deals() -> None:
    decks = []
    for agent in ("erratic", "cheater"):
        match = Match("hanabi", (agent,) * 3, 5, seed=9, records=True).prepared()
        records = [json.loads(record) for batch in play(match) for record in batch.records]
        decks.append([record["start"]["deck"] for record in records])
    assert decks[0] == decks[1]


def test_games_before_an_agents_failure_count(bots: Path) -> None:
    match = Match("hanabi", ("cheater", f"{bots}:Breaks"), 50, seed=0).prepared()
    batches = list(play(match))
    assert "Breaks at seat G2" in batches[-1].failure
    assert "out of ideas" in batches[-1].failure
    assert sum(batch.games for batch in batches) < 50
