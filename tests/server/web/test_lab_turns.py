"""The laboratory is shared: visitors take turns, short runs are soon done, and long ones never starve."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena import cross, measure
from kibitz.arena.match import GameChunk, Match
from kibitz.server.live.messages import LabStart
from kibitz.server.web.lab import Lab, Run
from kibitz.server.web.lab_turns import MAX_CHUNKS, Share, Turns, Waiting

SEARCHED = LabStart(what="match", game="hanabi", agents=["hajdu_v2"], players=3, games=1_000_000, seed=4)


class Clock:
    """Time passes when games are played."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Every game of every match takes two seconds, and a chunk is one game, as with agents that search."""
    clock = Clock()

    def play(
        match: Match, jobs: int, first: int = 0, *, held: Callable[[], bool], count: object = None
    ) -> Iterator[GameChunk]:
        waiting = 0
        while waiting or first + waiting < match.games:
            while first + waiting < match.games and waiting < 2 * jobs and not held():
                waiting += 1
            if waiting:
                clock.now += 2.0 / jobs
            played = min(waiting, 1)
            yield GameChunk(
                np.ones((played, match.game.width), np.int64), first=first, rotations=np.zeros(played, np.int64)
            )
            first, waiting = first + played, waiting - played

    monkeypatch.setattr(measure, "play", play)

    def play_cells(
        player: cross.CellPlayer, pairs: Sequence[tuple[str, str]], jobs: int, held: Callable[[], bool]
    ) -> Iterator[tuple[cross.Piece, Any] | None]:
        for row, column in pairs:
            matches = tuple(player.plan.matches(row, column))
            shape = cross.CellShape.of(player.plan, matches)
            for chunk in play(Match.of(player.plan.game, [row] * player.plan.players, shape.deals, 0), jobs, held=held):
                clock.now += (shape.games - 1) * 2.0 / jobs if chunk.games else 0.0
                if not chunk.games:
                    yield None
                    continue
                sums = np.zeros(len(cross.WHOLE) + shape.slices, np.int64)
                sums[0] = 1
                player.sums[row, column] = player.sums.get((row, column), 0) + sums
                yield cross.Piece(row, column, chunk.first, 1, matches), sums

    monkeypatch.setattr(cross.CellPlayer, "play", play_cells)
    return clock


def lab_of(folder: Path, clock: Clock, **more: Any) -> Lab:
    lab = Lab(folder, clock=clock, **more)
    lab.jobs = 2
    return lab


def start(lab: Lab, visitor: str, **changed: Any) -> Run:
    wishes = {name: getattr(SEARCHED, name) for name in ("what", "game", "agents", "players", "games", "seed")}
    return lab.start(LabStart(**{**wishes, **changed}), visitor)[0]


def test_ten_games_wait_for_no_more_than_a_turn_of_each_of_four_long_runs(tmp_path: Path, clock: Clock) -> None:
    lab = lab_of(tmp_path, clock)
    long = [start(lab, f"visitor {number}") for number in range(4)]
    for _ in range(12):
        lab.turn()
    before = [run.done for run in long]
    short, own, turns = start(lab, "somebody else", games=10), 0, 0
    while short.state != "done":
        played = short.done
        lab.turn()
        own += short.done > played
        turns += 1
    assert own == 5  # of a game for each of two workers
    assert turns <= 5 * own
    assert max(run.done - done for run, done in zip(long, before, strict=True)) <= 2 * own


def test_a_newcomer_has_the_very_next_turn(tmp_path: Path, clock: Clock) -> None:
    lab = lab_of(tmp_path, clock)
    for number in range(4):
        start(lab, f"visitor {number}")
    for _ in range(7):
        lab.turn()
    short = start(lab, "somebody else", games=2)
    lab.turn()
    assert short.done == 2


def test_a_run_alone_is_not_held_up_and_one_that_comes_meanwhile_is_let_in(tmp_path: Path, clock: Clock) -> None:
    lab = lab_of(tmp_path, clock)
    alone = start(lab, "one", games=50)
    lab.turn()
    assert alone.state == "done"
    long = start(lab, "one")
    other: list[Run] = []

    def somebody_comes() -> float:
        if long.done >= 100 and not other:
            other.append(start(lab, "two", games=2))
        return clock.now

    lab.clock = somebody_comes
    lab.turn()
    assert 100 <= long.done <= 110
    lab.turn()
    assert other[0].done == 2


def test_a_run_that_takes_turns_comes_to_the_same_as_one_that_does_not(tmp_path: Path) -> None:
    wishes: list[dict[str, Any]] = [
        {"games": 2000},
        {"what": "cross", "agents": ["hajdu_v1", "hajdu_v2"], "players": 2, "games": 60},
    ]
    alone, shared = Lab(tmp_path / "alone"), Lab(tmp_path / "shared")
    apart = [start(alone, "one", **each) for each in wishes]
    while alone.turn():
        pass
    together = [start(shared, str(number), **each) for number, each in enumerate(wishes)]
    taken: list[str] = []
    while shared.turn():
        taken.append("".join("x" if run.state == "running" else "-" for run in together))
    assert "xx" in taken
    for one, other in zip(apart, together, strict=True):
        assert (one.state, one.done, one.summary, one.cells) == ("done", other.done, other.summary, other.cells)
        [csv] = [Path(name).name for name in one.files if name.endswith(".csv")]
        files = [lab.folder / run.run / csv for lab, run in ((alone, one), (shared, other))]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_a_run_that_would_take_too_long_is_refused_with_what_would_fit(tmp_path: Path, clock: Clock) -> None:
    lab = lab_of(tmp_path, clock, seconds=4 * 3600.0)
    run = start(lab, "one")
    while lab.turn():
        pass
    assert run.state == "failed"
    assert run.done < 10
    assert run.error == (
        "1,000,000 games would take about 12 days here; the limit is 4 hours. "
        "Ask for 14,400 games instead of 1,000,000, or choose faster agents."
    )
    fits = start(lab, "one", games=100)
    while lab.turn():
        pass
    assert fits.state == "done"


def test_a_run_that_has_had_turns_is_cancelled_and_goes_on_where_it_was(tmp_path: Path, clock: Clock) -> None:
    lab = lab_of(tmp_path, clock)
    run, token = lab.start(SEARCHED, "one")
    for other in ("two", "three"):  # who is alone has no turns
        start(lab, other)
    for _ in range(6):
        lab.turn()
    done = run.done
    assert run.state == "running"
    lab.cancel(run.run, token)
    lab.turn()
    assert (run.state, run.done) == ("cancelled", done)
    lab.resume(run.run, token)
    for _ in range(3):
        lab.turn()
    assert run.done > done


def test_waiting_runs_show_their_place_and_running_ones_the_time_left(tmp_path: Path, clock: Clock) -> None:
    lab = lab_of(tmp_path, clock)
    first, second = (start(lab, visitor, games=100) for visitor in ("one", "two"))
    assert [lab.wait_of(run) for run in (first, second)] == [{"place": 1}, {"place": 2}]
    while second.done < 5:
        lab.turn()
    left = [100 - first.done, 100 - second.done]  # a game takes two seconds, and there are two workers
    assert lab.wait_of(first) == {"seconds_left": left[0] + min(left)}
    while lab.turn():
        pass
    assert [lab.wait_of(run) for run in (first, second)] == [{}, {}]


# Which run is next


def waiting(run: str, visitor: str, created: float = 0.0, seconds: float = 0.0) -> Waiting:
    return Waiting(run, visitor, created, seconds)


def test_of_one_visitor_every_other_turn_goes_to_the_shortest_run_and_none_starves() -> None:
    turns, runs = Turns(), [waiting("long", "a", 0, 1000), waiting("short", "a", 1, 1), waiting("longer", "a", 2, 2000)]
    order = [turns.next(runs) for _ in range(8)]
    assert order[::2] == ["short"] * 4
    assert {"long", "longer"} <= set(order)


def test_many_runs_of_one_visitor_count_as_one() -> None:
    turns = Turns()
    runs = [waiting("mine", "a"), *(waiting(f"theirs {number}", "b", 1 + number) for number in range(10))]
    assert [turns.next(runs) == "mine" for _ in range(6)] == [True, False] * 3


def test_short_runs_one_after_the_other_do_not_push_in() -> None:
    turns, long = Turns(), waiting("long", "a", 0, 1000)
    order = [turns.next([long, waiting(f"short {number}", "b", 1 + number)]) for number in range(10)]
    assert order.count("long") == 5


def test_a_turn_is_a_chunk_for_each_worker_and_more_where_chunks_are_quick() -> None:
    share = Share(2)
    assert [share.take() for _ in range(3)] == [True, True, False]
    for _ in range(10):
        share.learn(0.01)
    assert share.quota == 2 * MAX_CHUNKS
    for _ in range(10):
        share.learn(100.0)
    assert share.quota == 2
