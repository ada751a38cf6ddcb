"""Does the agent `person` behave like real people? Their games beside those of the model, with the same programs.

    python benchmarks/people.py --games games.jsonl.gz

Real people count for at most 20 games each, and their intervals are a bootstrap over people. The figures of the real
games are kept in `people.json`, so that without `--games` only the model plays. It also prints how often the programs
here make the move that the study's programs made.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.people import UNKNOWN, Choices
from kibitz.core.table import Table
from kibitz.engine.loop import move_of
from kibitz.engine.seeds import keys
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.people import games
from kibitz.games.hanabi.people.inputs import DISCARDS, HINTS, PLAYS

FILE = Path(__file__).with_name("people.json")
PROGRAMS = {"outer": "eger_outer", "intentional": "intentional", "full": "full"}
CAP, SEED, RESAMPLES, DIGITS = 20, 0, 2000, 4
CERTAIN, FRESH, ALONE, LATER, UNHINTED = 1, 9, 10, 23, 24  # inputs of a play, see `people.inputs.read_play`
FREE, OLDEST_FREE, TO_PLAY = 7, 12, 10  # inputs of a discard, and of a hint


class Seen:
    """The choices of people in some games, and how the games ended."""

    def __init__(self, played: list[games.PlayedGame]) -> None:
        self.choices: Choices = games.choices(played)
        self.rows = self.choices.rows[self.choices.chosen]
        self.kinds = self.choices.kinds[self.choices.chosen]
        ends = [ended(game) for game in played]
        self.scores, self.lives = (np.array([end[part] for end in ends], float) for part in (0, 1))
        self.good = np.concatenate([end[2] for end in ends])  # by choice: whether it was a play that succeeded
        names = list(self.choices.names)
        self.people = np.array([names.index(next(iter(game.people.values()))) for game in played])

    def shares(self) -> dict[str, tuple[Any, Any]]:
        """By behaviour: the choices that could show it, and those that did, both by choice."""
        play, discard, hint = (self.kinds == kind for kind in (PLAYS, DISCARDS, HINTS))
        one = np.ones(len(self.kinds))
        certain, fresh = self.rows[:, CERTAIN] > 0, self.rows[:, FRESH] > 0
        could = self.could(CERTAIN, PLAYS)
        alone = self.could(ALONE, PLAYS)
        hintable = self.could(TO_PLAY, HINTS)
        return {
            "plays": (one, play), "discards": (one, discard), "hints": (one, hint),
            "plays: certain": (play, play & certain),
            "plays: freshly hinted, uncertain": (play, play & ~certain & fresh),
            "plays: hinted earlier, uncertain": (play, play & ~certain & (self.rows[:, LATER] > 0)),
            "plays: never hinted, uncertain": (play, play & ~certain & (self.rows[:, UNHINTED] > 0) & ~fresh),
            "holds a certain card: plays": (could, could & play),
            "a fresh hint on one card: plays it": (alone, alone & play & (self.rows[:, ALONE] > 0)),
            "discards: unhinted": (discard, discard & (self.rows[:, FREE] > 0)),
            "discards: the oldest unhinted": (discard, discard & (self.rows[:, OLDEST_FREE] > 0)),
            "could hint a playable card: does": (hintable, hintable & hint & (self.rows[:, TO_PLAY] > 0)),
        }  # fmt: skip

    def could(self, place: int, kind: int) -> Any:
        """By choice: whether some legal move of a kind has an input."""
        has = (self.choices.rows[:, place] > 0) & (self.choices.kinds == kind)
        return np.add.reduceat(has.astype(int), self.choices.starts[:-1]) > 0

    def figures(self) -> dict[str, tuple[float, float, float]]:
        """All figures with their intervals, by bootstrap over people."""
        by_game = np.minimum(1.0, CAP / np.bincount(self.people))[self.people]
        by_choice, who = self.choices.weights(CAP), self.choices.people
        sums: dict[str, tuple[Any, Any]] = {}

        def add(name: str, weight: Any, of: Any, people: Any) -> None:
            sums[name] = np.bincount(people, weight), np.bincount(people, weight * of)

        add("mean", by_game, self.scores, self.people)
        add("squares", by_game, self.scores**2, self.people)
        add("lost", by_game, self.lives == 0, self.people)
        for name, (could, did) in self.shares().items():
            add(name, by_choice * could, did, who)
        add("plays that succeed", by_choice * (self.kinds == PLAYS), self.good, who)
        count = len(self.choices.names)
        drawn = np.random.default_rng(SEED).integers(0, count, (RESAMPLES, count))

        def value(name: str, people: Any) -> Any:
            weights, of = sums[name]
            return of[people].sum(axis=-1) / weights[people].sum(axis=-1)

        found: dict[str, tuple[float, float, float]] = {}
        for name in sums:
            if name != "squares":
                found[name] = interval(partial(value, name), count, drawn)
        found["deviation"] = interval(
            lambda people: np.sqrt(value("squares", people) - value("mean", people) ** 2), count, drawn
        )
        return found


def interval(value: Callable[[Any], Any], count: int, drawn: Any) -> tuple[float, float, float]:
    low, high = np.quantile(value(drawn), [0.025, 0.975])
    return tuple(round(float(each), DIGITS) for each in (value(np.arange(count)), low, high))  # type: ignore[return-value]


def ended(game: games.PlayedGame) -> tuple[int, int, Any]:
    """The score and the lives left at the end of a game, and for each move of a person whether a play succeeded."""
    table, good = Table(HANABI, [], game.start), []
    for move in game.moves:
        seat, before = table.to_move, int(table.state["played"])
        table.make(Decision(move))
        if seat in game.people:
            good.append(int(table.state["played"]) != before)
    result = table.result()
    return result["score"], result["lives"], np.array(good)


def simulated(program: str, count: int) -> list[games.PlayedGame]:
    """Games of the model with a program, each with another person."""
    match = Match.of(HANABI, [program, "person"], count, SEED).prepared()
    played = play_compiled(match, 0, range(count), keeps=True)
    assert not played.failure, played.failure
    found = []
    for number, row in enumerate(played.results):
        moves = tuple(int(move_of(decided)) for decided in played.decisions[number, : row[2]])
        start = HANABI.deal(keys(SEED), number, 2, match.rules)
        found.append(games.PlayedGame(str(number), start, moves, {1: f"p{number}"}, UNKNOWN))
    return found


def agreement(played: list[games.PlayedGame], program: str) -> float:
    """The share of moves of a program in these games that the agent here would have made, too."""
    same = total = 0
    for game in played:
        player, table = registry.agent(HANABI, program).take_seat(HANABI), Table(HANABI, [], game.start)
        for move in game.moves:
            if table.to_move == 0:
                total += 1
                same += player.decide(table.view(0)).move == move
            table.make(Decision(move))
    return same / total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--games", type=Path, help="the real games, as hanab.live JSON with the program in the first seat"
    )
    parser.add_argument("--deals", type=int, default=2000, help="games of the model with each program")
    chosen = parser.parse_args()
    if chosen.games:
        text = games.text_in(chosen.games)
        theirs = [json.loads(line)["players"][0] for line in text.splitlines() if line.strip()]
        everything = games.read([chosen.games]).games
        assert len(everything) == len(theirs)
        by_program = {
            name: [game for game, who in zip(everything, theirs, strict=True) if who == name] for name in PROGRAMS
        }
        found = {name: Seen(each).figures() for name, each in by_program.items()}
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
        FILE.write_text(f"{{\n{lines}\n}}\n", "utf-8")
        for name in ("intentional", "full"):
            print(f"{name}: {agreement(by_program[name], PROGRAMS[name]):.1%} of its moves are made here, too")
    real = json.loads(FILE.read_text("utf-8"))
    for name, program in PROGRAMS.items():
        ours = Seen(simulated(program, chosen.deals)).figures()
        print(f"\n| with {name} | people | model |\n|---|---|---|")
        for figure, (mean, low, high) in real[name].items():
            form = ".2f" if figure in ("mean", "deviation") else ".1%"
            print(f"| {figure} | {mean:{form}} ({low:{form}}–{high:{form}}) | {ours[figure][0]:{form}} |")


if __name__ == "__main__":
    main()
