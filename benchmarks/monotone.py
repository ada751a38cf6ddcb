"""What a change of values that keeps their order does to the choices of a search: nothing in minimax, much with dice.

    python benchmarks/monotone.py --positions 100 --deals 30 --seed 1 --picture docs/pictures/chance-nodes.svg

Positions of dice chess from games of greedy players are searched two plies deep, all lines. What can be rolled between
the plies is met once with its mean, as dice roll, and once with its minimum, as if the opponent chose the roll. What
differs is only what the last positions count: the values of `expectiminimax` as they are, or bent by a function that
keeps their order. Then players that take the mean play each other, with values as they are and with bent ones: every
deal twice, so that each begins once. It is plain Python, and takes some minutes.
"""

import argparse
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from dicechess import middle_games

from kibitz.arena.statistics import Z95
from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.move_sets import listed
from kibitz.engine.seeds import keys
from kibitz.games.dicechess.game import DICE_CHESS
from kibitz.games.dicechess.search_position import WEIGHTS
from kibitz.games.toys.three_sets.rules import SETS
from kibitz.search.open_games import WIN, final_value

Bend = Callable[[float], float]
BENDS: dict[str, Bend] = {
    "as they are": lambda value: value,
    "2 v + 300": lambda value: 2 * value + 300,
    "± √|v|": lambda value: np.sign(value) * sqrt(abs(value)),
    "v³": lambda value: value**3,
}
PLAIN, BENT = "as they are", ("± √|v|", "v³")
NUMBERS = np.array(WEIGHTS.values)
KING_TAKEN = WIN - 1  # what a move is worth after which nothing is rolled

# For every move, for every roll, the values of what can be done then.
Lines = list[tuple[int, list[list[float]]]]


def lines_of(state: Any, me: int) -> Lines:
    """All that can happen in two plies; a roll that lets nobody move is worth the position itself."""
    return [(move, [replies(after, roll, me) for roll in rolls(after)]) for move, after in followed(state)]


def followed(state: Any) -> list[tuple[int, Any]]:
    found = []
    for move in DICE_CHESS.legal(state):
        after = np.array([state], DICE_CHESS.dtype)
        generic.apply(after[0], move)
        found.append((move, after[0]))
    return found


def rolls(state: Any) -> list[int]:
    return DICE_CHESS.legal(state) if generic.to_move(state) == generic.CHANCE else []


def replies(state: Any, roll: int, me: int) -> list[float]:
    position = generic.positions(state, 2)
    generic.apply(position[0], roll)
    if generic.to_move(position[0]) in (generic.CHANCE, generic.OVER):
        return [value_of(position[0], me)]
    room, values = np.empty(int(generic.most_moves(position[0])), np.int64), list[float]()
    for move in listed(generic.legal_moves(position[0], room)):
        position[1] = position[0]
        generic.apply(position[1], move)
        values.append(value_of(position[1], me))
    return values


def value_of(position: Any, me: int) -> float:
    if generic.to_move(position) == generic.OVER:
        return float(final_value(position, me, 3))
    return float(generic.evaluate(position, me, NUMBERS))


class Choices(NamedTuple):
    """The move that each way to meet a roll leads to."""

    by_mean: int
    by_minimum: int


def chosen(lines: Lines, bend: Bend) -> Choices:
    """The first of the best moves, whose rolls are answered with the opponent's best."""
    bent = [[min(map(bend, answers)) for answers in each] or [bend(KING_TAKEN)] for _, each in lines]
    means, minima = [sum(each) / len(each) for each in bent], [min(each) for each in bent]
    moves = [move for move, _ in lines]
    return Choices(moves[int(np.argmax(np.round(means, 9)))], moves[int(np.argmax(minima))])


# Games between both


def lead_over(bend: Bend, deals: int, seed: int) -> tuple[float, float]:
    """How many games in a hundred values as they are win more than bent ones, and half its 95 % interval over deals."""
    by_deal = []
    for number in range(deals):
        won = [played(number, seed, (BENDS[PLAIN], bend), 0), -played(number, seed, (bend, BENDS[PLAIN]), 0)]
        by_deal.append(50 * sum(won))
    spread = Z95 * float(np.std(by_deal, ddof=1)) / sqrt(deals) if deals > 1 else 0.0
    return float(np.mean(by_deal)), spread


def played(number: int, seed: int, bends: tuple[Bend, Bend], seat: int) -> int:
    """Of a game: 1 if a seat wins it, −1 if it loses."""
    table = Table(DICE_CHESS, [], DICE_CHESS.deal(keys(seed), number, 2, {}))
    while not table.over:
        mover = table.to_move
        table.make(Decision(chosen(lines_of(table.state, mover), bends[mover]).by_mean))
    winners = table.result()["winners"]
    return 0 if winners == 0 else 1 if winners >> seat & 1 else -1


# What is shown


def draw(changed: dict[str, Choices], positions: int, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "kibitz"
    from matplotlib import pyplot

    figure, (sets, shares) = pyplot.subplots(1, 2, figsize=(9.6, 3.6), width_ratios=(1.5, 1))
    shown = (("by the minimum", min), ("by the mean", lambda pair: sum(pair) / 2))
    groups = [(what, take, name) for what, take in shown for name in (PLAIN, "± √|v|")]
    for place, (_, take, name) in enumerate(groups):
        values = np.array([take([BENDS[name](number) for number in pair]) for pair in SETS])
        heights = values / np.abs(values).max()
        for number, height in enumerate(heights):
            best = number == int(np.argmax(heights))
            sets.bar(place + 0.26 * (number - 1), height, 0.24, color="tab:blue" if best else "0.78")
            offset = (0, 3) if height >= 0 else (0, -11)
            sets.annotate(
                f"set {number + 1}", (place + 0.26 * (number - 1), height), offset, textcoords="offset points",
                ha="center", fontsize=7.5, weight="bold" if best else "normal",
            )  # fmt: skip
    sets.axhline(0, color="0.4", lw=0.8)
    sets.set_xticks(range(len(groups)), [f"{what}\nvalues {name}" for what, _, name in groups], fontsize=8)
    sets.set_ylim(-1.2, 1.2)
    sets.set_yticks([])
    sets.set_title("Three sets: the choice is blue", fontsize=10)
    names = [name for name in BENDS if name != PLAIN]
    for shift, what, colour in ((-0.2, "by_minimum", "0.6"), (0.2, "by_mean", "tab:blue")):
        heights = [100 * getattr(changed[name], what) / positions for name in names]
        bars = shares.bar(
            np.arange(len(names)) + shift, heights, 0.38, color=colour, label=what.replace("_", " the ", 1)
        )
        shares.bar_label(bars, [f"{height:g}" for height in heights], fontsize=8)
    shares.set_xticks(range(len(names)), names, fontsize=9)
    shares.set_ylabel("other choices, of 100 positions", fontsize=9)
    shares.set_title("Dice chess, two plies", fontsize=10)
    shares.legend(frameon=False, fontsize=8, loc="upper left")
    for axes in (sets, shares):
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--deals", type=int, default=30, help="that are played twice; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    states = middle_games(options.positions, options.seed)
    lines = [lines_of(state, int(generic.to_move(state))) for state in states]
    straight = [chosen(each, BENDS[PLAIN]) for each in lines]
    print(f"{options.positions} positions of seed {options.seed}: in how many another move is chosen")
    changed = {}
    for name, bend in BENDS.items():
        bent = [chosen(each, bend) for each in lines]
        counts = (sum(now[way] != before[way] for now, before in zip(bent, straight, strict=True)) for way in (0, 1))
        changed[name] = Choices(*counts)
        print(f"{name:12} by the minimum {changed[name].by_minimum:4}   by the mean {changed[name].by_mean:4}")
    if options.picture:
        draw(changed, options.positions, options.picture)
    if options.deals:
        for name in BENT:
            lead, half = lead_over(BENDS[name], options.deals, options.seed)
            print(
                f"values as they are against {name}: lead {lead:+.1f} ± {half:.1f} games in a hundred, "
                f"{2 * options.deals} games of seed {options.seed}"
            )


if __name__ == "__main__":
    main()
