"""A run's folder: found again, locked, refused with what differs, and the same bytes whatever happened on the way."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena.runs import Entries, Numbers, Tally, Texts, begin, kept, opened, runs_folder
from kibitz.arena.runs.folder import Run, command_of, short
from kibitz.errors import KibitzError

PLAN = {"agents": ["piers", "iggi"], "seed": 5, "budget": None}


def begun(**more: Any) -> Run:
    return begin("match", {**PLAN, **more}, "hanabi-piers", command=["match", "hanabi", "piers"])


@pytest.mark.usefixtures("runs")
def test_a_run_that_was_stopped_is_found_by_its_plan_and_a_finished_one_stays() -> None:
    with begun() as first:
        assert (first.name, first.state) == ("match-hanabi-piers", "running")
    assert first.state == "stopped"
    with begun(seed=6) as other:
        assert other.name == "match-hanabi-piers-2"
    with begun() as again:
        assert again.folder == first.folder
        again.finish({"mean": 17.5})
    assert (again.state, again.summary) == ("finished", {"mean": 17.5})
    with begun() as new:
        assert new.name == "match-hanabi-piers-3"
    assert {run.name for run in kept()} == {first.name, other.name, new.name}
    assert command_of(first.place)[0] == ["match", "hanabi", "piers"]
    new.delete()
    assert not new.place.exists()


@pytest.mark.usefixtures("runs")
def test_two_commands_do_not_share_a_folder() -> None:
    with begin("match", PLAN, "", name="mine") as first:
        with pytest.raises(KibitzError, match=r"Another command is playing the run mine\. .*with --run"):
            begin("match", PLAN, "", name="mine")
        with pytest.raises(KibitzError, match="Another command"):
            opened("mine").delete()
        with begin("match", PLAN, "mine") as other:  # a name of its own
            assert other.folder != first.folder
    begin("match", PLAN, "", name="mine").release()


@pytest.mark.usefixtures("runs")
def test_another_plan_and_a_finished_run_are_refused_by_name() -> None:
    with begin("match", PLAN, "", name="mine") as run:
        pass
    for plan, says in (({**PLAN, "seed": 6}, "seed is 5 there and 6 here"), ({"agents": ["piers"]}, "seed is 5 there")):
        with pytest.raises(KibitzError, match=rf"holds another run: .*{says}.*kibitz run resume mine"):
            begin("match", plan, "", name="mine")
    with pytest.raises(KibitzError, match="there it is a match, here a cross"):
        begin("cross", PLAN, "", name="mine")
    run.finish({})
    with pytest.raises(KibitzError, match=r"is finished: `kibitz run show mine`"):
        begin("match", PLAN, "", name="mine")
    with begin("match", PLAN, "", name="mine", grows=True) as more:
        more.reopen()
        assert more.state == "running"
    with begin("match", {"seed": 7}, "", name="mine", forgets=True) as other:
        assert opened("mine").plan == other.plan == {"seed": 7}


def test_what_is_no_run_is_refused_and_left_alone(runs: Path) -> None:
    (runs / "notes").mkdir()
    (runs / "notes" / "a.txt").write_text("mine")
    with pytest.raises(KibitzError, match="is no run, and not empty"):
        begin("match", PLAN, "", name="notes")
    with pytest.raises(KibitzError, match="There is no run called 'notes'"):
        opened("notes")
    for name in ("..", "a b", ""):
        with pytest.raises(KibitzError, match="is no name of a run"):
            opened(name)
    with begin("match", PLAN, "", name="later") as run:
        pass
    plan = run.place / "plan.json"
    plan.write_text(json.dumps({**json.loads(plan.read_text()), "kibitz_run": 2, "version": "9.0"}))
    with pytest.raises(KibitzError, match=r"was written by kibitz 9\.0, .* newer than this version"):
        opened("later")
    plan.write_text('{"kibitz_run": 1}')
    with pytest.raises(KibitzError, match=r"plan\.json is damaged"):
        opened("later")
    assert kept() == []


def test_a_folder_that_cannot_be_written_costs_only_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KIBITZ_RUNS", str(tmp_path / "file" / "runs"))
    assert runs_folder() == tmp_path / "file" / "runs"
    run = begun()
    assert not run.is_kept
    assert "so this run is not kept. Set KIBITZ_RUNS" in run.problem
    run.note_progress(1, 2)
    run.finish({})


def test_rows_are_the_same_files_however_they_came(tmp_path: Path) -> None:
    rows = np.arange(60).reshape(30, 2)
    for name, steps in (("one", [30]), ("few", [7, 9, 14]), ("single", [1] * 30)):
        (tmp_path / name).mkdir()
        first = 0
        for step in steps:
            kept = Numbers(tmp_path / name, "games", ["a", "b"], part=8)  # opened again every time
            assert len(kept) == first
            kept.add(rows[first : first + step])
            first += step
        kept.finish()
        assert (kept.whole() == rows).all()
        assert [len(block) for block in kept.blocks()] == [8, 8, 8, 6]
    one, *others = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in tmp_path.iterdir())
    assert all(other == one for other in others)
    assert len(one) == 4


def test_a_row_that_was_cut_off_is_dropped_with_those_it_belongs_to(tmp_path: Path) -> None:
    kept = Numbers(tmp_path, "games", ["a", "b"], together=3)
    kept.add(np.arange(12).reshape(6, 2))
    kept.journal.path.write_bytes(kept.journal.path.read_bytes()[:-1])
    assert Numbers(tmp_path, "games", ["a", "b"], together=3).whole().tolist() == [[0, 1], [2, 3], [4, 5]]


def test_texts_and_entries_come_back_as_they_were(tmp_path: Path) -> None:
    texts, entries = [b"one", "zwölf".encode(), b"{}"], [{"a": 1, "b": [1, {"c": None}]}, {"a": None, "d": 0.1}]
    first, second = Texts(tmp_path, "records", part=2), Entries(tmp_path, "cells", part=1)
    first.add(texts)
    second.add(entries)
    for _ in range(2):
        assert [line for block in first.blocks() for line in block] == texts
        found = second.whole()
        assert [{name: value for name, value in row.items() if value is not None} for row in found] == [
            {"a": 1, "b": [1, {"c": None}]}, {"d": 0.1},
        ]  # fmt: skip
        first.finish()
        second.finish()
        first, second = Texts(tmp_path, "records", part=2), Entries(tmp_path, "cells", part=1)


def test_sums_are_added_up_and_the_journal_stays_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tally, "MOST_ROWS", 4)
    for number in range(10):
        tally = Tally(tmp_path, "statistics", {"scores": 3, "lost": 1})
        assert tally.total.tolist() == [number, 0, 2 * number, number]
        tally.add(np.array([1, 0, 2, 1]))
    assert tally.journal is not None
    assert tally.journal.path.stat().st_size < 300
    tally.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["statistics.parquet"]
    assert Tally(tmp_path, "statistics", {"scores": 3, "lost": 1}).total.tolist() == [10, 0, 20, 10]


def test_a_part_that_was_cut_off_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    kept = Numbers(folder, "games", ["a"], part=2)
    kept.add(np.arange(4).reshape(4, 1))
    part = folder / "games-00001.parquet"
    part.write_bytes(part.read_bytes()[:-30])
    with pytest.raises(KibitzError, match=r"games-00001\.parquet is damaged or was cut off .*kibitz run delete mine"):
        Numbers(folder, "games", ["a"], part=2)


MILLION = """
import resource, sys
from pathlib import Path
import numpy as np
from kibitz.arena.runs import Numbers

kept, rows = Numbers(Path(sys.argv[1]), "games", ["score", "lives", "turns"]), np.arange(30_000).reshape(10_000, 3)
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for number in range(100):
    kept.add(rows)
    if number == 20:
        few = peak()
kept.finish()
total = sum(len(block) for block in Numbers(Path(sys.argv[1]), "games", ["score", "lives", "turns"]).blocks())
print(total, peak() - few)
"""


def test_a_million_games_are_written_and_read_in_the_memory_of_a_part(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MILLION, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout  # fmt: skip
    games, kilobytes = map(int, done.split())
    assert games == 1_000_000
    assert kilobytes < 60_000  # the rows alone are 24 MB


def written_by_others(runs: Path, name: str, **fields: object) -> Path:
    folder = runs / name
    folder.mkdir(parents=True)
    plan = {"kibitz_run": 1, "what": "match", "plan": {}, "command": ["match", "coins"], "directory": "/", **fields}
    (folder / "plan.json").write_text(json.dumps(plan))
    return folder


@pytest.mark.parametrize(
    "fields",
    [
        {"kibitz_run": True},
        {"what": 3},
        {"plan": [["a", 1]]},
        {"command": [1, {}]},
        {"command": "ls"},
        {"directory": 7},
    ],
)
def test_a_plan_that_somebody_changed_is_damaged(runs: Path, fields: dict[str, object]) -> None:
    written_by_others(runs, "theirs", **fields)
    with pytest.raises(KibitzError, match=r"plan\.json is damaged: Expected"):
        opened("theirs")
    assert kept() == []


@pytest.mark.parametrize("progress", ['{"done": "x", "total": {}, "unit": 3}', '{"done": 1}', "[]", "{" * 10**5])
def test_a_progress_that_somebody_changed_is_none(runs: Path, progress: str) -> None:
    folder = written_by_others(runs, "theirs")
    (folder / "progress.json").write_text(progress)
    assert opened("theirs").progress == {}


def test_a_pipe_and_a_huge_file_are_not_read(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (runs / "pipe").mkdir(parents=True)
    os.mkfifo(runs / "pipe" / "plan.json")
    written_by_others(runs, "theirs")
    assert [run.name for run in kept()] == ["theirs"]
    monkeypatch.setattr("kibitz.arena.runs.folder.MOST_BYTES", 10)
    with pytest.raises(KibitzError, match="bytes; 10 is the most that is read"):
        opened("theirs")


def test_a_command_is_taken_from_nobody_else(runs: Path) -> None:
    """It may name files of Python, which are executed."""
    folder = written_by_others(runs, "theirs")
    assert command_of(folder) == (["match", "coins"], Path("/"))
    (folder / "plan.json").chmod(0o666)
    with pytest.raises(KibitzError, match=r"other users can write to .* so its command is not run for you"):
        command_of(folder)
    wrong: list[dict[str, object]] = [{"command": ["run", "resume", "again0"]}, {"directory": "a\0b"}]
    for number, fields in enumerate(wrong):
        with pytest.raises(KibitzError, match="no such command begins a run"):
            command_of(written_by_others(runs, f"again{number}", **fields))


@pytest.mark.parametrize("name", ["x" * 300, "/" + "x" * 3000, "a\0b", "../\x1b[2J"])
def test_no_name_is_too_strange_for_a_sentence(runs: Path, name: str) -> None:
    with pytest.raises(KibitzError, match="is no name of a run"):
        opened(name)


def test_deeply_nested_values_are_shown_in_short() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = {"a": [deep]}
    assert short(deep) == "a=a=…"


def damaged_parts(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Parts with other contents than they should have, and how each is read."""
    import polars as pl

    other = pl.DataFrame({"a": ["no JSON"], "b": [1]})
    yield "games", lambda: Numbers(folder, "games", ["x"]).whole()
    yield "records", lambda: list(Texts(folder, "records").blocks())
    yield "trials", lambda: Entries(folder, "trials").whole()
    for name in ("games", "records", "trials"):
        other.write_parquet(folder / f"{name}-00000.parquet")
    other.write_parquet(folder / "sums.parquet")
    yield "sums", lambda: Tally(folder, "sums", {"a": 2})


def test_a_part_with_other_contents_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = dict(damaged_parts(tmp_path))
    for name, read in parts.items():
        with pytest.raises(KibitzError, match=rf"{name}.*\.parquet is damaged or was cut off"):
            read()
    monkeypatch.setattr("kibitz.arena.runs.rows.MOST_ROWS", 0)
    with pytest.raises(KibitzError, match="it declares 1 rows"):
        parts["games"]()
