"""How fast agents are bred: candidates a second, made, played and placed on the map of elites, on one thread."""

from report import Line, rate_line
from timing import Worker, take_turns, timed

from kibitz.learn.evolution import Evolution, EvolutionPlan
from kibitz.learn.map_elites import MapMaker, MapPlan

SEED = 1


def placed() -> Worker:
    """Batches of the map, one after the other."""
    maker = MapMaker(MapPlan("hanabi", seed=SEED, batch=50).prepared())
    batches = maker.evolve(1)

    def work() -> int:
        next(batches)
        return maker.plan.batch

    return timed(work)


def bred() -> Worker:
    """Generations of a tournament; the rate is of the games that are played."""
    plan = EvolutionPlan("hanabi", by="tournament", seed=SEED, generations=10**6, population=20, games=20).prepared()
    generations = Evolution(plan).evolve(1)

    def work() -> int:
        next(generations)
        return plan.population * plan.games * (plan.rivals + 1)

    return timed(work)


def measured() -> list[Line]:
    [map_rates] = take_turns([placed()])
    [games] = take_turns([bred()])
    return [
        rate_line("Hanabi, candidates for the map of elites, 100 games each, one thread", map_rates, "candidates/s"),
        rate_line("Hanabi, tournaments of rule lists that are bred, one thread", games, "games/s"),
    ]


def load() -> None:
    """Have everything compiled and in the cache."""
    for worker in (placed(), bred()):
        worker()
