"""A match that is killed, wherever it is, goes on with the same command and ends with the same bytes."""

import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.arena import saved_match
from kibitz.arena.cross import CrossPlan
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredCross, MeasuredMatch
from kibitz.errors import KibitzError
from tests.fuzzing import first_of

ENDINGS = (".json", ".jsonl", ".csv", ".parquet")


def match_for(path: Path, games: int = 12) -> Match:
    return Match("nim", ("any_taker", "any_taker"), games, seed=5, records=saved_match.wants_records(path)).prepared()


def play(match: Match, path: Path) -> MeasuredMatch:
    measured = MeasuredMatch(match, path)
    for _ in measured.play(1):
        pass
    measured.finish()
    return measured


# Every phase in a process of its own that kills itself there; they are forked, to load and compile once.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from kibitz.arena import checkpoint, match as arena
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredMatch

arena.ChunkSize.most = 4
ENDINGS, PHASES = (".json", ".jsonl", ".csv", ".parquet"), ("playing", "writing", "replacing", "removing")
folder = Path(sys.argv[1])

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def match_for(path):
    return Match("hanabi", ("cheater", "erratic"), 12, 5, records=path.suffix.startswith(".json")).prepared()

def run(path, phase):
    match = match_for(path)
    measured = MeasuredMatch(match, path)
    for number, _ in enumerate(measured.play(1)):
        if phase == "playing" and number == 1:
            die()
    if phase == "writing":
        def half(self, write):
            def broken(draft):
                write(draft)
                draft.write_bytes(draft.read_bytes()[: draft.stat().st_size // 2])
                die()
            finish(self, broken)
        finish, checkpoint.Checkpoint.finish = checkpoint.Checkpoint.finish, half
    if phase == "replacing":
        Path.replace = die
    if phase == "removing":
        Path.unlink = die
    measured.finish()

def in_a_fork(*arguments):
    child = os.fork()
    if not child:
        run(*arguments)
        os._exit(0)
    return os.waitpid(child, 0)[1]

import polars
arena.play_here(match_for(Path("x.json")), 0, range(2))
arena.play_compiled(match_for(Path("x.csv")), 0, range(2))
for ending in ENDINGS:
    whole = folder / f"whole{ending}"
    assert in_a_fork(whole, "") == 0
    for phase in PHASES:
        killed = folder / f"{phase}{ending}"
        killed.write_text("an older file")
        assert in_a_fork(killed, phase) == signal.SIGKILL
        if phase != "removing":
            assert killed.read_text() == "an older file"
        assert in_a_fork(killed, "") == 0
        assert killed.read_bytes() == whole.read_bytes(), (phase, ending)
assert not list(folder.glob("*.partial")) and not list(folder.glob("*.new"))
print("all the same")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_a_match_killed_in_any_phase_ends_with_the_same_bytes(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.stdout == "all the same\n", done.stderr


@pytest.mark.usefixtures("nim")
@first_of(2, "ending", ENDINGS[::-2] + ENDINGS[::2])
def test_a_last_game_cut_off_at_any_byte_is_played_again(tmp_path: Path, ending: str) -> None:
    path, whole = tmp_path / f"games{ending}", tmp_path / f"whole{ending}"
    match = match_for(path)
    play(match, whole)
    unfinished = MeasuredMatch(match, path)
    for _ in unfinished.play(1):
        pass
    assert unfinished.saved is not None
    partial = unfinished.saved.checkpoint.path
    kept, header = partial.read_bytes(), unfinished.saved.checkpoint.header
    entries = kept[len(header) :]
    last = len(entries.splitlines(keepends=True)[-1]) if match.records else 8 * match.game.width
    for cut in range(1, last + 1):
        partial.write_bytes(kept[:-cut])
        assert len(saved_match.SavedMatch(path, match).results) == 11
        assert partial.read_bytes() == kept[:-last]
    for cut in (1, last // 2):
        partial.write_bytes(kept[:-cut])
        play(match, path)
        assert path.read_bytes() == whole.read_bytes()
        partial.write_bytes(kept)
    for size in range(0, len(header), 9):  # killed before it had begun
        partial.write_bytes(kept[:size])
        assert len(saved_match.SavedMatch(path, match).results) == 0


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_damaged_in_the_middle_says_what_to_do(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"games{ending}"
    match = match_for(path)
    measured = MeasuredMatch(match, path)
    for _ in measured.play(1):
        pass
    assert measured.saved is not None
    partial, header = measured.saved.checkpoint.path, len(measured.saved.checkpoint.header)
    kept = partial.read_bytes()
    lines = kept[header:].splitlines(keepends=True)
    damages = [kept[: header + 9] + b"\xff" * 8 + kept[header + 17 :]]
    if match.records:
        damages += [kept[:header] + b"".join(lines[:3] + lines[4:])]
    for damaged in damages:
        partial.write_bytes(damaged)
        with pytest.raises(KibitzError, match=r"is damaged: entry .* delete it to start again with the same command"):
            MeasuredMatch(match, path)


@pytest.mark.usefixtures("nim")
def test_a_cross_table_damaged_in_the_middle_says_what_to_do(tmp_path: Path) -> None:
    plan = CrossPlan("nim", ("any_taker", "thinker", "expert"), 2, 4, seed=1).prepared()
    measured = MeasuredCross(plan, tmp_path / "table")
    for _ in measured.play(1):
        pass
    assert measured.saved is not None
    partial = measured.saved.checkpoint.path
    kept = partial.read_bytes()
    for damaged in (kept.replace(b'"any_taker","column"', b'"nobody","column"'), kept.replace(b'"games":', b'"games:')):
        partial.write_bytes(damaged)
        with pytest.raises(KibitzError, match="is damaged: entry 1 "):
            MeasuredCross(plan, tmp_path / "table")


@pytest.mark.usefixtures("nim")
def test_a_disk_that_is_full_is_told_with_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    measured = MeasuredMatch(match_for(path), path)
    assert measured.saved is not None
    measured.saved.checkpoint.path.unlink()
    measured.saved.checkpoint.path.mkdir()
    with pytest.raises(KibitzError, match=r"games\.csv\.partial cannot be written: .*Its contents are kept"):
        next(measured.play(1))


def test_a_folder_is_no_file_to_save_to(tmp_path: Path) -> None:
    (tmp_path / "games.csv").mkdir()
    with pytest.raises(KibitzError, match="is a folder"):
        saved_match.SavedMatch(tmp_path / "games.csv", hanabi())


def hanabi() -> Match:
    return Match("hanabi", ("erratic",) * 2, 3, seed=1).prepared()
