"""Whether another move is better than the favourite: the comparison of moves over worlds of two kinds."""

import random
from typing import Any

import numpy as np
import pytest

from kibitz.search.choice import VALUE, Estimates, empty_estimates
from kibitz.search.racing import (
    PROBES,
    RacingParameters,
    all_at_once,
    all_settled,
    alternate,
    drop_hopeless,
    favourite_first,
    halve,
    lead,
    mean_of,
    new_race,
    record_favourite,
    record_other,
    still_running,
    tried_enough,
    verdict,
    write_estimates,
)

MOST = 1.0
RULES = RacingParameters(*favourite_first(2.5, 1.5, 0.0008))


def race_of(payoffs: list[list[float]], tried: int | None = None) -> Any:
    """A race in which the favourite was tried in all worlds, and the others in the first of the order."""
    race = new_race(np.arange(len(payoffs[0])), len(payoffs))
    for world in payoffs:
        record_favourite(race, world[0], MOST)
    alternate(race)
    for n in race.order[: len(payoffs) if tried is None else tried].tolist():
        for place in range(1, len(payoffs[0])):
            record_other(race, place, payoffs[n][place])
    return race


def test_kinds_of_worlds_alternate_however_rare_one_is() -> None:
    race = race_of([[1.0, 1.0]] * 6 + [[0.9, 1.0]] * 2)
    assert race.order.tolist() == [6, 0, 7, 1, 2, 3, 4, 5]


def test_tried_in_all_worlds_a_move_is_ahead_by_the_mean_of_its_gains() -> None:
    dice = random.Random(5)
    payoffs = [[dice.choice((0.8, 1.0, 1.0)), dice.random()] for _ in range(60)]
    race = race_of(payoffs)
    gains = [other - favourite for favourite, other in payoffs]
    assert lead(race, RULES, 1, 0)[0] == pytest.approx(np.mean(gains))
    assert mean_of(race, RULES, 1) == pytest.approx(np.mean([other for _, other in payoffs]))


def test_the_gain_found_in_some_worlds_is_right_on_average_and_the_error_says_how_far_off() -> None:
    """One world in ten ends badly with the favourite; the other move is tried in 12 of 60 worlds, half of them such."""
    dice, found, errors = random.Random(7), [], []
    for _ in range(400):
        bad = [dice.random() < 0.1 for _ in range(60)]
        payoffs = [[0.9, dice.choice((0.9, 1.0))] if each else [1.0, dice.choice((1.0, 0.98))] for each in bad]
        ahead, error = lead(race_of(payoffs, tried=12), RULES, 1, 0)
        found.append(ahead)
        errors.append(error)
    truth = 0.1 * 0.05 - 0.9 * 0.01
    assert np.mean(found) == pytest.approx(truth, abs=3 * float(np.std(found)) / 20)
    assert np.std(found) < np.mean(errors) < 3 * np.std(found)


def test_a_move_that_gains_where_the_favourite_fails_and_loses_nowhere_is_made() -> None:
    race = race_of([[1.0, 1.0, 1.0]] * 80 + [[0.96, 0.96, 1.0]] * 20)
    chosen = verdict(race, RULES)
    assert chosen.place == 2
    assert chosen.value == pytest.approx(1.0)


def test_a_gain_in_few_worlds_is_not_enough() -> None:
    assert verdict(race_of([[0.96, 1.0]] + [[1.0, 1.0]] * 30), RULES).place == 0


def test_what_gains_nowhere_drops_out_when_all_worlds_that_matter_were_tried() -> None:
    race = race_of([[1.0, 1.0, 1.0]] * 40 + [[0.96, 0.96, 1.0]] * 4, tried=8)
    drop_hopeless(race, RULES)
    assert race.running.tolist() == [1, 0, 1]


def test_what_is_surely_worse_drops_out_and_the_favourite_never() -> None:
    race = race_of([[0.9, 0.1, 0.95]] * 20 + [[1.0, 0.1, 1.0]] * 20, tried=12)
    drop_hopeless(race, RULES)
    assert race.running.tolist() == [1, 0, 1]
    halve(race, RULES, 1.0)
    assert still_running(race) == 2
    assert race.running[0]


def test_a_favourite_that_always_ends_as_well_as_can_be_needs_no_rival() -> None:
    race = race_of([[1.0, 1.0]] * PROBES, tried=0)
    assert all_settled(race)
    assert tried_enough(race)
    assert not tried_enough(race_of([[1.0, 1.0]] * (PROBES - 1), tried=0))


def even_race(payoffs: list[list[float]]) -> Any:
    """A race in which every move was tried in every world."""
    race = new_race(np.arange(len(payoffs[0])), len(payoffs))
    race.payoffs[:] = payoffs
    race.visits[:] = len(payoffs)
    race.done[:2] = len(payoffs), race.payoffs.size
    return race


def estimated(race: Any, rules: RacingParameters, best: int, exact: bool = False) -> Estimates:
    found = empty_estimates(len(race.moves))
    found.moves[:] = race.moves
    write_estimates(race, rules, best, exact, found)
    return found


def test_estimates_are_means_with_the_standard_errors_of_means() -> None:
    dice = np.random.default_rng(3)
    payoffs = dice.random((400, 3))
    found = estimated(even_race(payoffs.tolist()), RacingParameters(*all_at_once(2.5, 1.0, 0.0)), 1)
    assert found.values.tolist() == pytest.approx(payoffs.mean(0).tolist())
    assert found.errors.tolist() == pytest.approx((payoffs.std(0) / 20).tolist(), rel=0.03)
    assert found.visits.tolist() == [400] * 3
    assert found.bounds.tolist() == [VALUE] * 3


def test_the_errors_of_a_stratified_race_say_how_far_off_its_values_are() -> None:
    dice, values, errors = np.random.default_rng(4), [], []
    for _ in range(300):
        bad = dice.random(60) < 0.3
        payoffs = [[0.9, each] if low else [1.0, 1.0] for low, each in zip(bad, dice.random(60), strict=True)]
        found = estimated(race_of(payoffs, tried=40), RULES, 0)
        values.append(found.values[1])
        errors.append(found.errors[1])
    assert np.mean(values) == pytest.approx(0.85, abs=3 * np.std(values) / 300**0.5)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.2)


def test_values_of_an_exact_race_have_no_error_and_untried_moves_no_value() -> None:
    race = race_of([[0.5, 0.75, 0.0]], tried=0)
    record_other(race, 1, 0.75)
    found = estimated(race, RULES, 1, exact=True)
    assert found.values[:2].tolist() == [0.5, 0.75]
    assert found.errors.tolist() == [0.0, 0.0, np.inf]
    assert found.visits.tolist() == [1, 1, 0]


def test_a_favourite_tried_beside_the_others_drops_out_once_it_is_to_be_replaced() -> None:
    race = even_race([[0.2, 0.9]] * 40)
    drop_hopeless(race, RacingParameters(*all_at_once(2.5, 1.0, 0.0)))
    assert race.running.tolist() == [0, 1]
    assert verdict(race, RacingParameters(*all_at_once(2.5, 1.0, 0.0))).place == 1
