"""Evolution of agents: fitness comes from a tournament within the population, from a fixed group of partners, or both.

*Tournament*: every agent plays with some others of its generation and, in cooperative games, with its own copies;
without others this is pure self-play. As it meets nobody else, a population may develop conventions of its own.
*Group*: every agent plays with the same fixed agents. *Both*: the mean of the two. Fitness is the mean score in
cooperative games, and the share of wins in competitive ones.

All members of a generation play the same deals, and each generation has its own. The winner is chosen among the best of
the last generation on holdout deals, and its reported results come from further holdout deals. Everything follows from
the seed, on any number of threads, and every generation is a line of a checkpoint.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from kibitz.arena.match import Match
from kibitz.arena.runs import Entries, Run, begin
from kibitz.arena.statistics import Estimate
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.breeding import Breed, Genes
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.learn.evaluator import Deals, Evaluator, compiled_agent, on_threads, version_of
from kibitz.learn.weight_genes import WeightGenes

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor

By = Literal["tournament", "group", "both"]
BYS: tuple[By, ...] = get_args(By)
DIGITS = 4
KEPT = 0.2  # the share of a generation that survives
MIXED = 0.5  # the share of children with two parents
DRAWN = 3  # the tournament size of parent selection
NEW = 0.05  # the share of newcomers without parents, for diversity
FINALISTS = 10


@dataclass(frozen=True)
class EvolutionPlan:
    """The parameters of an evolution."""

    game_name: str
    what: str = ""  # an agent whose weights are bred; by default the game's own genes
    by: By = "both"
    group: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()  # partners met only in the final evaluation
    players: int = 2
    seed: int = 0
    rules: dict[str, str] = field(default_factory=dict)
    population: int = 60
    generations: int = 60
    games: int = 60  # per partner
    rivals: int = 4  # per agent in a tournament; 0 is pure self-play, in cooperative games
    judging: int = 2000  # games per finalist and partner, and again of the winner

    @cached_property
    def game(self) -> Game:
        return registry.game(self.game_name)

    @cached_property
    def breed(self) -> Breed:
        if self.what:
            return WeightGenes(compiled_agent(self.game, self.what))
        if self.game.breed is None:
            raise KibitzError(
                f"{self.game.title} has no agents that are composed of parts. Name an agent to breed its weights: "
                f"kibitz evolve {self.game.name} AGENT."
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
        """The same plan, checked and complete, with its agents compiled."""
        if self.by not in BYS:
            raise KibitzError(f"Fitness comes from {', '.join(BYS[:-1])} or {BYS[-1]}, not from {self.by!r}.")
        game = self.game
        game.check_players(self.players)
        if game.competitive and self.players < 2:
            raise KibitzError(f"{game.title} is competitive: evolution needs at least two players.")
        if game.competitive and self.by != "group" and self.rivals < 1:
            raise KibitzError(f"{game.title} is competitive: a tournament needs at least one rival.")
        group = self.group
        if not group and self.by != "tournament":
            levels = (name for lineup in game.lineups.values() for name in lineup.everybody)
            group = tuple(name for name in levels if not registry.agent(game, name).traits.searches)
            if not group:
                raise KibitzError(f"{game.title} has no default opponents. Name some with --group A,B,C.")
        made = EvolutionPlan(
            **{**asdict(self), "rules": game.check_rules(self.rules), "group": tuple(dict.fromkeys(group))}
        )
        breed = made.breed
        everybody = (*made.group_agents, *made.stranger_agents)  # an unknown name fails before anything compiles
        if both := set(made.group) & set(made.strangers):
            raise KibitzError(f"{', '.join(sorted(both))} cannot be both in the group and a stranger.")
        for agent in (breed.agent(breed.random(Random(0)), "first"), *everybody):
            agent.functions(game)
        return made

    @property
    def header(self) -> dict[str, Any]:
        """The header of a checkpoint, with digests of all agents, which must not change meanwhile."""
        first = self.breed.agent(self.breed.random(Random(0)), "first")
        return {
            **asdict(self), "code": version_of(self.game, [first, *self.group_agents]),
            "strangers_code": version_of(self.game, self.stranger_agents) if self.strangers else "",
        }  # fmt: skip


@dataclass
class Generation:
    members: list[Genes]
    fitness: list[float]

    @property
    def ranking(self) -> list[int]:
        """The best first; ties in order of age."""
        return sorted(range(len(self.members)), key=lambda place: (-self.fitness[place], place))


def fitness_of(
    plan: EvolutionPlan, agent: CompiledAgent, partners: Sequence[CompiledAgent], group: Sequence[CompiledAgent],
    deals: Deals,
) -> float:  # fmt: skip
    """The fitness of an agent with partners of its generation and with the group."""

    def with_them(others: Sequence[CompiledAgent]) -> float:
        return fmean(float(plan.evaluator.worth(agent, other, deals).mean()) for other in others)

    parts = []
    if plan.by != "group":
        parts.append(with_them(partners))
    if plan.by != "tournament":
        parts.append(with_them(group))
    return round(fmean(parts), DIGITS)


def fitness_task(
    matches: Sequence[Match], play_deals: object, fields: dict[str, Any], code: str, tables: Sequence[Sequence[Genes]],
    deals: Deals,
) -> list[float]:  # fmt: skip
    """The fitness of agents, by their genes and those of their partners, for an executor; matches have the group."""
    plan = EvolutionPlan(**fields)
    group = [match.agents[0] for match in matches if isinstance(match.agents[0], CompiledAgent)]
    first = plan.breed.agent(plan.breed.random(Random(0)), "first")
    if version_of(plan.game, [first, *group]) != code:
        raise KibitzError(f"A worker has another version of the parts that {plan.game.title} breeds. Update it.")
    return [
        fitness_of(plan, *(made[0], made[1:]), group, deals)
        for made in ([plan.breed.agent(genes, "member") for genes in table] for table in tables)
    ]


class Evolution:
    """An evolution in progress, and the run that keeps it."""

    def __init__(self, plan: EvolutionPlan, run: Run | None = None) -> None:
        self.plan, self.run = plan, run
        self.rows = Entries(run.folder, "generations") if run is not None and run.folder is not None else None
        self.past: list[tuple[float, float]] = []  # the best and the mean fitness per generation
        self.last: Generation | None = None
        for number, entry in enumerate(self.rows.whole() if self.rows is not None else ()):
            try:
                if entry["generation"] != number or len(entry["members"]) != len(entry["fitness"]):
                    raise ValueError("it is not the next generation")
                self._live(Generation(entry["members"], [float(each) for each in entry["fitness"]]))
            except (ValueError, KeyError, TypeError) as error:
                assert self.rows is not None
                raise self.rows.journal.damaged(number, error) from None
        self.before = len(self.past)

    def _live(self, generation: Generation) -> None:
        self.last = generation
        self.past.append((max(generation.fitness), fmean(generation.fitness)))

    # Playing

    def fitness(
        self, agents: Sequence[CompiledAgent], deals: Deals, dice: Random, jobs: "int | Executor",
        tick: Callable[[], object] = int, members: Sequence[Genes] = (),
    ) -> list[float]:  # fmt: skip
        """The fitness of each agent, on the same deals; calls `tick` after each. Elsewhere they are made again from
        `members`, their genes.
        """
        plan = self.plan
        circle = list(range(len(agents)))
        dice.shuffle(circle)
        places = {agent: place for place, agent in enumerate(circle)}
        rivals = min(plan.rivals, len(agents) - 1)

        def partners(number: int) -> list[int]:
            following = [circle[(places[number] + step) % len(circle)] for step in range(1, rivals + 1)]
            return ([] if plan.game.competitive else [number]) + following

        if not isinstance(jobs, int):
            tables = [[number, *partners(number)] for number in range(len(agents))]
            return self._elsewhere(members, tables, deals, jobs, tick)

        def worth(number: int) -> float:
            others = [agents[other] for other in partners(number)]
            found = fitness_of(plan, agents[number], others, plan.group_agents, deals)
            tick()
            return found

        with on_threads(jobs) as each:
            return list(each(worth, range(len(agents))))

    def _elsewhere(
        self, members: Sequence[Genes], tables: Sequence[Sequence[int]], deals: Deals, executor: "Executor",
        tick: Callable[[], object],
    ) -> list[float]:  # fmt: skip
        """The fitness of members, several in a task."""
        plan = self.plan
        group = [Match.of(plan.game, [agent] * plan.players, 1, 0, rules=plan.rules) for agent in plan.group_agents]
        executor.prepare(group)
        size = max(1, -(-len(tables) // (2 * executor.workers)))
        chosen = [tables[first : first + size] for first in range(0, len(tables), size)]
        waiting = []
        for some in chosen:
            genes = [[members[number] for number in table] for table in some]
            waiting.append(executor.submit(fitness_task, group, asdict(plan), plan.header["code"], genes, deals))
        found: list[float] = []
        for future in waiting:
            for fitness in future.result():
                found.append(fitness)
                tick()
        return found

    # Breeding

    def next_members(self) -> list[Genes]:
        """The next generation, or the first."""
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

    def evolve(self, jobs: "int | Executor", tick: Callable[[], object] = int) -> Iterator[Generation]:
        """Breed the missing generations, yielding each when it is saved; calls `tick` after each agent."""
        plan = self.plan
        while len(self.past) < plan.generations:
            number, members = len(self.past), self.next_members()
            agents = [plan.breed.agent(genes, f"member {place + 1}") for place, genes in enumerate(members)]
            deals = plan.evaluator.deals(number * plan.games, plan.games)
            circle = Random(f"{plan.seed}/{number}/circle")
            fitness = self.fitness(agents, deals, circle, jobs, tick, members)
            entry = {"generation": number, "members": members, "fitness": fitness}
            if self.rows is not None:
                self.rows.add([entry])
            generation = Generation(members, fitness)
            self._live(generation)
            yield generation

    # The end

    def winner(self, jobs: "int | Executor") -> Genes:
        """The best of the last generation on holdout deals, without parts that it does not use."""
        plan = self.plan
        assert self.last is not None
        finalists: list[Genes] = []
        for place in self.last.ranking:
            if self.last.members[place] not in finalists:
                finalists.append(self.last.members[place])
        finalists = finalists[:FINALISTS]
        agents = [plan.breed.agent(genes, f"finalist {place + 1}") for place, genes in enumerate(finalists)]
        deals = plan.evaluator.deals(plan.generations * plan.games, plan.judging)
        fitness = self.fitness(agents, deals, Random(f"{plan.seed}/finalists"), jobs, members=finalists)
        best = Generation(finalists, fitness).ranking[0]
        used = plan.evaluator.reasons_used(agents[best], [*agents[:3], *plan.group_agents], deals)
        return plan.breed.trimmed(finalists[best], used.tolist())

    def measured(self, genes: Genes, jobs: int) -> dict[str, Estimate]:
        """The winner's results with its copies, the group and strangers, on further holdout deals."""
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

    def finish(self, results: Mapping[str, Any]) -> None:
        """Finish the run with the results of the winner."""
        if self.rows is not None and self.run is not None:
            self.rows.finish()
            self.run.finish(results)


def begin_evolution(plan: EvolutionPlan, **how: Any) -> Run:
    """The run of a prepared plan; `how` is passed to `begin`."""
    return begin("evolve", plan.header, f"{plan.game_name}-{plan.what or 'agents'}-{plan.players}", **how)
