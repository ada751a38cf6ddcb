"""The coach of Hanabi: who the others are, what the seat knew, and what its moves were worth in points."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.agent import Agent, CompiledAgent, structs_of
from kibitz.core.coaching import Evaluation, Remark
from kibitz.errors import KibitzError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.agents.lookahead import POINTS
from kibitz.games.hanabi.agents.partner import partner
from kibitz.games.hanabi.agents.person import person
from kibitz.games.hanabi.coach import evaluation as e
from kibitz.games.hanabi.coach import words
from kibitz.games.hanabi.coach.known import Known
from kibitz.games.hanabi.game import HANABI
from kibitz.search.measured_race import COLUMNS, FOUND, measured

HANDS = 256  # of a belief: what random models make slow
HANDS_BY_RULE = 1024  # with models that are not random
PLAYOUTS, PLAYOUTS_BY_RULE = 240, 800  # likewise
FUTURES = 24  # worlds in which the words look at what the others do next
ODD = 0.01  # the least likelihood of a move of people, or of another random model
STRANGE = 0.05  # the likelihood of a move by an agent that searches, where what it searches over would move otherwise


class HanabiCoach:
    unit = "points"
    people = person.name

    def playouts(self, models: Sequence[Agent]) -> int:
        return PLAYOUTS if any(model.traits.random for model in models) else PLAYOUTS_BY_RULE

    def model(self, name: str, agent: Agent | None) -> Agent:
        """Agents stand for themselves, those that search for what they search over, and all others for people."""
        if not isinstance(agent, CompiledAgent):
            return person
        if agent.traits.searches:
            return agent.models[0] if len(agent.models) == 1 else partner
        return agent

    def judge(self, models: Sequence[Agent], people: int, seat: int, reviewed: int) -> "HanabiJudge":
        compiled = [model for model in models if isinstance(model, CompiledAgent)]
        if len(compiled) < len(models):
            raise KibitzError("Only compiled agents can stand for the players of a review.")
        return HanabiJudge(compiled, people, seat, reviewed)

    def episode(self, view: Any) -> int:
        return 0

    def outcomes(self, state: Any, seat: int) -> list[float]:
        return [float(rules.score(state))]


class HanabiJudge:
    """Judges one seat. What it sees in order is one belief; evaluations copy it, so they can run in threads."""

    def __init__(self, models: Sequence[CompiledAgent], people: int, seat: int, reviewed: int) -> None:
        count = len(models)
        self.seat, self.players = seat, count
        everybody = [*models, partner]
        self.structs, self.weights = structs_of(HANABI, everybody, count)
        self.models = self.structs[: len(everybody)]
        self.playing = np.arange(count)
        if people >> reviewed & 1:
            self.playing[reviewed] = count
        self.believing = np.arange(count)
        self.believing[seat] = (seat + 1) % count
        others = [models[other] for other in range(count) if other != seat]
        self.trusts = len({id(model.decide) for model in others}) == 1
        self.declares = others[0].truthful_moves is not None
        self.with_people = all(people >> other & 1 for other in range(count) if other != seat)
        self.slack = np.array([self.slack_of(model) for model in models])
        random = any(model.traits.random for model in others)
        self.hands = HANDS if random else HANDS_BY_RULE
        self.memory = np.zeros(1, e.BELIEF)
        self.threads = threading.local()

    def slack_of(self, model: CompiledAgent) -> float:
        if model.traits.cheats:
            return 1.0  # it sees more than its view, so its moves say nothing
        return ODD if model.traits.random else 0.0

    def see(self, views: Sequence[Any]) -> Known:
        start, view = np.array([views[0]]), np.array([views[-1]])
        if self.memory["start"][0, 0]["players"] == 0:
            self.memory["start"][0, 0] = start[0]
            self.memory["start"][0, 0]["seat"] = -1
        e.believe(self.memory, view, self.models, self.believing, self.slack, self.trusts, self.hands)
        memory = self.memory[0]
        count = int(memory["count"])
        if count == 0:
            raise KibitzError("no hand agrees with what this seat saw")
        up_to = np.zeros(count)
        e.shares(self.memory, up_to)
        return Known(
            view, start, memory["hands"][:count].copy(), memory["likelihoods"][:count].copy(),
            np.diff(up_to, prepend=0.0), bool(memory["exact"]),
        )  # fmt: skip

    def believing_in(self, known: Known) -> Any:
        """A memory of this thread that holds a belief."""
        memory = getattr(self.threads, "memory", None)
        if memory is None:
            memory = self.threads.memory = np.zeros(1, e.BELIEF)
        count = len(known.hands)
        memory["start"][0, 0] = known.start[0]
        memory["start"][0, 0]["seat"] = -1
        memory["count"], memory["exact"], memory["turn"] = count, known.exact, known.view[0]["turn"]
        memory["hands"][0, :count], memory["likelihoods"][0, :count] = known.hands, known.likelihoods
        return memory

    def evaluate(self, known: Known, chosen: int, stream: int, playouts: int) -> Evaluation:
        table, found = np.zeros((rules.MOVES, COLUMNS)), np.zeros(FOUND)
        memory = self.believing_in(known)
        count = e.evaluate(
            memory, known.view, self.models, self.playing, int(chosen), int(playouts), int(stream), table, found
        )
        return measured(table[:count], found, chosen, POINTS)

    def remark(self, known: Known, found: Evaluation, stream: int) -> Remark:
        return words.remark(self, known, found, stream)

    def futures(self, known: Known, move: int, stream: int) -> Any:
        """The events until the seat's next turn after a move, by sampled world."""
        histories = np.full((FUTURES, self.players), -1, np.int64)
        memory = self.believing_in(known)
        e.futures(memory, known.view, self.models, self.playing, int(move), int(stream), histories)
        return histories

    def is_truthful(self, known: Known, move: int) -> bool:
        """Whether a move keeps the conventions of the partners, as far as these declare any."""
        if not self.declares or not self.trusts:
            return True
        memory = self.believing_in(known)
        return bool(int(e.truthful(memory, known.view, self.models, self.believing)) >> move & 1)


COACH = HanabiCoach()
