"""What people do together at `kibitz serve`: games of every kind, those who look on, and what comes after a game."""

import asyncio
import json
import random
from typing import Any

from tests.soak.clients import LostError, Message
from tests.soak.people import Person
from tests.soak.promises import check
from tests.soak.received import NOBODY, ReceivedGame
from tests.soak.serving import Serving, refused

LEVELS = ("beginner", "easy", "medium", "hard", "strong")
QUICK = {
    "hanabi": ("hajdu_v1", "simple_distrustful", "hajdu_v2", "trustful"),
    "loveletter": ("random", "greedy", "counting"),
}
ONE_ROUND = {"hanabi": {}, "loveletter": {"unit": "round"}}
PEOPLE = (2, 3)  # at a table with more than one of them


async def parties(serving: Serving, number: int) -> None:
    """One group after the other, until the run ends."""
    for count in range(1_000_000):
        if serving.closing:
            return
        dice = serving.dice(f"party {number} {count}")
        kind = dice.choice((alone, alone, together, together, only_bots))
        await kind(serving, dice, f"P{number}")


def game_of(dice: random.Random) -> tuple[str, dict[str, str]]:
    """A game, and how it is played; Love Letter mostly one round at a time, to see more ends."""
    game = dice.choice(("hanabi", "hanabi", "loveletter"))
    return game, dict(ONE_ROUND[game]) if dice.random() < 0.7 else {}


async def alone(serving: Serving, dice: random.Random, name: str) -> None:
    """A person with bots of any level."""
    game, rules = game_of(dice)
    person = Person(serving, name, dice)
    await person.create(game, level=dice.choice(LEVELS), rules=rules)
    await played(serving, dice, [person])


async def together(serving: Serving, dice: random.Random, name: str) -> None:
    """Several people, perhaps one of them a program, and perhaps a bot."""
    game, rules = game_of(dice)
    count = dice.choice(PEOPLE)
    bots = [{"kind": "bot", "agent": dice.choice(QUICK[game])} for _ in range(dice.choice((0, 1)) if count == 3 else 1)]
    seats: list[Message] = [{"kind": "me"}, *({"kind": "open"} for _ in range(count - 1)), *bots]
    dice.shuffle(seats)
    host = Person(serving, f"{name}a", dice)
    await host.create(game, seats=seats, rules=rules)
    people = [host]
    for place, invitation in enumerate(host.invitations):
        person = Person(serving, f"{name}{'bcd'[place]}", random.Random(dice.random()), program=dice.random() < 0.4)
        if await person.sit(host.table, game, invitation["invitation"]):
            people.append(person)
            assert person.received is not None
            person.received.secrets[invitation["invitation"]] = NOBODY  # it is used
        else:
            await leave([*people, person])
            return  # the seat is taken by a token that nobody received
    await played(serving, dice, people)


async def only_bots(serving: Serving, dice: random.Random, name: str) -> None:
    """A table of bots, watched by its creator."""
    game, rules = game_of(dice)
    seats = [{"kind": "bot", "agent": dice.choice(QUICK[game])} for _ in range(dice.choice((2, 3)))]
    person = Person(serving, name, dice)
    await person.create(game, seats=seats, rules=rules, bot_delay=dice.choice((0, 20)))
    await played(serving, dice, [person])


async def played(serving: Serving, dice: random.Random, people: list[Person]) -> None:
    """Play to the end with a spectator, then check everything that was received."""
    onlookers = [Person(serving, "Onlooker", dice)] if dice.random() < 0.4 else []
    received = people[0].received
    assert received is not None
    for onlooker in onlookers:
        await onlooker.look_at(received)
    async with asyncio.TaskGroup() as group:
        for person in (*people, *onlookers):
            group.create_task(person.play())
    await people[0].judged()
    await leave([*people[1:], *onlookers])
    if not serving.closing and dice.random() < 0.5:
        await afterwards(serving, dice, people[0], received)
    await leave(people)


async def leave(people: list[Person]) -> None:
    for person in people:
        await person.hang_up()


async def afterwards(serving: Serving, dice: random.Random, person: Person, received: ReceivedGame) -> None:
    """Export, import, look back with open cards, and play on from the middle."""
    status, text = await serving.http(f"/api/tables/{received.id}.json")
    check(status == 200, "the record of a game that is over can be had", f"{status} {text[:300]!r}")
    if received.game == "hanabi":
        status, theirs = await serving.http(f"/api/tables/{received.id}.json?format=hanab.live")
        check(status in (200, 400), "a game is exported, or it is said why not", f"{status} {theirs[:300]!r}")
    await import_again(serving, text)
    other = Person(serving, person.name, dice)
    try:
        client = await person.here()
        turn = dice.randint(0, received.turn - 1)
        history = await client.ask("history", "history", table=received.id, turn=turn, as_="open")
        check(history["type"] == "history", "when a game is over everything may be seen", history)
        seats = [{"kind": "bot", "agent": dice.choice(QUICK[received.game])} for _ in json.loads(text)["seats"]]
        other.game, other.only_bots = received.game, True
        answer = await other.insist(
            lambda client: client.ask("what_if", "seat", table=received.id, turn=turn, seats=seats),
            "play on from the middle",
        )
        check(answer["type"] == "seat", "one may play on from the middle of a game", answer)
        await other.play()
        await other.judged()
    except LostError as error:
        await serving.after(error, person.starts)
    finally:
        await other.hang_up()


async def import_again(serving: Serving, text: bytes) -> None:
    status, answer = await serving.http("/api/import", text)
    excused = status != 200 and ("disk" in serving.active or serving.disk_full)
    if excused:
        return
    check(status == 200, "a record that was exported can be imported", f"{status} {answer[:300]!r}")
    id = json.loads(answer)["table"]
    status, again = await serving.http(f"/api/tables/{id}.json")
    check(status == 200, "an imported game is there", f"{status} {again[:300]!r}")
    ours, theirs = json.loads(text), json.loads(again)
    same = all(ours[key] == theirs[key] for key in ("game", "start", "result", "rules")) and moves(ours) == moves(
        theirs
    )
    check(same, "an imported game is the one that was exported", f"table {id}")


def moves(record: Message) -> list[Any]:
    return [made["move"] for made in record["moves"]]


async def page_loads(serving: Serving) -> None:
    """The page is always there."""
    while True:
        status, body = await serving.http("/")
        check(status == 200 and b"<html" in body.lower(), "the page loads", f"{status} {body[:300]!r}")
        await asyncio.sleep(1.5)


async def lobby(serving: Serving, dice: random.Random) -> None:
    """Somebody who watches the lobby: it is sent, it changes, and tells no keys."""

    def hears(message: Message, text: str) -> None:
        if message["type"] in ("tables", "tables_changed"):
            check('"token"' not in text and '"invitation' not in text, "the lobby tells no keys", text[:500])

    while True:
        person = Person(serving, "Lobby", dice)
        try:
            client = await person.connect()
            client.hears = hears
            answer = await client.ask("lobby", "tables")
            check(not refused(answer), "anybody may see the lobby", answer)
            until = serving.clock.now() + dice.uniform(3, 20)
            while serving.clock.now() < until:
                client.check_alive()
                await asyncio.sleep(0.5)
        except LostError as error:
            await serving.after(error, person.starts)
        await person.hang_up()
