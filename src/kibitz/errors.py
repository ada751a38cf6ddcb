"""Errors meant for people: what was done, what is allowed, what to do now."""

from collections.abc import Iterable
from difflib import get_close_matches


class KibitzError(Exception):
    """Something a person can put right; its text is shown to them as it is."""


class AgentError(KibitzError):
    """An agent that raised, hung up or answered with something that is not a legal move."""


class RecordError(KibitzError):
    """A record of a game that cannot be read or does not follow the rules."""


def unknown(what: str, name: str, known: Iterable[str], hint: str) -> KibitzError:
    """There is no such thing; the nearest names are offered."""
    name, names = name[:80], sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    near += [other for other in names if name and name in other and other not in near]
    guess = f" Did you mean {' or '.join(near)}?" if near else ""
    return KibitzError(f"There is no {what} called {name!r}.{guess} {hint}")
