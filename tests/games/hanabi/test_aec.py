"""The PettingZoo environment keeps PettingZoo's promises, and deals the games of a match."""

import builtins
import copy
import importlib
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

from kibitz.errors import KibitzError
from kibitz.games.hanabi.env import BatchedHanabi, aec
from tests.tables import PLAYERS

# PettingZoo has a list of its own environments whose observations may be dictionaries, and does not know ours;
# and the mask of a player who is not to move is empty, as its documentation wants.
EXPECTED = [
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
]


@pytest.mark.filterwarnings(*EXPECTED)
@pytest.mark.parametrize("players", PLAYERS)
def test_pettingzoos_own_tests_pass(players: int) -> None:
    api_test(aec.env(players=players), num_cycles=200)
    api_test(aec.raw_env(players=players), num_cycles=50)
    seed_test(lambda: aec.env(players=players), num_cycles=50)
    check_state_space(aec.raw_env(players=players))
    check_state(aec.env(players=players), num_cycles=20)


def test_it_is_rendered_as_the_player_to_move_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(aec.env)
    capsys.readouterr()
    env = aec.raw_env(render_mode="ansi")
    env.reset()
    assert "G1  you  ??   ??   ??   ??   ??" in str(env.render())
    env.step(5)
    assert "G2  you  ??   ??   ??   ??   ??" in str(env.render())
    finish(env)
    assert "??" not in str(env.render())
    with pytest.raises(KibitzError, match="human or ansi, not 'rgb_array'"):
        aec.raw_env(render_mode="rgb_array")
    silent = aec.raw_env()
    silent.reset()
    with pytest.raises(KibitzError, match="render_mode="):
        silent.render()


def finish(env: Any) -> None:
    """First legal actions to the end."""
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))


@pytest.mark.parametrize("players", PLAYERS)
def test_it_plays_the_games_that_many_tables_play(players: int) -> None:
    """The first reset deals game 0 of the seed, the next one game 1; `reset(seed=…)` goes to another seed."""
    env, tables = aec.raw_env(players=players, seed=9), BatchedHanabi(3, players, seed=9)
    shown = tables.batch.copy()
    actions, rewards = np.zeros((200, 3), int), np.zeros((200, 3))
    for step in range(200):
        actions[step] = tables.sample()
        rewards[step] = tables.step(actions[step]).rewards
    for game in range(3):
        env.reset()
        assert env.observe("player_0")["observation"].tolist() == shown.observations[game].tolist()
        assert env.observe("player_0")["action_mask"].tolist() == shown.legal[game].tolist()
        assert not env.observe("player_1")["action_mask"].any()
        for step in range(200):
            env.step(int(actions[step, game]))
            assert set(env.rewards.values()) == {rewards[step, game]}
            if any(env.terminations.values()):
                break
        assert all(info["score"] == rewards[: step + 1, game].sum() for info in env.infos.values())
    env.reset(seed=2)
    other = BatchedHanabi(1, players, seed=2).batch.observations[0]
    assert env.observe("player_0")["observation"].tolist() == other.tolist()


def test_a_player_gets_all_that_was_scored_since_its_last_turn() -> None:
    env = aec.raw_env(players=3)
    env.reset()
    earned = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        earned[agent] += reward
        score = info.get("score")
        env.step(None if over else int(np.flatnonzero(seen["action_mask"])[-1]))
    assert set(earned.values()) == {score}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copied_or_pickled_table_goes_on_from_where_it_was(copied: Any) -> None:
    env = aec.env()
    env.reset(seed=3)
    env.step(5)
    other = copied(env)
    for each in (env, other):
        finish(each)
    assert env.unwrapped.table.tobytes() == other.unwrapped.table.tobytes()


def test_an_illegal_action_is_refused_with_the_legal_ones() -> None:
    env = aec.raw_env()
    env.reset()
    before = env.table.tobytes()
    for action, words in (
        (0, r"action 0 \(discard 1\) is not legal now: all 8 tokens are there.* may choose among 5 \(play 1\), 6"),
        (20, "there is no action 20: they are the whole numbers from 0 to 19"),
        (None, "there is no action None"),
    ):
        with pytest.raises(KibitzError, match=words):
            env.step(action)
    assert env.table.tobytes() == before


def test_without_pettingzoo_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *arguments: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "pettingzoo":
            raise ImportError("No module named 'pettingzoo'")
        return real(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.delitem(sys.modules, "kibitz.games.hanabi.env.aec")
    with pytest.raises(ImportError, match=r"pip install 'kibitz\[env\]'"):
        importlib.import_module("kibitz.games.hanabi.env.aec")
