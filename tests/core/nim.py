"""Nim of `examples/nim`, with more agents: `some_games` plays it through every part of kibitz."""

from typing import Any

from nim.agents import Expert as Expert
from nim.game import NIM as NIM

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Traits
from kibitz.core.record import Record, parse
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.engine.loop import decision
from kibitz.engine.seat import Budget


def take_any(view: Any) -> int:
    return decision(seeds.below(view.dice, 0, min(3, view.stones)), 0, view.stones)


any_taker = CompiledAgent(
    "any_taker", "nim", "Takes any number of stones.", "a test", Traits(random=True),
    decide=take_any, reasons=("some of {about}",),
)  # fmt: skip


def take_by_budget(view: Any, budget: Budget) -> int:
    return decision(min(budget.iterations, view.stones) - 1, 0, view.stones)


thinker = CompiledAgent(
    "thinker", "nim", "Takes as many stones as it has iterations.", "a test", Traits(searches=True),
    decide=take_by_budget, reasons=("some of {about}",), budget=Budget(2),
)  # fmt: skip


def some_games() -> dict[str, Any]:
    """What kibitz makes of a game it has never heard of: a match, a table of a bot and an agent, a record."""
    game = registry.game("nim")
    agents = registry.agents(game)
    keys, number = seeds.keys(1), 30
    match = Match.of(game, [any_taker, any_taker], number, seed=1, rules=game.check_rules({}))
    results = play_compiled(match, 0, range(number)).results

    tables = []
    for each in range(number):
        start = game.deal(keys, each, 2, game.check_rules({}))
        tables.append(Table(game, [agent.take_seat(game) for agent in (any_taker, any_taker)], start))
    same = [list(table.run().values()) for table in tables] == results[:, :2].tolist()

    start = game.load_start({"stones": 21}, 2, game.check_rules({}))
    table = Table(game, [agent.take_seat(game) for agent in (registry.agent(game, "expert"), any_taker)], start)
    table.run()
    record = parse(Record.of(table, ["expert", "any_taker"], game.check_rules({}), None, None).dump())
    return {
        "agents": [agent.name for agent in agents],
        "done": len(results),
        "same": same,
        "won": table.result()["winner"],
        "first": table.text(table.turns[0]) + ", " + table.turns[0].decision.reason,
        "replayed": record.replay().result() == table.result(),
        "continued": table.sample_world(0, [], 3).result() == table.result(),
    }
