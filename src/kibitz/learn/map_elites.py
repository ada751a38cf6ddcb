"""MAP-Elites: a map of elites, the best agent for each kind of behaviour (Mouret and Clune 2015; for Hanabi Canaan et
al. 2019).

Children of elites are measured in self-play. A child whose cell is empty or has a weaker elite is measured again on
more deals, and takes the cell if that confirms it and its behaviour is not too close to the cell's edge. In the end all
elites are measured on holdout deals, and every elite plays with every other.

The parents of a batch are the elites at its start, so the same seed gives the same map on any number of threads. Every
batch is a line of a checkpoint.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.runs import Entries, Run, begin
from kibitz.arena.statistics import Z95, Estimate
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.breeding import Behaviour, Breed, Genes
from kibitz.core.elites import Cell, Elite, EliteMap, cell_of
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.learn.evaluator import Deals, Evaluator, on_threads, version_of

DIGITS = 4
TRIM_DEALS, TRIM_PARTNERS = 200, 10


@dataclass(frozen=True)
class MapPlan:
    """The parameters of a map."""

    game_name: str
    players: int = 2
    seed: int = 0
    rules: dict[str, str] = field(default_factory=dict)
    size: int = 20
    evaluations: int = 100_000  # including the random agents at the start
    beginners: int = 5000
    batch: int = 250
    mixing: float = 0.3  # the share of children with two parents
    edge: float = 0.15  # an elite's least distance from its cell's edge, in cells: two standard errors
    games: int = 100  # per child
    confirming: int = 400  # games per child that would take a cell
    judging: int = 2000  # games per elite in the end, on holdout deals
    pool: int = 60  # games per pair of elites

    @cached_property
    def game(self) -> Game:
        return registry.game(self.game_name)

    @cached_property
    def breed(self) -> Breed:
        if self.game.breed is None or self.game.behaviour is None:
            having = [game.name for game in registry.games() if game.breed is not None and game.behaviour is not None]
            raise KibitzError(
                f"{self.game.title} has no agents to breed. Games with such agents: {', '.join(having) or 'none'}."
            )
        return self.game.breed

    @cached_property
    def behaviour(self) -> Behaviour:
        behaviour = self.game.behaviour
        if behaviour is None:
            raise KibitzError(f"{self.game.title} defines no measures of behaviour.")
        return behaviour

    def prepared(self) -> "MapPlan":
        self.game.check_players(self.players)
        made = MapPlan(**{**asdict(self), "rules": self.game.check_rules(self.rules)})
        first = made.breed.agent(made.breed.random(Random(0)), "first")
        if made.game.competitive:
            raise KibitzError(f"{made.game.title} is competitive: elites are chosen by a common score.")
        first.functions(made.game)
        return made

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.game, self.players, self.rules, self.seed)

    # The use of the seed's deals

    @property
    def confirm_from(self) -> int:
        return self.games

    @property
    def judge_from(self) -> int:
        return self.games + self.confirming

    @property
    def pool_from(self) -> int:
        return self.judge_from + self.judging

    @property
    def batches(self) -> int:
        return -(-self.evaluations // self.batch)


class Measured(NamedTuple):
    """An agent's behaviour and score in self-play."""

    behaviour: tuple[float, float]
    score: Estimate


@dataclass(frozen=True)
class Holder:
    """The holder of a cell while the map is made."""

    genes: Genes
    score: float


class MapMaker:
    """A map in progress, and the run that keeps it."""

    def __init__(self, plan: MapPlan, run: Run | None = None) -> None:
        self.plan, self.run = plan, run
        folder = run.folder if run is not None else None
        self.kept = {name: Entries(folder, name) for name in ("batches", "pool")} if folder is not None else {}
        self.holders: dict[Cell, Holder] = {}
        self.batches = 0  # finished
        self.rows: list[list[list[float]]] = []  # the mean and variance of every pair of elites
        for kept in self.kept.values():
            for number, entry in enumerate(kept.whole()):
                try:
                    self._resume(entry)
                except (ValueError, KeyError, TypeError) as error:
                    raise kept.journal.damaged(number, error) from None
        self.before = self.batches

    def _resume(self, entry: dict[str, Any]) -> None:
        if "row" in entry:
            if entry["row"] != len(self.rows):
                raise ValueError("a row of the pool is missing")
            self.rows.append(entry["pairs"])
            return
        if entry["batch"] != self.batches:
            raise ValueError("a batch is missing")
        for (row, column), score, genes in entry["entered"]:
            self.holders[row, column] = Holder(genes, score)
        self.batches += 1

    # One agent

    def measured(self, agent: CompiledAgent, deals: Deals) -> Measured | None:
        plan = self.plan
        played = plan.evaluator.play([agent] * plan.players, deals, keeps=True)
        everybody = (1 << plan.players) - 1
        sums = plan.behaviour.sums(deals.cards, plan.players, plan.evaluator.rule_bits, played.decisions, everybody)
        behaviour = plan.behaviour.values(sums)
        scores = plan.game.scores(played.results)[0]
        return Measured(behaviour, Estimate.of(scores)) if behaviour is not None else None

    def takes(self, found: Measured | None) -> Cell | None:
        """The cell that an agent would take now, if any."""
        if found is None:
            return None
        cell = cell_of(found.behaviour, self.plan.size)
        holder = self.holders.get(cell)
        return cell if holder is None or found.score.mean > holder.score else None

    def well_inside(self, found: Measured) -> bool:
        """Whether other deals would give the same cell; the edges of the map itself do not count."""
        size, edge = self.plan.size, self.plan.edge
        low, high = (
            cell_of(tuple(min(max(value + shift, 0.0), 1.0) for value in found.behaviour), size)  # type: ignore[arg-type]
            for shift in (-edge / size, edge / size)
        )
        return low == high

    # Breeding

    def children(self) -> list[Genes]:
        """The next batch, bred from the current elites."""
        plan, dice = self.plan, Random(f"{self.plan.seed}/{self.batches}")
        parents = [self.holders[cell].genes for cell in sorted(self.holders)]
        done, many = self.batches * plan.batch, min(plan.batch, plan.evaluations - self.batches * plan.batch)
        if done < plan.beginners or not parents:
            return [plan.breed.random(dice) for _ in range(many)]
        children = []
        for _ in range(many):
            child = dice.choice(parents)
            if dice.random() < plan.mixing:
                child = plan.breed.mixed(child, dice.choice(parents), dice)
            children.append(plan.breed.changed(child, dice))
        return children

    def evolve(self, jobs: int) -> Iterator[int]:
        """Breed the missing batches; yields the number of new elites after each."""
        plan = self.plan
        first = plan.evaluator.deals(0, plan.games)
        second = plan.evaluator.deals(plan.confirm_from, plan.confirming)
        with on_threads(jobs) as each:
            while self.batches < plan.batches:
                genes = self.children()
                agents = [plan.breed.agent(child, "candidate") for child in genes]
                found = each(lambda agent: self.measured(agent, first), agents)
                promising = [number for number, one in enumerate(found) if self.takes(one) is not None]
                again = each(lambda agent: self.measured(agent, second), [agents[number] for number in promising])
                entered: list[Any] = []
                for number, confirmed in zip(promising, again, strict=True):
                    cell = self.takes(confirmed)
                    if cell is not None and confirmed is not None and self.well_inside(confirmed):
                        self.holders[cell] = Holder(genes[number], round(confirmed.score.mean, DIGITS))
                        entered.append([cell, self.holders[cell].score, genes[number]])
                self._keep("batches", {"batch": self.batches, "entered": entered})
                self.batches += 1
                yield len(entered)

    def _keep(self, name: str, entry: dict[str, Any]) -> None:
        if name in self.kept:
            self.kept[name].add([entry])

    # Judging

    def judged(self, jobs: int) -> list[tuple[Cell, Genes, Measured]]:
        """The elites without unused rules, measured on holdout deals and placed in the cells these give."""
        plan = self.plan
        cells = sorted(self.holders)
        agents = {cell: plan.breed.agent(self.holders[cell].genes, str(cell)) for cell in cells}
        deals = plan.evaluator.deals(plan.judge_from, plan.judging)
        few = Deals(deals.cards[:TRIM_DEALS], deals.dice[:TRIM_DEALS])

        def judged_one(place: int) -> tuple[Genes, Measured | None]:
            cell = cells[place]
            step = max(1, len(cells) // TRIM_PARTNERS)
            others = [agents[cells[(place + step * n) % len(cells)]] for n in range(1, TRIM_PARTNERS + 1)]
            used = plan.evaluator.reasons_used(agents[cell], others, few)
            genes = plan.breed.trimmed(self.holders[cell].genes, used.tolist())
            return genes, self.measured(plan.breed.agent(genes, str(cell)), deals)

        best: dict[Cell, tuple[Genes, Measured]] = {}
        with on_threads(jobs) as each:
            for genes, found in each(judged_one, range(len(cells))):
                if found is not None:
                    cell = cell_of(found.behaviour, plan.size)
                    if cell not in best or found.score.mean > best[cell][1].score.mean:
                        best[cell] = genes, found
        return [(cell, *best[cell]) for cell in sorted(best)]

    def pool(self, agents: Sequence[CompiledAgent], jobs: int) -> Iterator[int]:
        """Play every pair of elites, each on its own deals; yields the number of games after every row."""
        plan, many = self.plan, len(agents)

        def played(pair: tuple[int, int]) -> tuple[float, float]:
            row, other = pair
            deals = plan.evaluator.deals(plan.pool_from + plan.pool * (row * many + other), plan.pool)
            worth = plan.evaluator.worth(agents[row], agents[other], deals)
            return round(float(worth.mean()), DIGITS), round(float(worth.var(ddof=1)), DIGITS)

        with on_threads(jobs) as each:
            while len(self.rows) < many:
                row = len(self.rows)
                others = range(row + 1, many) if plan.players == 2 else (n for n in range(many) if n != row)
                pairs = [list(one) for one in each(played, [(row, other) for other in others])]
                self._keep("pool", {"row": row, "pairs": pairs})
                self.rows.append(pairs)
                yield len(pairs) * plan.pool

    def with_others(self) -> tuple[Any, Any]:
        """The mean of every elite over all others, with half the width of its 95 % interval."""
        many = len(self.rows)
        means: Any = np.zeros((many, many))
        variances: Any = np.zeros((many, many))
        for row, pairs in enumerate(self.rows):
            for place, (mean, variance) in enumerate(pairs):
                other = row + 1 + place if self.plan.players == 2 else place + (place >= row)
                means[row, other], variances[row, other] = mean, variance
                if self.plan.players == 2:  # the same games
                    means[other, row], variances[other, row] = mean, variance
        count = max(many - 1, 1)
        return means.sum(axis=1) / count, Z95 * np.sqrt(variances.sum(axis=1) / self.plan.pool) / count

    def finish(
        self, judged: Sequence[tuple[Cell, Genes, Measured]], provenance: dict[str, Any],
        write: Callable[[str], object] = lambda text: None,
    ) -> EliteMap:  # fmt: skip
        """Write the map, and finish the run."""
        plan = self.plan
        others, errors = self.with_others()
        elites = [
            Elite(
                cell, tuple(round(value, DIGITS) for value in found.behaviour),  # type: ignore[arg-type]
                round(found.score.mean, DIGITS), round(found.score.half_width, DIGITS),
                round(float(others[place]), DIGITS), round(float(errors[place]), DIGITS), genes,
            )
            for place, (cell, genes, found) in enumerate(judged)
        ]  # fmt: skip
        axes = (plan.behaviour.axes[0].name, plan.behaviour.axes[1].name)
        made = EliteMap(plan.game_name, plan.players, plan.rules, plan.size, axes, provenance, elites)
        write(made.dumped())
        for kept in self.kept.values():
            kept.finish()
        if self.run is not None:
            self.run.finish({"players": plan.players, "elites": len(elites), "provenance": provenance})
        return made


def begin_map(plan: MapPlan, **how: Any) -> Run:
    """The run of a prepared plan; `how` is passed to `begin`."""
    first = plan.breed.agent(plan.breed.random(Random(0)), "first")
    header = {**asdict(plan), "code": version_of(plan.game, [first])}
    return begin("elites", header, f"{plan.game_name}-{plan.players}", **how)
