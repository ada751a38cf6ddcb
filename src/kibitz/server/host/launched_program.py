"""Programs that the host starts and stops, one per seat."""

import asyncio
import contextlib
import os
import shlex
import signal
import tempfile
from typing import IO

from kibitz.errors import KibitzError

GRACE = 1.0  # seconds for a program to exit after SIGTERM
SHOWN = 2000  # bytes of a program's last output


class LaunchedProgram:
    """A program in a process of its own; its output is kept to explain a failure."""

    def __init__(self, command: str, port: int) -> None:
        self.command, self.port = command, port
        self.process: asyncio.subprocess.Process | None = None
        self.output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.returncode is None

    @property
    def failed(self) -> bool:
        return self.process is not None and self.process.returncode not in (None, 0)

    async def start(self) -> None:
        """Start the program, unless it is still running from an earlier game."""
        if self.running:
            return
        await self.stop()
        where = {"host": "127.0.0.1", "port": str(self.port)}
        words = [with_place(word, where) for word in shlex.split(self.command)]
        environment = {**os.environ, "KIBITZ_HOST": where["host"], "KIBITZ_PORT": where["port"]}
        try:
            self.process = await asyncio.create_subprocess_exec(
                *words, stdin=asyncio.subprocess.DEVNULL, stdout=self.output, stderr=self.output,
                env=environment, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise KibitzError(f"{self.command!r} cannot be started: {error.strerror}.") from None

    async def died(self) -> str:
        """Wait until it exits. Returns how it did."""
        assert self.process is not None
        code = await self.process.wait()
        how = f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"
        return f"{self.command!r} {how}.{self.last_words()}"

    def last_words(self) -> str:
        self.output.seek(0, os.SEEK_END)
        self.output.seek(max(0, self.output.tell() - SHOWN))
        said = self.output.read().decode(errors="replace").strip()
        return f" The last it said: {said}" if said else " It said nothing."

    async def stop(self) -> None:
        """Stop the program and everything it started: SIGTERM, then SIGKILL."""
        process, self.process = self.process, None
        if process is None:
            return
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, sign)
            except (ProcessLookupError, PermissionError):
                break  # no process is left
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await process.wait()
        await process.wait()

    async def end(self) -> None:
        """Stop the program for good and drop its output."""
        await self.stop()
        self.output.close()


def with_place(word: str, where: dict[str, str]) -> str:
    """A word of a command with {host} and {port} filled in; other braces are left as they are."""
    for name, value in where.items():
        word = word.replace("{" + name + "}", value)
    return word
