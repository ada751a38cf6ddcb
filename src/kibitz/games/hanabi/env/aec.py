"""One Hanabi table as a PettingZoo environment with agents that take turns (AEC).

from kibitz.games.hanabi.env import aec

env = aec.env(players=3, render_mode="human")
"""

import io
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from rich.console import Console

from kibitz.core.plain_board import PAGE_WIDTH
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.extras import missing
from kibitz.games.hanabi import rules as game_rules
from kibitz.games.hanabi.env.actions import action_count, action_names, actions_of_moves, move_of_action
from kibitz.games.hanabi.env.batched import check_size, complete_rules, why_not
from kibitz.games.hanabi.env.encoding import observation, observation_width
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.state import STATE
from kibitz.games.hanabi.worlds import observe

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing("env") from error  # BatchedHanabi needs neither

RENDER_MODES = ("human", "ansi")


def env(**asked: Any) -> Any:
    """A `HanabiAEC` in PettingZoo's usual wrappers: an illegal action ends the game with a reward of −1."""
    raw = wrappers.TerminateIllegalWrapper(HanabiAEC(**asked), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class HanabiAEC(AECEnv):  # type: ignore[misc]
    """Agents are `player_0`, `player_1`, … in the order of their seats. All of them get every reward.

    An observation has the vector (`encoding`) and the `action_mask`, which is all 0 for agents not to move. The first
    reset deals game 0 of the seed, each later one the next game; `reset(seed=…)` switches to another seed. An illegal
    action raises an error with the reason, and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "kibitz_hanabi_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 2,
        *,
        seed: int = 0,
        rules: Mapping[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_size(players)
        if render_mode not in (None, *RENDER_MODES):
            raise KibitzError(f"render_mode must be {' or '.join(RENDER_MODES)}, not {render_mode!r}.")
        self.players, self.seed, self.rules, self.render_mode = players, seed, complete_rules(rules), render_mode
        self.game = -1  # the number of the current game of the seed
        self.action_names = action_names(players)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        actions, width = int(action_count(players)), observation_width(players)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (width,), np.int8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.state_space = spaces.Box(0, 1, (players * width,), np.int8)
        self._pair = np.zeros(2, STATE)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    @property
    def table(self) -> Any:
        """The state of the table; `view` has what a player may know."""
        return self._pair[WORLD]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.seed, self.game = (self.seed, self.game + 1) if seed is None else (seed, 0)
        self._pair[WORLD] = HANABI.deal(keys(self.seed), self.game, self.players, self.rules)[0]
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        legal = np.flatnonzero(self._mask(self.agent_selection))
        if action is None or action not in legal:
            raise KibitzError(why_not(action, self.table, legal))
        actor, before = self.agent_selection, int(game_rules.score(self.table))
        game_rules.apply(self.table, move_of_action(action, int(self.table["to_move"]), self.players))
        reward = float(game_rules.score(self.table) - before)
        self._cumulative_rewards[actor] = 0.0
        self.rewards = dict.fromkeys(self.agents, reward)
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[int(self.table["to_move"])]
        if self.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: dict(HANABI.result(self.table)) for agent in self.agents}
        if self.render_mode == "human":
            self.render()

    @property
    def over(self) -> bool:
        return bool(game_rules.to_move(self.table) < 0)

    def _mask(self, agent: str) -> Any:
        mask = np.zeros(len(self.action_names), np.int8)
        seat = self.possible_agents.index(agent)
        if not self.over and seat == self.table["to_move"]:
            legal = int(actions_of_moves(game_rules.legal(self.table), seat, self.players))
            mask[:] = [legal >> action & 1 for action in range(len(mask))]
        return mask

    def view(self, agent: str) -> Any:
        """A player's view as a struct; `HANABI.view` wraps it for Python agents."""
        observe(self._pair, self.possible_agents.index(agent), False)
        return self._pair[SEEN]

    def observe(self, agent: str) -> dict[str, Any]:
        return {"observation": observation(self.view(agent), np.int8), "action_mask": self._mask(agent)}

    def state(self) -> Any:
        """The observations of all players in order: together they see every card but the draw pile."""
        return np.concatenate([observation(self.view(agent), np.int8) for agent in self.possible_agents])

    def render(self) -> str | None:
        """The view of the player to move, as text (`ansi`) or printed (`human`); a finished game is shown openly."""
        if self.render_mode is None:
            raise KibitzError(f"Choose a render mode when you create the table: render_mode={RENDER_MODES!r}.")
        board = HANABI.board(self.table if self.over else self.view(self.agent_selection))
        if self.render_mode == "human":
            Console().print(board)
            return None
        text = io.StringIO()
        Console(file=text, width=PAGE_WIDTH, color_system=None).print(board)
        return text.getvalue()

    def close(self) -> None:
        """There is nothing to release."""


raw_env = HanabiAEC
