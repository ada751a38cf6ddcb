"""A match in a file: nothing is lost on the way, and the rows say who sat where."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from kibitz.arena import saved_match
from kibitz.arena.match import Match, play
from kibitz.arena.measure import MeasuredMatch, begin_match
from kibitz.core.record import read
from kibitz.errors import KibitzError


def measured(path: Path, match: Match) -> MeasuredMatch:
    """The match with its run in a folder beside the file."""
    keep = saved_match.keeps(path)
    return MeasuredMatch(match, begin_match(match, keep, name=str(path) + ".run"), keep)


def save(path: Path, match: Match, upto: int | None = None) -> None:
    played = measured(path, match)
    assert played.run is not None
    with played.run:
        for batch in played.play(1):
            if upto is not None and batch.first + batch.games >= upto:
                return
        played.finish()
        saved_match.write_games(played, path)


def cut(path: Path) -> None:
    """Take away the end of the last game."""
    [tail] = path.with_name(path.name + ".run").glob("*.tail")
    tail.write_bytes(tail.read_bytes()[:-7])


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".csv", ".parquet"])
def test_a_killed_match_goes_on_where_it_stopped(tmp_path: Path, ending: str) -> None:
    whole, killed = tmp_path / f"whole{ending}", tmp_path / f"killed{ending}"
    seats = ("simple_distrustful", "erratic")
    games = 60 if saved_match.wants_records(whole) else 5000
    match = Match("hanabi", seats, games, seed=5, records=saved_match.wants_records(whole)).prepared()
    save(whole, match)
    save(killed, match, upto=20)
    cut(killed)
    save(killed, match)
    assert killed.read_bytes() == whole.read_bytes()
    assert in_folder(killed) == in_folder(whole)


def in_folder(path: Path) -> dict[str, bytes]:
    folder = path.with_name(path.name + ".run")
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "lock"}


def test_saved_games_can_be_replayed(tmp_path: Path) -> None:
    for ending in (".json", ".jsonl"):
        path = tmp_path / f"games{ending}"
        save(path, Match("hanabi", ("erratic",) * 4, 3, seed=5, records=True).prepared())
        for number in range(3):
            record = read(path, number)
            assert record.number == number
            assert record.replay().result() == record.result


def test_games_of_another_match_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    save(path, Match("hanabi", ("erratic",) * 4, 60, seed=5, records=True).prepared(), upto=20)
    with pytest.raises(KibitzError, match="holds another run: seed is 5 there and 6 here"):
        save(path, Match("hanabi", ("erratic",) * 4, 60, seed=6, records=True).prepared())


def test_an_ending_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match=r"\.jsonl"):
        saved_match.wants_records(tmp_path / "games.txt")


def test_hanabis_table_is_the_same_in_both_forms(tmp_path: Path) -> None:
    match = Match("hanabi", ("erratic",) * 3, 40, seed=5).prepared()
    for ending in (".csv", ".parquet"):
        save(tmp_path / f"games{ending}", match)
    with (tmp_path / "games.csv").open(newline="") as file:
        text = file.read()
    assert text.startswith("game,score,lives,turns\r\n0,")
    assert pl.read_csv(tmp_path / "games.csv").equals(pl.read_parquet(tmp_path / "games.parquet"))


# Competitive games

SEATINGS: dict[str, dict[str, Any]] = {
    "fixed": {},
    "alternate": {"first": "alternate"},
    "mirror": {"mirror": True},
}


def nim(path: Path, seating: str, deals: int) -> Match:
    return Match(
        "nim", ("any_taker", "any_taker", "thinker"), deals, seed=5, rules={"long_game": "draw"},
        records=saved_match.wants_records(path), **SEATINGS[seating],
    ).prepared()  # fmt: skip


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("ending", [".csv", ".parquet", ".json", ".jsonl"])
def test_a_killed_match_goes_on_with_whoever_is_to_begin(
    tmp_path: Path, ending: str, seating: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.arena.match.ChunkSize.most", 9)
    whole, killed = tmp_path / f"whole{ending}", tmp_path / f"killed{ending}"
    match = nim(whole, seating, 30)
    save(whole, match)
    for upto in (8, 20):
        save(killed, match, upto)
        cut(killed)
    save(killed, match)
    assert killed.read_bytes() == whole.read_bytes()


@pytest.mark.usefixtures("nim")
def test_what_a_killed_match_had_played_is_known_from_its_records(tmp_path: Path) -> None:
    """Nim keeps a number for itself that stands in no record: the games are played again to have it."""
    rows, records = tmp_path / "games.csv", tmp_path / "games.jsonl"
    for path in (rows, records):
        save(path, nim(path, "alternate", 40), upto=12)
    kept = []
    for path in (rows, records):
        games = measured(path, nim(path, "alternate", 40)).games_kept
        assert games is not None
        kept.append(np.concatenate([chunk.results for chunk in games.blocks()]))
    count = min(map(len, kept))
    assert count >= 12
    assert (kept[0][:count] == kept[1][:count]).all()


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("seating", SEATINGS)
def test_rows_name_the_deal_who_began_and_who_won(tmp_path: Path, seating: str) -> None:
    path = tmp_path / "games.csv"
    match = nim(path, seating, 12)
    save(path, match)
    results = np.concatenate([batch.results for batch in play(match)])
    rotations = match.rotations(np.arange(len(results)))
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["game", "deal", "first", "winner", "turns", "last"]
    assert [int(row["game"]) for row in rows] == list(range(match.games))
    assert [int(row["deal"]) for row in rows] == [game // match.games_a_deal for game in range(match.games)]
    assert [int(row["first"]) for row in rows] == (rotations + 1).tolist()
    for row, result, rotation in zip(rows, results, rotations, strict=True):
        assert int(row["winner"]) == ((rotation + result[0] - 1) % 3 + 1 if result[0] else 0)
        assert (int(row["turns"]), int(row["last"])) == (result[1], result[2] + 1)


@pytest.mark.usefixtures("nim")
def test_a_table_in_parquet_says_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    save(path, nim(path, "mirror", 4))
    assert json.loads(pl.read_parquet_metadata(path)["kibitz"])["games"] == 12


def test_a_match_of_many_rounds_has_a_line_for_each(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    save(path, Match("loveletter", ("random", "random"), 6, seed=1, rules={"unit": "game"}, mirror=True).prepared())
    table = pl.read_parquet(path)
    assert table["game"].is_sorted()
    for _, rounds in table.group_by("game"):
        assert rounds["round"].to_list() == list(range(1, len(rounds) + 1))
        assert rounds["began"][0] == rounds["first"][0]
        assert rounds["began"].to_list()[1:] == [int(won) for won in rounds["winner"].to_list()[:-1]]
