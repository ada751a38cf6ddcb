"""The games, a folder each. Everything else knows them only through the registry.

The package can be called: `kibitz.games()` lists the games.
"""

import sys
from types import ModuleType
from typing import Any


class _Games(ModuleType):
    def __call__(self) -> Any:
        from kibitz.core.deferred import load

        return load("kibitz.api.catalogue:games")()


sys.modules[__name__].__class__ = _Games
