"""Samuel's two ways to learn, as a trainer for `kibitz train draughts samuel`.

The first looks at single positions: the static value is to be what a search of some plies finds, so that the same
search then sees further. The second looks at whole games, against an older self that stays as it is until it is
beaten: positions on the way to a win are good, those on the way to a loss are bad.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.trainer import Setting, TrainingPlan, Usual
from kibitz.engine.seeds import keys, numbers
from kibitz.errors import KibitzError
from kibitz.games.draughts.agents.samuel.fitting import to_outcomes, to_values
from kibitz.games.draughts.agents.samuel.games import COLUMNS, play_games, rows_for
from kibitz.games.draughts.agents.searchers import by_weights
from kibitz.games.draughts.evaluation import MATERIAL

BLOCK = 20  # games between two fits
KEPT = 60_000  # positions that are learned from, the last ones
ENOUGH = 1_000  # positions before anything is fitted
CHALLENGE = 200  # games against the older self before it is compared with
SETTINGS = {
    "whole_games": Setting(0, 0, 1, "whether it learns from how games end, not from deeper searches"),
    "depth": Setting(3, 1, 8, "plies that are searched at each move"),
    "random_moves": Setting(0.1, 0, 1, "the share of moves that are made at random, so that games differ"),
    "rate": Setting(0.2, 0.01, 1, "how much of a new fit goes into the weights"),
    "beaten": Setting(0.55, 0.5, 1, "the share of points at which the older self has been beaten, and is replaced"),
}


class SamuelTraining:
    def __init__(self, plan: TrainingPlan) -> None:
        if plan.learners != 1:
            raise KibitzError("samuel learns alone: its older self is its opponent. Name agents to be judged against.")
        self.plan, self.settings = plan, plan.settings
        self.rules = plan.game.rule_bits(plan.game.check_rules(plan.rules))
        self.weights = np.array([MATERIAL, MATERIAL])  # its own, and those of who it plays against
        if 0 in plan.starts:
            self.weights[:] = plan.starts[0].weights.values
        self.positions = np.zeros((0, COLUMNS))
        self.challenge = np.zeros(2)  # games and points against the older self

    def train(self, first: int, games: int) -> Any:
        return np.concatenate([self.block(game) for game in range(first, first + games, BLOCK)])

    def block(self, first: int) -> Any:
        chosen, scores, rows = self.settings, np.zeros(BLOCK), rows_for(BLOCK)
        deals, dice = (numbers(stream, first, BLOCK) for stream in keys(self.plan.seed))
        if not chosen["whole_games"]:
            self.weights[1] = self.weights[0]  # it plays against itself
        learner = first // BLOCK % 2
        count = play_games(
            self.rules, self.weights, learner, int(chosen["depth"]), chosen["random_moves"], deals, dice, rows, scores
        )
        self.positions = np.concatenate([self.positions, rows[:count]])[-KEPT:]
        if len(self.positions) >= ENOUGH:
            fit = to_outcomes if chosen["whole_games"] else to_values
            self.weights[0] += chosen["rate"] * (fit(self.positions, self.weights[0]) - self.weights[0])
        if chosen["whole_games"]:
            self.compare(scores)
        return np.column_stack([np.full(BLOCK, 2), scores])

    def compare(self, scores: Any) -> None:
        """Replace the older self once it has been beaten."""
        self.challenge += len(scores), scores.sum()
        if self.challenge[0] >= CHALLENGE:
            if self.challenge[1] / self.challenge[0] >= self.settings["beaten"]:
                self.weights[1] = self.weights[0]
            self.challenge[:] = 0

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights, "positions": self.positions, "challenge": self.challenge}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.weights, self.positions, self.challenge = (
            np.array(state[name]) for name in ("weights", "positions", "challenge")
        )

    def learned(self) -> tuple[CompiledAgent, ...]:
        return (by_weights("learner", self.weights[0].astype(np.float16)),)


class Samuel:
    name = "samuel"
    game = "draughts"
    description = "Learns what features of a position are worth, from deeper searches or from whole games."
    settings: Mapping[str, Setting] = SETTINGS
    block = BLOCK
    usual = Usual(games=4_000, stretch=400, judged=400, final=2_000, partners=("material",))

    def begin(self, plan: TrainingPlan) -> SamuelTraining:
        return SamuelTraining(plan)


SAMUEL = Samuel()
