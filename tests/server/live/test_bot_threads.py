"""The event loop waits for nobody: not for the compiler, not for an agent that is late."""

import asyncio
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from numba.core import event

from kibitz.core import registry
from kibitz.server.live.bot_threads import BotThreads, ThreadPool, TooSlowError
from kibitz.server.live.warmup import usual_level
from tests.server.web.guests import Message, hint_or_discard, parlour, play_on, played

ALLOWED = 1.0  # seconds, which is long also for a busy machine


def thought(*calls: Callable[[], object]) -> list[object]:
    """The results of several decisions at once."""

    async def all_of_them() -> list[object]:
        threads = BotThreads()
        try:
            jobs = (threads.run(threads.python_moves, str(key), call, ALLOWED) for key, call in enumerate(calls))
            found: list[object] = await asyncio.gather(*jobs, return_exceptions=True)
            return found
        finally:
            threads.stop()

    return asyncio.run(all_of_them())


def test_who_is_late_holds_up_nobody_and_the_next_has_its_place() -> None:
    free = threading.Event()

    async def scenario() -> object:
        threads = BotThreads()
        threads.moves.threads = 1
        try:
            late = asyncio.ensure_future(threads.run(threads.moves, "a", lambda: free.wait(60), 0.05))
            after = asyncio.ensure_future(threads.run(threads.moves, "b", lambda: "done", 60))
            with pytest.raises(TooSlowError):
                await late
            return await after
        finally:
            threads.stop()

    try:
        assert asyncio.run(scenario()) == "done"
    finally:
        free.set()


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_what_a_thought_raises_reaches_who_waits_for_it(failure: type[BaseException]) -> None:
    def fails() -> None:
        raise failure

    [error] = thought(fails)
    assert type(error).__name__ in (failure.__name__, "AgentError")


class InTheLoop(event.Listener):
    """Where the thread of the server itself asked for the compiler."""

    def __init__(self) -> None:
        self.places: list[str] = []

    def on_start(self, event: object) -> None:
        if threading.current_thread() is threading.main_thread():
            self.places.append("".join(traceback.format_stack(limit=12)))

    def on_end(self, event: object) -> None: ...


def first_choice(view: Message) -> str:
    return str(view["choices"][0]["move"])


def play_and_listen(game: str) -> None:
    """In a fresh process: everything that is done for those at a table is compiled, or loaded, before they come."""
    heard, decide = InTheLoop(), hint_or_discard if game == "hanabi" else first_choice

    async def scenario(folder: Path) -> None:
        async with parlour(folder, game=game) as here:
            event.register("numba:compiler_lock", heard)
            bot = registry.game(game).lineup(usual_level(registry.game(game))).agents[0]
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "agent": bot}]
            seat = await ada.ask("seat", "create", game=game, seats=seats)
            await bo.ask("seat", "sit", table=seat["table"], invitation=seat["invitations"][0]["invitation"])
            view, _ = await asyncio.gather(play_on(ada, decide), play_on(bo, decide))
            await ada.ask("history", "history", table=view["table"], turn=1, **{"as": 1})
            await ada.ask("odds", "odds", table=view["table"], turn=1)

    played(scenario)
    assert heard.places == [], heard.places[0]


@pytest.mark.parametrize("game", ["hanabi", "loveletter"])
def test_the_server_itself_never_waits_for_the_compiler(game: str) -> None:
    call = f"from tests.server.live.test_bot_threads import *; play_and_listen({game!r})"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr


# Fairness


def test_each_has_a_turn_however_much_others_have_asked_for_before() -> None:
    """A hundred jobs of one asker and one of another: the other's is the second to be done."""
    done: list[str] = []

    async def scenario() -> None:
        threads, one_thread = BotThreads(), ThreadPool("advice", 1, at_once=1)  # two could overtake each other
        begun = threading.Event()
        try:
            calls: list[tuple[str, Callable[[], object]]] = [("greedy", lambda: begun.wait(10))]
            calls += [("greedy", partial(done.append, f"greedy {number}")) for number in range(100)]
            calls.append(("modest", partial(done.append, "modest")))
            jobs = [asyncio.ensure_future(threads.run(one_thread, *call, 30)) for call in calls]
            await asyncio.sleep(0)
            begun.set()
            await asyncio.gather(*jobs)
        finally:
            one_thread.queue.close()

    asyncio.run(scenario())
    assert done.index("modest") <= 2
    assert [each for each in done if each != "modest"] == [f"greedy {number}" for number in range(100)]


def test_neither_advice_nor_sleeping_bots_hold_up_a_compiled_bot() -> None:
    async def scenario() -> None:
        threads = BotThreads()
        free = threading.Event()
        try:
            waiting = [
                asyncio.ensure_future(threads.run(pool, f"{number % 20}", lambda: free.wait(30), 60))
                for pool in (threads.advice, threads.python_advice, threads.python_moves)
                for number in range(120)
            ]
            async with asyncio.timeout(30):
                assert await threads.run(threads.moves, "a table", lambda: "moved", 10) == "moved"
            assert not any(job.done() for job in waiting)
            free.set()
            await asyncio.gather(*waiting)
        finally:
            free.set()
            threads.stop()

    asyncio.run(scenario())
