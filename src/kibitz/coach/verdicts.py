"""When a loss is called a mistake, and how losses become an accuracy in per cent.

The constants stand beside the fit that made them.
"""

import math
from enum import StrEnum

from kibitz.core.coaching import Evaluation

Z95 = 1.96


class Verdict(StrEnum):
    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"
    GOOD = ""
    EXCELLENT = "excellent"
    ONLY_MOVE = "only move"


WRONG = (Verdict.INACCURACY, Verdict.MISTAKE, Verdict.BLUNDER)
# By unit: the least loss of an inaccuracy, a mistake and a blunder.
THRESHOLDS = {"points": (0.1, 0.5, 1.5), "wins": (0.02, 0.1, 0.2), "search points": (30.0, 100.0, 300.0)}
# By unit: how far the best move must be ahead of all others to be excellent, or the only move.
MARGINS = {"points": (0.5, 1.5), "wins": (0.1, 0.2), "search points": (100.0, 300.0)}
# Accuracy is 100 exp(−loss per decision / scale). With 1.5 points the median of 50 games of real people is 73 %, and
# with the thresholds above 14 % of their 1,253 decisions are inaccuracies, 13 % mistakes and 5 % blunders
# (`benchmarks/review.py people`, seed 1). The other units' constants are not fitted to anything yet.
SCALES = {"points": 1.5, "wins": 0.1, "search points": 100.0}


def verdict_of(found: Evaluation, unit: str) -> Verdict:
    """The verdict on a decision: only where the whole 95 % interval lies beyond a threshold."""
    if len(found.worths) < 2:
        return Verdict.GOOD
    if found.best == found.chosen:
        surely = found.margin - Z95 * found.margin_error
        excellent, only = MARGINS[unit]
        return Verdict.ONLY_MOVE if surely > only else Verdict.EXCELLENT if surely > excellent else Verdict.GOOD
    surely = found.loss - Z95 * found.error
    for verdict, least in reversed(list(zip(WRONG, THRESHOLDS[unit], strict=True))):
        if surely > least:
            return verdict
    return Verdict.GOOD


def is_doubtful(found: Evaluation, unit: str) -> bool:
    """Whether more playouts could change the verdict: some threshold lies within the interval.

    If the chosen move seemed the best, but another was ahead in new worlds, it may have been a mistake.
    """
    if len(found.worths) < 2:
        return False
    if found.best == found.chosen:
        return found.margin < 0.0 and -found.margin + Z95 * found.margin_error > THRESHOLDS[unit][1]
    low, high = found.loss - Z95 * found.error, found.loss + Z95 * found.error
    return any(low <= least < high for least in THRESHOLDS[unit])


def accuracy_of(lost: float, decisions: int, unit: str) -> float:
    """The accuracy of a number of decisions that lost this much in all, in per cent."""
    return 100.0 * math.exp(-max(lost, 0.0) / max(decisions, 1) / SCALES[unit])
