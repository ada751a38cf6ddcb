"""The settings of searching players, written behind an @."""

import re

import pytest

from kibitz.arena.match import Match, play
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError

CONNECT4, COINS = registry.game("connect4"), registry.game("coins")


def nodes_of(agent: str) -> int:
    """The positions a player searches for its first move, by its reason."""
    player = registry.agent(CONNECT4, agent).take_seat(CONNECT4)
    reason = player.decide(CONNECT4.deal(keys(0), 0, 2, CONNECT4.check_rules({"opening": "random"}))[0]).reason
    found = re.search(r"([\d,]+) positions", reason)
    assert found is not None
    return int(found[1].replace(",", ""))


def test_a_beam_looks_at_fewer_positions_and_singular_extensions_at_more() -> None:
    usual = nodes_of("alphabeta4")
    assert nodes_of("alphabeta4@beam=2") < usual < nodes_of("alphabeta4@singular=20")
    assert nodes_of("alphabeta4@beam=2@beam_after=8") == usual


def test_settings_are_part_of_an_agent_s_description() -> None:
    agent = registry.agent(CONNECT4, "alphabeta4@threes=40@singular=50@6ply")
    assert isinstance(agent, CompiledAgent)
    assert (agent.settings.by_name()["singular"], agent.weights.by_name()["threes"]) == (50.0, 40.0)
    again = registry.made(CONNECT4, registry.described(CONNECT4, agent))
    assert isinstance(again, CompiledAgent)
    assert (again.settings, again.weights, again.budget) == (agent.settings, agent.weights, agent.budget)


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("alphabeta4@beams=3", "alphabeta4 has the weights and settings ones, twos, threes, singular, beam"),
        ("alphabeta4@beam=-3", "The weight beam is -3; it goes from 0 to 256"),
        ("alphabeta4@ally=1", "has the weights and settings"),
        ("mcts@beam=3", "beam"),
    ],
)
def test_a_setting_that_does_not_exist_is_refused(agent: str, says: str) -> None:
    with pytest.raises(KibitzError, match=re.escape(says)):
        registry.agent(CONNECT4, agent)


def wins(*agents: str) -> list[float]:
    """Everybody's share of the wins, each deal once for each seat."""
    lineup = [(*agents[n:], *agents[:n]) for n in range(len(agents))]
    shares = [0.0] * len(agents)
    for turn, seats in enumerate(lineup):
        for chunk in play(Match("coins", seats, deals=150, seed=3, rules=COINS.check_rules({}))):
            for winners in chunk.results[:, 0].tolist():
                for seat in range(len(seats)):
                    if int(winners) >> seat & 1:
                        shares[(seat + turn) % len(agents)] += 1 / int(winners).bit_count()
    return [share / (150 * len(agents)) for share in shares]


def test_allies_win_from_the_third_what_they_do_not_win_alone() -> None:
    alone, allied = wins("paranoid", "paranoid", "paranoid"), wins("paranoid@ally=1", "paranoid@ally=2", "paranoid")
    assert sum(allied[:2]) > sum(alone[:2]) + 0.05
    assert sum(allied) == pytest.approx(1.0)
