"""Games of people: reading them, what the model sees, and the model that comes with the game."""

import gzip
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.agent import Decision
from kibitz.core.people import EXPERIENCE, UNKNOWN
from kibitz.core.table import Table
from kibitz.errors import KibitzError
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move
from kibitz.games.hanabi.people import games, model
from kibitz.games.hanabi.people.inputs import VERSION, WIDTHS, new_room, read_position
from kibitz.games.hanabi.state import LOST_SCORES_ZERO, NO_FULL_DISCARD
from tests.tables import PLAYERS, dealt, table_of, wander


def live_game(seed: int = 1, players: int = 2, moves: int = 40, **more: Any) -> dict[str, Any]:
    """A game of hanab.live with random moves."""
    table = table_of((), dealt(players, seed=seed))
    dice = random.Random(seed)
    actions: list[dict[str, int]] = []
    while not table.over and len(actions) < moves:
        legal = [move for move in HANABI.view(table.state).legal if not move.is_discard or table.state["tokens"] < 8]
        actions.append(action(move := Move(dice.choice(legal)), table))
        table.make(Decision(move))
    deck = [{"suitIndex": int(kind) // 5, "rank": int(kind) % 5 + 1} for kind in table.start[0]["deck"]]
    names = [f"P{seat}" for seat in range(players)]
    return {"players": names, "deck": deck, "actions": actions, **more}


def action(move: Move, table: Table) -> dict[str, int]:
    seat = int(table.state["to_move"])
    if not move.is_hint:
        return {"type": 0 if move.is_play else 1, "target": int(table.state["hands"][seat][move.slot])}
    if isinstance(move.value, int):
        return {"type": 3, "target": move.target, "value": move.value}
    return {"type": 2, "target": move.target, "value": COLOURS.index(str(move.value))}


def written(folder: Path, *lines: Any, name: str = "games.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines))
    return path


# Reading


def test_every_player_of_an_export_is_a_person(tmp_path: Path) -> None:
    read = games.read([written(tmp_path, live_game(players=3))], "expert")
    [game] = read.games
    assert (read.problems, game.people) == ([], {0: "P0", 1: "P1", 2: "P2"})
    assert EXPERIENCE[game.experience] == "expert"
    choices = games.choices(read.games)
    assert len(choices) == len(game.moves)
    assert sorted(choices.names) == ["P0", "P1", "P2"]


def test_a_game_can_name_its_person(tmp_path: Path) -> None:
    game = live_game(players=2) | {"players": ["outer", "person"], "person": "x", "experience": "new"}
    [found] = games.read([written(tmp_path, game)]).games
    assert found.people == {1: "x"}
    assert EXPERIENCE[found.experience] == "new"
    choices = games.choices([found])
    assert len(choices) == len(found.moves) // 2
    assert choices.moves[choices.chosen].tolist() == list(found.moves[1::2])


def test_folders_lists_and_compressed_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    written(tmp_path / "more", json.dumps([live_game(1), live_game(2)]), name="two.json")
    with gzip.open(tmp_path / "one.jsonl.gz", "wt") as file:
        file.write(json.dumps(live_game(3)))
    (tmp_path / "cut.jsonl.gz").write_bytes((tmp_path / "one.jsonl.gz").read_bytes()[:-20])
    read = games.read([tmp_path])
    assert len(read.games) == 3
    assert len(read.problems) == 1


def test_what_cannot_be_read_is_named_and_the_rest_is_used(tmp_path: Path) -> None:
    illegal = live_game(2)
    illegal["actions"][3] = {"type": 0, "target": 49}
    variant = live_game(3) | {"options": {"variant": "Rainbow (6 Suits)"}}
    path = written(tmp_path, live_game(1), illegal, "{not a game}", variant)
    read = games.read([path, written(tmp_path, "Hello", name="notes.txt")])
    assert len(read.games) == 1
    assert [problem.partition(": ")[2][:34] for problem in read.problems] == [
        "it is not a game of hanab.live: JS", "move 4 is illegal.", "The game is of the variant 'Rainbo",
        "it is not a game of hanab.live: JS",
    ]  # fmt: skip
    with pytest.raises(KibitzError, match="cannot be read"):
        games.read([tmp_path / "missing.json"])


def test_damaged_files_and_endless_lines_are_named_and_pipes_left_alone(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(json.dumps(live_game(1)).encode()))
    packed[20:30] = bytes(10)
    (tmp_path / "damaged.json.gz").write_bytes(packed)
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "game1.log").write_text("Treatment: ('outer', 1)\n[" + "(1, 1), " * 1000 + "]")
    problems = games.read([tmp_path]).problems
    assert len(problems) == 2  # a pipe in a folder is no file; it would be waited for
    assert "damaged.json.gz cannot be read" in problems[0]
    assert "does not list the cards" in problems[1]


def test_a_discard_with_all_tokens_there_is_legal_if_the_file_has_one(tmp_path: Path) -> None:
    game = live_game(4)
    game["actions"] = [{"type": 1, "target": 0}]
    other = live_game(5)
    read = games.read([written(tmp_path, game, other)])
    assert (len(read.games), read.problems) == (2, [])
    assert [int(each.start[0]["rules"]) for each in read.games] == [0, 0]
    [strict] = games.read([written(tmp_path, other)]).games
    assert int(strict.start[0]["rules"]) == LOST_SCORES_ZERO | NO_FULL_DISCARD


# The logs of the study


def log(seed: int, *moves: str, before: str = "") -> str:
    deck = games.study_deck(seed)
    theirs = {kind: colour for colour, name in enumerate(games.STUDY_COLOURS) for kind in [COLOURS.index(name)]}
    cards = [(theirs[kind // 5], kind % 5 + 1) for kind in deck[10:]]
    head = [f"Old GID: {before}"] if before else []
    return "\n".join([*head, f"Treatment: ('outer', {seed})", str(cards), *moves, "Score 0"])


def test_the_deck_of_a_log_comes_from_its_seed() -> None:
    """The cards that a public log of the study lists for this seed."""
    listed = [(1, 1), (0, 2), (1, 4), (4, 1), (0, 1), (2, 3)]
    assert games.study_deck(2813)[10:16] == [games.study_kind(*card) for card in listed]


def test_logs_name_the_moves_the_person_and_the_experience(tmp_path: Path) -> None:
    moves = ["MOVE: 0 3 0 None None None", "outer discards", "MOVE: 1 2 4 1 None None", "MOVE: 0 2 0 None None None"]
    written(tmp_path, log(7, *moves), name="gamea.log")
    written(tmp_path, log(8, *moves, before="a"), name="gameb.log")
    written(tmp_path, "age 20s", "exp expert", name="surveya.log")
    read = games.read([tmp_path])
    assert read.problems == []
    assert [(game.name, dict(game.people), EXPERIENCE[game.experience]) for game in read.games] == [
        ("a", {1: "a"}, "expert"), ("b", {1: "a"}, "expert"),
    ]  # fmt: skip
    assert read.games[0].moves == (5, 4, 0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("Treatment: ('outer', 7)", "Treatment: ('outer', 9)"), "the cards it lists are not those of the seed 9"),
        (("Treatment: ('outer', 7)", "Treatment: outer"), "it has no line such as Treatment: ('outer', 1234)"),
        (("MOVE: 1 2 4", "MOVE: 1 2 9"), "move 1 is illegal"),
        (("MOVE: 1 2 4", "MOVE: 1 x 4"), "move 1 is not a line such as MOVE: 1 2 4 1 None None"),
    ],
)
def test_a_wrong_log_is_refused_with_a_sentence(tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    path = written(tmp_path, log(7, "MOVE: 1 2 4 1 None None").replace(*change), name="gamea.log")
    read = games.read([path])
    assert read.games == []
    assert sentence in read.problems[0]


# What the model sees


def chances_at(table: Table, seat: int, **parameters: Any) -> dict[str, float]:
    room, mind, chances = new_room(), model.new_mind(), np.zeros(60)
    weights = WEIGHTS.but(parameters).values
    view = table.view(seat)
    count = read_position(view, room)
    model.think_as(weights, np.zeros(model.MOST_HABITS), mind)
    model.move_chances(view, weights, mind, room, count, chances)
    return {str(Move(int(move))): float(chance) for move, chance in zip(room.moves[:count], chances, strict=False)}


WEIGHTS = model.PeopleWeights.of(model.load())


@pytest.mark.parametrize("players", PLAYERS)
def test_every_legal_move_and_no_other_has_a_probability(players: int) -> None:
    table = table_of((), dealt(players, seed=3))
    for turn, _ in enumerate(wander(table, random.Random(players))):
        if turn % 7 == 0 and not table.over:
            chances = chances_at(table, table.to_move)
            assert set(chances) == {str(move) for move in HANABI.view(table.view(table.to_move)).legal}
            assert sum(chances.values()) == pytest.approx(1)
            assert min(chances.values()) > 0


def test_inputs_are_numbers_of_modest_size() -> None:
    table, room = table_of((), dealt(5, seed=9)), new_room()
    for _ in wander(table, random.Random(9)):
        if not table.over:
            count = read_position(table.view(table.to_move), room)
            for row in range(count):
                assert np.abs(room.rows[row][: WIDTHS[room.kinds[row]]]).max() <= 25
            assert np.abs(room.context).max() <= 4


def test_a_freshly_hinted_playable_card_is_likely_to_be_played() -> None:
    table = table_of((), dealt(2, seed=1))
    own = {slot: int(table.state["deck"][table.state["hands"][1][slot]]) for slot in range(5)}
    slot, kind = next((slot, kind) for slot, kind in own.items() if kind % 5 == 0)
    before = chances_at(table_after(table, "discard 1"), 1)[f"play {slot + 1}"]
    after = chances_at(table_after(table, "hint 1 to G2"), 1)
    assert before < 0.1
    assert sum(after[f"play {each + 1}"] for each, other in own.items() if other % 5 == kind % 5) > 0.5


def table_after(table: Table, text: str) -> Table:
    other = table.copy()
    other.make(Decision(HANABI.move(text, other.state)))
    return other


# Its file


def test_the_model_says_where_it_comes_from() -> None:
    shipped = model.load()
    assert "CC BY 4.0" in shipped.about
    assert shipped.figures["on_people_not_in_the_fit"]["accuracy"] > 0.56
    assert shipped.figures["on_people_not_in_the_fit"]["log_loss"] < 1.35
    assert shipped.shares[UNKNOWN] < 0.2


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    shipped = model.load()
    model.save(tmp_path / "copy.npz", shipped)
    assert (model.flattened(model.load(tmp_path / "copy.npz")) == model.flattened(shipped)).all()


def test_a_model_of_another_version_is_refused(tmp_path: Path) -> None:
    shipped = model.load()
    model.save(tmp_path / "model.npz", shipped)
    arrays = dict(np.load(tmp_path / "model.npz"))
    for change, sentence in (
        ({"inputs": np.array("hanabi-people-0")}, f"hanabi-people-0; this version of kibitz reads {VERSION}"),
        ({"inputs": np.array("")}, "is not a model of people"),
        ({"hidden_1": np.zeros((3, 3))}, "hidden_1 has the shape"),
        ({"means": np.full((5, 8), np.nan)}, "not finite"),
    ):
        np.savez(tmp_path / "wrong.npz", **(arrays | change))
        with pytest.raises(KibitzError, match=sentence):
            model.load(tmp_path / "wrong.npz")
    with pytest.raises(KibitzError, match="cannot be read"):
        model.load(tmp_path / "missing.npz")
    broken = replace(shipped, spreads=-shipped.spreads)
    model.save(tmp_path / "broken.npz", broken)
    with pytest.raises(KibitzError, match="its spreads are no covariances"):
        model.load(tmp_path / "broken.npz")
