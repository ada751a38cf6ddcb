"""Hanabi: rules, knowledge, views, notation and positions. This package exports what a bot needs.

from kibitz.games.hanabi import View, play, discard, hint

Names are loaded on first use: `kibitz.games.hanabi.formats.unibo_client` must start without loading the compiler.
"""

from typing import TYPE_CHECKING

from kibitz.core.deferred import load

if TYPE_CHECKING:
    from kibitz.games.hanabi.moves import Kind, Move, discard, hint, play
    from kibitz.games.hanabi.positions import position
    from kibitz.games.hanabi.view import Card, Event, View
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
