"""Clients without a network: they speak with a site through connections made of lists, and every byte can be read."""

import asyncio
import atexit
import contextlib
import inspect
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.bots.pool import Processes
from kibitz.core import registry
from kibitz.server.live import bot_threads
from kibitz.server.live.connection_limit import Slot
from kibitz.server.live.connections import ClosedError
from kibitz.server.live.limits import Limits
from kibitz.server.live.session import Session
from kibitz.server.web.site import Site

bot_threads.NICENESS = 0  # other tests keep the cores busy, so a nice thread would hardly run
PATIENCE = 60.0  # seconds, for a machine that is busy: a test that waits so long has failed
QUICK = Limits(
    lobby=0.0, messages_per_second=1e6, messages_at_once=1_000_000, tables_per_minute=1_000_000,
    tables_per_minute_by_address=1_000_000, advice_per_minute=1_000_000, costly_per_second_by_address=1e6,
    costly_at_once_by_address=1_000_000, chat_per_minute=1_000_000, chat_at_once=1_000_000,
    searches_per_minute_by_address=1_000_000, bot_grid=0.001,
)  # fmt: skip

PROCESSES = Processes(8, memory=2048, captured=True)  # of all sites: to start one takes a second
atexit.register(PROCESSES.close)

Message = dict[str, Any]

# Many tests begin with a discard, which the usual rules forbid.
ANY_DISCARD = {"lost_game": "piles", "full_discard": "allowed"}

THREE_BOTS = [{"kind": "me"}, *({"kind": "bot", "agent": "simple_distrustful"} for _ in range(3))]
TWO_PEOPLE = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "agent": "hajdu_v2"}]
ONLY_BOTS = [{"kind": "bot", "agent": "trustful"} for _ in range(3)]


class FakeConnection:
    """What a client speaks through, without a network."""

    program = False
    address = "192.0.2.7"

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[str | bytes | None] = asyncio.Queue()  # None: nobody is there any more
        self.sent: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.news = asyncio.Event()
        self.free = asyncio.Event()  # to be cleared by a test: nothing gets through then
        self.free.set()

    def write(self, messages: Sequence[bytes]) -> None:
        """Nothing goes out at once."""

    async def receive(self) -> str | None:
        text = await self.incoming.get()
        if text is None:
            raise ClosedError
        return text if isinstance(text, str) else None

    async def send(self, message: bytes) -> None:
        await self.free.wait()
        self.sent.append(message.decode())
        self.news.set()

    async def close(self, code: int, reason: str) -> None:
        self.closed = code, reason


class Guest:
    """Somebody who says things and waits for answers."""

    def __init__(self, site: Site) -> None:
        self.socket = FakeConnection()
        self.session = Session(site.sessions, self.socket, Slot(self.socket.address))
        self.task = asyncio.create_task(self.session.run())
        self.read = 0  # how many messages were looked at
        self.tokens: dict[str, str] = {}

    @property
    def heard(self) -> list[Message]:
        return [msgspec.json.decode(text) for text in self.socket.sent]

    def every(self, type: str) -> list[Message]:
        return [message for message in self.heard if message["type"] == type]

    def send(self, text: str) -> None:
        self.socket.incoming.put_nowait(text)

    def say(self, type: str, **fields: Any) -> None:
        if type == "create" and fields.get("game") == "hanabi":
            fields = {"rules": ANY_DISCARD, **fields}
        fields = {name.rstrip("_"): value for name, value in fields.items()}
        self.send(msgspec.json.encode({"type": type, **fields}).decode())

    async def hear(self, type: str, where: Callable[[Message], bool] = lambda message: True) -> Message:
        """The next message of a type, after those that were heard before."""
        async with asyncio.timeout(PATIENCE):
            while True:
                while self.read < len(self.socket.sent):
                    message: Message = msgspec.json.decode(self.socket.sent[self.read])
                    self.read += 1
                    if message["type"] == type and where(message):
                        return message
                self.socket.news.clear()
                await self.socket.news.wait()

    async def view_at(self, turn: int) -> Message:
        """The view after a number of moves."""
        return await self.hear("view", lambda view: bool(view["turn"] == turn))

    async def ask(self, answer: str, type: str, **fields: Any) -> Message:
        """Say something and wait for the answer; what comes in between is skipped."""
        self.say(type, request=f"about {type}", **fields)
        return await self.hear(answer, lambda message: message.get("request") == f"about {type}")

    async def refused(self, type: str, **fields: Any) -> str:
        """Say something that is not allowed: the code of the error."""
        error = await self.ask("error", type, **fields)
        assert error["message"]
        return str(error["code"])

    async def opened(self, **fields: Any) -> Message:
        """Create a table: the first view of it."""
        seat = await self.ask("seat", "create", **{"game": "hanabi", **fields})
        self.tokens[seat["table"]] = seat["token"]
        return await self.hear("view")

    def hang_up(self) -> None:
        self.socket.incoming.put_nowait(None)

    async def gone(self) -> None:
        self.hang_up()
        await self.task


class Parlour:
    """A site, and the guests at it."""

    def __init__(self, site: Site) -> None:
        self.site, self.tables, self.lab = site, site.tables.tables, site.lab
        self.guests: list[Guest] = []

    async def guest(self, name: str = "Ada") -> Guest:
        guest = Guest(self.site)
        self.guests.append(guest)
        await guest.ask("welcome", "hello", version=2, name=name)
        return guest


@contextlib.asynccontextmanager
async def parlour(
    folder: Path, agents: Sequence[str] = (), limits: Limits = QUICK, game: str = "hanabi"
) -> AsyncIterator[Parlour]:
    """Open a site; the agents are Python classes for the game, `module:Class`."""
    site = Site(folder, [(game, where) for where in agents], limits, warm_up=False, processes=PROCESSES)
    await site.open()
    if site.tables.waking is not None:
        await site.tables.waking
    await site.tables.ready(registry.game(game))
    opened = Parlour(site)
    try:
        yield opened
    finally:
        for guest in opened.guests:
            guest.hang_up()
        await asyncio.gather(*(guest.task for guest in opened.guests))
        await site.close()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A folder for tables, in memory if possible, so that tests do not wait for a disk."""
    memory = Path("/dev/shm")
    path = Path(tempfile.mkdtemp(prefix="kibitz-", dir=memory if memory.is_dir() else None))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def played(scenario: Callable[[Path], Coroutine[Any, Any, None]]) -> None:
    """Let a scenario happen in a new folder."""
    with folder() as path:
        asyncio.run(scenario(path))


def in_parlour(**options: Any) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], Callable[..., None]]:
    """Run a test with a parlour, its first argument, in a new folder; the options are those of `parlour`."""

    def decorated(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
        def run(*examples: Any, **fixtures: Any) -> None:
            async def scenario(folder: Path) -> None:
                async with parlour(folder, **options) as here:
                    await test(here, *examples, **fixtures)

            played(scenario)

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        _, *others = inspect.signature(test).parameters.values()
        run.__signature__ = inspect.Signature(others)  # type: ignore[attr-defined]
        return run

    return decorated


# Playing


async def two_people(here: Parlour) -> tuple[Guest, Guest, Message]:
    """Ada, the creator of a Hanabi table, Bo, seated there, and the message about Ada's seat."""
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE)
    [invitation] = seat["invitations"]
    await bo.ask("seat", "sit", table=seat["table"], invitation=invitation["invitation"])
    return ada, bo, seat


def hint_or_discard(view: Message) -> str:
    """A move that loses no life: a hint while there is a token, else the oldest card goes."""
    choices = view["choices"]
    wanted = next((choice for choice in choices if choice["action"] == "hint"), None)
    return str((wanted or next(choice for choice in choices if choice["action"] == "discard"))["move"])


async def play_on(guest: Guest, decide: Callable[[Message], str] = hint_or_discard) -> Message:
    """Play to the end whenever it is one's turn, from the last view there is: the view at the end."""
    views = guest.every("view")
    guest.read = len(guest.socket.sent)
    view = views[-1] if views else await guest.hear("view")
    while view["state"] != "finished":
        if "choices" in view:
            guest.say("move", table=view["table"], turn=view["turn"], move=decide(view))
        view = await guest.hear("view")
    return view


def kinds(view: Message) -> list[list[str | None]]:
    """The cards of every hand of Hanabi, as far as a view shows them."""
    return [[card["kind"] for card in hand] for hand in view["view"]["hands"]]
