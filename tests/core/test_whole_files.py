"""Files are written whole or not at all, and never through a link that somebody else may have planted."""

import errno
import os
from pathlib import Path

import pytest

from kibitz.arena.runs.journal import Journal
from kibitz.core import whole_files
from kibitz.core.whole_files import whole_file, write_whole
from kibitz.errors import KibitzError


def test_a_file_is_replaced_and_no_draft_is_left(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    write_whole(path, "old")
    write_whole(path, b"new")
    assert [each.read_text() for each in path.parent.iterdir()] == ["new"]


def test_an_error_leaves_the_old_file_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "file.txt"
    write_whole(path, "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KibitzError, match=r"file\.txt cannot be written: No space left on device\. Try again\."):
        write_whole(path, "new", "Try again.")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


def test_the_content_is_on_the_disk_before_the_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "file.txt", []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(path.exists()))
    write_whole(path, "text")
    assert synced == [False, True]


@pytest.mark.parametrize("name", ["file.txt", "file.txt.new"])
def test_a_link_is_replaced_and_not_written_through(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    (tmp_path / name).symlink_to(victim)
    write_whole(tmp_path / "file.txt", "mine")
    assert victim.read_text() == "untouched"
    assert (tmp_path / "file.txt").read_text() == "mine"
    assert not (tmp_path / "file.txt").is_symlink()


def test_a_folder_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "results").symlink_to("disk")
    write_whole(tmp_path / "results" / "file.txt", "text")
    assert (tmp_path / "disk" / "file.txt").read_text() == "text"


def test_two_that_write_one_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"

    def both_at_once() -> None:
        with whole_file(path) as draft:
            draft.write_text("half of")
            with whole_file(path) as other:
                other.write_text("the other")
            draft.write_text("somebody's third")

    with pytest.raises(OSError, match="another process"):
        both_at_once()
    assert [each.read_text() for each in tmp_path.iterdir()] == ["the other"]


@pytest.mark.skipif("os.name != 'posix'", reason="pipes have names on POSIX only")
def test_a_pipe_is_written_to_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(path, "text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert whole_files.is_special(Path("/dev/stdout"))


def test_a_checkpoint_is_not_written_through_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    (tmp_path / "games.csv.partial").symlink_to(victim)
    with pytest.raises(KibitzError, match=r"games\.csv\.partial cannot be written: it is a link.* Delete it"):
        Journal(tmp_path / "games.csv.partial", {}, "other games")
    assert victim.read_text() == "untouched"


def test_a_link_that_takes_the_place_of_a_journal_in_use_is_not_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    journal = Journal(tmp_path / "games.csv", {}, "other games")
    journal.path.unlink()
    journal.path.symlink_to(victim)
    with pytest.raises(KibitzError, match="it is a link"):
        journal.add(b"entry\n")
    assert victim.read_text() == "untouched"
