"""How fast weights are tuned: trials and games per second of `kibitz tune`, beside a match of as many games."""

import time

from playing import SEED, games_at, table_of
from report import Line, rate_line, ratio_line
from timing import Worker, take_turns, timed

from kibitz.games.hanabi.game import HANABI
from kibitz.learn.paired_deals import Objective
from kibitz.learn.tuning import Tuning, tunable

PLAYERS, AT_ONCE, GAMES = (2, 4), 2, 2_000
AGENT, WANTED = "trustful", 0.8  # of the games that a match plays in the same time


def study(players: int) -> Tuning:
    objective = Objective(HANABI, players, {}, jobs=1)
    return Tuning(objective, tunable(objective, AGENT), None, SEED)


def games_of(tuning: Tuning) -> Worker:
    """A function that continues a study for a few trials and returns the number of games."""

    def work() -> int:
        before = tuning.games
        for _ in tuning.play_trials(tuning.finished + AT_ONCE):
            pass
        return tuning.games - before

    return timed(work)


def trials_of(tuning: Tuning) -> Worker:
    def work() -> tuple[int, float]:
        started = time.perf_counter()
        for _ in tuning.play_trials(tuning.finished + AT_ONCE):
            pass
        return AT_ONCE, time.perf_counter() - started

    return work


def measured() -> list[Line]:
    lines = []
    for players in PLAYERS:
        tuning, match = study(players), games_at(AGENT, players, GAMES)
        games, rival, trials = take_turns([games_of(tuning), match, trials_of(tuning)])
        what = f"tuning {AGENT}, {players} players"
        lines.append(ratio_line(f"{what}: games", games, rival, "kibitz match", "games/s", WANTED))
        lines.append(rate_line(f"{what}: trials of up to {tuning.deals:,} deals", trials, "trials/s"))
    return lines


def load() -> None:
    """Compile what is measured."""
    for players in PLAYERS:
        table_of(AGENT, players, 1)()
