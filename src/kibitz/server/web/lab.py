"""The laboratory: matches and cross tables started from the page, which run beside the tables and are saved.

A run is a folder: `run.json` describes it and its progress, beside the games as the arena saves them. A run that was
stopped, or whose server was killed, resumes there. Runs take turns of a few chunks of games (`lab_turns`);
interruptions do not change the results.
"""

import asyncio
import atexit
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Literal

import msgspec

from kibitz.arena import charts, run_report, runs
from kibitz.arena.cross import Cell, Cross, CrossPlan, write_csv
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredMatch, begin_match
from kibitz.arena.measured_cross import MeasuredCross, begin_cross
from kibitz.arena.saved_match import write_games
from kibitz.bots.pool import PROCESSES
from kibitz.core import registry
from kibitz.core.whole_files import whole_file, write_whole
from kibitz.errors import KibitzError
from kibitz.extras import has
from kibitz.server.live.messages import LabStart, RefusedError, Request, encode
from kibitz.server.live.public_text import public_text
from kibitz.server.live.session import Session
from kibitz.server.live.tokens import digest, matches, new_id, new_token
from kibitz.server.web.lab_turns import Share, Turns, Waiting

log = logging.getLogger("kibitz.server.web")

MAX_UNFINISHED = 20
MAX_UNFINISHED_BY_ADDRESS = 10
MAX_LISTED = 50
MAX_IN_MEMORY = 500
UNFINISHED = ("queued", "running")
REPORT = "report.html"
REPORT_INTERVAL = 0.3  # seconds
SAVE_INTERVAL = 2.0  # seconds
TOLERANCE = 2.0  # a run that was accepted may seem to take this many times the limit: estimates vary
# Matplotlib is not safe for threads, and its C++ code aborts the process if the interpreter ends while it draws.
DRAWING = threading.Lock()
atexit.register(DRAWING.acquire)

Play = Generator[int, None, Callable[[], list[Path]]]


class Run(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A match or a cross table: what to play, and the results so far."""

    run: str
    what: Literal["match", "cross"]
    game: str
    agents: list[str]
    players: int
    games: int
    seed: int
    rules: dict[str, str]
    created: float
    owner: str = ""  # a digest of the token that can stop and resume it
    address: str = ""  # of the visitor who started it
    state: Literal["queued", "running", "cancelled", "failed", "done"]
    total: int
    done: int = 0
    summary: dict[str, Any] | None = None
    cells: list[dict[str, Any]] | None = None
    error: str = ""
    files: list[str] = []


class Lab:
    def __init__(self, folder: Path, seconds: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        """Save runs in `folder`. A run may take at most `seconds`, if it had the machine for itself."""
        self.folder, self.seconds, self.clock = folder, seconds, clock
        self.jobs = max(2, len(os.sched_getaffinity(0)) - 1 if hasattr(os, "sched_getaffinity") else 2)
        self.runs: dict[str, Run] = {}
        self.subscribers: set[Session] = set()
        self.changed = False  # since the last report to subscribers
        self.stopping: set[str] = set()
        self.turns, self.works = Turns(), dict[str, Work]()
        self.wake = threading.Event()
        self.closed = False
        self.reporter: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Load the saved runs and resume the unfinished ones."""
        for path in sorted(self.folder.glob("*/run.json")):
            try:
                run = msgspec.json.decode(path.read_bytes(), type=Run)
            except (msgspec.MsgspecError, OSError) as error:
                log.warning("The run in %s cannot be loaded: %s", path.parent, error)
                continue
            if run.state == "running":
                run.state = "queued"
            self.runs[run.run] = run
        self.reporter = asyncio.get_running_loop().create_task(self._report())
        threading.Thread(target=self._work, name="lab", daemon=True).start()
        self.wake.set()

    def close(self) -> None:
        """Begin nothing more. Charts that are being drawn are drawn again when the run resumes, if this ends first."""
        self.closed = True
        self.wake.set()
        if self.reporter is not None:
            self.reporter.cancel()

    # Requests of sessions

    def start(self, said: LabStart, address: str = "") -> tuple[Run, str]:
        """Start a run: the run, and the token that can stop and resume it."""
        unfinished = self.unfinished()
        theirs = sum(run.address == address for run in unfinished)
        if len(unfinished) >= MAX_UNFINISHED or theirs >= MAX_UNFINISHED_BY_ADDRESS:
            raise RefusedError(
                "full", f"{len(unfinished)} runs are waiting already, {theirs} of them yours. Stop one, or wait."
            )
        game = registry.game(said.game)
        try:
            game.check_players(said.players)
            rules = game.check_rules({**game.table_rules, **said.rules})
        except KibitzError as error:
            raise RefusedError("bad_message", str(error)) from None
        if said.what == "match" and len(said.agents) not in (1, said.players):
            raise RefusedError("bad_message", f"Name one agent for all seats, or {said.players} agents.")
        if said.what == "cross" and len(set(said.agents)) < 2:
            raise RefusedError("bad_message", "A cross table needs at least two different agents.")
        agents = list(dict.fromkeys(said.agents)) if said.what == "cross" else said.agents
        token = new_token()
        run = Run(
            run=new_id(), what=said.what, game=game.name, agents=agents, players=said.players, games=said.games,
            seed=said.seed, rules=rules, created=time.time(), state="queued", total=0, owner=digest(token),
            address=address,
        )  # fmt: skip
        run.total = said.games if said.what == "match" else MeasuredCross(plan_of(run)).games
        self.runs[run.run] = run
        self.save(run)
        self.forget_oldest()
        self.wake.set()
        return run, token

    def unfinished(self) -> list[Run]:
        return [run for run in list(self.runs.values()) if run.state in UNFINISHED]

    def forget_oldest(self) -> None:
        """Forget the oldest runs that have ended, if there are too many; their files stay on the disk."""
        ended = sorted((run for run in self.runs.values() if run.state not in UNFINISHED), key=lambda run: run.created)
        for run in ended[: max(0, len(self.runs) - MAX_IN_MEMORY)]:
            del self.runs[run.run]

    def run(self, id: str) -> Run:
        if id not in self.runs:
            raise RefusedError("unknown", f"There is no run {id!r}.")
        return self.runs[id]

    def owned(self, id: str, token: str) -> Run:
        """The run, if the token is its owner's. A run of an older version has no owner."""
        run = self.run(id)
        if run.owner and not matches(token, run.owner):
            raise RefusedError("not_yours", "Somebody else started this run; only they can stop or resume it.")
        return run

    def cancel(self, id: str, token: str) -> None:
        run = self.owned(id, token)
        if run.state == "queued":
            run.state = "cancelled"
            self.save(run)
        elif run.state == "running":
            self.stopping.add(id)
            self.wake.set()

    def resume(self, id: str, token: str) -> None:
        run = self.owned(id, token)
        if run.state not in ("cancelled", "failed"):
            raise RefusedError("bad_message", f"The run is {run.state}; only a stopped run can be resumed.")
        run.state, run.error = "queued", ""
        self.save(run)
        self.wake.set()

    def subscribe(self, session: Session, request: Request) -> None:
        session.on_leave[self] = lambda: self.unsubscribe(session)
        self.subscribers.add(session)
        session.send(self.runs_message(request=request))

    def unsubscribe(self, session: Session) -> None:
        self.subscribers.discard(session)

    def runs_message(self, **more: Any) -> bytes:
        newest = sorted(self.runs.values(), key=lambda run: -run.created)[:MAX_LISTED]
        return encode("runs", runs=[{**public(run), **self.wait_of(run)} for run in newest], **more)

    def wait_of(self, run: Run) -> dict[str, Any]:
        """How long an unfinished run still waits: its place in the queue, or the seconds left as far as is known."""
        if run.state == "queued":
            return {
                "place": 1 + sum(each.created < run.created for each in self.unfinished() if each.state == "queued")
            }
        left = {id: work.seconds_left for id, work in list(self.works.items())}
        mine = left.pop(run.run, 0.0)
        if run.state != "running" or not mine:
            return {}
        return {"seconds_left": round(mine + sum(min(mine, other or mine) for other in left.values()))}  # they share

    def file(self, id: str, name: str) -> Path | None:
        """A file that a run has written, or None."""
        run = self.runs.get(id)
        return self.folder / id / name if run and f"/runs/{id}/{name}" in run.files else None

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(REPORT_INTERVAL)
            if self.changed and self.subscribers:
                ready = [session for session in self.subscribers if not session.behind]
                self.changed = len(ready) < len(self.subscribers)  # slow readers get the newest report later
                message = self.runs_message() if ready else b""
                for session in ready:
                    session.send(message)

    # The worker thread

    def save(self, run: Run) -> None:
        """Save a run's progress; a crash leaves the old file or the new one."""
        self.changed = True
        path = self.folder / run.run / "run.json"
        try:
            write_whole(path, msgspec.json.encode(run))
        except KibitzError as error:
            log.error("The run %s cannot be saved: %s", run.run, error)

    def _work(self) -> None:
        while not self.closed:
            if not self.turn():
                self.wake.wait()
                self.wake.clear()
        for work in self.works.values():
            work.steps.close()  # they resume when the server is back

    def turn(self) -> bool:
        """Give one run its turn; False if none is left."""
        for id in list(self.stopping):
            self._end(self.runs[id], "cancelled")
        left = {id: work.seconds_left for id, work in self.works.items()}
        runs = {run.run: run for run in self.unfinished()}
        waiting = [Waiting(id, run.address, run.created, left.get(id, 0.0)) for id, run in runs.items()]
        if not waiting:
            return False
        self._continue(runs[self.turns.next(waiting)])
        return True

    def _continue(self, run: Run) -> None:
        if run.run not in self.works:
            if run.state not in UNFINISHED:
                return  # cancelled meanwhile, and perhaps forgotten
            run.state = "running"
            self.save(run)
            self.works[run.run] = Work(run, self)
        try:
            if self.works[run.run].turn():
                self._end(run, "done")
        except KibitzError as error:
            self._end(run, "failed", str(error))
        except OSError as error:  # most likely the disk is full
            log.error("The run %s stopped: %s", run.run, error)
            self._end(run, "failed", f"The run stopped: {error.strerror}. Free some space, then resume it.")
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
        self.save(run)

    def others_wait(self, run: Run) -> bool:
        """Whether a run shares the machine."""
        return any(each is not run for each in self.unfinished())


class Work:
    """A run under way: it plays in turns, and its speed is measured."""

    def __init__(self, run: Run, lab: Lab) -> None:
        self.run, self.lab, self.share = run, lab, Share(lab.jobs)
        play = match_steps if run.what == "match" else cross_steps
        self.steps = self._steps(play(run, lab.folder / run.run, lab.jobs, self.held))
        self.saved_at = lab.clock()
        self.seen = 0  # steps with games; the first of each worker are slower and not measured
        self.games, self.seconds = 0, 0.0  # measured

    def _steps(self, play: Play) -> Generator[int, None, None]:
        finish = yield from play
        with DRAWING:
            if not self.lab.closed:
                self.run.files = [f"/runs/{self.run.run}/{path.name}" for path in finish()]
                return
        yield 0  # the server stops: the charts are drawn when the run resumes

    def held(self) -> bool:
        """Whether this turn may begin no more games."""
        lab = self.lab
        return lab.closed or self.run.run in lab.stopping or (not self.share.take() and lab.others_wait(self.run))

    def turn(self) -> bool:
        """Play until this turn is over; whether the run is done."""
        lab, run = self.lab, self.run
        self.share.begin()
        began = last = lab.clock()
        for games in self.steps:
            now = lab.clock()
            if games == 0:  # held, and every game begun is over
                self.share.learn(now - began)
                lab.save(run)
                return False
            run.done += games
            lab.changed = True
            self._measure(games, now - last)
            last = now
            if now - self.saved_at > SAVE_INTERVAL:
                self.saved_at = now
                lab.save(run)
        return True

    def _measure(self, games: int, seconds: float) -> None:
        jobs = self.lab.jobs
        self.seen += 1
        if self.seen <= jobs:
            return
        self.games += games
        self.seconds += seconds
        if self.seen % jobs == 0:  # every worker has been waited for equally often
            self._check_size(self.lab.seconds * (1 if self.seen == 2 * jobs else TOLERANCE))

    def _check_size(self, most: float) -> None:
        """Refuse a run that would keep the machine busy for too long."""
        run, limit = self.run, self.lab.seconds
        whole = run.total * self.seconds / self.games
        if whole <= most:
            return
        fitting = int(run.games * limit / whole)
        raise KibitzError(
            f"{run.total:,} games would take about {duration(whole)} here; the limit is {duration(limit)}. "
            + (f"Ask for {fitting:,} games instead of {run.games:,}, or choose" if fitting else "Choose")
            + " faster agents."
        )

    @property
    def seconds_left(self) -> float:
        """How long the run still takes if it has the machine for itself; 0 before it is measured."""
        return (self.run.total - self.run.done) * self.seconds / self.games if self.games else 0.0


def duration(seconds: float) -> str:
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} seconds"


def public(run: Run) -> dict[str, Any]:
    """A run without its owner's token and address."""
    shown = {name: value for name, value in msgspec.to_builtins(run).items() if name not in ("owner", "address")}
    return shown | {"error": public_text(run.error)} if run.error else shown


def match_of(run: Run) -> Match:
    """A competitive match is mirrored: each seat begins every deal once."""
    seats = tuple(run.agents) if len(run.agents) == run.players else tuple(run.agents) * run.players
    return Match(run.game, seats, run.games, run.seed, run.rules, mirror=registry.game(run.game).competitive)


def match_steps(run: Run, folder: Path, jobs: int, held: Callable[[], bool]) -> Play:
    """Play a match: the number of games since the last step, 0 when held; returns how to write its files."""
    match = match_of(run)
    ready = match.prepared()
    with begin_match(ready, "results", name=str(folder), forgets=True) as kept:
        measured = MeasuredMatch(ready, kept, "results")
        run.done, run.total = measured.games, match.games
        for batch in measured.play(jobs, held):
            run.summary = measured.measure.as_json()
            if batch.failure:
                raise KibitzError(batch.failure)
            yield batch.games
        measured.finish()
        files = []
        if measured.games_kept is not None:
            files.append(folder / "games.csv")
            write_games(measured, files[0])
    drawn = match.game.competitive and has("charts")
    return lambda: reported(kept, [*files, *(measured.draw(folder) if drawn else [])])


def reported(kept: runs.Run, files: list[Path]) -> list[Path]:
    """The files of a finished run, with a report that shows its charts."""
    return [run_report.written(kept, kept.place / REPORT), *files] if kept.is_kept else files


def plan_of(run: Run) -> CrossPlan:
    return CrossPlan(run.game, tuple(run.agents), run.players, run.games, run.seed, run.rules)


def cross_steps(run: Run, folder: Path, jobs: int, held: Callable[[], bool]) -> Play:
    """Play a cross table, in the same steps."""
    plan = plan_of(run).prepared()
    with begin_cross(plan, name=str(folder), forgets=True) as kept:
        measured = MeasuredCross(plan, kept)
        run.done = measured.games_before
        run.cells = [shown(cell) for cell in measured.cross.cells.values()]
        for step in measured.steps(jobs, held):
            if isinstance(step, Cell):
                run.cells = [shown(each) for each in measured.cross.cells.values()]
            else:
                yield step
        measured.finish()
    return lambda: reported(kept, saved_cross(measured.cross, folder / "cross"))


def saved_cross(cross: Cross, prefix: Path) -> list[Path]:
    """Write the table, and draw it if charts can be drawn."""
    file = prefix.with_suffix(".csv")
    with whole_file(file) as draft:
        write_csv(cross, draft)
    return [file, *(charts.save(charts.heat_map(cross), prefix) if has("charts") else ())]


def shown(cell: Cell) -> dict[str, Any]:
    return {
        "row": cell.row, "column": cell.column, "games": cell.games, "mean": cell.mean, "interval": cell.interval,
        "lost": cell.lost,
    }  # fmt: skip
