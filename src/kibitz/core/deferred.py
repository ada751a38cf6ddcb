"""Import parts of a game on first use, named by their place `package.module:NAME`.

So slow imports (a terminal's board, a protocol, agents from files) do not delay programs that do not need them, and a
game's module can refer to modules that import it.
"""

from importlib import import_module
from typing import Any


def load(where: str) -> Any:
    """The object at `package.module:NAME`."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


class Deferred:
    """A class attribute that is loaded when it is read; Python caches the module."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __get__(self, instance: object, owner: type) -> Any:
        return load(self.where)


def deferred(where: str) -> Any:
    """Declare an attribute of a game by its place: `wire = deferred("my_game.protocol:PROTOCOL")`."""
    return Deferred(where)
