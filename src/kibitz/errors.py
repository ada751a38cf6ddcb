"""Errors for people: what happened, what is allowed, what to do next."""

from collections.abc import Iterable
from difflib import get_close_matches


class KibitzError(Exception):
    """An error that a person can fix; its text is shown unchanged."""


class AgentError(KibitzError):
    """An agent raised an exception, hung, or returned an illegal move."""


class RecordError(KibitzError):
    """A game record cannot be read or breaks the rules."""


def unknown(what: str, name: str, known: Iterable[str], hint: str) -> KibitzError:
    """An error about an unknown name, which suggests similar ones."""
    name, names = name[:80], sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    near += [other for other in names if name and name in other and other not in near]
    guess = f" Did you mean {' or '.join(near)}?" if near else ""
    return KibitzError(f"There is no {what} called {name!r}.{guess} {hint}")
