"""The folder of a run: its plan, its lock, its state, and where all runs are.

with begin("match", plan, title="hanabi-piers-4") as run:
    rows = Numbers(run.folder, "games", game.columns)
    ...
    run.finish(summary)
"""

import itertools
import json
import os
import re
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import msgspec
from filelock import FileLock, Timeout

from kibitz import __version__
from kibitz.core.whole_files import read_small, write_whole
from kibitz.engine.folders import data_folder
from kibitz.engine.private_folder import POSIX, ROOT, UnsafeError, check, me
from kibitz.errors import KibitzError, unknown
from kibitz.extras import has, missing

FORMAT = 1  # of the folder; a newer one is refused
PLAN, SUMMARY, PROGRESS, LOCK = "plan.json", "summary.json", "progress.json", "lock"
OF_THE_LAB = "run.json"  # what the page's lab notes of its runs
SAVE_INTERVAL = 2.0  # seconds between two notes of the progress
NAME = re.compile(r"[\w.+,=~@-]+")
LONGEST_NAME = 100
LONGEST_PATH = 1000
MOST_BYTES = 1 << 28  # of a JSON file that is read
DEEPEST = 4  # nested values that are shown
GLANCE = 0.5  # seconds: longer than a list of runs holds a lock to see whether somebody else does


def runs_folder() -> Path:
    """Where runs are kept: `KIBITZ_RUNS`, or a folder of the user's data."""
    chosen = os.environ.get("KIBITZ_RUNS")
    return Path(chosen).expanduser() if chosen else data_folder() / "runs"


class PlanFile(msgspec.Struct):
    """What `plan.json` holds, which may come from somebody else."""

    kibitz_run: int  # the format
    what: str
    plan: dict[str, Any]
    version: str = ""
    command: list[str] = []
    directory: str = ""


class Progress(msgspec.Struct):
    done: int
    total: int
    unit: str


@dataclass
class Run:
    """A run and its folder. Without a folder nothing is kept, and `problem` says why."""

    what: str  # the command: match, cross, …
    plan: dict[str, Any]  # what determines the results
    folder: Path | None
    problem: str = ""
    command: Sequence[str] = ()  # the words that repeat it, after `kibitz`
    _lock: FileLock | None = field(default=None, repr=False)
    _saved: float = field(default=0.0, repr=False)

    @property
    def name(self) -> str:
        return self.folder.name if self.folder is not None else ""

    @property
    def argument(self) -> str:
        """What names it in a command: its name, or its path if it is not in the folder of runs."""
        return self.name if self.place.parent == runs_folder() else shlex.quote(str(self.place))

    @property
    def place(self) -> Path:
        assert self.folder is not None
        return self.folder

    @property
    def is_kept(self) -> bool:
        return self.folder is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    # Its state

    @property
    def finished(self) -> bool:
        return self.folder is not None and (self.folder / SUMMARY).is_file()

    @property
    def running(self) -> bool:
        """Whether a process holds its lock."""
        lock = FileLock(self.place / LOCK, blocking=False)
        try:
            lock.acquire()
        except Timeout:
            return True
        except OSError:
            return False
        lock.release()
        return False

    @property
    def state(self) -> str:
        return "finished" if self.finished else "running" if self.running else "stopped"

    @property
    def summary(self) -> dict[str, Any]:
        """The results of a finished run."""
        return read_json(self.place / SUMMARY)

    @property
    def progress(self) -> dict[str, Any]:
        """How far an unfinished run is, as far as it was noted: `done`, `total`, and the `unit`."""
        try:
            return msgspec.to_builtins(msgspec.convert(read_json(self.place / PROGRESS), Progress))
        except (KibitzError, msgspec.ValidationError):
            return {}

    @property
    def begun(self) -> float:
        """When it began, in seconds since 1970."""
        return (self.place / PLAN).stat().st_mtime

    @property
    def changed(self) -> float:
        """When it was last played."""
        return max((file.stat().st_mtime for file in self.place.iterdir() if file.name != LOCK), default=0.0)

    def files(self, *endings: str) -> list[Path]:
        return sorted(file for file in self.place.iterdir() if file.suffix in endings)

    # Its life

    def hold(self) -> None:
        """Take its lock, or refuse."""
        if self.folder is None:
            return
        lock = FileLock(self.folder / LOCK)
        try:
            lock.acquire(timeout=GLANCE, poll_interval=GLANCE / 10)
        except Timeout:
            raise KibitzError(
                f"Another command is playing the run {self.name}. Wait until it is finished, or give this run another "
                f"name with --run. Nothing was changed."
            ) from None
        except OSError as error:
            raise KibitzError(f"{self.folder} cannot be written: {error.strerror or error}.") from None
        self._lock = lock

    def release(self) -> None:
        """Let another command resume the run."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def note_progress(self, done: int, total: int, unit: str = "games", now: bool = False) -> None:
        """Note how far it is, for lists of runs; at most every two seconds."""
        if self.folder is None or (not now and time.monotonic() - self._saved < SAVE_INTERVAL):
            return
        self._saved = time.monotonic()
        write_whole(self.folder / PROGRESS, json.dumps({"done": done, "total": total, "unit": unit}))

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Write the results. They come last: a run with a summary is finished."""
        if self.folder is None:
            return
        text = json.dumps(summary, indent=1) + "\n"
        write_whole(self.folder / SUMMARY, text, "What was played is kept: run the same command to resume.")
        (self.folder / PROGRESS).unlink(missing_ok=True)

    def reopen(self) -> None:
        """Continue a finished run: it has no results until it is finished again."""
        if self.finished:
            (self.place / SUMMARY).unlink()

    def restart(self) -> None:
        """Forget all that was played."""
        for file in self.place.iterdir():
            if file.name not in (PLAN, LOCK, OF_THE_LAB):
                file.unlink()

    def delete(self) -> None:
        self.hold()
        try:
            shutil.rmtree(self.place)
        except OSError as error:
            raise KibitzError(f"{self.place} cannot be deleted: {error.strerror or error}.") from None
        finally:
            self.release()

    @property
    def resuming(self) -> str:
        """What to type to continue it."""
        return f"kibitz run resume {self.argument}" if self.command else "the same command"

    def write_plan(self) -> None:
        whole = {
            "kibitz_run": FORMAT, "what": self.what, "version": __version__, "command": list(self.command),
            "directory": os.getcwd() if self.command else "", "plan": self.plan,  # noqa: PTH109
        }  # fmt: skip
        write_whole(self.place / PLAN, json.dumps(whole, indent=1) + "\n")


# Beginning and finding runs


def begin(
    what: str, plan: Mapping[str, Any], title: str, *, name: str | None = None, command: Sequence[str] = (),
    restart: bool = False, grows: bool = False, rows: bool = True, forgets: bool = False, place: Path | None = None,
) -> Run:  # fmt: skip
    """The run of a plan, locked: the unfinished one of an earlier command, or a new one.

    With a `name`, only the folder of that name will do: it is refused if it is of another plan, or started again if it
    `forgets`. `title` is what a new run is called by default. A run that `grows` is continued although it is finished.
    If no folder can be written, or the run keeps `rows` and the packages for them are missing, it is not kept.
    """
    plan = plain(plan)
    if rows and not has("frames"):
        return Run(what, plan, None, f"This run is not kept. {missing('frames')}")
    made = Run(what, plan, None, command=command)
    if name is not None:
        return named(made, named_folder(name, place), restart, grows, forgets)
    runs = place or runs_folder()
    try:
        runs.mkdir(parents=True, exist_ok=True)
        return unfinished_or_new(made, runs, slug(f"{what}-{title}"), restart, grows)
    except OSError as error:
        return Run(
            what, plan, None,
            f"{runs} cannot be written ({error.strerror or error}), so this run is not kept. Set KIBITZ_RUNS to "
            f"another folder to keep runs.",
        )  # fmt: skip


def unfinished_or_new(made: Run, runs: Path, title: str, restart: bool, grows: bool) -> Run:
    for number in itertools.count(1):
        run = replace(made, folder=runs / (title if number == 1 else f"{title}-{number}"))
        if not (run.place / PLAN).is_file():
            run.place.mkdir(exist_ok=True)
            if holds(run) and not (run.place / PLAN).is_file():
                run.write_plan()
                return run
        elif matches(run, grows) and holds(run) and matches(run, grows):
            if restart:
                run.restart()
            return run
        run.release()
    raise AssertionError("there is always another number")


def matches(run: Run, grows: bool) -> bool:
    """Whether an earlier command began this run and left something to do."""
    return (grows or not run.finished) and plan_of(run.place) == (run.what, run.plan)


def holds(run: Run) -> bool:
    try:
        run.hold()
    except KibitzError:
        return False
    return True


def named(made: Run, folder: Path, restart: bool, grows: bool, forgets: bool) -> Run:
    """The run in this folder; it must be of this plan, or new."""
    run = replace(made, folder=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"{folder} cannot be written: {error.strerror or error}.") from None
    run.hold()
    try:
        if not (folder / PLAN).is_file():
            if any(file.name not in (LOCK, OF_THE_LAB) for file in folder.iterdir()):
                raise KibitzError(f"{folder} is no run, and not empty. Name another folder with --run.")
            run.write_plan()
            return run
        was = opened_at(folder)
        why = difference(was, run)
        if why and not forgets:
            raise KibitzError(
                f"{folder} holds another run: {why}. Resume that one with `kibitz run resume {was.argument}`, delete "
                f"it with `kibitz run delete {was.argument}`, or name another folder with --run."
            )
        if run.finished and not (restart or grows or forgets):
            raise KibitzError(
                f"The run {run.name} is finished: `kibitz run show {run.argument}` shows it. To play it again, add "
                f"--restart or name another folder with --run."
            )
        if restart or why:
            run.restart()
            run.write_plan()
    except BaseException:
        run.release()
        raise
    return run


def plan_of(folder: Path) -> tuple[str, Any]:
    try:
        found = opened_at(folder)
    except KibitzError:
        return "", None
    return found.what, found.plan


def opened(name: str, place: Path | None = None) -> Run:
    """A run by its name, or by the path of its folder."""
    folder = named_folder(name, place)
    if not (folder / PLAN).is_file():
        runs = place or runs_folder()
        raise unknown("run", name, [run.name for run in kept(runs)], "`kibitz runs` lists them.")
    return opened_at(folder)


def opened_at(folder: Path) -> Run:
    found = plan_in(folder)
    return Run(found.what, found.plan, folder, command=found.command)


def plan_in(folder: Path) -> PlanFile:
    found = read_json(folder / PLAN)
    try:
        if (format := msgspec.convert(found.get("kibitz_run"), int)) > FORMAT:
            raise KibitzError(
                f"{folder} was written by kibitz {found.get('version')}, and its format {format} is newer than this "
                f"version ({__version__}) can read. Update kibitz to use it; nothing was changed."
            )
        return msgspec.convert(found, PlanFile)
    except msgspec.ValidationError as error:
        raise KibitzError(f"{folder / PLAN} is damaged: {error}. Restore a copy, or delete the folder.") from None


def kept(place: Path | None = None) -> list[Run]:
    """All runs that can be read, the newest first."""
    runs = []
    for path in (place or runs_folder()).glob(f"*/{PLAN}"):
        try:
            runs.append((path.stat().st_mtime, opened_at(path.parent)))
        except (KibitzError, OSError):
            continue
    return [run for _, run in sorted(runs, key=lambda each: (-each[0], each[1].name))]


def command_of(folder: Path) -> tuple[list[str], Path]:
    """The words of the command that began a run, and the folder where it was typed.

    A command may name files of Python to execute, so it is taken from nobody else.
    """
    found = plan_in(folder)
    try:
        if POSIX:
            check(folder / PLAN, (folder / PLAN).stat(), (me(), ROOT))
    except UnsafeError as error:
        raise KibitzError(
            f"{error.strerror}, so its command is not run for you. `kibitz run show {folder.name}` shows it: type it "
            f"yourself, with --run {folder.absolute()}, if you trust it."
        ) from None
    if found.command[:1] in (["run"], ["runs"]) or not found.directory.isprintable():
        raise KibitzError(f"{folder / PLAN} is damaged: no such command begins a run. Delete the folder.")
    return found.command, Path(found.directory)


def named_folder(name: str, place: Path | None = None) -> Path:
    """The folder that a name means: below the folder of runs, or a path if it has a slash."""
    if ("/" in name or os.sep in name) and name.isprintable() and len(name) <= LONGEST_PATH:
        return Path(name).expanduser()
    if len(name) > 2 * LONGEST_NAME or not NAME.fullmatch(name) or name.strip(".") == "":
        raise KibitzError(f"{name!r} is no name of a run: use letters, digits, - and _, or the path of a folder.")
    return (place or runs_folder()) / name


def slug(text: str) -> str:
    return re.sub(r"[^\w.+,=~-]+", "-", text).strip("-.")[:LONGEST_NAME]


def difference(was: Run, now: Run) -> str:
    """What differs between two plans, in words; empty if nothing does."""
    if was.what != now.what:
        return f"there it is a {was.what}, here a {now.what}"
    names = [name for name in {**was.plan, **now.plan} if was.plan.get(name) != now.plan.get(name)]
    return "; ".join(
        f"{name} is {short(was.plan.get(name))} there and {short(now.plan.get(name))} here" for name in names
    )


def short(value: Any, depth: int = DEEPEST) -> str:
    if isinstance(value, list | dict) and value and not depth:
        return "…"
    if isinstance(value, list):
        return ", ".join(short(each, depth - 1) for each in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name}={short(each, depth - 1)}" for name, each in value.items()) or "none"
    text = "none" if value is None else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def plain(plan: Mapping[str, Any]) -> dict[str, Any]:
    """A plan as it reads back from its file."""
    return dict(json.loads(json.dumps(plan)))


def read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_small(path, MOST_BYTES))
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:
        raise KibitzError(f"{path} is damaged ({error}). Restore a copy, or delete the run's folder.") from None
    if not isinstance(found, dict):
        raise KibitzError(f"{path} is damaged. Restore a copy, or delete the run's folder.")
    return found
