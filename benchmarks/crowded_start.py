"""How soon a server with thousands of finished and hundreds of unfinished games is ready.

python benchmarks/crowded_start.py             # print the figures
python benchmarks/crowded_start.py --make DIR  # only make the folder, for `kibitz serve --data DIR`
"""

import argparse
import asyncio
import random
import re
import subprocess
import tempfile
import time
from pathlib import Path

import msgspec
from report import Line, drawn, limit_line, unmeasured
from rich.console import Console
from web import KIBITZ
from websockets.sync.client import connect

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.server.live.limits import Limits
from kibitz.server.live.storage import StoredTable
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService, moves_made
from kibitz.server.live.table_state import Seat
from kibitz.server.live.tokens import digest
from kibitz.server.live.warmup import usual_level
from kibitz.server.web.sqlite_store import SqliteStore

FINISHED, UNFINISHED = 5000, 300
MOST_MOVES = 60  # of a game that stops in the middle
PATTERNS = 40  # different games, each stored many times
READY = 2.0  # seconds
PORT = re.compile(r":(\d+)/")


def stopped(game: Game, seed: int, moves: int | None) -> Table:
    """A game of random moves, to its end or to a number of moves."""
    table = Table(game, [], game.deal(keys(seed), 0, game.usual_players, game.check_rules(game.table_rules)))
    dice = random.Random(seed)
    while not table.over and (moves is None or len(table.turns) < moves):
        view = table.view(table.to_move)
        table.make(Decision(game.move(dice.choice(game.choices(view))["move"], view)))
    return table


def fill(folder: Path, finished: int = FINISHED, unfinished: int = UNFINISHED) -> None:
    """Write a folder for `kibitz serve`: games of every kind, of a person and bots."""
    store = SqliteStore(folder / "tables.sqlite")
    store.writing.execute("pragma synchronous = off")
    asyncio.run(filled(store, finished, unfinished))
    store.close()


async def filled(store: SqliteStore, finished: int, unfinished: int) -> None:
    service = TableService(store, Limits(tables=10**6), titles=True)
    games = registry.games()
    dice = random.Random(0)
    patterns = [
        (game, stopped(game, seed, moves), seed)
        for game in games
        for seed in range(PATTERNS // len(games))
        for moves in (None, dice.randrange(2, MOST_MOVES))
    ]
    for over, count in ((True, finished), (False, unfinished)):
        some = [(game, core, seed) for game, core, seed in patterns if core.over == over]
        writes = []
        for number in range(count):
            game, core, seed = some[number % len(some)]
            table = laid_out(service, game, core, seed, number)
            if over:
                table.stored.finished, table.stored.summary = float(number), table.views.listing()
            writes.append(store.add(table.stored, moves_made(table)))
        await asyncio.gather(*writes)


def laid_out(service: TableService, game: Game, core: Table, seed: int, number: int) -> LiveTable:
    """A table of a person and bots, as it is after some moves."""
    bots = game.lineup(usual_level(game)).seats(game.usual_players - 1)
    seats = [Seat("person", person="Ada", token=digest("Ada")), *(Seat("bot", agent=name) for name in bots)]
    stored = StoredTable(
        id=f"{number:06}-{'over' if core.over else 'open'}", game=game.name, rules=game.check_rules(game.table_rules),
        start=game.dump_start(core.start[0]), dice=seed, seed=seed, number=0,
        seats=[msgspec.to_builtins(seat) for seat in seats], options={}, host="", created=float(number),
    )  # fmt: skip
    return LiveTable(service, stored, game, core)


def ready_after(folder: Path) -> tuple[float, float]:
    """Seconds from the command until the server listens, and until the lobby is sent."""
    command = [*KIBITZ, "serve", "--no-open", "--port", "0", "--programs", "0", "--data", str(folder)]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = PORT.search(process.stdout.readline())
        if found is None:
            raise RuntimeError("the server did not start")
        listens = time.perf_counter() - begun
        with connect(f"ws://127.0.0.1:{found[1]}/socket") as socket:
            socket.send('{"type": "hello", "version": 2}')
            socket.send('{"type": "lobby"}')
            while b'"type":"tables"' not in socket.recv(decode=False):
                pass
        return listens, time.perf_counter() - begun
    finally:
        process.terminate()
        process.communicate()


def measured() -> list[Line]:
    """The start of an empty server beside that of a crowded one."""
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-", ignore_cleanup_errors=True) as name:
        try:
            fill(Path(name) / "crowded")
            ready_after(Path(name) / "warm")  # what is compiled is read from the cache, and the files are in memory
            empty, _ = ready_after(Path(name) / "empty")
            listens, lobby = ready_after(Path(name) / "crowded")
        except (OSError, RuntimeError) as error:
            return [unmeasured("start of a crowded server", str(error))]
    what = f"start with {FINISHED:,} finished and {UNFINISHED} unfinished games"
    beside = f"empty {empty:.2f} s, ratio {listens / empty:.2f}; the lobby is sent after {lobby:.2f} s"
    return [limit_line(what, listens, "s", READY, beside, empty=empty, lobby=lobby)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", type=Path, metavar="DIR", help="make this folder, and measure nothing")
    chosen = parser.parse_args()
    if chosen.make:
        fill(chosen.make)
    else:
        Console(width=160).print(drawn(measured()))


if __name__ == "__main__":
    main()
