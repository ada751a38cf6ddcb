"""The plan of a series: its seats, the number of games, and what happens when a player fails."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.server.live.table_service import hidden_seed

LAUNCH = "launch:"


@dataclass(frozen=True)
class PlannedSeat:
    """A planned seat."""

    kind: Literal["open", "agent", "launch"]
    what: str = ""  # the agent, or the command

    @property
    def private(self) -> bool:
        """Whether the command receives a private port, where no other client can take its seat."""
        return self.kind == "launch" and "{port}" in self.what

    def __str__(self) -> str:
        return LAUNCH + self.what if self.kind == "launch" else self.what or self.kind


def planned_seats(text: str) -> list[PlannedSeat]:
    """Parse seats such as `open,bot2,launch:COMMAND`. A comma in a command is written twice."""
    parts = text.replace(",,", "\0").split(",")
    words = [part.strip().replace("\0", ",") for part in parts]
    found = []
    for word in words:
        if not word:
            raise KibitzError(f"{text!r} has an empty place. Each is open, closed, an agent, or launch:COMMAND.")
        if word.startswith(LAUNCH):
            command = word.removeprefix(LAUNCH).strip()
            if not command:
                raise KibitzError("launch: needs a command, like launch:'java -jar bot1.jar {host} {port}'.")
            try:
                shlex.split(command)
            except ValueError as error:
                raise KibitzError(f"{word!r} is no command: {str(error).lower()}.") from None
            found.append(PlannedSeat("launch", command))
        elif word == "open":
            found.append(PlannedSeat("open"))
        elif word != "closed":
            found.append(PlannedSeat("agent", word))
    return found


@dataclass(frozen=True)
class SeriesPlan:
    game_name: str
    seats: Sequence[PlannedSeat]
    games: int = 1
    at_once: int = 1
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None  # None: random, revealed at the end
    deadline: float = 30.0  # seconds per move; 0: no limit
    late: Literal["substitute", "forfeit"] = "substitute"
    substitute: str = ""  # the agent that replaces a player; empty: the game's default
    launched_within: float = 60.0  # seconds for a launched program to sit down
    save: Path | None = None
    dialect: str = ""  # of the game's own wire protocol; empty: the default

    @property
    def game(self) -> Game:
        return registry.game(self.game_name)

    def checked(self) -> "SeriesPlan":
        """The plan with every rule and a seed; a KibitzError says what is wrong with it."""
        game = self.game
        if len(self.seats) not in game.players:
            raise KibitzError(
                f"{game.title} is for {game.players[0]} to {game.players[-1]} players, and {len(self.seats)} of these "
                f"seats are not closed. Say who sits in each, like --seats open,open."
            )
        if self.save is not None and self.save.suffix not in (".json", ".jsonl"):
            raise KibitzError(f"{self.save} ends neither in .json nor in .jsonl, which say how the games are written.")
        if self.dialect and (game.wire is None or self.dialect not in game.wire.dialects):
            known = (
                f"one of {', '.join(game.wire.dialects)}" if game.wire else "left out, as it has no protocol of its own"
            )
            raise KibitzError(f"{game.title} knows no dialect {self.dialect!r}: --dialect must be {known}.")
        rules = game.check_rules(self.rules)
        agents = [seat.what for seat in self.seats if seat.kind == "agent"]
        for name in {*agents, self.substitute} - {""}:
            if ":" not in registry.spec(game.name, name).name:  # an agent from a file is checked when the host opens
                registry.agent(game, name)
        seed = hidden_seed() if self.seed is None else self.seed
        return replace(self, rules=rules, seed=seed)

    def with_seed(self, seed: int | None) -> "SeriesPlan":
        return self if seed is None else replace(self, seed=seed)

    def as_json(self) -> dict[str, object]:
        """The parts of a plan that must be unchanged for a series to resume."""
        return {
            "game": self.game_name,
            "seats": [str(seat) for seat in self.seats],
            "rules": dict(self.rules),
            "seed": self.seed,
            "games": self.games,
        }
