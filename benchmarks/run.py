"""Measure speed, memory and waiting, beside others where there are any, and print one table.

    python benchmarks/run.py
    python benchmarks/run.py --only random --only threads --json figures.json

Rates are the best of fifteen short rounds, with the median behind it. A ratio is the median of the
ratios of rounds in which both sides took turns; its spread stands in brackets.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import breeding
import bridge
import commands
import connect4
import crowded_start
import dicechess
import draughts
import environments
import hosting
import kriegspiel
import playing
import reviews_at_once
import rounds
import searching
import training
import tuning
import web
from report import Line, as_figures, drawn
from rich.console import Console

MEASUREMENTS: dict[str, Callable[[], list[Line]]] = {
    "random": playing.random_play,
    "agents": playing.agents_alone,
    "records": playing.record_players,
    "threads": playing.two_threads,
    "mixed": playing.mixed_table,
    "continuations": playing.continuations,
    "environments": environments.measured,
    "rounds": rounds.measured,
    "draughts": draughts.measured,
    "connect4": connect4.measured,
    "kriegspiel": kriegspiel.measured,
    "dicechess": dicechess.measured,
    "bridge": bridge.measured,
    "search": searching.iterations,
    "training": training.measured,
    "tuning": tuning.measured,
    "breeding": breeding.measured,
    "memory": commands.memory,
    "start": commands.start,
    "crowded_start": crowded_start.measured,
    "web": web.measured,
    "reviews": reviews_at_once.measured,
    "hosting": hosting.measured,
}

COMPILED = (
    "playing",
    "environments",
    "rounds",
    "draughts",
    "connect4",
    "kriegspiel",
    "dicechess",
    "searching",
    "training",
    "breeding",
)  # which compile first


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", action="append", choices=MEASUREMENTS, metavar="NAME",
        help=f"measure only this, and others named in the same way: {', '.join(MEASUREMENTS)}",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of every round to a file")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    console, aside = Console(width=None if sys.stdout.isatty() else 160), Console(stderr=True)
    load_average, cores = os.getloadavg(), os.cpu_count()
    before = ", ".join(f"{load:.2f}" for load in load_average)
    console.print(f"{cores} cores; load average before, over 1, 5 and 15 minutes: {before}", highlight=False)
    lines: list[Line] = []
    with aside.status("compiling") as status:
        # In a process of its own: code runs a tenth slower in the process that compiled it than from the cache.
        subprocess.run(
            [sys.executable, "-c", "\n".join(f"import {name}; {name}.load()" for name in COMPILED)],
            cwd=Path(__file__).parent,
            check=True,
        )
        for name in chosen.only or MEASUREMENTS:
            status.update(f"measuring: {name}")
            lines += MEASUREMENTS[name]()
    console.print(drawn(lines))
    if chosen.json:
        figures = {"cores": cores, "load_average": load_average, "lines": as_figures(lines)}
        chosen.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
