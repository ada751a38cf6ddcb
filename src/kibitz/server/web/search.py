"""Searching tables: by the names of people and bots, by the game, by the table's id; in any script and case."""

import unicodedata
from collections.abc import Sequence
from typing import Any

MOST_TERMS = 8  # words of a search; what is said beyond them narrows nothing down


def folded(text: str) -> str:
    """Text as it is compared: without case and without differences of how letters are encoded."""
    seen = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in text)
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def terms_of(search: str) -> list[str]:
    """The words of a search, all of which must be found."""
    return folded(search).split()[:MOST_TERMS]


def words_of(row: dict[str, Any]) -> str:
    """All by which a row of the lobby is found, a line for each."""
    seats = [seat for seat in row.get("seats", ()) if isinstance(seat, dict)]
    named = [row.get("table"), row.get("game"), row.get("title")]
    named += [seat.get(field) for seat in seats for field in ("name", "agent", "for")]
    return "\n".join(folded(name) for name in named if isinstance(name, str) and name)


def is_found(row: dict[str, Any], terms: Sequence[str]) -> bool:
    words = words_of(row) if terms else ""
    return all(term in words for term in terms)
