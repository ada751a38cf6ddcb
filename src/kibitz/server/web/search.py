"""Search for tables by people, bots, game or table id, in any script and case."""

import unicodedata
from collections.abc import Sequence
from typing import Any

MOST_TERMS = 8  # further words of a search are ignored


def folded(text: str) -> str:
    """Text normalized for comparison: without case, and with one encoding for each letter."""
    seen = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in text)
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def terms_of(search: str) -> list[str]:
    """The words of a search; all must match."""
    return folded(search).split()[:MOST_TERMS]


def words_of(row: dict[str, Any]) -> str:
    """The searchable texts of a lobby row, one per line."""
    seats = [seat for seat in row.get("seats", ()) if isinstance(seat, dict)]
    named = [row.get("table"), row.get("game"), row.get("title")]
    named += [seat.get(field) for seat in seats for field in ("name", "agent", "for")]
    return "\n".join(folded(name) for name in named if isinstance(name, str) and name)


def is_found(row: dict[str, Any], terms: Sequence[str]) -> bool:
    words = words_of(row) if terms else ""
    return all(term in words for term in terms)
