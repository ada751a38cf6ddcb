"""How `prospects` learns what states are worth: from games of `signal` in which somebody once does something else.

    python -m kibitz.games.hanabi.agents.signal --players 2 --games 2400000 --output value_network.npz

Search asks about states that a move of somebody led to who did not play by the conventions. So in each of these games a
player makes a random move at a random turn, mostly; some moves later the state is noted, and later again, and at the
end of the game how many of the points that could still be had then were not. The network is fitted to that by Adam
(Kingma and Ba 2015), block by block of games, each of which is gone through several times. If it is stopped or killed,
the same command goes on from FILE.partial, to the same network as if it had not been.
"""

import argparse
import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.progress import track

from kibitz.core import registry
from kibitz.core.agent import seats_of
from kibitz.core.array_files import damaged, read_arrays, write_arrays
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.bits import count_bits, nth_bit
from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.engine.dice import chance_stream, set_dice
from kibitz.engine.loop import FINISHED, SEEN, WORLD, notify_observers, play_out
from kibitz.engine.seat import Seats, decide_at, numbers_at, struct_at
from kibitz.engine.seeds import below, keys, number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.signal.player import MEMORY, PUBLIC, known_in, signal
from kibitz.games.hanabi.agents.signal.value_network import (
    COLOURS,
    FILE,
    FIRST,
    SECOND,
    SHAPES,
    THIRD,
    attainable,
    count_inputs,
    inputs_of_colour,
    put_inputs,
)
from kibitz.games.hanabi.rules import GAME_OVER, legal, score
from kibitz.games.hanabi.state import LONGEST, STATE

LONGEST_START = 60  # moves before the one that is made at random, fewer than this
AT_RANDOM = 6  # of ten games have such a move
SOON, LATER = 13, 8  # a state is noted up to so many moves after it, exclusive, and then again after as many
STATES = 3  # that are noted in a game at most
TRUE_FROM = 3  # players: with so many only moves are searched that tell nothing false, see `search.toml`
BLOCK = 20_000  # games between two of which what was learnt is kept
PASSES, BATCH, SHARES = 4, 512, 2  # a batch is shared out in as many parts always: so sums come out the same
RATE, LAST_RATE, WARMING = 2e-3, 4e-5, 300  # the learning rate falls along a cosine, after so many batches
MEAN_DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8  # of Adam
HELD_BACK = 1 << 40  # games of the seed from here on are not learnt from but judge

public_at, memory_at = struct_at(PUBLIC), struct_at(MEMORY)


# Games


@compiled
def random_move(pair: Any, seats: Seats, stream: int) -> int:
    """One of the moves that search would try."""
    state = pair[WORLD]
    struct = seats.seats[state.to_move]
    moves = legal(state)
    if state.players >= TRUE_FROM:
        generic.observe(pair, state.to_move, False)
        moves = decide_at(struct.truthful_moves, pair[SEEN], struct)
        moves = moves if moves != 0 else legal(state)
    return nth_bit(moves, below(stream, 0, count_bits(moves)))


@compiled
def note(state: Any, seats: Seats, rows: Any) -> int:
    """Write the inputs of a state; the points that can still be had."""
    struct = seats.seats[state.to_move]
    weights = numbers_at(struct.weights, struct.weight_count)
    c = known_in(state, public_at(struct.public), memory_at(struct.memory), weights)
    put_inputs(state, c, weights, rows)
    return attainable(c)


@compiled
def gather(
    pair: Any, seats: Seats, rules: int, deal: int, dice: int, first: int, games: int, rows: Any, lost: Any
) -> int:
    """Play games and write the inputs of some states, and how many points were lost from there on; how many states."""
    state, log = pair[WORLD], np.zeros(LONGEST, np.int64)
    most, count = np.zeros(STATES, np.int64), 0
    for game in range(first, first + games):
        stream = number(dice, game)
        generic.deal(state, seats.seats.shape[0], rules, number(deal, game))
        set_dice(state, stream)
        seats.room[:] = 0
        notify_observers(pair, seats)
        if play_out(pair, seats, log[: below(stream, 0, LONGEST_START)]) == FINISHED:
            continue
        if below(stream, 1, 10) < AT_RANDOM:
            generic.apply(state, random_move(pair, seats, number(stream, 2)))
            generic.resolve_chance(state, chance_stream(state))
            notify_observers(pair, seats)
        wait, noted = below(stream, 3, SOON), 0
        while noted < STATES and generic.to_move(state) != GAME_OVER:
            if play_out(pair, seats, log[: min(state.turn + wait, LONGEST)]) == FINISHED:
                break
            most[noted] = note(state, seats, rows[count + noted])
            noted, wait = noted + 1, LATER
        play_out(pair, seats, log)
        for n in range(noted):
            lost[count + n] = most[n] - score(state)
        count += noted
    return count


# The network and its gradient. Sums run along rows, so that they are vectorised, and in the same order everywhere.


class Gradient(NamedTuple):
    """By layer the sum of the gradients of some states, as in `prospects.SHAPES`."""

    kinds: Any
    kinds_bias: Any
    colours: Any
    others: Any
    others_bias: Any
    last: Any
    last_bias: Any
    out: Any
    out_bias: Any


Layers = Gradient  # of the network itself


def zeros() -> Gradient:
    return Gradient(*(np.zeros(shape) for shape in SHAPES.values()))


@compiled
def add_scaled(target: Any, row: Any, factor: float) -> None:
    for j in range(target.shape[0]):
        target[j] += factor * row[j]


@compiled
def add_gradient(net: Layers, rows: Any, lost: Any, players: int, total: Gradient, chosen: Any) -> float:
    """Add the gradients of the squared error in the chosen states; the sum of the squared errors."""
    each, colours, ends = inputs_of_colour(players), COLOURS, rows.shape[1]
    firsts, summed, second, third = np.empty((colours, FIRST)), np.empty(FIRST), np.empty(SECOND), np.empty(THIRD)
    of_first, of_sum, of_second, of_third = np.empty(FIRST), np.empty(FIRST), np.empty(SECOND), np.empty(THIRD)
    colours_back, last_back = net.colours.T.copy(), net.last.T.copy()
    squares = 0.0
    for state in chosen:
        inputs = rows[state]
        summed[:] = 0.0
        for colour in range(colours):
            first = firsts[colour]
            copy_into(first, net.kinds_bias)
            for n in range(colour * each, (colour + 1) * each):
                add_scaled(first, net.kinds[inputs[n]], 1.0)
            for j in range(FIRST):
                summed[j] += max(first[j], 0.0)
        copy_into(second, net.others_bias)
        for i in range(FIRST):
            add_scaled(second, net.colours[i], summed[i])
        for n in range(colours * each, ends):
            add_scaled(second, net.others[inputs[n]], 1.0)
        copy_into(third, net.last_bias)
        for i in range(SECOND):
            add_scaled(third, net.last[i], max(second[i], 0.0))
        error = net.out_bias[0] - lost[state]
        for j in range(THIRD):
            error += max(third[j], 0.0) * net.out[j]
        squares += error * error

        total.out_bias[0] += error
        for j in range(THIRD):
            total.out[j] += error * max(third[j], 0.0)
            of_third[j] = error * net.out[j] if third[j] > 0.0 else 0.0
        add_scaled(total.last_bias, of_third, 1.0)
        of_second[:] = 0.0
        for j in range(THIRD):
            add_scaled(of_second, last_back[j], of_third[j])
        for i in range(SECOND):
            of_second[i] = of_second[i] if second[i] > 0.0 else 0.0
            add_scaled(total.last[i], of_third, max(second[i], 0.0))
        add_scaled(total.others_bias, of_second, 1.0)
        for n in range(colours * each, ends):
            add_scaled(total.others[inputs[n]], of_second, 1.0)
        of_sum[:] = 0.0
        for j in range(SECOND):
            add_scaled(of_sum, colours_back[j], of_second[j])
        for i in range(FIRST):
            add_scaled(total.colours[i], of_second, summed[i])
        for colour in range(colours):
            for j in range(FIRST):
                of_first[j] = of_sum[j] if firsts[colour, j] > 0.0 else 0.0
            add_scaled(total.kinds_bias, of_first, 1.0)
            for n in range(colour * each, (colour + 1) * each):
                add_scaled(total.kinds[inputs[n]], of_first, 1.0)
    return squares


@compiled
def step(layer: Any, gradient: Any, means: Any, squares: Any, count: int, rate: float, batch: int) -> None:
    """A step of Adam by a sum of gradients over a batch, which is cleared."""
    mean_part, square_part = 1.0 - MEAN_DECAY**count, 1.0 - SQUARE_DECAY**count
    for n in range(layer.shape[0]):
        slope = gradient[n] / batch
        gradient[n] = 0.0
        means[n] += (1.0 - MEAN_DECAY) * (slope - means[n])
        squares[n] += (1.0 - SQUARE_DECAY) * (slope * slope - squares[n])
        layer[n] -= rate * means[n] / mean_part / (math.sqrt(squares[n] / square_part) + TINY)


# The run


class Learning:
    """A network that learns. What it has learnt after some blocks depends on the plan alone."""

    def __init__(self, game: Game, players: int, games: int, seed: int) -> None:
        self.game, self.players, self.seed, self.blocks = game, players, seed, max(games // BLOCK, 1)
        dice = np.random.default_rng(seed)
        self.net = Layers(
            *(dice.normal(0.0, 1.5 / math.sqrt(sum(shape)), shape) * (len(shape) > 1) for shape in SHAPES.values())
        )
        self.net.out[:] = dice.normal(0.0, 0.3, THIRD)
        self.net.out_bias[:] = 1.0
        self.means, self.squares = zeros(), zeros()
        self.gradients = [zeros() for _ in range(SHARES)]
        self.done = self.steps = 0
        self.rules = game.rule_bits(game.check_rules(dict(game.table_rules)))

    def states(self, first: int, games: int) -> tuple[Any, Any]:
        """The inputs and the lost points of states of some games, which the threads share out."""
        key = keys(self.seed)

        def part(share: int) -> tuple[Any, Any]:
            begin, end = first + games * share // SHARES, first + games * (share + 1) // SHARES
            rows = np.zeros(((end - begin) * STATES, count_inputs(self.players)), np.int16)
            lost = np.zeros(len(rows))
            seats, pair = seats_of(self.game, [signal] * self.players), np.zeros(2, STATE)
            count = gather(pair, seats, self.rules, key.deal, key.dice, begin, end - begin, rows, lost)
            return rows[:count], lost[:count]

        with ThreadPoolExecutor(SHARES) as threads:
            rows, lost = zip(*threads.map(part, range(SHARES)), strict=True)
        return np.concatenate(rows), np.concatenate(lost)

    def rate(self, share: float) -> float:
        """The learning rate after a share of all games."""
        fallen = RATE + (LAST_RATE - RATE) * (1.0 - math.cos(math.pi * share)) / 2.0
        return min(self.steps / WARMING, 1.0) * fallen

    def learn_block(self) -> float:
        """Learn from one more block of games; the mean squared error on the way."""
        rows, lost = self.states(self.done * BLOCK, BLOCK)
        dice, errors, seen = np.random.default_rng((self.seed, self.done)), 0.0, 0
        with ThreadPoolExecutor(SHARES) as threads:
            for number_of_pass in range(PASSES):
                order = dice.permutation(len(lost))
                for begin in range(0, len(order) - BATCH + 1, BATCH):
                    parts = np.split(order[begin : begin + BATCH], SHARES)
                    batch = partial(add_gradient, self.net, rows, lost, self.players)
                    errors += sum(threads.map(batch, self.gradients, parts))
                    seen += BATCH
                    through = (number_of_pass + begin / len(order)) / PASSES
                    self.step(self.rate((self.done + through) / self.blocks))
        self.done += 1
        return errors / seen

    def step(self, rate: float) -> None:
        self.steps += 1
        total, *others = self.gradients
        for n, layer in enumerate(self.net):
            for other in others:
                total[n][...] += other[n]
                other[n][...] = 0.0
            layer, gradient, means, squares = (
                each.reshape(-1) for each in (layer, total[n], self.means[n], self.squares[n])
            )
            step(layer, gradient, means, squares, self.steps, rate, BATCH)

    def judged(self, games: int = BLOCK) -> tuple[float, float]:
        """The mean squared error in states that were not learnt from, and that of saying always the same."""
        rows, lost = self.states(HELD_BACK, games)
        errors = add_gradient(self.net, rows, lost, self.players, zeros(), np.arange(len(lost)))
        return errors / len(lost), float(lost.var())

    def restore(self, path: Path) -> None:
        """Go on from what another run of the same plan kept."""
        anew = "Delete it, and the same command begins anew."
        arrays = read_arrays(path, anew)
        try:
            plan = arrays["plan"].tolist()
            if plan[:3] != [self.players, self.seed, self.blocks]:
                raise KibitzError(f"{path} is of another run. Finish that with its own command, or delete the file.")
            self.done, self.steps = plan[3:]
            for name, layers in (("net", self.net), ("means", self.means), ("squares", self.squares)):
                for layer, each in layers._asdict().items():
                    each[...] = arrays[f"{name}_{layer}"]
        except (KeyError, ValueError, TypeError) as error:
            raise damaged(path, error, anew) from None

    def keep(self, path: Path) -> None:
        """Keep all that is needed to go on from here."""
        named = {"net": self.net, "means": self.means, "squares": self.squares}
        arrays = {f"{name}_{layer}": each for name, layers in named.items() for layer, each in layers._asdict().items()}
        plan = np.array([self.players, self.seed, self.blocks, self.done, self.steps])
        write_arrays(path, "What was learnt since it was last written is lost.", plan=plan, **arrays)


def add_to_file(path: Path, learning: Learning, about: dict[str, Any]) -> None:
    """Put a network into the file of those for other numbers of players."""
    arrays = read_arrays(path, "Name another --output.") if path.exists() else {}
    of_layers = {f"{name}_{learning.players}": each for name, each in learning.net._asdict().items()}
    arrays |= {name: each.astype(np.float32) for name, each in of_layers.items()}
    arrays[f"about_{learning.players}"] = np.array(json.dumps(about))
    write_arrays(path, "What was learnt is kept: the same command writes it again.", small=True, **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m kibitz.games.hanabi.agents.signal",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--players", type=int, choices=range(2, 6), default=2)
    parser.add_argument("--games", type=int, default=2_400_000, help="to learn from")
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument(
        "--output", type=Path, default=FILE,
        help="what the network is put into, beside those for other numbers of players; if left out, what signal reads",
    )  # fmt: skip
    chosen = parser.parse_args()
    if chosen.games < BLOCK:
        parser.error(f"--games has to be {BLOCK:,} at least, which are learnt from at once.")
    try:
        learn(chosen.players, chosen.games, chosen.seed, chosen.output)
    except KibitzError as reason:
        sys.exit(str(reason))


def learn(players: int, games: int, seed: int, output: Path) -> None:
    """Learn a network, or go on with it, put it into a file, and print what it knows."""
    learning, kept = Learning(registry.game(signal.game), players, games, seed), Path(f"{output}.partial")
    if kept.exists():
        learning.restore(kept)
    for _ in track(range(learning.done, learning.blocks), f"{players} players"):
        learning.learn_block()
        learning.keep(kept)
    error, spread = learning.judged()
    about = {
        "command": f"python -m kibitz.games.hanabi.agents.signal --players {players} --games {games} --seed {seed}",
        "date": date.today().isoformat(),
        "held_back": {"games": BLOCK, "squared_error": round(error, 4), "variance": round(spread, 4)},
    }
    add_to_file(output, learning, about)
    kept.unlink(missing_ok=True)
    print(json.dumps(about, indent=1))
