"""Bots that misbehave, each in its own way, and one that behaves.

They play in processes of their own: what a test wants of them it writes to files that both sides know.
"""

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from kibitz.games.hanabi import View


def known_file(what: str, tests: int | None = None) -> Path:
    """A file of the tests that run in this process; a bot names its parent's."""
    return Path(tempfile.gettempdir()) / f"kibitz-{what}-{tests or os.getpid()}"


def theirs(what: str) -> Path:
    return known_file(what, os.getppid())


class Crashing:
    """Discards once, then raises an error that contains all hands."""

    def __init__(self) -> None:
        self.turns = 0

    def decide(self, view: View) -> str:
        self.turns += 1
        if self.turns > 1:
            raise ValueError(f"look at these: {view.hands}")
        return "discard 1"


class Exiting:
    """Tries to end the whole program."""

    def decide(self, view: View) -> str:
        raise SystemExit(3)


class Illegal:
    """Plays a card it does not have."""

    def decide(self, view: View) -> str:
        return "play 5"


class Babbling:
    """Answers with something that is no move at all."""

    def decide(self, view: View) -> object:
        return {"not": "a move"}


class Counted:
    """Fails at once, and writes down that it was asked."""

    def decide(self, view: View) -> str:
        with theirs("asked").open("a") as file:
            file.write("x")
        raise RuntimeError("no")


class Sleeping:
    """Waits for ever, or until the test writes to a pipe."""

    def decide(self, view: View) -> str:
        if not theirs("gate").exists():
            time.sleep(1e6)
        theirs("gate").read_bytes()
        return "discard 1"


class Busy:
    """Computes for ever."""

    def decide(self, view: View) -> str:
        while True:
            sum(range(1000))


class Unborn:
    """Cannot even sit down."""

    def __init__(self) -> None:
        raise RuntimeError("no chair is good enough")

    def decide(self, view: View) -> str:
        return "discard 1"


class Slow:
    """Thinks for a while, and comes to an end."""

    def decide(self, view: View) -> str:
        sum(range(1_000_000))
        return "discard 1"


class Diary:
    """Writes down what it sees; the reason it gives is how often it looked, and the hands it saw last."""

    def __init__(self) -> None:
        self.pages: list[str] = []

    def observe(self, view: View) -> None:
        self.pages.append(f"{view.turn}")

    def decide(self, view: View) -> tuple[str, str]:
        return "discard 1", f"{len(self.pages)} pages, the last about turn {self.pages[-1]}"


class Scripted:
    """Makes the moves it was given before the game, of any game, and tells as its reason what it sees."""

    def decide(self, view: Any) -> tuple[str, str]:
        hidden = [name for name in ("hands", "deck", "dealt", "pieces", "sides") if name in view.struct.dtype.names]
        seen = " and ".join(str(view.struct[name].tolist()) for name in hidden)
        return json.loads(theirs("moves").read_text())[view.turn - 1], f"I see {seen}"
