"""Errors for people: what happened, what is allowed, what to do next."""

from collections.abc import Iterable
from difflib import get_close_matches


class KibitzError(Exception):
    """An error that a person can fix; its text is shown unchanged."""


class AgentError(KibitzError):
    """An agent raised an exception, hung, or returned an illegal move."""


class DecisionError(KibitzError):
    """What a compiled agent returned is unusable. Machine code raises it; what catches it names the agent."""


class RecordError(KibitzError):
    """A game record cannot be read or breaks the rules."""


class ArgumentError(KibitzError, ValueError):
    """An argument of a function has a value that is not allowed."""


class UnknownNameError(ArgumentError):
    """There is no game, agent, rule or other thing of that name."""


class UnsupportedError(KibitzError, AttributeError):
    """A game, agent or result does not have what was asked for."""


class MissingExtraError(KibitzError, ImportError):
    """A package that is not installed is needed; the text says how to install it."""


def unknown(what: str, name: str, known: Iterable[str], hint: str) -> UnknownNameError:
    """An error about an unknown name, which suggests similar ones.

    >>> print(unknown("game", "hanabbi", ["hanabi", "nim"], "`kibitz games` lists them."))
    There is no game called 'hanabbi'. Did you mean hanabi? `kibitz games` lists them.
    """
    name, names = name[:80], sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    near += [other for other in names if len(name) > 2 and name in other and other not in near]
    guess = f" Did you mean {' or '.join(near)}?" if near else ""
    return UnknownNameError(f"There is no {what} called {name!r}.{guess} {hint}")
