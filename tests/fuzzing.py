"""Which tests run when: `make test` has fixed examples, `make test-slow` the rest, `make fuzz` many random examples."""

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

TIMES = int(os.environ.get("KIBITZ_FUZZ", "1"))
FUZZING = "KIBITZ_FUZZ" in os.environ
Test = TypeVar("Test", bound=Callable[..., None])


def at_length(test: Test) -> Test:
    """A test that takes many seconds while faster tests cover most of its promise."""
    return pytest.mark.slow(test)


def examples(count: int) -> settings:
    """The number of examples of a property test whose examples take long."""
    return settings(max_examples=count * TIMES)


def parametrized(
    names: Any, usual: Sequence[Any], others: Sequence[Any], ids: Sequence[str] | None = None
) -> Callable[[Test], Test]:
    """Parametrize with cases that are much alike: those in `others` are slow tests."""
    cases = [*((case, ()) for case in usual), *((case, (pytest.mark.slow,)) for case in others)]
    several = not isinstance(names, str)
    shown: Sequence[str | None] = ids or [None] * len(cases)
    return pytest.mark.parametrize(
        names,
        [
            pytest.param(*(case if several else (case,)), marks=marks, id=id)
            for (case, marks), id in zip(cases, shown, strict=True)
        ],
    )


def first_of(usual: int, names: Any, cases: Sequence[Any], ids: Sequence[str] | None = None) -> Callable[[Test], Test]:
    """Parametrize a test whose cases are much alike; those after the first few are slow tests."""
    return parametrized(names, cases[:usual], cases[usual:], ids)


def at_one_table(agents: Sequence[Any], players: Sequence[int]) -> Callable[[Test], Test]:
    """Parametrize a test with every agent at a table of one size, in turn; the other sizes are slow tests."""
    usual = [(agent, players[number % len(players)]) for number, agent in enumerate(agents)]
    others = [(agent, count) for agent in agents for count in players if (agent, count) not in usual]
    ids = [f"{agent.name}-{count}" for agent, count in (*usual, *others)]
    return parametrized(("agent", "players"), usual, others, ids)
