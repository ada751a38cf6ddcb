"""Bots that harm the program that runs them, most of them by mistake."""

import contextlib
import os
import signal
import sys
import threading
import time
from multiprocessing import Process
from pathlib import Path
from typing import Any


class Honest:
    def decide(self, view: Any) -> Any:
        return view.legal[0]


class Remembers(Honest):
    """Its reason is how often it looked, and how often it was asked."""

    def __init__(self) -> None:
        self.seen = self.asked = 0

    def observe(self, view: Any) -> None:
        self.seen += 1

    def decide(self, view: Any) -> Any:
        self.asked += 1
        return view.legal[0], f"{self.seen} seen, {self.asked} asked"


class Hangs(Honest):
    def decide(self, view: Any) -> Any:
        for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
            signal.signal(each, signal.SIG_IGN) if threading.current_thread() is threading.main_thread() else None
        while True:
            pass


class HangsInInit(Honest):
    def __init__(self) -> None:
        time.sleep(1e6)


class HangsInDel(Honest):
    def __del__(self) -> None:
        time.sleep(1e6)


class RaisesInDel(Honest):
    def __del__(self) -> None:
        raise RuntimeError("not even gone")


class Forks(Honest):
    """Its children leave the session, lose their parent, and never end."""

    def decide(self, view: Any) -> Any:
        for _ in range(4):
            if not os.fork():
                os.setsid()
                if os.fork():
                    os._exit(0)
                time.sleep(1e6)
        while True:
            pass


class ForkBomb(Honest):
    def decide(self, view: Any) -> Any:
        for _ in range(100):
            if not os.fork():
                time.sleep(1e6)
        time.sleep(1e6)


class ReturnsTwice(Honest):
    def decide(self, view: Any) -> Any:
        os.fork()
        return view.legal[0]


class Exits(Honest):
    def decide(self, view: Any) -> Any:
        os._exit(7)


class SystemExits(Honest):
    def decide(self, view: Any) -> Any:
        sys.exit("enough")


class Gigabytes(Honest):
    def decide(self, view: Any) -> Any:
        self.kept = [bytearray(64 << 20) for _ in range(64)]
        return view.legal[0]


def fill() -> None:
    kept = bytearray(os.urandom(1 << 20) * 300)
    time.sleep(1e6 + len(kept))


class GigabytesInChildren(Honest):
    def decide(self, view: Any) -> Any:
        children = [Process(target=fill) for _ in range(4)]
        for child in children:
            child.start()
        for child in children:
            child.join()


class Prints(Honest):
    def decide(self, view: Any) -> Any:
        print("a line for nobody " * 400_000)
        os.write(1, b"straight to 1")
        return view.legal[0]


class WritesToThree(Honest):
    def decide(self, view: Any) -> Any:
        for descriptor in range(3, 50):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"hello there, whoever you are")
        return view.legal[0]


class WritesToAll(Honest):
    def decide(self, view: Any) -> Any:
        for descriptor in range(1024):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"hello there, whoever you are")
        return view.legal[0]


class ClosesAll(Honest):
    def decide(self, view: Any) -> Any:
        os.closerange(0, 4096)
        return view.legal[0]


class Threads(Honest):
    def __init__(self) -> None:
        for _ in range(5):
            threading.Thread(target=time.sleep, args=(1e6,)).start()


class ReadsStdin(Honest):
    def decide(self, view: Any) -> Any:
        assert sys.stdin.read() == ""
        return view.legal[0]


class Answers(Honest):
    answer: Any = None

    def decide(self, view: Any) -> Any:
        return self.answer


class Junk(Answers):
    answer = frozenset({object()})


class Huge(Answers):
    answer = 10**5000


class NotANumber(Answers):
    answer = float("nan")


class Unpicklable(Answers):
    answer = (lambda: 0, threading.Lock())


class DeletesItself(Honest):
    def decide(self, view: Any) -> Any:
        Path(__file__).unlink()
        return view.legal[0]
