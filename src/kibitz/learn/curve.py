"""A learning curve, as a chart and as text for the terminal."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kibitz.arena.charts import GREY
from kibitz.extras import need

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.learn.training import Point

BARS = "▁▂▃▄▅▆▇█"


def in_letters(values: Sequence[float], width: int = 48) -> str:
    """The values as a row of bars from the lowest to the highest, thinned out if they do not fit."""
    if not values:
        return ""
    step = max(1.0, len(values) / width)
    shown = [values[min(int((place + 1) * step) - 1, len(values) - 1)] for place in range(min(width, len(values)))]
    low, span = min(shown), max(shown) - min(shown) or 1.0
    return "".join(BARS[round((value - low) / span * (len(BARS) - 1))] for value in shown)


def learning_curve(curve: "Sequence[Point]", title: str, plan: Mapping[str, Any]) -> "Figure":
    need("charts")
    from matplotlib.figure import Figure

    games = [point.games for point in curve]
    figure = Figure(figsize=(6.8, 3.4), layout="constrained")
    axes = figure.subplots()
    axes.plot(
        games, [point.trained for point in curve], color="#E69F00", lw=1.2, ls=(0, (4, 2)), label="while training"
    )
    best = [point.judged for point in curve]
    axes.plot(games, best, color="#0072B2", lw=1.6, label="without exploration")
    axes.fill_between(
        games, [p.judged - p.half_width for p in curve], [p.judged + p.half_width for p in curve],
        color="#0072B2", alpha=0.2, lw=0,
    )  # fmt: skip
    axes.set_xlabel("games", color=GREY)
    axes.set_ylabel("mean score", color=GREY)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8.5)
    axes.legend(frameon=False, fontsize=8.5, loc="lower right")
    words = {name: ", ".join(map(str, plan.get(name, ()))) for name in ("players", "partners")}
    about = "; ".join(f"{name} {value}" for name, value in words.items() if value)
    note = f"{about}; seed {plan.get('seed')}; the band is the 95 % interval"
    figure.text(0.01, 1.02, note, fontsize=8, color=GREY, va="bottom")
    figure.text(0.01, 1.08, title, fontsize=11.5, weight="bold", va="bottom")
    return figure
