"""Puzzles at a server: nothing of the answer is sent before it is given, and the first answer counts."""

from typing import Any

import msgspec
import pytest

from kibitz.coach import puzzles
from kibitz.coach.puzzles import Puzzle
from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from tests.server.web.guests import Message, Parlour, in_parlour

HANABI = registry.game("hanabi")
THEME = "last copies"


def made(number: int, moves: int = 4, best: str = "") -> Puzzle:
    """A puzzle whose answer is made up, by default the last legal move."""
    table = Table(HANABI, [], HANABI.deal(keys(1), number, 3, HANABI.check_rules(HANABI.table_rules)))
    for _ in range(moves):
        table.make(Decision(int(HANABI.legal(table.state)[-1])))
    legal = [int(move) for move in HANABI.legal(table.state)]
    legal.sort(key=lambda move: HANABI.move_text(move) == best)
    values = [(move, float(place), 0.1) for place, move in enumerate(legal)][::-1]
    return Puzzle(
        id=f"puzzle{number}", game="hanabi", players=3, rules=HANABI.check_rules(HANABI.table_rules),
        seats=["trustful"] * 3, seat=int(table.to_move), start=HANABI.dump_start(table.start[0]),
        moves=[int(turn.decision.move) for turn in table.turns], values=values, gap=(1.0, 0.1), confirmed=(1.0, 0.1),
        measure="points", theme=THEME, rating=1000 + 100 * number, found_by=[], text="The answer in words.",
    )  # fmt: skip


PUZZLES = tuple(made(number) for number in range(12))


@pytest.fixture(autouse=True)
def own_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "of", lambda game: PUZZLES)
    monkeypatch.setattr(puzzles, "games", lambda: [HANABI])


def named(id: str) -> Puzzle:
    return next(puzzle for puzzle in PUZZLES if puzzle.id == id)


def answer_of(message: Message) -> str:
    return HANABI.move_text(named(message["puzzle"]).best)


@in_parlour()
async def test_an_answer_is_checked_and_the_first_one_counts(here: Parlour) -> None:
    ada = await here.guest()
    key = (await ada.ask("progress", "progress"))["key"]
    asked = await ada.ask("puzzle", "puzzle", key=key, daily=True)
    assert asked["me"]["today"] == 0
    wrong = await ada.ask("solved", "solve", key=key, game="hanabi", puzzle=asked["puzzle"],
                          move=HANABI.move_text(named(asked["puzzle"]).values[-1][0]))  # fmt: skip
    assert not wrong["correct"]
    assert wrong["counts"]
    assert wrong["best"] == answer_of(asked)
    assert wrong["me"]["rating"] < wrong["before"]
    again = await ada.ask("solved", "solve", key=key, game="hanabi", puzzle=asked["puzzle"], move=wrong["best"])
    assert again["correct"]
    assert not again["counts"]
    assert again["me"]["rating"] == wrong["me"]["rating"]
    following = await ada.ask("puzzle", "puzzle", key=key, daily=True)
    assert following["puzzle"] != asked["puzzle"]
    assert following["me"]["today"] == 1
    right = await ada.ask("solved", "solve", key=key, game="hanabi", puzzle=following["puzzle"],
                          move=answer_of(following))  # fmt: skip
    assert right["me"]["streak"] == 1
    mine = (await ada.ask("progress", "progress", key=key))["puzzles"]["hanabi"]
    assert mine["rating"] == right["me"]["rating"]
    assert len(mine["history"]) == mine["tried"] == 2
    assert await ada.refused("solve", game="hanabi", puzzle=asked["puzzle"], move="play 9") == "illegal"
    assert await ada.refused("solve", game="hanabi", puzzle="none", move="play 1") == "unknown"
    assert await ada.refused("puzzle", game="hanabi", lesson="none") == "unknown"


@in_parlour()
async def test_what_is_sent_of_a_puzzle_does_not_depend_on_its_answer(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor on the cards that its solver cannot see."""
    ada = await here.guest()
    first = await ada.ask("puzzle", "puzzle", puzzle=PUZZLES[3].id)
    table = PUZZLES[3].table.sample_world(PUZZLES[3].seat, [], 7)
    assert table.start.tobytes() != PUZZLES[3].table.start.tobytes()
    other = msgspec.structs.replace(
        PUZZLES[3], values=PUZZLES[3].values[::-1], text="Another answer.", found_by=["trustful"],
        start=HANABI.dump_start(table.start[0]),
    )  # fmt: skip
    monkeypatch.setattr(puzzles, "of", lambda game: tuple(other if each.id == other.id else each for each in PUZZLES))
    assert await ada.ask("puzzle", "puzzle", puzzle=PUZZLES[3].id) == first


@in_parlour()
async def test_a_lesson_begins_with_its_easiest_puzzle(here: Parlour) -> None:
    ada = await here.guest()
    lesson = next(each for each in puzzles.part_of(HANABI).lessons if each.theme == THEME)
    asked: dict[str, Any] = await ada.ask("puzzle", "puzzle", lesson=lesson.name)
    assert asked["puzzle"] == PUZZLES[0].id
    assert {each["name"] for each in asked["lessons"]} == {lesson.name}
    assert [each["name"] for each in asked["themes"]] == [THEME]
