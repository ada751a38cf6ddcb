"""Games on a cluster of Dask workers, on this computer or on many: `--cluster tcp://HOST:8786`.

Each task is a chunk of games of at least a second, and returns sums, so the scheduler is idle most of the time. Files
of users' bots travel with the tasks. A worker that has another version of the code is refused by name before it plays.
"""

import contextlib
import logging
import os
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kibitz import __version__
from kibitz.arena.code_version import parts_of
from kibitz.arena.executors import Task, play_here_or_compiled
from kibitz.arena.match import Match, PlayElsewhere, play_compiled
from kibitz.core.agent_spec import AgentSpec
from kibitz.engine.folders import private_folder
from kibitz.engine.private_folder import make_private, read_private
from kibitz.errors import KibitzError
from kibitz.extras import need
from kibitz.text import counted, fit

if TYPE_CHECKING:
    from distributed import Client

CONNECT = 10.0  # seconds to reach the scheduler
WAIT = 30.0  # seconds for the first worker
PATIENCE = 2.0  # seconds of compiling that are worth a line
COUNT_INTERVAL = 1.0  # seconds between two looks at the number of workers
MOMENT = 1.5  # seconds that a chunk takes
MOST = 2_000_000  # games in a chunk; with sums alone their results are only in a worker's memory
RETRIES = 3  # workers that may die with a chunk before it is given up


class WrongVersionError(Exception):
    """A worker has other code; the text says which."""


class Cluster:
    """An executor on the workers of a Dask scheduler."""

    moment: float | None = MOMENT
    most: int | None = MOST

    def __init__(self, address: str, say: Callable[[str], object] = lambda text: None, wait: float = WAIT) -> None:
        """Connect to a scheduler, and wait for a worker. `say` reports what is waited for."""
        need("cluster")
        self.address, self.say = address, say
        self.client = connected(address)
        self.pending: set[Any] = set()
        self.lock = threading.Lock()
        self.prepared: set[object] = set()  # games and agents that the workers have
        self._workers, self._counted = 0, -1.0
        try:
            self._wait_for_workers(wait)
        except BaseException:
            self.stop()
            raise

    @property
    def workers(self) -> int:
        """The number of threads of all workers; some may come and go."""
        now = time.monotonic()
        if now - self._counted > COUNT_INTERVAL:
            self._counted = now
            with contextlib.suppress(Exception):  # a scheduler that is gone is reported by the next result
                self._workers = sum(self.client.nthreads().values())
        return max(1, self._workers)

    @property
    def waits_for(self) -> str:
        """What the games wait for, if they do."""
        return "" if self._workers or not self.pending else "waiting for workers"

    def _wait_for_workers(self, wait: float) -> None:
        if self.client.nthreads():
            return
        self.say(f"Waiting for a worker at {self.address}…")
        try:
            self.client.wait_for_workers(1, timeout=wait)
        except TimeoutError:
            raise KibitzError(
                f"The scheduler at {self.address} has no workers after {wait:.0f} seconds. Start some with "
                f"`dask worker {self.address}`, then run the same command again; nothing is lost."
            ) from None

    def prepare(self, matches: Sequence[Match]) -> None:
        """Refuse workers with other code, by name, before a game is played. They load and compile what they lack."""
        key = tuple(sorted({(match.game_name, spec.name) for match in matches for spec in match.specs}))
        if key in self.prepared:
            return
        names = ", ".join(dict.fromkeys(name for match in matches for name in match.seats))
        notice = threading.Timer(PATIENCE, self.say, [f"The workers load and compile {fit(names, 80)}…"])
        notice.start()
        try:
            found = self._on_every_worker(packed(matches))
        finally:
            notice.cancel()
        wrong = {address: text for address, text in found.items() if text}
        if wrong:
            named = "; ".join(f"the worker {address} {text}" for address, text in sorted(wrong.items()))
            raise KibitzError(
                f"Not all workers can play this: {named}. Install the same versions there and restart these workers, "
                f"then run the same command again. No game was played."
            )
        if not self.prepared:
            self.say(f"{counted(len(found), 'worker')} with {counted(self.workers, 'thread')} ready.")
        self.prepared.add(key)

    def _on_every_worker(self, load: bytes) -> dict[str, str]:
        """What every worker answers to `check_worker`. One that is gone meanwhile does not count."""
        try:
            asked = {
                address: self.client.submit(check_worker, load, workers=[address], pure=False)
                for address in self.client.nthreads()
            }
            found = {}
            for address, answer in asked.items():
                while not answer.done() and address in self.client.nthreads():
                    with contextlib.suppress(TimeoutError):
                        answer.result(timeout=COUNT_INTERVAL)
                if answer.done():
                    found[address] = answer.result()
        except (OSError, TimeoutError, RuntimeError, AttributeError):
            raise self.lost() from None
        return found

    def lost(self) -> KibitzError:
        return KibitzError(
            f"The scheduler at {self.address} cannot be reached any more. Start it and its workers again, then resume."
        )

    def submit(self, task: Task, matches: Sequence[Match], *arguments: Any) -> Future[Any]:
        found: Future[Any] = Future()
        found.set_running_or_notify_cancel()
        load = packed(matches)
        try:
            there = self.client.submit(
                play_there, load, pickle.dumps((task, arguments)), pure=False, retries=RETRIES, priority=0
            )
        except Exception:
            found.set_exception(self.lost())
            return found
        with self.lock:
            self.pending.add(there)
        there.add_done_callback(lambda done: self._hand_on(done, found))
        return found

    def _hand_on(self, there: Any, found: Future[Any]) -> None:
        """Hand on the result of a task that is done, or why there is none."""
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        try:
            found.set_result(there.result())
        except WrongVersionError as error:
            found.set_exception(
                KibitzError(f"{error}. Install the same version there and restart it, then resume; nothing is lost.")
            )
        except KilledWorker as error:
            found.set_exception(
                KibitzError(
                    f"{RETRIES + 1} workers died with the same games ({error}). They may lack memory; what was played "
                    f"before is kept."
                )
            )
        except KibitzError as error:
            found.set_exception(error)
        except (CancelledError, OSError, TimeoutError, RuntimeError):
            found.set_exception(self.lost())
        except Exception as error:
            found.set_exception(error)
        finally:
            with self.lock:
                self.pending.discard(there)

    def stop(self) -> None:
        with self.lock:
            pending, self.pending = list(self.pending), set()
        with contextlib.suppress(Exception):
            if pending:
                self.client.cancel(pending, force=True)
        with contextlib.suppress(Exception):
            self.client.close(timeout=0.5)  # a command that is stopped has little time


def connected(address: str) -> "Client":
    import dask
    from distributed import Client

    quiet = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    for name in ("asyncio", *quiet):  # what they would print, with tracebacks, is reported in a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    dask.config.set({"distributed.comm.timeouts.connect": CONNECT, "distributed.client.scheduler-info-interval": "1s"})
    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise KibitzError(
            f"There is no Dask scheduler at {address} ({error}). Start one with `dask scheduler` and name the address "
            f"that it prints, such as tcp://127.0.0.1:8786. Nothing was played."
        ) from None


# What travels


def packed(matches: Sequence[Match]) -> bytes:
    """Matches, the files of their agents, and the versions of all that they need."""
    files = {str(path): path.read_bytes() for match in matches for spec in match.specs for path in spec.files()}
    versions = versions_of(matches)
    return pickle.dumps((list(matches), files, versions, os.getcwd()))  # noqa: PTH109


def versions_of(matches: Sequence[Match]) -> dict[str, str]:
    """The version of everything that the games depend on, by a name for people."""
    versions = {"kibitz": __version__}
    for match in matches:
        versions |= parts_of(match)
    return versions


# On a worker


@lru_cache(maxsize=512)
def unpacked(load: bytes) -> tuple[Match, ...]:
    """The matches, prepared, if this process has the code that they need."""
    matches, files, versions, _ = pickle.loads(load)
    places = {name: written(Path(name), content) for name, content in files.items()}
    ready = [moved(match, places).prepared() for match in matches]
    here = versions_of(ready)
    other = [name for name, version in versions.items() if here.get(name) != version]
    if other:
        raise WrongVersionError(different(other, versions, here))
    return tuple(ready)


def different(other: Sequence[str], versions: dict[str, str], here: dict[str, str]) -> str:
    if "kibitz" in other:
        return f"has kibitz {here['kibitz']} instead of {versions['kibitz']}"
    return f"has another version of {', '.join(other)}"


def written(path: Path, content: bytes) -> Path:
    """The file of a bot on this worker, in a folder named by its contents. It is executed: nobody else may write it."""
    folder = private_folder("bots") / blake2b(content, digest_size=8).hexdigest()
    make_private(folder)
    place = folder / path.name
    try:
        if read_private(place) == content:
            return place
    except OSError:  # it is not there, or not to be trusted
        pass
    draft = folder / f"{path.name}.{os.getpid()}.{threading.get_ident()}"
    draft.write_bytes(content)
    draft.replace(place)
    return place


def moved(match: Match, places: dict[str, Path]) -> Match:
    """The match with its agents made from files of this worker."""
    return replace(match, specs=tuple(moved_spec(spec, places) for spec in match.specs), loaded=(), local_game=None)


def moved_spec(spec: AgentSpec, places: dict[str, Path]) -> AgentSpec:
    def there(name: str) -> str:
        file, colon, member = name.rpartition(":")
        if name in places:
            return str(places[name])
        return f"{places[file]}{colon}{member}" if file in places else name

    models = tuple(moved_spec(model, places) for model in spec.models)
    weights_file, book = (str(places[file]) if file in places else file for file in (spec.weights_file, spec.book))
    return msgspec.structs.replace(
        spec, name=there(spec.name), weights_file=weights_file, book=book, models=models, digests=()
    )  # fmt: skip


def check_worker(load: bytes) -> str:
    """Prepare for games on this worker: an empty text, or why it cannot play them."""
    try:
        unpacked(load)
    except WrongVersionError as error:
        return str(error)
    except Exception as error:
        return f"cannot load the agents: {error}"
    return ""


def play_there(load: bytes, work: bytes) -> Any:
    """Play a chunk on this worker."""
    try:
        matches = unpacked(load)
    except WrongVersionError as error:
        raise WrongVersionError(f"The worker {worker_name()} {error}") from None
    task, arguments = pickle.loads(work)
    elsewhere = PlayElsewhere()

    def play_deals(match: Match, rotation: int, deals: Any) -> Any:
        if match.compiled:
            return play_compiled(match, rotation, deals)
        return (elsewhere if match.has_bots else play_here_or_compiled)(match, rotation, deals)

    try:
        return task(matches, play_deals, *arguments)
    finally:
        elsewhere.stop()


def worker_name() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return f"of process {os.getpid()}"
