"""The laboratory: runs can be watched, stopped and resumed, and give the same results as a match elsewhere."""

import asyncio
import csv
import errno
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena import match, measure
from kibitz.arena.cross import Cross, CrossPlan
from kibitz.arena.statistics import ScoreCounts
from kibitz.core import registry
from kibitz.server.live.messages import LabStart
from kibitz.server.web import lab as laboratory
from tests.fuzzing import at_length
from tests.server.web.guests import Guest, Message, Parlour, in_parlour, parlour, played

MATCH = {"what": "match", "game": "hanabi", "agents": ["hajdu_v2"], "players": 3, "games": 5000, "seed": 4}
CHARTED = LabStart(what="match", game="connect4", agents=["random"], players=2, games=2, seed=4)
CROSS = {"what": "cross", "game": "hanabi", "agents": ["hajdu_v1", "hajdu_v2"], "players": 2, "games": 50, "seed": 4}


def expected(games: int) -> ScoreCounts:
    """The match played without a laboratory."""
    game = registry.game("hanabi")
    tally = ScoreCounts(game.best)
    rules = game.check_rules(game.table_rules)  # as people play
    for batch in match.play(match.Match("hanabi", ("hajdu_v2",) * 3, games, 4, rules).prepared()):
        tally.add(*game.scores(batch.results))
    return tally


async def state(guest: Guest, wanted: str) -> Message:
    """Wait until the newest run is in a state."""
    message = await guest.hear("runs", lambda message: bool(message["runs"] and message["runs"][0]["state"] == wanted))
    run: Message = message["runs"][0]
    return run


def test_a_match_is_played_watched_and_kept() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            assert (await ada.ask("runs", "lab"))["runs"] == []
            ada.say("lab_start", **MATCH)
            run = await state(ada, "done")
            tally = expected(5000)
            assert run["done"] == run["total"] == 5000
            assert run["summary"]["mean"] == tally.mean
            assert run["summary"]["histogram"] == tally.counts.tolist()
            assert f"/runs/{run['run']}/games.csv" in run["files"]
            assert f"/runs/{run['run']}/report.html" in run["files"]
            assert run["rules"] == {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"}
            path = here.lab.file(run["run"], "games.csv")
            assert path is not None
            with path.open() as file:
                assert len(list(csv.DictReader(file))) == 5000
            assert here.lab.file(run["run"], "run.json") is None
            assert here.lab.file("..", "tables.sqlite") is None
        async with parlour(folder) as here:
            bo = await here.guest("Bo")
            [kept] = (await bo.ask("runs", "lab"))["runs"]
            assert kept["summary"] == run["summary"]

    played(scenario)


def test_closing_does_not_wait_for_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = laboratory.Lab(tmp_path)
    started, closed = threading.Event(), threading.Event()

    def draw(*_: object) -> list[Path]:
        started.set()
        assert closed.wait(60)
        return []

    monkeypatch.setattr(measure.MeasuredMatch, "draw", draw)
    run, _ = lab.start(CHARTED)
    worker = threading.Thread(target=lab.turn)
    worker.start()
    assert started.wait(60)
    lab.close()
    assert run.state == "running"  # as it is saved, it resumes
    closed.set()
    worker.join()


def test_the_interpreter_does_not_end_while_charts_are_drawn() -> None:
    script = """
import os, threading
from kibitz.server.web.lab import DRAWING
drawing = threading.Event()
def draw() -> None:
    with DRAWING:
        drawing.set()
        while threading.main_thread().is_alive():
            pass
        for _ in range(10**6):
            pass
        os.write(1, b"drawn")
threading.Thread(target=draw, daemon=True).start()
drawing.wait()
"""
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"drawn"


def test_charts_that_a_closing_server_does_not_begin_are_drawn_when_the_run_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = laboratory.Lab(tmp_path)
    run, _ = lab.start(CHARTED)
    with monkeypatch.context() as patch:
        patch.setattr(measure.MeasuredMatch, "finish", lambda _: lab.close())
        lab.turn()
    assert (run.state, run.done, run.files) == ("running", 4, [])
    back = laboratory.Lab(tmp_path)
    back.runs[run.run] = run
    back.turn()
    assert run.state == "done"
    assert f"/runs/{run.run}/shares.svg" in run.files


def held_back(monkeypatch: pytest.MonkeyPatch, name: str, after: int) -> threading.Event:
    """Halt a run after a number of batches, until the event is set."""
    go_on = threading.Event()
    play = getattr(measure, name)

    def slowly(*arguments: Any, **more: Any) -> Any:
        for number, batch in enumerate(play(*arguments, **more), start=1):
            yield batch
            if number == after:
                go_on.wait(60)

    monkeypatch.setattr(measure, name, slowly)
    return go_on


@in_parlour()
async def test_a_run_that_is_cancelled_keeps_its_games_and_goes_on_later(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await here.guest()
    await ada.ask("runs", "lab")
    with monkeypatch.context() as patch:
        go_on = held_back(patch, "play", 1)
        token = (await ada.ask("lab_started", "lab_start", **MATCH))["token"]
        running = await ada.hear("runs", lambda message: bool(message["runs"][0].get("done")))
        run = running["runs"][0]
        assert 0 < run["done"] < run["total"]
        assert run["state"] == "running"
        assert sum(run["summary"]["histogram"]) == run["done"]
        ada.say("lab_cancel", run=run["run"], token=token)
        assert await ada.refused("lab_resume", run=run["run"], token=token) == "bad_message"
        go_on.set()
        cancelled = await state(ada, "cancelled")
    assert cancelled["done"] < 5000
    ada.say("lab_resume", run=run["run"], token=token)
    done = await state(ada, "done")
    assert done["summary"]["histogram"] == expected(5000).counts.tolist()


def test_a_run_goes_on_when_the_server_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(folder: Path) -> None:
        with monkeypatch.context() as patch:
            go_on = held_back(patch, "play", 1)
            async with parlour(folder) as here:
                ada = await here.guest()
                await ada.ask("runs", "lab")
                ada.say("lab_start", **MATCH)
                await ada.hear("runs", lambda message: bool(message["runs"][0].get("done")))
                ada.say("lab_start", **CROSS)
                await ada.hear("runs", lambda message: len(message["runs"]) == 2)
            go_on.set()
            for thread in threading.enumerate():
                if thread.name == "lab":
                    thread.join(60)
        async with parlour(folder) as here:
            ada = await here.guest()
            await ada.ask("runs", "lab")
            both = await ada.hear("runs", lambda message: {run["state"] for run in message["runs"]} == {"done"})
            by_kind = {run["what"]: run for run in both["runs"]}
            assert by_kind["match"]["summary"]["histogram"] == expected(5000).counts.tolist()
            assert len(by_kind["cross"]["cells"]) == 4

    played(scenario)


@in_parlour()
async def test_a_cross_table_is_played_and_drawn(here: Parlour) -> None:
    ada = await here.guest()
    await ada.ask("runs", "lab")
    ada.say("lab_start", **CROSS)
    run = await state(ada, "done")
    plan = CrossPlan("hanabi", ("hajdu_v1", "hajdu_v2"), 2, 50, 4, run["rules"]).prepared()
    cells = {(cell["row"], cell["column"]): cell for cell in run["cells"]}
    for cell in Cross(plan).play(1):
        assert cells[cell.row, cell.column]["mean"] == cell.mean
    assert [Path(file).name for file in run["files"]] == ["report.html", "cross.csv", "cross.svg", "cross.png"]
    report = here.lab.file(run["run"], "report.html")
    assert report is not None
    assert "<svg" in report.read_text()  # the chart of the table
    drawn = here.lab.file(run["run"], "cross.svg")
    assert drawn is not None
    assert drawn.read_text().startswith("<?xml")


@at_length
@in_parlour(game="loveletter")
async def test_a_game_that_somebody_wins_is_measured_by_wins(here: Parlour) -> None:
    ada = await here.guest()
    await ada.ask("runs", "lab")
    wishes = {"what": "match", "game": "loveletter", "agents": ["greedy", "random"], "players": 2, "games": 50}
    ada.say("lab_start", **wishes)
    run = await state(ada, "done")
    assert run["done"] == run["total"]
    assert run["summary"]


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ({"game": "chess"}, "unknown"),
        ({"agents": ["nobody"]}, "unknown"),
        ({"agents": ["examples/my_bot.py:MyBot"]}, "unknown"),
        ({"agents": ["hajdu_v1", "hajdu_v2"]}, "bad_message"),
        ({"agents": []}, "bad_message"),
        ({"players": 9}, "bad_message"),
        ({"games": 0}, "bad_message"),
        ({"games": 10**9}, "bad_message"),
        ({"rules": {"gravity": "off"}}, "bad_message"),
        ({"what": "cross"}, "bad_message"),
    ],
)
@in_parlour()
async def test_a_run_that_makes_no_sense_is_refused(here: Parlour, wishes: dict[str, Any], code: str) -> None:
    ada = await here.guest()
    assert await ada.refused("lab_start", **{**MATCH, **wishes}) == code
    assert here.lab.runs == {}
    assert await ada.refused("lab_cancel", run="none") == "unknown"


@in_parlour(agents=["tests.server.web.unruly:Illegal"])
async def test_a_run_whose_agent_fails_says_why(here: Parlour) -> None:
    here.lab.jobs = 1
    ada = await here.guest()
    await ada.ask("runs", "lab")
    wishes = {**MATCH, "agents": ["tests.server.web.unruly:Illegal"], "players": 4, "games": 3}
    ada.say("lab_start", **wishes)
    run = await state(ada, "failed")
    assert "play 5" in run["error"]


@in_parlour()
async def test_there_is_a_limit_to_the_runs_that_wait(here: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await here.guest()
    await ada.ask("runs", "lab")
    with monkeypatch.context() as patch:
        patch.setattr(laboratory, "MAX_UNFINISHED", 2)
        go_on = held_back(patch, "play", 1)
        ada.say("lab_start", **MATCH)
        await state(ada, "running")
        token = (await ada.ask("lab_started", "lab_start", **MATCH))["token"]
        assert await ada.refused("lab_start", **MATCH) == "full"
        waiting = await state(ada, "queued")
        ada.say("lab_cancel", run=waiting["run"], token=token)
        await state(ada, "cancelled")
        go_on.set()


def test_a_run_that_cannot_be_read_keeps_nobody_out() -> None:
    async def scenario(folder: Path) -> None:
        (folder / "runs" / "broken").mkdir(parents=True)
        (folder / "runs" / "broken" / "run.json").write_text("{")
        async with parlour(folder) as here:
            assert here.lab.runs == {}

    played(scenario)


def test_only_so_many_runs_are_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laboratory, "MAX_IN_MEMORY", 3)

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            monkeypatch.setattr(here.lab, "_continue", lambda run: None)
            started = []
            for _ in range(5):
                asked = await ada.ask("lab_started", "lab_start", **MATCH)
                here.lab.cancel(asked["run"], asked["token"])
                while here.lab.runs[asked["run"]].state != "cancelled":
                    await asyncio.sleep(0)
                started.append(asked["run"])
            assert list(here.lab.runs) == started[-3:]
            assert all((folder / "runs" / run / "run.json").is_file() for run in started)

    played(scenario)


def test_a_run_for_which_there_is_no_room_stops_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> Iterator[int]:
        yield 1
        raise OSError(errno.ENOSPC, "No space left on device", "/data/runs/games.csv")

    monkeypatch.setattr(laboratory, "match_steps", full)

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            ada.say("lab")
            await ada.ask("lab_started", "lab_start", **MATCH)
            heard = await ada.hear("runs", lambda said: any(run["state"] == "failed" for run in said["runs"]))
            [run] = heard["runs"]
            assert run["error"] == "The run stopped: No space left on device. Free some space, then resume it."
            assert "Traceback" not in caplog.text

    played(scenario)
