"""How many games a second the learner of Hanabi learns from, on one thread, when it plays as in a long training."""

from collections.abc import Callable

from report import Line, rate_line
from timing import take_turns, timed

from kibitz.core import registry
from kibitz.core.trainer import TrainingPlan, check_settings

GAMES, BEFORE = 500, 20_000  # at once; and before anything is timed, as the first games are lost soon
WANTED = 5_000


def training(players: int, partners: tuple[str, ...] = ()) -> Callable[[], int]:
    game = registry.game("hanabi")
    trainer = registry.trainer(game, "reinforced")
    others = tuple(registry.agent(game, name) for name in partners)
    plan = TrainingPlan(game, (players,), others or (0,), settings=check_settings(trainer, {}))
    learning = trainer.begin(plan)
    learning.train(0, BEFORE)
    done = BEFORE

    def work() -> int:
        nonlocal done
        learning.train(done, GAMES)
        done += GAMES
        return GAMES

    return work


def measured() -> list[Line]:
    lines = []
    for players, partners in ((2, ()), (4, ()), (5, ()), (4, ("trustful",))):
        [rates] = take_turns([timed(training(players, partners))])
        among = f" among {partners[0]}" if partners else ""
        lines.append(rate_line(f"training reinforced{among}, {players} players", rates, "games/s", WANTED))
    return lines


def load() -> None:
    """Compile it."""
    training(2, ("trustful",))()
