"""A network learns Hanabi, with NumPy alone: first from the games of a teacher, then from its own.

    python examples/train_player.py --save player.npz
    kibitz match hanabi network@player.npz --players 2 --games 10000

At first a teacher says at every turn what it would do, and the network learns to say the same (imitation). Half of the
tables are played by the network itself, as what it will be asked later are positions that its own mistakes lead to. It
also learns how many points a game will end with.

Then it plays with itself, as it likes the moves: those after which a game ended better than it had expected become
likelier, the others less so (proximal policy optimisation, with generalised advantages). So it can become better than
its teacher.

If it is stopped or killed, the same command resumes from FILE.partial, to the same network as if it had not been.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each of our own threads multiplies by itself, see `SHARES`

import argparse
import json
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredMatch
from kibitz.core.network import NetworkWeights, write_network
from kibitz.core.network_training import Adam, Perceptron
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.network_inputs import SHAPE, VALUE
from kibitz.games.hanabi.env.network_tables import NetworkTables, unpacked
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.rules import HINT

TEACHERS_GAMES, OWN_GAMES = 1 << 40, 1 << 41  # of the seed, from these on: beyond those that any match plays
SHARES = 2  # of every batch, one for each thread: however many cores there are, the sums are the same
BEST = 25

# Learning from the teacher.
TABLES, MEMORY, BATCH = (
    2048,
    96,
    4096,
)  # what is played at once, how many steps back is learned from, how many of them at once
RATE, ALONE = 2e-3, 0.1  # the share of lessons with the teacher's games only
# Learning from its own games.
STEPS, OWN_BATCH, PASSES = 32, 8192, 2  # what is played between two lessons, and how often it is gone through
OWN_RATE, REACH, CLIP, ENTROPY = 2e-4, 0.95, 0.2, 0.001


def random_network(hidden: Sequence[int], rng: np.random.Generator) -> Perceptron:
    sizes, layers = [SHAPE.inputs, *hidden, SHAPE.outputs], []
    for layer, (rows, columns) in enumerate(pairwise(sizes)):
        usual = (2 / (200 if layer == 0 else rows)) ** 0.5  # some 200 of the inputs are ones
        last = 0.1 if columns == SHAPE.outputs else 1.0
        matrix = rng.normal(0, usual * last, (rows, columns)).astype(np.float32)
        layers.append((matrix, np.zeros(columns, np.float32)))
    return Perceptron(layers)


WORKERS = ThreadPoolExecutor(SHARES)


def answers(network: Perceptron, packed: Any) -> tuple[Any, Any]:
    """For rows of tables: how every action is liked, and the share of all points that is expected."""
    parts = WORKERS.map(lambda share: answers_of(network.forward(flat(share))[-1], share.shape[1]), split(packed))
    likes, values = zip(*parts, strict=True)
    return np.concatenate(likes), np.concatenate(values)


def split(rows: Any) -> list[Any]:
    return np.array_split(rows, SHARES)


def flat(packed: Any) -> Any:
    """The inputs of some tables, a row for every look at another player."""
    return unpacked(packed.reshape(-1, packed.shape[-1]))


def answers_of(outputs: Any, others: int) -> tuple[Any, Any]:
    """As the agent puts its looks at the others together: hints each by its own look, all else on the average."""
    looks = outputs.reshape(-1, others, outputs.shape[-1])
    hints = looks[:, :, HINT:VALUE].reshape(len(looks), -1)
    return np.concatenate([looks[:, :, :HINT].mean(axis=1), hints], axis=1), looks[:, :, VALUE].mean(axis=1)


def slope_of_looks(slope: Any, value_slope: Any, others: int) -> Any:
    """The way back: from the slopes of actions and value to those of the outputs of every look."""
    cards = np.repeat(slope[:, None, :HINT] / others, others, axis=1)
    hints = slope[:, HINT:].reshape(len(slope), others, -1)
    values = np.repeat(value_slope[:, None, None] / others, others, axis=1)
    return np.concatenate([cards, hints, values], axis=2).reshape(-1, SHAPE.outputs).astype(np.float32)


def chances(likes: Any, legal: Any) -> Any:
    """Likes as chances of the legal actions."""
    raised = np.where(legal, likes, -np.inf)
    raised = np.exp(raised - raised.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def drawn(likely: Any, rng: np.random.Generator) -> Any:
    """An action for every row, by its chances."""
    rolls = rng.random((len(likely), 1)) * likely.sum(axis=1, keepdims=True)
    return (likely.cumsum(axis=1) <= rolls).sum(axis=1).clip(max=likely.shape[1] - 1)


Slopes = Callable[[Any, Any, Any], tuple[Any, Any]]  # of likes and values, for some rows of a batch


def learn(network: Perceptron, optimizer: Adam, packed: Any, slopes: Slopes, rate: float) -> None:
    """One step down the slopes of a batch, which the threads share."""
    others = packed.shape[1]

    def share(rows: Any) -> list[Any]:
        sums = network.forward(flat(packed[rows]))
        slope, value_slope = slopes(rows, *answers_of(sums[-1], others))
        return network.gradients(sums, slope_of_looks(slope, value_slope, others) / np.float32(len(packed)))

    parts = WORKERS.map(share, split(np.arange(len(packed))))
    optimizer.step([np.sum(part, axis=0) for part in zip(*parts, strict=True)], rate)


@dataclass
class Training:
    """The state of a run, as saved in its checkpoint."""

    plan: dict[str, Any]
    seconds: float = 0.0  # of CPU time
    done: int = 0  # lessons
    scores: list[int] = field(default_factory=list)  # of the network's last games
    agreed: float = 0.0  # how often it did as the teacher, of late

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.plan["seed"])
        self.network = random_network(self.plan["hidden"], self.rng)
        self.optimizer = Adam(self.network.parameters)
        self.tables: NetworkTables | None = None
        self.memory: dict[str, Any] = {}

    @property
    def lessons(self) -> int:
        return int(self.plan["lessons"])

    @property
    def all_lessons(self) -> int:
        return self.lessons + int(self.plan["own_lessons"])

    def lesson(self) -> None:
        """The next one of whichever kind it is."""
        began = time.process_time()
        if self.done < self.lessons:
            self.teachers_lesson(self.done)
        else:
            self.own_lesson(self.done - self.lessons)
        self.done += 1
        self.seconds += time.process_time() - began

    # Learning from the teacher

    def begin_with_teacher(self) -> NetworkTables:
        plan = self.plan
        tables = NetworkTables(
            TABLES,
            plan["players"],
            seed=plan["seed"],
            first_game=TEACHERS_GAMES,
            teacher=plan["teacher"],
            threads=SHARES,
        )
        shown, steps = tables.packed, MEMORY
        self.memory = {
            "shown": np.zeros((steps, *shown.shape), np.uint8),
            "legal": np.zeros((steps, TABLES, tables.actions), np.bool_),
            "advice": np.zeros((steps, TABLES), np.int64),
            "ends": np.full((steps, TABLES), np.nan, np.float32),  # the share of all points that the game ended with
            "began": np.zeros(TABLES, np.int64),  # the step in which a table's game did
        }
        return tables

    def teachers_lesson(self, number: int) -> None:
        """A step at every table, and a batch of what was advised in the last steps."""
        self.tables = tables = self.tables or self.begin_with_teacher()
        memory, place, rows = self.memory, number % MEMORY, tables.rows
        memory["shown"][place], memory["legal"][place] = tables.packed, rows.legal
        memory["advice"][place], memory["ends"][place] = rows.advice, np.nan
        likes, _ = answers(self.network, memory["shown"][place])
        chosen = np.where(rows.legal, likes, -np.inf).argmax(axis=1)
        self.agreed += 0.02 * ((chosen == rows.advice).mean() - self.agreed)
        own = np.arange(TABLES) >= TABLES // 2 if number > ALONE * self.lessons else np.zeros(TABLES, np.bool_)
        tables.step(np.where(own, chosen, rows.advice))
        for table in np.flatnonzero(rows.scores >= 0):
            for step in range(max(memory["began"][table], number - MEMORY + 1), number + 1):
                memory["ends"][step % MEMORY, table] = rows.scores[table] / BEST
            memory["began"][table] = number + 1
        self.scores = [*self.scores, *rows.scores[own & (rows.scores >= 0)].tolist()][-5000:]
        steps = self.rng.integers(0, min(number + 1, MEMORY), BATCH)
        at = self.rng.integers(0, TABLES, BATCH)
        legal, advice, ends = (memory[name][steps, at] for name in ("legal", "advice", "ends"))

        def slopes(rows: Any, likes: Any, values: Any) -> tuple[Any, Any]:
            slope = chances(likes, legal[rows])
            slope[np.arange(len(rows)), advice[rows]] -= 1
            return slope, np.nan_to_num(values - ends[rows])

        rate = RATE * min(1.0, (number + 1) / 50) * max(0.02, 1 - number / self.lessons)
        learn(self.network, self.optimizer, memory["shown"][steps, at], slopes, rate)

    # Learning from its own games

    def begin_alone(self) -> NetworkTables:
        self.memory = {}
        self.optimizer.reset()  # the moments of imitation say nothing about the next loss
        plan = self.plan
        return NetworkTables(TABLES, plan["players"], seed=plan["seed"], first_game=OWN_GAMES, threads=SHARES)

    def own_lesson(self, number: int) -> None:
        """Some steps at every table as it likes them, and then a few passes over the results."""
        if number == 0:
            self.tables = self.begin_alone()
        assert self.tables is not None
        tables, rows, every = self.tables, self.tables.rows, np.arange(TABLES)
        shown, legal, actions, likely, values, ends = [], [], [], [], [], []
        for _ in range(STEPS):
            shown.append(tables.packed)
            legal.append(rows.legal.copy())
            likes, value = answers(self.network, shown[-1])
            chance = chances(likes, legal[-1])
            actions.append(drawn(chance, self.rng))
            likely.append(chance[every, actions[-1]])
            values.append(value)
            tables.step(actions[-1])
            ends.append(rows.scores.copy())
            self.scores = [*self.scores, *rows.scores[rows.scores >= 0].tolist()][-5000:]
        following = answers(self.network, tables.packed)[1]
        gains = advantages(values, following, ends)
        batch = [np.concatenate(each) for each in (shown, legal, actions, likely, gains)]
        self.improve(*batch, wanted=batch[-1] + np.concatenate(values), number=number)

    def improve(self, shown: Any, legal: Any, actions: Any, likely: Any, gains: Any, wanted: Any, number: int) -> None:
        better = (gains - gains.mean()) / (gains.std() + 1e-6)
        rate = OWN_RATE * max(0.05, 1 - number / int(self.plan["own_lessons"]))
        for _ in range(PASSES):
            order = self.rng.permutation(len(actions))
            for some in np.array_split(order, max(1, len(order) // OWN_BATCH)):

                def slopes(rows: Any, likes: Any, values: Any, some: Any = some) -> tuple[Any, Any]:
                    chosen, at = some[rows], np.arange(len(rows))
                    chance = chances(likes, legal[chosen])
                    ratio = chance[at, actions[chosen]] / likely[chosen]
                    gain = better[chosen]
                    free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
                    push = gain * ratio * free
                    slope = chance * push[:, None]
                    slope[at, actions[chosen]] -= push
                    logs = np.log(chance + 1e-9)
                    slope += ENTROPY * chance * (logs - (chance * logs).sum(axis=1, keepdims=True))
                    return slope, values - wanted[chosen]

                learn(self.network, self.optimizer, shown[some], slopes, rate)


def advantages(values: list[Any], following: Any, ends: list[Any]) -> list[Any]:
    """By how much every move turned out better than expected: what changed after it, the later the less it counts."""
    gains, later = [], np.zeros_like(following)
    for value, end in zip(reversed(values), reversed(ends), strict=True):
        over = end >= 0
        later = np.where(over, end / BEST, following) - value + REACH * np.where(over, 0, later)
        gains.append(later.astype(np.float32))
        following = value
    return gains[::-1]


# A run, and what is kept of it


def partial(path: Path) -> Path:
    return path.with_name(path.name + ".partial")


def save(training: Training, path: Path) -> None:
    """Write where the run stands; a crash leaves the old file or the new one."""
    draft = partial(path).with_name(path.name + ".draft")
    draft.write_bytes(pickle.dumps(training))
    draft.replace(partial(path))


def begun(plan: dict[str, Any], path: Path, restart: bool) -> Training:
    """The run that a file keeps, or a new one."""
    if restart or not partial(path).exists():
        return Training(plan)
    try:
        training = pickle.loads(partial(path).read_bytes())
        found = training.plan
    except Exception as error:
        raise KibitzError(f"{partial(path)} is damaged ({error}). Delete it, or start again with --restart.") from None
    if found != plan:
        raise KibitzError(
            f"{partial(path)} keeps another run: {json.dumps(found)}. Resume it with its own command, start "
            f"again with --restart, or save this run under another name."
        )
    print(
        f"{partial(path)} has {training.done:,} of {training.all_lessons:,} lessons; resuming.",
        file=sys.stderr,
    )
    return training


def lessons(training: Training, path: Path, every: float) -> Iterator[None]:
    """All lessons that are left, saved now and then."""
    saved = time.monotonic()
    while training.done < training.all_lessons:
        training.lesson()
        yield
        if time.monotonic() > saved + every:
            save(training, path)
            saved = time.monotonic()


def progress(training: Training, began: float, before: int) -> str:
    """How far it is; the lessons since `began` were all of one kind, and took so long each."""
    done, every = training.done, training.all_lessons
    score = f"{np.mean(training.scores):.2f} points" if training.scores else ""
    if done <= training.lessons:
        what = f"as the teacher in {training.agreed:.1%}, its own games: {score or 'none yet'}"
    else:
        what = f"learning from its own games, as it likes the moves: {score}"
    pace = (time.monotonic() - began) / max(1, done - before)
    end, then = (training.lessons, ", then its own games") if done < training.lessons else (every, "")
    return f"lesson {done:,} of {every:,}: {what}; {pace * (end - done) / 60:.1f} min left{then}"


def measured(training: Training, games: int = 2000) -> str:
    """The score of the network, as the agent plays it, over games that nobody trained on."""
    from kibitz.games.hanabi.agents.network import (
        network,  # whose own weights may be of other inputs, while these change
    )

    agent = network.with_weights(NetworkWeights.of_layers(SHAPE, training.network.layers))
    match = MeasuredMatch(Match.of(HANABI, [agent] * training.plan["players"], games, 1_000_000).prepared())
    for _ in match.play(SHARES):
        pass
    score = match.measure.tally.estimate  # type: ignore[union-attr]
    return f"{score.mean:.2f} ± {score.half_width:.2f} points over {games:,} games of seed 1,000,000"


def command(plan: dict[str, Any]) -> str:
    """What makes the same network again."""
    options = [
        ("players", plan["players"]),
        ("teacher", plan["teacher"]),
        ("hidden", " ".join(map(str, plan["hidden"]))),
    ]
    options += [("lessons", plan["lessons"]), ("own-lessons", plan["own_lessons"]), ("seed", plan["seed"])]
    return " ".join(["python examples/train_player.py", *(f"--{name} {value}" for name, value in options)])


def whole(least: int) -> Callable[[str], int]:
    """A whole number of the command line that must not be too small."""

    def read(text: str) -> int:
        if not text.lstrip("-").isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is no whole number from {least} on")
        return int(text)

    return read


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--save", type=Path, default=Path("player.npz"), metavar="FILE", help="the network (player.npz)")
    words.add_argument("--players", type=int, default=2, help="at each table (2)")
    words.add_argument("--teacher", default="trustful", help="any compiled agent (trustful)")
    words.add_argument("--hidden", type=whole(1), nargs="+", default=[128], help="sizes of the layers between (128)")
    words.add_argument("--lessons", type=whole(0), default=500, help="from the teacher (500)")
    words.add_argument("--own-lessons", type=whole(0), default=100, help="from its own games (100)")
    words.add_argument("--seed", type=int, default=0, help="where the games and the network begin (0)")
    words.add_argument("--restart", action="store_true", help="start again, even if an earlier run can be resumed")
    chosen = words.parse_args()
    names = ("players", "teacher", "hidden", "lessons", "own_lessons", "seed")
    plan = {"inputs": SHAPE.encoding, **{name: getattr(chosen, name) for name in names}}
    try:
        run(plan, chosen.save, chosen.restart)
    except KibitzError as error:
        sys.exit(f"train_player: {error}")
    except OSError as error:
        where = error.filename or chosen.save
        sys.exit(f"train_player: {where} cannot be written: {error.strerror}. What was saved before is kept.")
    except KeyboardInterrupt:
        sys.exit(f"Stopped. Run the same command to resume from {partial(chosen.save)}.")


def run(plan: dict[str, Any], path: Path, restart: bool, every: float = 20.0) -> None:
    """Train, saying how far it is every few seconds, and write the network."""
    training = begun(plan, path, restart)
    began = reported = time.monotonic()
    before = training.done
    for _ in lessons(training, path, every):
        if time.monotonic() > reported + 5 or training.done == training.lessons:
            reported = time.monotonic()
            print(progress(training, began, before), file=sys.stderr, flush=True)
        if training.done == training.lessons:
            began, before = reported, training.done
    write_network(path, SHAPE, training.network.layers, json.dumps({"command": command(plan)}))
    score = measured(training)
    about = {"command": command(plan), "date": f"{date.today()}", "score on holdout deals": score}
    write_network(path, SHAPE, training.network.layers, json.dumps(about))
    partial(path).unlink(missing_ok=True)
    print(f"{path}: {score}, after {training.seconds:,.0f} CPU seconds.")
    print(f"kibitz match hanabi network@{path} --players {plan['players']} --games 10000")


if __name__ == "__main__":
    main()
