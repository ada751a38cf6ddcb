"""Samuel's two ways to learn, as a trainer for `kibitz train draughts samuel`.

The first fits the static evaluation of positions to the values of a search, so that the same search then sees further.
The values are those of a search with its own weights, or of one that only counts pieces (the setting `pieces`).
The second learns from the results of whole games against an older self, which is replaced when it is beaten.
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
KEPT = 60_000  # the latest positions, from which it learns
ENOUGH = 1_000  # positions before the first fit
CHALLENGE = 200  # games between comparisons with the older self
SETTINGS = {
    "whole_games": Setting(0, 0, 1, "1 to learn from the results of games, 0 from deeper searches"),
    "pieces": Setting(0, 0, 1, "1 if the deeper searches only count pieces, 0 if they use the learned weights"),
    "depth": Setting(3, 1, 8, "search depth in plies"),
    "random_moves": Setting(0.1, 0, 1, "share of random moves, so that games differ"),
    "rate": Setting(0.2, 0.01, 1, "learning rate: the step towards each new fit"),
    "beaten": Setting(0.55, 0.5, 1, "share of points at which the older self is replaced"),
}


class SamuelTraining:
    def __init__(self, plan: TrainingPlan) -> None:
        if plan.learners != 1:
            raise KibitzError("samuel learns alone, against its older self. Name only agents to be judged against.")
        if plan.settings.get("pieces") and plan.settings.get("whole_games"):
            raise KibitzError("Whole games need no values of searches. Set pieces or whole_games to 1, not both.")
        self.plan, self.settings = plan, plan.settings
        self.rules = plan.game.rule_bits(plan.game.check_rules(plan.rules))
        self.weights = np.array([MATERIAL, MATERIAL])  # its own, and its opponent's
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
        playing = np.array([MATERIAL, MATERIAL]) if chosen["pieces"] else self.weights
        learner = first // BLOCK % 2
        count = play_games(
            self.rules, playing, learner, int(chosen["depth"]), chosen["random_moves"], deals, dice, rows, scores
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
    description = "Learns the weights of features, from deeper searches or from the results of games."
    settings: Mapping[str, Setting] = SETTINGS
    block = BLOCK
    usual = Usual(games=4_000, stretch=400, judged=400, final=2_000, partners=("material",))

    def begin(self, plan: TrainingPlan) -> SamuelTraining:
        return SamuelTraining(plan)


SAMUEL = Samuel()
