"""Hanabi: rules, knowledge, views, notation and positions. What a bot writer needs is imported here.

from kibitz.hanabi import View, play, discard, hint
"""

from kibitz.hanabi.moves import Kind, Move, discard, hint, play
from kibitz.hanabi.starts import position
from kibitz.hanabi.view import Card, Event, View

__all__ = ["Card", "Event", "Kind", "Move", "View", "discard", "hint", "play", "position"]
