"""Somebody else's Python at a table: whatever it does, it is named, the games before count, and nothing is left."""

import os
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.match import GameChunk, Match, play
from kibitz.bots import players as bots
from kibitz.bots.pool import PROCESSES
from kibitz.core import registry
from kibitz.core.agent import PythonAgent
from kibitz.core.record import parse
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.errors import AgentError, KibitzError
from tests.fuzzing import first_of
from tests.waiting import until

BOTS = """
import ctypes, os, sys, time

class Any:
    def decide(self, view):
        return view.legal[0], "the first that came to mind"

class InTurnFive(Any):
    def decide(self, view):
        if view.turn >= 5:
            self.act(view)
        return view.legal[0]

class Loops(InTurnFive):
    def act(self, view):
        while True:
            pass

class HoldsTheInterpreter(InTurnFive):
    def act(self, view):
        ctypes.PyDLL(None).pause()

class Observes(Any):
    def observe(self, view):
        time.sleep(1e9)

class SitsDown(Any):
    def __init__(self):
        os.read(os.pipe()[0], 1)

class Leaves(InTurnFive):
    def act(self, view):
        os._exit(7)

class Exits(InTurnFive):
    def act(self, view):
        sys.exit("enough")

class Odd(BaseException):
    def __str__(self):
        raise ValueError

class Raises(InTurnFive):
    def act(self, view):
        raise Odd

class ThirdGame(Any):
    games = 0

    def __init__(self):
        ThirdGame.games += 1

    def decide(self, view):
        if ThirdGame.games == 3:
            os._exit(3)
        return super().decide(view)

class Babbles(Any):
    def decide(self, view):
        print("a line for nobody" * 1000)
        return view.legal[0], "a\\ud800b" + "!" * 100_000
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def played(match: Match, jobs: int = 1) -> list[GameChunk]:
    return list(play(match.prepared(), jobs))


@first_of(
    3,
    ("bot", "says"),
    [
        ("Loops", "at seat G2, turn 6, took longer than 0.3 seconds to decide"),
        ("HoldsTheInterpreter", "at seat G2, turn 6, took longer than 0.3 seconds to decide"),
        ("Observes", "at seat G2, turn 1, took longer than 0.3 seconds to observe"),
        ("SitsDown", "at seat G2 took longer than 1.8 seconds to take its seat"),
        ("Leaves", "at seat G2, turn 6, ended its process when it was to decide (exit code 7)"),
        ("Exits", "at seat G2, turn 6, failed while deciding: SystemExit: enough"),
        ("Raises", "at seat G2, turn 6, failed while deciding: Odd: (no readable text)"),
    ],
)
def test_a_bot_that_hangs_or_ends_is_named_with_its_seat_and_turn(file: Path, bot: str, says: str) -> None:
    match = Match("hanabi", ("cheater", f"{file}:{bot}"), 4, seed=1, bot_seconds=0.3)
    [batch] = played(match)
    assert batch.games == 0
    assert batch.failure.startswith(f"Game 0: {file}:{bot} {says}")


def test_a_bot_that_hangs_is_stopped_on_many_workers(file: Path) -> None:
    match = Match("hanabi", (f"{file}:Loops", "cheater"), 50, seed=1, bot_seconds=0.2)
    assert f"{file}:Loops at seat G1, turn 5, took longer than 0.2 seconds" in played(match, jobs=2)[-1].failure


def test_a_file_that_hangs_while_it_is_loaded_is_named(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text("import time\ntime.sleep(1e9)\nclass Bot:\n    def decide(self, view): ...\n")
    with pytest.raises(KibitzError, match=r"slow\.py:Bot took longer than 0\.6 seconds to load\. Give it more time"):
        bots.known(registry.game("hanabi"), f"{file}:Bot", 0.1)


def test_a_file_that_exits_while_it_is_loaded_is_named(tmp_path: Path) -> None:
    file = tmp_path / "exits.py"
    ends = {
        "raise SystemExit(4)": "exits.py cannot be loaded: SystemExit: 4",
        "import os; os._exit(4)": "exits.py:Bot ended its process when it was to load",
    }
    for hours, (end, says) in enumerate(ends.items()):
        file.write_text(f"{end}\n")
        os.utime(file, (3600 * hours, 3600 * hours))
        with pytest.raises(KibitzError) as refused:
            bots.known(registry.game("hanabi"), f"{file}:Bot", 10)
        assert says in str(refused.value)


def test_the_games_before_a_bot_ended_its_process_count(file: Path) -> None:
    for jobs in (1, 2):
        batches = played(Match("hanabi", ("cheater", f"{file}:ThirdGame"), 40, seed=1, records=True), jobs)
        assert "ThirdGame at seat G2, turn 2, ended its process" in batches[-1].failure
        games = sum(batch.games for batch in batches)
        assert games >= 2
        assert f"Game {games}:" in batches[-1].failure
        assert sum(len(batch.records) for batch in batches) == games


def test_what_a_bot_says_can_be_kept_whatever_it_says(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    [batch] = played(Match("hanabi", ("cheater", f"{file}:Babbles"), 1, seed=1, records=True))
    reason = parse(batch.records[0]).moves[1].reason
    assert reason.startswith("a�b!!!")
    assert reason.endswith("… (cut: it has 100,003 characters)")
    assert capfd.readouterr().out == ""  # where results go


def test_a_bot_in_a_process_of_its_own_plays_as_it_does_here(file: Path) -> None:
    game = registry.game("hanabi")
    known = bots.known(game, f"{file}:Any", 10)
    assert isinstance(known, PythonAgent)
    ends = []
    for seat in (lambda: bots.seat_player(game, known, 10), lambda: known.take_seat(game)):
        table = Table(game, [seat(), seat()], game.deal(keys(3), 0, 2, game.check_rules({})))
        table.run()
        ends.append([turn.decision for turn in table.turns])
    assert ends[0] == ends[1]


def test_a_bot_at_our_own_table_is_named_when_it_hangs(file: Path) -> None:
    game = registry.game("hanabi")
    seats = [bots.seat_player(game, bots.known(game, name, 10), 0.2) for name in ("cheater", f"{file}:Loops")]
    table = Table(game, seats, game.deal(keys(3), 0, 2, game.check_rules({})))
    copied = table.copy()
    assert [copied.step().decision for _ in range(2)] == [table.step().decision for _ in range(2)]
    with pytest.raises(AgentError, match=r"Loops at seat G2, turn 6, took longer than 0\.2 seconds to decide"):
        table.run()


def test_no_process_is_left_of_a_match_that_nobody_waits_for(file: Path) -> None:
    PROCESSES.close()
    match = Match("hanabi", ("cheater", f"{file}:Any"), 10_000, seed=1, bot_seconds=0).prepared()
    batches = play(match, 2)
    assert next(batches).games
    assert PROCESSES.all
    batches.close()  # type: ignore[attr-defined]
    PROCESSES.end_idle(0.0)
    until(lambda: not PROCESSES.all, "the end of all processes")


@pytest.mark.usefixtures("nim")
def test_mirrored_games_before_a_failure_are_whole_deals(file: Path) -> None:
    file.write_text(
        "class Dislikes:\n    def decide(self, stones):\n        return f'take {1 // (stones - 7) ** 2 + 1}'\n"
    )
    batches = played(Match("nim", ("any_taker", f"{file}:Dislikes"), 40, seed=1, mirror=True))
    assert "ZeroDivisionError" in batches[-1].failure
    assert sum(batch.games for batch in batches) % 2 == 0
    assert np.concatenate([batch.results for batch in batches]).shape[0] < 80
