"""A game of every player at every table, kept as text: a change of rules or of play shows as a difference.

After a change that is meant, write them again with `KIBITZ_UPDATE_GOLDEN=1 pytest tests/loveletter/test_golden.py`.
"""

import os
from pathlib import Path

import pytest

from kibitz.core.agent import Agent
from kibitz.loveletter.game import LOVE_LETTER
from tests.any_game import named
from tests.loveletter.tables import AGENTS, GAME, PLAYERS, dealt, seated

GOLDEN = Path(__file__).parent / "golden"
SEED = 2016
UPDATE = os.environ.get("KIBITZ_UPDATE_GOLDEN") == "1"


def game_text(agent: Agent, players: int) -> str:
    """The first game of the seed: every move, its reason, and the verdict."""
    table = seated([agent] * players, dealt(players, rules=GAME, seed=SEED))
    lines = [f"{agent.name}, {players} players, seed {SEED}, game 0"]
    for turn in table.steps():
        lines.append(f"{turn.number:3}  {table.text(turn)}  [{turn.decision.reason}]")
    return "\n".join([*lines, LOVE_LETTER.verdict(table.state)]) + "\n"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_the_game_goes_as_it_always_did(agent: Agent, players: int) -> None:
    path = GOLDEN / f"{agent.name}-{players}.txt"
    text = game_text(agent, players)
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), "This game was never written down: see the top of this file."
    assert text == path.read_text(encoding="utf-8")
