"""Bots that misbehave, each in its own way, and one that behaves as it is told."""

import threading
import time
from typing import Any, ClassVar

from kibitz.hanabi import View

RELEASED = threading.Event()


class Crashing:
    """Discards once, then raises an error that tells everybody's cards."""

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


class Sleeping:
    """Waits, and waits, until the test is over."""

    def decide(self, view: View) -> str:
        RELEASED.wait(60)
        return "discard 1"


class Busy:
    """Computes for ever."""

    stopped = threading.Event()

    def decide(self, view: View) -> str:
        try:
            while True:
                sum(range(1000))
        finally:
            self.stopped.set()


class Unborn:
    """Cannot even sit down."""

    def __init__(self) -> None:
        raise RuntimeError("no chair is good enough")

    def decide(self, view: View) -> str:
        return "discard 1"


class Slow:
    """Thinks for a while, and comes to an end."""

    def decide(self, view: View) -> str:
        time.sleep(0.05)
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

    moves: ClassVar[list[str]] = []

    def decide(self, view: Any) -> tuple[str, str]:
        hidden = [name for name in ("hands", "deck", "dealt", "pieces", "sides") if name in view.struct.dtype.names]
        told = " and ".join(str(view.struct[name].tolist()) for name in hidden)
        return self.moves[view.turn - 1], f"I see {told}"
