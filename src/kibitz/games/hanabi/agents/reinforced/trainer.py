"""Training of the learner: whole blocks of games in machine code, each at one table of the plan."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.agent import Agent, CompiledAgent, check_memories, seats_of
from kibitz.core.agent_faults import naming_the_agent
from kibitz.core.trainer import Setting, TrainingPlan
from kibitz.engine.seeds import keys, numbers
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.reinforced.outcomes import IN_TRAINING, begin_with, no_outcomes, packed, unpack
from kibitz.games.hanabi.agents.reinforced.player import play_by_tables, player
from kibitz.games.hanabi.agents.reinforced.situations import (
    INFERENCE,
    LOOK_AHEAD,
    PARTNERS,
    SIGNALS,
    WEIGHTS,
)
from kibitz.games.hanabi.agents.reinforced.training_games import FIXED, MEDIAN_OF, NOT_YET, SCORES, Settings, train

BLOCK = 250  # games before the players change seats
CERTAINTY = 50  # the weight of a situation in earlier tables, in outcomes


def switch(about: str, default: float = 1.0) -> Setting:
    return Setting(default, 0, 1, about)


DEFAULTS = Settings()
SETTINGS = {
    "exploration": Setting(DEFAULTS.exploration, 0, 10, "c of the exploration bonus c·√(ln(N + 1) / p)"),
    "random_moves": Setting(DEFAULTS.random_moves, 0, 1, "share of random moves"),
    "game_reward": Setting(DEFAULTS.game_reward, 0, 255, "of an outcome's 255, for each point above the median score"),
    "discard_credit": switch("whether discards are credited to the last hint about the card, as plays are", 0.0),
    "action_credit": switch("whether immediate outcomes are also credited to the choice among play, discard and hint"),
    "inference": switch("whether cards are judged by all that their holder sees, not only by hints"),
    "signals": switch("whether situations include which of the touched cards a card is, and the age of the hint"),
    "partners": switch("whether a hint is judged by what its receiver would then play"),
    "look_ahead": switch("whether a hint is judged by the piles as they will be when its receiver moves"),
}


class ReinforcedTraining:
    def __init__(self, plan: TrainingPlan) -> None:
        self.plan, self.settings = plan, Settings(**plan.settings)
        chosen = self.settings
        ideas = sum(
            idea
            for idea, wanted in (
                (INFERENCE, chosen.inference),
                (SIGNALS, chosen.signals),
                (PARTNERS, chosen.partners),
                (LOOK_AHEAD, chosen.look_ahead),
            )
            if wanted
        )
        self.memory = no_outcomes(plan.learners, ideas, chosen.random_moves)
        self.recent = np.full((plan.game.most_seats + 1, MEDIAN_OF), NOT_YET, np.int64)  # by the number of players
        for learner, agent in plan.starts.items():
            if agent.decide is not play_by_tables:
                raise KibitzError(
                    f"{agent.name} has no tables to begin with. Name one of reinforced2, reinforced4, reinforced_guest "
                    f"and reinforced_all, or what you trained: reinforced2@tables.npz."
                )
            begin_with(self.memory, learner, agent.weights.values, CERTAINTY, self.settings.exploration)
        for partner in plan.partners:
            if isinstance(partner, Agent) and not isinstance(partner, CompiledAgent):
                raise KibitzError(
                    f"{partner.name} is a Python class. Partners have to be compiled agents, as thousands of games "
                    f"are played with them each second."
                )

    def train(self, first: int, games: int) -> Any:
        """Play and learn whole blocks of games: `first` and `games` must be multiples of BLOCK."""
        return np.concatenate([self.block(game) for game in range(first, first + games, BLOCK)])

    def block(self, first: int) -> Any:
        plan, number = self.plan, first // BLOCK
        players = plan.players[number % len(plan.players)]
        shift = number // len(plan.players) % players
        table = plan.table(players)
        order = [table[(seat - shift) % players] for seat in range(players)]
        learners = np.array([each if isinstance(each, int) else FIXED for each in order], np.int64)
        agents = [LEARNER if isinstance(each, int) else each for each in order]
        seats, pair, scores = seats_of(plan.game, agents), np.zeros(2, plan.game.dtype), np.zeros(BLOCK, np.int64)
        for struct, learner in zip(seats.seats, learners, strict=True):
            if learner != FIXED:  # it plays by the tables it is learning
                struct["weights"], struct["weight_count"] = self.memory.tables[learner].ctypes.data, IN_TRAINING
        cards, dice = (numbers(stream, first, BLOCK) for stream in keys(plan.seed))
        rules = plan.game.rule_bits(plan.game.check_rules(plan.rules))
        with naming_the_agent(plan.game, agents, pair, seats):
            done = train(
                pair, seats, learners, rules, cards, dice, self.memory, self.recent[players], scores, self.settings
            )  # fmt: skip
        check_memories(agents, seats)
        if done < BLOCK:
            names = ", ".join(agent.name for agent in agents if agent is not LEARNER)
            raise KibitzError(f"One of {names} decided on a move that is not legal, in game {first + done}.")
        return np.column_stack([np.full(BLOCK, players), scores])

    def state(self) -> dict[str, Any]:
        return {**packed(self.memory), "recent": self.recent}

    def restore(self, state: Mapping[str, Any]) -> None:
        scores = state["recent"]
        if scores.min() < NOT_YET or scores.max() >= SCORES:
            raise ValueError(f"its last games have scores from {scores.min()} to {scores.max()}")
        unpack(self.memory, state)
        self.recent[:] = scores

    def learned(self) -> tuple[CompiledAgent, ...]:
        """The learned agents; 16-bit values are exact enough, and keep files small."""
        return tuple(
            player(f"learner {number + 1}", values.astype(np.float16))
            for number, values in enumerate(self.memory.tables[:, :WEIGHTS])
        )


LEARNER = player("learner", np.zeros(1))


class Reinforced:
    name = "reinforced"
    game = "hanabi"
    description = "Learns values of plays, discards, hints and actions in tables, from the outcomes of its own games."
    settings: Mapping[str, Setting] = SETTINGS
    block = BLOCK

    def begin(self, plan: TrainingPlan) -> ReinforcedTraining:
        return ReinforcedTraining(plan)


REINFORCED = Reinforced()
