"""The laboratory: matches and cross tables that are started from the page, run beside the tables, and kept.

A run is a folder: `run.json` says what it is and how far it came, and its games lie beside it as the arena saves them,
so a run that was stopped, or whose server was killed, goes on where it was.
"""

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from kibitz.arena.bot_process import PROCESSES
from kibitz.arena.cross import Cell, CrossPlan
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredCross, MeasuredMatch
from kibitz.core import registry
from kibitz.core.errors import KibitzError
from kibitz.core.whole_files import write_whole
from kibitz.live.messages import LabStart, RefusedError, Request, encode
from kibitz.live.public_text import public_text
from kibitz.live.session import Session
from kibitz.live.tokens import digest, matches, new_id, new_token

log = logging.getLogger("kibitz.web")

MOST_QUEUED = 20
MOST_QUEUED_BY_ADDRESS = 10
MOST_LISTED = 50
MOST_KEPT = 500  # runs in memory
ENDED = ("done", "cancelled", "failed")
TELLING = 0.3  # seconds between two reports
KEEPING = 2.0  # seconds between two notes on the disk of how far a run came


class StoppedError(Exception):
    """The run is to stop where it is."""


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
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs = max(2, len(os.sched_getaffinity(0)) - 1 if hasattr(os, "sched_getaffinity") else 2)
        self.runs: dict[str, Run] = {}
        self.subscribers: set[Session] = set()
        self.changed = False  # since the subscribers were last told
        self.stopping: set[str] = set()
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
            run = min(
                (run for run in list(self.runs.values()) if run.state == "queued"),
                key=lambda run: run.created,
                default=None,
            )
            if run is None:
                self.wake.wait()
                self.wake.clear()
            else:
                self._do(run)

    def _do(self, run: Run) -> None:
        run.state = "running"
        self.keep(run)
        try:
            play_match(run, self.folder / run.run, self) if run.what == "match" else play_cross(
                run, self.folder / run.run, self
            )
            run.state = "done"
        except StoppedError:
            if self.closed:
                return  # it goes on when the server is back
            run.state = "cancelled"
        except KibitzError as error:
            run.state, run.error = "failed", str(error)
        except OSError as error:  # most likely the disk is full
            log.error("The run %s stopped: %s", run.run, error)
            run.state, run.error = "failed", f"The run stopped: {error.strerror}. It can go on when there is room."
        except Exception as error:
            log.exception("The run %s failed", run.run)
            run.state, run.error = "failed", f"{type(error).__name__}: {error}"
        self.stopping.discard(run.run)
        self.keep(run)

    def progress(self, run: Run) -> Callable[[int], None]:
        """To be told how many games were played since; it stops a run that was cancelled."""
        noted = time.monotonic()

        def played(games: int) -> None:
            nonlocal noted
            run.done += games
            self.changed = True
            if self.closed or run.run in self.stopping:
                raise StoppedError
            if time.monotonic() - noted > KEEPING:
                noted = time.monotonic()
                self.keep(run)

        return played


def shown_run(run: Run) -> dict[str, Any]:
    """What everybody may know of a run."""
    shown = {name: value for name, value in msgspec.to_builtins(run).items() if name not in ("owner", "address")}
    return shown | {"error": public_text(run.error)} if run.error else shown


def match_of(run: Run) -> Match:
    """A match of a game that somebody wins is mirrored: every deal is begun once by each seat."""
    seats = tuple(run.agents) if len(run.agents) == run.players else tuple(run.agents) * run.players
    return Match(run.game, seats, run.games, run.seed, run.rules, mirror=registry.game(run.game).competitive)


def play_match(run: Run, folder: Path, lab: Lab) -> None:
    match = match_of(run)
    measured = MeasuredMatch(match.prepared(), folder / "games.csv")
    run.done, run.total, played = measured.games, match.games, lab.progress(run)
    for batch in measured.play(lab.jobs):
        run.summary = measured.measure.as_json()
        if batch.failure:
            raise KibitzError(batch.failure)
        played(batch.games)
    PROCESSES.release()
    measured.finish()
    drawn = measured.draw(folder) if match.game.competitive else []
    run.files = [f"/runs/{run.run}/{path.name}" for path in (folder / "games.csv", *drawn)]


def plan_of(run: Run) -> CrossPlan:
    return CrossPlan(run.game, tuple(run.agents), run.players, run.games, run.seed, run.rules)


def cross_games(plan: CrossPlan) -> int:
    return MeasuredCross(plan).games


def play_cross(run: Run, folder: Path, lab: Lab) -> None:
    measured = MeasuredCross(plan_of(run).prepared(), folder / "cross")
    run.done = sum(cell.games for cell in measured.before)
    run.cells = [shown(cell) for cell in measured.cross.cells.values()]
    for _ in measured.play(lab.jobs, lab.progress(run)):
        run.cells = [shown(each) for each in measured.cross.cells.values()]
        lab.changed = True
    PROCESSES.release()
    run.files = [f"/runs/{run.run}/{path.name}" for path in measured.finish()]


def shown(cell: Cell) -> dict[str, Any]:
    return {
        "row": cell.row, "column": cell.column, "games": cell.games, "mean": cell.mean, "interval": cell.interval,
        "lost": cell.lost,
    }  # fmt: skip
