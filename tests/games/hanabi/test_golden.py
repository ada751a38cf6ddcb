"""One whole game of every agent at every table, kept as text: a change of rules or of play shows as a difference.

After a change that is meant, write them again with `KIBITZ_UPDATE_GOLDEN=1 pytest tests/games/hanabi/test_golden.py`.
"""

from pathlib import Path

import pytest

from kibitz.core.agent import Agent
from tests.golden import game_text, is_as_kept
from tests.tables import PLAYERS, QUICK_AGENTS, dealt, named, table_of

GOLDEN = Path(__file__).parent / "golden"
SEED = 2020
LINE = "{number:3}  {text:26}  {reason}"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("agent", QUICK_AGENTS, ids=named)
def test_the_game_goes_as_it_always_did(agent: Agent, players: int) -> None:
    table = table_of([agent] * players, dealt(players, seed=SEED))
    text = game_text(table, f"{agent.name}, {players} players, seed {SEED}, game 0", LINE)
    is_as_kept(text, GOLDEN / f"{agent.name}-{players}.txt")


def test_every_game_that_is_kept_is_still_played() -> None:
    kept = {path.name for path in GOLDEN.iterdir()}
    assert kept <= {f"{agent.name}-{players}.txt" for agent in QUICK_AGENTS for players in PLAYERS}
