"""Evolution: agents that breed by how well they play, in tournaments of their own, with a fixed group, or both.

*Tournament*: everybody plays with some others of its generation and, in a game with a score, with its own copies;
without others that is pure self-play. Nobody else is ever met, so agents may come to understand only each other.
*Group*: everybody plays with the same agents that are not bred. *Both*: the mean of the two. Where players score
together, the mean score counts; where somebody wins, the share of the wins against the others.

Every generation plays deals of its own, the same for all its members. The best of the last one are judged on fresh
deals, and what is told of the winner is measured on others again. All of it follows from the seed, on any number of
threads, and every generation is kept as a line of a checkpoint.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Literal, get_args

import numpy as np

from kibitz.arena.checkpoint import Checkpoint
from kibitz.arena.statistics import Estimate
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.breeding import Breed, Genes
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.learn.evaluator import Deals, Evaluator, compiled_agent, on_threads, version_of
from kibitz.learn.weight_genes import WeightGenes

By = Literal["tournament", "group", "both"]
BYS: tuple[By, ...] = get_args(By)
DIGITS = 4
KEPT = 0.2  # of a generation live on
MIXED = 0.5  # of the children have two parents
DRAWN = 3  # of whom the best becomes a parent
NEW = 0.05  # of a generation have no parents, so that it does not become all alike
FINALISTS = 10


@dataclass(frozen=True)
class EvolutionPlan:
    """What decides an evolution."""

    game_name: str
    what: str = ""  # an agent whose weights are bred; nothing for what the game itself offers
    by: By = "both"
    group: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()  # whom nobody meets while it is bred
    players: int = 2
    seed: int = 0
    rules: dict[str, str] = field(default_factory=dict)
    population: int = 60
    generations: int = 60
    games: int = 60  # with every partner
    rivals: int = 4  # of the generation, in a tournament; none is pure self-play, where players score together
    judging: int = 2000  # of the finalists, and as many again of the winner, with every partner

    @cached_property
    def game(self) -> Game:
        return registry.game(self.game_name)

    @cached_property
    def breed(self) -> Breed:
        if self.what:
            return WeightGenes(compiled_agent(self.game, self.what))
        if self.game.breed is None:
            raise KibitzError(
                f"{self.game.title} has no agents that are put together from parts. Name an agent whose weights are to "
                f"be bred: kibitz evolve {self.game.name} AGENT."
            )
        return self.game.breed

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.game, self.players, self.rules, self.seed)

    @cached_property
    def group_agents(self) -> list[CompiledAgent]:
        return [compiled_agent(self.game, name) for name in self.group]

    @cached_property
    def stranger_agents(self) -> list[CompiledAgent]:
        return [compiled_agent(self.game, name) for name in self.strangers]

    def prepared(self) -> "EvolutionPlan":
        """The same plan, checked and complete, and its agents compiled."""
        if self.by not in BYS:
            raise KibitzError(f"Agents are bred by {', '.join(BYS[:-1])} or {BYS[-1]}, not by {self.by!r}.")
        game = self.game
        game.check_players(self.players)
        if game.competitive and self.players < 2:
            raise KibitzError(f"{game.title} is won against somebody: it takes two players to breed by it.")
        if game.competitive and self.by != "group" and self.rivals < 1:
            raise KibitzError(f"{game.title} is won against others: a tournament needs one rival at least.")
        group = self.group
        if not group and self.by != "tournament":
            group = tuple(name for lineup in game.lineups.values() for name in lineup.everybody)
            if not group:
                raise KibitzError(f"{game.title} has no usual opponents: name some with --group, as A,B,C.")
        made = EvolutionPlan(
            **{**asdict(self), "rules": game.check_rules(self.rules), "group": tuple(dict.fromkeys(group))}
        )
        if both := set(made.group) & set(made.strangers):
            raise KibitzError(f"{', '.join(sorted(both))} cannot be in the group and a stranger at once.")
        for agent in (made.breed.agent(made.breed.random(Random(0)), "first"), *made.group_agents):
            agent.functions(game)
        for agent in made.stranger_agents:
            agent.functions(game)
        return made

    @property
    def header(self) -> dict[str, Any]:
        """What stands at the head of a checkpoint; nobody who plays may change meanwhile."""
        first = self.breed.agent(self.breed.random(Random(0)), "first")
        return {**asdict(self), "code": version_of(self.game, [first, *self.group_agents, *self.stranger_agents])}


@dataclass
class Generation:
    members: list[Genes]
    fitness: list[float]

    @property
    def ranking(self) -> list[int]:
        """The best first; of equals those that were there before."""
        return sorted(range(len(self.members)), key=lambda place: (-self.fitness[place], place))


class Evolution:
    """An evolution in the making, kept beside the file that it is to become."""

    def __init__(self, plan: EvolutionPlan, path: Path) -> None:
        self.plan = plan
        self.checkpoint = Checkpoint(path, {"evolve": plan.header}, "an evolution that was begun otherwise")
        self.past: list[tuple[float, float]] = []  # the best and the mean fitness of every generation
        self.last: Generation | None = None
        for number, line in enumerate(self.checkpoint.lines()):
            try:
                entry = json.loads(line)
                if entry["generation"] != number or len(entry["members"]) != len(entry["fitness"]):
                    raise ValueError("it is not the next generation")
                self._live(Generation(entry["members"], [float(each) for each in entry["fitness"]]))
            except (ValueError, KeyError, TypeError) as error:
                raise self.checkpoint.damaged(number, error) from None
        self.before = len(self.past)

    def _live(self, generation: Generation) -> None:
        self.last = generation
        self.past.append((max(generation.fitness), fmean(generation.fitness)))

    # Playing

    def fitness(self, agents: Sequence[CompiledAgent], deals: Deals, dice: Random, jobs: int) -> list[float]:
        """What everybody comes to, with the same deals for all."""
        plan = self.plan
        circle = list(range(len(agents)))
        dice.shuffle(circle)
        places = {agent: place for place, agent in enumerate(circle)}
        rivals = min(plan.rivals, len(agents) - 1)

        def partners(number: int) -> list[CompiledAgent]:
            following = (circle[(places[number] + step) % len(circle)] for step in range(1, rivals + 1))
            own = [] if plan.game.competitive else [agents[number]]
            return own + [agents[other] for other in following]

        def worth(number: int) -> float:
            def with_them(others: Sequence[CompiledAgent]) -> float:
                return fmean(float(plan.evaluator.worth(agents[number], other, deals).mean()) for other in others)

            parts = []
            if plan.by != "group":
                parts.append(with_them(partners(number)))
            if plan.by != "tournament":
                parts.append(with_them(plan.group_agents))
            return round(fmean(parts), DIGITS)

        with on_threads(jobs) as each:
            return list(each(worth, range(len(agents))))

    # Breeding

    def next_members(self) -> list[Genes]:
        """The generation after the last, or the first."""
        plan, number = self.plan, len(self.past)
        dice = Random(f"{plan.seed}/{number}")
        if self.last is None:
            members = plan.breed.founders()[: plan.population]
            return members + [plan.breed.random(dice) for _ in range(plan.population - len(members))]
        ranking = self.last.ranking
        members = [self.last.members[place] for place in ranking[: max(1, round(KEPT * plan.population))]]

        def parent() -> Genes:
            drawn = (dice.randrange(len(ranking)) for _ in range(DRAWN))
            return self.last.members[ranking[min(drawn)]]  # type: ignore[union-attr]

        new = int(NEW * plan.population)
        while len(members) < plan.population - new:
            child = parent()
            if dice.random() < MIXED:
                child = plan.breed.mixed(child, parent(), dice)
            members.append(plan.breed.changed(child, dice))
        return members + [plan.breed.random(dice) for _ in range(plan.population - len(members))]

    def evolve(self, jobs: int) -> Iterator[Generation]:
        """Breed the generations that are missing, and give each when it is kept."""
        plan = self.plan
        while len(self.past) < plan.generations:
            number, members = len(self.past), self.next_members()
            agents = [plan.breed.agent(genes, f"member {place + 1}") for place, genes in enumerate(members)]
            deals = plan.evaluator.deals(number * plan.games, plan.games)
            fitness = self.fitness(agents, deals, Random(f"{plan.seed}/{number}/circle"), jobs)
            entry = {"generation": number, "members": members, "fitness": fitness}
            self.checkpoint.add(json.dumps(entry, separators=(",", ":")).encode() + b"\n")
            generation = Generation(members, fitness)
            self._live(generation)
            yield generation

    # The end

    def winner(self, jobs: int) -> Genes:
        """The best of the last generation on fresh deals, without parts that it does not use."""
        plan = self.plan
        assert self.last is not None
        finalists: list[Genes] = []
        for place in self.last.ranking:
            if self.last.members[place] not in finalists:
                finalists.append(self.last.members[place])
        finalists = finalists[:FINALISTS]
        agents = [plan.breed.agent(genes, f"finalist {place + 1}") for place, genes in enumerate(finalists)]
        deals = plan.evaluator.deals(plan.generations * plan.games, plan.judging)
        fitness = self.fitness(agents, deals, Random(f"{plan.seed}/finalists"), jobs)
        best = Generation(finalists, fitness).ranking[0]
        used = plan.evaluator.reasons_used(agents[best], [*agents[:3], *plan.group_agents], deals)
        return plan.breed.trimmed(finalists[best], used.tolist())

    def told(self, genes: Genes, jobs: int) -> dict[str, Estimate]:
        """How the winner plays with its copies, the group and strangers, on deals that nothing was chosen by."""
        plan = self.plan
        agent = plan.breed.agent(genes, "winner")
        deals = plan.evaluator.deals(plan.generations * plan.games + plan.judging, plan.judging)
        tables: dict[str, list[CompiledAgent]] = {} if plan.game.competitive else {"copies": [agent]}
        tables |= {"group": plan.group_agents, "strangers": plan.stranger_agents}
        with on_threads(jobs) as each:
            return {
                name: Estimate.of(
                    np.mean(list(each(lambda other: plan.evaluator.worth(agent, other, deals), others)), axis=0)
                )
                for name, others in tables.items()
                if others
            }

    def finish(self, text: str) -> None:
        def write(path: Path) -> None:
            path.write_text(text, encoding="utf-8")

        self.checkpoint.finish(write)
