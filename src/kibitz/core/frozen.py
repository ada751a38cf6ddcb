"""Views for Python bots cannot be changed: a bot that writes into its view has made a mistake.

The class of a view gets a subclass that refuses assignments. Lists, dictionaries and arrays in it become read-only.
"""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, NoReturn

import numpy as np

from kibitz.core.game import Game

READ_ONLY = "A view cannot be changed. Keep what you want to remember in `self`."


class ReadOnlyError(AttributeError, TypeError):
    """A bot wrote into its view."""


def refuse(*arguments: Any, **named: Any) -> NoReturn:
    raise ReadOnlyError(READ_ONLY)


class ReadOnlyList(list[Any]):
    def __reduce__(self) -> Any:  # a copy of a list is made by appending
        return type(self), (list(self),)


class ReadOnlyDict(dict[Any, Any]):
    def __reduce__(self) -> Any:
        return type(self), (dict(self),)


WRITERS = {
    ReadOnlyList: ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "__setitem__",
                   "__delitem__", "__iadd__", "__imul__"),
    ReadOnlyDict: ("update", "pop", "popitem", "clear", "setdefault", "__setitem__", "__delitem__", "__ior__"),
}  # fmt: skip
for kind, names in WRITERS.items():
    for name in names:
        setattr(kind, name, refuse)


def read_only(value: Any) -> Any:
    """The same value, with lists, dictionaries and arrays in it read-only."""
    kind = type(value)
    if kind is list:
        return ReadOnlyList(map(read_only, value))
    if kind is dict:
        return ReadOnlyDict({key: read_only(each) for key, each in value.items()})
    if kind is tuple and any(type(each) in (list, dict, set, np.ndarray) for each in value):
        return tuple(map(read_only, value))
    if kind is set:
        return frozenset(value)
    if kind is np.ndarray:
        value = value.view()
        value.flags.writeable = False
    return value


def computed(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: read_only(function(self))


@cache
def read_only_class(kind: type) -> type:
    """The subclass of a view's class that refuses assignments and returns read-only values."""
    attributes: dict[str, Any] = {
        "__setattr__": refuse, "__delattr__": refuse, "__module__": kind.__module__, "__doc__": kind.__doc__,
        "__qualname__": kind.__qualname__, "__reduce_ex__": lambda self, protocol: (rebuilt, (kind, vars(self))),
    }  # fmt: skip
    for each in reversed(kind.__mro__):
        for name, found in vars(each).items():
            if isinstance(found, cached_property):
                attributes[name] = cached_property(computed(found.func))
                attributes[name].__set_name__(kind, name)
            elif isinstance(found, property) and found.fget is not None:
                attributes[name] = property(computed(found.fget), doc=found.__doc__)
            elif name in attributes and not name.startswith("__"):
                del attributes[name]
    return type(kind.__name__, (kind,), attributes)


def freeze(view: Any) -> Any:
    for name, value in vars(view).items():
        if not name.startswith("_") and type(value) in (list, dict, set, tuple, np.ndarray):
            vars(view)[name] = read_only(value)
    kind: Any = type(view)
    view.__class__ = read_only_class(kind)
    return view


def rebuilt(kind: type, attributes: dict[str, Any]) -> Any:
    """A copy of a view."""
    view: Any = object.__new__(kind)
    vars(view).update(attributes)
    return freeze(view)


def frozen_view(game: Game, struct: Any) -> Any:
    """A view in the form for Python agents, which they cannot change."""
    struct = np.frombuffer(struct.tobytes(), struct.dtype)[0]
    view = game.view(struct)
    return freeze(view) if hasattr(view, "__dict__") else view
