"""One whole game of every agent at every table, kept as text: a change of rules or of play shows as a difference.

After a change that is meant, write them again with `KIBITZ_UPDATE_GOLDEN=1 pytest tests/hanabi/test_golden.py`.
"""

import os
from pathlib import Path

import pytest

from kibitz.core.agent import Agent
from kibitz.hanabi.game import HANABI
from tests.tables import AGENTS, PLAYERS, dealt, named, seated

GOLDEN = Path(__file__).parent / "golden"
SEED = 2020
UPDATE = os.environ.get("KIBITZ_UPDATE_GOLDEN") == "1"


def game_text(agent: Agent, players: int) -> str:
    """The first game of the seed: every move, its reason, and the verdict."""
    table = seated([agent] * players, dealt(players, seed=SEED))
    lines = [f"{agent.name}, {players} players, seed {SEED}, game 0"]
    for turn in table.steps():
        lines.append(f"{turn.number:3}  {table.text(turn):26}  {turn.decision.reason}")
    return "\n".join([*lines, HANABI.verdict(table.state)]) + "\n"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_the_game_goes_as_it_always_did(agent: Agent, players: int) -> None:
    path = GOLDEN / f"{agent.name}-{players}.txt"
    text = game_text(agent, players)
    if UPDATE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), "This game was never written down: see the top of this file."
    assert text == path.read_text(encoding="utf-8")


def test_every_game_that_is_kept_is_still_played() -> None:
    kept = {path.name for path in GOLDEN.iterdir()}
    assert kept <= {f"{agent.name}-{players}.txt" for agent in AGENTS for players in PLAYERS}
