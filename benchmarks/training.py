"""How many games per second the learner of Hanabi learns from, when it plays as in a long training.

Seconds are those of the processor: training runs on one thread, and nobody waits for it.
"""

import time

from report import Line, rate_line
from timing import Worker, take_turns

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.trainer import TrainingPlan, check_settings

GAMES = 500  # at once
WANTED = 5_000
KNOWS = "reinforced_all"  # whose tables it begins with: games of an untrained player are soon over


def training(players: int, partners: tuple[str, ...] = ()) -> Worker:
    game = registry.game("hanabi")
    trainer = registry.trainer(game, "reinforced")
    others = tuple(registry.agent(game, name) for name in partners)
    known = registry.agent(game, KNOWS)
    assert isinstance(known, CompiledAgent)
    plan = TrainingPlan(game, (players,), others or (0,), settings=check_settings(trainer, {}), starts={0: known})
    learning, done = trainer.begin(plan), 0

    def work() -> tuple[int, float]:
        nonlocal done
        start = time.process_time()
        learning.train(done, GAMES)
        done += GAMES
        return GAMES, time.process_time() - start

    return work


def measured() -> list[Line]:
    lines = []
    for players, partners in ((2, ()), (4, ()), (5, ()), (4, ("trustful",))):
        [rates] = take_turns([training(players, partners)])
        among = f" among {partners[0]}" if partners else ""
        lines.append(rate_line(f"training reinforced{among}, {players} players", rates, "games/s", WANTED))
    return lines


def load() -> None:
    """Compile it."""
    training(2, ("trustful",))()
