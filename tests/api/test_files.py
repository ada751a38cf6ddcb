"""Records of any format are read one by one, and written back."""

from pathlib import Path

import pytest

import kibitz


def played(game: str, agent: str, games: int = 3) -> list[kibitz.Record]:
    return kibitz.match(game, agent, games=games, jobs=1, records=True).records


@pytest.mark.parametrize("name", ["games.json", "games.jsonl"])
def test_records_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    records = played("coins", "greedy")
    path = kibitz.save(records, tmp_path / name)
    assert list(kibitz.records(path)) == records
    assert kibitz.load(path, 2) == records[2]


@pytest.mark.parametrize("name", ["game.json", "game.jsonl"])
def test_a_single_record_has_a_file_of_its_own(name: str, tmp_path: Path) -> None:
    [record] = played("coins", "greedy", 1)
    assert list(kibitz.records(kibitz.save(record, tmp_path / name))) == [record]


@pytest.mark.parametrize(
    ("game", "agent", "ending", "format"),
    [
        ("draughts", "greedy", "pdn", None),
        ("bridge", "random", "pbn", None),
        ("hanabi", "piers", "jsonl", "hanab.live"),
        ("hanabi", "piers", "txt", "hanab.live-link"),
    ],
)
def test_formats_of_other_programs_are_read_and_written(
    game: str, agent: str, ending: str, format: str | None, tmp_path: Path
) -> None:
    records = played(game, agent, 2)
    path = kibitz.save(records, tmp_path / f"games.{ending}", format)
    read = list(kibitz.records(path))
    assert [[made.move for made in record.moves] for record in read] == [
        [made.move for made in record.moves] for record in records
    ]


def test_a_link_is_a_record() -> None:
    [record] = played("hanabi", "piers", 1)
    link = record.written("hanab.live-link")
    assert [made.move for made in kibitz.load(link).moves] == [made.move for made in record.moves]
    assert [len(each.moves) for each in kibitz.records(link)] == [len(record.moves)]


@pytest.mark.parametrize("name", ["games.json", "games.jsonl"])
def test_a_large_file_is_read_line_by_line(name: str, tmp_path: Path) -> None:
    path = kibitz.save(played("coins", "greedy"), tmp_path / name)
    with path.open("a") as file:
        file.write('{"game" broken\n' * 3)
    reading = kibitz.records(path)
    assert [next(reading).game for _ in range(3)] == ["coins"] * 3  # what follows is not read yet
    with pytest.raises(kibitz.RecordError, match=rf"{name}, game 3: This is not a record"):
        next(reading)


def test_a_format_that_a_game_does_not_have_is_refused(tmp_path: Path) -> None:
    [record] = played("coins", "greedy", 1)
    with pytest.raises(kibitz.RecordError, match=r"must end in .json or .jsonl"):
        kibitz.save(record, tmp_path / "game.pdn")
    with pytest.raises(kibitz.KibitzError, match="no format called 'pdn'"):
        kibitz.save(record, tmp_path / "game.json", format="pdn")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    [record] = played("coins", "greedy", 1)
    with pytest.raises(kibitz.RecordError, match="cannot be written: No such file or directory"):
        kibitz.save(record, tmp_path / "nowhere" / "game.json")


def test_records_print_in_one_line() -> None:
    [record] = played("coins", "greedy", 1)
    assert repr(record).startswith("<record of coins: greedy · greedy")
    assert "\n" not in repr(record)
