"""The three sets as a `Game`: words, page, results."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

from kibitz.core.game import Choice, Game, Lineup, Rule
from kibitz.games.toys.three_sets.rules import COIN, NUMBERS, SEATS, SETS, STATE, move_text


class ThreeSets(Game):
    name = "three_sets"
    title = "Three Sets"
    description = "One chooses a set and wants a great number of it; the other one picks the number."
    players = range(SEATS, SEATS + 1)
    rules = (
        Rule(
            "picks", "who picks the number: the opponent, who wants it low, or a coin", ("opponent", "coin"),
            title="Who picks the number",
            words={
                "opponent": Choice("The opponent", "They take the lower one, if they look."),
                "coin": Choice("A coin", "Both numbers of the set are as likely."),
            },
        ),
    )  # fmt: skip
    dtype = STATE
    longest = 2
    moves_are_open = True
    competitive = True
    columns = ("winners", "turns", "number")
    page_folder = Path(__file__).parent / "page"
    stream_fields = ("streams", "chance")
    lineups = MappingProxyType(
        {
            "easy": Lineup("They choose anything.", ("random",)),
            "hard": Lineup("They look at every number.", ("expectiminimax",)),
        }
    )
    bounds = MappingProxyType({"rules": (0, COIN), "turn": (0, 2), "made": (0, len(SETS) + len(NUMBERS) - 1)})

    def move_text(self, move: int) -> str:
        return move_text(int(move))

    def event_text(self, struct: Any, turn: int) -> str:
        text = move_text(int(struct["made"][turn]))
        if turn == 0:
            return f"{self.seat_name(0)} chooses {text}."
        who = "The coin" if struct["rules"] & COIN else self.seat_name(1)
        return f"{who} picks {text}."

    def board(self, view: Any) -> str:
        chosen = int(view["made"][0]) if view["turn"] else -1
        lines = [
            f"{'►' if place == chosen else ' '} set {place + 1}: {low:>4} {high:>4}"
            for place, (low, high) in enumerate(SETS)
        ]
        return "\n".join(lines)

    def help(self) -> str:
        return "set 2 chooses a set; a number of it, such as 3, picks that. Or: moves, board, history, help, quit."

    def page(self, view: Any) -> dict[str, Any]:
        made = [int(move) for move in view["made"][: view["turn"]]]
        return {
            "sets": [list(each) for each in SETS],
            "chosen": made[0] if made else None,
            "number": NUMBERS[made[1] - len(SETS)] if len(made) > 1 else None,
            "coin": bool(view["rules"] & COIN),
        }

    def turns_explained(self, state: Any) -> int:
        return int(state["turn"])

    def verdict(self, state: Any) -> str:
        number = self.result(state)["number"]
        return f"The number is {number}: {self.seat_name(0 if number > 0 else 1)} wins."


THREE_SETS = ThreeSets()
