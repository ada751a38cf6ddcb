"""Changed views, records and texts: every game refuses them or plays on, and what does not is found and reported."""

import random
from collections.abc import Iterator

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.game import Game
from kibitz.testing import CheckError
from kibitz.testing.fuzz import Plan, fuzz
from kibitz.testing.fuzz_cases import Cases, honest_agents
from kibitz.testing.mutants import changed_json, changed_view
from tests.fuzzing import FUZZING, TIMES

MILLION = 1_000_000  # over all games, with `make fuzz TIMES=20`
USUAL = 250  # of each game
CARELESS = "tests.testing.careless:CARELESS"


def plans(game: Game, seed: int) -> Iterator[tuple[Plan, int]]:
    """The plans and their numbers of cases: `make fuzz` tries all agents, but slow Python agents less often."""
    if not FUZZING:
        yield Plan(game.name), USUAL
        return
    cases = MILLION // len(registry.games()) * TIMES // 20
    agents = honest_agents(game)
    fast = tuple(agent.name for agent in agents if isinstance(agent, CompiledAgent))
    slow = tuple(agent.name for agent in agents if agent.name not in fast)
    yield Plan(game.name, seed, fast), cases
    if slow:
        yield Plan(game.name, seed, slow), cases // 1000


@pytest.mark.fuzz
@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_a_changed_view_or_record_is_refused_or_legal_and_crashes_no_agent(
    game: Game, pytestconfig: pytest.Config
) -> None:
    for plan, cases in plans(game, int(pytestconfig.getoption("hypothesis_seed") or 0)):
        found = fuzz(plan, cases)
        assert found.faults == []
        assert found.refused + found.accepted == found.tried == cases
        assert found.refused > found.accepted > 0


def test_a_crash_and_a_hang_are_findings_with_their_cases_and_not_the_end() -> None:
    found = fuzz(Plan(CARELESS, patience=3.0), cases=10, first=89)  # among them one of each kind
    reported = " ".join(found.faults)
    assert (found.tried, len(found.faults)) == (10, 3)
    assert "the process ended with exit code -6" in reported
    assert "the process hung for 3 seconds" in reported
    assert "IndexError" in reported
    with pytest.raises(CheckError, match=f"python -m kibitz.testing.fuzz_cases {CARELESS} 0 "):
        found.check()


def test_a_case_depends_on_its_seed_and_number_alone() -> None:
    game = registry.game("tictactoe")
    pool = Cases(game, 3, ()).views
    changed = [changed_view(pool, random.Random(7)).tobytes() for _ in range(2)]
    texts = ['{"moves": [{"move": "a1"}], "players": 2}', '{"moves": [], "players": 3}']
    records = [[changed_json(texts[0], texts, random.Random(seed)) for seed in range(300)] for _ in range(2)]
    assert changed[0] == changed[1]
    assert records[0] == records[1]
