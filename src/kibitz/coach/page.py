"""A review as a page of HTML without links to other files."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.coach.review import Review


def body(review: "Review") -> str:
    return f"<p>{escape(repr(review))}</p>"
