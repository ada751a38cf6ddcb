"""Whether another move is better than the favourite: the comparison of moves over worlds of two sorts."""

import random
from typing import Any

import numpy as np
import pytest

from kibitz.search.racing import (
    PROBES,
    always_best,
    drop_hopeless,
    halve,
    lead,
    mean_of,
    no_race,
    note_favourite,
    note_other,
    take_turns,
    tried_enough,
    verdict,
)
from kibitz.search.paired import Terms, still_running

MOST = 1.0
TERMS = Terms(drop=2.5, leave=1.5, bonus=0.0008)


def race_of(payoffs: list[list[float]], tried: int | None = None) -> Any:
    """A race in which the favourite was tried in all worlds, and the others in the first of the order."""
    race = no_race(np.arange(len(payoffs[0])), len(payoffs))
    for world in payoffs:
        note_favourite(race, world[0], MOST)
    take_turns(race)
    for n in race.order[: len(payoffs) if tried is None else tried].tolist():
        for place in range(1, len(payoffs[0])):
            note_other(race, place, payoffs[n][place])
    return race


def test_sorts_of_worlds_take_turns_however_rare_one_is() -> None:
    race = race_of([[1.0, 1.0]] * 6 + [[0.9, 1.0]] * 2)
    assert race.order.tolist() == [6, 0, 7, 1, 2, 3, 4, 5]


def test_tried_in_all_worlds_a_move_is_ahead_by_the_mean_of_its_gains() -> None:
    dice = random.Random(5)
    payoffs = [[dice.choice((0.8, 1.0, 1.0)), dice.random()] for _ in range(60)]
    race = race_of(payoffs)
    gains = [other - favourite for favourite, other in payoffs]
    assert lead(race, 1, 0)[0] == pytest.approx(np.mean(gains))
    assert mean_of(race, 1) == pytest.approx(np.mean([other for _, other in payoffs]))


def test_the_gain_found_in_some_worlds_is_right_on_average_and_the_error_says_how_far_off() -> None:
    """One world in ten ends badly with the favourite; the other move is tried in 12 of 60 worlds, half of them such."""
    dice, found, errors = random.Random(7), [], []
    for _ in range(400):
        bad = [dice.random() < 0.1 for _ in range(60)]
        payoffs = [[0.9, dice.choice((0.9, 1.0))] if each else [1.0, dice.choice((1.0, 0.98))] for each in bad]
        ahead, error = lead(race_of(payoffs, tried=12), 1, 0)
        found.append(ahead)
        errors.append(error)
    truth = 0.1 * 0.05 - 0.9 * 0.01
    assert np.mean(found) == pytest.approx(truth, abs=3 * float(np.std(found)) / 20)
    assert np.std(found) < np.mean(errors) < 3 * np.std(found)


def test_a_move_that_gains_where_the_favourite_fails_and_loses_nowhere_is_made() -> None:
    race = race_of([[1.0, 1.0, 1.0]] * 80 + [[0.96, 0.96, 1.0]] * 20)
    chosen = verdict(race, TERMS)
    assert chosen.place == 2
    assert chosen.ahead == pytest.approx(0.008)


def test_a_gain_in_few_worlds_is_not_enough() -> None:
    assert verdict(race_of([[0.96, 1.0]] + [[1.0, 1.0]] * 30), TERMS).place == 0


def test_what_gains_nowhere_drops_out_when_all_worlds_that_matter_were_tried() -> None:
    race = race_of([[1.0, 1.0, 1.0]] * 40 + [[0.96, 0.96, 1.0]] * 4, tried=8)
    drop_hopeless(race, TERMS)
    assert race.running.tolist() == [1, 0, 1]


def test_what_is_surely_worse_drops_out_and_the_favourite_never() -> None:
    race = race_of([[0.9, 0.1, 0.95]] * 20 + [[1.0, 0.1, 1.0]] * 20, tried=12)
    drop_hopeless(race, TERMS)
    assert race.running.tolist() == [1, 0, 1]
    halve(race, 1.0)
    assert still_running(race) == 2
    assert race.running[0]


def test_a_favourite_that_always_ends_as_well_as_can_be_needs_no_rival() -> None:
    race = race_of([[1.0, 1.0]] * PROBES, tried=0)
    assert always_best(race)
    assert tried_enough(race)
    assert not tried_enough(race_of([[1.0, 1.0]] * (PROBES - 1), tried=0))
