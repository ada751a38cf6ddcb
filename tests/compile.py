"""Compile what the tests need, in one process per part: two workers that need the same code would both compile it."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from random import Random

from kibitz.arena.match import Match, play
from kibitz.coach.review import Reviewing
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Decision
from kibitz.core.game import Game
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.core.trainer import TrainingPlan, check_settings
from kibitz.engine import seeds
from kibitz.games.hanabi.env.network_tables import NetworkTables
from kibitz.learn.evaluator import Evaluator
from kibitz.server.live.warmup import rehearse

sys.path += [str(Path(__file__).parents[1] / "examples" / name) for name in ("nim", "kuhn")]  # like pytest
from tests import any_game
from tests.core import both_ways, nim
from tests.search import searches


def compile_game(name: str) -> None:
    game = registry.game(name)
    rehearse(game)
    compiled = [agent for agent in registry.agents(game) if isinstance(agent, CompiledAgent)]
    for agent in compiled:
        agent.take_seat(game)
    for _ in play(Match(name, (compiled[0].name,) * min(game.players), deals=1, seed=0, rules=game.check_rules({}))):
        pass
    compile_worlds(game, compiled[0])
    for trainer in (registry.trainer(game, name) for name in registry.trainer_entries(game.name)):
        plan = TrainingPlan(game, (min(game.players),), settings=check_settings(trainer, {}))
        trainer.begin(plan).train(0, trainer.block)
    if game.breed is not None and game.behaviour is not None:
        compile_breeding(game)
    if game.people is not None:
        game.people.choices([])
    if game.coach is not None:
        compile_reviews(game)


def compile_reviews(game: Game) -> None:
    """A game by people who all make their first move."""
    table = Table(game, [], game.deal(seeds.keys(0), 0, min(game.players), game.check_rules({})))
    for _ in range(2):
        table.make(Decision(game.legal(table.state)[0]))
    record = Record.of(table, ["somebody"] * min(game.players), game.check_rules({}), None, None)
    for _ in Reviewing(record, playouts=8):
        pass


def compile_breeding(game: Game) -> None:
    """What is counted over the games of agents that are bred."""
    assert game.breed is not None
    assert game.behaviour is not None
    evaluator, players = Evaluator(game, min(game.players)), min(game.players)
    agent, deals = game.breed.agent(game.breed.random(Random(0)), "first"), evaluator.deals(0, 1)
    evaluator.reasons_used(agent, [], deals)
    logs = evaluator.play([agent] * players, deals, keeps=True).decisions
    game.behaviour.sums(deals.cards, players, evaluator.rule_bits, logs, 1)


def compile_worlds(game: Game, agent: CompiledAgent) -> None:
    """Sampled worlds, and games continued from them."""
    players = min(game.players)
    table = Table(game, [], game.deal(seeds.keys(0), 0, players, game.check_rules({})))
    table.sample_world(0, [], 0)
    game.check_next(table.view(0), 0, None)
    table.continuations(0, [agent] * players, seeds.numbers(0, 0, 1))


def compile_environments() -> None:
    """Environments to train in, with and without partners, and those of a network."""
    both_ways.environments()
    tables = NetworkTables(2, 2, teacher="simple_distrustful")
    tables.step(tables.rows.advice)


def compile_nim() -> None:
    """The game that tests install for themselves."""
    for agent in (nim.any_taker, nim.thinker):
        any_game.played(nim.NIM, [agent] * 2, 1, nim.NIM.check_rules({}), seed=0)
    compile_worlds(nim.NIM, nim.any_taker)


def compile_searches() -> None:
    """Every search, for the small games of its tests."""
    searches.everything()


def collect_tests() -> None:
    """Read the test files once, so that no worker compiles them to bytecode. Their errors show in the test run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def timed(compile: Callable[..., None], *arguments: str) -> float:
    """The CPU time of a part, with the processes that it starts."""
    before = sum(os.times()[:4])
    compile(*arguments)
    return sum(os.times()[:4]) - before


def takes_less(game: Game) -> int:
    """A game with more agents takes longer."""
    return -len(registry.agent_entries(game.name))


def main() -> None:
    print("Compiling what is not compiled yet; the first time takes a minute or two.", file=sys.stderr)
    parts: list[tuple[str, Callable[..., None], tuple[str, ...]]] = [
        *((f"{game.title} is", compile_game, (game.name,)) for game in sorted(registry.games(), key=takes_less)),
        ("The searches of the tests are", compile_searches, ()),
        ("The environments are", compile_environments, ()),
        ("The game of the tests is", compile_nim, ()),
        ("The tests themselves are", collect_tests, ()),  # last, as they load what is compiled before
    ]
    with ProcessPoolExecutor(2) as processes:  # what takes longest first
        running = {processes.submit(timed, compile, *arguments): words for words, compile, arguments in parts}
        for part in as_completed(running):
            print(f"{running[part]} compiled, in {part.result():.0f} s of CPU time.", file=sys.stderr)


if __name__ == "__main__":
    main()
