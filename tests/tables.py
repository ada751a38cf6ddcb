"""Tables to test at: positions, moves in words, games that wander through the rules, and many games at once."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, Decision
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.games.hanabi import Move, View, position
from kibitz.games.hanabi.cards import ALL, COLOURS, COPIES
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_KINDS, Kind, kind_named
from tests import any_game
from tests.any_game import Games, every_rules
from tests.any_game import named as named

PLAYERS = tuple(HANABI.players)
EVERY_RULES = every_rules(HANABI)
DEFAULTS = EVERY_RULES[0]
EVERY_AGENT = tuple(registry.agents(HANABI))
QUICK_AGENTS = tuple(agent for agent in EVERY_AGENT if not agent.traits.searches)


def one_of_each_code(agents: Sequence[Agent]) -> tuple[Agent, ...]:
    """Of agents that differ in their weights alone, the one with the shortest name: they run the same code."""
    found: dict[Any, Agent] = {}
    for agent in sorted(agents, key=lambda agent: len(agent.name)):
        code = (agent.decide, agent.reasons) if isinstance(agent, CompiledAgent) else agent.name
        found.setdefault(code, agent)
    return tuple(agent for agent in agents if agent in found.values())


AGENTS = one_of_each_code(QUICK_AGENTS)
HONEST = tuple(agent for agent in AGENTS if not agent.traits.cheats)


def at(*hands: str, agents: Sequence[Agent] = (), **parts: Any) -> Table:
    """A table at a position, with nobody in its seats or with these agents."""
    return table_of(agents, position(list(hands), **parts))


def table_of(agents: Sequence[Agent], start: Any) -> Table:
    return any_game.table_of(HANABI, agents, start)


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


EVIDENCE = re.compile(
    r"(: (it must be|whatever it is|it is next on|it can be played now)|, (because|whatever it is|at \d|for certain)"
    r"|; (it (is|must|cannot)|by my count|the chance)).*"
)


def without_evidence(reason: str) -> str:
    """A reason without its evidence, which differs between tables."""
    return EVIDENCE.sub("", reason)


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


def with_other_cards(table: Table, dice: random.Random, known: int = 0) -> Table:
    """A game that went the same way, with the hidden cards of all hands and of the deck changed about.

    The first cards of the deck may be `known`, and stay.
    """
    state, start = table.state, table.start.copy()
    deck = start[0]["deck"]
    hinted = dict.fromkeys(range(int(state["drawn"]), 50), ALL)
    for seat in range(int(state["players"])):
        for slot in range(int(state["held"][seat])):
            hinted[int(state["hands"][seat][slot])] = int(state["hinted_kinds"][seat][slot])
    places = [place for place in sorted(hinted) if place >= known]
    for _ in range(300):
        one, other = dice.choice(places), dice.choice(places)
        if hinted[one] >> int(deck[other]) & 1 and hinted[other] >> int(deck[one]) & 1:
            deck[one], deck[other] = int(deck[other]), int(deck[one])
    cards = HANABI.load_start(HANABI.dump_start(start[0]), int(state["players"]), HANABI.check_rules({}))
    cards[0]["streams"] = table.start[0]["streams"]
    return table.replayed([], cards)


def played(agents: Sequence[Agent], games: int, *, rules: dict[str, str] = DEFAULTS, seed: int = 1) -> Games:
    """Games 0 and on of a seed, at a table of these agents, in the compiled loop."""
    return any_game.played(HANABI, agents, games, rules, seed)


def all_know_the_truth(
    agent: Agent, players: int, known: Callable[[Table, int], Any], field: str, **dealt_by: Any
) -> None:
    """After every move of three games all seats know the same about each card, by a field of masks, and it is true."""
    for number in range(3):
        table = table_of([agent] * players, dealt(players, number=number, **dealt_by))
        while not table.over:
            table.step()
            first, *others = (known(table, seat) for seat in range(players))
            assert first["contradictions"] == 0
            assert all(other[field].tolist() == first[field].tolist() for other in others)
            for seat in range(players):
                for slot in range(int(table.state["held"][seat])):
                    place = int(table.state["hands"][seat][slot])
                    assert int(first[field][place]) >> int(table.state["deck"][place]) & 1
