"""A real Dask scheduler and real workers on this computer, in processes that tests kill."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.waiting import until


class LocalCluster:
    """A scheduler; workers are added one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers = folder, list[subprocess.Popen[bytes]]()
        place = folder / "scheduler.json"
        self.log = (folder / "cluster.log").open("wb")
        self.scheduler = self._started(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter",
            "--scheduler-file", str(place),
        )  # fmt: skip
        until(place.exists, "the scheduler")
        until(lambda: place.read_text().endswith("}"), "the scheduler's address")
        self.address = str(json.loads(place.read_text())["address"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self.log.close()

    def add_worker(self, *setup: str) -> subprocess.Popen[bytes]:
        """Start a worker with one thread; `setup` is Python that it executes first."""
        worker = self._started(
            "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--local-directory", str(self.folder), "--memory-limit", "0", setup=setup,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def _started(self, module: str, *words: str, setup: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        begin = "; ".join([*setup, "import runpy, sys", f"sys.argv = {[module, *words]!r}"])
        script = f"{begin}; runpy.run_module({module!r}, run_name='__main__')"
        return subprocess.Popen([sys.executable, "-c", script], stdout=self.log, stderr=self.log, cwd=self.folder)
