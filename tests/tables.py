"""Tables to test at: positions, moves in words, games that wander through the rules, and many games at once."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core import registry, seeds
from kibitz.core.agent import Agent, Decision, seats_of
from kibitz.core.loop import MEMORY, WORLD, play_games
from kibitz.core.table import Table
from kibitz.hanabi import Move, View, position
from kibitz.hanabi.cards import ALL, COLOURS, COPIES
from kibitz.hanabi.game import HANABI
from kibitz.hanabi.moves import ALL_KINDS, Kind, kind_named

PLAYERS = tuple(HANABI.players)
DEFAULTS = {rule.name: rule.default for rule in HANABI.rules}
EVERY_RULES = tuple(
    dict(zip(DEFAULTS, choices, strict=True)) for choices in itertools.product(*(rule.choices for rule in HANABI.rules))
)
AGENTS = tuple(registry.agents(HANABI))
HONEST = tuple(agent for agent in AGENTS if not agent.traits.cheats)


def named(value: Any) -> str:
    """How a parameter is called in a test's name."""
    if isinstance(value, Agent):
        return value.name
    return "-".join(value.values()) if isinstance(value, dict) else str(value)


def at(*hands: str, agents: Sequence[Agent] = (), **parts: Any) -> Table:
    """A table at a position, with nobody in its seats or with these agents."""
    return seated(agents, position(list(hands), **parts))


def seated(agents: Sequence[Agent], start: Any) -> Table:
    return Table(HANABI, [agent.take_seat(HANABI) for agent in agents], start)


def dealt(players: int, *, rules: dict[str, str] = DEFAULTS, seed: int = 1, number: int = 0) -> Any:
    """The start of an ordinary game."""
    return HANABI.deal(seeds.keys(seed), number, players, rules)


def make(table: Table, *moves: str) -> View:
    """Make moves written in words; the open table after them."""
    for move in moves:
        table.make(Decision(HANABI.move(move, table.state)))
    return HANABI.view(table.state)


def hand(view: View, seat: int) -> str:
    return " ".join(str(card) for card in view.hands[seat])


def copies_of(kind: Kind) -> int:
    return COPIES[kind.rank - 1]


def other_cards(*used: str, piles: dict[str, int] | None = None) -> str:
    """The cards of the deck that are neither among these nor on the piles."""
    left = Counter({kind: copies_of(kind) for kind in ALL_KINDS})
    left.subtract(kind_named(word) for text in used for word in text.split())
    left.subtract(Kind(colour, rank) for colour in COLOURS for rank in range(1, (piles or {}).get(colour, 0) + 1))
    return " ".join(kind.short for kind in left.elements())


def wander(table: Table, dice: random.Random) -> Iterator[Table]:
    """Make random legal moves to the end, and give the table before each move and at the end.

    Plays that would lose a life are mostly left alone: games then go through every part of the rules.
    """
    yield table
    while not table.over:
        view = HANABI.view(table.state)
        table.make(Decision(int(careless_move(view, dice))))
        yield table


def careless_move(view: View, dice: random.Random) -> Move:
    """A random move of an open table, seldom one that loses a life."""
    while True:
        move = dice.choice(view.legal)
        if not move.is_play or view.is_playable(view.hands[view.to_move][move.slot]) or dice.random() < 0.1:
            return move


def with_other_cards(table: Table, dice: random.Random) -> Table:
    """A game that went the same way, with the hidden cards of all hands and of the deck changed about."""
    state, start = table.state, table.start.copy()
    deck = start[0]["deck"]
    told = dict.fromkeys(range(int(state["drawn"]), 50), ALL)
    for seat in range(int(state["players"])):
        for slot in range(int(state["held"][seat])):
            told[int(state["hands"][seat][slot])] = int(state["told"][seat][slot])
    places = sorted(told)
    for _ in range(300):
        one, other = dice.choice(places), dice.choice(places)
        if told[one] >> int(deck[other]) & 1 and told[other] >> int(deck[one]) & 1:
            deck[one], deck[other] = int(deck[other]), int(deck[one])
    cards = HANABI.load_start(HANABI.dump_start(start[0]), int(state["players"]), HANABI.check_rules({}))
    cards[0]["dice"] = table.start[0]["dice"]
    return table.replayed([], cards)


class Games(NamedTuple):
    """What the loop played: how many games went to their end, their results, every decision, and the last state."""

    done: int
    results: Any
    logs: Any
    last: Any


def played(agents: Sequence[Agent], games: int, *, rules: dict[str, str] = DEFAULTS, seed: int = 1) -> Games:
    """Games 0 and on of a seed, at a table of these agents, in the loop of the house."""
    keys = seeds.keys(seed)
    deals, dice = (seeds.numbers(key, 0, games) for key in keys)
    results = np.zeros((games, len(HANABI.columns)), np.int64)
    logs = np.full((games, HANABI.longest), -1, np.int64)
    pair = np.zeros(2, HANABI.dtype)
    done = play_games(
        pair, seats_of(HANABI, agents), np.zeros(HANABI.most_seats, MEMORY),
        len(agents), HANABI.rule_bits(rules), deals, dice, results, logs,
    )  # fmt: skip
    return Games(int(done), results, logs, pair[WORLD])
