"""Charts of a study: the gain of every trial, and the importance of the weights.

Matplotlib is slow to load, so it is imported only where a chart is drawn.
"""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import optuna
from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances
from optuna.trial import FrozenTrial, TrialState, create_trial

from kibitz.arena.charts import GREY, save
from kibitz.extras import need
from kibitz.learn.tuning import Tuning, Verdict, stopped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST_TRIALS = 20  # for importances that mean anything


def importances(trials: Sequence[FrozenTrial]) -> dict[str, float]:
    """The importance of each weight for being among the better trials, by PED-ANOVA; they add up to 1."""
    study = optuna.create_study(direction="maximize")
    for trial in trials:
        study.add_trial(
            create_trial(
                state=TrialState.COMPLETE, value=trial.value, params=trial.params, distributions=trial.distributions
            )
        )
    return get_param_importances(study, evaluator=PedAnovaImportanceEvaluator())


def about(tuning: Tuning) -> str:
    plan = tuning.plan
    against = f" against {', '.join(plan.against)}" if plan.against else ""
    return f"{plan.agent}, {plan.players} players{against}, {tuning.sampler}, seed {plan.seed}"


def convergence(tuning: Tuning, verdict: Verdict | None) -> "Figure":
    """The gain of every trial over the original weights, the best so far, and the winner's gain on holdout deals."""
    need("charts")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    trials = tuning.study.trials
    gains = [trial.value or 0.0 for trial in trials]
    whole = [not stopped(trial) for trial in trials]
    figure = Figure(figsize=(6.8, 3.6), layout="constrained")
    axes = figure.subplots()
    for kind, colour, size, label in ((False, "0.72", 5, "stopped early"), (True, "#0072B2", 10, "played all deals")):
        places = [place for place, each in enumerate(whole) if each == kind]
        axes.scatter(places, [gains[place] for place in places], s=size, color=colour, label=label, linewidths=0)
    best = list(accumulate((gain if full else 0.0 for gain, full in zip(gains, whole, strict=True)), max))
    axes.step(range(len(best)), best, where="post", color="black", lw=1.2, label="best so far")
    if verdict is not None:
        axes.axhspan(verdict.difference.low, verdict.difference.high, color="#D55E00", alpha=0.3, lw=0)
        axes.axhline(verdict.gain, color="#D55E00", lw=1.2, label="winner on holdout deals")
    span = max([abs(verdict.gain) if verdict else 0.0, *best, 0.01])
    axes.set_ylim(-2.0 * span, 1.35 * span)  # the worst trials are cut off
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8.5)
    axes.set_xlabel("trial", color=GREY)
    axes.set_ylabel("gain in share of games" if tuning.objective.game.competitive else "gain in points", color=GREY)
    axes.legend(fontsize=7.5, frameon=False, loc="lower right")
    axes.set_title("What tuning gained", loc="left", weight="bold", pad=20)
    axes.annotate(about(tuning), (0, 1), (0, 6), "axes fraction", textcoords="offset points", fontsize=8, color=GREY)
    return figure


def importance(tuning: Tuning, shares: dict[str, float]) -> "Figure":
    """The importance of the weights, the highest first."""
    need("charts")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 0.6 + 0.24 * len(shares)), layout="constrained")
    axes = figure.subplots()
    names, values = list(shares), [100 * share for share in shares.values()]
    axes.barh(range(len(names)), values, 0.72, color="#0072B2")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    for place, value in enumerate(values):
        axes.annotate(f"{value:.0f}", (value, place), (3, 0), textcoords="offset points", va="center", fontsize=7.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8, length=0)
    axes.set_xlabel("importance in % (PED-ANOVA)", color=GREY)
    axes.set_title("Which weights mattered", loc="left", weight="bold", pad=20)
    axes.annotate(about(tuning), (0, 1), (0, 6), "axes fraction", textcoords="offset points", fontsize=8, color=GREY)
    return figure


def draw(tuning: Tuning, verdict: Verdict | None, folder: Path) -> list[Path]:
    files = save(convergence(tuning, verdict), folder / "convergence")
    if tuning.finished >= FEWEST_TRIALS and len(tuning.plan.start) > 1:
        files += save(importance(tuning, importances(tuning.study.trials)), folder / "importance")
    return files
