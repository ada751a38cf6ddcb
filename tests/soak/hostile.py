"""Faults in messages: nonsense, bad records, requests for other players' things, and bots that fail."""

import asyncio
import contextlib
import json
import random
from typing import Any

from kibitz.core import registry
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from tests.soak.clients import LOSSES, LostError, Message, PageLink
from tests.soak.faults import elsewhere, fault, one_table
from tests.soak.people import Person
from tests.soak.promises import ANSWERED, CODES, check
from tests.soak.serving import BAD_BOTS, UNRULY, Serving, refused

GARBAGE: tuple[str, ...] = (
    "", "{", "null", "[]", "17", '"hello"', "{}", '{"type": null}', '{"type": "nothing"}', '{"type": "move"}',
    '{"type": "move", "table": 5, "turn": "x", "move": []}', '{"type": "hello", "version": 99}', "\x00\x01\x02",
    '{"type": "create", "game": "hanabi", "seats": [{"kind": "king"}]}', '{"type": "create", "game": "chess"}',
    '{"type": "create", "game": "hanabi", "seed": 9223372036854775808}',
    '{"type": "create", "game": "hanabi", "seed": 1e999}',
    '{"type": "create", "game": "hanabi", "players": -1}', '{"type": "create", "game": "hanabi", "rules": {"x": "y"}}',
    '{"type": "spectate", "table": "../../etc/passwd"}', '{"type": "lab_start", "what": "match"}', "[" * 3000,
    '{"type": "history", "table": "x", "turn": 1e5, "as": "open"}',
    '{"type": "resume", "table": "x", "token": "\\ud800"}',
    '{"type": "create", "game": "hanabi", "seats": [{"kind": "bot", "agent": "tests/server/web/unruly.py:Slow"}]}',
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
                await client.say("hello", version=2, name="x" * 300_000)
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


NO_CARD = {"suitIndex": 2**63, "rank": -1}


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
        ("deep", b"[" * 900_000), ("deep objects", b'{"a":' * 180_000),
        ("deep start", b'{"game":"hanabi","start":' + b"[" * 100_000),
        ("nothing", b""), ("null", b"null"), ("bytes", bytes(range(256)) * 100), ("nan", b'{"seed": NaN}'),
        ("a link", json.dumps("https://hanab.live/replay-json/" + "a" * 50_000).encode()), ("a list", b"[[], {}, 5]"),
        ("theirs", json.dumps({"players": ["a", "b"], "deck": 50 * [NO_CARD], "actions": []}).encode()),
        ("too long", b" " * 1_200_000),
    ]  # fmt: skip


TOO_BIG = ("seed 2**63", "seed -2**63-1", "seed 2**200", "number 2**63", "number -2**64")


@fault
async def imports(serving: Serving, dice: random.Random) -> None:
    """Hostile records: each is answered, the server goes on, and moves are kept as before."""
    records = [each for each in await asyncio.to_thread(spoilt, dice) if each[0] not in TOO_BIG]
    for what, body in dice.sample(records, 10):
        await imported(serving, what, body)
    await one_table(serving, dice)


@fault
async def big_seed(serving: Serving, dice: random.Random) -> None:
    """A record whose seed does not fit into 64 bits; moves are kept as before."""
    records = dict(await asyncio.to_thread(spoilt, dice))
    for what in TOO_BIG:
        await imported(serving, what, records[what])
    await one_table(serving, dice)


@fault
async def kill_writing(serving: Serving, dice: random.Random) -> None:
    """SIGKILL while somebody writes notes and imports records: what was answered is there afterwards."""
    notes: dict[int, int] = {}  # the newest answered note about each card
    tables: list[str] = []
    record = json.dumps(some_record(dice)).encode()
    async with serving.visitor("Keeper", home=elsewhere(dice)) as client:
        seat = await client.ask("create", "seat", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}])
        if refused(seat):
            return

        async def writes() -> None:
            for count in range(10_000):
                await client.say("note", table=seat["table"], mark=count % 5, text=f"{count}")
                await client.ask("chat", "ok", table=seat["table"], word=0)  # answered when the note is kept
                notes[count % 5] = count
                await asyncio.sleep(0.05)

        async def brings_in() -> None:
            while True:
                status, answer = await serving.http("/api/import", record)
                if status == 200:
                    tables.append(json.loads(answer)["table"])

        tasks = [asyncio.create_task(writes()), asyncio.create_task(brings_in())]
        await asyncio.sleep(dice.uniform(0.5, 2.0))
        tasks[1].cancel()
        await serving.restart(kill=True)
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    async with serving.visitor("Keeper") as client, client.expecting(is_view_or_error) as future:
        await client.say("resume", table=seat["table"], token=seat["token"])
        view = await client.within(future, ANSWERED, "a seat is there after a kill", seat["table"])
    kept = {int(mark): int(text) for mark, text in view.get("notes", {}).items()}
    lost = {mark: count for mark, count in notes.items() if kept.get(mark, -1) < count}
    check(not lost, "a note that was kept is there after a kill", f"{notes} were kept, {kept} are there")
    for table in tables:
        status, text = await serving.http(f"/api/tables/{table}.json")
        check(status == 200, "an imported game is there after a kill", f"{table}: {status} {text[:300]!r}")


def is_view_or_error(said: Message) -> bool:
    return said["type"] in ("view", "error")


async def imported(serving: Serving, what: str, body: bytes) -> None:
    status, answer = await serving.http("/api/import", body)
    check(status < 500 or "disk" in serving.active, "a hostile import is refused", f"{what}: {status} {answer[:300]!r}")
    try:
        said = json.loads(answer)
    except ValueError:
        said = {}
    answered = said.get("table" if status == 200 else "error")
    check(answered, "an import is answered with a table or an error", f"{what}: {status} {answer[:300]!r}")


@fault
async def intruder(serving: Serving, dice: random.Random) -> None:
    """Moves, sights and seats that belong to others are refused."""
    people = [received for received in serving.tables.running.values() if not received.only_bots and not received.over]
    if not people:
        return
    received = dice.choice(people)
    status, text = await serving.http(f"/api/tables/{received.id}.json")
    check(
        status == 403 or received.over,
        "the record of a running game is not sent",
        f"{received.id}: {status} {text[:300]!r}",
    )
    bot = {"kind": "bot", "agent": "simple_distrustful"}
    async with serving.visitor("Eve", dice.random() < 0.5, elsewhere(dice)) as eve:
        for looks in (False, True):
            if looks:
                async with eve.expecting(lambda said: said["type"] in ("view", "error")) as future:
                    await eve.say("spectate", table=received.id)
                    await eve.within(future, ANSWERED, "anybody may look on", received.id)
            tries: list[tuple[str, Message]] = [
                ("resume", {"token": "x" * 22}), ("resume", {"token": ""}), ("sit", {"invitation": "y" * 22}),
                ("sit", {"invitation": ""}), ("move", {"turn": received.turn, "move": "discard 1"}),
                ("move", {"turn": received.turn, "move": "play 1"}), ("hand_to_bot", {}), ("reclaim_seat", {}),
                ("stand_in", {"seat": 0}), ("bot_delay", {"paused": True}), ("note", {"mark": 1, "text": "mine"}),
                ("odds", {"seat": 0}), ("advise", {"agent": "trustful", "seat": 0}), ("delete", {}),
                ("history", {"turn": 0, "as_": 0}), ("history", {"turn": 0, "as_": "open"}),
                ("what_if", {"turn": 0, "seats": [bot, bot]}),
                *(("sit", {"invitation": used}) for used, owner in received.secrets.items() if owner == -2),
            ]  # fmt: skip
            for word, fields in tries:
                answer = await eve.ask(word, word, "seat", "advice", "ok", "deleted", table=received.id, **fields)
                if received.over:
                    return
                check(refused(answer) in CODES, f"{word} at a table of others is refused", f"{fields}: {answer}")
                check(refused(answer) != "too_fast", "a visitor with a few questions is not too fast", answer)
                await asyncio.sleep(0.05)


@fault
async def unruly(serving: Serving, dice: random.Random) -> None:
    """A bot of a user that raises, hangs, exits or moves against the rules is replaced, and the game goes on."""
    name = dice.choice(BAD_BOTS)
    person = Person(serving, "Patient", dice)
    await person.create("hanabi", seats=[{"kind": "me"}, {"kind": "bot", "agent": f"{UNRULY}:{name}"}])
    await person.play()
    await person.judged()
    await person.hang_up()
