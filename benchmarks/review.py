"""How good reviews are: planted mistakes in games of strong agents, and the games of real people.

    python benchmarks/review.py planted --games 50
    python benchmarks/review.py people --file games.jsonl.gz --games 200

`planted` lets agents play, replaces one decision of one seat by a move that a search with a hundred times the budget
puts at least one point below the best, lets the agents play on, and reviews both games. `people` reviews games of
people and compares accuracy with the final score.
"""

import argparse
import gzip
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.statistics import Estimate
from kibitz.coach.review import Review, Reviewing
from kibitz.coach.verdicts import THRESHOLDS, Verdict
from kibitz.core import registry
from kibitz.core.agent import Agent, Decision
from kibitz.core.record import Record, understood
from kibitz.core.table import Table
from kibitz.engine.seeds import keys, number
from kibitz.errors import KibitzError

TIMES = 100  # the budget of the search that judges a planted move, relative to the review's
PLANTED = 1.0  # points that a planted move loses at least
OTHER_SEED = 1000
TRIES = 12  # decisions to look at before a game is given up
AGENTS = ("signal", "trustful", "piers")
MISTAKES = (Verdict.MISTAKE, Verdict.BLUNDER)


def games_of(agents: Sequence[str], count: int, seed: int) -> Any:
    """Games at 2 to 5 players in turn, each of one kind of agent."""
    for game in range(count):
        yield game, agents[game % len(agents)], 2 + game // len(agents) % 4


def played(agent: Agent, players: int, seed: int, game: int, rules: dict[str, str]) -> Table:
    hanabi = registry.game("hanabi")
    table = Table(hanabi, [agent.take_seat(hanabi, explains=False) for _ in range(players)],
                  hanabi.deal(keys(seed), game, players, rules))  # fmt: skip
    table.run()
    return table


def record_of(table: Table, agent: Agent, rules: dict[str, str]) -> Record:
    return Record.of(table, [agent.name] * len(table.players), rules, None, None)


def reviewed(record: Record, seat: int, seed: int, playouts: int | None) -> Reviewing:
    work = Reviewing(record, seat=seat, seed=seed, playouts=playouts)
    for _ in work:
        pass
    return work


class Search:
    """The search that judges moves: the review's own evaluation with a hundred times the playouts."""

    def __init__(self, work: Reviewing, seat: int) -> None:
        self.work, self.judge, self.seat = work, work.judges()[seat], seat
        self.known: dict[int, Any] = {}
        for position in work.played.positions:
            if position.seat == seat:
                self.known[position.turn] = self.judge.see(position.views)

    def loss(self, turn: int, move: int) -> tuple[float, float]:
        found = self.judge.evaluate(self.known[turn], move, number(turn, 77), TIMES * self.work.playouts)
        return found.loss, found.error


def plant(work: Reviewing, search: Search, dice: random.Random) -> tuple[int, int, float] | None:
    """A turn, a move that loses at least one point there, and what the search says that it loses."""
    places = [place for place, each in enumerate(work.played.positions) if each.seat == search.seat]
    dice.shuffle(places)
    for place in places[:TRIES]:
        found = work.found[place][0]
        bad = [each.move for each in found.worths if each.visits and found.value - each.value > PLANTED]
        if bad:
            turn, move = work.played.positions[place].turn, dice.choice(bad)
            loss, _ = search.loss(turn, move)
            if loss >= PLANTED:
                return turn, move, loss
    return None


def planted_games(options: argparse.Namespace) -> None:
    hanabi = registry.game("hanabi")
    rules = hanabi.check_rules({})
    found: dict[str, list[bool]] = defaultdict(list)
    false: dict[str, list[int]] = defaultdict(list)
    called: dict[str, list[int]] = defaultdict(list)
    for game, name, players in games_of(options.agents, options.games, options.seed):
        agent, dice = registry.agent(hanabi, name), random.Random(f"{options.seed} {game}")
        table, seat = played(agent, players, options.seed, game, rules), dice.randrange(players)
        work = reviewed(record_of(table, agent, rules), seat, options.seed, options.playouts)
        search = Search(work, seat)
        wrong = [turn for turn in work.review().turns if turn.verdict in MISTAKES]
        called[name].append(len(wrong))
        least = THRESHOLDS["points"][1]
        judged = [search.loss(turn.turn, turn.evaluation.chosen)[0] for turn in wrong]
        false[name].append(sum(loss < least for loss in judged))
        # Moves to plant are looked for with other random numbers than those that review them.
        elsewhere = reviewed(record_of(table, agent, rules), seat, options.seed + OTHER_SEED, options.playouts)
        planted = plant(elsewhere, search, dice)
        if planted is None:
            print(f"game {game}: {name} × {players}, seat {seat + 1}: no move to plant", file=sys.stderr)
            continue
        turn, move, loss = planted
        others = [agent.take_seat(hanabi, explains=False) for _ in range(players)]
        changed = table.at_turn(turn - 1, others)
        changed.make(Decision(move))
        changed.run()
        again = reviewed(record_of(changed, agent, rules), seat, options.seed, options.playouts).review()
        worst = sorted(again.turns, key=lambda each: -each.loss)[:3]
        found[name].append(any(each.turn == turn for each in worst))
        print(f"game {game}: {name} × {players}, turn {turn}: {hanabi.move_text(move)} loses {loss:.2f}, "
              f"{'found' if found[name][-1] else 'MISSED'}; {len(wrong)} mistakes without it, {false[name][-1]} false",
              file=sys.stderr)  # fmt: skip
    print(f"{options.games} games, seed {options.seed}, one seat reviewed in each")
    for name in (*options.agents, "all"):
        hits = [each for key, values in found.items() if name in (key, "all") for each in values]
        lies = [each for key, values in false.items() if name in (key, "all") for each in values]
        said = [each for key, values in called.items() if name in (key, "all") for each in values]
        if hits:
            share = Estimate.share(sum(hits), len(hits))
            print(f"{name}: {sum(hits)} of {len(hits)} planted mistakes among the three worst turns "
                  f"({100 * share.mean:.1f} %, {100 * share.low:.1f}–{100 * share.high:.1f}); "
                  f"without them {sum(said)} mistakes named, {sum(lies)} false, in {len(lies)} games")  # fmt: skip


# People


def games_of_people(path: Path, count: int, seed: int) -> list[tuple[Record, str, str]]:
    """A sample of games with the person and the person's experience."""
    text = path.read_bytes()
    lines = [line for line in (gzip.decompress(text) if path.suffix == ".gz" else text).splitlines() if line.strip()]
    random.Random(seed).shuffle(lines)
    found = []
    for line in lines[:count]:
        about = msgspec.json.decode(line)
        record = understood(line)
        found.append((record, str(about.get("person", "")), str(about.get("experience", "")) or "unknown"))
    return found


def ranks(values: Sequence[float]) -> Any:
    order = np.argsort(values, kind="stable")
    placed = np.empty(len(values))
    placed[order] = np.arange(len(values))
    for value in set(values):
        same = np.array([each == value for each in values])
        placed[same] = placed[same].mean()
    return placed


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def interval(one: Sequence[float], other: Sequence[float], people: Sequence[str], seed: int) -> tuple[float, float]:
    """95 % by a bootstrap over people."""
    dice, by_person = random.Random(seed), defaultdict(list)
    for place, person in enumerate(people):
        by_person[person].append(place)
    names, found = sorted(by_person), []
    for _ in range(500):
        places = [place for name in dice.choices(names, k=len(names)) for place in by_person[name]]
        found.append(rank_correlation([one[place] for place in places], [other[place] for place in places]))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def people_games(options: argparse.Namespace) -> None:
    accuracy, score, who, experience = [], [], [], []
    kinds: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    losses: list[float] = []
    errors = decisions = 0
    for game, (record, person, known) in enumerate(games_of_people(options.file, options.games, options.seed)):
        try:
            review: Review = reviewed(record, 1, options.seed, options.playouts).review()
        except KibitzError as error:
            errors += 1
            print(f"game {game}: {error}", file=sys.stderr)
            continue
        errors += bool(review.problems)
        accuracy.append(review.accuracy)
        score.append(review.result or 0.0)
        who.append(person)
        experience.append(known)
        decisions += len(review.turns)
        losses += [turn.loss for turn in review.turns]
        verdicts.update(str(turn.verdict) or "no verdict" for turn in review.turns)
        kinds.update(turn.kind for turn in review.worst)
        print(f"game {game}: accuracy {review.accuracy:.0f} %, score {score[-1]:.0f}, lost {review.lost:.1f}, luck "
              f"{review.luck:+.1f}", file=sys.stderr)  # fmt: skip
    low, high = interval(accuracy, score, who, options.seed)
    print(f"{len(score)} games of {len(set(who))} people, seed {options.seed}, {decisions} decisions; "
          f"{errors} games with errors")  # fmt: skip
    print(f"rank correlation of accuracy and score {rank_correlation(accuracy, score):.2f} ({low:.2f}–{high:.2f})")
    for level in ("new", "dabbling", "intermediate", "expert", "unknown"):
        own = [value for value, known in zip(accuracy, experience, strict=True) if known == level]
        if len(own) > 1:
            mean = Estimate.of(own)
            print(f"{level}: accuracy {mean.mean:.1f} % ± {mean.half_width:.1f} in {len(own)} games")
    print(f"median accuracy {np.median(accuracy):.1f} %, mean loss per decision {np.mean(losses):.3f} points")
    print("verdicts: " + ", ".join(f"{name} {count}" for name, count in verdicts.most_common()))
    print("kinds of mistakes: " + ", ".join(f"{name} {count}" for name, count in kinds.most_common()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    planted = commands.add_parser("planted")
    planted.set_defaults(run=planted_games)
    planted.add_argument("--agents", nargs="+", default=list(AGENTS))
    people = commands.add_parser("people")
    people.set_defaults(run=people_games)
    people.add_argument("--file", type=Path, required=True)
    for each in (planted, people):
        each.add_argument("--games", type=int, default=50)
        each.add_argument("--seed", type=int, default=1)
        each.add_argument("--playouts", type=int, help="per decision (default: as reviews take)")
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
