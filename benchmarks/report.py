"""Lines of the table: the measurement, its comparison, and whether the target is met."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.table import Table
from timing import Rates

NONE = "—"


@dataclass(frozen=True)
class Line:
    what: str
    ours: str
    rival: str = NONE
    ratio: str = NONE
    wanted: str = NONE
    met: bool | None = None  # None: nothing was wanted, or nothing could be measured
    figures: dict[str, Any] = field(default_factory=dict)  # the same as numbers


def short(number: float) -> str:
    """Three figures, in millions where there are any: 9.41 M, 68,300, 22.6."""
    if number >= 1e6:
        return f"{number / 1e6:.3g} M"
    digits = 10 ** max(len(str(int(number))) - 3, 0)
    return f"{round(number / digits) * digits:,}" if number >= 100 else f"{number:.3g}"


def spoken(rates: Rates, unit: str) -> str:
    return f"{short(rates.best)} {unit} (median {short(rates.median)})"


def ratio_line(what: str, ours: Rates, rival: Rates, rival_name: str, unit: str, wanted: float | None = None) -> Line:
    """Ours against a rival that took turns with it: the median of the rounds' ratios, and how far they spread."""
    ratios = ours.over(rival)
    return Line(
        what,
        spoken(ours, unit),
        f"{rival_name}: {spoken(rival, unit)}",
        f"{short(ratios.median)} × ({short(min(ratios.rounds))}–{short(ratios.best)})",
        f"≥ {short(wanted)} ×" if wanted else NONE,
        ratios.median >= wanted if wanted else None,
        {"unit": unit, "ours": ours.rounds, "rival": rival.rounds, "ratios": ratios.rounds, "wanted": wanted},
    )


def rate_line(what: str, ours: Rates, unit: str, wanted: float | None = None, reported: str = NONE) -> Line:
    """Ours against a fixed mark. What others reported of their own machines makes no ratio."""
    return Line(
        what,
        spoken(ours, unit),
        reported,
        wanted=f"≥ {short(wanted)} {unit}" if wanted else NONE,
        met=ours.best >= wanted if wanted else None,
        figures={"unit": unit, "ours": ours.rounds, "wanted": wanted},
    )


def limit_line(what: str, ours: float, unit: str, wanted: float, beside: str = NONE, **more: Any) -> Line:
    """Something that is to stay small."""
    figures = {"unit": unit, "ours": ours, "wanted": wanted, **more}
    return Line(what, f"{short(ours)} {unit}", beside, NONE, f"< {short(wanted)} {unit}", ours < wanted, figures)


def unmeasured(what: str, why: str) -> Line:
    return Line(what, f"not measured: {why}")


def drawn(lines: Sequence[Line]) -> Table:
    table = Table(header_style="bold")
    table.add_column("what")
    table.add_column("ours")
    table.add_column("rival")
    table.add_column("ratio (min–max)")
    table.add_column("wanted", no_wrap=True)
    table.add_column("met")
    words = {True: "[green]yes[/]", False: "[red]no[/]", None: NONE}
    for line in lines:
        table.add_row(line.what, line.ours, line.rival, line.ratio, line.wanted, words[line.met])
    return table


def as_figures(lines: Sequence[Line]) -> list[dict[str, Any]]:
    return [asdict(line) for line in lines]
