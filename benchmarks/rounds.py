"""How fast rounds of Love Letter are played: beside a plain Python engine, and by the players that do not search."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from report import Line, rate_line, ratio_line
from timing import Worker, take_turns, timed

from kibitz.arena.match import Match, play_compiled
from kibitz.games.loveletter.game import LOVE_LETTER

sys.path.append(str(Path(__file__).resolve().parents[1]))
from tests.games.loveletter import plain  # the engine that the tests hold ours to

SEED = 1
PAIRS = {("greedy", "minimax"): 20_000, ("counting", "greedy"): None}


def table_of(*names: str, games: int) -> Callable[[], Any]:
    """A function that plays this number of rounds."""
    match = Match(LOVE_LETTER.name, names, games, SEED).prepared()

    def work() -> int:
        assert len(play_compiled(match, 0, range(games)).results) == games
        return games

    return work


def rounds_at(*names: str, games: int) -> Worker:
    return timed(table_of(*names, games=games))


def plain_rounds(players: int, games: int) -> Worker:
    """Random rounds in plain Python: any move but the Princess, as ours does."""
    dice = random.Random(SEED)

    def work() -> int:
        for _ in range(games):
            deck = plain.DECK[:]
            dice.shuffle(deck)
            this = plain.Round(deck, players)
            while this.winners is None:
                this.play(dice.choice([move for move in this.legal() if move[0] != plain.PRINCESS]))
        return games

    return timed(work)


def measured() -> list[Line]:
    lines = []
    for players in (2, 4):
        ours, theirs = take_turns([rounds_at(*["random"] * players, games=20_000), plain_rounds(players, 300)])
        what = f"Love Letter, {players} random players, one thread"
        lines.append(ratio_line(what, ours, theirs, "plain Python", "rounds/s"))
        if players == 2:
            lines.append(rate_line(what, ours, "rounds/s", wanted=500_000))
    for names, wanted in PAIRS.items():
        [rates] = take_turns([rounds_at(*names, games=5000)])
        lines.append(rate_line(f"Love Letter, {' against '.join(names)}, one thread", rates, "rounds/s", wanted))
    return lines


def load() -> None:
    """Have everything compiled and in the cache."""
    for names in (("random", "random"), ("random",) * 4, *PAIRS):
        table_of(*names, games=1)()
