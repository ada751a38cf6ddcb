"""A game of every player at every table, kept as text: a change of rules or of play shows as a difference.

After an intended change, write them again: `KIBITZ_UPDATE_GOLDEN=1 pytest tests/games/loveletter/test_golden.py`.
"""

from pathlib import Path

import pytest

from kibitz.core.agent import Agent
from tests.any_game import named
from tests.games.loveletter.tables import AGENTS, GAME, PLAYERS, dealt, table_of
from tests.golden import game_text, is_as_kept

GOLDEN = Path(__file__).parent / "golden"
SEED = 2016
LINE = "{number:3}  {text}  [{reason}]"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_the_game_goes_as_it_always_did(agent: Agent, players: int) -> None:
    table = table_of([agent] * players, dealt(players, rules=GAME, seed=SEED))
    text = game_text(table, f"{agent.name}, {players} players, seed {SEED}, game 0", LINE)
    is_as_kept(text, GOLDEN / f"{agent.name}-{players}.txt")
