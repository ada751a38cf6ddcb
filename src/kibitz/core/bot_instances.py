"""One bot for each seat and game: instances and lists that a file keeps in one place are copied for every seat."""

import copy
from collections import deque
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.text import error_text, fit

MUTABLE = (list, dict, set, bytearray, deque, np.ndarray)
DECLARED = ("weights", "ranges")  # attributes that kibitz reads from the class


@cache
def shared_attributes(kind: type) -> tuple[str, ...]:
    """The class attributes that all instances would share and could change."""
    found: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        found.update(vars(each))
    return tuple(
        name
        for name, value in found.items()
        if isinstance(value, MUTABLE) and not name.startswith("__") and name not in DECLARED
    )


def own_class(kind: type) -> type:
    """The class, with its own copies of what instances would share."""
    names = shared_attributes(kind)
    if not names:
        return kind
    copies = {name: copy.deepcopy(getattr(kind, name)) for name in names}
    return type(kind.__name__, (kind,), {**copies, "__module__": kind.__module__, "__qualname__": kind.__qualname__})


def new_bot(create: Callable[[], Any]) -> Any:
    """A bot that shares nothing with the bots of other seats."""
    return own_class(create)() if isinstance(create, type) else create()


def weighted_bot(create: Callable[[], Any], weights: dict[str, float]) -> Any:
    """A bot with other weights in `self.weights`; for a class, already in its constructor."""
    if isinstance(create, type):
        return type(create.__name__, (own_class(create),), {"weights": weights, "__module__": create.__module__})()
    bot = copy.copy(create())
    bot.weights = weights
    return bot


def copied(bot: Any, name: str) -> Any:
    try:
        return copy.deepcopy(bot)
    except Exception as error:
        raise KibitzError(
            f"{fit(name)} is one bot for all seats, and it cannot be copied for each ({error_text(error)}). Name its "
            f"class instead."
        ) from error


def creator(found: Any, name: str) -> Callable[[], Any]:
    """How to make a bot from what a name stands for: a class, or an instance."""
    return found if isinstance(found, type) else partial(copied, found, name)


def sharing_warning(found: Any, name: str) -> str:
    """A warning about state that seats would share; empty if there is none.

    Lists with contents are usually tables that never change, so they are copied without a warning.
    """
    if not isinstance(found, type):
        return (
            f"{fit(name)} is one bot, not a class: every seat gets a copy of it. Name the class instead, so that every "
            f"seat and game begins with a new bot."
        )
    empty = [each for each in shared_attributes(found) if not len(getattr(found, each))]
    if not empty:
        return ""
    return (
        f"{', '.join(empty)} of {fit(name)} {'is' if len(empty) == 1 else 'are'} shared by all instances of the class: "
        f"every seat gets a copy. Create {'it' if len(empty) == 1 else 'them'} in __init__ instead."
    )
