"""Who begins and who sits where, and that the games do not depend on how they are played."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena.match import Match, play
from kibitz.arena.rotation import by_name, next_to_begin, rotated
from kibitz.arena.standings import Standings
from kibitz.core import registry, seeds
from kibitz.core.errors import KibitzError
from kibitz.core.record import parse
from kibitz.core.seat import Budget
from kibitz.core.table import Table

pytestmark = pytest.mark.usefixtures("nim")

DRAWS = {"long_game": "draw"}

Games = list[tuple[int, list[int]]]  # who began, and the row of results


def games(match: Match, jobs: int = 1, first: int = 0, begins: int = 0) -> Games:
    match = match.prepared()
    return [
        (int(rotation), row.tolist())
        for batch in play(match, jobs, first, begins)
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


def one_after_the_other(match: Match) -> Games:
    """What --first winner means: the winner sits down first in the next deal, or after a draw whoever did last."""
    begins, found = 0, []
    for deal in range(match.deals):
        row = played(match, deal, begins)
        found.append((begins, row))
        if row[0]:
            begins = (begins + row[0] - 1) % len(match.seats)
    return found


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


def test_after_a_draw_or_a_shared_win_the_same_seat_begins_again() -> None:
    assert next_to_begin(np.array([0b000, 0b011, 0b010, 0b001]), np.array([1, 2, 2, 1]), 3) == [1, 2, 0, 1]


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


@pytest.mark.parametrize(
    "seats",
    [("any_taker", "any_taker"), ("any_taker", "any_taker", "any_taker"), ("any_taker", "thinker"), ("thinker",) * 2],
    ids=", ".join,
)
@pytest.mark.parametrize("rules", [{}, DRAWS], ids=["won", "draws"])
def test_the_winner_begins_the_next_game_as_if_they_were_played_one_after_the_other(
    seats: tuple[str, ...], rules: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one worker and on two, in many chunks; with players who search, only where the games are needed."""
    monkeypatch.setattr("kibitz.arena.match.Pace.most", 7)
    match = Match("nim", seats, 80, seed=5, rules=rules, first="winner")
    expected = one_after_the_other(match)
    assert len({began for began, _ in expected}) == len(seats)
    assert games(match, 1) == expected
    assert games(match, 2) == expected


def test_the_winner_begins_at_tables_in_python_too() -> None:
    match = Match("nim", ("any_taker", "expert"), 30, seed=5, rules=DRAWS, first="winner", records=True)
    expected = one_after_the_other(match)
    assert games(match) == expected
    records = [parse(record) for batch in play(match.prepared()) for record in batch.records]
    assert [record.seats[0] for record in records] == [match.seats[began] for began, _ in expected]
    assert [record.number for record in records] == list(range(30))


def test_a_match_that_starts_later_goes_on_with_whoever_is_to_begin() -> None:
    match = Match("nim", ("any_taker",) * 3, 60, seed=2, rules=DRAWS, first="winner").prepared()
    whole = games(match)
    for kept in (0, 1, 17, 59):
        rotations, begins = match.begun(np.array([row for _, row in whole[:kept]], np.int64).reshape(kept, 3))
        assert rotations.tolist() == [began for began, _ in whole[:kept]]
        assert games(match, 1, kept, begins) == whole[kept:]


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
    from kibitz.arena.match import Batch, Pace

    pace = Pace(Match("nim", ("thinker",) * 3, 10, seed=0, mirror=True))
    assert pace.games == 3  # one deal, as nobody knows yet how long a search takes
    rows: Any = np.zeros((6, 3))
    pace.learn(Batch(0, rows, rows, seconds=0.003))
    assert pace.games == 999  # whole deals of half a second
    pace.learn(Batch(0, rows, rows, seconds=60.0))
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


def test_a_game_that_does_not_follow_from_the_others_may_fail(shy: str) -> None:
    """Against the expert, who begins, one stone at a time never wins, and so never begins."""
    match = Match("nim", ("expert", shy), 10, seed=0, first="winner")
    assert [began for began, _ in games(match)] == [0] * 10


@pytest.mark.parametrize("first", ["alternate", "winner"])
def test_games_before_a_failure_count_wherever_the_seat_is(shy: str, first: Any) -> None:
    match = Match("nim", (shy, "expert") if first == "winner" else ("expert", shy), 10, seed=0, first=first).prepared()
    batches = list(play(match))
    assert sum(batch.games for batch in batches) == (0 if first == "winner" else 1)
    assert batches[-1].failure.startswith(f"Game {0 if first == 'winner' else 1}: {shy} at seat G1, turn 1,")


def test_a_mirrored_deal_counts_only_whole(shy: str) -> None:
    match = Match("nim", ("expert", shy), 10, seed=0, mirror=True).prepared()
    [batch] = play(match)
    assert batch.games == 0
    assert "me first?" in batch.failure


@pytest.mark.parametrize(
    ("match", "says"),
    [
        (Match("nim", ("expert",) * 2, 1, 0, mirror=True, first="winner"), "cannot be winner as well"),
        (Match("nim", ("expert",) * 2, 1, 0, first="loser"), "fixed, alternate or winner"),  # type: ignore[arg-type]
        (Match("hanabi", ("cheater",) * 2, 1, 0, mirror=True), "Hanabi has a score that all reach together"),
        (Match("hanabi", ("cheater",) * 2, 1, 0, first="alternate"), "Hanabi has a score that all reach together"),
        (Match("nim", ("expert", "any_taker"), 1, 0, budget=Budget(9)), "none of expert, any_taker does"),
    ],
)
def test_a_match_that_makes_no_sense_is_refused_with_the_reason(match: Match, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        match.prepared()
