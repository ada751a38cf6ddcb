"""Agents for coins in a row: the two ways to search with many players, and two simple ones."""

from typing import Any

from kibitz.core.agent_decorator import agent_of_function
from kibitz.engine.loop import decision
from kibitz.games.toys.coins.rules import COINS, LEFT, RIGHT, end_coin, legal, move_text
from kibitz.search import maxn
from kibitz.search import players as searchers
from kibitz.search.players import each_for_himself, random_player, searcher

random = random_player("coins", "Clumsy Cleo")
paranoid = searchers.paranoid("coins", move_text, "paranoid", depth=COINS, title="Paranoid Paul")
selfish = searcher(
    "coins", move_text, "selfish", each_for_himself, needs=maxn.NEEDS, depth=COINS, title="Selfish Sally"
)


@agent_of_function("coins", reasons=("I take the higher coin",), origin="kibitz", title="Greedy Gus")
def greedy(view: Any) -> int:
    """Takes the higher coin, or the left one if they are equal."""
    right = legal(view) >> RIGHT & 1 and end_coin(view, RIGHT) > end_coin(view, LEFT)
    return decision(RIGHT if right else LEFT, 0)
