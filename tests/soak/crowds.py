"""Faults by many: connections that are held and not used, visitors who do not read, floods, tables without end."""

import asyncio
import contextlib
import json
import random
import socket
import time

from tests.soak.clients import HOME, LOSSES, LostError, Message, bound_socket, page
from tests.soak.faults import HELD_FOR, elsewhere, fault, one_table
from tests.soak.promises import ANSWERED, IDLE_CLOSED, check
from tests.soak.serving import Serving, refused

SLOW_READERS, LONG_LOBBY, SILENT, FLOOD, CREATORS, ADVISED = 40, 900, 200, 2000, 70, 50
CHATTERERS, LINES, EXPORTED, RUNS = 5, 60, 5, 12
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a2liaXR6LXNvYWstdGVzdA==\r\n"
    "Sec-WebSocket-Version: 13\r\n"
)


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
    here = f"Host: {HOME}:{serving.port}\r\n"
    begins = (
        f"GET / HTTP/1.1\r\n{here}X-Slow: ",
        f"POST /api/import HTTP/1.1\r\n{here}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{{",
        "GET",
        f"GET /socket HTTP/1.1\r\n{here}{UPGRADE}\r\n",
    )
    for count in range(SILENT // 4):
        connection = await bound_socket(serving.port, home)
        held.append(connection)
        await asyncio.get_running_loop().sock_sendall(connection, begins[count % len(begins)].encode())
    await closed_in_time(serving, held, "half a request")


async def closed_in_time(serving: Serving, held: list[socket.socket], what: str) -> None:
    """The server gives up on connections that lead nowhere."""
    begun, opened = serving.clock.now(), len(held)
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
    finally:
        for connection in held:
            connection.close()


@fault
async def slow(serving: Serving, dice: random.Random) -> None:
    """Visitors who listen to a long lobby and to tables, ask for it now and then, and never read what they are sent."""
    await lobby_visitors(serving, dice, every=0.75, seconds=50)


@fault
async def lobby_flood(serving: Serving, dice: random.Random) -> None:
    """The same, as often as they may."""
    await lobby_visitors(serving, dice, every=0.035, seconds=15)


async def lobby_visitors(serving: Serving, dice: random.Random, every: float, seconds: float) -> None:
    """All of them ask for the lobby again and again."""
    home, links = elsewhere(dice), []
    await fill_lobby(serving, home)
    looks = [{"type": "spectate", "table": table} for table in sorted(serving.tables.running)[:5]]
    words = [{"type": "hello", "version": 2, "name": "Slow"}, {"type": "lobby"}, {"type": "catalogue"}, *looks]
    try:
        for _ in range(SLOW_READERS):
            connection = await bound_socket(serving.port, home, small=True)
            links.append(await page(serving.port, sock=connection, max_queue=1))
            for word in words:
                with contextlib.suppress(*LOSSES):  # its place may be needed for somebody else
                    await links[-1].send(json.dumps(word))
        until = time.monotonic() + seconds
        while time.monotonic() < until and not serving.closing:
            for link in links:
                with contextlib.suppress(TimeoutError, *LOSSES):
                    async with asyncio.timeout(0.05):
                        await link.send('{"type": "lobby"}')
            await asyncio.sleep(every)
    finally:
        for link in links:
            link.socket.transport.abort()


async def fill_lobby(serving: Serving, home: str) -> None:
    """Once in a run: tables that wait for somebody, so that the lobby is long."""
    if serving.lobby_filled:
        return
    serving.lobby_filled = True
    for _ in range(LONG_LOBBY // 30):
        async with serving.visitor("Filler", home=home) as client:
            for _ in range(30):
                await client.ask("create", "seat", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}])


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
    b'{"type": "hello", "version": 2}\n{"type": "lobby"}\n{"type": "catalogue"}\n',
    f"GET /socket HTTP/1.1\r\nHost: localhost\r\n{UPGRADE}\r\n".encode(),
)  # fmt: skip


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
                begun = serving.clock.now()
                while client.lost is None:
                    late = serving.clock.now() - begun > ANSWERED
                    check(not late, "who sends hundreds of messages too fast is ended", f"{FLOOD} messages")
                    await asyncio.sleep(0.2)


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


@fault
async def chatter(serving: Serving, dice: random.Random) -> None:
    """Tables where somebody says as much as they may, and more."""
    home = elsewhere(dice)
    for _ in range(CHATTERERS):
        with contextlib.suppress(LostError):
            async with serving.visitor("Chatter", home=home) as client:
                seat = await client.ask("create", "seat", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}])
                for count in range(0 if refused(seat) else LINES):
                    await client.say("chat", table=seat["table"], word=count % 5)
                    await asyncio.sleep(0.02)


@fault
async def exports(serving: Serving, dice: random.Random) -> None:
    """Records of finished games, again and again, and the same imported."""
    known = sorted(serving.tables.finished)
    for id in dice.sample(known, min(EXPORTED, len(known))):
        for _ in range(10):
            status, text = await serving.http(f"/api/tables/{id}.json")
            if status == 200:
                await serving.http("/api/import", text)


@fault
async def lab_flood(serving: Serving, dice: random.Random) -> None:
    """As many runs of the laboratory as it takes, watched and stopped."""
    async with serving.visitor("Researcher", home=elsewhere(dice)) as client:
        await client.say("lab")
        for _ in range(RUNS):
            started = await client.ask(
                "lab_start", "lab_started", what="match", game="loveletter", agents=["random"], players=2, games=1000,
                seed=dice.randrange(1000),
            )  # fmt: skip
            if refused(started):
                break
            if dice.random() < 0.5:
                await client.say("lab_cancel", run=started["run"], token=started["token"])
        await asyncio.sleep(HELD_FOR)
