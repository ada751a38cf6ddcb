"""Text of somebody else's making, made fit to be shown on any terminal, sent as JSON and kept in a file."""

import re
from typing import Any

MOST_LETTERS = 2_000  # of one text: a reason is a sentence or two, and is sent to every page at a table

# Control characters could drive a terminal; half of a surrogate pair can be encoded nowhere. Tabs and new lines stay.
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def fit(text: str, most: int = MOST_LETTERS) -> str:
    """The text with `�` for what cannot be written, and cut if it is too long, which it then says."""
    cut = f"… (cut: it has {len(text):,} characters)" if len(text) > most else ""
    return UNFIT.sub("�", text[:most]) + cut


def text_of(value: Any, form: Any = str) -> str:
    """`str` or `repr` of anything, also of what fails to have one."""
    try:
        return fit(form(value))
    except Exception:
        return "(its text cannot be had)"


def error_text(error: BaseException) -> str:
    """What went wrong, in one line: the kind of error, and what it says."""
    words = text_of(error)
    return f"{fit(type(error).__name__)}: {words}" if words else fit(type(error).__name__)
