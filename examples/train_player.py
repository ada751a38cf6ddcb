"""A small network learns Hanabi for two by playing with itself, in a minute or so on one core, with NumPy alone.

    python examples/train_player.py --seconds 60
    kibitz match hanabi examples/train_player.py:Trained --players 2 --games 500 --rule full_discard=forbidden

The network sees the observation vector of `kibitz.hanabi.env` and says how much it likes each action, and how many
points it expects from here on. It plays thousands of tables at once, as it likes them; actions that brought more
points than expected become likelier, the others less so (advantage actor-critic). Of a lost game the piles
count here: where it scores nothing, a beginner who loses every game has nothing to learn from.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.hanabi import View
from kibitz.hanabi.env import Batch, BatchedHanabi
from kibitz.hanabi.env.actions import action_count, action_of_move, move_of_action
from kibitz.hanabi.env.encoding import observation, observation_width

PLAYERS = 2
RULES = {"lost_game": "piles"}
WEIGHTS = Path(__file__).with_name("trained_player.npz")

HIDDEN = 64
TABLES, STEPS = 512, 8  # what is played between two lessons
DISCOUNT, ENTROPY, RATE = 0.99, 0.01, 2e-3


class Network:
    """One hidden layer; the last of its outputs is the value, the others are for the actions."""

    def __init__(self, rng: np.random.Generator) -> None:
        inputs, outputs = observation_width(PLAYERS), int(action_count(PLAYERS)) + 1
        self.weights = {
            "into": rng.normal(0, 0.1, (inputs, HIDDEN)).astype(np.float32),
            "bias": np.zeros(HIDDEN, np.float32),
            "out": rng.normal(0, 0.01, (HIDDEN, outputs)).astype(np.float32),
            "out_bias": np.zeros(outputs, np.float32),
        }
        self.steps = 0
        self.means = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.squares = {name: np.zeros_like(each) for name, each in self.weights.items()}

    def hidden(self, observations: Any) -> Any:
        return np.maximum(observations @ self.weights["into"] + self.weights["bias"], 0)

    def outputs(self, hidden: Any) -> Any:
        return hidden @ self.weights["out"] + self.weights["out_bias"]

    def judge(self, observations: Any, legal: Any) -> tuple[Any, Any]:
        """The chance of every action, and the value."""
        outputs = self.outputs(self.hidden(observations))
        return chances(outputs[:, :-1], legal), outputs[:, -1]

    def learn(self, observations: Any, legal: Any, actions: Any, returns: Any) -> None:
        """One step uphill: likelier what did better than expected, nearer to what was found what is expected."""
        hidden = self.hidden(observations)
        outputs = self.outputs(hidden)
        likes = chances(outputs[:, :-1], legal)
        values, rows = outputs[:, -1], np.arange(len(actions))
        gain = returns - values
        better = (gain - gain.mean()) / (gain.std() + 1e-6)
        logs = np.log(likes + 1e-9)
        slope = likes * (logs - (likes * logs).sum(axis=1, keepdims=True)) * -ENTROPY
        slope -= likes * better[:, None]
        slope[rows, actions] += better
        uphill = np.concatenate([slope, 0.5 * gain[:, None]], axis=1).astype(np.float32) / len(rows)
        back = (uphill @ self.weights["out"].T) * (hidden > 0)
        self.climb(
            {
                "into": observations.T @ back,
                "bias": back.sum(axis=0),
                "out": hidden.T @ uphill,
                "out_bias": uphill.sum(axis=0),
            }
        )

    def climb(self, slopes: dict[str, Any]) -> None:
        """Adam: steps as long as the slopes are steady."""
        self.steps += 1
        for name, slope in slopes.items():
            self.means[name] += 0.1 * (slope - self.means[name])
            self.squares[name] += 0.01 * (slope**2 - self.squares[name])
            mean, square = self.means[name] / (1 - 0.9**self.steps), self.squares[name] / (1 - 0.99**self.steps)
            self.weights[name] += RATE * mean / (np.sqrt(square) + 1e-6)


def chances(likes: Any, legal: Any) -> Any:
    """Likes as chances of the legal actions."""
    raised = np.where(legal, likes, -np.inf)
    raised = np.exp(raised - raised.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def drawn(likes: Any, rng: np.random.Generator) -> Any:
    """An action for every row, by its chances."""
    rolls = rng.random((len(likes), 1), np.float32) * likes.sum(axis=1, keepdims=True)
    return (likes.cumsum(axis=1) <= rolls).sum(axis=1).clip(max=likes.shape[1] - 1)


def trained(seconds: float, seed: int = 0, lessons: int | None = None) -> Network:
    """A network after so many seconds of playing with itself, or, to be had again from the seed, so many lessons."""
    rng = np.random.default_rng(seed)
    network = Network(rng)
    env = BatchedHanabi(TABLES, PLAYERS, rules=RULES, dtype=np.float32, seed=seed)
    observations = np.zeros((STEPS, TABLES, env.width), np.float32)
    legal = np.zeros((STEPS, TABLES, env.actions), np.bool_)
    actions, returns = np.zeros((STEPS, TABLES), np.int64), np.zeros((STEPS, TABLES), np.float32)
    rewards, done = np.zeros((STEPS, TABLES), np.float32), np.zeros((STEPS, TABLES), np.bool_)
    batch, recent = env.batch, [np.zeros(0)]
    began = told = time.monotonic()
    while network.steps < lessons if lessons else time.monotonic() < began + seconds:
        for step in range(STEPS):
            observations[step], legal[step] = batch.observations, batch.legal
            actions[step] = drawn(network.judge(batch.observations, batch.legal)[0], rng)
            batch = env.step(actions[step])
            rewards[step], done[step] = batch.rewards, batch.done
            recent.append(batch.scores[batch.done])
        _, following = network.judge(batch.observations, batch.legal)
        for step in reversed(range(STEPS)):
            following = returns[step] = rewards[step] + DISCOUNT * following * ~done[step]
        network.learn(
            observations.reshape(-1, env.width), legal.reshape(-1, env.actions), actions.ravel(), returns.ravel()
        )
        if time.monotonic() > told + 5:
            told, scores = time.monotonic(), np.concatenate(recent)
            made = network.steps * STEPS * TABLES
            print(f"{told - began:4.0f} s  {made / 1e6:5.1f} M steps  {len(scores):6,} games at {scores.mean():5.2f}")
            recent.clear()
    return network


def measured(choose: Callable[[BatchedHanabi, Batch], Any], games: int = 2000) -> str:
    """The mean score over some games that nobody trained on, with its 95 % interval."""
    env = BatchedHanabi(games, PLAYERS, rules=RULES, dtype=np.float32, seed=1_000_000)
    scores = env.play(lambda batch: choose(env, batch))
    return f"{scores.mean():.2f} ± {1.96 * scores.std(ddof=1) / games**0.5:.2f} points over {games:,} games"


class Trained:
    """The network that `train_player.py` trained, choosing what it likes best."""

    def __init__(self) -> None:
        if not WEIGHTS.is_file():
            raise FileNotFoundError(f"There is no {WEIGHTS.name} yet; python {Path(__file__).name} trains one.")
        self.network = Network(np.random.default_rng(0))
        self.network.weights = dict(np.load(WEIGHTS))

    def decide(self, view: View) -> tuple[int, str]:
        if view.players != PLAYERS:
            raise ValueError(f"it was trained at tables of {PLAYERS}, and this is one of {view.players}")
        legal = np.zeros((1, int(action_count(PLAYERS))), np.bool_)
        legal[0, [action_of_move(move, view.seat, PLAYERS) for move in view.legal]] = True
        likes, value = self.network.judge(observation(view.struct, np.float32)[None], legal)
        move = move_of_action(int(likes.argmax()), view.seat, PLAYERS)
        return int(move), f"liked at {likes.max():.0%}; {value[0]:.1f} points expected"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="how long to train (60)")
    parser.add_argument("--lessons", type=int, help="train for so many lessons instead, to get the same again")
    parser.add_argument("--seed", type=int, default=0, help="where the games and the network begin (0)")
    chosen = parser.parse_args()
    print(f"random legal moves: {measured(lambda env, batch: env.sample())}")
    network = trained(chosen.seconds, chosen.seed, chosen.lessons)

    def likes_best(env: BatchedHanabi, batch: Batch) -> Any:
        return network.judge(batch.observations, batch.legal)[0].argmax(axis=1)

    print(f"what it learned:    {measured(likes_best)}")
    np.savez(WEIGHTS, **network.weights)
    print(f"To see it play: kibitz watch hanabi {Path(__file__)}:Trained --players {PLAYERS}")


if __name__ == "__main__":
    main()
