"""How many positions per second the draughts rules count (perft), on one thread, from the start of each variant."""

from functools import partial

from report import Line, rate_line
from timing import take_turns, timed

from kibitz.games.draughts.game import DRAUGHTS

DEPTH, WANTED = 8, 5_000_000


def counted(variant: str, depth: int) -> int:
    start = DRAUGHTS.load_start({}, 2, {"variant": variant})
    return sum(count for _, count in DRAUGHTS.count_moves(start, depth))


def measured() -> list[Line]:
    variants = DRAUGHTS.rules[0].choices
    rates = take_turns([timed(partial(counted, variant, DEPTH)) for variant in variants])
    return [
        rate_line(f"draughts, {variant}: positions at depth {DEPTH}", rate, "positions/s", WANTED)
        for variant, rate in zip(variants, rates, strict=True)
    ]


def load() -> None:
    counted("brazilian", 2)
