"""Small texts: untrusted text made safe to print, to send as JSON and to store, and numbers with their nouns."""

import re
from typing import Any

MOST_LETTERS = 2_000  # per text: a reason is one or two sentences, and is sent to every page at a table

# Control characters could control a terminal, and half a surrogate pair cannot be encoded. Tabs and newlines are safe.
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def fit(text: str, most: int = MOST_LETTERS) -> str:
    """The text with `�` for unsafe characters; a text that is too long is cut, with a note."""
    cut = f"… (cut: it has {len(text):,} characters)" if len(text) > most else ""
    return UNFIT.sub("�", text[:most]) + cut


def text_of(value: Any, form: Any = str) -> str:
    """`str` or `repr` of any object, even if its method fails."""
    try:
        return fit(form(value))
    except Exception:
        return "(no readable text)"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: `1 game`, `1,000 games`; `nouns` is the plural if it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def error_text(error: BaseException) -> str:
    """An exception in one line: its type and message."""
    words = text_of(error)
    return f"{fit(type(error).__name__)}: {words}" if words else fit(type(error).__name__)
