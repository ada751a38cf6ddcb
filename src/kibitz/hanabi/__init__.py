"""Hanabi: rules, knowledge, views, notation and positions. What a bot writer needs is imported here.

from kibitz.hanabi import View, play, discard, hint

A name is loaded when it is first asked for: `kibitz.hanabi.unibo_client` needs no compiler and must not wait for it.
"""

from typing import TYPE_CHECKING

from kibitz.core.deferred import load

if TYPE_CHECKING:
    from kibitz.hanabi.moves import Kind, Move, discard, hint, play
    from kibitz.hanabi.positions import position
    from kibitz.hanabi.view import Card, Event, View
else:
    MODULES = {
        **dict.fromkeys(("Kind", "Move", "discard", "hint", "play"), "moves"),
        "position": "positions",
        **dict.fromkeys(("Card", "Event", "View"), "view"),
    }

    def __getattr__(name: str) -> object:
        if name not in MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = load(f"{__name__}.{MODULES[name]}:{name}")
        return value


__all__ = ["Card", "Event", "Kind", "Move", "View", "discard", "hint", "play", "position"]
