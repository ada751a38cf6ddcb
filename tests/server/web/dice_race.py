"""The race of `tests.core.race` with words, for a table in the browser, and an agent that always goes."""

from typing import Any

from kibitz.engine import generic
from tests.core.race import GO, ROLL, STAY, Race


class SpokenRace(Race):
    def move_text(self, move: int) -> str:
        return "stay" if move == STAY else f"roll {move - ROLL}" if move > ROLL else f"go {move - GO}"

    def event_text(self, struct: Any, turn: int) -> str:
        who = self.seat_name(turn // 2 % 2)
        verb, _, number = self.move_text(int(generic.move_at(struct, turn))).partition(" ")
        if verb == "roll":
            return f"{who} rolls a {number}"
        return f"{who} goes on by {number}" if number else f"{who} stays"

    def board(self, view: Any) -> str:
        return "\n".join(f"G{seat + 1}: {'.' * int(place)}*" for seat, place in enumerate(view["places"]))


RACE = SpokenRace()


class Runner:
    """Goes whenever it can."""

    def decide(self, view: Any) -> int:
        return max(RACE.legal(view))
