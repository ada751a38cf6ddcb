"""Parts of a game that are imported when they are first asked for, named by where they are: `package.module:NAME`.

What is heavy (a terminal's board, a protocol, agents that are put together from files) does not delay a game that does
not use it, and a game's module and what is built on it do not import each other.
"""

from importlib import import_module
from typing import Any


def load(where: str) -> Any:
    """What stands at `package.module:NAME`."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


class Deferred:
    """An attribute of a class that is loaded whenever it is read; Python keeps the module after the first time."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __get__(self, instance: object, owner: type) -> Any:
        return load(self.where)


def deferred(where: str) -> Any:
    """Declare an attribute of a game by where it is: `wire = deferred("my_game.protocol:PROTOCOL")`."""
    return Deferred(where)
