"""A Nim that takes views from elsewhere unchecked."""

import os
from typing import Any

from nim.game import Nim
from nim.rules import STONES


class Careless(Nim):
    """What it does with numbers that cannot be is what compiled code might do."""

    retraceable = False

    def check_view(self, view: Any, seat: int) -> None:
        turn, stones = int(view["turn"]), int(view["stones"])
        if turn < 0:
            os.abort()
        while turn > STONES:
            pass
        bool(range(STONES + 1)[stones])  # an IndexError


CARELESS = Careless()
