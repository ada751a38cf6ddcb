"""Three sets as a `Game`: texts, page, results."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

from kibitz.core.deferred import load
from kibitz.core.game import Choice, Game, Lineup, Rule
from kibitz.games.toys.three_sets.rules import (
    COIN,
    DICE,
    FIRST_ROLL,
    ROLLS,
    SEATS,
    SETS,
    STATE,
    move_text,
    number,
)


class ThreeSets(Game):
    name = "three_sets"
    title = "Three Sets"
    description = "Choose a set. Your opponent then picks one of its two numbers; you want a high one."
    players = range(SEATS, SEATS + 1)
    rules = (
        Rule(
            "picks", "who picks the number: the opponent, who wants a low one, a coin, or two dice",
            ("opponent", "coin", "dice"),
            title="Who picks the number",
            words={
                "opponent": Choice("The opponent", "They want the lower number."),
                "coin": Choice("A coin", "Both numbers are equally likely."),
                "dice": Choice("Two dice", "Seven or more picks the higher number."),
            },
        ),
    )  # fmt: skip
    dtype = STATE
    longest = 2
    competitive = True
    small = True
    seat_titles = ("Chooses the set", "Picks the number")
    columns = ("winners", "turns", "number")
    page_folder = Path(__file__).parent / "page"
    stream_fields = ("streams", "chance")
    lineups = MappingProxyType(
        {
            "easy": Lineup("They choose at random.", ("random",)),
            "hard": Lineup("They look at every number.", ("expectiminimax",)),
        }
    )
    bounds = MappingProxyType({"rules": (0, DICE), "turn": (0, 2), "made": (0, FIRST_ROLL + len(ROLLS) - 1)})

    def move_text(self, move: int) -> str:
        return move_text(int(move))

    def event_text(self, struct: Any, turn: int) -> str:
        text = move_text(int(struct["made"][turn]))
        if turn == 0:
            return f"{self.seat_name(0)} chooses {text}."
        if struct["rules"] == DICE:
            return f"The dice show {text} and pick {number(struct)}."
        who = "The coin" if struct["rules"] == COIN else self.seat_name(1)
        return f"{who} picks {text}."

    def board(self, view: Any) -> str:
        chosen = int(view["made"][0]) if view["turn"] else -1
        lines = [
            f"{'►' if place == chosen else ' '} set {place + 1}: {low:>4} {high:>4}"
            for place, (low, high) in enumerate(SETS)
        ]
        return "\n".join(lines)

    def svg(self, view: Any) -> str:
        made = [int(move) for move in view["made"][: view["turn"]]]
        picked = int(number(view)) if len(made) > 1 else None
        return str(load("kibitz.games.toys.three_sets.picture:sets")(SETS, made[0] if made else None, picked))

    def help(self) -> str:
        return "set 2 chooses a set; 3 picks a number of it. Other commands: moves, board, history, help, quit."

    def page(self, view: Any) -> dict[str, Any]:
        made = [int(move) for move in view["made"][: view["turn"]]]
        return {
            "sets": [list(each) for each in SETS],
            "chosen": made[0] if made else None,
            "number": int(number(view)) if len(made) > 1 else None,
            "picks": ("opponent", "coin", "dice")[int(view["rules"])],
        }

    def verdict(self, state: Any) -> str:
        picked = self.result(state)["number"]
        return f"The number is {picked}: {self.seat_name(0 if picked > 0 else 1)} wins."


THREE_SETS = ThreeSets()
