"""Training of the convolutional evaluation: `kibitz train connect4 convolution`.

The learner plays against itself, two plies deep, and the network learns to predict the result of a game from each of
its quiet positions, by logistic regression with Adam. Every position is also learned as its mirror image.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.network_training import Adam
from kibitz.core.trainer import Setting, TrainingPlan, Usual
from kibitz.engine import generic
from kibitz.engine.generic import QUIET
from kibitz.engine.seeds import keys, numbers
from kibitz.errors import KibitzError
from kibitz.games.connect4.board import COLUMNS, HEIGHT
from kibitz.games.connect4.evaluation import FILTERS, INPUTS, NETWORK, OUTPUT, WINDOW, WINDOWS
from kibitz.games.connect4.rules import POSITION, SEATS, STATE, drop
from kibitz.search.outcomes import play_games

BLOCK = 20  # games between two rounds of learning
KEPT = 200_000  # the latest positions are learned from
ENOUGH = 2_000  # positions before learning begins
BATCH = 512
DECAY = 1e-4  # of the weights, per step and rate: the L2 penalty
FIELDS = ("mine", "taken", "turn", "outcome")  # of a stored position; the outcome is for the player to move
SETTINGS = {
    "depth": Setting(2, 1, 8, "search depth in plies"),
    "random_moves": Setting(0.15, 0, 1, "the share of random moves, so that games differ"),
    "rate": Setting(0.002, 1e-5, 0.1, "the learning rate of Adam"),
    "batches": Setting(20, 1, 1000, "minibatches of 512 positions after every 20 games"),
}
# The bit of each place of each window: windows × places, columns first, as `evaluation.patch` has them.
PLACES = np.array(
    [[HEIGHT * (column + n) + row + m for n in range(WINDOW) for m in range(WINDOW)] for column, row in WINDOWS]
)


def first_weights(seed: int) -> Any:
    """Small random weights for the filters, none for the outputs."""
    dice = np.random.default_rng(seed)
    return np.concatenate([dice.normal(0.0, 0.25, OUTPUT), np.zeros(NETWORK - OUTPUT)])


def mirrored(stones: Any) -> Any:
    """The mirror images of sets of places."""
    image = np.zeros_like(stones)
    for column in range(COLUMNS):
        image |= (stones >> HEIGHT * column & (1 << HEIGHT) - 1) << HEIGHT * (COLUMNS - 1 - column)
    return image


def inputs_of(mine: Any, taken: Any, turn: Any) -> Any:
    """The inputs of the filters: positions × windows × inputs."""
    found = np.empty((len(mine), len(WINDOWS), INPUTS))
    found[:, :, : WINDOW * WINDOW] = mine[:, None, None] >> PLACES & 1
    found[:, :, WINDOW * WINDOW : -2] = (mine ^ taken)[:, None, None] >> PLACES & 1
    found[:, :, -2] = (turn[:, None] & 1) == 0
    found[:, :, -1] = 1.0
    return found


def logits_and_slopes(weights: Any, inputs: Any, outcomes: Any) -> tuple[Any, Any]:
    """The network's logits, and the gradient of the mean logistic loss."""
    filters, outputs = weights[:OUTPUT].reshape(INPUTS, FILTERS), weights[OUTPUT:-1].reshape(len(WINDOWS), FILTERS)
    sums = np.maximum(inputs @ filters, 0.0)
    logits = np.einsum("pwf,wf->p", sums, outputs) + weights[-1]
    slope = (1.0 / (1.0 + np.exp(-logits)) - outcomes) / len(outcomes)
    into = slope[:, None, None] * outputs * (sums > 0.0)
    of_filters = np.tensordot(inputs, into, axes=([0, 1], [0, 1]))
    of_outputs = np.tensordot(slope, sums, axes=(0, 0))
    return logits, np.concatenate([of_filters.ravel(), of_outputs.ravel(), [slope.sum()]])


class ConvolutionTraining:
    def __init__(self, plan: TrainingPlan, agent: CompiledAgent) -> None:
        if plan.learners != 1:
            raise KibitzError("This trainer plays both seats itself. Name agents to be evaluated against.")
        self.plan, self.agent = plan, plan.starts.get(0, agent)
        self.rules = plan.game.rule_bits(plan.game.check_rules(plan.rules))
        self.weights = np.array(self.agent.weights.values) if 0 in plan.starts else first_weights(plan.seed)
        if len(self.weights) != NETWORK:
            raise KibitzError(f"{self.agent.name} has no convolutional evaluation. Start from convolution4.")
        self.optimiser = Adam([self.weights])
        self.positions = {field: np.zeros(0, np.float64 if field == "outcome" else np.int64) for field in FIELDS}

    def train(self, first: int, games: int) -> Any:
        return np.concatenate([self.block(game) for game in range(first, first + games, BLOCK)])

    def block(self, first: int) -> Any:
        scores = np.zeros(BLOCK)
        deals, dice = (numbers(stream, first, BLOCK) for stream in keys(self.plan.seed))
        for game in range(BLOCK):
            scores[game] = self.play(deals[game : game + 1], dice[game : game + 1])
        for field in FIELDS:
            self.positions[field] = self.positions[field][-KEPT:]
        if len(self.positions["mine"]) >= ENOUGH:
            self.learn(np.random.default_rng([self.plan.seed, first]))
        return np.column_stack([np.full(BLOCK, SEATS), scores])

    def play(self, deal: Any, dice: Any) -> float:
        """Play a game and store its quiet positions; the first player's result."""
        chosen, state, score = self.plan.settings, np.zeros(1, STATE), np.zeros(1)
        play_games(
            state, self.rules, self.weights, np.zeros((0, NETWORK)), int(chosen["depth"]),
            float(chosen["random_moves"]), deal, dice, np.zeros((self.plan.game.longest, 1)), score,
        )  # fmt: skip
        position, found = np.zeros(1, POSITION), []
        for turn, column in enumerate(state[0]["columns"][: int(state[0]["turn"])].tolist()):
            if turn >= int(state[0]["opened"]) and int(generic.quiescence(position[0])) == QUIET:
                mine, taken = int(position[0]["mine"]), int(position[0]["taken"])
                found.append((mine, taken, turn, 1 - score[0] if turn & 1 else score[0]))
            drop(position[0], column)
        for field, column in zip(FIELDS, zip(*found, strict=True), strict=False):
            self.positions[field] = np.append(self.positions[field], np.array(column, self.positions[field].dtype))
        return float(score[0])

    def learn(self, dice: np.random.Generator) -> None:
        """Some steps of Adam on positions drawn from those stored."""
        for _ in range(int(self.plan.settings["batches"])):
            drawn = dice.integers(len(self.positions["mine"]), size=BATCH)
            mine, taken, turn, outcomes = (self.positions[field][drawn] for field in FIELDS)
            flips = dice.integers(2, size=BATCH) == 1
            mine, taken = np.where(flips, mirrored(mine), mine), np.where(flips, mirrored(taken), taken)
            _, slopes = logits_and_slopes(self.weights, inputs_of(mine, taken, turn), outcomes)
            self.optimiser.step([slopes + DECAY * self.weights], float(self.plan.settings["rate"]))

    def state(self) -> dict[str, Any]:
        moments = {"mean": self.optimiser.means[0], "square": self.optimiser.squares[0]}
        return {"weights": self.weights, "steps": np.array(self.optimiser.steps), **moments, **self.positions}

    def restore(self, state: Mapping[str, Any]) -> None:
        for name, here in (("weights", self.weights), ("mean", self.optimiser.means[0]),
                           ("square", self.optimiser.squares[0])):  # fmt: skip
            here[:] = state[name]
        self.optimiser.steps = int(state["steps"])
        self.positions = {field: np.array(state[field]) for field in FIELDS}

    def learned(self) -> tuple[CompiledAgent, ...]:
        return (self.agent.with_weights(self.weights.astype(np.float16)),)


class ConvolutionTrainer:
    """Trains the convolutional evaluation of an agent."""

    name = "convolution"
    game = "connect4"
    description = "Trains a small convolutional network to predict the results of games against itself."
    settings: Mapping[str, Setting] = SETTINGS
    block = BLOCK
    usual = Usual(games=12_000, stretch=1_000, judged=400, final=4_000, partners=("alphabeta4",))

    def __init__(self, agent: CompiledAgent) -> None:
        self.agent = agent

    def begin(self, plan: TrainingPlan) -> ConvolutionTraining:
        return ConvolutionTraining(plan, self.agent)
