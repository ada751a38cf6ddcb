"""Agents of a cooperative table: how they play with others, and who understands whom."""

import numpy as np
import pytest

from kibitz.arena import charts
from kibitz.arena.cross import Cell, Cross, CrossPlan
from kibitz.arena.partners import groups, partnerships

AGENTS = ("a", "x", "b", "y", "c")  # as named: a, b and c understand one another, and x and y do


def table(players: int = 3) -> Cross:
    cross = Cross(CrossPlan("hanabi", AGENTS, players, 100, 0))
    for row in AGENTS:
        for column in AGENTS:
            mean = 20.0 if (row in "abc") == (column in "abc") else 5.0 + AGENTS.index(row)
            slices = tuple(mean + 0.5 * (-1) ** number for number in range(50))
            cross.add(Cell(row, column, 100, mean, 0.1, 0, slices=slices))
    return cross


def test_agents_that_understand_one_another_are_a_group_and_neighbours() -> None:
    found = groups(table())
    assert {frozenset(group) for group in found} == {frozenset("abc"), frozenset("xy")}
    labels = [label.get_text() for label in charts.heat_map(table()).axes[0].get_xticklabels()]
    assert labels == [name for group in found for name in group]


def test_an_agent_is_the_mean_over_its_partners() -> None:
    found = {each.agent: each for each in partnerships(table())}
    assert next(iter(found)) == "c"
    one = found["a"]
    assert one.estimate.mean == pytest.approx((20 + 20 + 5 + 5) / 4)
    assert one.best in "bc"
    assert one.worst in "xy"
    assert one.estimate.stderr == pytest.approx(np.std([0.5, -0.5] * 25, ddof=1) / 50**0.5)
    assert (one.group == found["b"].group, one.group == found["x"].group) == (True, False)


def test_agents_that_all_understand_one_another_are_one_group() -> None:
    cross = Cross(CrossPlan("hanabi", AGENTS[:2], 2, 100, 0))
    for pair in (("a", "a"), ("a", "x"), ("x", "x")):
        cross.add(Cell(*pair, 100, 15.0, 0.1, 0))
    assert groups(cross) == [["a", "x"]]
    assert "partners" in cross.as_json()
