"""`kibitz host` under the same hands: series of games that are killed and go on, with players of every kind."""

import asyncio
import contextlib
import json
import random
import shlex
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.core.record import Record, parse
from tests.soak.clients import HOME, LostError, Message, bound_socket
from tests.soak.guests import LinePlayer, ObjectPlayer, Player
from tests.soak.processes import Process, marked
from tests.soak.promises import ANSWERED, CODES, BrokenPromiseError, Clock, Tally, check
from tests.soak.received import Past, ReceivedGame, ReceivedGames, bare, first_difference

LAUNCHED = f"launch:{shlex.quote(sys.executable)} examples/remote_bot.py {{host}}:{{port}} 100"
AGENTS = {"hanabi": ("simple_distrustful", "hajdu_v2", "trustful"), "loveletter": ("greedy", "counting")}
DEADLINE, LATE_DEADLINE = 20.0, 1.0  # seconds per move; the second makes players late
SERIES_ENDS = 150.0  # seconds of working time in which a series of a few short games comes to its end
SAVED = 0.5  # seconds after the end of a game until it is in the file
ORPHANS = 25.0  # seconds in which what a killed host launched ends by itself; it tries to connect for ten
SILENT = 30
BEFORE_THE_END = (0.05, 1.5)  # seconds that a host runs before it is killed
# What may be thrown at a host, and what happens then.
FAULTS = {
    "host_kill": "SIGKILL, and the same command again",
    "host_leftover": "the same, and nothing is left in the temporary folder when the series is over",
    "host_term": "SIGTERM, and the same command again",
    "host_garbage": "strangers who send nonsense, too much, or nothing",
    "host_intruder": "strangers who want others' seats",
    "host_late": "players who miss their deadline",
    "host_gone": "players who lose their connection",
}
ENDINGS = ("host_kill", "host_leftover", "host_term")


class Hosted:
    """One series: a host that is started again until all its games are played, and those who play there."""

    def __init__(
        self, folder: Path, mark: str, dice: random.Random, faults: Sequence[str], clock: Clock, tally: Tally
    ) -> None:
        self.folder, self.mark, self.dice, self.faults, self.clock, self.tally = (
            folder,
            mark,
            dice,
            faults,
            clock,
            tally,
        )
        self.temporary, self.save = folder / "tmp", folder / "games.jsonl"
        self.temporary.mkdir(parents=True)
        self.game = dice.choice(("hanabi", "hanabi", "loveletter"))
        self.tables = ReceivedGames()
        self.up = asyncio.Event()
        self.starts = 0
        self.going_down = self.ended = self.closing = False
        self.port = 0
        self.process: Process | None = None
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.objects_seen: list[tuple[float, list[Message]]] = []  # when a game was played to its end, and its states
        self.killed: list[float] = []  # when
        self.seats = self.chosen_seats()
        self.games, self.at_once = dice.randint(3, 10), dice.choice((1, 2))
        self.deadline = LATE_DEADLINE if "host_late" in faults else DEADLINE
        self.words = self.chosen_words()

    def chosen_seats(self) -> list[str]:
        seats = [
            "open",
            *self.dice.choices(("open", self.dice.choice(AGENTS[self.game]), LAUNCHED), weights=(3, 3, 1), k=1),
        ]
        if self.dice.random() < 0.4:
            seats.append(self.dice.choice(("open", self.dice.choice(AGENTS[self.game]))))
        self.dice.shuffle(seats)
        return seats

    def chosen_words(self) -> list[str]:
        late = ["--late", "forfeit"] if "host_late" in self.faults and self.dice.random() < 0.3 else []
        return [
            "host", self.game, "--port", "0", "--seats", ",".join(self.seats), "--games", str(self.games), "--at-once",
            str(self.at_once), "--bot-seconds", str(self.deadline), "--output", str(self.save), *late,
        ]  # fmt: skip

    def fails(self, error: Exception) -> None:
        if not self.failure.done():
            self.failure.set_exception(error)

    async def after(self, lost: LostError, starts: int) -> None:
        """A connection ended: the host was ended, or all is played; or an honest player was thrown out."""
        begun = self.clock.now()
        while starts == self.starts and not self.going_down and not self.ended:
            check(self.clock.now() - begun < 4, "an honest player at a host keeps its connection", str(lost))
            await asyncio.sleep(0.05)
        while not self.up.is_set() and not self.ended:
            await asyncio.sleep(0.05)

    # The process

    async def play(self) -> None:
        """Start the host, and again if it was ended, until all games are played."""
        ends = [fault for fault in ENDINGS if fault in self.faults for _ in range(self.dice.randint(1, 2))]
        self.dice.shuffle(ends)
        while not self.ended:
            self.process = Process(self.words, self.mark, self.temporary, self.fails)
            found = await self.process.start(r"Listening at [^:]*:(\d+)")
            self.port, self.going_down = int(found[1]), False
            self.starts += 1
            self.up.set()
            self.clock.go_on("host down")
            assert self.process.process is not None
            if not ends:
                await self.process.process.wait()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.dice.uniform(*BEFORE_THE_END)):
                    await self.process.process.wait()
            if self.process.ended:
                self.ended = True
                code = self.process.process.returncode
                check(
                    code == 0, "a host ends well when all its games are played", f"code {code}, {self.process.tail()}"
                )
            else:
                await self.end(ends.pop())

    async def end(self, how: str) -> None:
        assert self.process is not None
        announced = finished_by(self.process.log)
        self.going_down = True
        self.clock.stop("host down")
        self.up.clear()
        kill = how != "host_term"
        self.killed.append(time.monotonic())
        await (self.process.kill() if kill else self.process.terminate())
        self.tally.faults[how] += 1
        self.tally.counts["host kills"] += kill
        kept = {record.number for record in saved(self.save)}
        missing = announced - kept
        check(
            not missing, "a game whose end a host announced is kept", f"games {sorted(missing)} are not in {self.save}"
        )
        # Also when it was killed after it had written the file: the same command would begin another series then.
        self.ended = self.save.exists() and not partial_of(self.save).exists()
        await self.no_orphans()
        if not kill and "host_kill" not in self.faults and "host_leftover" not in self.faults:
            self.check_temporary()

    async def no_orphans(self) -> None:
        until = time.monotonic() + ORPHANS
        while left := marked(self.mark):
            check(time.monotonic() < until, "what a host launched ends with it", left)
            await asyncio.sleep(0.2)

    def check_temporary(self) -> None:
        left = sorted(path.name for path in self.temporary.iterdir())
        check(not left, "a host leaves nothing in the temporary folder", left)

    # Everything that was said

    def judge(self) -> None:
        """The file has every game once, each by the rules, and what players were shown is what happened."""
        records = saved(self.save)
        numbers = sorted(record.number if record.number is not None else -1 for record in records)
        check(
            numbers == list(range(self.games)),
            "every game of a series is kept once",
            f"games {numbers} of {self.games}",
        )
        for record in records:
            record.replay()
        self.tally.counts["host games"] += len(records)
        for received in self.tables.running.values():
            moves = [received.moves[turn][1] for turn in sorted(received.moves)]
            alike = [record for record in records if received.over and [made.move for made in record.moves] == moves]
            if alike:
                self.tally.counts["messages"] += judged_by_one(received, alike)
            else:
                check(
                    not received.over or self.killed_at(received.over_at), "a game that was played to its end is kept",
                    f"{received.id}: {moves} in none of {len(records)} games",
                )  # fmt: skip
        for when, states in self.objects_seen:
            alike = [record for record in records if len(record.moves) == states[-1]["round"] - 1]
            if alike or not self.killed_at(when):
                self.judge_objects(states, alike)

    def killed_at(self, over: float) -> bool:
        """Whether a host was ended so soon after a game that it may not have written it down."""
        return any(over - 0.1 < killed < over + SAVED for killed in self.killed)

    def judge_objects(self, states: list[Message], records: list[Record]) -> None:
        """Every state of bare objects is the one that the rules show to that seat at that turn."""
        trouble = f"no game has {states[-1]['round'] - 1} moves"
        for record in records:
            trouble = differing(states, Past(record))
            if not trouble:
                self.tally.counts["messages"] += len(states)
                return
        check(False, "a player is sent the states of its game, and what it may see of them", trouble)


def judged_by_one(received: ReceivedGame, alike: list[Record]) -> int:
    """Compare a game with the records that have its moves: short games of other cards can have the same ones."""
    for record in alike[:-1]:
        with contextlib.suppress(BrokenPromiseError):
            return received.judge(record.dump())
    return received.judge(alike[-1].dump())


def finished_by(log: Any) -> set[int]:
    """The numbers, from 0, of the games whose end a host has printed: there the score or the winner stands."""
    found = set()
    for line in log:
        head, colon, rest = line.partition(": ")
        if line.startswith("Game ") and colon and any(word in rest for word in ("points", "wins", "forfeits")):
            with contextlib.suppress(ValueError):
                found.add(int(head.removeprefix("Game ")) - 1)
    return found


def partial_of(path: Path) -> Path:
    return path.with_name(path.name + ".partial")


def saved(path: Path) -> list[Record]:
    """The games in the file of a series, or in what it has so far."""
    partial = partial_of(path)
    if partial.exists():
        lines = partial.read_bytes().splitlines(keepends=True)[1:]
    else:
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return [parse(line) for line in lines if line.endswith(b"\n")]


def differing(states: list[Message], past: Past) -> str:
    """Where the states that a player was sent are not those of a game; nothing if they are."""
    wire = past.game.wire
    assert wire is not None
    names = [key for key in states[0] if key.startswith("G") and isinstance(states[0][key], list)]
    for state in states:
        turn = state["round"] - 1
        true = json.loads(wire.state(past.tables[turn].view(state["__seat__"]), names))
        seen = {key: value for key, value in state.items() if key != "__seat__"}
        if bare(seen) != bare(true):
            return f"turn {turn}: {first_difference(bare(seen), bare(true))}"
    return ""


# Strangers


async def strangers(host: Hosted) -> None:
    """Nonsense, lines without end, silence, and tries to sit where others do."""
    dice = host.dice
    held: list[socket.socket] = []
    try:
        while not host.ended:
            await host.up.wait()
            with contextlib.suppress(LostError, OSError, TimeoutError):
                if "host_garbage" in host.faults:
                    await nonsense(host, dice)
                    if len(held) < SILENT:
                        held.append(await bound_socket(host.port, "127.0.9.9"))
                if "host_intruder" in host.faults:
                    await wants_a_seat_of_others(host, dice)
            await asyncio.sleep(dice.uniform(0.1, 0.5))
    finally:
        for connection in held:
            connection.close()


NONSENSE = (
    b"\xff\xfe\x00\x01\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"[1, 2]\n", b"{\n", b"x" * 200_000, b"\n",
    b"{" * 70_000 + b"\n", b'{"type": "hello", "version": 7}\n',
    b'{"type": "hello", "version": 2}\n{"type": "create", "game": "hanabi"}\n',
    b'{"type": "hello", "version": 2}\n{"type": "move", "table": "x", "turn": 0, "move": "play 1"}\n',
)  # fmt: skip


async def nonsense(host: Hosted, dice: random.Random) -> None:
    """It is answered with an error, or the connection is ended."""
    host.tally.faults["host_garbage"] += 1
    said = dice.choice(NONSENSE)
    reader, writer = await asyncio.open_connection(HOME, host.port, local_addr=("127.0.9.9", 0))
    try:
        writer.write(said)
        begun, answer = host.clock.now(), b""
        while b'"error"' not in answer:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    piece = await reader.read(65536)
                    answer += piece
                    if not piece:
                        return
            late = host.clock.now() - begun > ANSWERED and not host.going_down
            check(not late, f"nonsense is answered at a host within {ANSWERED:g} s", f"{said[:80]!r}: {answer[:300]!r}")
    finally:
        writer.close()


async def wants_a_seat_of_others(host: Hosted, dice: random.Random) -> None:
    host.tally.faults["host_intruder"] += 1
    ids = sorted(host.tables.running)
    if not ids:
        return
    table = dice.choice(ids)
    reader, writer = await asyncio.open_connection(HOME, host.port, local_addr=("127.0.9.8", 0))
    words: list[Message] = [
        {"type": "hello", "version": 2, "name": "Eve"}, {"type": "resume", "table": table, "token": "x" * 22},
        {"type": "sit", "table": table, "invitation": ""}, {"type": "reclaim_seat", "table": table},
        {"type": "spectate", "table": table}, {"type": "move", "table": table, "turn": 0, "move": "play 1"},
        {"type": "history", "table": table, "turn": 0, "as": "open"}, {"type": "leave", "table": table},
    ]  # fmt: skip
    try:
        async with asyncio.timeout(ANSWERED):
            for word in words:
                writer.write(json.dumps({**word, "request": 1}).encode() + b"\n")
                line = await reader.readline()
                if not line:
                    return
                answer = json.loads(line)
                if answer["type"] == "bye":
                    return  # all games were played meanwhile
                fine = answer["type"] == "welcome" if word["type"] == "hello" else answer.get("code") in CODES
                check(fine, f"{word['type']} at a table of others is refused", answer)
    finally:
        writer.close()


# A series from its beginning to its end


async def series(
    folder: Path, mark: str, seed: int, count: int, names: Sequence[str], clock: Clock, tally: Tally, until: float
) -> None:
    """Play one series, with some of the faults, and look at all of it when it is over."""
    dice = random.Random(f"{seed} series {count}")
    faults = dice.sample(list(names), min(len(names), 2)) if names else []
    host = Hosted(folder, mark, dice, faults, clock, tally)
    players = [new_player(host, dice, number) for number in range(host.seats.count("open") * host.at_once)]
    try:
        async with asyncio.timeout(SERIES_ENDS + 60):
            await together(host, players, clock)
    except TimeoutError:
        check(
            False,
            f"a series of {host.games} games comes to its end",
            f"{host.words}: {host.process and host.process.tail()}",
        )
    check(not marked(mark), "what a host launched ends with it", marked(mark))
    await asyncio.to_thread(host.judge)
    if "host_kill" not in faults:
        host.check_temporary()
    tally.counts["series"] += 1


async def together(host: Hosted, players: list[Player], clock: Clock) -> None:
    async def failure() -> None:
        await host.failure

    async with asyncio.TaskGroup() as group:
        beside = [group.create_task(failure())]
        if {"host_garbage", "host_intruder"} & set(host.faults):
            beside.append(group.create_task(strangers(host)))
        playing = [group.create_task(player.plays()) for player in players]
        hosting = group.create_task(host.play())
        await asyncio.wait([hosting])
        await asyncio.wait(playing, timeout=ANSWERED)
        for task in (*beside, *playing):
            task.cancel()


def new_player(host: Hosted, dice: random.Random, number: int) -> Player:
    own = random.Random(dice.random())
    kind = ObjectPlayer if host.game == "hanabi" and dice.random() < 0.5 else LinePlayer
    return kind(host, f"Player{number}", own)
