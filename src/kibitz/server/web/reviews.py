"""Reviews of finished games: computed in threads that yield to running tables, sent as they grow, and kept.

A review belongs to a table, not to a visitor: all who ask for it at the same time are sent the same one.
"""

import asyncio
import contextlib
import dataclasses
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from functools import partial
from typing import Any

from kibitz.coach.review import Reviewing, TurnReview, rounded
from kibitz.core import registry
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import ONLOOKER
from kibitz.errors import KibitzError
from kibitz.server.live.bot_threads import BotThreads
from kibitz.server.live.limits import Limits
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.messages import Review as Question
from kibitz.server.live.public_text import public_text
from kibitz.server.live.rate_limit import BucketsByAddress
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService
from kibitz.server.web import daily_deals
from kibitz.server.web.coach_store import CoachStore

log = logging.getLogger("kibitz.server.web")

REPORT = 0.25  # seconds between two messages about one review
KIND = 1  # of the kept reviews; another number lets them be computed again
RUNNING = "The game is still running. Its review is available when it is over."
RECORD_OF_A_RUNNING_GAME = (
    "This record equals a game that is running here, as far as that has come. Its review is available when that game "
    "is over."
)

Fields = dict[str, Any]


class FairExecutor(Executor):
    """Runs calls in the threads for reviews, where visitors take turns."""

    def __init__(self, threads: BotThreads, visitor: str, loop: asyncio.AbstractEventLoop) -> None:
        self.threads, self.visitor, self.loop = threads, visitor, loop
        self.waiting: set[Future[Any]] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        call = self.threads.run(self.threads.reviews, self.visitor, partial(fn, *args, **kwargs))
        future = asyncio.run_coroutine_threadsafe(call, self.loop)
        self.waiting.add(future)
        future.add_done_callback(self.waiting.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for future in list(self.waiting) if cancel_futures else ():
            future.cancel()


class SharedReviewing(Reviewing):
    """A review whose calls take turns with those of others."""

    shared: Executor

    def executor(self) -> Executor:
        return self.shared


class Running:
    """A review in progress, and who is sent it."""

    def __init__(self, table: str, question: str, asked: Fields) -> None:
        self.table, self.question = table, question
        self.listeners: set[Session] = set()
        self.fields: Fields = {**asked, "state": "running", "seats": [], "problems": []}
        self.turns: dict[int, Fields] = {}  # as they were sent last
        self.stopped = False

    def everything(self) -> Fields:
        return {**self.fields, "turns": list(self.turns.values())}

    def publish(self, fields: Fields, turns: dict[int, Fields]) -> None:
        """Send what is new."""
        news = [turn for number, turn in turns.items() if self.turns.get(number) != turn]
        self.fields, self.turns = {**self.fields, **fields}, turns
        for session in list(self.listeners):
            session.answer("review", **{**self.fields, "turns": news})


class Reviews:
    def __init__(self, tables: TableService, store: CoachStore, limits: Limits) -> None:
        self.tables, self.store, self.limits = tables, store, limits
        self.running: dict[tuple[str, str], Running] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        rate = limits.reviews_per_minute_by_address
        self.begun = BucketsByAddress(rate / 60, rate)

    def close(self) -> None:
        for running in self.running.values():
            running.stopped = True
        for task in self.tasks:
            task.cancel()

    async def ask(self, session: Session, said: Question, record_of: Callable[[LiveTable], Record]) -> None:
        """Send a review as far as it is known, and what is added to it later."""
        async with self.tables.holding(said.table) as table:
            asked, question = await self.checked(table, said)
            running = self.running.get((table.id, question))
            if not said.on:
                if running is not None:
                    running.listeners.discard(session)
                session.answer("ok", said.request, table=table.id)
                return
            if running is None:
                kept = self.store.review(table.id, question)
                if kept is not None and kept.pop("kind", None) == KIND:
                    session.answer("review", said.request, **kept)
                    return
                running = self.begin(session, table, question, asked, record_of(table))
            running.listeners.add(session)
            session.on_leave[running] = partial(running.listeners.discard, session)
            session.answer("review", said.request, **running.everything())

    async def checked(self, table: LiveTable, said: Question) -> tuple[Fields, str]:
        """What is asked, and its text form; refused while a game goes on."""
        state, game = table.state, table.game
        if not state.ended:
            raise RefusedError("hidden", RUNNING)
        if state.analysis_board:
            raise RefusedError("bad_message", "Nobody plays at an analysis board, so it has no review.")
        if said.seat is not None and said.seat >= len(state.seats):
            raise RefusedError("unknown", f"There are {len(state.seats)} seats at this table.")
        if table.stored.options.get("imported") and not generic.hides_nothing(game.dtype):
            others = [
                other.state.core
                for other in self.tables.tables.values()
                if other.game is game and not other.state.ended and not other.state.only_bots
                and other.state.turn >= len(other.state.seats) == len(state.seats)
            ]  # fmt: skip
            if bool(others) and await asyncio.to_thread(is_part_of, others, state.core):
                raise RefusedError("hidden", RECORD_OF_A_RUNNING_GAME)
        asked: Fields = {"table": table.id, "game": game.name}
        if not said.partners:
            return asked, ""
        if said.partners not in registry.agent_entries(game.name):
            raise RefusedError("unknown", f"{game.title} has no agent {said.partners!r}. The catalogue lists them.")
        seat = said.seat or 0
        return {**asked, "partners": said.partners, "seat": seat}, f"{seat} {said.partners}"

    def begin(self, session: Session, table: LiveTable, question: str, asked: Fields, record: Record) -> Running:
        if len(self.running) >= self.limits.reviews:
            raise RefusedError("full", "The server is busy with reviews. Ask again in a minute.")
        if not self.begun.take(session.address):
            raise RefusedError("too_fast", "Too many reviews from your address. Wait a minute.")
        running = self.running[table.id, question] = Running(table.id, question, asked)
        shared = FairExecutor(self.tables.bot_threads, session.address, asyncio.get_running_loop())
        first = session.roles[table.id].seat if table.id in session.roles else None
        task = asyncio.ensure_future(self.work(running, record, asked, first, shared))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return running

    async def work(
        self, running: Running, record: Record, asked: Fields, first: int | None, shared: FairExecutor
    ) -> None:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[tuple[Fields, dict[int, Fields]]] = loop.create_future()

        def tell(call: Callable[..., None], *given: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(lambda: None if ended.done() else call(*given))

        def follow() -> None:
            """Only waits for the shared threads, so it needs no place among them."""
            seconds = self.limits.review_seconds
            try:
                for fields, turns in progress(record, asked, first, shared, lambda: running.stopped, seconds):
                    if fields["state"] == "done":
                        tell(ended.set_result, (fields, turns))
                    else:
                        tell(running.publish, fields, turns)
            except (Exception, CancelledError) as error:
                tell(ended.set_result, (failed(error), running.turns))

        threading.Thread(target=follow, name=f"review of {running.table}", daemon=True).start()
        try:
            fields, turns = await ended
            if fields["state"] == "done":
                kept = {"kind": KIND, **running.fields, **fields, "turns": list(turns.values())}
                await self.store.keep_review(running.table, running.question, kept)
        except KibitzError as error:
            log.warning("The review of table %s could not be kept: %s", running.table, error)
        finally:
            running.stopped = True
            self.running.pop((running.table, running.question), None)
        running.publish(fields, turns)
        for session in running.listeners:
            session.on_leave.pop(running, None)


def failed(failure: BaseException) -> Fields:
    if isinstance(failure, KibitzError):
        return {"state": "failed", "problems": [public_text(failure)]}
    log.error("A review failed", exc_info=failure)
    return {"state": "failed", "problems": ["The server failed at this review."]}


def is_part_of(others: list[Table], core: Table) -> bool:
    """Whether a record looks to the public like one of these running games, as far as that has come.

    Only what everybody sees counts: else the answer would reveal whether a guess of hidden cards is right.
    """
    public = {other.view(ONLOOKER).tobytes() for other in others}
    return any(then.view(ONLOOKER).tobytes() in public for then in core.from_the_start())


def progress(
    record: Record, asked: Fields, first: int | None, shared: Executor, stopped: Callable[[], bool], seconds: float
) -> Iterator[tuple[Fields, dict[int, Fields]]]:
    """The review as far as it has come, every now and then, and at last when it is done.

    `first` is the seat whose mistakes are looked at again first; the review is the same for any.
    """
    work = SharedReviewing(record, seat=asked.get("seat", first), partners=asked.get("partners"), seconds=seconds)
    work.shared = shared
    table = work.played.table
    deal = shared.submit(daily_deals.difficulty_of, work.game, table.start) if table.over else None
    reported = 0.0
    for _ in work:
        if stopped():
            raise KibitzError("The server stopped.")
        if time.monotonic() - reported >= REPORT:
            reported = time.monotonic()
            yield described(work, "running")
    fields, turns = described(work, "done")
    known = deal.result() if deal is not None and not deal.cancelled() else {}
    yield {**fields, "deal": known}, turns


def described(work: Reviewing, state: str) -> tuple[Fields, dict[int, Fields]]:
    """A review in progress as it is sent; seats count from 0."""
    review = work.review()
    seats = [dataclasses.replace(review, seat=seat) for seat in range(len(review.players))]
    fields = {
        "state": state, "unit": review.unit, "competitive": review.game.competitive,
        "decisions": len(work.played.positions), "problems": list(review.problems),
        "seats": [
            {
                "accuracy": rounded(each.accuracy), "lost": rounded(each.lost), "luck": rounded(each.luck),
                "partners_lost": rounded(each.partners_lost), "start": rounded(each.start),
                "result": rounded(each.result),
            }
            for each in seats
        ],
    }  # fmt: skip
    return fields, {turn.turn: described_turn(work, turn) for turn in review.all_turns}


def described_turn(work: Reviewing, turn: TurnReview) -> Fields:
    text = work.game.move_text
    moves = [
        {
            "move": text(worth.move), "value": rounded(worth.value), "error": rounded(worth.error),
            "perfect": rounded(worth.perfect),
        }
        for worth in turn.evaluation.worths
    ]  # fmt: skip
    return {
        **turn.as_json(), "seat": turn.seat, "episode": turn.episode, "outcome": rounded(turn.outcome),
        "after": rounded(turn.evaluation.after), "moves": moves,
    }  # fmt: skip
