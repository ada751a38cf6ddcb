"""The report of a finished run: one HTML page without links to other files, to print and to mail."""

import datetime
import shlex
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from kibitz.arena.runs import Run
from kibitz.arena.runs.folder import PLAN, read_json
from kibitz.core.whole_files import write_whole
from kibitz.text import fit

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .9rem .15rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
td.number { text-align: right; } th[role=button] { cursor: pointer; text-decoration: underline dotted; }
svg { max-width: 100%; height: auto; }
@media print { body { margin: 0; max-width: none; } th[role=button] { text-decoration: none; } }
"""
SORT = """
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  for (const heading of table.tHead.rows[0].cells) {
    heading.setAttribute("role", "button");
    heading.tabIndex = 0;
    let down = true;
    const sort = () => {
      const value = row => row.cells[heading.cellIndex].dataset.value ?? row.cells[heading.cellIndex].textContent;
      const order = (a, b) => (Number(a) - Number(b)) || a.localeCompare(b);
      const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * order(value(a), value(b)));
      down = !down;
      body.append(...rows);
    };
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  }
}
"""
BAR, HEIGHT, ROOM = 22, 160, 34  # of a bar chart, in pixels


def written(run: Run, path: Path) -> Path:
    """Write the report of a finished run."""
    write_whole(path, page(run), "The run is kept.")
    return path


def page(run: Run) -> str:
    plan, results = run.plan, run.summary
    about = read_json(run.place / PLAN)
    begun = f"{datetime.datetime.fromtimestamp(run.begun):%Y-%m-%d %H:%M}"
    parts = [f"<h1>{text(run.name)}</h1>"]
    if run.command:
        parts.append(f"<pre>kibitz {text(shlex.join(run.command))}</pre>")
    parts.append(f"<p>Begun {begun} with kibitz {text(about['version'])}.</p>")
    parts += ["<h2>Results</h2>", *sections(results), *pictures(run)]
    parts += ["<h2>Plan</h2>", *sections(plan)]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{text(run.name)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body>\n'
        + "\n".join(parts)
        + f"\n<script>{SORT}</script></body></html>\n"
    )


def sections(values: dict[str, Any]) -> list[str]:
    """Single values in one table, then a table or a chart for each list of values."""
    single = {name: value for name, value in values.items() if not is_long(value)}
    rows = "".join(f"<tr><th>{label(name)}</th><td>{shown(value)}</td></tr>" for name, value in single.items())
    parts = [f"<table><tbody>{rows}</tbody></table>"] if rows else []
    for name, value in values.items():
        if is_long(value):
            chart = name == "histogram"
            parts += [f"<h2>{'games by score' if chart else label(name)}</h2>", (bars if chart else rows_table)(value)]
    return parts


def is_long(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and (len(value) > 12 or isinstance(value[0], dict | list))


def label(name: str) -> str:
    return text(name.replace("_", " "))


def shown(value: Any) -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value))
    if isinstance(value, dict):
        return ", ".join(f"{label(name)}: {shown(each)}" for name, each in value.items())
    return text(str(value))


def rows_table(values: Sequence[Any]) -> str:
    rows = [value if isinstance(value, dict) else {"": value} for value in values]
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{label(name)}</th>" for name in names)
    body = "\n".join("<tr>" + "".join(map(cell, (row.get(name) for name in names))) + "</tr>" for row in rows)
    return f'<table class="sortable"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def cell(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td class="number" data-value="{value}">{shown(value)}</td>'
    return f"<td>{shown(value)}</td>"


def bars(counts: Sequence[int]) -> str:
    """How many games reached each score."""
    most, wide = max(*counts, 1), BAR * len(counts)
    drawn = []
    for score, count in enumerate(counts):
        high = HEIGHT * count / most
        drawn.append(
            f'<rect x="{score * BAR + 2}" y="{HEIGHT - high:.1f}" width="{BAR - 4}" height="{high:.1f}" fill="#0072b2">'
            f"<title>{score}: {count:,} games</title></rect>"
            f'<text x="{score * BAR + BAR / 2}" y="{HEIGHT + 16}" text-anchor="middle" font-size="11">{score}</text>'
        )
    size = f'viewBox="0 0 {wide} {HEIGHT + ROOM}" width="{wide}"'
    return f'<svg {size} role="img" aria-label="Games by score">{"".join(drawn)}</svg>'


def pictures(run: Run) -> list[str]:
    """The charts in the run's folder."""
    found = []
    for file in run.files(".svg"):
        drawn = file.read_text("utf-8", "replace")
        found.append(drawn[drawn.index("<svg") :] if "<svg" in drawn else "")
    return found


def text(value: str) -> str:
    return escape(fit(value))
