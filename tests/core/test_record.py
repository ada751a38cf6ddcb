"""Records of games: written, read again, replayed to the same end, and refused with a reason."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz.core.agent import Decision
from kibitz.core.record import Made, Record, parse, read
from kibitz.core.table import Table
from kibitz.errors import KibitzError, RecordError
from kibitz.games.hanabi.game import HANABI
from tests.tables import AGENTS, DEFAULTS, EVERY_RULES, PLAYERS, at, dealt, make, named, table_of, wander


def recorded(table: Table, rules: dict[str, str] = DEFAULTS) -> Record:
    players = int(table.state["players"])
    return Record.of(table, [f"player {seat}" for seat in range(players)], rules, seed=5, number=17)


def finished(players: int = 2, rules: dict[str, str] = DEFAULTS, seed: int = 5) -> Table:
    """A random game played to its end."""
    table = table_of((), dealt(players, rules=rules, seed=seed))
    for _ in wander(table, random.Random(seed)):
        pass
    return table


def changed(record: Record, **parts: Any) -> bytes:
    """A record as JSON with some parts of it changed, or left out if None."""
    text = {**msgspec.json.decode(record.dump()), **parts}
    return msgspec.json.encode({name: part for name, part in text.items() if part is not None})


def without_dice(state: Any) -> bytes:
    copy = state.copy()
    copy["streams"] = 0
    return bytes(copy.tobytes())


# Written and read


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_record_replays_to_the_same_end(players: int, rules: dict[str, str]) -> None:
    for seed in range(4):
        table = finished(players, rules, seed)
        record = recorded(table, rules)
        again = parse(record.dump())
        assert again == record
        replayed = again.replay()
        assert replayed.over
        assert replayed.result() == table.result() == record.result
        assert without_dice(replayed.state) == without_dice(table.state)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_in_progress_is_recorded_without_a_result(players: int) -> None:
    for table in wander(table_of((), dealt(players)), random.Random(1)):
        record = parse(recorded(table).dump())
        assert (record.result is None) == (not table.over)
        assert without_dice(record.replay().state) == without_dice(table.state)


def test_a_record_keeps_who_played_by_which_rules_and_why() -> None:
    agents = AGENTS[:3]
    table = table_of(agents, dealt(3, rules=EVERY_RULES[-1]))
    table.run()
    names = [agent.name for agent in agents]
    record = parse(Record.of(table, names, EVERY_RULES[-1], seed=9, number=4).dump())
    assert (record.game, record.players, record.seats, record.rules) == ("hanabi", 3, names, EVERY_RULES[-1])
    assert (record.seed, record.number) == (9, 4)
    assert [made.reason for made in record.moves] == [turn.decision.reason for turn in table.turns]
    assert [turn.decision for turn in record.replay().turns] == [turn.decision for turn in table.turns]


def test_a_game_from_a_position_is_recorded_too() -> None:
    table = at("r1 b3 w5 g2", "y1 y2 y3 y4", piles={"red": 2}, hints=["red to G1"], tokens=3, to_move=2)
    make(table, "hint white to G1", "play 2", "discard 4")
    replayed = parse(recorded(table).dump()).replay()
    assert HANABI.view(replayed.state).hands == HANABI.view(table.state).hands
    assert [replayed.text(turn) for turn in replayed.turns] == [table.text(turn) for turn in table.turns]


def test_a_record_can_be_followed_move_by_move() -> None:
    table = finished()
    record = recorded(table)
    opened = record.opened()
    assert opened.turns == []
    seen = [len(step.turns) for step in record.steps(opened)]
    assert seen == list(range(1, len(table.turns) + 1))


def test_moves_of_a_record_may_be_written_as_people_do() -> None:
    record = recorded(at("r1 r2", "y1 y2"))
    record.moves = [Made("p1"), Made("G2 hints 2 to G1"), Made("h2 y")]
    assert [str(event.move) for event in HANABI.view(record.replay().state).history] == [
        "play 1",
        "hint 2 to G1",
        "hint yellow to G2",
    ]


# Files


def test_a_saved_record_is_read_again(tmp_path: Path) -> None:
    record = recorded(finished())
    path = tmp_path / "game.json"
    record.save(path)
    assert read(path) == record
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]
    assert len(path.read_text().splitlines()) > 10


def test_a_game_of_a_file_of_many_is_read_by_its_number(tmp_path: Path) -> None:
    records = [recorded(finished(seed=seed)) for seed in range(3)]
    together = tmp_path / "together.json"
    together.write_bytes(b'{"match": "of three", "games": [' + b",".join(each.dump() for each in records) + b"]}")
    by_line = tmp_path / "lines.jsonl"
    by_line.write_bytes(b"\n".join(each.dump() for each in records) + b"\n")
    for path in (together, by_line):
        assert [read(path, number) for number in range(3)] == records
        with pytest.raises(RecordError, match=r"there is no game 3; it contains 3, numbered from 0"):
            read(path, 3)


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.json"
    with pytest.raises(RecordError, match=r"nowhere\.json cannot be read: No such file"):
        read(path)


def test_what_is_wrong_with_a_file_is_reported_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(b'{"game": "hanabi", ')
    with pytest.raises(RecordError, match=r"broken\.json: This is not a record of a game"):
        read(path)


# Refused when read


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"7", b"null", b"\xff\xfe", b"{}", b"not JSON at all"])
def test_what_is_not_a_record_is_refused(text: bytes) -> None:
    with pytest.raises(RecordError, match="This is not a record of a game"):
        parse(text)


@pytest.mark.parametrize("part", ["game", "players", "seats", "rules", "start", "moves"])
def test_a_record_with_a_part_missing_is_refused_with_its_name(part: str) -> None:
    with pytest.raises(RecordError, match=f"not a record of a game.*{part}"):
        parse(changed(recorded(finished()), **{part: None}))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("players", "two"),
        ("seats", "us"),
        ("moves", ["play 1"]),
        ("moves", [{"move": 3}]),
        ("start", []),
        ("result", 3),
    ],
)
def test_a_record_with_a_part_of_another_shape_is_refused_with_its_name(part: str, value: Any) -> None:
    with pytest.raises(RecordError, match=f"not a record of a game.*{part}"):
        parse(changed(recorded(finished()), **{part: value}))


def test_a_record_of_another_format_or_version_is_refused() -> None:
    record = recorded(finished())
    with pytest.raises(RecordError, match="its format is 'chess', not 'kibitz-game'"):
        parse(changed(record, format="chess"))
    with pytest.raises(RecordError, match="The record is of version 2; this kibitz reads version 1"):
        parse(changed(record, version=2))


# Refused when replayed


def refused(says: str, **parts: Any) -> None:
    record = parse(changed(recorded(finished()), **parts))
    with pytest.raises(KibitzError, match=says):
        record.replay()


def test_a_record_names_as_many_seats_as_it_has_players() -> None:
    refused("The record has 2 players but names 3 seats", seats=["a", "b", "c"])


def test_a_record_of_too_many_players_is_refused() -> None:
    refused("2 to 5 players, not 7", players=7, seats=list("abcdefg"))


def test_a_record_of_an_unknown_game_is_refused_with_the_nearest_name() -> None:
    refused(r"There is no game called 'hanabe'. Did you mean hanabi\?", game="hanabe")


def test_a_record_by_unknown_rules_is_refused() -> None:
    refused("There is no rule called 'colours'", rules={"colours": "six"})
    refused("lost_game is played as piles or zero, not 'half'", rules={"lost_game": "half"})


def test_a_record_of_an_impossible_start_is_refused() -> None:
    refused("not the 50 of the deck", start={"deck": "r1 r2"})


def test_a_wrong_result_is_refused_with_the_right_one() -> None:
    result = finished().result()
    refused(f"'score': 25.*replayed, it is.*'score': {result['score']}", result={**result, "score": 25})


def test_a_result_of_a_game_that_did_not_end_is_refused() -> None:
    moves = msgspec.json.decode(recorded(finished()).dump())["moves"]
    refused(r"has a result, but its \d+ moves do not end the game", moves=moves[:-1])


def test_moves_after_the_end_are_refused() -> None:
    moves = msgspec.json.decode(recorded(finished()).dump())["moves"]
    refused(
        f"over after {len(moves)} moves, but the record continues with 'play 1'", moves=[*moves, {"move": "play 1"}]
    )


def test_an_illegal_move_is_refused_with_its_number_and_why() -> None:
    record = recorded(at("r1 r2", "y1 y2"))
    for move, why in [
        ("hint blue to G1", "G1 holds no blue"),
        ("play 3", "the hand has 2 cards"),
        ("hint red to G2", "a hint goes to another player"),
        ("bluff", "is not a move"),
    ]:
        record.moves = [Made("discard 2"), Made(move)]
        with pytest.raises(RecordError, match=f"Move 2 of the record, '{move}', cannot be made.*{why}"):
            record.replay()


def test_nothing_but_moves_decides_a_replay() -> None:
    table = finished()
    record = recorded(table)
    record.seats, record.seed, record.number = ["x", "y"], None, None
    assert record.replay().turns == [
        type(turn)(turn.number, turn.seat, Decision(turn.decision.move)) for turn in table.turns
    ]


# Whatever bytes come


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_record_with_a_byte_order_mark_is_read(encoding: str, tmp_path: Path) -> None:
    record = recorded(finished())
    path = tmp_path / "game.json"
    path.write_bytes(record.dump().decode().encode(encoding))
    assert read(path) == record
    path.write_bytes(b"\n".join([record.dump(), record.dump()]).decode().encode(encoding))
    assert read(path, 1) == record


def test_a_broken_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"\xff\xfe" + b"\xd8" * 7)
    with pytest.raises(RecordError, match=r"game\.json: .*byte-order mark of UTF-16.*Save it as UTF-8"):
        read(path)


@pytest.mark.parametrize("number", [1 << 63, -(1 << 63) - 1, 1 << 64, 10**400])
def test_numbers_beyond_64_bits_are_refused(number: int) -> None:
    record, game = recorded(finished()), finished()
    for parts in (
        {"seed": number}, {"number": number}, {"players": number}, {"result": {"score": number}},
        {"start": {"tokens": number}}, {"start": {"piles": {"red": number}}}, {"version": number},
    ):  # fmt: skip
        with pytest.raises(RecordError):
            parse(changed(record, **parts)).replay()
    assert game.over
    if abs(number) < 10**20:
        with pytest.raises(RecordError, match=r"in its seed; numbers must be from −2\*\*63 to 2\*\*63 − 1"):
            parse(changed(record, seed=number))
    assert parse(changed(record, seed=(1 << 63) - 1, number=-(1 << 63))).number == -(1 << 63)


@pytest.mark.parametrize(
    "text",
    [b"\x00" * 1000, b"[" * 100_000, b'{"start":' * 100_000, b'"' + b"x" * 5_000_000, bytes(range(256)) * 20_000, b""],
    ids=["NUL", "lists", "objects", "a long word", "every byte", "nothing"],
)
def test_garbage_is_refused_in_a_short_sentence(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(text)
    with pytest.raises(RecordError) as refused:
        read(path)
    assert str(refused.value).startswith(str(path))
    assert len(str(refused.value)) < 500


def test_names_that_cannot_be_encoded_are_recorded_all_the_same() -> None:
    table = finished()
    record = Record.of(table, ["b\udcff.py:Bot", "other"], DEFAULTS, None, None)
    assert parse(record.dump()).seats == ["b�.py:Bot", "other"]
