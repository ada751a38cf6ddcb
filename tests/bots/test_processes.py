"""Whatever a bot does, it is named, it ends with all that it started, and nobody else is disturbed."""

import errno
import gc
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.bots import family, players
from kibitz.bots.pool import Processes, SharedProcess
from kibitz.bots.process import BotStoppedError
from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.errors import AgentError, KibitzError
from tests.server.web.guests import QUICK, parlour, play_on, played

GAME = registry.game("hanabi")
MEMORY = 700  # megabytes
FILE = Path(__file__).with_name("hostile.py")


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    pool = Processes(2, MEMORY, captured=True)
    yield pool
    pool.close()


def view() -> Any:
    return Table(GAME, [], GAME.deal(keys(3), 0, 2, GAME.check_rules({}))).view(0)


def seated(processes: Processes, bot: str, seconds: float = 5.0, file: Path = FILE) -> players.BotPlayer:
    spec = registry.spec("hanabi", f"{file}:{bot}")
    agent = players.known_by(GAME, spec, 10.0, processes)
    player = players.seat_player(GAME, agent, seconds, shared=SharedProcess(processes))
    assert isinstance(player, players.BotPlayer)
    return player


def nothing_is_left_of(process: Any) -> bool:
    return not process.alive and not family.members(process.mark)


@pytest.mark.parametrize(
    ("bot", "seconds", "says"),
    [
        ("Hangs", 0.2, "took longer than 0.2 seconds to decide"),
        ("Forks", 0.4, "took longer than 0.4 seconds to decide"),
        ("ForkBomb", 0, "started "),
        ("Exits", 5, "ended its process when it was to decide (exit code 7)"),
        ("GigabytesInChildren", 0, f"used more than {MEMORY} MB of memory"),
        ("WritesToAll", 5, "wrote to a descriptor that is not its own"),
        ("ClosesAll", 5, "ended its process"),
    ],
)
def test_a_bot_that_cannot_go_on_is_named_and_nothing_is_left_of_it(
    processes: Processes, bot: str, seconds: float, says: str
) -> None:
    player = seated(processes, bot, seconds)
    with pytest.raises(BotStoppedError) as stopped:
        player.decide(view())
    assert str(stopped.value).startswith(f"{FILE}:{bot} at seat G1, turn 1, {says}")
    assert nothing_is_left_of(player.process)


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("SystemExits", "failed while deciding: SystemExit: enough"),
        ("Gigabytes", "failed while deciding: MemoryError"),
        ("Junk", "answered frozenset({<object object at"),
        ("Huge", "answered (no readable text). That is a bare number"),
        ("NotANumber", "answered nan"),
        ("Unpicklable", "answered (<function"),
    ],
)
def test_a_bot_that_fails_is_named_and_its_process_goes_on(processes: Processes, bot: str, says: str) -> None:
    player = seated(processes, bot)
    with pytest.raises(AgentError) as failed:
        player.decide(view())
    assert str(failed.value).startswith(f"{FILE}:{bot} at seat G1, turn 1, {says}")
    assert player.process.alive


@pytest.mark.parametrize(
    "bot", ["Prints", "WritesToThree", "Threads", "ReadsStdin", "RaisesInDel", "HangsInDel", "ReturnsTwice"]
)
def test_a_bot_that_only_makes_noise_is_played_with(processes: Processes, bot: str) -> None:
    player = seated(processes, bot)
    for _ in range(2):
        assert player.decide(view()).move == GAME.legal(view())[0]
    assert len(player.said) < 3000


def test_a_bot_that_hangs_while_it_sits_down_is_named(processes: Processes) -> None:
    with pytest.raises(BotStoppedError, match=r"HangsInInit took longer than 1\.2 seconds to take its seat"):
        seated(processes, "HangsInInit", 0.2)


def test_the_next_bot_does_not_share_a_process_with_what_another_left_behind(processes: Processes) -> None:
    for bot in ("Threads", "HangsInDel"):
        player = seated(processes, bot)
        player.decide(view())
        used = player.process
        player.shared.let_go()
        del player
        for _ in range(2):
            after = seated(processes, "Honest")
            assert after.decide(view())
            assert after.process is not used


def test_a_bot_that_deleted_its_file_plays_on_and_is_named_next_time(processes: Processes, tmp_path: Path) -> None:
    file = tmp_path / "gone.py"
    shutil.copy(FILE, file)
    player = seated(processes, "DeletesItself", file=file)
    assert player.decide(view())
    with pytest.raises(AgentError):
        player.decide(view())
    with pytest.raises(KibitzError, match="There is no file"):
        seated(processes, "DeletesItself", file=file)


def test_a_worker_inherits_no_socket_and_no_file(processes: Processes, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, (tmp_path / "secret").open("w") as secret:
        for each in (server, secret):
            os.set_inheritable(each.fileno(), True)
        process = processes.take()
        try:
            process.ask("forget_players")
            process.answer(5)
            folder = Path(f"/proc/{process.process.pid}/fd")
            held = [str(entry.readlink()) for entry in folder.iterdir()]
        finally:
            processes.end(process)
    assert [name for name in held if name.startswith("socket:")] == [held[-1]]
    assert not any("secret" in name for name in held)


def test_tables_that_have_to_share_a_process_go_on_with_fresh_bots() -> None:
    one = Processes(1, captured=True)
    try:
        first, second = seated(one, "Remembers"), seated(one, "Remembers")
        assert second.decide(view()).reason == "0 seen, 1 asked"
        with pytest.raises(players.GoneError):
            first.decide(view())
        assert len(one.all) == 1
    finally:
        one.close()


def test_a_compiled_agent_of_a_file_plays_elsewhere_at_a_server(processes: Processes, tmp_path: Path) -> None:
    file = tmp_path / "compiled.py"
    file.write_text("from kibitz.games.hanabi.agents.hajdu import hajdu_v1 as mine\n")
    player = seated(processes, "mine", file=file)
    assert player.decide(view()) == registry.agent(GAME, "hajdu_v1").take_seat(GAME).decide(view())


def test_a_process_that_nobody_uses_is_ended() -> None:
    one = Processes(1)
    player = seated(one, "Honest")
    player.decide(view())
    one.end_idle(0.0)
    assert not one.all
    assert nothing_is_left_of(player.process)


def test_without_descriptors_no_spare_is_kept_and_none_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    pool = Processes(1, MEMORY, captured=True, spare=("hanabi",))
    monkeypatch.setattr(subprocess, "Popen", none_left)
    pool.keep_spare()
    gc.collect()
    before = len(list(Path("/dev/fd").iterdir()))
    pool.keep_spare()
    gc.collect()
    assert len(list(Path("/dev/fd").iterdir())) == before
    with pytest.raises(OSError, match="Too many open files"):
        pool.take()
    assert (pool.starting, pool.all, pool.free) == (0, set(), [])


def test_bots_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    """A bot that holds the interpreter's lock and children of bots, too: no thread of theirs could end them."""
    program = """
import sys
from kibitz.bots.process import JANITOR
from tests.bots.test_processes import *
player = seated(Processes(1), "Forks", 0)
sys.stdout.write(JANITOR.mark + "\\n"); sys.stdout.flush()
player.decide(view())
"""
    started = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    mark = started.stdout.readline().strip()
    [janitor] = [pid for pid in pids() if mark.encode() in command(pid)]
    ended = os.pidfd_open(janitor)
    started.send_signal(signal.SIGKILL)
    started.wait()
    started.stdout.close()
    assert select.select([ended], [], [], 30)[0]
    os.close(ended)
    assert family.members(mark) == []


def pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


HOSTILE = ("Hangs", "Exits", "HangsInInit")  # what others do ends in the same ways, as shown above


def test_a_server_and_its_other_tables_go_on_whatever_bots_do() -> None:
    async def scenario(folder: Path) -> None:
        agents = [f"{FILE}:{bot}" for bot in (*HOSTILE, "Honest")]
        async with parlour(folder, agents=agents, limits=replace(QUICK, bot_seconds=0.5)) as here:
            tables = []
            for bot in HOSTILE:
                ada = await here.guest()
                seats = [{"kind": "me"}, {"kind": "bot", "agent": f"{FILE}:{bot}"}]
                tables.append((bot, ada, await ada.opened(seats=seats)))
                ada.say("move", table=tables[-1][2]["table"], turn=0, move="discard 1")
            eve = await here.guest("Eve")
            await eve.opened(seats=[{"kind": "me"}, {"kind": "bot", "agent": f"{FILE}:Honest"}])
            assert (await play_on(eve))["verdict"]
            assert not eve.every("notice")
            for bot, ada, _ in tables:
                said = (await ada.hear("notice"))["text"]
                assert said.startswith(f"{bot[0]}"), said
                assert " has to stop: it " in said

    played(scenario)
