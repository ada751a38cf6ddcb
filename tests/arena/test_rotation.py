"""The first player and the order of seats, and that games do not depend on how they are played."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena.match import Match, play
from kibitz.arena.rotation import by_name, rotated
from kibitz.arena.standings import Standings
from kibitz.core import registry
from kibitz.core.record import parse
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError

pytestmark = pytest.mark.usefixtures("nim")

DRAWS = {"long_game": "draw"}

Games = list[tuple[int, list[int]]]  # who began, and the row of results


def games(match: Match, jobs: int = 1, first: int = 0) -> Games:
    match = match.prepared()
    return [
        (int(rotation), row.tolist())
        for batch in play(match, jobs, first)
        for rotation, row in zip(batch.rotations, batch.results, strict=True)
    ]


def played(match: Match, deal: int, rotation: int) -> list[int]:
    """One game at a table in Python, without the arena."""
    game = match.game
    rules = game.check_rules(match.rules)
    names = [match.seats[(rotation + place) % len(match.seats)] for place in range(len(match.seats))]
    agents = [registry.agent(game, name) for name in names]
    table = Table(
        game, [agent.take_seat(game) for agent in agents], game.deal(seeds.keys(match.seed), deal, len(names), rules)
    )
    table.run()
    row: list[int] = game.row(table.state).tolist()
    return row


# Seats


def test_the_named_seats_sit_around_the_table_from_the_one_that_begins() -> None:
    assert rotated("abc", 0) == ("a", "b", "c")
    assert rotated("abc", 2) == ("c", "a", "b")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_winners_at_the_table_are_found_among_the_named_seats(players: int) -> None:
    for rotation in range(players):
        for mask in range(1 << players):
            names = {rotated(range(players), rotation)[seat] for seat in range(players) if mask >> seat & 1}
            assert by_name(np.array([mask]), rotation, players) == [sum(1 << name for name in names)]


# Who begins


def test_without_a_wish_the_seat_named_first_begins_every_deal() -> None:
    match = Match("nim", ("any_taker", "thinker"), 40, seed=3)
    assert games(match) == [(0, played(match, deal, 0)) for deal in range(40)]


def test_seats_begin_in_turn() -> None:
    match = Match("nim", ("any_taker", "thinker", "any_taker"), 40, seed=3, first="alternate")
    assert games(match, 2) == [(deal % 3, played(match, deal, deal % 3)) for deal in range(40)]


def test_a_mirrored_deal_is_begun_once_by_each_seat() -> None:
    match = Match("nim", ("any_taker", "thinker", "expert"), 15, seed=3, mirror=True)
    expected = [(rotation, played(match, deal, rotation)) for deal in range(15) for rotation in range(3)]
    assert games(match) == expected
    assert match.games == len(expected) == 45


# What it gives


@pytest.mark.parametrize("players", [2, 3])
def test_mirrored_deals_give_an_agent_against_itself_exactly_equal_wins(players: int) -> None:
    match = Match("nim", ("any_taker",) * players, 200, seed=1, mirror=True).prepared()
    standings = Standings(match)
    for batch in play(match, 2):
        standings.add(batch.results, batch.rotations)
    assert standings.wins == [200] * players


def test_records_say_who_really_sat_where() -> None:
    match = Match("nim", ("any_taker", "thinker"), 3, seed=1, mirror=True, records=True).prepared()
    records = [parse(record) for batch in play(match) for record in batch.records]
    assert [record.seats for record in records] == [["any_taker", "thinker"], ["thinker", "any_taker"]] * 3
    assert [record.number for record in records] == [0, 0, 1, 1, 2, 2]
    assert all(record.replay().result() == record.result for record in records)


def test_only_players_who_search_get_the_budget() -> None:
    """The thinker takes as many stones as it has iterations."""
    for iterations in (1, 3):
        match = Match(
            "nim", ("thinker", "any_taker"), 5, seed=1, records=True, budget=Budget(iterations=iterations)
        ).prepared()
        records = [parse(record) for batch in play(match) for record in batch.records]
        assert {record.moves[0].move for record in records} == {f"take {iterations}"}
        assert len({record.moves[1].move for record in records}) > 1


def test_games_take_a_worker_a_moment_before_it_reports() -> None:
    from kibitz.arena.match import ChunkSize, GameChunk

    pace = ChunkSize(Match("nim", ("thinker",) * 3, 10, seed=0, mirror=True))
    assert pace.games == 3  # one deal, as nobody knows yet how long a search takes
    rows: Any = np.zeros((6, 3))
    pace.learn(GameChunk(rows, seconds=0.003))
    assert pace.games == 999  # whole deals of half a second
    pace.learn(GameChunk(rows, seconds=60.0))
    assert pace.games == 3


# What goes wrong

BOTS = """
class Shy:
    def __init__(self):
        self.seen = 0

    def observe(self, stones):
        self.seen += 1

    def decide(self, stones):
        if self.seen == 1:
            raise RuntimeError("me first?")
        return "take 1"
"""


@pytest.fixture
def shy(tmp_path: Path) -> str:
    (tmp_path / "bots.py").write_text(BOTS)
    return f"{tmp_path / 'bots.py'}:Shy"


def test_games_before_a_failure_count_wherever_the_seat_is(shy: str) -> None:
    match = Match("nim", ("expert", shy), 10, seed=0, first="alternate").prepared()
    batches = list(play(match))
    assert sum(batch.games for batch in batches) == 1
    assert batches[-1].failure.startswith(f"Game 1: {shy} at seat G1, turn 1,")


def test_a_mirrored_deal_counts_only_whole(shy: str) -> None:
    match = Match("nim", ("expert", shy), 10, seed=0, mirror=True).prepared()
    [batch] = play(match)
    assert batch.games == 0
    assert "me first?" in batch.failure


@pytest.mark.parametrize(
    ("match", "says"),
    [
        (Match("nim", ("expert",) * 2, 1, 0, mirror=True, first="alternate"), "cannot be alternate as well"),
        (Match("nim", ("expert",) * 2, 1, 0, first="loser"), "fixed or alternate"),  # type: ignore[arg-type]
        (Match("hanabi", ("cheater",) * 2, 1, 0, mirror=True), "Hanabi is cooperative"),
        (Match("hanabi", ("cheater",) * 2, 1, 0, first="alternate"), "Hanabi is cooperative"),
        (Match("nim", ("expert", "any_taker"), 1, 0, budget=Budget(9)), "none of expert, any_taker does"),
    ],
)
def test_a_match_that_makes_no_sense_is_refused_with_the_reason(match: Match, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        match.prepared()
