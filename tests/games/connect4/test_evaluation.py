"""The evaluations of Connect 4 beyond lines of four: by direction, larger patterns, and the network."""

import random
from typing import Any

import numpy as np
import pytest

from kibitz.core.trainer import TrainingPlan, check_settings
from kibitz.core.weights import Weights
from kibitz.errors import KibitzError
from kibitz.games.connect4 import convolution
from kibitz.games.connect4.agents import CONVOLUTION, DIRECTIONS, LARGER_PATTERNS, PATTERNS, alphabeta4
from kibitz.games.connect4.board import HEIGHT
from kibitz.games.connect4.convolution import (
    BLOCK,
    ConvolutionTraining,
    first_weights,
    inputs_of,
    logits_and_slopes,
    mirrored,
)
from kibitz.games.connect4.evaluation import LARGER, NETWORK, POINTS, evaluate
from kibitz.games.connect4.game import CONNECT4
from kibitz.games.connect4.notation import state_after


def positions(count: int, seed: int) -> list[Any]:
    """Positions after random moves that nobody has won."""
    dice, found = random.Random(seed), list[Any]()
    while len(found) < count:
        moves = ""
        for _ in range(dice.randrange(6, 30)):
            legal = CONNECT4.legal(state_after(moves)[0])
            moves += str(1 + dice.choice(legal)) if legal else ""
        if CONNECT4.legal(state_after(moves)[0]):
            found.append(state_after(moves)[0])
    return found


def place(column: int, row: int) -> int:
    return 1 << HEIGHT * (column - 1) + row - 1


def test_the_same_weights_in_every_direction_count_all_lines_alike() -> None:
    for state in positions(40, 1):
        expected = evaluate(state, 0, PATTERNS.values)
        for weights in (DIRECTIONS, LARGER_PATTERNS):
            assert evaluate(state, 0, weights.values) == pytest.approx(expected)
            assert evaluate(state, 1, weights.values) == pytest.approx(-expected)


STEPS = {"up": ((0, 1),), "across": ((1, 0),), "diagonal": ((1, 1), (1, -1))}  # columns and rows
Places = set[tuple[int, int]]
BOARD: Places = {(column, row) for column in range(1, 8) for row in range(1, 7)}


def stones_of(state: Any, seat: int) -> Places:
    mine, taken = int(state["mine"]), int(state["taken"])
    mask = mine if int(state["turn"]) % 2 == seat else mine ^ taken
    return {(column, row) for column, row in BOARD if mask & place(column, row)}


def lines(direction: str) -> list[Places]:
    made = [{(c + n * x, r + n * y) for n in range(4)} for c, r in BOARD for x, y in STEPS[direction]]
    return [line for line in made if line <= BOARD]


def alone(weights: Weights, name: str) -> Any:
    """Only one of the weights is 1, all others 0."""
    return weights.but({**dict.fromkeys(weights.names, 0.0), name: 1.0}).values


def test_every_weight_counts_the_lines_of_its_direction() -> None:
    for state in positions(10, 8):
        own, other = stones_of(state, 0), stones_of(state, 1)
        for name in DIRECTIONS.names:
            direction, _, number = name.partition(".")
            count = ("ones", "twos", "threes").index(number) + 1
            mine, theirs = (
                sum(len(line & stones) == count and not line & rivals for line in lines(direction))
                for stones, rivals in ((own, other), (other, own))
            )
            assert evaluate(state, 0, alone(DIRECTIONS, name)) == mine - theirs


def test_larger_patterns_are_free_places_that_win() -> None:
    every, seen = [line for direction in STEPS for line in lines(direction)], dict.fromkeys(LARGER, 0)
    for state in positions(60, 9):
        sides = [stones_of(state, seat) for seat in range(2)]
        free = BOARD - sides[0] - sides[1]
        winning = [
            {at for at in free if any(at in line and line <= stones | {at} for line in every)} for stones in sides
        ]
        next_row = {column: 1 + sum((column, row) not in free for row in range(1, 7)) for column in range(1, 8)}
        counts = [
            {
                "own_row": sum(row % 2 != seat for _, row in places),
                "other_row": sum(row % 2 == seat for _, row in places),
                "stacked": sum((column, row - 1) in places for column, row in places),
                "next": sum(row == next_row[column] + 1 for column, row in places),
            }
            for seat, places in enumerate(winning)
        ]
        for name in LARGER:
            assert evaluate(state, 0, alone(LARGER_PATTERNS, name)) == counts[0][name] - counts[1][name]
            seen[name] += counts[0][name] + counts[1][name]
    assert all(seen.values())


def columns(states: list[Any]) -> tuple[Any, Any, Any]:
    mine, taken, turn = (np.array([int(state[name]) for state in states]) for name in ("mine", "taken", "turn"))
    return mine, taken, turn


def test_the_network_computes_in_machine_code_what_it_computes_in_training() -> None:
    weights = first_weights(3)
    weights[-200:] = np.random.default_rng(4).normal(0.0, 0.02, 200)
    states = positions(12, 2)
    logits, _ = logits_and_slopes(weights, inputs_of(*columns(states)), np.zeros(12))
    for state, logit in zip(states, logits, strict=True):
        mover = int(state["turn"]) % 2
        assert evaluate(state, mover, weights) == pytest.approx(POINTS * logit)
        assert evaluate(state, 1 - mover, weights) == pytest.approx(-POINTS * logit)


def test_the_gradient_of_the_network_is_the_slope_of_its_loss() -> None:
    weights = first_weights(5)
    weights[-200:] = np.random.default_rng(6).normal(0.0, 0.1, 200)
    inputs, outcomes = inputs_of(*columns(positions(6, 3))), np.array([0.0, 1.0, 0.5, 1.0, 0.0, 1.0])

    def loss(at: Any) -> float:
        logits, _ = logits_and_slopes(at, inputs, outcomes)
        return float(np.mean(np.logaddexp(0.0, logits) - outcomes * logits))

    _, slopes = logits_and_slopes(weights, inputs, outcomes)
    for place_of in np.random.default_rng(7).integers(NETWORK, size=30):
        step = np.zeros(NETWORK)
        step[place_of] = 1e-5
        assert slopes[place_of] == pytest.approx((loss(weights + step) - loss(weights - step)) / 2e-5, abs=1e-6)


def test_mirror_images_are_columns_in_reverse() -> None:
    one, other = (columns([state_after(moves)[0]])[:2] for moves in ("1123", "7765"))
    assert [mirrored(stones).tolist() for stones in one] == [stones.tolist() for stones in other]


def plan(**settings: float) -> TrainingPlan:
    return TrainingPlan(
        CONNECT4, (2,), seed=5, rules={"opening": "random"}, settings=check_settings(CONVOLUTION, settings)
    )


def test_training_learns_and_resumes_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convolution, "ENOUGH", 500)
    chosen = {"depth": 1.0, "random_moves": 0.5, "batches": 2.0}
    whole = ConvolutionTraining(plan(**chosen), CONVOLUTION.agent)
    whole.train(0, 6 * BLOCK)
    half = ConvolutionTraining(plan(**chosen), CONVOLUTION.agent)
    half.train(0, 4 * BLOCK)
    resumed = ConvolutionTraining(plan(**chosen), CONVOLUTION.agent)
    resumed.restore({name: np.array(value) for name, value in half.state().items()})
    resumed.train(4 * BLOCK, 2 * BLOCK)
    assert whole.optimiser.steps == resumed.optimiser.steps > 0
    assert np.array_equal(whole.weights, resumed.weights)
    assert set(np.unique(whole.positions["outcome"])) <= {0.0, 0.5, 1.0}


def test_training_starts_only_from_a_network() -> None:
    start = TrainingPlan(CONNECT4, (2,), settings=check_settings(CONVOLUTION, {}), starts={0: alphabeta4})
    with pytest.raises(KibitzError, match="alphabeta4 has no convolutional evaluation"):
        CONVOLUTION.begin(start)
