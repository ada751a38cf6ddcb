"""A review in sentences."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.coach.review import Review

UNITS = {"points": "points", "wins": "of a win", "search points": "points of the search"}


def amount(value: float, unit: str) -> str:
    """An amount with its unit: 1.3 points, or 12 % of a win."""
    if unit == "wins":
        return f"{100 * value:.0f} %"
    return f"{value:.1f} {UNITS[unit]}"


def summary(review: "Review") -> str:
    """What the seat lost, what its partners lost, and what luck gave."""
    parts = [f"accuracy {review.accuracy:.0f} %. You lost {amount(review.lost, review.unit)}"]
    gave = "gave" if review.luck >= 0 else "took"
    luck = amount(abs(review.luck), review.unit)
    if review.unit == "search points":  # they say nothing about finished games
        return f"{parts[0]}."
    if review.game.competitive:
        parts.append(f"luck and opponents {gave} {luck}")
    else:
        parts += [f"your partners {review.partners_lost:.1f}", f"luck {gave} {abs(review.luck):.1f}"]
    return ", ".join(parts) + "."
