"""Measure speed beside OpenSpiel, and write the table of the README and of index.md: `make speed`.

With the name of a file that `benchmarks/run.py --json` wrote, its figures are used.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from make import INDEX, README, fill

ROOT = README.parent
# The lines of the benchmarks that the README shows, and what it calls them.
SHOWN = {
    "random legal play, 2 players": "random games of 2 players; OpenSpiel driven from Python",
    "random legal play, 2 players, its own loop": "random games of 2 players; OpenSpiel in its own loop in C++",
    "random legal play, 4 players, its own loop": "random games of 4 players; OpenSpiel in its own loop in C++",
    "steps at 1,024 tables of 2, observed, one thread": "environment with vectors, 2 players; OpenSpiel from Python",
}


def measured(file: Path) -> None:
    only = ("--only", "random", "--only", "environments")
    subprocess.run([sys.executable, ROOT / "benchmarks" / "run.py", *only, "--json", file], check=True)


def table(file: Path) -> str:
    figures = json.loads(file.read_text())
    lines = {line["what"]: line for line in figures["lines"]}
    rows = ["| | kibitz | OpenSpiel | ratio |", "|---|---|---|---|"]
    for what, label in SHOWN.items():
        line = lines[what]
        ours, theirs = (best(line[side]) for side in ("ours", "rival"))
        rows.append(f"| {label} | {ours} | {theirs} | {line['ratio']} |")
    load = figures["load_average"][0]
    return "\n".join(rows) + (
        "\n\nThe best of 15 rounds; the ratio is the median over the rounds, with its minimum and maximum"
        f"\n({figures['cores']} cores, load average {load:.1f})."
    )


def best(rate: str) -> str:
    """`OpenSpiel in C++: 108,000 moves/s (median 69,100)` without the name and the median."""
    return rate.rpartition(": ")[2].partition(" (")[0].replace(" M", " million")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(sys.argv[1]) if sys.argv[1:] else Path(folder) / "figures.json"
        if not sys.argv[1:]:
            measured(file)
        for page in (README, INDEX):
            fill(page, "speed", table(file), "make speed")


if __name__ == "__main__":
    main()
