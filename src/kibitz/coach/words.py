"""A review in sentences."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.coach.review import Review

UNITS = {"points": "points", "wins": "of a win", "search points": "points of the search"}


def worth_text(value: float, unit: str) -> str:
    """A value without its unit."""
    return f"{100 * value:.0f} %" if unit == "wins" else f"{value:.0f}" if unit == "search points" else f"{value:.1f}"


def amount(value: float, unit: str) -> str:
    """An amount with its unit: 1.3 points, or 12 % of a win."""
    if unit == "points" and f"{value:.1f}" == "1.0":
        return "1 point"
    return f"{worth_text(value, unit)} {UNITS[unit]}"


def summary(review: "Review") -> str:
    """What the seat lost, what its partners lost, and what luck gave."""
    parts = [f"accuracy {review.accuracy:.0f} %. You lost {amount(review.lost, review.unit)}"]
    gave = "gave" if review.luck >= 0 else "took"
    luck = worth_text(abs(review.luck), review.unit)
    if review.unit == "search points":  # they say nothing about finished games
        return f"{parts[0]}."
    if review.game.competitive:
        parts.append(f"luck and opponents {gave} {luck}")
    else:
        parts += [f"your partners {worth_text(review.partners_lost, review.unit)}", f"luck {gave} {luck}"]
    return ", ".join(parts) + "."
