"""Honest players at `kibitz serve`: they play, ask, leave and come back, and hold the server to its word."""

import asyncio
import contextlib
import random
import time
from collections.abc import Callable
from typing import Any

from tests.soak.clients import Client, LostError, Message, lines, page
from tests.soak.promises import ANSWERED, BOT_MOVES, CODES, MOVED, QUICK_BOT_MOVES, BrokenPromiseError, check
from tests.soak.received import ANYBODY_SEATED, NOT_LOST, SEATS, ReceivedGame
from tests.soak.serving import Serving, refused

ADVISERS = {"hanabi": ("simple_distrustful", "trustful"), "loveletter": ("greedy", "counting")}
SIMPLEST = {"hanabi": "simple_distrustful", "loveletter": "greedy"}
# Bots that decide at once; the others look ahead, or are made to fail.
QUICK = ("hajdu_v1", "hajdu_v2", "simple_distrustful", "distrustful", "trustful", "random", "greedy", "counting")
OUT_OF_TURN = 0.05  # how often somebody moves while others are to move
ACTIVE = ("running", "waiting")


class Person:
    """Somebody at one table: in a seat, or looking on. A program comes over TCP, everybody else over a WebSocket."""

    def __init__(self, serving: Serving, name: str, dice: random.Random, program: bool = False) -> None:
        self.serving, self.name, self.dice, self.program = serving, name, dice, program
        self.client: Client | None = None
        self.starts = 0  # of the server, when the connection was made
        self.table = self.token = ""
        self.seat: int | None = None
        self.received: ReceivedGame | None = None
        self.view: Message | None = None
        self.known = 0  # moves that this connection received
        self.notes: dict[str, str] = {}
        self.invitations: list[Message] = []
        self.given_up = False  # a bot plays in the seat
        self.meant: dict[int, str] = {}  # by turn: the move that was sent
        self.game, self.only_bots = "", False  # of the table it requests

    # Messages

    def hears(self, message: Message, text: str) -> None:
        kind = message["type"]
        if kind == "error":
            check(message.get("code") in CODES and message.get("message"), "an error has a code and a text", message)
        if kind == "seat":
            self.sits(message)  # at once: what follows is about this table
        received = self.received
        if received is None or message.get("table") != self.table:
            return
        if kind == "event":
            self.happened(received, message["event"])
        if kind == "events":
            received.all_so_far(message["events"], self.known)
            self.known = len(message["events"])
        if kind == "view":
            self.known = message["turn"]
            self.view = message
        if kind == "seats" and self.view is not None:
            self.view = {
                **self.view,
                "seats": message["seats"],
                "state": message["state"],
                "options": message["options"],
            }
        if kind != "seat":
            received.sent("spectator" if self.seat is None else self.seat, message, text, self.known)

    def happened(self, received: ReceivedGame, event: Message) -> None:
        """A move that this connection received; in its own seat it is its own."""
        received.happened(event)
        self.known = event["turn"]
        if event["seat"] == self.seat and not self.given_up:
            said = self.meant.get(event["turn"])
            check(said == event["move"], SEATS, f"table {self.table}: {event}, but the player said {said!r}")

    def sits(self, seat: Message) -> None:
        self.table, self.token, self.seat = seat["table"], seat["token"], seat.get("seat")
        self.received = self.serving.tables.begun(self.table, self.game, self.only_bots)
        self.received.secrets[self.token] = -1 if self.seat is None else self.seat

    async def connect(self) -> Client:
        """Come in, and say hello; a server that is up lets an honest visitor in."""
        serving, begun = self.serving, self.serving.clock.now()
        while True:
            await serving.up.wait()
            self.starts = serving.starts
            try:
                link = await (lines(serving.programs) if self.program else page(serving.port))
                client = Client(link, serving.clock, self.hears)
                try:
                    await client.hello(self.name)
                except BaseException:
                    await client.close()
                    raise
                self.client = client
                return client
            except LostError as error:
                late = serving.clock.now() - begun > ANSWERED
                if late and self.starts == serving.starts and not serving.going_down:
                    raise BrokenPromiseError(f"an honest visitor is let in within {ANSWERED:g} s", str(error)) from None
            await asyncio.sleep(0.2)

    async def hang_up(self) -> None:
        if self.client is not None:
            await self.client.close()
        self.client = None

    async def here(self) -> Client:
        """The connection, with the table in sight; made again if it was lost."""
        if self.client is None or self.client.lost:
            if self.client is not None:
                if self.client.failure:
                    raise self.client.failure
                await self.serving.after(LostError(self.client.lost), self.starts)
                await self.hang_up()
            client = await self.connect()
            if self.table:
                await self.come_back(client)
        assert self.client is not None
        return self.client

    async def come_back(self, client: Client) -> None:
        """To the same seat, by its token; everything that was sent is there."""
        assert self.received is not None
        self.known, self.view, seat = self.received.turn, None, self.seat  # what was sent once must be sent again
        if self.token:
            answer = await client.ask("resume", "seat", table=self.table, token=self.token)
            check(answer["type"] == "seat" and answer.get("seat") == seat, "a token opens its seat again", answer)
            await self.until(client, lambda: self.view is not None, "a table is shown to a client that opens it")
        else:
            await self.look(client)
        for card, text in self.notes.items():
            assert self.view is not None
            seen = self.view.get("notes") or {}
            check(seen.get(card) == text, "a note that was kept is there again", f"{card}: {text!r} in {seen}")

    async def changed(self, client: Client, seconds: float) -> None:
        """Wait until something was heard, for so long."""
        client.check_alive()
        client.changed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await client.changed.wait()
        client.check_alive()

    # Coming to a table

    async def create(self, game: str, **fields: Any) -> None:
        """A new table; there is room for it, as this visitor makes few of them."""
        chairs = fields.get("seats", [])
        self.game, self.only_bots = game, bool(chairs) and all(chair["kind"] == "bot" for chair in chairs)
        answer = await self.insist(lambda client: client.ask("create", "seat", game=game, **fields), "open a table")
        assert self.received is not None
        self.invitations = answer.get("invitations") or []
        for invitation in self.invitations:
            self.received.secrets[invitation["invitation"]] = ANYBODY_SEATED

    async def insist(self, ask: Callable[[Client], Any], what: str) -> Message:
        """Ask until it is done; only a full disk or the end of the server is an excuse."""
        while True:
            try:
                answer: Message = await ask(await self.here())
            except LostError as error:
                await self.serving.after(error, self.starts)
                continue
            if refused(answer) == "failed" and self.disk_trouble():
                self.serving.tally.counts["refused by the disk"] += 1
                await asyncio.sleep(0.5)
                continue
            check(not refused(answer), f"an honest visitor may {what}", answer)
            return answer

    def disk_trouble(self) -> bool:
        return self.serving.disk_full or "disk" in self.serving.active

    async def sit(self, table: str, game: str, invitation: str) -> bool:
        """Take an open seat by invitation. Whether it was this visitor's in the end: an answer can get lost."""
        self.game, first = game, True
        while True:
            try:
                client = await self.here()
                answer = await client.ask("sit", "seat", table=table, invitation=invitation)
            except LostError as error:
                first = False
                await self.serving.after(error, self.starts)
                continue
            if refused(answer) == "not_yours" and not first:
                return False  # it was taken before the server ended, and the token was lost on the way
            if refused(answer) == "failed" and self.disk_trouble():
                self.serving.tally.counts["refused by the disk"] += 1
                await asyncio.sleep(0.5)
                continue
            check(not refused(answer), "an invitation is good for a seat", answer)
            return True

    async def look(self, client: Client) -> None:
        self.view = None
        async with client.expecting(lambda said: said["type"] in ("view", "error")) as future:
            await client.say("spectate", table=self.table)
            answer = await client.within(
                future, ANSWERED, f"every request is answered within {ANSWERED:g} s", "spectate"
            )
        check(not refused(answer), "anybody may look on", answer)

    async def look_at(self, received: ReceivedGame) -> None:
        """Look on at somebody's table."""
        self.table, self.received, self.game, self.only_bots = received.id, received, received.game, received.only_bots
        await self.insist_on_coming()

    async def insist_on_coming(self) -> None:
        while True:
            try:
                await self.here()
                return
            except LostError as error:
                await self.serving.after(error, self.starts)

    # Playing

    @property
    def over(self) -> bool:
        return self.view is not None and self.view["state"] not in ACTIVE

    async def play(self) -> None:
        """To the end of the game, whatever happens."""
        while not self.over:
            try:
                client = await self.here()
                if self.view is None:
                    await self.until(
                        client, lambda: self.view is not None, "a table is shown to a client that opens it"
                    )
                elif self.given_up:
                    await self.back_in_the_seat(client)
                elif "choices" in self.view:
                    await self.turn(client, self.view)
                else:
                    await self.wait(client, self.view["turn"])
            except LostError as error:
                if self.client is not None and self.client.failure:
                    raise self.client.failure from None
                await self.serving.after(error, self.starts)

    async def turn(self, client: Client, view: Message) -> None:
        """Think, perhaps do something else first, then move."""
        if not self.serving.closing:
            await asyncio.sleep(self.dice.choice((0, 0, 0.02, 0.1, 0.3)))
            if self.dice.random() < 0.25:
                await self.something_else(client, view)
        if self.view is not view or self.given_up:
            return
        choice = self.choose(view)
        await self.move(client, view["turn"], choice)

    def choose(self, view: Message) -> str:
        choices = view["choices"]
        if view["game"] == "hanabi":  # few plays, so that games are not lost at once
            calm = [choice for choice in choices if choice["action"] != "play"]
            choices = calm if calm and self.dice.random() < 0.8 else choices
        return str(self.dice.choice(choices)["move"])

    async def move(self, client: Client, turn: int, move: str) -> None:
        """A move is answered in time: everybody hears of it, or there is an error."""
        assert self.received is not None
        assert self.seat is not None
        self.meant[turn + 1] = move
        calm, begun, excused = self.serving.calm, time.monotonic(), self.serving.clock.excused

        def made(message: Message) -> bool:
            return (
                message["type"] == "event" and message["table"] == self.table and message["event"]["turn"] == turn + 1
            )

        request = f"{self.table} {turn}"
        async with client.expecting(lambda said: made(said) or said.get("request") == request) as future:
            await client.say("move", table=self.table, turn=turn, move=move, request=request)
            answer = await client.within(
                future, MOVED, f"a move of an honest player is answered within {MOVED:g} s", f"{move!r} at {self.table}"
            )
        self.serving.tally.moved(time.monotonic() - begun, calm and self.serving.clock.excused == excused)
        code = refused(answer)
        if code == "failed" and self.disk_trouble():
            self.serving.tally.counts["refused by the disk"] += 1
            await asyncio.sleep(0.3)
        elif code == "stale" and self.received.turn > turn:
            await self.changed(client, 1)  # it was made before a connection broke, and the news is on its way
        else:
            check(not code, "a legal move of an honest player is made", answer)
            await self.until(
                client, lambda: self.view is not None and self.view["turn"] > turn, "a view follows an event"
            )

    async def until(self, client: Client, happened: Callable[[], bool], promise: str) -> None:
        begun = self.serving.clock.now()
        while not happened():
            await self.changed(client, 0.5)
            check(self.serving.clock.now() - begun < ANSWERED, promise, f"not within {ANSWERED:g} s at {self.table}")

    async def wait(self, client: Client, turn: int) -> None:
        """For others to move: a bot does before long."""
        begun, clock, before = self.serving.clock.now(), self.serving.clock, None
        while self.view is not None and self.view["turn"] == turn and "choices" not in self.view and not self.over:
            mover = self.view.get("to_move")
            bot = (
                self.view["seats"][mover] if mover is not None and self.view["seats"][mover]["kind"] == "bot" else None
            )
            if bot is None or bot != before or self.view["options"].get("paused"):
                begun, before = clock.now(), bot  # a bot that replaces another has its own time
            waited = clock.now() - begun
            quick = bot is not None and bot.get("agent") in QUICK
            if quick:
                self.serving.tally.slowest_bot = max(self.serving.tally.slowest_bot, waited)
            most = QUICK_BOT_MOVES if quick else BOT_MOVES
            check(waited < most, f"a bot moves within {most:g} s", f"{bot} at {self.table}, turn {turn}")
            if self.seat is not None and mover not in (None, self.seat) and self.dice.random() < OUT_OF_TURN:
                await self.move_out_of_turn(client, turn)
            await self.changed(client, 0.5)

    async def move_out_of_turn(self, client: Client, turn: int) -> None:
        """No other player can move in place of the player to move."""
        move = "discard 1" if self.game == "hanabi" else "play Guard"
        answer = await client.ask("move", also=self.is_over, table=self.table, turn=turn, move=move)
        codes = {"not_your_turn", "stale", "over"}
        check(self.over or refused(answer) in codes, f"a move out of turn is refused with {codes}", answer)

    def is_over(self, said: Message) -> bool:
        return said["type"] == "view" and said["state"] not in ACTIVE

    # What else one can do

    async def something_else(self, client: Client, view: Message) -> None:
        act = self.dice.choice((self.ask_back, self.advice, self.write_note, self.go_away, self.rest, self.overreach))
        await act(client, view)

    async def ask_back(self, client: Client, view: Message) -> None:
        turn = self.dice.randint(0, view["turn"])
        history = await client.ask("history", "history", table=self.table, turn=turn, as_=self.seat)
        check(history["type"] == "history", "one may look back at what one saw", history)
        odds = await client.ask("odds", "odds", table=self.table)
        check(odds["type"] == "odds", "one may ask for one's odds", odds)

    async def advice(self, client: Client, view: Message) -> None:
        agent = self.dice.choice(ADVISERS[view["game"]])
        answer = await client.ask("advise", "advice", table=self.table, agent=agent)
        if (refused(answer) == "failed" and self.serving.active) or refused(answer) in ("busy", "too_fast"):
            return  # the thinkers are busy, and it was said so
        check(answer["type"] == "advice", "one may ask for advice", answer)
        moves = [choice["move"] for choice in view["choices"]]
        check(answer["move"] in moves, "advice is a legal move", f"{answer} in {moves}")

    async def write_note(self, client: Client, view: Message) -> None:
        if view["game"] != "hanabi":
            return  # other games have nothing to write notes about
        card, text = self.dice.randint(0, 20), f"note {self.dice.randint(0, 999)}"
        request = f"note {card} {text}"
        answers: list[Message] = []
        async with client.expecting(lambda said: said.get("request") == request) as future:
            self.notes.pop(str(card), None)
            await client.say("note", table=self.table, mark=card, text=text, request=request)
            # A note has no answer of its own; who is answered about the next question has it behind them.
            await client.ask("history", "history", table=self.table, turn=0, as_=self.seat)
            if future.done():
                answers.append(future.result())
        if not any(refused(answer) for answer in answers):
            self.notes[str(card)] = text
        else:
            check(self.disk_trouble(), "one may write notes", answers)

    async def go_away(self, client: Client, view: Message) -> None:
        """And come back by the token: after a goodbye, or without a word."""
        if self.dice.random() < 0.5:
            left = await client.ask("leave", "ok", table=self.table)
            check(left["type"] == "ok", "one may leave a table", left)
        await self.hang_up()
        await asyncio.sleep(self.dice.choice((0, 0.2)))
        await self.here()

    async def rest(self, client: Client, view: Message) -> None:
        """Let a bot play for a while."""
        self.given_up = True
        answer = await client.ask(
            "hand_to_bot", also=lambda said: said["type"] == "seats" and self.bot_sits_in(said), table=self.table
        )
        code = refused(answer)
        check(code in ("", "over") or (code == "failed" and self.disk_trouble()), "one may let a bot play", answer)
        await asyncio.sleep(self.dice.choice((0, 0.3)))
        await self.back_in_the_seat(client)

    def bot_sits_in(self, said: Message) -> bool:
        return self.seat is not None and said.get("table") == self.table and said["seats"][self.seat]["kind"] == "bot"

    async def back_in_the_seat(self, client: Client) -> None:
        """Take it back from the bot, if one plays there; else the game may be over."""
        begun = self.serving.clock.now()
        while not self.over:
            assert self.view is not None
            if not self.bot_sits_in(self.view):
                self.given_up = False
                return
            check(self.serving.clock.now() - begun < ANSWERED, "one may take one's seat back", self.table)
            answer = await client.ask(
                "reclaim_seat",
                also=lambda said: said["type"] == "seats" and not self.bot_sits_in(said),
                table=self.table,
            )
            code = refused(answer)
            check(
                code in ("", "over") or (code == "failed" and self.disk_trouble()),
                "one may take one's seat back",
                answer,
            )
            await asyncio.sleep(0.3 if code else 0)

    async def overreach(self, client: Client, view: Message) -> None:
        """What one may not do is refused, and changes nothing."""
        others = [seat for seat in range(len(view["seats"])) if seat != self.seat]
        other = self.dice.choice(others)
        tries: list[tuple[str, Message, set[str]]] = [
            ("history", {"turn": view["turn"], "as_": other}, {"hidden"}),
            ("history", {"turn": view["turn"], "as_": "open"}, {"hidden"}),
            ("odds", {"seat": other}, {"hidden"}),
            ("advise", {"seat": other, "agent": SIMPLEST[view["game"]]}, {"hidden"}),
            ("move", {"turn": view["turn"] + 1, "move": view["choices"][0]["move"]}, {"stale"}),
            ("move", {"turn": view["turn"], "move": "eat the deck"}, {"illegal"}),
            ("what_if", {"turn": 0, "seats": [{"kind": "me"}] * len(view["seats"])}, {"hidden"}),
        ]
        word, fields, codes = self.dice.choice(tries)
        answer = await client.ask(word, word, "advice", "seat", table=self.table, **fields)
        check(refused(answer) in codes, f"{word} {fields} is refused with {codes}", answer)

    # When it is over

    async def judged(self) -> None:
        """The record of a finished game, compared with everything that was received about it."""
        assert self.received is not None
        received, serving = self.received, self.serving
        if received.id not in serving.tables.running:
            return
        status, text = await serving.http(f"/api/tables/{received.id}.json")
        check(
            status == 200,
            "the record of a game that is over can be had",
            f"table {received.id}: {status} {text[:300]!r}",
        )
        if received.id not in serving.tables.running:
            return
        count = await asyncio.to_thread(serving.tables.ended, received, text)
        serving.tally.counts["games"] += 1
        serving.tally.counts["messages"] += count
        check(received.turn > 0, NOT_LOST, f"table {received.id} is over without a move")
