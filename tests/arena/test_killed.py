"""A match killed at any moment is resumed by the same command and ends with the same bytes."""

import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.arena import saved_match
from kibitz.arena.cross import CrossPlan
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredMatch, begin_match
from kibitz.arena.measured_cross import MeasuredCross, begin_cross
from kibitz.arena.runs import Run
from kibitz.errors import KibitzError
from tests.fuzzing import FUZZING, first_of

ENDINGS = (".json", ".jsonl", ".csv", ".parquet")


def match_for(path: Path, games: int = 12) -> Match:
    return Match("nim", ("any_taker", "any_taker"), games, seed=5, records=saved_match.wants_records(path)).prepared()


def measured_in(path: Path, match: Match) -> MeasuredMatch:
    """The match with its run in a folder beside the file; an earlier one of this program lets go of it."""
    if path in OPEN:
        OPEN.pop(path).release()
    keep = saved_match.keeps(path)
    OPEN[path] = begin_match(match, keep, name=str(path) + ".run", grows=True)
    return MeasuredMatch(match, OPEN[path], keep)


def play(match: Match, path: Path) -> MeasuredMatch:
    measured = measured_in(path, match)
    for _ in measured.play(1):
        pass
    measured.finish()
    saved_match.write_games(measured, path)
    return measured


OPEN: dict[Path, Run] = {}


# Every phase in a process of its own that kills itself there; they are forked, to load and compile once.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from kibitz.arena import match as arena, saved_match
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredMatch, begin_match
from kibitz.arena.runs import rows

arena.ChunkSize.most = 4
ENDINGS, PHASES = (".json", ".jsonl", ".csv", ".parquet"), ("playing", "part", "summary", "replacing", "removing")
folder = Path(sys.argv[1])

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def match_for(path):
    return Match("hanabi", ("cheater", "erratic"), 12, 5, records=path.suffix.startswith(".json")).prepared()

def run(path, phase):
    match, keep = match_for(path), saved_match.keeps(path)
    with begin_match(match, keep, name=str(path) + ".run") as kept:
        measured = MeasuredMatch(match, kept, keep)
        for number, _ in enumerate(measured.play(1)):
            if phase == "playing" and number == 1:
                die()
        if phase == "part":
            def half(path, frame):
                write(path, frame)
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
                path.rename(path.with_name(path.name + ".new"))
                die()
            write, rows.write_parquet = rows.write_parquet, half
        if phase == "summary":
            kept.finish = die
        if phase == "replacing":
            Path.replace = die
        if phase == "removing":
            Path.unlink = die
        measured.finish()
        saved_match.write_games(measured, path)

def files(path):
    return {file.name: file.read_bytes() for file in Path(f"{path}.run").iterdir() if file.name != "lock"}

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
        assert killed.read_text() == "an older file"
        assert in_a_fork(killed, "") == 0
        assert killed.read_bytes() == whole.read_bytes(), (phase, ending)
        assert files(killed) == files(whole), (phase, ending)
assert not list(folder.rglob("*.tail")) and not list(folder.rglob("*.new"))
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
    unfinished = measured_in(path, match)
    for _ in unfinished.play(1):
        pass
    assert unfinished.games_kept is not None
    journal = unfinished.games_kept.rows.journal
    kept, header = journal.path.read_bytes(), journal.header
    entries = kept[len(header) :]
    last = len(entries.splitlines(keepends=True)[-1]) if match.records else 8 * match.game.width
    for cut in sorted({1, last - 1, last, *range(1, last, 1 if FUZZING else 13)}):
        journal.path.write_bytes(kept[:-cut])
        assert measured_in(path, match).games == 11
        assert journal.path.read_bytes() == kept[:-last]
    for size in range(0, len(header), 9 if FUZZING else 45):  # killed before it had begun
        journal.path.write_bytes(kept[:size])
        assert measured_in(path, match).games == 0
    journal.path.write_bytes(kept[: -last // 2])
    play(match, path)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_damaged_in_the_middle_says_what_to_do(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"games{ending}"
    match = match_for(path)
    measured = measured_in(path, match)
    for _ in measured.play(1):
        pass
    assert measured.games_kept is not None
    journal = measured.games_kept.rows.journal
    header, kept = len(journal.header), journal.path.read_bytes()
    lines = kept[header:].splitlines(keepends=True)
    damages = [kept[: header + 9] + b"\xff" * 8 + kept[header + 17 :]]
    if match.records:
        damages += [kept[:header] + b"".join(lines[:3] + lines[4:])]
    for damaged in damages:
        journal.path.write_bytes(damaged)
        with pytest.raises(KibitzError, match=r"is damaged: entry .* delete it to play its games again"):
            measured_in(path, match)


@pytest.mark.usefixtures("nim")
def test_a_cross_table_damaged_in_the_middle_says_what_to_do(tmp_path: Path) -> None:
    plan = CrossPlan("nim", ("any_taker", "thinker", "expert"), 2, 4, seed=1).prepared()
    run = begin_cross(plan, name=str(tmp_path / "table"))
    measured = MeasuredCross(plan, run)
    for _ in measured.play(1):
        pass
    assert measured.rows is not None
    journal = measured.rows.journal
    kept, header = journal.path.read_bytes(), len(journal.header)
    for place, number in ((0, 7), (1, -1), (2, 3), (3, 0)):  # the row's agent, the column's, the first deal, the deals
        at = header + 8 * place
        journal.path.write_bytes(kept[:at] + number.to_bytes(8, "little", signed=True) + kept[at + 8 :])
        with pytest.raises(KibitzError, match="is damaged: entry 1 "):
            MeasuredCross(plan, run)


@pytest.mark.usefixtures("nim")
def test_a_disk_that_is_full_is_reported_with_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    measured = measured_in(path, match_for(path))
    assert measured.games_kept is not None
    journal = measured.games_kept.rows.journal.path
    journal.unlink()
    journal.mkdir()
    with pytest.raises(KibitzError, match=r"games-00000\.tail cannot be written: .*Its contents are kept"):
        next(measured.play(1))


def test_a_folder_is_no_file_to_save_to(tmp_path: Path) -> None:
    (tmp_path / "games.csv").mkdir()
    with pytest.raises(KibitzError, match="is a folder"):
        saved_match.keeps(tmp_path / "games.csv")
