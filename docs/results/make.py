"""Replay every experiment and write its page, and the tables of the README: `make results`.

A killed run resumes. With names of experiments, only those are played.
"""

import sys
from pathlib import Path

from kibitz.arena import experiment
from kibitz.cli.reproduce import Telling, write_page
from kibitz.cli.terminal import err, workers

HERE = Path(__file__).parent
README = HERE.parents[1] / "README.md"
SHOWN = "jarzabek-leja-2020"
# Tables of one agent above its rivals: the experiments each needs.
RECORDS = {"signal": {"hat-guessing-programs"}, "search_signal": {"lerer-2020", "search-signal"}}


def readme_table(rows: list[experiment.TableRow]) -> str:
    """Self-play means by agent and number of players: ours, and in brackets theirs."""
    lines = ["| agent | 2 players | 3 players | 4 players | 5 players |", "|---|---|---|---|---|"]
    by_agent: dict[str, dict[int, str]] = {}
    for row in rows:
        if row.ours is not None and row.theirs is not None and len(set(row.seats)) == 1:
            cell = f"{row.ours.mean:.2f} ± {row.ours.estimate.half_width:.2f} ({row.theirs.mean:.2f})"
            by_agent.setdefault(row.seats[0], {})[len(row.seats)] = cell
    for agent, cells in by_agent.items():
        lines.append(f"| `{agent}` | " + " | ".join(cells.get(players, "") for players in (2, 3, 4, 5)) + " |")
    return "\n".join(lines)


def records_table(agent: str, rows: list[experiment.TableRow]) -> str:
    """One of our agents above its rivals."""
    ours: dict[int, str] = {}
    theirs: dict[str, dict[int, str]] = {}
    for row in rows:
        if row.ours is not None and row.theirs is not None and row.seats[0].partition("@")[0] == agent:
            ours[len(row.seats)] = f"**{row.ours.mean:.3f} ± {row.ours.estimate.half_width:.3f}**"
            theirs.setdefault(row.rival, {})[len(row.seats)] = f"{row.theirs.mean:.3f}"
    lines = ["| | 2 players | 3 players | 4 players | 5 players |", "|---|---|---|---|---|"]
    for name, cells in {f"`{agent}`": ours, **theirs}.items():
        lines.append(f"| {name} | " + " | ".join(cells.get(players, "") for players in (2, 3, 4, 5)) + " |")
    return "\n".join(lines)


def fill_readme(what: str, table: str) -> None:
    begin, end = f"<!-- {what}: made by make results -->", f"<!-- end of {what} -->"
    before, _, rest = README.read_text().partition(begin)
    README.write_text(f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}")


def main() -> None:
    runs: list[Telling] = []
    scores: dict[str, list[experiment.TableRow]] = {}
    for name in sys.argv[1:] or experiment.names():
        paper = experiment.read(name)
        rows: list[experiment.TableRow | experiment.PairingRow] = []
        run = experiment.Run(paper, paper.games, paper.seed, workers(None)).keeping()
        telling = Telling(run)
        for row in run.played():
            telling.tell()
            err.print(f"{name}: {row.label}: {row.verdict}")
            rows.append(row)
        write_page(HERE / f"{name}.md", name, paper, rows, paper.games, paper.seed)
        scores[name] = [row for row in rows if isinstance(row, experiment.Row)]
        if name == SHOWN:
            fill_readme("results", readme_table(scores[name]))
        runs.append(telling)
    for agent, played in RECORDS.items():
        if played <= scores.keys():
            fill_readme(
                f"records of {agent}", records_table(agent, [row for name in sorted(played) for row in scores[name]])
            )
    for telling in runs:
        telling.finish()


if __name__ == "__main__":
    main()
