"""The source's Monte Carlo search by its listing: what follows from its lines, and why it loses."""

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.table import Table
from kibitz.games.loveletter.agents.listing import listed, mcts_listing
from kibitz.games.loveletter.game import LOVE_LETTER
from tests.games.loveletter.tables import at
from tests.games.loveletter.test_searchers import decided, thinking


def order(table: Table) -> list[str]:
    view = table.view(table.to_move)
    moves = np.zeros(64, np.int64)
    return [LOVE_LETTER.move_text(int(move)) for move in moves[: listed(view, moves)]]


def visits(agent: CompiledAgent, table: Table) -> list[int]:
    player = agent.take_seat(LOVE_LETTER)
    player.decide(table.view(table.to_move))
    return [each.visits for each in player.estimates]


def test_the_list_has_the_card_held_before_the_card_drawn_and_the_priest_first() -> None:
    table = at("guard", "king", draws="prince")
    named = ["Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess"]
    assert order(table) == [*(f"Guard G2 {name}" for name in named), "Prince G1", "Prince G2"]
    assert order(at("prince", "king", draws="guard")) == ["Prince G1", "Prince G2", *order(table)[:7]]
    assert order(at("countess", "guard", draws="king")) == ["Countess"]
    assert len(order(at("guard", "king", draws="guard"))) == 7


def test_all_moves_are_tried_alike_however_bad_they_are() -> None:
    tried = visits(thinking(mcts_listing, 2000), at("princess", "guard", draws="handmaid"))
    assert len(tried) == 2
    assert min(tried) > 0.45 * sum(tried)


def test_so_it_throws_the_princess_away_and_names_the_priest() -> None:
    princess = at("princess", "guard", draws="handmaid")
    thrown = [decided(thinking(mcts_listing, 301), princess, dice)[0] for dice in range(10)]
    assert "princess" in thrown
    guard = at("guard", "king", draws="countess")
    named = [decided(thinking(mcts_listing, 300), guard, dice)[0] for dice in range(20)]
    assert named.count("guard g2 priest") > 10
