"""The laboratory: matches and cross tables that are started from the page, run beside the tables, and kept.

A run is a folder: `run.json` says what it is and how far it came, and its games lie beside it as the arena saves them,
so a run that was stopped, or whose server was killed, goes on where it was. Runs take turns of a few chunks of games
(`lab_turns`); what they come to does not depend on how they were interrupted.
"""

import asyncio
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Literal

import msgspec

from kibitz.arena.cross import Cell, CrossPlan
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredCross, MeasuredMatch
from kibitz.bots.pool import PROCESSES
from kibitz.core import registry
from kibitz.core.whole_files import write_whole
from kibitz.errors import KibitzError
from kibitz.server.live.messages import LabStart, RefusedError, Request, encode
from kibitz.server.live.public_text import public_text
from kibitz.server.live.session import Session
from kibitz.server.live.tokens import digest, matches, new_id, new_token
from kibitz.server.web.lab_turns import Share, Turns, Waiting

log = logging.getLogger("kibitz.server.web")

MOST_QUEUED = 20
MOST_QUEUED_BY_ADDRESS = 10
MOST_LISTED = 50
MOST_KEPT = 500  # runs in memory
ENDED = ("done", "cancelled", "failed")
TELLING = 0.3  # seconds between two reports
KEEPING = 2.0  # seconds between two notes on the disk of how far a run came
PATIENCE = 2.0  # times the limit that a run may seem to take once it was let pass: estimates vary


class Run(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A match or a cross table: what is to be played, and what came of it so far."""

    run: str
    what: Literal["match", "cross"]
    game: str
    agents: list[str]
    players: int
    games: int
    seed: int
    rules: dict[str, str]
    created: float
    owner: str = ""  # a digest of the token of who started it
    address: str = ""  # where it was started from
    state: Literal["queued", "running", "cancelled", "failed", "done"]
    total: int
    done: int = 0
    summary: dict[str, Any] | None = None
    cells: list[dict[str, Any]] | None = None
    error: str = ""
    files: list[str] = []


class Lab:
    def __init__(self, folder: Path, seconds: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        """Runs are kept in a folder. None may take longer than so many seconds, if it had the machine for itself."""
        self.folder, self.seconds, self.clock = folder, seconds, clock
        self.jobs = max(2, len(os.sched_getaffinity(0)) - 1 if hasattr(os, "sched_getaffinity") else 2)
        self.runs: dict[str, Run] = {}
        self.subscribers: set[Session] = set()
        self.changed = False  # since the subscribers were last told
        self.stopping: set[str] = set()
        self.turns, self.works = Turns(), dict[str, Work]()
        self.wake = threading.Event()
        self.closed = False
        self.teller: asyncio.Task[None] | None = None

    # Coming and going

    def open(self) -> None:
        """Bring back the runs there are; those that were not done go on."""
        for path in sorted(self.folder.glob("*/run.json")):
            try:
                run = msgspec.json.decode(path.read_bytes(), type=Run)
            except (msgspec.MsgspecError, OSError) as error:
                log.warning("The run in %s cannot be brought back: %s", path.parent, error)
                continue
            if run.state == "running":
                run.state = "queued"
            self.runs[run.run] = run
        self.teller = asyncio.get_running_loop().create_task(self._tell())
        threading.Thread(target=self._work, name="lab", daemon=True).start()
        self.wake.set()

    def close(self) -> None:
        self.closed = True
        self.wake.set()
        if self.teller is not None:
            self.teller.cancel()

    # What sessions ask for

    def start(self, said: LabStart, address: str = "") -> tuple[Run, str]:
        """A new run, and the token with which it can be stopped and made to go on."""
        waiting = [run for run in self.runs.values() if run.state in ("queued", "running")]
        theirs = sum(run.address == address for run in waiting)
        if len(waiting) >= MOST_QUEUED or theirs >= MOST_QUEUED_BY_ADDRESS:
            raise RefusedError("full", f"{len(waiting)} runs wait already, {theirs} of them yours. Stop one, or wait.")
        game = registry.game(said.game)
        try:
            game.check_players(said.players)
            rules = game.check_rules(said.rules)
        except KibitzError as error:
            raise RefusedError("bad_message", str(error)) from None
        if said.what == "match" and len(said.agents) not in (1, said.players):
            raise RefusedError("bad_message", f"Name one agent for all seats, or one for each of the {said.players}.")
        if said.what == "cross" and len(set(said.agents)) < 2:
            raise RefusedError("bad_message", "A cross table needs two different agents or more.")
        agents = list(dict.fromkeys(said.agents)) if said.what == "cross" else said.agents
        token = new_token()
        run = Run(
            run=new_id(), what=said.what, game=game.name, agents=agents, players=said.players, games=said.games,
            seed=said.seed, rules=rules, created=time.time(), state="queued", total=0, owner=digest(token),
            address=address,
        )  # fmt: skip
        run.total = said.games if said.what == "match" else cross_games(plan_of(run))
        self.runs[run.run] = run
        self.keep(run)
        self.forget_oldest()
        self.wake.set()
        return run, token

    def forget_oldest(self) -> None:
        """Forget the oldest runs that have ended, if there are too many; their files stay on the disk."""
        ended = sorted((run for run in self.runs.values() if run.state in ENDED), key=lambda run: run.created)
        for run in ended[: max(0, len(self.runs) - MOST_KEPT)]:
            del self.runs[run.run]

    def run(self, id: str) -> Run:
        if id not in self.runs:
            raise RefusedError("unknown", f"There is no run {id!r}.")
        return self.runs[id]

    def owned(self, id: str, token: str) -> Run:
        """A run, for who started it. One of an older version has no owner."""
        run = self.run(id)
        if run.owner and not matches(token, run.owner):
            raise RefusedError("not_yours", "Somebody else started this run; only they can stop it or let it go on.")
        return run

    def cancel(self, id: str, token: str) -> None:
        run = self.owned(id, token)
        if run.state == "queued":
            run.state = "cancelled"
            self.keep(run)
        elif run.state == "running":
            self.stopping.add(id)
            self.wake.set()

    def go_on(self, id: str, token: str) -> None:
        run = self.owned(id, token)
        if run.state not in ("cancelled", "failed"):
            raise RefusedError("bad_message", f"The run is {run.state}; only one that was stopped can go on.")
        run.state, run.error = "queued", ""
        self.keep(run)
        self.wake.set()

    def subscribe(self, session: Session, request: Request) -> None:
        session.on_leave[self] = lambda: self.unsubscribe(session)
        self.subscribers.add(session)
        session.send(self.runs_message(request=request))

    def unsubscribe(self, session: Session) -> None:
        self.subscribers.discard(session)

    def runs_message(self, **more: Any) -> bytes:
        newest = sorted(self.runs.values(), key=lambda run: -run.created)[:MOST_LISTED]
        return encode("runs", runs=[shown_run(run) for run in newest], **more)

    def file(self, id: str, name: str) -> Path | None:
        """A file that a run made, if it did."""
        run = self.runs.get(id)
        return self.folder / id / name if run and f"/runs/{id}/{name}" in run.files else None

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(TELLING)
            if self.changed and self.subscribers:
                ready = [session for session in self.subscribers if not session.behind]
                self.changed = len(ready) < len(self.subscribers)  # who is slow to read is sent the newest, later
                message = self.runs_message() if ready else b""
                for session in ready:
                    session.send(message)

    # The work itself, in a thread of its own

    def keep(self, run: Run) -> None:
        """Note on the disk how a run stands; a crash leaves the old note or the new one."""
        self.changed = True
        path = self.folder / run.run / "run.json"
        try:
            write_whole(path, msgspec.json.encode(run))
        except KibitzError as error:
            log.error("The run %s cannot be kept: %s", run.run, error)

    def _work(self) -> None:
        while not self.closed:
            if not self.turn():
                self.wake.wait()
                self.wake.clear()
        for work in self.works.values():
            work.steps.close()  # they go on when the server is back

    def turn(self) -> bool:
        """Let one run have its turn; False if there is nothing to do."""
        for id in list(self.stopping):
            self._end(self.runs[id], "cancelled")
        waiting = [run for run in list(self.runs.values()) if run.state in ("queued", "running")]
        if not waiting:
            return False
        left = {id: work.seconds_left for id, work in self.works.items()}
        chosen = self.turns.next(
            [Waiting(run.run, run.address, run.created, left.get(run.run, 0.0)) for run in waiting]
        )
        self._go_on(self.runs[chosen])
        return True

    def _go_on(self, run: Run) -> None:
        if run.run not in self.works:
            run.state = "running"
            self.keep(run)
            self.works[run.run] = Work(run, self)
        try:
            if self.works[run.run].turn():
                self._end(run, "done")
        except KibitzError as error:
            self._end(run, "failed", str(error))
        except OSError as error:  # most likely the disk is full
            log.error("The run %s stopped: %s", run.run, error)
            self._end(run, "failed", f"The run stopped: {error.strerror}. It can go on when there is room.")
        except Exception as error:
            log.exception("The run %s failed", run.run)
            self._end(run, "failed", f"{type(error).__name__}: {error}")

    def _end(self, run: Run, state: Literal["cancelled", "failed", "done"], error: str = "") -> None:
        work = self.works.pop(run.run, None)
        if work is not None:
            work.steps.close()
        if not self.works:
            PROCESSES.end_idle(0.0)
        run.state, run.error = state, error
        self.stopping.discard(run.run)
        self.turns.forget(run.run)
        self.keep(run)

    def others_wait(self, run: Run) -> bool:
        """Whether a run has to share the machine."""
        return any(each.state in ("queued", "running") for each in list(self.runs.values()) if each is not run)


class Work:
    """A run under way: it goes on in turns, and is measured on the way."""

    def __init__(self, run: Run, lab: Lab) -> None:
        self.run, self.lab, self.share = run, lab, Share(lab.jobs)
        play = match_steps if run.what == "match" else cross_steps
        self.steps = play(run, lab.folder / run.run, lab.jobs, self.held)
        self.noted = lab.clock()
        self.seen = 0  # steps with games in them; the first of each worker are slower and measure nothing
        self.games, self.seconds = 0, 0.0  # that were measured

    def held(self) -> bool:
        """Whether no more games are to be begun in this turn."""
        lab = self.lab
        return lab.closed or self.run.run in lab.stopping or (not self.share.take() and lab.others_wait(self.run))

    def turn(self) -> bool:
        """Play on until this turn is over; whether the run is done."""
        lab, run = self.lab, self.run
        self.share.begin()
        began = last = lab.clock()
        for games in self.steps:
            now = lab.clock()
            if games == 0:  # it was held up, and what was begun is done
                self.share.learn(now - began)
                lab.keep(run)
                return False
            run.done += games
            lab.changed = True
            self._measure(games, now - last)
            last = now
            if now - self.noted > KEEPING:
                self.noted = now
                lab.keep(run)
        return True

    def _measure(self, games: int, seconds: float) -> None:
        jobs = self.lab.jobs
        self.seen += 1
        if self.seen <= jobs:
            return
        self.games += games
        self.seconds += seconds
        if self.seen % jobs == 0:  # every worker was waited for as often
            self._check_size(self.lab.seconds * (1 if self.seen == 2 * jobs else PATIENCE))

    def _check_size(self, most: float) -> None:
        """Refuse a run that would keep the machine busy for too long."""
        run, limit = self.run, self.lab.seconds
        whole = run.total * self.seconds / self.games
        if whole <= most:
            return
        fitting = int(run.games * limit / whole)
        raise KibitzError(
            f"{run.total:,} games would take about {duration(whole)} here, and a run may take {duration(limit)}. "
            + (f"Ask for {fitting:,} instead of {run.games:,}, or for" if fitting else "Ask for")
            + " agents that think less."
        )

    @property
    def seconds_left(self) -> float:
        """That the run still takes if it has the machine for itself; 0 before it was measured."""
        return (self.run.total - self.run.done) * self.seconds / self.games if self.games else 0.0


def duration(seconds: float) -> str:
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} seconds"


def shown_run(run: Run) -> dict[str, Any]:
    """What everybody may know of a run."""
    shown = {name: value for name, value in msgspec.to_builtins(run).items() if name not in ("owner", "address")}
    return shown | {"error": public_text(run.error)} if run.error else shown


def match_of(run: Run) -> Match:
    """A match of a game that somebody wins is mirrored: every deal is begun once by each seat."""
    seats = tuple(run.agents) if len(run.agents) == run.players else tuple(run.agents) * run.players
    return Match(run.game, seats, run.games, run.seed, run.rules, mirror=registry.game(run.game).competitive)


def match_steps(run: Run, folder: Path, jobs: int, held: Callable[[], bool]) -> Generator[int, None, None]:
    """Play a match: how many games were played since the last step, 0 when it was held up."""
    match = match_of(run)
    measured = MeasuredMatch(match.prepared(), folder / "games.csv")
    run.done, run.total = measured.games, match.games
    for batch in measured.play(jobs, held):
        run.summary = measured.measure.as_json()
        if batch.failure:
            raise KibitzError(batch.failure)
        yield batch.games
    measured.finish()
    drawn = measured.draw(folder) if match.game.competitive else []
    run.files = [f"/runs/{run.run}/{path.name}" for path in (folder / "games.csv", *drawn)]


def plan_of(run: Run) -> CrossPlan:
    return CrossPlan(run.game, tuple(run.agents), run.players, run.games, run.seed, run.rules)


def cross_games(plan: CrossPlan) -> int:
    return MeasuredCross(plan).games


def cross_steps(run: Run, folder: Path, jobs: int, held: Callable[[], bool]) -> Generator[int, None, None]:
    """Play a cross table, in the same steps."""
    measured = MeasuredCross(plan_of(run).prepared(), folder / "cross")
    run.done = sum(cell.games for cell in measured.before)
    run.cells = [shown(cell) for cell in measured.cross.cells.values()]
    for step in measured.steps(jobs, held):
        if isinstance(step, Cell):
            run.cells = [shown(each) for each in measured.cross.cells.values()]
        else:
            yield step
    run.files = [f"/runs/{run.run}/{path.name}" for path in measured.finish()]


def shown(cell: Cell) -> dict[str, Any]:
    return {
        "row": cell.row, "column": cell.column, "games": cell.games, "mean": cell.mean, "interval": cell.interval,
        "lost": cell.lost,
    }  # fmt: skip
