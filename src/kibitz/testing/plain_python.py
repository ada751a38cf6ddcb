"""The same check in another process under `NUMBA_DISABLE_JIT=1`.

It runs first, because plain Python raises an IndexError where machine code would read or write past an array.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.testing.check import Report, check_game
from kibitz.testing.position import CheckError

IN_PLAIN_PYTHON = "In plain Python (NUMBA_DISABLE_JIT=1), which checks every index: "


def named_game(where: str) -> Game:
    """A game by its name, or by its place `package.module:NAME` before it is installed."""
    if ":" not in where:
        return registry.game(where)
    found = registry.load_from(where)
    if not isinstance(found, Game):
        raise KibitzError(f"{where} is {found!r}, which is not a Game. Name an instance of your subclass of Game.")
    return found


def check_in_plain_python(where: str, games: int, seed: int, progress: Callable[[Report], None]) -> Report:
    """Run the check in another process, which prints a line of JSON per game and at the end a report or a fault."""
    command = [sys.executable, "-m", "kibitz.testing.plain_python", where, str(games), str(seed)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        last: Any = None
        try:
            for line in process.stdout:
                last = msgspec.json.decode(line, type=Report | str)  # a fault is a text
                if isinstance(last, Report):
                    progress(last)
        except BaseException:  # the check was stopped
            process.kill()
            raise
    if isinstance(last, str):
        raise CheckError(IN_PLAIN_PYTHON + last)
    if process.returncode or last is None:
        raise CheckError(f"{IN_PLAIN_PYTHON}the process ended with exit code {process.returncode}.")
    return last


def same_games(plain: Report, compiled: Report) -> None:
    if plain.digest != compiled.digest:
        raise CheckError(
            f"{compiled.game}: the same moves lead to different states in machine code and in plain Python "
            f"(NUMBA_DISABLE_JIT=1). A number may overflow its field, or an index may lie outside its array."
        )


def main(where: str, games: str, seed: str) -> None:
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # a terminal sends Ctrl-C to both processes; the first one ends this one

    def send(message: Report | str) -> None:
        print(msgspec.json.encode(message).decode(), flush=True)

    try:
        send(check_game(named_game(where), games=int(games), seed=int(seed), progress=send))
    except KibitzError as error:
        send(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
