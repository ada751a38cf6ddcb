"""Views and moves of Hanabi as numbers: observations and actions of the Hanabi Learning Environment."""

from typing import Any

import numpy as np

from kibitz.core.deferred import load
from kibitz.core.encoding import Array, Encoding
from kibitz.errors import ArgumentError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.env.actions import (
    action_count,
    action_names,
    action_of_move,
    actions_of_moves,
    move_of_action,
)
from kibitz.games.hanabi.env.encoding import observation
from kibitz.games.hanabi.moves import Move, as_move


class HanabiEncoding(Encoding):
    def observation(self, view: Any) -> Array:
        if view["seat"] < 0:
            raise ArgumentError("An observation belongs to a seat. Ask for the view of one, as in table.view(0).")
        return np.asarray(observation(view))

    def names(self, players: int) -> tuple[str, ...]:
        return action_names(players)

    def mask(self, view: Any) -> Array:
        players, seat = int(view["players"]), int(view["seat"])
        legal = 0
        if rules.to_move(view) == seat:
            legal = int(actions_of_moves(rules.legal(view), seat, players))
        return np.array([legal >> action & 1 for action in range(action_count(players))], np.bool_)

    def move(self, action: int, view: Any) -> Move:
        return Move(move_of_action(action, self._actor(view), int(view["players"])))

    def action(self, move: Any, view: Any) -> int:
        meant, players = as_move(move), int(view["players"])
        action = int(action_of_move(int(meant), self._actor(view), players))
        if not 0 <= action < action_count(players) or self.move(action, view) != meant:
            raise ArgumentError(f"{meant} is not a move of this seat with {players} players.")
        return action

    @staticmethod
    def _actor(view: Any) -> int:
        """The seat from which an action counts: the viewer's, or the seat to move of an open state."""
        return int(view["seat"] if view["seat"] >= 0 else view["to_move"])

    def environment(self, **options: Any) -> Any:
        return load("kibitz.games.hanabi.env.aec:env")(**options)

    def batch(self, **options: Any) -> Any:
        return load("kibitz.games.hanabi.env.batched:BatchedHanabi")(**options)


ENCODING = HanabiEncoding()
