"""Levels go up in strength with a person at the table, whose seat the hints reach; see docs/explanation/levels.md."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.games.hanabi.game import HANABI
from kibitz.server.web import agent_scores
from tests.tables import at, make

MEASURED: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "benchmarks/levels.json").read_text(encoding="utf-8")
)["agents"]
ENOUGH = 0.85  # of the hints that copies of the agent get


@pytest.mark.parametrize("players", HANABI.players)
def test_a_higher_level_scores_more_with_a_person(players: int) -> None:
    """The intervals of neighbours do not even touch."""
    levels = [lineup.at_table(players) for lineup in HANABI.lineups.values()]
    assert all(len(agents) == 1 for agents in levels)
    intervals = [MEASURED[name][str(players)]["interval"] for [name] in levels]
    assert all(lower[1] < higher[0] for lower, higher in pairwise(intervals)), intervals


@pytest.mark.parametrize("players", HANABI.players[1:])
def test_hints_of_every_level_reach_a_person(players: int) -> None:
    for lineup in HANABI.lineups.values():
        for name in lineup.at_table(players):
            assert MEASURED[name][str(players)]["hints"] >= ENOUGH, name


def test_levels_of_love_letter_win_more_and_more() -> None:
    game = registry.game("loveletter")
    scores = agent_scores.read()["loveletter"]
    for players in game.players:
        means = [scores[name][str(players)]["mean"] for lineup in game.lineups.values() for name in lineup.agents]
        assert means == sorted(means)


def test_every_honest_agent_was_measured_with_a_person() -> None:
    """Except for searches: they are slow, and most are meant for tables of their copies. One is a level."""
    honest = [agent for agent in registry.agents(HANABI) if not agent.traits.cheats]
    fast = {agent.name for agent in honest if not agent.traits.searches}
    assert set(MEASURED) == fast | {"search_partner"}


@pytest.mark.parametrize("level", ["medium", "hard", "strong"])
@pytest.mark.parametrize("players", [2, 4])
def test_from_the_default_level_on_a_hint_means_play(level: str, players: int) -> None:
    """As the guide teaches: with tokens to spare they hint a card that can be played, and they play what is hinted."""
    [name] = HANABI.lineup(level).at_table(players)
    agent = registry.agent(HANABI, name)
    blanks = ["r4 y4 g4 b4 w4"[: 14 if players == 2 else 11], "w5 b5 r1 g3 y5"[: 14 if players == 2 else 11]]
    others = ["r2 g4 b3 w2", "y2 g5 b4 w3"][: players - 2]
    table = at(*blanks, *others, agents=[agent] * players, tokens=7, rules=HANABI.table_rules)
    assert HANABI.move_text(table.decide().move) in ("hint 1 to G2", "hint red to G2")
    make(table, "hint 1 to G2")
    assert HANABI.move_text(table.decide().move) == "play 3"


def test_the_page_on_hints_says_what_the_levels_say() -> None:
    page = " ".join((Path(__file__).parents[3] / "docs/explanation/hints.md").read_text(encoding="utf-8").split())
    for level, lineup in HANABI.lineups.items():
        assert f"**{level}**" in page
        assert lineup.hints in page


def test_the_page_ranks_bots_by_what_was_measured() -> None:
    """`make levels` writes both files."""
    served = agent_scores.with_people()["hanabi"]
    assert served.keys() == MEASURED.keys()
    for name, cells in served.items():
        assert {players: cell["mean"] for players, cell in cells.items()} == {
            players: cell["mean"] for players, cell in MEASURED[name].items()
        }
