"""A host: a port where programs in any language take seats. What they use to join one is in `kibitz.client`.

`Client`, `HostError` and `UniboClient` can still be imported from here, for programs that were written before.
"""

from typing import Any

from kibitz.client import Client, HostError
from kibitz.core.deferred import load


def __getattr__(name: str) -> Any:
    if name == "UniboClient":  # a game's client: loaded by name, so that this package knows no game
        return load("kibitz.games.hanabi.formats.unibo_client:UniboClient")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Client", "HostError"]
