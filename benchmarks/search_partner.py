"""Make and judge the agent `search_partner`: what states are worth, and how it plays with people.

    python benchmarks/search_partner.py train --output search_partner.npz
    python benchmarks/search_partner.py judge --games 500
    python benchmarks/search_partner.py judge --player a.npz --own a-people.npz --worth a-worth.npz --person b.npz

`train` plays games of `partner` with sampled people, one odd move in each, and fits a small network from the open state
to the payoff. `judge` plays with people and prints mean scores. The player may know another model of people (`--own`)
than the one that plays with it (`--person`).
"""

import argparse
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from partner import in_words, read_weights, rule_bits, sampled_people

from kibitz.arena.match import Match, play_compiled
from kibitz.core import array_files
from kibitz.core.agent import CompiledAgent
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.dice import SHARE, set_dice
from kibitz.engine.loop import MOVE_BITS, SEEN, WORLD
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import number, one_way
from kibitz.games.hanabi.agents.partner import FILE as PARTNER_FILE
from kibitz.games.hanabi.agents.partner import partner
from kibitz.games.hanabi.agents.person import NOISE, person
from kibitz.games.hanabi.agents.search_partner import FILE, Cast, move_of_cast, new_cast, search_partner
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.people import model
from kibitz.games.hanabi.people.listening import COPY, Ears, new_ears
from kibitz.games.hanabi.people.model import EXPERIENCED, MOST_HABITS, VARIETY, Mind, draw_habits, normal, think_as
from kibitz.games.hanabi.people.worth import UNITS, VALUES, in_order, read_worth
from kibitz.games.hanabi.rules import HINT, apply, deal, legal, score, to_move
from kibitz.games.hanabi.worlds import observe

GAMES, TURNS = 8000, 70  # games for each network, and the most turns that count in one
EPOCHS, BATCH, RATE = 5, 512, 3e-3


@compiled
def any_move(moves: int, dice: int) -> int:
    """One of some moves."""
    skipped = dice % count_bits(moves)
    for _ in range(skipped):
        moves &= moves - 1
    return lowest_bit(moves)


@compiled
def play_games(
    pair: Any, players: int, rules: int, stream: int, people: Any, ears: Ears, cast: Cast, rows: Any, games: Any,
    payoffs: Any,
) -> int:  # fmt: skip
    """Play games of `partner` with one person, with one odd move; returns the number of states read."""
    state, made = pair[WORLD], 0
    noise, habits = np.zeros(MOST_HABITS), np.zeros(MOST_HABITS)
    for game in range(payoffs.shape[0]):
        deal(state, players, rules, one_way(stream, 2 * game))
        dice = one_way(stream, 2 * game + 1)
        set_dice(state, dice)
        who, searcher, odd = (
            game % players,
            (game + 1 + game // players % (players - 1)) % players,
            number(dice, 0) % 60,
        )
        for habit in range(MOST_HABITS):
            noise[habit] = normal(dice, NOISE + habit)
        draw_habits(people[game], int(people[game, EXPERIENCED]), people[game, VARIETY], noise, habits)
        for seat in range(players):
            cast.kinds[seat] = COPY
        cast.kinds[who] = 0
        think_as(people[game], habits, Mind(cast.linear[who], cast.outputs[who], cast.buffer))
        while to_move(state) >= 0:
            if state.turn > odd and made < rows.shape[0]:
                read_worth(state, searcher, rows[made])
                games[made] = game
                made += 1
            observe(pair, state.to_move, False)
            move = move_of_cast(pair[SEEN], cast, ears, number(dice, 100 + state.turn) * SHARE)
            if state.turn == odd and state.to_move == searcher:
                move = any_move(legal(pair[SEEN]), number(dice, 1))
            apply(state, move)
        payoffs[game] = score(state) / 25
    return made


def fitted(rows: Any, payoffs: Any, seed: int) -> tuple[Any, float]:
    """A network from rows to payoffs, by Adam; and the error on a tenth of the rows, as a share of their variance."""
    dice = np.random.default_rng(seed)
    parts = {
        "hidden": dice.standard_normal((VALUES, UNITS)) * 0.3, "biases": np.zeros(UNITS),
        "outputs": dice.standard_normal(UNITS) * 0.05, "linear": np.zeros(VALUES), "constant": np.array(payoffs.mean()),
    }  # fmt: skip
    parts = {name: part.astype(np.float32) for name, part in parts.items()}
    first, second = ({name: np.zeros_like(part) for name, part in parts.items()} for _ in range(2))
    own = len(rows) * 9 // 10  # the last games are kept
    steps, step = EPOCHS * (own // BATCH), 0

    def predicted(x: Any) -> tuple[Any, Any]:
        active = np.maximum(x @ parts["hidden"] + parts["biases"], 0)
        return active, x @ parts["linear"] + active @ parts["outputs"] + parts["constant"]

    for _ in range(EPOCHS):
        order = dice.permutation(own)
        for at in range(0, own - BATCH + 1, BATCH):
            some = order[at : at + BATCH]
            x = rows[some]
            active, found = predicted(x)
            error = (found - payoffs[some]) / BATCH
            back = np.outer(error, parts["outputs"]) * (active > 0)
            slopes = {
                "hidden": x.T @ back, "biases": back.sum(axis=0), "outputs": active.T @ error, "linear": x.T @ error,
                "constant": error.sum(),
            }  # fmt: skip
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for name, slope in slopes.items():
                first[name] = 0.9 * first[name] + 0.1 * slope
                second[name] = 0.999 * second[name] + 0.001 * slope**2
                move = first[name] / (1 - 0.9**step) / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
                parts[name] = parts[name] - np.float32(rate) * move
    left = predicted(rows[own:])[1] - payoffs[own:]
    vector = in_order(parts["hidden"], parts["biases"], parts["outputs"], parts["linear"], float(parts["constant"]))
    return vector, float((left**2).mean() / payoffs[own:].var())


def train(chosen: argparse.Namespace) -> None:
    weights = model.flattened(model.load(chosen.own))
    arrays: dict[str, Any] = {}
    for players in chosen.players:
        ears = new_ears(weights, read_weights(chosen.player, players))
        both = []
        for kept in (False, True):
            people, _ = sampled_people([weights], chosen.games, np.random.default_rng(chosen.seed))
            room = chosen.games * TURNS
            rows, games, payoffs = (
                np.zeros((room, VALUES), np.float32),
                np.zeros(room, np.int64),
                np.zeros(chosen.games),
            )
            pair, cast = np.zeros(2, HANABI.dtype), new_cast()
            made = play_games(
                pair, players, rule_bits(kept), chosen.seed + 1, people, ears, cast, rows, games, payoffs
            )  # fmt: skip
            vector, left = fitted(rows[:made], payoffs[games[:made]].astype(np.float32), chosen.seed)
            both.append(vector)
            counted = "kept" if kept else "lost"
            print(f"{players} players, points {counted}: {made} states, {left:.1%} of the variance left", flush=True)
        arrays[f"players_{players}"] = np.concatenate(both).astype(np.float32)
    arrays["weights"] = arrays[f"players_{chosen.players[-1]}"]
    array_files.write_arrays(chosen.output, small=True, **arrays)
    print(f"Wrote {chosen.output}")


def judge(chosen: argparse.Namespace) -> None:
    """Print what copies of the player score with a person, who sits in every seat in turn."""
    own, other = (person_of(path) for path in (chosen.own, chosen.person))
    player = partner.with_weights(partner.weights.from_file(chosen.player))
    worth = search_partner.weights.from_file(chosen.worth)
    searcher = replace(search_partner, models=(player, own)).with_weights(worth)
    searcher = searcher.with_budget(Budget(chosen.budget)) if chosen.budget else searcher
    rules = HANABI.check_rules({} if chosen.kept else HANABI.table_rules)
    counted = "points kept" if chosen.kept else "a lost game scores 0"
    print(f"{chosen.at} players, {chosen.games} games of seed {chosen.seed}, {counted}")
    print("| agent | score | lost % | hints % | ms per move |\n|---|---|---|---|---|")
    for agent in (searcher, player) if chosen.both else (searcher,):
        scores, lost, hints, moves, began = [], [], 0, 0, process_time()
        for seat in range(chosen.at):
            seats = [other if place == seat else agent for place in range(chosen.at)]
            match = Match.of(HANABI, seats, chosen.games, chosen.seed, rules=rules).prepared()
            began += process_time() - began if seat == 0 else 0  # without compilation
            played = play_compiled(match, 0, np.arange(seat, chosen.games, chosen.at), keeps=True)
            assert not played.failure, played.failure
            scores.append(played.results[:, 0].astype(float))
            lost.append(played.results[:, 1] == 0)
            turns = np.arange(played.decisions.shape[1])
            own_turns = (turns % chosen.at != seat) & (turns < played.results[:, 2][:, None])
            moves += own_turns.sum()
            hints += ((played.decisions & ((1 << MOVE_BITS) - 1) >= HINT) & own_turns).sum()
        cost = 1000 * (process_time() - began) / moves
        print(
            f"| `{agent.name}` | {in_words(np.concatenate(scores))} | {100 * np.concatenate(lost).mean():.1f} "
            f"| {100 * hints / moves:.1f} | {cost:.1f} |", flush=True,
        )  # fmt: skip


def person_of(path: Path) -> CompiledAgent:
    return person.with_weights(person.weights.from_file(path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("train", help="fit what states are worth")
    one.add_argument("--players", type=int, nargs="+", default=list(HANABI.players))
    one.add_argument("--games", type=int, default=GAMES)
    one.add_argument("--output", type=Path, required=True)
    two = commands.add_parser("judge", help="print what the player scores with people")
    two.add_argument("--worth", type=Path, default=FILE, help="what `train` wrote")
    two.add_argument("--person", type=Path, default=model.FILE, help="model of the people at the table")
    two.add_argument("--at", type=int, default=2, metavar="N", help="players at the table")
    two.add_argument("--games", type=int, default=500)
    two.add_argument("--kept", action="store_true", help="points on the piles count in a lost game")
    two.add_argument("--budget", type=int, help="simulated games per move")
    two.add_argument("--both", action="store_true", help="also without search, in the same games")
    for each in (one, two):
        each.add_argument("--player", type=Path, default=PARTNER_FILE, help="weights of `partner`")
        each.add_argument("--own", type=Path, default=model.FILE, help="model of people that the player knows")
        each.add_argument("--seed", type=int, default=2018)
    chosen = parser.parse_args()
    train(chosen) if chosen.command == "train" else judge(chosen)


if __name__ == "__main__":
    main()
