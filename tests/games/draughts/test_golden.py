"""A game of every player by every rules, kept as text: a change of rules or of play shows as a difference.

After a change that is meant, write them again with `KIBITZ_UPDATE_GOLDEN=1 pytest tests/games/draughts/test_golden.py`.
"""

from pathlib import Path

import pytest

from kibitz.core.agent import Agent
from kibitz.engine import seeds
from kibitz.games.draughts.game import DRAUGHTS
from tests.any_game import named, table_of
from tests.games.draughts.tables import AGENTS, VARIANTS
from tests.golden import game_text, is_as_kept

GOLDEN = Path(__file__).parent / "golden"
SEED = 1965
LINE = "{number:3}  {text}  [{reason}]"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_the_game_goes_as_it_always_did(agent: Agent, variant: str) -> None:
    table = table_of(
        DRAUGHTS, [agent] * 2, DRAUGHTS.deal(seeds.keys(SEED), 0, 2, DRAUGHTS.check_rules({"variant": variant}))
    )
    text = game_text(table, f"{agent.name}, {variant}, seed {SEED}, game 0", LINE)
    is_as_kept(text, GOLDEN / f"{agent.name}-{variant}.txt")
