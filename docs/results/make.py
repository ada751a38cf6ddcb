"""Play every experiment again and write what came of it: a page each, and the table of the README. `make results`.

If it is killed, it goes on where it was. With names of experiments, only those are played.
"""

import sys
from pathlib import Path

from kibitz.arena import experiment
from kibitz.arena.statistics import Z95
from kibitz.cli.reproduce import Telling, write_page
from kibitz.cli.terminal import err, workers

HERE = Path(__file__).parent
README = HERE.parents[1] / "README.md"
GAMES, SEED = 10_000, 0
SHOWN = "jarzabek-leja-2020"


def games_of(paper: experiment.Experiment) -> int:
    """Rounds of Love Letter are short, and a share needs more of them than a mean score."""
    return 100_000 if paper.pairings else GAMES


def readme_table(rows: list[experiment.Row]) -> str:
    """Self-play means by agent and number of players: ours, and in brackets theirs."""
    lines = ["| agent | 2 players | 3 players | 4 players | 5 players |", "|---|---|---|---|---|"]
    by_agent: dict[str, dict[int, str]] = {}
    for row in rows:
        if row.ours is not None and row.theirs is not None and len(set(row.seats)) == 1:
            cell = f"{row.ours.mean:.2f} ± {Z95 * (row.ours.stderr or 0):.2f} ({row.theirs.mean:.2f})"
            by_agent.setdefault(row.seats[0], {})[len(row.seats)] = cell
    for agent, cells in by_agent.items():
        lines.append(f"| `{agent}` | " + " | ".join(cells.get(players, "") for players in (2, 3, 4, 5)) + " |")
    return "\n".join(lines)


def fill_readme(table: str) -> None:
    begin, end = "<!-- results: made by make results -->", "<!-- end of results -->"
    before, _, rest = README.read_text().partition(begin)
    README.write_text(f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}")


def main() -> None:
    runs: list[Telling] = []
    for name in sys.argv[1:] or experiment.names():
        paper = experiment.read(name)
        rows: list[experiment.Row | experiment.Won] = []
        run = experiment.Run(paper, games_of(paper), SEED, workers(None)).keeping()
        telling = Telling(run)
        for row in run.played():
            telling.tell()
            err.print(f"{name}: {row.label}: {row.verdict}")
            rows.append(row)
        write_page(HERE / f"{name}.md", name, paper, rows, games_of(paper), SEED)
        if name == SHOWN:
            fill_readme(readme_table([row for row in rows if isinstance(row, experiment.Row)]))
        runs.append(telling)
    for telling in runs:
        telling.finish()


if __name__ == "__main__":
    main()
