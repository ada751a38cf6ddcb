"""The map of elites: the best of every cell, the same on any number of threads and after any break, and its file."""

from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.core import registry
from kibitz.core.elites import Archive, EliteMap, cell_of, read_map
from kibitz.errors import KibitzError
from kibitz.learn.evaluator import Evaluator
from kibitz.learn.map_elites import MapMaker, MapPlan, begin_map

SMALL = MapPlan(
    "hanabi", seed=2, evaluations=100, beginners=40, batch=20, games=10, confirming=20, judging=30, pool=2, edge=0.0
)
HANABI = registry.game("hanabi")


def made(plan: MapPlan, path: Path, jobs: int = 1) -> EliteMap:
    ready = plan.prepared()
    with begin_map(ready, name=str(path.with_suffix(""))) as run:
        maker = MapMaker(ready, run)
        for _ in maker.evolve(jobs):
            pass
        judged = maker.judged(jobs)
        agents = [maker.plan.breed.agent(genes, str(cell)) for cell, genes, _ in judged]
        for _ in maker.pool(agents, jobs):
            pass
        return maker.finish(judged, {"command": "a test", "seed": plan.seed}, path.write_text)


def test_the_same_seed_gives_the_same_map_on_any_number_of_threads_and_after_a_break(tmp_path: Path) -> None:
    whole = made(SMALL, tmp_path / "whole.json")
    assert made(SMALL, tmp_path / "again.json", jobs=3) == whole
    plan = SMALL.prepared()
    with begin_map(plan, name=str(tmp_path / "killed")) as run:
        maker = MapMaker(plan, run)
        for _ in maker.evolve(1):
            if maker.batches == 4:
                break
    kept = maker.kept["batches"].journal.path
    kept.write_bytes(kept.read_bytes()[:-7])  # killed while it wrote
    with begin_map(plan, name=str(tmp_path / "killed")) as run:
        assert MapMaker(plan, run).batches == 3
    assert made(SMALL, tmp_path / "killed.json") == whole
    assert (tmp_path / "killed.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert not list((tmp_path / "killed").glob("*.tail"))


def test_the_elites_are_what_the_map_says_of_them(tmp_path: Path) -> None:
    """Scores and behaviour on the deals that they were judged by, and the mean with the others."""
    plan = SMALL.prepared()
    whole = made(SMALL, tmp_path / "map.json")
    assert read_map(tmp_path / "map.json") == whole
    assert len({elite.cell for elite in whole.elites}) == len(whole.elites) > 20
    maker = MapMaker(plan)
    deals = plan.evaluator.deals(plan.judge_from, plan.judging)
    for elite in whole.elites[::7]:
        found = maker.measured(plan.breed.agent(elite.genes, "elite"), deals)
        assert found is not None
        assert cell_of(found.behaviour, 20) == elite.cell
        assert (found.score.mean, *found.behaviour) == pytest.approx((elite.alone, *elite.behaviour), abs=1e-3)
    agents = [plan.breed.agent(elite.genes, "elite") for elite in whole.elites]
    tables, many = Evaluator(HANABI, 2, plan.rules, plan.seed), len(agents)
    third = []
    for other in range(many):
        one, two = sorted((3, other))
        if one != two:
            deals = tables.deals(plan.pool_from + plan.pool * (one * many + two), plan.pool)
            third.append(float(tables.worth(agents[one], agents[two], deals).mean()))
    assert whole.elites[3].others == pytest.approx(sum(third) / len(third), abs=1e-3)


def test_a_map_of_another_plan_is_neither_used_nor_lost(tmp_path: Path) -> None:
    plan, other = SMALL.prepared(), replace(SMALL, seed=3).prepared()
    with begin_map(plan, name=str(tmp_path / "map")) as run:
        MapMaker(plan, run)
    with pytest.raises(KibitzError, match="holds another run: seed is 2 there and 3 here"):
        begin_map(other, name=str(tmp_path / "map"))
    kept = tmp_path / "map" / "batches-00000.tail"
    kept.write_bytes(kept.read_bytes() + b'{"batch": 7, "entered": []}\n')
    with pytest.raises(KibitzError, match="is damaged: entry 1"):
        MapMaker(plan, run)


def test_a_game_without_agents_to_breed_says_so() -> None:
    with pytest.raises(KibitzError, match="Love Letter has no"):
        replace(SMALL, game_name="loveletter").prepared()


def test_a_damaged_map_says_so(tmp_path: Path) -> None:
    assert HANABI.breed is not None
    assert HANABI.behaviour is not None
    path = tmp_path / "map.json"
    with pytest.raises(KibitzError, match="cannot be read: No such file"):
        _ = Archive(path, HANABI.breed, HANABI.behaviour).map
    path.write_text('{"game": "hanabi"')
    with pytest.raises(KibitzError, match="is not a map of elites or is damaged"):
        _ = Archive(path, HANABI.breed, HANABI.behaviour).map


def test_a_behaviour_lies_in_the_cell_it_begins() -> None:
    assert cell_of((0.5, 0.9), 20) == (10, 18)
    assert cell_of((0.15, 0.35), 20) == (3, 7)  # which are a little less as floating-point numbers
    assert cell_of((0.0, 1.0), 20) == (0, 19)
