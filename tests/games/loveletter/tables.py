"""Love Letter tables to test at: decks and moves in words, and games that wander through the rules."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, Decision
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.engine.seat import Budget
from kibitz.games.loveletter.cards import NAMES, PRINCESS, SORTED
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.view import View
from tests import any_game
from tests.any_game import Games, every_rules

PLAYERS = tuple(LOVE_LETTER.players)
EVERY_RULES = every_rules(LOVE_LETTER)
ROUND = EVERY_RULES[0]
GAME = {**ROUND, "unit": "game"}
ITERATIONS = 60  # what a searching agent is given in tests, which look at what it does and not at how well


def on_a_budget(agent: Agent) -> Agent:
    return agent.with_budget(Budget(iterations=ITERATIONS)) if isinstance(agent, CompiledAgent) else agent


AGENTS = tuple(on_a_budget(agent) for agent in registry.agents(LOVE_LETTER))
HONEST = tuple(agent for agent in AGENTS if not agent.traits.cheats)


def deck(hands: Sequence[str], draws: str = "", aside: str = "", face_up: str = "") -> list[str]:
    """A deck in which every seat is dealt its card and the draws follow; what is not named is filled up, low to high.

    The open cards of two players and the card set aside are filled first.
    """
    others = Counter(NAMES[kind] for kind in SORTED)
    named = [[word.capitalize() for word in part.split()] for part in (" ".join(hands), draws, aside, face_up)]
    others.subtract(word for part in named for word in part)
    assert min(others.values()) >= 0, f"There are not that many cards: {-others}"
    left = iter(others.elements())
    dealt, drawn, set_aside, opened = named
    set_aside = set_aside or [next(left)]
    opened = opened or [next(left) for _ in range(3 if len(hands) == 2 else 0)]
    return [*set_aside, *opened, *dealt, *drawn, *left]


def at(
    *hands: str, draws: str = "", aside: str = "", face_up: str = "", agents: Sequence[Agent] = (),
    rules: dict[str, str] = ROUND, later: int = 1,
) -> Table:  # fmt: skip
    """A table whose first round is dealt from this deck, with empty seats or with these agents."""
    start = {"deck": deck(hands, draws, aside, face_up), "later": later}
    return table_of(agents, LOVE_LETTER.load_start(start, len(hands), rules))


def table_of(agents: Sequence[Agent], start: Any) -> Table:
    return any_game.table_of(LOVE_LETTER, agents, start)


def dealt(players: int, *, rules: dict[str, str] = ROUND, seed: int = 1, number: int = 0) -> Any:
    """The start of an ordinary game."""
    return LOVE_LETTER.deal(seeds.keys(seed), number, players, rules)


def make(table: Table, *moves: str) -> View:
    """Make moves written in words; the open table after them."""
    for move in moves:
        table.make(Decision(LOVE_LETTER.move(move, table.state)))
    return LOVE_LETTER.view(table.state)


def hand(view: View, seat: int) -> str:
    return " ".join(str(card) for card in view.cards(seat)).lower()


def laid(view: View, seat: int) -> str:
    return " ".join(str(card) for card in view.discards(seat)).lower()


def legal(table: Table) -> set[str]:
    return {str(move) for move in LOVE_LETTER.view(table.state).legal}


# Nine turns of two players in which nothing happens, if nobody is dealt the Countess: both keep their first card,
# and nobody is protected at the end.
QUIET_DRAWS = "handmaid handmaid guard guard guard guard guard priest priest"
QUIET_MOVES = (
    "handmaid", "handmaid", "guard", "guard g1 countess", "guard g2 countess", "guard g1 countess",
    "guard g2 countess", "priest g1", "priest g2",
)  # fmt: skip


def nearly_done(*hands: str, last: str, aside: str = "", rules: dict[str, str] = ROUND) -> Table:
    """Two players before the last turn of a round, that of G2, who has just drawn the last card."""
    table = at(*hands, draws=f"{QUIET_DRAWS} {last}", aside=aside, rules=rules)
    make(table, *QUIET_MOVES)
    return table


def wander(table: Table, dice: random.Random) -> Iterator[Table]:
    """Make random legal moves to the end, and give the table before each move and at the end."""
    yield table
    while not table.over:
        table.make(Decision(int(careless_move(LOVE_LETTER.view(table.state), dice))))
        yield table


def careless_move(view: View, dice: random.Random) -> int:
    """A random move of an open table, seldom the Princess. First the card is chosen: a Guard has many moves."""
    card = dice.choice(sorted({move.card for move in view.legal}))
    if card == PRINCESS and dice.random() < 0.9:
        card = min(view.cards(view.to_move))
    return dice.choice([move for move in view.legal if move.card == card])


def played(agents: Sequence[Agent], games: int, *, rules: dict[str, str] = ROUND, seed: int = 1) -> Games:
    """Games 0 and on of a seed, at a table of these agents, in the compiled loop."""
    return any_game.played(LOVE_LETTER, agents, games, rules, seed)
