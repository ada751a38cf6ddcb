"""Every search returns every legal move with its value, standard error and visits."""

from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine.expectation import ESTIMATED, Bound, MoveEstimate
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.search.move_estimates import estimate_moves
from kibitz.search.move_values import value_moves
from tests.tables import at, other_cards

GAMES = ("connect4", "tictactoe", "coins", "three_sets", "loveletter", "draughts", "dicechess", "hanabi")
KEEPS_NONE = {"solver"}  # it knows the result of every move, and keeps them in its own memory


def seen_by(game: Game, seed: int, turns: int) -> list[Any]:
    """The views of the seat to move after some random turns, since the start."""
    players = game.players[0]
    seats = [registry.agent(game, "random" if game.name != "hanabi" else "random_legal").take_seat(game)] * players
    table = Table(game, seats, game.deal(keys(seed), 0, players, game.check_rules(dict(game.table_rules))))
    while len(table.turns) < turns and not table.over:
        table.step()
    seat = table.to_move
    return [each.view(seat) for each in table.from_the_start()]


def searchers(game: Game) -> list[CompiledAgent]:
    return [
        agent for agent in registry.agents(game)
        if isinstance(agent, CompiledAgent) and agent.traits.searches and agent.name not in KEEPS_NONE
    ]  # fmt: skip


def check(game: Game, view: Any, found: list[MoveEstimate]) -> None:
    assert sorted(each.move for each in found) == sorted(game.legal(view))
    order = [(each.bound == Bound.UNKNOWN, -each.value) for each in found]
    assert order == sorted(order)
    for each in found:
        assert (each.visits == 0) == (each.bound == Bound.UNKNOWN)
        assert each.error >= 0.0


@pytest.mark.parametrize("name", GAMES)
def test_every_searching_agent_estimates_every_legal_move(name: str) -> None:
    game = registry.game(name)
    seen = seen_by(game, 5, 3 if name != "three_sets" else 0)
    for agent in searchers(game):
        budget = Budget(depth=2) if agent.counts_plies else Budget(60)
        found = estimate_moves(agent, seen[-1], seen=seen, budget=budget)
        check(game, seen[-1], found)
        assert found[0].bound != Bound.UNKNOWN, agent.name


def test_a_search_by_plies_says_which_values_are_only_bounds() -> None:
    game = registry.game("connect4")
    view = seen_by(game, 5, 6)[-1]
    agent = registry.agent(game, "alphabeta4")
    assert isinstance(agent, CompiledAgent)
    exact = {each.move: each.estimate for each in value_moves(game, view, 4, agent.weights.values)}
    found = estimate_moves(agent, view)
    assert {each.bound for each in found} == {Bound.VALUE, Bound.AT_MOST}
    assert max(exact.values(), key=lambda each: each.value).value == found[0].value
    for each in found:
        assert each.error == 0.0
        if each.bound == Bound.VALUE:
            assert each.value == exact[each.move].value
        else:
            assert each.value >= exact[each.move].value


def test_all_worlds_of_the_last_cards_give_values_without_an_error() -> None:
    hands, piles = ["r5 y4", "y5 y3"], {"red": 4}
    discards = other_cards(*hands, piles=piles)
    table = at(*hands, deck="", discards=discards, piles=piles, hints=["5 to G1"])
    agent = registry.agent(table.game, "search@200")
    assert isinstance(agent, CompiledAgent)
    found = [each for each in estimate_moves(agent, table.view(0)) if each.bound != Bound.UNKNOWN]
    assert table.game.move_text(found[0].move) == "play 1"
    assert {each.error for each in found} == {0.0}


def test_more_simulations_make_the_error_smaller() -> None:
    game = registry.game("connect4")
    view, agent = seen_by(game, 5, 4)[-1], registry.agent(game, "mcts")
    assert isinstance(agent, CompiledAgent)
    few, many = (estimate_moves(agent, view, budget=Budget(size)) for size in (100, 6400))
    assert max(each.error for each in many) < min(each.error for each in few if each.visits > 1)
    assert sum(each.visits for each in many) == 6400


def test_what_does_not_search_is_refused_with_the_reason() -> None:
    game = registry.game("connect4")
    view = seen_by(game, 5, 4)[-1]
    for name, reason in (("random", "does not search"), ("solver", "does not keep its estimates")):
        agent = registry.agent(game, name)
        assert isinstance(agent, CompiledAgent)
        assert not {field[0] for field in ESTIMATED} <= set((agent.memory.names if agent.memory else None) or ())
        with pytest.raises(KibitzError, match=reason):
            estimate_moves(agent, view)
