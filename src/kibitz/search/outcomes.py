"""A trainer of evaluation weights by logistic regression on game results, for searching agents of two-player games.

The evaluation must be a weighted sum of features: a feature's value in a position is then the evaluation with its
weight at 1 and all others at 0, so the trainer needs to know nothing about the game. The learner plays against itself
and records every quiet position with the result of its game. Only the ratios of weights matter to a search, so the
fitted weights are scaled to their original sum.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.trainer import Setting, TrainingPlan, Usual
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.generic import QUIET
from kibitz.engine.move_sets import any_of
from kibitz.engine.seeds import keys, number, numbers
from kibitz.errors import KibitzError
from kibitz.search import alphabeta
from kibitz.search.alphabeta import Options
from kibitz.search.book import no_book
from kibitz.search.choice import move_room
from kibitz.search.clock import ENDLESS, Limit
from kibitz.search.open_games import check_fits

SHARES = 1 << 30
BLOCK = 20  # games between fits
KEPT = 60_000  # the latest positions are learned from
ENOUGH = 2_000  # positions before the first fit
SHALLOW = Options(table=False, deepens=False)  # a table does not pay at small depths
DOUBT = 1.0  # the L2 penalty of the regression
STEPS = 8  # of Newton's method, which converges in fewer
SETTINGS = {
    "depth": Setting(2, 1, 8, "search depth in plies"),
    "random_moves": Setting(0.15, 0, 1, "the share of random moves, so that games differ"),
    "rate": Setting(0.1, 0.01, 1, "the learning rate: how far weights move towards a new fit"),
}


@compiled
def play_games(
    state: Any, rules: int, weights: Any, units: Any, depth: int, random_share: float, deals: Any, dice: Any, rows: Any,
    scores: Any,
) -> int:  # fmt: skip
    """Play a game per stream, and write a row per position: its features, and the result for the player to move."""
    count, outcome = 0, units.shape[0]
    for game in range(deals.shape[0]):
        generic.deal(state[0], 2, rules, deals[game])
        first = count
        count = play_game(state[0], weights, units, depth, random_share, dice[game], rows, first)
        for row in range(first, count):  # until now the last column is the seat to move
            rows[row, outcome] = generic.payoff(state[0], int(rows[row, outcome]))
        scores[game] = generic.payoff(state[0], 0)
    return count


@compiled
def play_game(
    state: Any, weights: Any, units: Any, depth: int, random_share: float, stream: int, rows: Any, count: int
) -> int:
    while generic.to_move(state) >= 0:
        seat, turn = generic.to_move(state), generic.turns(state)
        position = generic.positions(state, 1)[0]
        if generic.quiescence(position) == QUIET:
            for n in range(units.shape[0]):
                rows[count, n] = generic.evaluate(position, seat, units[n])
            rows[count, units.shape[0]] = seat
            count += 1
        if (number(stream, 2 * turn) & (SHARES - 1)) < random_share * SHARES:
            move = any_of(generic.legal_moves(state, move_room(state)), number(stream, 2 * turn + 1), 0)
        else:
            workspace = alphabeta.workspace_for(state, seat, SHALLOW, weights, 1, no_book())
            move = alphabeta.search(workspace, Limit(ENDLESS, np.inf, 0.0), depth, False).move
        generic.apply(state, move)
    return count


def logistic(features: Any, outcomes: Any, doubt: float) -> Any:
    """Logistic regression of outcomes from 0 to 1 on features, with an L2 penalty."""
    width = features.shape[1]
    theta, damped = np.zeros(width), doubt * np.eye(width)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-features @ theta))
        slopes = (chances * (1 - chances))[:, None]
        theta += np.linalg.solve(
            (features * slopes).T @ features + damped, features.T @ (outcomes - chances) - damped @ theta
        )
    return theta


class OutcomeTraining:
    def __init__(self, plan: TrainingPlan, agent: CompiledAgent) -> None:
        if plan.learners != 1:
            raise KibitzError("This trainer plays both seats itself. Name agents to be evaluated against.")
        check_fits(plan.game, "Learning from outcomes", 2, needs=("evaluate", *alphabeta.NEEDS))
        self.plan, self.agent = plan, plan.starts.get(0, agent)
        self.rules = plan.game.rule_bits(plan.game.check_rules(plan.rules))
        self.weights = np.array(self.agent.weights.values)
        self.positions = np.zeros((0, len(self.weights) + 1))

    def train(self, first: int, games: int) -> Any:
        return np.concatenate([self.block(game) for game in range(first, first + games, BLOCK)])

    def block(self, first: int) -> Any:
        chosen, scores, game, width = self.plan.settings, np.zeros(BLOCK), self.plan.game, len(self.weights)
        rows = np.zeros((BLOCK * game.longest, width + 1))
        deals, dice = (numbers(stream, first, BLOCK) for stream in keys(self.plan.seed))
        count = play_games(
            np.zeros(1, game.dtype), self.rules, self.weights, np.eye(width), int(chosen["depth"]),
            float(chosen["random_moves"]), deals, dice, rows, scores,
        )  # fmt: skip
        self.positions = np.concatenate([self.positions, rows[:count]])[-KEPT:]
        if len(self.positions) >= ENOUGH:
            self.weights += chosen["rate"] * (self.fitted() - self.weights)
        return np.column_stack([np.full(BLOCK, 2), scores])

    def fitted(self) -> Any:
        """The best weights for the recorded positions, scaled to their original sum, within their ranges."""
        features, outcomes = self.positions[:, :-1], self.positions[:, -1]
        spread = np.maximum(features.std(axis=0), 1e-9)
        theta = np.maximum(logistic(features / spread, outcomes, DOUBT) / spread, 0.0)
        if not theta.sum():
            return self.weights
        low, high = np.array(self.agent.weights.ranges).T
        return np.clip(theta * (self.agent.weights.values.sum() / theta.sum()), low, high)

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights, "positions": self.positions}

    def restore(self, state: Mapping[str, Any]) -> None:
        weights, positions = (np.array(state[name], np.float64) for name in ("weights", "positions"))
        if weights.shape != self.weights.shape or positions.shape[1:] != self.positions.shape[1:]:
            raise ValueError(f"it has {weights.size} weights, and the agent has {self.weights.size}")
        self.weights, self.positions = weights, positions

    def learned(self) -> tuple[CompiledAgent, ...]:
        return (self.agent.with_weights(self.weights.astype(np.float16)),)


class OutcomeTrainer:
    """Fits evaluation weights to the results of games against itself."""

    description = "Fits evaluation weights to the results of games against itself."
    settings: Mapping[str, Setting] = SETTINGS
    block = BLOCK

    def __init__(self, agent: CompiledAgent, name: str = "outcomes", opponent: str = "") -> None:
        """Train the weights of an agent, which need ranges; by default, the opponent in evaluations is that agent."""
        self.game, self.agent, self.name = agent.game, agent, name
        self.usual = Usual(games=4_000, stretch=400, judged=400, final=4_000, partners=(opponent or agent.name,))

    def begin(self, plan: TrainingPlan) -> OutcomeTraining:
        return OutcomeTraining(plan, self.agent)
