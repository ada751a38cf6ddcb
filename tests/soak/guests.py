"""Honest programs at `kibitz host`: one speaks in lines, the other in bare objects. Some are late, some get lost."""

import asyncio
import json
import random
import time
from abc import ABC, abstractmethod
from typing import Any, Protocol

from tests.server.host.plain_host import first_object, simple_move
from tests.soak.clients import HOME, LOSSES, Client, LostError, Message, lines
from tests.soak.promises import ANSWERED, CODES, MOVED, Clock, Tally, check
from tests.soak.received import SEATS, ReceivedGame, ReceivedGames

RARELY = 0.05  # of the moves: that is when somebody is late, or gets lost


class Host(Protocol):
    """What a player knows of the host it plays at."""

    port: int
    starts: int
    ended: bool
    going_down: bool
    deadline: float
    game: str
    faults: Any
    clock: Clock
    tally: Tally
    tables: ReceivedGames
    up: asyncio.Event
    objects_seen: list[tuple[float, list[Message]]]

    async def after(self, lost: LostError, starts: int) -> None: ...


class Player(ABC):
    def __init__(self, host: Host, name: str, dice: random.Random) -> None:
        self.host, self.name, self.dice = host, name, dice
        self.starts = 0

    async def plays(self) -> None:
        """Game after game, until all are played; also when the host was ended and started again."""
        while not self.host.ended:
            if not self.host.up.is_set():
                await asyncio.sleep(0.05)
                continue
            self.starts = self.host.starts
            try:
                await self.visits()
            except LostError as error:
                await self.host.after(error, self.starts)

    @abstractmethod
    async def visits(self) -> None:
        """Connect, and play until the connection ends."""

    async def dawdles(self) -> bool:
        """Think for a moment, or be late, if that is to happen."""
        await asyncio.sleep(self.dice.choice((0, 0.01, 0.03)))
        if "host_late" not in self.host.faults or self.dice.random() > RARELY:
            return False
        self.host.tally.faults["host_late"] += 1
        await asyncio.sleep(1.5 * self.host.deadline)
        return True

    def gets_lost(self) -> bool:
        lost = "host_gone" in self.host.faults and self.dice.random() < RARELY
        if lost:
            self.host.tally.faults["host_gone"] += 1
        return lost


class LinePlayer(Player):
    """Speaks the protocol of a table; returns with its token, and takes its seat back from the substitute."""

    def __init__(self, host: Host, name: str, dice: random.Random) -> None:
        super().__init__(host, name, dice)
        self.table = self.token = ""
        self.seat = 0
        self.received: ReceivedGame | None = None
        self.view: Message | None = None
        self.meant: dict[int, str] = {}
        self.known = 0
        self.bye = False

    def hears(self, message: Message, text: str) -> None:
        kind = message["type"]
        if kind == "error":
            check(message.get("code") in CODES and message.get("message"), "an error has a code and a text", message)
        if kind == "bye":
            self.bye = True
        if kind == "seat":
            self.table, self.token, self.seat = message["table"], message["token"], message["seat"]
            self.received = self.host.tables.begun(self.table, self.host.game)
            self.received.secrets[self.token] = self.seat
            return
        if self.received is None or message.get("table") != self.table:
            return
        if kind == "event":
            event = message["event"]
            self.received.happened(event)
            self.known = event["turn"]
            mine = event["seat"] == self.seat and self.holds_seat
            said = self.meant.get(event["turn"])
            check(not mine or said == event["move"], SEATS, f"{event}, but {self.name} said {said!r}")
        if kind == "events":
            self.received.all_so_far(message["events"], self.known)
            self.known = len(message["events"])
        if kind == "view":
            self.known, self.view = message["turn"], message
            if message["state"] == "finished":
                self.received.over_at = self.received.over_at or time.monotonic()
        if kind == "seats" and self.view is not None:
            self.view = {**self.view, "seats": message["seats"], "state": message["state"]}
        self.received.sent(self.seat, message, text, self.known)

    @property
    def holds_seat(self) -> bool:
        return self.view is None or self.view["seats"][self.seat]["kind"] == "person"

    async def visits(self) -> None:
        client = Client(await lines(self.host.port), self.host.clock, self.hears)
        self.bye = False
        try:
            await client.hello(self.name)
            while not self.bye and not self.host.ended:
                await self.one_game(client)
                if client.lost is not None and not self.bye and self.table:
                    client = await self.comes_back()
        except LostError:
            if not self.bye:
                raise
        finally:
            await client.close()
        while self.bye and not self.host.ended and self.starts == self.host.starts:
            await asyncio.sleep(0.05)

    async def one_game(self, client: Client) -> None:
        self.table, self.view, self.known = "", None, 0
        self.meant.clear()
        await client.say("sit")
        while self.view is None and not self.bye:  # there may be none free for long
            await self.changed(client)
        while not self.bye and self.view is not None and self.view["state"] in ("running", "waiting"):
            view = self.view
            if "choices" in view and self.holds_seat:
                if self.gets_lost():
                    await client.close()
                    return
                if not await self.dawdles():
                    if self.view is view:  # a busy machine can make a moment longer than the deadline
                        await self.move(client, view)
                elif self.view is not None and "choices" in self.view:
                    await self.changed(client)  # a moment, until the host has noticed
            elif not self.holds_seat:
                await client.say("reclaim_seat", table=self.table)
                await self.changed(client)
            else:
                await self.changed(client)

    async def comes_back(self) -> Client:
        """To the seat that was left without a word."""
        assert self.received is not None
        self.known, self.view, seat, table = self.received.turn, None, self.seat, self.table
        client = Client(await lines(self.host.port), self.host.clock, self.hears)
        try:
            await self.plays_on(client, seat, table)
        except BaseException:
            await client.close()
            raise
        return client

    async def plays_on(self, client: Client, seat: int, table: str) -> None:
        await client.hello(self.name)
        answer = await client.ask("resume", "seat", table=table, token=self.token)
        if answer["type"] == "error" and answer["code"] == "unknown":
            return  # the game came to its end meanwhile
        check(answer["type"] == "seat" and answer["seat"] == seat, "a token opens its seat again", answer)
        while not self.bye and (self.view is None or self.view["state"] in ("running", "waiting")):
            if self.view is not None and "choices" in self.view and self.holds_seat:
                await self.move(client, self.view)
            elif not self.holds_seat:
                await client.say("reclaim_seat", table=self.table)
                await self.changed(client)
            else:
                await self.changed(client)

    async def changed(self, client: Client) -> None:
        client.check_alive()
        client.changed.clear()
        try:
            async with asyncio.timeout(0.5):
                await client.changed.wait()
        except TimeoutError:
            pass
        if not self.bye:
            client.check_alive()

    async def move(self, client: Client, view: Message) -> None:
        """Answered in time, with the event or with a reason."""
        turn, move = view["turn"], str(self.dice.choice(view["choices"])["move"])
        self.meant[turn + 1] = move
        request, begun = f"{self.table} {turn}", time.monotonic()

        def answers(said: Message) -> bool:
            made = said["type"] == "event" and said["table"] == self.table and said["event"]["turn"] == turn + 1
            return made or said.get("request") == request or said["type"] == "bye"

        async with client.expecting(answers) as future:
            await client.say("move", table=self.table, turn=turn, move=move, request=request)
            answer = await client.within(future, MOVED, f"a move at a host is answered within {MOVED:g} s", move)
        self.host.tally.moved(time.monotonic() - begun, calm=False)
        late = answer["type"] == "error" and answer["code"] in ("stale", "not_yours", "not_your_turn", "over")
        check(answer["type"] != "error" or (late and "host_late" in self.host.faults), "a legal move is made", answer)
        while not self.bye and self.view is not None and self.view["turn"] <= turn and self.view["state"] == "running":
            await self.changed(client)
            if late:
                return


class ObjectPlayer(Player):
    """Speaks in bare objects: one connection is one seat of one game, and there is no way back."""

    async def visits(self) -> None:
        try:
            reader, writer = await asyncio.open_connection(HOME, self.host.port)
        except OSError as error:
            raise LostError(repr(error)) from None
        try:
            writer.write(f"{self.name}\n".encode())
            await self.one_game(reader, writer)
        except LOSSES as error:
            raise LostError(repr(error)) from None
        finally:
            writer.close()

    async def one_game(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said, me, seat, states = b"", "", 0, []
        while piece := await reader.read(65536):
            said += piece
            if said.lstrip().startswith(b'{"error"') and not me:
                return  # all is played, or the host stops
            if not me and b"\n" in said:
                first, _, said = said.partition(b"\n")
                me = first.decode()
                seat = int(me[1 : me.index(" ")]) - 1
            while me and (found := first_object(said)):
                state, said = found
                if "error" in state:
                    return
                self.check_hidden(me, state)
                states.append({**state, "__seat__": seat})
                if over(state):
                    self.host.objects_seen.append((time.monotonic(), states))
                    await asyncio.wait_for(reader.read(), ANSWERED)  # the host closes
                    return
                if state["current"] == me:
                    if self.gets_lost():
                        return
                    await self.dawdles()
                    writer.write(json.dumps(simple_move(me, state)).encode())
                    await writer.drain()
        if not self.host.ended and states:
            raise LostError("the host closed the connection in the middle of a game")

    def check_hidden(self, me: str, state: Message) -> None:
        for card in state[me]:
            shown = len(card["possible_colors"]) == 1 or card["color"] is None
            shown = shown and (len(card["possible_values"]) == 1 or card["value"] == 0)
            check(shown, "nobody is sent what they may not see", f"{me} sees {card}")


def over(state: Message) -> bool:
    piles = sum(state[colour] for colour in ("red", "green", "white", "blue", "yellow"))
    return state["fuse"] == 0 or piles == 25 or 0 < state["final"] < state["round"]
