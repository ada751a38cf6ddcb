"""A series at a host plays the same games as a match, with any client and either protocol."""

import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.record import nth_game
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.server.host import game_runner
from kibitz.server.host import host as host_module
from tests.cli.conftest import Kibitz as Kibitz
from tests.cli.conftest import helped
from tests.cli.conftest import kibitz as kibitz
from tests.fuzzing import first_of
from tests.server.host.hosts import (
    HANABI,
    WIRE,
    LinePeer,
    Playing,
    Polite,
    PoliteWire,
    WirePeer,
    hosting,
    line_guest,
    planned,
    wire_guest,
)  # fmt: skip
from tests.waiting import PATIENCE, until


def at_home(agents: Sequence[str], games: int, game: str = "hanabi", rules: dict[str, str] | None = None) -> list[Any]:
    """The same games without a host: the tables at their ends."""
    which = registry.game(game)
    tables = []
    for number in range(games):
        start = which.deal(keys(7), number, len(agents), which.check_rules(rules or {}))
        players = [registry.agent(which, agent).take_seat(which) for agent in agents]
        table = Table(which, players, start)
        table.run()
        tables.append(table)
    return tables


def scores(tables: Sequence[Table]) -> list[int]:
    return [table.result()["score"] for table in tables]


# How it is at home


def test_a_series_over_lines_goes_as_at_home() -> None:
    with hosting("hajdu_v2,open", games=3) as host:
        guest = line_guest("trustful")
        views = Playing(guest, host.where, 9).ends()
        series = host.ends()
    tables = at_home(["hajdu_v2", "trustful"], 3)
    assert guest.home.results == [table.result() for table in tables]
    assert [view["verdict"] for view in views] == [HANABI.verdict(table.state) for table in tables]
    assert [series.rows[number].tolist() for number in range(3)] == [HANABI.row(t.state).tolist() for t in tables]


def test_why_a_program_moved_so_is_kept_with_the_game(tmp_path: Path) -> None:
    save = tmp_path / "games.jsonl"
    with hosting("hajdu_v2,open", save=save) as host:
        Playing(line_guest("trustful"), host.where).ends()
        host.ends()
    [table] = at_home(["hajdu_v2", "trustful"], 1)
    made = [(HANABI.move_text(turn.decision.move), turn.decision.reason) for turn in table.turns]
    assert [(each.move, each.reason) for each in nth_game(save.read_bytes(), 0).moves] == made


def test_a_search_from_elsewhere_ends_before_its_time_is_up() -> None:
    """Its own budget would take minutes for a move."""
    with hosting("signal,open,signal,signal,signal", deadline=2) as host:
        Playing(line_guest("search_signal@1000000"), host.where).ends()
        host.ends()
    assert not any("took longer" in said for said in host.said)


def test_a_series_over_the_wire_goes_as_at_home() -> None:
    with hosting("open,hajdu_v2,trustful", games=3, rules=WIRE.rules) as host:
        guest = wire_guest("bot2")
        Playing(guest, host.where, 3).ends()
        series = host.ends()
    tables = at_home(["bot2", "hajdu_v2", "trustful"], 3, rules=dict(WIRE.rules))
    assert [result["score"] for result in guest.home.results] == scores(tables)
    assert [series.rows[number].tolist() for number in range(3)] == [HANABI.row(t.state).tolist() for t in tables]
    tally, expected = series.summary(), scores(tables)
    assert (tally["played"], tally["games"], tally["forfeited"]) == (3, 3, [])
    assert tally["mean"] == pytest.approx(statistics.fmean(expected))
    assert tally["std"] == pytest.approx(statistics.stdev(expected))
    assert (tally["maximum"], tally["minimum"]) == (max(expected), min(expected))


def test_both_protocols_meet_at_one_table() -> None:
    with hosting("open,open,bot2,closed", rules=WIRE.rules) as host:
        wire = Playing(wire_guest("hajdu_v2"), host.where)
        host.says("hajdu_v2 sits down at G1")
        lines = Playing(line_guest("trustful"), host.where)
        [score], [view] = wire.ends(), lines.ends()
        series = host.ends()
    [table] = at_home(["hajdu_v2", "trustful", "bot2"], 1, rules=dict(WIRE.rules))
    assert score == view["result"]["score"] == table.result()["score"]
    assert view["verdict"] == HANABI.verdict(table.state)
    assert series.tally().games == 1


def test_agents_alone_play_without_anybody_who_connects() -> None:
    with hosting("bot2,trustful", games=2, at_once=2) as host:
        series = host.ends()
    assert [int(series.rows[number][0]) for number in range(2)] == scores(at_home(["bot2", "trustful"], 2))


def test_host_and_match_play_the_same_games_and_print_the_rules(kibitz: Kibitz) -> None:
    """Games that are lost tell whether a lost game scores its piles for both."""
    words = ("--seed", "7", "--games", "6", "--json")
    _, hosted, _ = kibitz("host", "hanabi", "--seats", "erratic,erratic", "--port", "0", *words)
    _, played, _ = kibitz("match", "hanabi", "erratic", "--players", "2", *words)
    assert json.loads(hosted)["mean"] == pytest.approx(json.loads(played)["mean"])
    assert json.loads(hosted)["mean"] > 0
    _, out, _ = kibitz("host", "hanabi", "--seats", "erratic,erratic", "--port", "0", "--seed", "7")
    assert "seed 7; lost_game=piles, empty_hint=forbidden, full_discard=allowed" in out


def test_somebody_wins_a_competitive_game() -> None:
    with hosting("open,minimax", "loveletter", games=2) as host:
        guest = line_guest("greedy", "loveletter")
        Playing(guest, host.where, 2).ends()
        summary = host.ends().summary()
    tables = at_home(["greedy", "minimax"], 2, "loveletter")
    assert guest.home.results == [table.result() for table in tables]
    assert sum(summary["wins"]) >= 2
    assert "mean" not in summary


def test_more_games_than_one_are_played_at_once() -> None:
    with hosting("open,open", games=6, at_once=3) as host:
        players = [Playing(Polite(f"P{number}"), host.where, 6) for number in range(6)]
        for player in players:
            player.ends()
        assert host.ends().games == 6
    assert sum(len(player.result) for player in players) == 12


def test_a_host_forgets_the_games_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "SPARE", 2)
    with hosting("open,hajdu_v2", games=8) as host:
        Playing(PoliteWire("Ada"), host.where, 8).ends()
        assert host.ends().games == 8


def test_who_comes_when_all_is_played_is_reported() -> None:
    with hosting("open,bot2") as host:
        early, late = LinePeer(host.port, "Ada"), LinePeer(host.port, "Bo")
        early.sits()
        late.say("sit")
        assert "as soon as a seat is free" in late.hear("pending")["text"]
        wire = WirePeer(host.port, "Cy")
        early.turn_comes()
        early.plays_on()
        assert late.rest() == [{"type": "bye", "reason": host_module.ALL_PLAYED}]
        assert wire.rest() == [{"error": host_module.ALL_PLAYED}]
        host.ends()


def test_the_seed_of_a_series_is_sent_to_nobody_before_its_end() -> None:
    """It reveals the cards of the games to come."""
    with hosting("open,bot2", games=2, seed=123454321) as host:
        peer = LinePeer(host.port)
        for _ in range(2):
            peer.sits()
            peer.turn_comes()
            assert peer.plays_on()["state"] == "finished"
        host.ends()
        assert b"123454321" not in peer.text
    with hosting("open,bot2", games=1, seed=123454321) as host:
        peer = LinePeer(host.port)
        peer.sits()
        peer.turn_comes()
        assert peer.plays_on()["options"]["seed"] == 123454321


# Programs that the host starts

PLAYS = """
import sys, time
from kibitz.client import Client
from kibitz.games.hanabi.formats.unibo_client import UniboClient

class Polite(Client):
    def decide(self, view):
        return next(each["move"] for kind in ("hint", "discard") for each in view["choices"] if each["action"] == kind)

class PoliteWire(UniboClient):
    def decide(self, state):
        return {"type": "discard", "card": 0}

where = sys.argv[1]
"""


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """A command that runs a script; what the script says is said before it plays."""

    def written(more: str, where: str = " 127.0.0.1:{port}") -> str:
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PLAYS + more)
        return f"launch:{sys.executable} {path}{where}"

    return written


def test_a_launched_program_plays_game_after_game(program: Any) -> None:
    commands = [program("Polite('P').play(where, 9)"), program("[PoliteWire('W').play(where) for _ in range(2)]")]
    with hosting(",".join(commands), games=2) as host:
        assert host.ends().games == 2
    assert "Game 2: P sits down at G1." in host.said
    assert "Game 2: W sits down at G2." in host.said


def test_a_program_that_plays_one_game_is_started_for_each(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that does not end by itself."""
    monkeypatch.setattr(game_runner, "AGAIN", 0.3)
    commands = [program("Polite('P').play(where); "), program("Polite('H').play(where); time.sleep(1e6)")]
    with hosting(",".join(commands), games=2) as host:
        assert host.ends().games == 2


def test_programs_that_know_their_port_themselves_take_the_seats_there_are(program: Any) -> None:
    command = program("import os; Polite('P').play('localhost:' + os.environ['KIBITZ_PORT'], 9)", " x")
    with hosting(f"{command},{command}") as host:
        assert host.ends().games == 1


def test_a_program_that_knows_its_port_itself_sits_with_strangers(program: Any) -> None:
    command = program("import os; Polite('P').play('localhost:' + os.environ['KIBITZ_PORT'])", " x")
    with hosting(f"open,{command}", games=2) as host:
        Playing(Polite("Ada"), host.where, 2).ends()
        assert host.ends().games == 2


def test_nobody_else_takes_the_seat_of_a_launched_program(program: Any, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with hosting("open," + program(f"open({str(gate)!r}).close(); Polite('P').play(where)")) as host:
        ada, eve = LinePeer(host.port, "Ada"), LinePeer(host.port, "Eve")
        ada.sits()
        eve.say("sit")
        assert eve.hear("seat", "pending")["type"] == "pending"
        gate.write_text("")
        host.says("P sits down at G2")
        assert ada.turn_comes()["seats"][1]["name"] == "P"


def ended_because(seats: str, **fields: Any) -> str:
    with hosting(seats, **fields) as host, pytest.raises(KibitzError) as error:
        host.ends()
    return str(error.value)


def test_a_program_that_does_not_sit_down_ends_the_series_with_what_it_said(program: Any, tmp_path: Path) -> None:
    said = ended_because("bot2," + program("print('no cards today'); sys.exit(3)"))
    assert said.startswith("The program for G2 did not sit down: ")
    assert said.endswith("ended with code 3. The last it said: no cards today")
    silent = ended_because("bot2," + program("time.sleep(1e6)"), launched_within=0.3)
    assert "had 0.3 seconds for it. It said nothing." in silent
    assert "cannot be started: No such file" in ended_because("bot2,launch:./nothing.here {port}")


def test_a_program_that_leaves_before_the_game_begins_ends_the_series(program: Any, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    leaves = f"""
import socket
host, _, port = where.partition(":")
with socket.create_connection((host, int(port))) as s:
    s.sendall(b"Ada\\n")
    open({str(gate)!r}).close()
"""
    with hosting(f"{program(leaves)},open") as host:
        host.says("Ada sits down at G1")
        gate.write_text("")
        with pytest.raises(KibitzError, match=r"^The program for G1 left before the game began"):
            host.ends()


@pytest.mark.parametrize("late", ["substitute", "forfeit"])
def test_a_program_that_dies_in_the_middle_is_not_waited_for(program: Any, late: str) -> None:
    dies = """
class Dying(Polite):
    def sees(self, view):
        if view["turn"] == 3:
            sys.exit("enough")
Dying("Ada").play(where)
"""
    with hosting(f"{program(dies)},bot2", late=late) as host:
        series = host.ends()
    assert any("ended with code 1. The last it said: enough" in said for said in host.said)
    assert len(series.forfeits) == (late == "forfeit")


def test_a_program_and_all_it_started_are_ended_with_the_host(program: Any, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    leaves_a_child = f"""
import os, signal, subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "99"])
with open({str(pids)!r}, "a") as file:
    print(os.getpid(), child.pid, file=file)
Polite("P").play(where)
"""
    ends = [program(leaves_a_child), program(leaves_a_child + "time.sleep(1e6)\n")]
    with hosting(",".join(ends)) as host:
        host.ends()
    for pid in map(int, pids.read_text().split()):
        until(lambda pid=pid: not alive(pid), f"the end of {pid}")  # type: ignore[misc]


def alive(pid: int) -> bool:
    """A process that has ended may still be listed, until somebody takes note of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# Wrong words


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ("open", "Hanabi is for 2 to 5 players, and 1 of these seats are not closed"),
        ("closed,closed", "and 0 of these seats"),
        ("open,,open", "open,open"),
        ("open, ,bot2", "has an empty place"),
        ("open,bot3", "Did you mean bot2"),
        ("open,launch:", "launch: needs a command"),
        ("open,launch:java 'bot {port}", "is no command: no closing quotation"),
    ],
)
def test_wrong_seats_are_answered_with_what_helps(seats: str, sentence: str) -> None:
    with pytest.raises(KibitzError) as error:
        planned(seats)
    assert sentence in str(error.value)


def test_wrong_options_are_answered_with_what_helps(kibitz: Kibitz) -> None:
    helped(kibitz, "host hanabi --seats open,bot2 --output games.txt", "ends neither in .json nor in .jsonl")
    helped(kibitz, "host hanabi --seats open,bot2 --substitute bot3", "Did you mean bot2")
    helped(kibitz, "host nim2 --seats open,bot2", "nim2")
    code, _, err = kibitz("host", "hanabi", "--seats", "open,bot2", "--late", "maybe")
    assert code == 2
    assert "neither substitute nor forfeit" in err


# A host in a process of its own


class Process:
    """`kibitz host`, which can be killed."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kibitz", "host", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "COLUMNS": "200", "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.greeting = self.process.stdout.readline()
        assert self.greeting.startswith("Listening at "), self.process.stderr and self.process.stderr.read()
        self.port = int(self.greeting.split()[2].rpartition(":")[2].rstrip(","))

    def ends(self) -> tuple[str, str]:
        return self.process.communicate(timeout=PATIENCE)


def listens_at(port: int) -> set[str]:
    """The addresses at which somebody listens, as the system writes them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[1].split(":")[0] for row in rows if int(row[1].split(":")[1], 16) == port}


@pytest.mark.parametrize(
    ("sign", "words", "says", "address"),
    [
        (signal.SIGINT, [], "127.0.0.1:{}, from this machine only; --address 0.0.0.0 accepts others.", "0100007F"),
        (signal.SIGTERM, ["--address", "0.0.0.0"], "0.0.0.0:{}, also from other machines.", "00000000"),
    ],
)
def test_a_host_says_where_it_listens_and_leaves_nothing_behind_when_asked_to_stop(
    sign: int, words: list[str], says: str, address: str, program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid, folder = tmp_path / "pid", tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    waits = program(f"import os, pathlib; pathlib.Path({str(pid)!r}).write_text(str(os.getpid())); time.sleep(1e6)")
    host = Process("hanabi", "--seats", f"open,{waits}", "--port", "0", *words)
    assert host.greeting.strip() == f"Listening at {says.format(host.port)}"
    assert listens_at(host.port) == {address}
    until(lambda: pid.exists() and pid.read_text() != "")
    assert list(folder.iterdir()) == []  # so there is nothing to leave behind when it is killed, either
    host.process.send_signal(sign)
    _, err = host.ends()
    assert host.process.returncode == 128 + sign
    assert "Stopped after 0 of 1 game." in err
    until(lambda: not alive(int(pid.read_text())))
    assert list(folder.iterdir()) == []


@first_of(1, "seed", [5, None])
def test_a_host_that_was_killed_goes_on_where_it_stopped(seed: int | None, tmp_path: Path) -> None:
    save = tmp_path / "evening.json"
    words = ["hanabi", "--seats", "open,hajdu_v2", "--port", "0", "--games", "3", "--output", str(save)]
    words += [] if seed is None else ["--seed", str(seed)]
    first = Process(*words)
    guest = line_guest("trustful")
    Playing(guest, f"127.0.0.1:{first.port}").ends()
    until(lambda: (tmp_path / "evening.json.partial").read_bytes().count(b"\n") == 2)
    first.process.kill()
    first.ends()
    second = Process(*words)
    Playing(guest, f"127.0.0.1:{second.port}", 2).ends()
    out, err = second.ends()
    assert "1 of 3 games were played before; resuming." in err
    assert "mean score" in out
    whole = save.read_bytes()
    records = [nth_game(whole, number) for number in range(3)]
    [chosen] = {record.seed for record in records}
    assert seed in (None, chosen)
    assert [record.number for record in records] == [0, 1, 2]
    assert chosen is not None
    for number, record in enumerate(records):
        start = HANABI.deal(keys(chosen), number, 2, HANABI.check_rules({}))
        players = [registry.agent(HANABI, agent).take_seat(HANABI) for agent in ("trustful", "hajdu_v2")]
        table = Table(HANABI, players, start)
        assert record.result == table.run()
        assert record.seats == ["trustful", "hajdu_v2"]
    assert json.loads(whole)["summary"]["played"] == 3


def test_another_series_is_not_written_over(tmp_path: Path) -> None:
    save = tmp_path / "evening.jsonl"
    with hosting("bot2,bot2", games=2, save=save) as host:
        host.ends()
    (tmp_path / "evening.jsonl.partial").write_bytes(b'{"host": {"game": "hanabi"}}\n')
    with pytest.raises(KibitzError, match="holds games of another series"), hosting("bot2,open", save=save):
        pass
