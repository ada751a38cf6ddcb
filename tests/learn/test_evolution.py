"""Evolution: what counts as fit, the same end on any number of threads and after any break, input that is refused."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Traits
from kibitz.core.weights import Weights
from kibitz.engine.loop import decision
from kibitz.errors import KibitzError
from kibitz.learn.evaluator import Evaluator, compiled_agent
from kibitz.learn.evolution import Evolution, EvolutionPlan, begin_evolution
from kibitz.learn.weight_genes import WeightGenes

SMALL = EvolutionPlan(
    "hanabi", by="both", group=("piers", "flawed"), strangers=("outer",), population=8, generations=3, games=6,
    rivals=2, judging=20, seed=3,
)  # fmt: skip


def bred(plan: EvolutionPlan, path: Path, jobs: int = 1) -> tuple[Any, Any, Any]:
    ready = plan.prepared()
    with begin_evolution(ready, name=str(path)) as run:
        evolution = Evolution(ready, run)
        list(evolution.evolve(jobs))
        genes = evolution.winner(jobs)
        scores = evolution.measured(genes, jobs)
        evolution.finish({"genes": genes})
    return evolution.past, genes, scores


def test_the_same_seed_breeds_the_same_on_any_number_of_threads(tmp_path: Path) -> None:
    once, again = bred(SMALL, tmp_path / "once.toml"), bred(SMALL, tmp_path / "again.toml", jobs=3)
    assert once == again
    assert set(once[2]) == {"copies", "group", "strangers"}


def test_a_killed_evolution_goes_on_to_the_same_end(tmp_path: Path) -> None:
    """A process may die while it writes a generation: what is there of it is bred again."""
    whole = bred(SMALL, tmp_path / "whole")
    plan = SMALL.prepared()
    with begin_evolution(plan, name=str(tmp_path / "killed")) as run:
        evolution = Evolution(plan, run)
        for _ in evolution.evolve(1):
            if len(evolution.past) == 2:
                break
    assert evolution.rows is not None
    kept = evolution.rows.journal.path
    kept.write_bytes(kept.read_bytes()[:-30])
    with begin_evolution(plan, name=str(tmp_path / "killed")) as run:
        assert Evolution(plan, run).before == 1
    assert bred(SMALL, tmp_path / "killed") == whole
    one, other = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir() if file.name != "lock"}
        for name in ("whole", "killed")
    )
    assert one == other
    assert set(one) == {"plan.json", "generations-00000.parquet", "summary.json"}


def test_what_another_evolution_left_is_neither_used_nor_lost(tmp_path: Path) -> None:
    plan, other = SMALL.prepared(), replace(SMALL, seed=4).prepared()
    with begin_evolution(plan, name=str(tmp_path / "bred")) as run:
        Evolution(plan, run)
    with pytest.raises(KibitzError, match="holds another run: seed is 3 there and 4 here"):
        begin_evolution(other, name=str(tmp_path / "bred"))
    kept = tmp_path / "bred" / "generations-00000.tail"
    kept.write_bytes(kept.read_bytes() + json.dumps({"generation": 5}).encode() + b"\n")
    with pytest.raises(KibitzError, match="is damaged: entry 1 cannot be read"):
        Evolution(plan, run)


@pytest.mark.parametrize("by", ["tournament", "group", "both"])
def test_fitness_is_with_whom_one_is_bred(tmp_path: Path, by: Any) -> None:
    """Counted again by hand for two members, who are each other's only rivals."""
    plan = replace(SMALL, by=by, group=("piers",)).prepared()
    evolution, tables = Evolution(plan), Evaluator(plan.game, 2, plan.rules, plan.seed)
    agents = [compiled_agent(plan.game, name) for name in ("iggi", "flawed")]
    piers, deals = compiled_agent(plan.game, "piers"), tables.deals(0, 10)

    def worth(one: CompiledAgent, other: CompiledAgent) -> float:
        return float(tables.worth(one, other, deals).mean())

    own = [(worth(agent, agent) + worth(agent, other)) / 2 for agent, other in (agents, agents[::-1])]
    group = [worth(agent, piers) for agent in agents]
    expected = {"tournament": own, "group": group, "both": [(a + b) / 2 for a, b in zip(own, group, strict=True)]}
    assert evolution.fitness(agents, deals, Random(0), 1) == pytest.approx(expected[by], abs=1e-4)


def test_breeding_improves_on_chance(tmp_path: Path) -> None:
    plan = replace(SMALL, by="tournament", population=30, generations=12, games=20).prepared()
    evolution = Evolution(plan)
    list(evolution.evolve(1))
    (first, _), (last, mean) = evolution.past[0], evolution.past[-1]
    assert last > first + 2
    assert mean > 5


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"what": "piers"}, "piers has no named weights with ranges"),
        ({"what": "nobody"}, "There is no Hanabi agent called 'nobody'"),
        ({"game_name": "loveletter"}, "Love Letter has no agents that are composed of parts"),
        ({"strangers": ("piers",)}, "piers cannot be both in the group and a stranger"),
        ({"players": 9}, "Hanabi is for 2 to 5 players, not 9"),
        ({"by": "luck"}, "Fitness comes from tournament, group or both"),
    ],
)
def test_what_cannot_be_bred_is_said_in_a_sentence(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        replace(SMALL, **changes).prepared()


def test_without_a_group_the_agents_of_the_levels_that_do_not_search_are_the_group() -> None:
    """A searcher would make a generation take minutes."""
    plan = replace(SMALL, group=(), strangers=()).prepared()
    levels = {name for lineup in plan.game.lineups.values() for name in lineup.everybody}
    assert set(plan.group) == levels - {"search_partner"}


def test_every_agent_that_is_evaluated_counts_as_progress(tmp_path: Path) -> None:
    plan, ticks = replace(SMALL, strangers=()).prepared(), []
    for _ in Evolution(plan).evolve(1, lambda: ticks.append(1)):
        assert len(ticks) % plan.population == 0
    assert len(ticks) == plan.population * plan.generations


# Weights, and a competitive game


def take_by_weights(view: Any, weights: Any) -> int:
    """Leave a multiple of about this number of stones, if possible."""
    many = max(1, round(weights[0]))
    left = view.stones % many
    return decision((min(left, 3, view.stones) if left else 1) - 1, 0, view.stones)


taker = CompiledAgent(
    "taker", "nim", "Takes by a rule of thumb.", "a test", Traits(), decide=take_by_weights, reasons=("some",),
    weights=Weights((6.0,), ("rule.many",), ((1.0, 7.0),)),
)  # fmt: skip


@pytest.mark.usefixtures("nim")
def test_where_somebody_wins_weights_are_bred_by_the_share_of_wins(tmp_path: Path) -> None:
    """Leaving multiples of four wins at Nim."""
    plan = EvolutionPlan(
        "nim", what=f"{__name__}:taker", by="both", group=("any_taker",), population=10, generations=4, games=20,
        judging=200, seed=1,
    )  # fmt: skip
    _, genes, scores = bred(plan, tmp_path / "weights.toml")
    assert round(genes[0]) == 4
    assert set(scores) == {"group"}
    assert scores["group"].mean > 0.8
    path = tmp_path / "bred.toml"
    breed = plan.prepared().breed
    path.write_text(breed.written(genes, {"description": "bred", "provenance": {"seed": 1}}))
    agent = registry.agent(registry.game("nim"), breed.usage(str(path)))
    assert isinstance(agent, CompiledAgent)
    assert agent.weights.values.tolist() == genes
    with pytest.raises(KibitzError, match="a tournament needs at least one rival"):
        replace(plan, rivals=0).prepared()


def test_weights_stay_within_their_ranges_and_others_are_refused() -> None:
    breed, dice = WeightGenes(taker), Random(1)
    genes = breed.founders()[0]
    for _ in range(200):
        genes = breed.changed(breed.mixed(genes, breed.random(dice), dice), dice)
        assert 1 <= genes[0] <= 7
    with pytest.raises(KibitzError, match=r"rule\.many of bred is 8\.0; it must be a number from 1 to 7"):
        breed.agent([8.0], "bred")
    with pytest.raises(KibitzError, match="bred needs 1 weights of taker"):
        breed.agent([1.0, 2.0], "bred")
