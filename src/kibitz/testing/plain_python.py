"""The same check in another process under `NUMBA_DISABLE_JIT=1`.

Plain Python raises an IndexError where machine code would read or write past an array, so this goes first.
"""

import os
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

IN_PLAIN_PYTHON = "In plain Python (NUMBA_DISABLE_JIT=1), where every index is checked: "


def named_game(where: str) -> Game:
    """A game by its name, or one that is not installed yet by where it is: `package.module:NAME`."""
    if ":" not in where:
        return registry.game(where)
    found = registry.load_from(where)
    if not isinstance(found, Game):
        raise KibitzError(f"{where} is {found!r}, which is not a Game. Name an instance of your subclass of Game.")
    return found


def check_in_plain_python(where: str, games: int, seed: int, progress: Callable[[Report], None]) -> Report:
    """The report of another process. It writes a line of JSON for every game, and the fault if it finds one."""
    command = [sys.executable, "-m", "kibitz.testing.plain_python", where, str(games), str(seed)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        last: Any = None
        for line in process.stdout:
            last = msgspec.json.decode(line, type=Report | str)  # a fault is a text
            if isinstance(last, Report):
                progress(last)
    if isinstance(last, str):
        raise CheckError(IN_PLAIN_PYTHON + last)
    if process.returncode or last is None:
        raise CheckError(f"{IN_PLAIN_PYTHON}the process ended with code {process.returncode}.")
    return last


def same_games(plain: Report, compiled: Report) -> None:
    if plain.digest != compiled.digest:
        raise CheckError(
            f"{compiled.game}: machine code and plain Python (NUMBA_DISABLE_JIT=1) play the same moves to different "
            f"ends. A number may overflow its field, or an index lie outside an array."
        )


def main(where: str, games: str, seed: str) -> None:
    def tell(said: Report | str) -> None:
        print(msgspec.json.encode(said).decode(), flush=True)

    try:
        tell(check_game(named_game(where), games=int(games), seed=int(seed), progress=tell))
    except KibitzError as error:
        tell(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
