"""Games on a cluster: the same results, whatever happens to its workers, and none by workers with other code."""

import json
import socket
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from kibitz.arena.cluster import Cluster, written
from kibitz.arena.cross import Cross, CrossPlan
from kibitz.arena.match import ChunkSize, Match, play
from kibitz.arena.measure import MeasuredMatch
from kibitz.engine import folders
from kibitz.errors import KibitzError
from kibitz.learn.evolution import Evolution, EvolutionPlan
from tests.arena.clusters import LocalCluster
from tests.cli.conftest import Kibitz, helped, kibitz

__all__ = ["kibitz"]

BOT = """
class Bot:
    def decide(self, view):
        return view.legal[view.turn % len(view.legal)]
"""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A cluster of two workers, with a third that is started later."""
    with LocalCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster


def summary(match: Match, jobs: int | Cluster) -> str:
    measured = MeasuredMatch(match)
    for _ in measured.play(jobs):
        pass
    assert not measured.failure
    return json.dumps(measured.measure.as_json())


def bred(plan: EvolutionPlan, jobs: int | Cluster) -> object:
    evolution = Evolution(plan)
    list(evolution.evolve(jobs))
    return evolution.past, evolution.winner(jobs)


def test_results_are_those_of_one_machine_although_a_worker_is_killed_and_another_joins(
    there: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cluster, "moment", 0.05)
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    said: list[str] = []
    cluster = Cluster(there.address, said.append)
    try:
        match = Match("hanabi", ("piers", "iggi"), 3000, 5).prepared()
        measured = MeasuredMatch(match)
        for number, _ in enumerate(measured.play(cluster)):
            if number == 1:
                there.workers[0].kill()
                there.add_worker()
        assert json.dumps(measured.measure.as_json()) == summary(match, 1)
        assert any("ready" in line for line in said)
        rows = [chunk.results.tolist() for chunk in play(match, cluster, size=ChunkSize(match, most=1000))]
        assert list(chain(*rows)) == [row for chunk in play(match) for row in chunk.results.tolist()]
        bots = Match("hanabi", ("bot.py:Bot", "iggi"), 6, 5, records=True).prepared()
        records = [line for chunk in play(bots, cluster) for line in chunk.records]
        assert records == [line for chunk in play(bots) for line in chunk.records]
        plan = CrossPlan("hanabi", ("piers", "iggi", "outer"), 3, 30, seed=2).prepared()
        one, other = Cross(plan), Cross(plan)
        list(one.play(1))
        list(other.play(cluster))
        assert one.cells == other.cells
        small = EvolutionPlan(
            "hanabi", by="both", group=("piers",), population=6, generations=2, games=4, rivals=2, judging=10, seed=3
        ).prepared()  # fmt: skip
        assert bred(small, 1) == bred(small, cluster)
    finally:
        cluster.stop()


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ("import kibitz; kibitz.__version__ = '0.0.9'", r"has kibitz 0\.0\.9 instead of "),
        (
            "import kibitz.arena.code_version as c; c.rules_version = lambda game: 'other'",
            "has another version of the rules of Hanabi",
        ),
    ],
)
@pytest.mark.slow
def test_a_worker_with_other_code_is_refused_by_name(tmp_path: Path, setup: str, says: str) -> None:
    with LocalCluster(tmp_path) as there:
        there.add_worker(setup)
        cluster = Cluster(there.address)
        try:
            with pytest.raises(KibitzError, match=rf"the worker tcp://127.* {says}.*No game was played"):
                list(play(Match("hanabi", ("piers", "iggi"), 10, 5).prepared(), cluster))
        finally:
            cluster.stop()


@pytest.mark.slow
def test_a_scheduler_that_dies_leaves_a_run_that_resumes(kibitz: Kibitz, tmp_path: Path) -> None:
    """The scheduler is killed while the first chunks are played."""
    words = ("match", "hanabi", "search@30", "--players", "2", "--games", "6", "--json")
    with LocalCluster(tmp_path) as there:
        killing = "import os, signal, kibitz.arena.cluster as c; "
        killing += f"c.play_there = lambda *_: os.kill({there.scheduler.pid}, signal.SIGKILL)"
        there.add_worker(killing)
        helped(kibitz, " ".join([*words, "--cluster", there.address]), "cannot be reached any more")
    [run] = json.loads(kibitz("runs", "--json")[1])
    assert run["state"] == "stopped"
    code, _, _ = kibitz("run", "resume", run["name"])  # with its --cluster
    assert code == 1
    whole = json.loads(kibitz(*words)[1])
    assert whole["games"] == 6


def test_a_scheduler_that_is_not_there_is_named(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.arena.cluster.CONNECT", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    words = "match hanabi piers --players 2 --games 4 --cluster"
    helped(kibitz, f"{words} {address}", f"There is no Dask scheduler at {address}")
    helped(kibitz, f"{words} nonsense://x", "There is no Dask scheduler at nonsense://x")
    assert kibitz(*f"{words} {address} --jobs 2".split())[0] == 2


@pytest.mark.slow
def test_a_scheduler_without_workers_is_waited_for_and_then_reported(tmp_path: Path) -> None:
    said: list[str] = []
    with (
        LocalCluster(tmp_path) as there,
        pytest.raises(KibitzError, match=r"has no workers after 0 seconds. Start some with `dask worker"),
    ):
        Cluster(there.address, said.append, wait=0.2)
    assert said == [f"Waiting for a worker at {there.address}…"]


def test_a_bot_that_somebody_else_could_change_is_not_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders.checked_folder.cache_clear()
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "mine"))
    place = written(Path("../bot.py"), BOT.encode())
    assert place.is_relative_to(tmp_path / "mine")
    place.write_text("planted")
    assert written(Path("../bot.py"), BOT.encode()).read_text() == BOT
    place.chmod(0o666)
    place.unlink()
    place.symlink_to(tmp_path / "other.py")
    assert not written(Path("../bot.py"), BOT.encode()).is_symlink()
    place.parent.chmod(0o777)
    with pytest.raises(OSError, match="other users can write to"):
        written(Path("../bot.py"), BOT.encode())
    folders.checked_folder.cache_clear()
