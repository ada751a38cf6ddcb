"""The coach of Love Letter: every decision by its chance to win the round."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.agent import Agent, CompiledAgent, structs_of
from kibitz.core.coaching import Evaluation, Remark
from kibitz.errors import KibitzError
from kibitz.games.loveletter.agents.counting import counting
from kibitz.games.loveletter.coach import words
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.rules import MOVES
from kibitz.games.loveletter.view import View
from kibitz.search.measured_race import COLUMNS, FOUND, measure_moves, measured

PLAYOUTS = 2000


class Known(NamedTuple):
    """A view as an array of one: it holds all that a seat remembers."""

    view: Any


class LoveLetterCoach:
    unit = "wins"
    people = ""

    def playouts(self, models: Sequence[Agent]) -> int:
        return PLAYOUTS

    def model(self, name: str, agent: Agent | None) -> Agent:
        """Agents that do not search stand for themselves, and `counting` for people and for those that do."""
        return agent if isinstance(agent, CompiledAgent) and not agent.traits.searches else counting

    def judge(self, models: Sequence[Agent], people: int, seat: int, reviewed: int) -> "LoveLetterJudge":
        compiled = [model for model in models if isinstance(model, CompiledAgent)]
        if len(compiled) < len(models):
            raise KibitzError("Only compiled agents can stand for the players of a review.")
        return LoveLetterJudge(compiled)

    def episode(self, view: Any) -> int:
        return int(view["finished"])

    def outcomes(self, state: Any, seat: int) -> list[float]:
        players = int(state["players"])
        return [
            (1 / len(past.winners) if seat in past.winners else 0.0) if past.winners else 1 / players
            for past in View(state).rounds
        ]


class LoveLetterJudge:
    def __init__(self, models: Sequence[CompiledAgent]) -> None:
        self.structs, self.weights = structs_of(LOVE_LETTER, models, len(models))
        self.models, self.which = self.structs[: len(models)], np.arange(len(models))

    def see(self, views: Sequence[Any]) -> Known:
        return Known(np.array([views[-1]]))

    def evaluate(self, known: Known, chosen: int, stream: int, playouts: int) -> Evaluation:
        table, found = np.zeros((MOVES, COLUMNS)), np.zeros(FOUND)
        count = measure_moves(
            known.view, known.view, self.models, self.which, int(chosen), int(playouts), int(stream), table, found
        )
        evaluation = measured(table[:count], found, chosen, 1.0)
        return evaluation._replace(worths=tuple(worth._replace(perfect=None) for worth in evaluation.worths))

    def remark(self, known: Known, found: Evaluation, stream: int) -> Remark:
        return words.remark(View(known.view[0]), found)


COACH = LoveLetterCoach()
