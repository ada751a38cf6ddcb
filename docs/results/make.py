"""Replay every experiment and write its page, then the tables of index.md and of the README: `make results`.

A killed run resumes. With names of experiments, only those are played.
"""

import re
import sys
from pathlib import Path

from kibitz.arena import experiment
from kibitz.arena.report import their_mean, write_page
from kibitz.arena.runs import Run, begin
from kibitz.cli.options import workers
from kibitz.cli.terminal import err

HERE = Path(__file__).parent
INDEX = HERE / "index.md"
README = HERE.parents[1] / "README.md"
SHOWN = "jarzabek-leja-2020"
# Tables of one agent above its rivals: the experiments each needs.
RECORDS = {
    "signal": {"hat-guessing-programs", "forkel-foerster-2025"},
    "search_signal": {"lerer-2020", "search-signal"},
}
# The rows of index.md that the README shows, and what it calls them.
STRENGTH = {
    "`signal`": "`signal`: neither learns nor searches",
    "hanabi.rs": "hanabi.rs, a program of the same idea",
    "policy of Forkel & Foerster": "best learnt policy (Forkel & Foerster 2025)",
    "`search_signal`": "`search_signal`: 10 to 20 ms per move",
    "both seats searching": "learnt policy with search (Lerer et al. 2020)",
    "both seats searching, networks fine-tuned": "with search, fine-tuning networks (Fickinger et al. 2021)",
}
HEAD = ("| | 2 players | 3 players | 4 players | 5 players |", "|---|---|---|---|---|")


def self_play_table(rows: list[experiment.TableRow]) -> str:
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
            theirs.setdefault(row.rival, {})[len(row.seats)] = their_mean(row, 3)
    lines = [*HEAD]
    for name, cells in {f"`{agent}`": ours, **theirs}.items():
        lines.append(f"| {name} | " + " | ".join(cells.get(players, "") for players in (2, 3, 4, 5)) + " |")
    return "\n".join(lines)


def strength_table(index: str) -> str:
    """Rows of the tables of index.md, under one head."""
    rows = dict(re.findall(r"^\| (.+?) \| (2\d\..*|\*\*.*)$", index, re.MULTILINE))
    return "\n".join([*HEAD, *(f"| {label} | {rows[name]}" for name, label in STRENGTH.items())])


def fill(page: Path, what: str, table: str, command: str = "make results") -> None:
    begin, end = f"<!-- {what}: made by {command} -->", f"<!-- end of {what} -->"
    before, _, rest = page.read_text().partition(begin)
    page.write_text(f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}")


def main() -> None:
    runs: list[tuple[Run, dict[str, object]]] = []
    scores: dict[str, list[experiment.TableRow]] = {}
    for name in sys.argv[1:] or experiment.names():
        paper = experiment.read(name)
        rows: list[experiment.TableRow | experiment.PairingRow] = []
        plan = experiment.Run(paper, paper.games, paper.seed, workers(None))
        kept = begin("reproduce", plan.plan(), name)
        run = plan.keeping(kept)
        for row in run.played():
            err.print(f"{name}: {row.label}: {row.verdict}")
            rows.append(row)
        write_page(HERE / f"{name}.md", name, paper, rows, paper.games, paper.seed)
        scores[name] = [row for row in rows if isinstance(row, experiment.TableRow)]
        if name == SHOWN:
            fill(INDEX, "results", self_play_table(scores[name]))
        assert run.matches is not None
        run.matches.finish()
        runs.append((kept, {"experiment": name, "rows": [row.as_json() for row in rows]}))
    for agent, played in RECORDS.items():
        if played <= scores.keys():
            rows_of_all = [row for name in sorted(played) for row in scores[name]]
            fill(INDEX, f"records of {agent}", records_table(agent, rows_of_all))
    fill(README, "strength", strength_table(INDEX.read_text()))
    for kept, results in runs:  # only now: if this is killed, none of them is played again
        kept.finish(results)
        kept.release()


if __name__ == "__main__":
    main()
