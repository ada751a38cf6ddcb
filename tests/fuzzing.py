"""How long tests explore: a fixed little in every test run, and many times that under `make fuzz`."""

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

TIMES = int(os.environ.get("KIBITZ_FUZZ", "1"))
FUZZING = "KIBITZ_FUZZ" in os.environ
Test = TypeVar("Test", bound=Callable[..., None])


def examples(count: int) -> settings:
    """For a property test whose examples take long: so many in a test run."""
    return settings(max_examples=count * TIMES)


def at_length(test: Any) -> Any:
    """A test that takes many seconds and that others stand for in a test run: only under `make fuzz`."""
    return pytest.mark.fuzz(pytest.mark.skipif(not FUZZING, reason="takes long: make fuzz runs it")(test))


def first_of(usual: int, names: Any, cases: Sequence[Any], ids: Any = None) -> Callable[[Test], Test]:
    """Parametrize a test with the first of its cases, which go much the same way; `make fuzz` takes them all."""
    last = len(cases) if FUZZING else usual
    shown = ids[:last] if isinstance(ids, list) else ids
    return lambda test: pytest.mark.fuzz(pytest.mark.parametrize(names, cases[:last], ids=shown)(test))


def at_one_table(agents: Sequence[Any], players: Sequence[int]) -> Callable[[Test], Test]:
    """Parametrize a test with every agent at a table of one size, by turns; `make fuzz` takes all sizes."""
    sizes = [(agent, count) for agent in agents for count in players]
    by_turns = [(agent, players[n % len(players)]) for n, agent in enumerate(agents)]
    cases = sizes if FUZZING else by_turns
    shown = [f"{agent.name}-{count}" for agent, count in cases]
    return lambda test: pytest.mark.fuzz(pytest.mark.parametrize(("agent", "players"), cases, ids=shown)(test))
