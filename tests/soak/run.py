"""One run of the soak: everything started, watched, thrown at and judged, until the time is up or a promise breaks."""

import argparse
import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.soak import crowds, faults, hostile, hosting, parties  # noqa: F401 (some only register their faults)
from tests.soak.processes import LAST_PRINTED, marked
from tests.soak.promises import BrokenPromiseError, Clock, Tally, check
from tests.soak.serving import Serving

PARTIES = 5  # groups of people at `kibitz serve` at the same time
OFTEN = 2.0  # seconds from one fault to the next, on average
PROGRESS = 5.0  # seconds between two progress lines
LAST_GAMES = 45.0  # seconds to finish the games that run when the time is up


def options(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description="Play games of people and bots at `kibitz serve` and `kibitz host` while faults are thrown at "
        "them, and check all the time that they keep their promises.",
        epilog="Choices and faults come from the seed; how fast a machine does them does not, so a run with the same "
        "seed throws the same faults in the same order, but not at the same moment of a game. Faults: "
        + ", ".join([*faults.FAULTS, *hosting.FAULTS])
        + ". 'none' throws none.",
    )
    parser.add_argument("--minutes", type=float, default=30.0, help="how long [30]")
    parser.add_argument("--seed", type=int, default=None, help="where all choices come from [the time]")
    parser.add_argument("--only", choices=("serve", "host"), help="one of the two servers [both]")
    parser.add_argument("--faults", default="", help="names with commas between them [all]")
    parser.add_argument("--parties", type=int, default=PARTIES, help=f"groups of people at a time [{PARTIES}]")
    parser.add_argument(
        "--often", type=float, default=OFTEN, help=f"seconds from fault to fault, on average [{OFTEN:g}]"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress lines")
    chosen = parser.parse_args(words)
    known = {*faults.FAULTS, *hosting.FAULTS, "none"}
    chosen.names = [name for name in chosen.faults.replace(" ", "").split(",") if name]
    unknown = [name for name in chosen.names if name not in known]
    if unknown:
        parser.error(f"there is no fault {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    if chosen.seed is None:
        chosen.seed = int(time.time()) % 1_000_000
    return chosen


def command(chosen: argparse.Namespace) -> str:
    """The command that runs it again."""
    words = [f"python -m tests.soak --minutes {chosen.minutes:g} --seed {chosen.seed}"]
    words += [f"--only {chosen.only}"] if chosen.only else []
    words += [f"--faults {','.join(chosen.names)}"] if chosen.names else []
    words += [f"--parties {chosen.parties}"] if chosen.parties != PARTIES else []
    words += [f"--often {chosen.often:g}"] if chosen.often != OFTEN else []
    return " ".join(words)


def print_tasks() -> None:
    """What every task waits for: `kill -USR1` asks a run that does not go on."""
    for task in asyncio.all_tasks():
        frames: list[str] = []
        coroutine: Any = task.get_coro()
        while coroutine is not None:
            frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None)
            if frame:
                frames.append(f"{frame.f_code.co_name} {Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
            coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None)
        print("  waits:", " > ".join(frames), file=sys.stderr, flush=True)


async def soak(chosen: argparse.Namespace, tally: Tally) -> None:
    """Run until the time is up; a broken promise is raised."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, print_tasks)
    mark = f"{os.getpid()}-{chosen.seed}"
    folder = Path(tempfile.mkdtemp(prefix="kibitz-soak-"))
    try:
        async with asyncio.TaskGroup() as group:
            background = [group.create_task(progress(tally, chosen))] if not chosen.quiet else []
            kinds = []
            if chosen.only != "host":
                kinds.append(group.create_task(serve(folder / "serve", f"{mark}-serve", chosen, tally)))
            if chosen.only != "serve":
                kinds.append(group.create_task(host(folder / "host", f"{mark}-host", chosen, tally)))
            await asyncio.wait(kinds, return_when=asyncio.FIRST_EXCEPTION)
            for task in background:
                task.cancel()
        tally.check_usual_speed()
    finally:
        for pid, _ in marked(mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)
        shutil.rmtree(folder, ignore_errors=True)


async def progress(tally: Tally, chosen: argparse.Namespace) -> None:
    while True:
        await asyncio.sleep(PROGRESS)
        print(tally.line(), flush=True)


async def serve(folder: Path, mark: str, chosen: argparse.Namespace, tally: Tally) -> None:
    """People and faults at `kibitz serve`."""
    serving = Serving(folder, mark, chosen.seed, tally)
    serving.clock.stop("down")
    names = [name for name in chosen.names if name in faults.FAULTS] if chosen.names else list(faults.FAULTS)
    await serving.start()
    until = time.monotonic() + 60 * chosen.minutes

    async def failure() -> None:
        await serving.failure

    async with asyncio.TaskGroup() as group:
        forever = [
            group.create_task(each)
            for each in (
                failure(), serving.watch(), serving.clock.watch_the_machine(serving.starved),
                parties.page_loads(serving), parties.lobby(serving, serving.dice("lobby")),
            )
        ]  # fmt: skip
        players = [group.create_task(parties.parties(serving, number)) for number in range(chosen.parties)]
        thrower = group.create_task(faults.faults(serving, names, chosen.often)) if names else None
        await asyncio.sleep(until - time.monotonic())
        serving.closing = True
        last = [*players, *([thrower] if thrower else [])]
        _, unfinished = await asyncio.wait(last, timeout=LAST_GAMES)
        for task in (*unfinished, *forever):
            task.cancel()
    await serving.check_finished_games()
    await serving.stop(kill=False)
    left = sorted(path.name for path in serving.temporary.iterdir())
    check(not left, "a server leaves nothing in the temporary folder", left)


async def host(folder: Path, mark: str, chosen: argparse.Namespace, tally: Tally) -> None:
    """Series at `kibitz host`, one after the other."""
    names = [name for name in chosen.names if name in hosting.FAULTS] if chosen.names else list(hosting.FAULTS)
    clock = Clock()
    until = time.monotonic() + 60 * chosen.minutes
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(clock.watch_the_machine(lambda: 0.0))
        count = 0
        while time.monotonic() < until:
            await hosting.series(folder / str(count), f"{mark}-{count}", chosen.seed, count, names, clock, tally, until)
            count += 1
        watching.cancel()


def first_broken(error: BaseException) -> BaseException:
    """Of what went wrong at the same time, a broken promise first."""
    if isinstance(error, BaseExceptionGroup):
        inner = [first_broken(each) for each in error.exceptions]
        return next((each for each in inner if isinstance(each, BrokenPromiseError)), inner[0])
    return error


def report(chosen: argparse.Namespace, tally: Tally, error: BaseException) -> str:
    """What somebody needs to know who has to mend it."""
    lines = [f"A promise was broken after {tally.seconds:.1f} s, with seed {chosen.seed}."]
    if isinstance(error, BrokenPromiseError):
        lines += [f"  promised: {error.promise}", f"  seen: {error.seen}"]
    else:
        lines += [f"  seen: {error!r}"]
    log = tally.server_log()
    lines.append(f"  faults thrown so far: {tally.faults_text()}")
    lines += [f"  `kibitz serve`, {log}"] if log and LAST_PRINTED not in str(error) else []
    return "\n".join([*lines, f"  again: {command(chosen)}"])


def main(words: list[str] | None = None) -> int:
    chosen = options(words)
    print(f"Soaking for {chosen.minutes:g} minutes with seed {chosen.seed}. Again: {command(chosen)}", flush=True)
    tally = Tally()
    try:
        asyncio.run(soak(chosen, tally))
    except KeyboardInterrupt:
        print("Stopped.")
        return 130
    except BaseExceptionGroup as group:
        error = first_broken(group)
        print(report(chosen, tally, error), file=sys.stderr)
        if not isinstance(error, BrokenPromiseError):
            raise
        return 1
    except BrokenPromiseError as error:
        print(report(chosen, tally, error), file=sys.stderr)
        return 1
    print(tally.summary())
    print("Every promise was kept.")
    return 0
