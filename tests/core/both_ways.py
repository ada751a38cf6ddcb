"""What must come out the same from machine code and from plain Python, run under `NUMBA_DISABLE_JIT=1`."""

import itertools
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.core.agent import Agent, CompiledAgent, Decision
from kibitz.engine import bits, seeds
from kibitz.engine.compile import INTERPRETED
from kibitz.games.hanabi import knowledge, rules
from kibitz.games.hanabi.env import BatchedHanabi
from kibitz.games.loveletter.game import LOVE_LETTER
from tests.games.loveletter import tables as loveletter
from tests.tables import AGENTS, EVERY_RULES, PLAYERS, dealt, played, table_of, wander

STREAM = seeds.keys(8).dice


def tables() -> Iterator[tuple[list[Agent], dict[str, str]]]:
    """Every agent with its like, and with others, at two tables of every size; the rules differ from table to table."""
    every_rules = itertools.cycle(EVERY_RULES)
    for agent, players in zip(AGENTS, itertools.cycle(PLAYERS), strict=False):
        yield [agent] * players, next(every_rules)
    others = itertools.cycle(AGENTS)
    for players in (*PLAYERS, *PLAYERS):  # two rounds of 14 seats: enough for all of them
        yield list(itertools.islice(others, players)), next(every_rules)


def games() -> list[Any]:
    return [game(agents, chosen) for agents, chosen in tables()]


def game(agents: list[Agent], chosen: dict[str, str]) -> Any:
    done, results, logs, last = played(agents, 1, rules=chosen, seed=8)
    turns = int(last["turn"])
    return [
        [agent.name for agent in agents], done, results.tolist(), logs[0][:turns].tolist(),
        last["history"][:turns].tolist(), last["deck"].tolist(), int(last["played"]), last["discarded"].tolist(),
    ]  # fmt: skip


def masks() -> list[int]:
    return [seeds.number(STREAM, n) >> seeds.below(STREAM, n, 60) for n in range(60)]


def bit_helpers() -> list[Any]:
    return [
        [
            bits.nth_bit(mask, bits.count_bits(mask) - 1) if mask else -1,
            bits.nth_bit(mask, 0) if mask else -1,
            bits.chosen_bit(mask, STREAM, n),
        ]
        for n, mask in enumerate([0, 1, 2**62, *masks()])
    ]


def numbers() -> list[Any]:
    limits = (1, 2, 6, 25, 50, 10**6)
    return [
        [int(draw(STREAM, n)) for draw in (seeds.number, seeds.one_way)]
        + [int(seeds.below(STREAM, n, limit)) for limit in limits]
        for n in range(99)
    ]


def dice() -> list[Any]:
    """The streams of every seat, and what it rolls by in some turns."""
    samples: list[Any] = []
    for table in (
        table_of((), dealt(5, seed=8)),
        loveletter.table_of((), loveletter.dealt(4, rules=loveletter.GAME, seed=8)),
    ):
        samples.append(table.start[0]["streams"].tolist())
        for number in range(4):
            samples.append([int(table.view(seat)["dice"]) for seat in range(table.game.most_seats)])
            table.make(Decision(table.game.legal(table.view(table.to_move))[number % 2]))
    return samples


def sets_of_cards() -> list[Any]:
    """The legal moves and what is known, at every table of a wandering game."""
    return [
        [int(about(table.state)) for about in (rules.legal, knowledge.playable, knowledge.useless, knowledge.critical)]
        for players in PLAYERS
        for table in wander(table_of((), dealt(players, seed=8)), random.Random(8))
    ]


def sampled_worlds() -> list[Any]:
    """Sampled worlds of seats, and continuations of the game in them."""
    agents = [agent for agent in AGENTS if isinstance(agent, CompiledAgent)]
    samples: list[Any] = []
    for players in PLAYERS:
        table = table_of((), dealt(players, seed=8))
        for turn, _ in enumerate(wander(table, random.Random(8))):
            if turn % 20 == 5 and not table.over:
                seat = turn % players
                samples.append(table.sample_world(seat, [], turn).state["deck"].tolist())
                samples.append(table.continuations(seat, agents[:players], seeds.numbers(STREAM, turn, 2)).tolist())
    return samples


def love_letters() -> list[Any]:
    """Whole games of Love Letter by players that do not search, and the worlds its seats imagine on the way."""
    agents = [agent for agent in loveletter.AGENTS if not agent.traits.searches]
    samples: list[Any] = []
    for number, players in enumerate(loveletter.PLAYERS):
        seats = [agents[(number + seat) % len(agents)] for seat in range(players)]
        table = loveletter.table_of(seats, loveletter.dealt(players, rules=loveletter.GAME, seed=8))
        for turn in table.steps():
            samples.append([turn.decision.move, table.text(turn)])
            if turn.number % 5 == 0 and not table.over:
                samples.append(table.sample_world(turn.number % players, [], turn.number).state["deck"].tolist())
        samples.append(LOVE_LETTER.row(table.state).tolist())
    return samples


def environments() -> list[Any]:
    """Observations, actions, rewards and advice at tables of every size, with and without partners."""
    samples: list[Any] = []
    for players in PLAYERS:
        for partners in ({}, {1: "trustful"}):
            env = BatchedHanabi(2, players, seed=8, partners=partners)
            for _ in range(25):
                shown = env.step(env.sample())
                samples.append([np.packbits(shown.observations, axis=1), shown.legal, shown.rewards, shown.scores])
            samples += [env.advise("trustful"), env.observe(1), env.games]
    return [[part.tolist() for part in sample] for sample in samples]


def everything() -> dict[str, Any]:
    everywhere = (games, bit_helpers, numbers, dice, sets_of_cards, sampled_worlds, love_letters, environments)
    parts = {part.__name__: part() for part in everywhere}
    return json.loads(json.dumps({"interpreted": INTERPRETED, **parts}, default=int))


if __name__ == "__main__":
    json.dump(everything(), sys.stdout)
