"""A study's file: it survives kills, full disks and several processes, and says in a sentence what is wrong with it."""

import resource
from pathlib import Path

import pytest

from kibitz.errors import KibitzError
from tests.learn.studies import judged, study, trials_of, tried


def test_two_processes_work_on_one_study(tmp_path: Path) -> None:
    one, other = study(tmp_path / "a.study", deals=50), study(tmp_path / "a.study", deals=50)
    first, second = one.run(10), other.run(10)
    for _ in range(200):
        next(first, None)
        next(second, None)
    assert one.finished in (10, 11)
    one.study.synchronise()
    other.study.synchronise()
    key = str
    assert sorted(trials_of(one), key=key) == sorted(trials_of(other), key=key)
    third = study(tmp_path / "a.study", deals=50)
    assert third.finished == one.finished
    assert judged(one) == judged(other) == judged(third)


def test_a_line_that_was_cut_short_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    whole = tried(study(path, deals=50), 4)
    path.write_bytes(path.read_bytes()[:-40])
    again = study(path, deals=50)
    assert trials_of(again) == trials_of(whole)[:-1]
    assert trials_of(tried(again, 4)) == trials_of(whole)
    assert trials_of(study(path, deals=50)) == trials_of(whole)


def test_a_full_disk_is_told_and_what_was_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    tuning = tried(study(path, deals=50), 3)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
    try:
        with pytest.raises(KibitzError, match=r"a\.study cannot be written: .*run the same command to resume"):
            tried(tuning, 4)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert tried(study(path, deals=50), 4).finished == 4


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"players": 3}, "the number of players is 2, here 3"),
        ({"agent": "trustful"}, "the agent is distrustful@.*, here trustful"),
        ({"seed": 5}, "the seed is 0, here 5"),
        ({"deals": 60}, "the number of deals is 50, here 60"),
    ],
)
def test_a_study_of_something_else_is_refused(tmp_path: Path, more: dict[str, object], sentence: str) -> None:
    path = tmp_path / "a.study"
    tried(study(path, deals=50), 1)
    before = path.read_bytes()
    with pytest.raises(KibitzError, match=f"is another study: there {sentence}"):
        study(path, **{"deals": 50, **more})  # type: ignore[arg-type]
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", [b"{not json}\n", b"7\n", b'{"op_code":4}\n', b'{"op_code":99,"worker_id":"x"}\n'])
def test_a_damaged_study_is_reported_and_left_unchanged(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a.study"
    tried(study(path, deals=50), 2)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], damage, lines[-1]]))
    before = path.read_bytes()
    with pytest.raises(KibitzError, match=r"a\.study is damaged: .*Restore a copy of the file, or delete it"):
        study(path, deals=50)
    assert path.read_bytes() == before


def test_a_file_of_something_else_is_no_study(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary\nno study\n")
    with pytest.raises(KibitzError, match="is damaged: line 1 cannot be read"):
        study(path)
    assert path.read_text() == "Dear diary\nno study\n"
