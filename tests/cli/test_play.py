"""A person at the terminal."""

import io
import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import cli
from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.seeds import keys
from tests.waiting import PATIENCE

ANY_DISCARD = ("--rule", "full_discard=allowed")  # what is typed here begins with discards


def play(monkeypatch: pytest.MonkeyPatch, typed: str, *words: str, game: str = "hanabi") -> int:
    words = words if "--resume" in words or game != "hanabi" else (*words, *ANY_DISCARD)
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    monkeypatch.setattr(sys, "argv", ["kibitz", "play", game, *words])
    try:
        cli.run()
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


def test_a_person_plays_a_whole_game_and_its_record_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    seats = ("--seats", "human,simple_distrustful,erratic", "--seed", "3", "--output", str(path))
    assert play(monkeypatch, "discard 1\n" * 60, *seats) == 0
    out = capsys.readouterr().out
    record = json.loads(path.read_text())
    assert "points" in out
    assert record["result"] is not None
    assert record["seats"] == ["human", "simple_distrustful", "erratic"]


def test_a_level_seats_a_person_and_agents_of_that_strength(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    assert play(monkeypatch, "quit\n", "--level", "easy", "--players", "3", "--output", str(path)) == 0
    assert json.loads(path.read_text())["seats"] == ["human", "internal", "internal"]
    assert play(monkeypatch, "quit\n", "--level", "strong", "--output", str(path)) == 0
    assert len(json.loads(path.read_text())["seats"]) == 4
    assert "you" in capsys.readouterr().out


def test_levels_go_up_in_strength() -> None:
    """4,000 games of seed 0 at four players, lost games counting nothing; the highest level searches."""
    from kibitz.arena.match import Match
    from kibitz.arena.measure import MeasuredMatch

    game, means = registry.game("hanabi"), []
    for lineup in game.lineups.values():
        if registry.agent(game, lineup.agents[0]).traits.searches:
            continue
        measured = MeasuredMatch(Match("hanabi", tuple(lineup.seats(4)), 4000, 0, {"lost_game": "zero"}).prepared())
        for _ in measured.play(2):
            pass
        means.append(measured.measure.as_json()["mean"])
    assert means == sorted(means)


def test_questions_are_answered_and_wrong_moves_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed = "help\nmoves\nboard\nhistory\nundo\ncastle\nplay 9\nhint red to G1\nquit\n"
    assert play(monkeypatch, typed, "--seed", "3", "--output", str(tmp_path / "game.json")) == 0
    said = capsys.readouterr()
    assert "hint blue to G2" in said.out
    assert "discard 4" in said.out
    assert "--resume" in said.out
    assert "'castle' is not a move" in said.err
    assert "a hint goes to another player" in said.err


def test_a_game_that_was_left_goes_on_as_if_nothing_happened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    seats = ("--seats", "human,erratic,stopped_clock", "--seed", "12")
    moves = ["hint 1 to G2", "discard 2", "discard 1", "discard 1"]
    assert play(monkeypatch, "\n".join([*moves, "quit"]), *seats, "--output", str(tmp_path / "whole.json")) == 0
    left = str(tmp_path / "left.json")
    assert play(monkeypatch, "\n".join([*moves[:2], "quit"]), *seats, "--output", left) == 0
    assert play(monkeypatch, "\n".join([*moves[2:], "quit"]), "--resume", left) == 0
    assert Path(left).read_text() == (tmp_path / "whole.json").read_text()


def test_a_game_with_dice_that_was_left_goes_on_with_the_same_rolls(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    whole, left = (str(tmp_path / name) for name in ("whole.json", "left.json"))
    begins = ("--seats", "human,random", "--seed", "3", "--output")
    assert play(monkeypatch, "a2a3\nb1c3\nquit\n", *begins, whole, game="dicechess") == 0
    assert play(monkeypatch, "a2a3\nquit\n", *begins, left, game="dicechess") == 0
    assert play(monkeypatch, "b1c3\nquit\n", "--resume", left) == 0
    assert Path(left).read_text() == Path(whole).read_text()


def test_a_terminal_that_goes_away_leaves_the_game_to_be_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    assert play(monkeypatch, "discard 1\n", "--seed", "3", "--output", str(path)) == 130
    assert "--resume" in capsys.readouterr().out
    assert json.loads(path.read_text())["result"] is None


def test_the_board_shows_nothing_that_the_seat_may_not_see(capsys: pytest.CaptureFixture[str]) -> None:
    """Two worlds that look the same to a seat are drawn the same for it."""
    from kibitz.cli.terminal import out

    game = registry.game("hanabi")
    agent = registry.agent(game, "simple_distrustful")
    rules = game.check_rules({})
    for deal in range(4):
        table = Table(game, [agent.take_seat(game) for _ in range(4)], game.deal(keys(1), deal, 4, rules))
        for _ in range(24):
            table.step()
        for seat in range(4):
            other = table.sample_world(seat, [agent.take_seat(game) for _ in range(4)], deal)
            assert other.state["deck"].tolist() != table.state["deck"].tolist()
            drawn = []
            for each in (table, other):
                out.print(game.board(each.view(seat)))
                for turn in range(int(generic.turns(each.state))):
                    out.print(game.event_text(each.view(seat), turn))
                drawn.append(capsys.readouterr().out)
            assert drawn[0] == drawn[1]


def read_until(terminal: int, words: str) -> str:
    """What a terminal shows up to some words."""
    shown = ""
    while words not in shown:
        assert select.select([terminal], [], [], PATIENCE)[0], f"{words!r} never came after:\n{shown}"
        shown += os.read(terminal, 65536).decode(errors="replace")
    return shown


def test_a_typing_error_can_be_taken_back_before_it_is_sent(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    path = tmp_path / "game.json"
    words = ["play", "hanabi", "--seats", "human,cheater", "--seed", "1", "--output", str(path), *ANY_DISCARD]
    game = subprocess.Popen(
        [sys.executable, "-m", "kibitz", *words],
        stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "dumb", "COLUMNS": "100"},
    )  # fmt: skip
    try:
        read_until(ours, "G1>")
        for typed, answer in (("play 1", "takes it back"), ("u", "G1>"), ("discard 5", "takes it back"), ("", "G1>")):
            os.write(ours, f"{typed}\n".encode())
            read_until(ours, answer)
        os.write(ours, b"quit\n")
        read_until(ours, "--resume")
        assert game.wait(30) == 0
    finally:
        game.kill()
        os.close(ours)
        os.close(theirs)
    assert json.loads(path.read_text())["moves"][0]["move"] == "discard 5"


def test_at_the_terminal_a_private_turn_is_shown_to_others_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    moves = ("f2f3", "captures?", "e7e5", "g2g4", "d8h4")
    typed = "".join(f"\n{move}\n" for move in moves)  # Enter, when one is alone at the screen
    words = ("--seats", "human,human", "--rule", "umpire=lecture", "--output", str(tmp_path / "game.json"))
    assert play(monkeypatch, typed, *words, game="kriegspiel") == 0
    before, after = capsys.readouterr().out.split("All turns, with those that only their player learned of:")
    assert before.count("G2 asks for a capture") >= 1
    assert "   2. G2 has moved" in before  # as White counts
    assert [line[:4] for line in after.splitlines()[1:6]] == [f"{n:>4}" for n in range(1, 6)]
