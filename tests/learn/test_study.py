"""A study survives kills and full disks, and says in a sentence what is wrong with it."""

import resource
from pathlib import Path

import pytest

from kibitz.errors import KibitzError
from tests.learn.studies import judged, study, trials_of, tried


def test_a_trial_that_was_cut_short_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "a"
    whole = tried(study(path, deals=50), 4)
    kept = path / "trials-00000.tail"
    kept.write_bytes(kept.read_bytes()[:-40])
    again = study(path, deals=50)
    assert trials_of(again) == trials_of(whole)[:-1]
    assert trials_of(tried(again, 4)) == trials_of(whole)
    verdict = judged(again)
    again.study.close({"gain": verdict.gain})
    finished = study(path, deals=50)
    assert trials_of(finished) == trials_of(whole)
    assert judged(finished) == verdict
    assert trials_of(tried(finished, 5))[:-1] == trials_of(whole)
    assert not (path / "summary.json").exists()


def test_a_full_disk_is_reported_and_what_was_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    tuning = tried(study(path, deals=50), 3)
    kept = path / "trials-00000.tail"
    before = kept.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
    try:
        with pytest.raises(KibitzError, match=r"cannot be written: .*run the same command to resume"):
            tried(tuning, 4)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert tried(study(path, deals=50), 4).finished == 4


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"players": 3}, "players is 2 there and 3 here"),
        ({"agent": "trustful"}, "agent is distrustful@.* there and trustful here"),
        ({"seed": 5}, "seed is 0 there and 5 here"),
        ({"deals": 60}, "deals is 50 there and 60 here"),
    ],
)
def test_a_study_of_something_else_is_refused(tmp_path: Path, more: dict[str, object], sentence: str) -> None:
    path = tmp_path / "a"
    tried(study(path, deals=50), 1)
    before = {file.name: file.read_bytes() for file in path.iterdir()}
    with pytest.raises(KibitzError, match=f"holds another run: .*{sentence}"):
        study(path, **{"deals": 50, **more})  # type: ignore[arg-type]
    assert {file.name: file.read_bytes() for file in path.iterdir()} == before


@pytest.mark.parametrize("damage", [b"{not json}\n", b"7\n", b'{"params":4}\n'])
def test_a_damaged_study_is_reported_and_left_unchanged(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a"
    tried(study(path, deals=50), 2)
    kept = path / "trials-00000.tail"
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join([*lines[:-1], damage, lines[-1]]))
    before = kept.read_bytes()
    with pytest.raises(KibitzError, match=r"is damaged: .*Restore a copy of the file, or delete it"):
        study(path, deals=50)
    assert kept.read_bytes() == before


def test_a_folder_of_something_else_is_no_study(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Dear diary")
    with pytest.raises(KibitzError, match="is no run, and not empty"):
        study(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "Dear diary"
