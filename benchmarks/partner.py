"""Make and judge the agent `partner`, which is trained to play with people.

    python benchmarks/partner.py halves games.jsonl.gz --output DIR
    python benchmarks/partner.py train --players 2 --output partner.npz
    python benchmarks/partner.py judge --player partner.npz --person DIR/b.npz

`halves` fits two models of people to the games of disjoint halves of the people, so that a player trained with one can
be judged with the other. `train` improves the player's weights by natural policy gradient in games with sampled people.
`judge` plays with people and prints mean scores.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.statistics import Z95
from kibitz.core import array_files
from kibitz.core.people import EXPERIENCE, Choosing
from kibitz.core.weights import Weights
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.dice import SHARE, set_dice
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import keys, number, one_way
from kibitz.games.hanabi.agents.common_sense import by_hand
from kibitz.games.hanabi.agents.partner import (
    EXTRAS,
    FILE,
    FIRST,
    HINT_EXTRAS,
    SITUATIONS,
    VARYING,
    WEIGHTS,
    best_of,
    read_extras,
    read_situation,
    score_moves,
)
from kibitz.games.hanabi.agents.person import NOISE
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.knowledge import awaited, critical, kind_of, surely, useless
from kibitz.games.hanabi.people import games, model
from kibitz.games.hanabi.people.inputs import CONTEXT, HINTS, PLAYS, WIDTHS, Room, new_room, read_position, yes
from kibitz.games.hanabi.people.model import (
    ANYONE,
    CAUTION,
    EXPERIENCED,
    MOST_HABITS,
    VARIETY,
    assume,
    draw_habits,
    move_scores,
    new_mind,
    normal,
    think_as,
    to_chances,
)
from kibitz.games.hanabi.rules import MOVES, apply, deal, score, to_move
from kibitz.games.hanabi.state import CARDS, LOST_SCORES_ZERO, State
from kibitz.games.hanabi.worlds import observe
from kibitz.learn import people

VALUES = 32  # numbers about a state that estimate its worth
TRACE = 0.95  # λ of TD(λ)
MOMENTUM = 0.5  # of the gradient and its covariance, over steps
DAMPING, DECAY = 0.005, 1e-4  # of the natural gradient, and towards the weights at the start
BONUS_RATE = 0.5  # how fast the bonus for hints follows a share that is too small


def halves(files: list[Path], output: Path, seed: int, units: int) -> None:
    """Fit a model to each half of the people; those with most games are spread evenly."""
    played = games.read(files).games
    settings = people.Settings(units=units, seed=seed)
    choices = games.choices(played)
    fold = people.fold_of_people(choices, 2, settings)
    half_of = dict(zip(choices.names, fold.tolist(), strict=True))
    output.mkdir(parents=True, exist_ok=True)
    for half, name in enumerate("ab"):
        some = [game for game in played if all(half_of[person] == half for person in game.people.values())]
        for step in people.fit(games.choices(some), model.SHAPE, settings):
            if isinstance(step, Choosing):
                about = f"{len(some)} games of half {name} of the people (seed {seed})"
                model.save(output / f"{name}.npz", replace(step, about=about))
                print(f"Wrote {output / name}.npz: {about}", flush=True)


# Games with people, in compiled code


class Record(NamedTuple):
    """What training records of the player's decisions; nothing where the arrays are empty."""

    gradients: Any  # of the log probability of the move
    values: Any  # the numbers about the state by which its worth is estimated
    hints: Any  # the share of hints that the policy gives here, minus one if it hinted; 0 without a token
    games: Any


@compiled
def read_value(state: State, person: int, x: Any) -> None:
    """Numbers about a state, all cards open, that its worth is linear in."""
    done, deck, tokens = count_bits(state.played) / 25, (CARDS - state.drawn) / 40, state.tokens / 8
    one, two = yes(state.lives == 1), yes(state.lives == 2)
    x[0], x[1], x[2], x[3], x[4], x[5] = 1.0, done, deck, tokens, one, two
    x[6], x[7], x[8], x[9] = done * done, done * deck, deck * deck, tokens * deck
    x[10], x[11], x[12], x[13] = one * deck, two * deck, one * done, two * done
    fits, dead, last = awaited(state), useless(state), critical(state)
    x[14], x[15] = yes(state.countdown > 0), count_bits(dead & ~state.played) / 25
    for place in range(16, VALUES):
        x[place] = 0.0
    for seat in range(state.players):
        at = 16 if seat == person else 23
        for slot in range(state.held[seat]):
            kind = kind_of(state, seat, slot)
            kinds, marked = int(state.hinted_kinds[seat][slot]), state.marks[seat][slot] != 0
            if holds(fits, kind):
                x[at] += 0.3
                x[at + 1] += 0.3 * yes(surely(kinds, fits))
                x[at + 2] += 0.3 * yes(marked)
            else:
                x[at + 3] += 0.3 * yes(marked and kinds & fits != 0)
                x[at + 4] += 0.3 * yes(holds(dead, kind))
                x[at + 5] += 0.3 * yes(holds(last, kind))
                x[at + 6] += 0.3 * yes(holds(last, kind) and not marked)
    x[30], x[31] = x[19] * one, x[19] * two


@compiled
def note_gradient(view: State, room: Room, extras: Any, count: int, chances: Any, chosen: int, gradient: Any) -> None:
    """The gradient of the log probability of the chosen move by the weights."""
    situation = np.empty(SITUATIONS)
    read_situation(view, room, situation)
    gradient[:] = 0.0
    for row in range(count):
        factor = yes(row == chosen) - chances[row]
        kind = room.kinds[row]
        at = FIRST[kind]
        for place in range(CONTEXT):
            gradient[at + place] += factor * room.context[place]
        at += CONTEXT
        for place in range(WIDTHS[kind]):
            gradient[at + place] += factor * room.rows[row, place]
        at += WIDTHS[kind]
        for place in range(EXTRAS[kind]):
            gradient[at + place] += factor * extras[row, place]
        at += EXTRAS[kind]
        for place in range(VARYING.shape[1]):
            x = factor * room.rows[row, VARYING[kind, place]]
            for each in range(SITUATIONS):
                gradient[at + place * SITUATIONS + each] += x * situation[each]


@compiled
def drawn_row(chances: Any, count: int, left: float) -> int:
    for row in range(count - 1):
        left -= chances[row]
        if left < 0.0:
            return row
    return count - 1


@compiled
def play_with_people(
    pair: Any, players: int, rules: int, stream: int, people: Any, bends: Any, weights: Any, greedy: bool,
    record: Record, results: Any, counts: Any,
) -> int:  # fmt: skip
    """Play games of copies of the player with one person, in every seat in turn; returns the decisions recorded.

    `people` are the weights of a model for each game; `bends` are a factor of its scores, and what is added to those of
    plays and hints. By game, `results` gets the
    score, the points on the piles and the lives, and `counts` the player's plays, discards and hints, its turns with
    a token, and its hints that say something new about a playable card.
    """
    room, mind, extras, scores = new_room(), new_mind(), np.zeros((MOVES, HINT_EXTRAS)), np.zeros(MOVES)
    habits, noise = np.zeros(MOST_HABITS), np.zeros(MOST_HABITS)
    state, view, at = pair[WORLD], pair[SEEN], 0
    for game in range(results.shape[0]):
        deal(state, players, rules, one_way(stream, 2 * game))
        dice = one_way(stream, 2 * game + 1)
        set_dice(state, dice)
        model, person = people[game], game % players
        for habit in range(MOST_HABITS):
            noise[habit] = normal(dice, NOISE + habit)
        draw_habits(model, int(model[EXPERIENCED]), model[VARIETY], noise, habits)
        think_as(model, habits, mind)
        while to_move(state) >= 0:
            seat, luck = state.to_move | 0, number(dice, state.turn) * SHARE
            observe(pair, seat, False)
            count = read_position(view, room)
            if seat == person:
                move_scores(model, mind, room, count, scores)
                assume(view, model, room, count, scores)
                for row in range(count):
                    scores[row] *= bends[game, 0]
                    scores[row] += bends[game, 1] * yes(room.kinds[row] == PLAYS)
                    scores[row] += bends[game, 2] * yes(room.kinds[row] == HINTS)
                to_chances(scores, count)
                chosen = drawn_row(scores, count, luck)
            else:
                read_extras(view, room, count, extras)
                score_moves(view, weights, room, extras, count, scores)
                if greedy:
                    chosen = best_of(scores, count)
                else:
                    to_chances(scores, count)
                    chosen = drawn_row(scores, count, luck)
                kind = room.kinds[chosen]
                counts[game, kind] += 1
                counts[game, 3] += int(view.tokens > 0)
                counts[game, 4] += int(kind == HINTS and room.rows[chosen, 10] > 0)
                if not greedy and at < record.games.shape[0]:
                    note_gradient(view, room, extras, count, scores, chosen, record.gradients[at])
                    read_value(state, person, record.values[at])
                    hinting = 0.0
                    for row in range(count):
                        hinting += scores[row] * yes(room.kinds[row] == HINTS)
                    record.hints[at] = yes(kind == HINTS) - hinting if view.tokens > 0 else 0.0
                    record.games[at] = game
                    at += 1
            apply(state, room.moves[chosen])
        results[game, 0], results[game, 1], results[game, 2] = score(state), count_bits(state.played), state.lives
    return at


# Training


class Training(NamedTuple):
    players: int
    rules: int
    games: int  # in each step
    steps: int
    hints: float  # the least share of hints among the player's moves with a token; 0 leaves it free
    divergence: float  # of the policies before and after the first steps; later ones are smaller
    seed: int


def sampled_people(models: list[Any], games: int, dice: np.random.Generator) -> tuple[Any, Any]:
    """A model for every game, with more variety than people have: other experience, care and resoluteness."""
    vectors = np.array([models[n] for n in dice.integers(0, len(models), games)])
    vectors[:, EXPERIENCED] = np.where(dice.random(games) < 0.5, ANYONE, dice.integers(0, ANYONE + 1, games))
    vectors[:, VARIETY] = dice.uniform(0.8, 1.3, games)
    vectors[:, CAUTION] = np.where(dice.random(games) < 0.75, 0.0, dice.uniform(0.0, 4.0, games))
    bends = np.stack([dice.uniform(0.75, 1.1, games), dice.normal(0, 0.3, games), dice.normal(0, 0.4, games)], axis=1)
    return vectors, bends


def advantages(values: Any, coefficients: Any, worth: Any, games: Any) -> Any:
    """How much better each decision turned out than expected: TD(λ) errors, within each game."""
    expected = values @ coefficients
    last = np.append(games[1:] != games[:-1], True)
    after = np.where(last, worth[games], np.append(expected[1:], 0.0))
    errors, found, carried = after - expected, np.zeros(len(games)), 0.0
    for n in range(len(games) - 1, -1, -1):
        carried = errors[n] + (0.0 if last[n] else TRACE * carried)
        found[n] = carried
    return found


def train(start: Any, models: list[Any], settings: Training) -> Iterator[tuple[int, Any, str]]:
    """Improve weights step by step: yields the step, the mean of the latest weights, and what was measured."""
    dice = np.random.default_rng(settings.seed)
    weights, origin, slope, fisher = np.array(start), np.array(start), 0.0, 0.0
    part = slice(0, WEIGHTS) if settings.rules & LOST_SCORES_ZERO else slice(WEIGHTS, 2 * WEIGHTS)
    mean, bonus, rate = weights.copy(), 0.0, 0.0
    room = settings.games * 45 * (settings.players - 1)
    record = Record(
        np.zeros((room, WEIGHTS), np.float32), np.zeros((room, VALUES)), np.zeros(room), np.zeros(room, np.int64)
    )
    pair = np.zeros(2, HANABI.dtype)
    for step in range(settings.steps):
        people, bends = sampled_people(models, settings.games, dice)
        results, counts = np.zeros((settings.games, 3), np.int64), np.zeros((settings.games, 5), np.int64)
        made = play_with_people(
            pair, settings.players, settings.rules, int(dice.integers(2**62)), people, bends, weights, False, record,
            results, counts,
        )  # fmt: skip
        gradients, values, games = record.gradients[:made], record.values[:made], record.games[:made]
        worth = results[:, 0].astype(float)
        coefficients = np.linalg.solve(values.T @ values + np.eye(VALUES), values.T @ worth[games])
        found = advantages(values, coefficients, worth, games)
        share = counts[:, HINTS].sum() / counts[:, 3].sum()
        rate = share if step == 0 else 0.7 * rate + 0.3 * share
        bonus = max(0.0, bonus + BONUS_RATE * (settings.hints - rate)) if settings.hints else 0.0
        new = gradients.T @ (found + bonus * record.hints[:made]) / made
        own = (gradients.T @ gradients).astype(float) / made
        slope = new if step == 0 else MOMENTUM * slope + (1.0 - MOMENTUM) * new
        fisher = own if step == 0 else MOMENTUM * fisher + (1.0 - MOMENTUM) * own
        damped = fisher + np.eye(WEIGHTS) * (DAMPING * np.diag(fisher).mean())
        move = np.linalg.solve(damped, slope - DECAY * (weights[part] - origin[part]))
        limit = settings.divergence * (1.0 - 0.85 * step / settings.steps)
        weights[part] += move * np.sqrt(limit / max(0.5 * move @ fisher @ move, 1e-12))
        first = settings.steps * 2 // 3
        mean = weights.copy() if step <= first else mean + (weights - mean) / (step - first + 1)
        yield step, mean, f"score {worth.mean():.2f}, lost {(results[:, 2] == 0).mean():.1%}, hints {share:.1%}"


# Judging

# How people differ from the model: experience, variety, caution, then the bends. The last ones are invented.
VARIANTS: dict[str, tuple[float, float, float, float, float, float]] = {
    "as fitted": (ANYONE, 1.0, 0.0, 1.0, 0.0, 0.0),
    **{name: (place, 1.0, 0.0, 1.0, 0.0, 0.0) for place, name in enumerate(EXPERIENCE[:ANYONE])},
    "careful on the last life": (ANYONE, 1.0, 4.0, 1.0, 0.0, 0.0),
    "hinting less": (ANYONE, 1.0, 0.0, 1.0, 0.0, -1.0),
    "bolder plays": (ANYONE, 1.0, 0.0, 1.0, 1.0, 0.0),
    "noisier": (ANYONE, 1.0, 0.0, 0.7, 0.0, 0.0),
}


def judge(weights: Any, person: Any, players: int, games: int, seed: int, rules: int) -> None:
    """Print what the player's copies score with one person."""
    print(f"{players} players, {games} games, seed {seed}; hints among moves with a token")
    print("| person | points kept | lost % | lost scores 0 | hints % | of these about a playable card % |")
    print("|---|---|---|---|---|---|")
    for name, (experience, variety, caution, *bend) in VARIANTS.items():
        people = np.tile(person, (games, 1))
        people[:, EXPERIENCED], people[:, VARIETY], people[:, CAUTION] = experience, variety, caution
        results, counts = np.zeros((games, 3), np.int64), np.zeros((games, 5), np.int64)
        none = Record(np.zeros((0, WEIGHTS), np.float32), np.zeros((0, VALUES)), np.zeros(0), np.zeros(0, np.int64))
        play_with_people(
            np.zeros(2, HANABI.dtype), players, rules, keys(seed).deal, people, np.tile(bend, (games, 1)), weights,
            True, none, results, counts,
        )  # fmt: skip
        kept, lost = results[:, 1].astype(float), results[:, 2] == 0
        _, _, hints, turns, useful = counts.sum(axis=0)
        print(
            f"| {name} | {in_words(kept)} | {100 * lost.mean():.1f} | {in_words(np.where(lost, 0.0, kept))} "
            f"| {100 * hints / turns:.1f} | {100 * useful / max(hints, 1):.1f} |", flush=True,
        )  # fmt: skip


def in_words(values: Any) -> str:
    return f"{values.mean():.2f} ± {Z95 * values.std(ddof=1) / len(values) ** 0.5:.2f}"


# Commands


def rule_bits(kept: bool) -> int:
    """The rules for people, or those of the games that the model was fitted to."""
    return 0 if kept else HANABI.rule_bits(HANABI.check_rules(HANABI.table_rules))


def read_weights(path: Path | None, players: int) -> Any:
    return Weights(np.zeros(2 * WEIGHTS)).from_file(path).for_players(players) if path else by_hand(careful=True)


def write_weights(path: Path, players: int, values: Any) -> None:
    """Write weights beside those for other tables: for two players, or for more.

    Those for a lost game that keeps its points are the same, unless they are trained with `--kept` from there.
    """
    before = array_files.read_arrays(path, "It is a file that `train` wrote.") if path.exists() else {}
    arrays = {**before, "players_2" if players == 2 else "weights": values.astype(np.float32)}
    arrays.setdefault("weights", arrays.get("players_2"))
    array_files.write_arrays(path, small=True, **arrays)


def train_and_write(chosen: argparse.Namespace) -> None:
    models = [model.flattened(model.load(path)) for path in chosen.person or [model.FILE]]
    start = read_weights(chosen.start, chosen.players)
    games = chosen.games // (chosen.players - 1)
    settings = Training(
        chosen.players, rule_bits(chosen.kept), games, chosen.steps, chosen.hints, chosen.divergence, chosen.seed
    )
    for step, mean, said in train(start, models, settings):
        if step % 10 == 0 or step == chosen.steps - 1:
            print(f"step {step}: {said}", flush=True)
            if not chosen.kept:
                mean[WEIGHTS:] = mean[:WEIGHTS]
            write_weights(chosen.output, chosen.players, mean)
    print(f"Wrote {chosen.output}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    fit = commands.add_parser("halves", help="fit models to disjoint halves of the people")
    fit.add_argument("files", nargs="+", type=Path)
    fit.add_argument("--output", type=Path, required=True)
    fit.add_argument("--seed", type=int, default=0)
    fit.add_argument("--units", type=int, default=people.Settings.units, help="hidden units of the models")
    one = commands.add_parser("train", help="train the player")
    one.add_argument("--person", type=Path, action="append", help="model of people; repeatable (default: the built-in)")
    one.add_argument("--players", type=int, default=2)
    one.add_argument("--kept", action="store_true", help="points on the piles count in a lost game")
    one.add_argument("--hints", type=float, default=0.37, help="least share of hints in moves with a token (0: free)")
    one.add_argument("--start", type=Path, help="weights to start from (default: common sense)")
    one.add_argument("--output", type=Path, required=True)
    one.add_argument("--steps", type=int, default=120)
    one.add_argument("--games", type=int, default=600, help="games per step, divided by the copies of the player")
    one.add_argument("--divergence", type=float, default=0.03, help="relative entropy of the policies of two steps")
    one.add_argument("--seed", type=int, default=0)
    two = commands.add_parser("judge", help="print what the player scores with people")
    two.add_argument("--player", type=Path, default=FILE)
    two.add_argument("--person", type=Path, default=model.FILE)
    two.add_argument("--players", type=int, default=2)
    two.add_argument("--kept", action="store_true")
    two.add_argument("--games", type=int, default=2000)
    two.add_argument("--seed", type=int, default=4711)
    chosen = parser.parse_args()
    if chosen.command == "halves":
        halves(chosen.files, chosen.output, chosen.seed, chosen.units)
    elif chosen.command == "train":
        train_and_write(chosen)
    else:
        weights, person = read_weights(chosen.player, chosen.players), model.flattened(model.load(chosen.person))
        judge(weights, person, chosen.players, chosen.games, chosen.seed, rule_bits(chosen.kept))


if __name__ == "__main__":
    main()
