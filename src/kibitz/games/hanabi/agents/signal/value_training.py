"""Trains the value network on games of `signal` in which one player once deviates.

    python -m kibitz.games.hanabi.agents.signal --players 2 --games 2400000 --output value_network.npz

Search evaluates states after moves that break the protocol. So in most training games one player makes a random move at
a random turn. Some moves later the state is recorded, and again later, and at the end of the game the attainable points
that were lost since. The network is fitted to that with Adam, block by block of games, in several passes each. An
interrupted run resumes from FILE.partial with the same result.
"""

import argparse
import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from kibitz.core import registry
from kibitz.core.agent import seats_of
from kibitz.core.array_files import damaged, read_arrays, write_arrays
from kibitz.core.game import Game
from kibitz.core.network import add_scaled
from kibitz.core.network_training import Adam
from kibitz.engine import generic
from kibitz.engine.bits import count_bits, nth_bit
from kibitz.engine.compile import compiled
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
    Layers,
    attainable,
    count_inputs,
    encode_inputs,
    inputs_of_colour,
    no_sums,
    output,
)
from kibitz.games.hanabi.rules import GAME_OVER, legal, score
from kibitz.games.hanabi.state import LONGEST, STATE

LONGEST_START = 60  # upper limit of moves before the random one
AT_RANDOM = 6  # of ten games have a random move
SOON, LATER = 13, 8  # a state is recorded fewer than SOON moves after it, and then every LATER moves
STATES = 3  # recorded per game at most
TRUE_FROM = 3  # players: from here on only truthful moves are searched, see `search.toml`
BLOCK = 20_000  # games between checkpoints
PASSES, BATCH, SHARES = 4, 512, 2  # parts of a batch: a fixed number, so that sums are reproducible
RATE, LAST_RATE, WARMING = 2e-3, 4e-5, 300  # cosine schedule after this many warm-up batches
HELD_BACK = 1 << 40  # games of the seed from here on are held out

public_at, memory_at = struct_at(PUBLIC), struct_at(MEMORY)


# Games


@compiled
def random_move(pair: Any, seats: Seats, stream: int) -> int:
    """A random one of the moves that search would try."""
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
    """Write the inputs of a state; its attainable points."""
    struct = seats.seats[state.to_move]
    weights = numbers_at(struct.weights, struct.weight_count)
    c = known_in(state, public_at(struct.public), memory_at(struct.memory), weights)
    encode_inputs(state, c, weights, rows)
    return attainable(c)


@compiled
def gather(
    pair: Any, seats: Seats, rules: int, deal: int, dice: int, first: int, games: int, rows: Any, lost: Any
) -> int:
    """Play games and record the inputs of some states and the points lost later; the number of states."""
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


# The gradient. Sums run along rows, so that they are vectorised, always in the same order.


def zeros() -> Layers:
    return Layers(*(np.zeros(shape) for shape in SHAPES.values()))


@compiled
def add_gradient(net: Layers, rows: Any, lost: Any, players: int, total: Layers, chosen: Any) -> float:
    """Add the gradients of half the squared error in the chosen states; the sum of the squared errors."""
    each, sums = inputs_of_colour(players), no_sums()
    summed, second, third = sums.summed, sums.second, sums.third
    of_first, of_sum, of_second, of_third = np.empty(FIRST), np.empty(FIRST), np.empty(SECOND), np.empty(THIRD)
    colours_back, last_back = net.colours.T.copy(), net.last.T.copy()
    squares = 0.0
    for state in chosen:
        inputs = rows[state]
        error = output(net, inputs, players, sums) - lost[state]
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
        for n in range(COLOURS * each, rows.shape[1]):
            add_scaled(total.others[inputs[n]], of_second, 1.0)
        of_sum[:] = 0.0
        for j in range(SECOND):
            add_scaled(of_sum, colours_back[j], of_second[j])
        for i in range(FIRST):
            add_scaled(total.colours[i], of_second, summed[i])
        for colour in range(COLOURS):
            for j in range(FIRST):
                of_first[j] = of_sum[j] if sums.first[colour, j] > 0.0 else 0.0
            add_scaled(total.kinds_bias, of_first, 1.0)
            for n in range(colour * each, (colour + 1) * each):
                add_scaled(total.kinds[inputs[n]], of_first, 1.0)
    return squares


# The run


class ValueTraining:
    """A training run. Its result depends only on its parameters."""

    def __init__(self, game: Game, players: int, games: int, seed: int) -> None:
        self.game, self.players, self.seed, self.blocks = game, players, seed, max(games // BLOCK, 1)
        dice = np.random.default_rng(seed)
        self.net = Layers(
            *(dice.normal(0.0, 1.5 / math.sqrt(sum(shape)), shape) * (len(shape) > 1) for shape in SHAPES.values())
        )
        self.net.out[:] = dice.normal(0.0, 0.3, THIRD)
        self.net.out_bias[:] = 1.0
        self.optimizer = Adam(self.net)
        self.gradients = [zeros() for _ in range(SHARES)]
        self.done = 0
        self.rules = game.rule_bits(game.check_rules(dict(game.table_rules)))

    def states(self, first: int, games: int) -> tuple[Any, Any]:
        """The inputs and the lost points of states of some games, played by several threads."""
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
        """The learning rate after this share of all games."""
        fallen = RATE + (LAST_RATE - RATE) * (1.0 - math.cos(math.pi * share)) / 2.0
        return min(self.optimizer.steps / WARMING, 1.0) * fallen

    def learn_block(self) -> float:
        """Train on one more block of games; the mean squared error meanwhile."""
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
        """Add up the gradients of the parts of a batch, and clear them."""
        self.optimizer.step([sum(parts[1:], parts[0]) / BATCH for parts in zip(*self.gradients, strict=True)], rate)
        for part in self.gradients:
            for layer in part:
                layer[...] = 0.0

    def judged(self, games: int = BLOCK) -> tuple[float, float]:
        """The mean squared error on held-out states, and their variance."""
        rows, lost = self.states(HELD_BACK, games)
        errors = add_gradient(self.net, rows, lost, self.players, zeros(), np.arange(len(lost)))
        return errors / len(lost), float(lost.var())

    def arrays(self) -> dict[str, Any]:
        """The network and the moments of the optimizer, by name."""
        named = {"net": self.net, "means": self.optimizer.means, "squares": self.optimizer.squares}
        return {f"{name}_{layer}": each for name, of in named.items() for layer, each in zip(SHAPES, of, strict=True)}

    def restore(self, path: Path) -> None:
        """Resume from the checkpoint of a run with the same parameters."""
        restart = "Delete it, and the same command starts again."
        arrays = read_arrays(path, restart)
        try:
            plan = arrays["plan"].tolist()
            if plan[:3] != [self.players, self.seed, self.blocks]:
                raise KibitzError(
                    f"{path} belongs to another run. Finish that with its own command, or delete the file."
                )
            self.done, self.optimizer.steps = plan[3:]
            for name, each in self.arrays().items():
                each[...] = arrays[name]
        except (KeyError, ValueError, TypeError) as error:
            raise damaged(path, error, restart) from None

    def keep(self, path: Path) -> None:
        """Write a checkpoint."""
        plan = np.array([self.players, self.seed, self.blocks, self.done, self.optimizer.steps])
        write_arrays(path, "Progress since the last checkpoint is lost.", plan=plan, **self.arrays())


def add_to_file(path: Path, learning: ValueTraining, about: dict[str, Any]) -> None:
    """Add a network to a file that may have others, for other numbers of players."""
    arrays = read_arrays(path, "Name another --output.") if path.exists() else {}
    of_layers = {f"{name}_{learning.players}": each for name, each in learning.net._asdict().items()}
    arrays |= {name: each.astype(np.float32) for name, each in of_layers.items()}
    arrays[f"about_{learning.players}"] = np.array(json.dumps(about))
    write_arrays(path, "The checkpoint is kept: the same command writes the file again.", small=True, **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m kibitz.games.hanabi.agents.signal",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--players", type=int, choices=range(2, 6), default=2)
    parser.add_argument("--games", type=int, default=2_400_000, help="training games")
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument(
        "--output", type=Path, default=FILE,
        help="file of networks to add this one to (default: the one that signal uses)",
    )  # fmt: skip
    chosen = parser.parse_args()
    if chosen.games < BLOCK:
        parser.error(f"--games must be at least {BLOCK:,}, the size of a block.")
    try:
        learn(chosen.players, chosen.games, chosen.seed, chosen.output)
    except KibitzError as reason:
        sys.exit(str(reason))


def learn(players: int, games: int, seed: int, output: Path) -> None:
    """Train a network or resume its training, add it to a file, and print its error."""
    learning, kept = ValueTraining(registry.game(signal.game), players, games, seed), Path(f"{output}.partial")
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
