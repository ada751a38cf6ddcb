"""What is thrown at `kibitz serve`: each fault is a function, and can be chosen by its name with --faults.

Whoever attacks comes from an address of its own, so that a limit by address need not hit honest players.
"""

import asyncio
import contextlib
import json
import random
import resource
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from kibitz.core import registry
from kibitz.core.record import Record
from kibitz.core.seeds import keys
from kibitz.core.table import Table
from tests.soak.clients import (
    HOME,
    LOSSES,
    LostError,
    Message,
    PageLink,
    bound_socket,
    page,
)  # fmt: skip
from tests.soak.people import Person
from tests.soak.promises import ANSWERED, CODES, IDLE_CLOSED, check
from tests.soak.serving import BAD_BOTS, UNRULY, Serving, refused

Fault = Callable[[Serving, random.Random], Awaitable[None]]
FAULTS: dict[str, Fault] = {}
ALONE = ("kill", "term", "disk", "descriptors")  # they change the process itself: one at a time
SLOW_READERS, SILENT, FLOOD, CREATORS, ADVISED = 30, 200, 2000, 70, 10
FULL_FOR, HELD_FOR = (1.0, 4.0), 8.0  # seconds
SPARE_DESCRIPTORS = 25


def fault(act: Fault) -> Fault:
    FAULTS[act.__name__] = act
    return act


def elsewhere(dice: random.Random) -> str:
    """An address of this machine that honest players do not come from."""
    return f"127.0.{dice.randint(1, 250)}.{dice.randint(2, 250)}"


# The process and the system


@fault
async def kill(serving: Serving, dice: random.Random) -> None:
    """SIGKILL in the middle of anything; then it is started again on the same data."""
    await serving.restart(kill=True)


@fault
async def term(serving: Serving, dice: random.Random) -> None:
    """SIGTERM; then it is started again."""
    await serving.restart(kill=False)


@fault
async def disk(serving: Serving, dice: random.Random) -> None:
    """A full disk: no file of the server may grow, for a while (RLIMIT_FSIZE, which needs no privileges)."""
    async with serving.changing:
        assert serving.process is not None
        serving.disk_full = True
        serving.clock.stop("disk")
        serving.process.limit(resource.RLIMIT_FSIZE, 1)
        await asyncio.sleep(dice.uniform(*FULL_FOR))
        serving.process.limit(resource.RLIMIT_FSIZE, None)
    await asyncio.sleep(3)  # a bot whose move could not be kept tries again after two seconds
    serving.clock.go_on("disk")
    serving.disk_full = False


@fault
async def descriptors(serving: Serving, dice: random.Random) -> None:
    """Few file descriptors are left, and silent connections take them: others are still let in."""
    async with serving.changing:
        assert serving.process is not None
        serving.process.limit(resource.RLIMIT_NOFILE, serving.process.descriptors() + SPARE_DESCRIPTORS)
        home, held = elsewhere(dice), []
        try:
            for count in range(2 * SPARE_DESCRIPTORS):
                with contextlib.suppress(LostError):
                    held.append(await bound_socket(serving.port if count % 2 else serving.programs, home))
            await asyncio.sleep(HELD_FOR)
            await one_table(serving, dice)
        finally:
            for connection in held:
                connection.close()
            serving.process.limit(resource.RLIMIT_NOFILE, None)


async def one_table(serving: Serving, dice: random.Random) -> None:
    """An honest visitor comes, opens a table and makes a move."""
    person = Person(serving, "Honest", dice)
    await person.create("hanabi", level="easy", players=2)
    try:
        client = await person.here()
        await person.until(client, lambda: person.view is not None, "a table is shown to who made it")
        if person.view is not None and "choices" in person.view:
            await person.move(client, person.view["turn"], person.choose(person.view))
    except LostError as error:
        await serving.after(error, person.starts)
    await person.hang_up()


# Connections that are held and not used


@fault
async def silent(serving: Serving, dice: random.Random) -> None:
    """Connections that say nothing, at both ports: they are closed in the end, and service goes on."""
    home = elsewhere(dice)
    held = [await bound_socket(serving.port if count % 2 else serving.programs, home) for count in range(SILENT)]
    await closed_in_time(serving, held, "a connection that says nothing")


@fault
async def half_heads(serving: Serving, dice: random.Random) -> None:
    """The first half of an HTTP request, and no more; a WebSocket without a hello."""
    home, held = elsewhere(dice), []
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a2liaXR6LXNvYWstdGVzdA==\r\nSec-WebSocket-Version: 13\r\n"
    begins = (
        f"GET / HTTP/1.1\r\nHost: {HOME}:{serving.port}\r\nX-Slow: ",
        f"POST /api/import HTTP/1.1\r\nHost: {HOME}:{serving.port}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{{",
        "GET",
        f"GET /socket HTTP/1.1\r\nHost: {HOME}:{serving.port}\r\n{upgrade}\r\n",
    )
    for count in range(SILENT // 4):
        connection = await bound_socket(serving.port, home)
        held.append(connection)
        await asyncio.get_running_loop().sock_sendall(connection, begins[count % len(begins)].encode())
    await closed_in_time(serving, held, "half a request")


async def closed_in_time(serving: Serving, held: list[socket.socket], what: str) -> None:
    """The server gives up on connections that lead nowhere."""
    begun, opened, loop = serving.clock.now(), len(held), asyncio.get_running_loop()
    try:
        while held:
            for connection in list(held):
                with contextlib.suppress(BlockingIOError):
                    try:
                        over = connection.recv(65536) == b""
                    except ConnectionError:
                        over = True
                    if over:
                        held.remove(connection)
                        connection.close()
            late = serving.clock.now() - begun > IDLE_CLOSED
            check(not late, f"{what} is closed within {IDLE_CLOSED:g} s", f"{len(held)} of {opened} are still open")
            if serving.closing:
                return
            await asyncio.sleep(0.5)
            assert loop.is_running()
    finally:
        for connection in held:
            connection.close()


@fault
async def slow(serving: Serving, dice: random.Random) -> None:
    """Visitors who listen to the lobby and to tables, and never read what they are sent."""
    home, links = elsewhere(dice), []
    running = sorted(serving.tables.running)
    try:
        for _ in range(SLOW_READERS):
            connection = await bound_socket(serving.port, home, small=True)
            link = await page(serving.port, sock=connection, max_queue=1)
            links.append(link)
            for word in ({"type": "hello", "version": 1, "name": "Slow"}, {"type": "lobby"}, {"type": "catalogue"}):
                await link.send(json.dumps(word))
            for table in running[:5]:
                await link.send(json.dumps({"type": "look", "table": table}))
        for _ in range(20):
            for link in links:
                with contextlib.suppress(*LOSSES):
                    await link.send(json.dumps({"type": "catalogue"}))
            await asyncio.sleep(0.5)
    finally:
        for link in links:
            link.socket.transport.abort()


@fault
async def churn(serving: Serving, dice: random.Random) -> None:
    """Connections that come, ask for much, and break at once, in the middle of a handshake or of an answer."""
    home = elsewhere(dice)
    for count in range(60):
        connection = await bound_socket(serving.port if count % 3 else serving.programs, home)
        with contextlib.suppress(OSError):
            await asyncio.get_running_loop().sock_sendall(connection, dice.choice(CHURNED))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset it instead of a goodbye
        connection.close()
        if count % 10 == 0:
            await asyncio.sleep(0.01)


CHURNED = (
    b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    b'{"type": "hello", "version": 1}\n{"type": "lobby"}\n{"type": "catalogue"}\n', b"GET /socket HTTP/1.1\r\nHost: localhost\r\n"
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a2liaXR6LXNvYWstdGVzdA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
)  # fmt: skip


# Too much, too long, and nonsense


@fault
async def flood(serving: Serving, dice: random.Random) -> None:
    """Thousands of messages as fast as they go: refused, then ended."""
    for program in (False, True):
        async with serving.visitor("Flood", program, elsewhere(dice)) as client:
            with contextlib.suppress(LostError):
                for count in range(FLOOD):
                    await client.say(
                        dice.choice(("catalogue", "lobby", "odds", "move")), request=count, table="x", turn=0, move="x"
                    )
                await asyncio.sleep(1)
                check(client.lost is not None, "who sends hundreds of messages too fast is ended", f"{FLOOD} messages")
                client.check_alive()


@fault
async def creates(serving: Serving, dice: random.Random) -> None:
    """Many visitors open as many tables as each may; there is still room for others."""
    home = elsewhere(dice)

    async def creator() -> None:
        with contextlib.suppress(LostError):
            async with serving.visitor("Creator", home=home) as client:
                for _ in range(30):
                    answer = await client.ask("create", "seat", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}])
                    if refused(answer):
                        return

    for _ in range(0, CREATORS, 10):
        await asyncio.gather(*(creator() for _ in range(10)))
        if serving.closing:
            return
    await one_table(serving, dice)


GARBAGE: tuple[str, ...] = (
    "", "{", "null", "[]", "17", '"hello"', "{}", '{"type": null}', '{"type": "nothing"}', '{"type": "move"}',
    '{"type": "move", "table": 5, "turn": "x", "move": []}', '{"type": "hello", "version": 99}', "\x00\x01\x02",
    '{"type": "create", "game": "hanabi", "seats": [{"kind": "king"}]}', '{"type": "create", "game": "chess"}',
    '{"type": "create", "game": "hanabi", "seed": 9223372036854775808}', '{"type": "create", "game": "hanabi", "seed": 1e999}',
    '{"type": "create", "game": "hanabi", "players": -1}', '{"type": "create", "game": "hanabi", "rules": {"x": "y"}}',
    '{"type": "look", "table": "../../etc/passwd"}', '{"type": "lab_start", "what": "match"}', "[" * 3000,
    '{"type": "history", "table": "x", "turn": 1e5, "as": "open"}', '{"type": "resume", "table": "x", "token": "\\ud800"}',
    '{"type": "create", "game": "hanabi", "seats": [{"kind": "bot", "agent": "tests/web/unruly.py:Slow"}, {"kind": "me"}]}',
)  # fmt: skip


@fault
async def garbage(serving: Serving, dice: random.Random) -> None:
    """What makes no sense is answered with an error each."""
    program = dice.random() < 0.5
    async with serving.visitor("Garbage", program, elsewhere(dice)) as client:
        for text in dice.sample(GARBAGE, 12):
            if program and not text:
                continue
            async with client.expecting(lambda said: said["type"] == "error") as future:
                try:
                    await client.link.send(text)
                except LOSSES as error:
                    raise LostError(repr(error)) from None
                answer = await client.within(future, ANSWERED, "what makes no sense is answered with an error", text)
            check(refused(answer) in CODES and answer.get("message"), "an error has a code and a text", answer)
        if not program:
            assert isinstance(client.link, PageLink)
            async with client.expecting(lambda said: said["type"] == "error") as future:
                await client.link.socket.send(b"\xff\xfe\x00")
                await client.within(future, ANSWERED, "a frame of bytes is answered with an error", "bytes")


@fault
async def oversized(serving: Serving, dice: random.Random) -> None:
    """A frame or a line that is too long ends the connection."""
    for program in (False, True):
        async with serving.visitor("Oversized", program, elsewhere(dice)) as client:
            with contextlib.suppress(LostError):
                await client.say("hello", version=1, name="x" * 300_000)
                begun = serving.clock.now()
                while client.lost is None:
                    late = serving.clock.now() - begun > ANSWERED
                    check(not late, "a message of more than 64 kB ends the connection", f"program: {program}")
                    await asyncio.sleep(0.1)


def some_record(dice: random.Random) -> Message:
    """A game that was played elsewhere."""
    game = registry.game(dice.choice(("hanabi", "loveletter")))
    rules = game.check_rules({})
    table = Table(game, [], game.deal(keys(dice.randint(0, 999)), 0, 2, rules))
    record = Record.of(table, ["Ada", "Bo"], rules, 1, 0)
    view = table.view(table.to_move)
    moves = [{"move": game.choices(view)[0]["move"]}]
    return {**json.loads(record.dump()), "moves": moves, "result": None}


def spoilt(dice: random.Random) -> list[tuple[str, bytes]]:
    """Records that nobody should send."""
    record = some_record(dice)

    def but(**fields: Any) -> bytes:
        return json.dumps({**record, **fields}).encode()

    return [
        ("as it should be", but()), ("seed 2**63", but(seed=2**63)), ("seed -2**63-1", but(seed=-(2**63) - 1)),
        ("seed 2**200", but(seed=2**200)), ("number 2**63", but(number=2**63)), ("number -2**64", but(number=-(2**64))),
        ("players 2**31", but(players=2**31)), ("players -1", but(players=-1)), ("no seats", but(seats=[])),
        ("long names", but(seats=["x" * 400_000, "y" * 400_000])), ("a surrogate", but(seats=["\ud800", "\0"])),
        ("many moves", but(moves=record["moves"] * 30_000)), ("a long move", but(moves=[{"move": "x" * 900_000}])),
        ("a long reason", but(moves=[{**record["moves"][0], "reason": "y" * 900_000}])),
        ("no start", but(start={})), ("a start of lists", but(start={"deck": [[]]})), ("no moves", but(moves=[])),
        ("a false result", but(result={"score": 2**63})), ("rules", but(rules={"x" * 1000: "y"})),
        ("deep", b"[" * 900_000), ("deep objects", b'{"a":' * 180_000), ("deep start", b'{"game":"hanabi","start":' + b"[" * 100_000),
        ("nothing", b""), ("null", b"null"), ("bytes", bytes(range(256)) * 100), ("nan", b'{"seed": NaN}'),
        ("a link", json.dumps("https://hanab.live/replay-json/" + "a" * 50_000).encode()), ("a list", b"[[], {}, 5]"),
        ("theirs", json.dumps({"players": ["a", "b"], "deck": [{"suitIndex": 2**63, "rank": -1}] * 50, "actions": []}).encode()),
        ("too long", b" " * 1_200_000),
    ]  # fmt: skip


@fault
async def imports(serving: Serving, dice: random.Random) -> None:
    """Hostile records: each is answered, the server goes on, and moves are kept as before."""
    records = await asyncio.to_thread(spoilt, dice)
    for what, body in dice.sample(records, 10):
        await imported(serving, what, body)
    await one_table(serving, dice)


@fault
async def big_seed(serving: Serving, dice: random.Random) -> None:
    """A record whose seed does not fit into 64 bits; moves are kept as before."""
    records = dict(await asyncio.to_thread(spoilt, dice))
    for what in ("seed 2**63", "seed -2**63-1", "number 2**63"):
        await imported(serving, what, records[what])
    await one_table(serving, dice)


async def imported(serving: Serving, what: str, body: bytes) -> None:
    status, answer = await serving.http("/api/import", body)
    check(status < 500 or serving.disk_full, "a hostile import is refused", f"{what}: {status} {answer[:300]!r}")
    try:
        said = json.loads(answer)
    except ValueError:
        said = {}
    told = said.get("table" if status == 200 else "error")
    check(told, "an import is answered with a table or an error", f"{what}: {status} {answer[:300]!r}")


# Those who want what is not theirs


@fault
async def intruder(serving: Serving, dice: random.Random) -> None:
    """Moves, sights and seats that belong to others are refused."""
    people = [told for told in serving.tables.running.values() if not told.only_bots and not told.over]
    if not people:
        return
    told = dice.choice(people)
    status, text = await serving.http(f"/api/tables/{told.id}.json")
    check(status == 403 or told.over, "the record of a running game is not told", f"{told.id}: {status} {text[:300]!r}")
    bot = {"kind": "bot", "agent": "simple_distrustful"}
    async with serving.visitor("Eve", dice.random() < 0.5, elsewhere(dice)) as eve:
        for looks in (False, True):
            if looks:
                async with eve.expecting(lambda said: said["type"] in ("view", "error")) as future:
                    await eve.say("look", table=told.id)
                    await eve.within(future, ANSWERED, "anybody may look on", told.id)
            tries: list[tuple[str, Message]] = [
                ("resume", {"token": "x" * 22}), ("resume", {"token": ""}), ("sit", {"invitation": "y" * 22}),
                ("sit", {"invitation": ""}), ("move", {"turn": told.turn, "move": "discard 1"}),
                ("move", {"turn": told.turn, "move": "play 1"}), ("give_up", {}), ("retake", {}),
                ("stand_in", {"seat": 0}), ("pace", {"paused": True}), ("note", {"card": 1, "text": "mine"}),
                ("odds", {"seat": 0}), ("advise", {"agent": "trustful", "seat": 0}), ("delete", {}),
                ("history", {"turn": 0, "as": 0}), ("history", {"turn": 0, "as": "open"}),
                ("what_if", {"turn": 0, "seats": [bot, bot]}),
                *(("sit", {"invitation": used}) for used, owner in told.secrets.items() if owner == -2),
            ]  # fmt: skip
            for word, fields in tries:
                answer = await eve.ask(word, word, "seat", "advice", "left", "deleted", table=told.id, **fields)
                if told.over:
                    return
                check(refused(answer) in CODES, f"{word} at a table of others is refused", f"{fields}: {answer}")
                check(not refused(answer) == "too_fast", "a visitor with a few questions is not too fast", answer)
                await asyncio.sleep(0.05)


# Bots


@fault
async def unruly(serving: Serving, dice: random.Random) -> None:
    """A bot of a user that raises, hangs, exits or moves against the rules is replaced, and the game goes on."""
    name = dice.choice(BAD_BOTS)
    person = Person(serving, "Patient", dice)
    await person.create("hanabi", seats=[{"kind": "me"}, {"kind": "bot", "agent": f"{UNRULY}:{name}"}])
    await person.play()
    await person.judged()
    await person.hang_up()


@fault
async def advise(serving: Serving, dice: random.Random) -> None:
    """Many visitors ask the slowest thinkers for advice, again and again; bots at other tables still move."""
    home = elsewhere(dice)

    async def asks() -> None:
        async with serving.visitor("Curious", home=home) as client:
            views: list[Message] = []
            client.hears = lambda message, _: views.append(message) if message["type"] == "view" else None
            seats = [{"kind": "me"}, *({"kind": "bot", "agent": "random"} for _ in range(3))]
            seat = await client.ask("create", "seat", game="loveletter", seats=seats)
            if refused(seat):
                return
            until = serving.clock.now() + HELD_FOR
            while serving.clock.now() < until:
                if views and "choices" in views[-1]:
                    for _ in range(3):
                        await client.say(
                            "advise", table=seat["table"], agent=dice.choice(("reader", "ismcts", "ismcts_mo"))
                        )
                client.check_alive()
                await asyncio.sleep(0.3)

    async def suppressed() -> None:
        with contextlib.suppress(LostError):
            await asks()

    await asyncio.gather(*(suppressed() for _ in range(ADVISED)))


USUAL = tuple(name for name in FAULTS if name != "big_seed")  # which is one of the imports


async def thrown(serving: Serving, name: str, dice: random.Random) -> None:
    """One fault; a server that is ended meanwhile is no trouble."""
    await serving.up.wait()
    starts = serving.starts
    with serving.fault(name):
        try:
            await FAULTS[name](serving, dice)
        except LostError:
            if starts == serving.starts and not serving.going_down:
                serving.tally.counts["attackers thrown out"] += 1


async def faults(serving: Serving, names: list[str], often: float) -> None:
    """Throw one fault after the other, in an order and with pauses that the seed says; long ones go on beside others."""
    dice = serving.dice("faults")
    async with asyncio.TaskGroup() as group:
        for count in range(1_000_000):
            await asyncio.sleep(dice.uniform(0.2, 2 * often))
            if serving.closing:
                return
            name = dice.choice(names)
            own = serving.dice(f"fault {count} {name}")
            if name in serving.active or (name in ALONE and any(each in serving.active for each in ALONE)):
                continue
            group.create_task(thrown(serving, name, own))
