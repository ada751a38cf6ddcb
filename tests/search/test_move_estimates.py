"""Every search returns every legal move with its value, standard error and visits."""

from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, Traits, agent_of
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine.expectation import Bound, MoveEstimate
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.games.bridge import double_dummy
from kibitz.search.move_estimates import estimate_moves
from kibitz.search.move_values import value_moves
from kibitz.search.players import any_legal
from tests.tables import at, other_cards

TURNS = {"three_sets": 0, "bridge": 0}  # before the position, so that it has more than one move


def seen_by(game: Game, seed: int, turns: int, **rules: str) -> list[Any]:
    """The views of the seat to move after some random turns, since the start."""
    players = game.players[0]
    seats = [registry.agent(game, "random" if game.name != "hanabi" else "random_legal").take_seat(game)] * players
    table = Table(game, seats, game.deal(keys(seed), 0, players, game.check_rules({**game.table_rules, **rules})))
    while len(table.turns) < turns and not table.over:
        table.step()
    seat = table.to_move
    return [each.view(seat) for each in table.from_the_start()]


def searchers(game: Game) -> list[Agent]:
    """The agents that search, with small budgets."""
    found: list[Agent] = []
    for agent in registry.agents(game):
        if isinstance(agent, CompiledAgent) and agent.traits.searches:
            found.append(agent.with_budget(Budget(depth=2) if agent.counts_plies else Budget(60)))
        elif agent.name == "sampler" and double_dummy.installed():
            found.append(registry.agent(game, "sampler@deals=3"))
    return found


def check(game: Game, view: Any, found: list[MoveEstimate]) -> None:
    assert sorted(each.move for each in found) == sorted(game.legal(view))
    order = [(each.bound == Bound.UNKNOWN, -each.value) for each in found]
    assert order == sorted(order)
    for each in found:
        assert (each.visits == 0) == (each.bound == Bound.UNKNOWN)
        assert each.error >= 0.0


@pytest.mark.parametrize("name", [game.name for game in registry.games()])
def test_every_searching_agent_estimates_every_legal_move(name: str) -> None:
    game = registry.game(name)
    budgeted = {agent.name for agent in registry.agents(game) if isinstance(agent, CompiledAgent) and agent.budget}
    assert budgeted == {agent.name for agent in registry.agents(game) if agent.traits.searches}
    seen = seen_by(game, 5, TURNS.get(name, 3))
    for agent in searchers(game):
        found = estimate_moves(agent, seen[-1], seen=seen)
        check(game, seen[-1], found)
        assert found[0].bound != Bound.UNKNOWN, agent.name


@pytest.mark.parametrize("start", ["rook_ending", "queen_ending"])
def test_the_believer_makes_the_attempt_it_values_most_in_an_ending(start: str) -> None:
    game = registry.game("kriegspiel")
    believer = registry.agent(game, "believer")
    for turns in (0, 2):
        seen = seen_by(game, 3, turns, start=start)
        best, *others = estimate_moves(believer, seen[-1], seen=seen)
        assert best.error == 0.0
        assert best.visits >= 3 - turns  # squares of the lone king
        assert best.move == believer.take_seat(game).decide(seen[-1]).move
        check(game, seen[-1], [best, *others])


def test_the_solver_has_the_score_of_every_column_that_it_solves() -> None:
    game = registry.game("connect4")
    [view] = game.load_start({}, 2, game.check_rules({}))
    found = estimate_moves(registry.agent(game, "solver"), view)
    assert [(each.move, each.value) for each in found] == [
        (3, 1.0), (2, 0.0), (4, 0.0), (1, -1.0), (5, -1.0), (0, -2.0), (6, -2.0),
    ]  # fmt: skip
    assert {(each.error, each.bound) for each in found} == {(0.0, Bound.VALUE)}


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
    forgetful = agent_of("connect4", any_legal, (), "", Traits(searches=True))
    for agent, reason in ((registry.agent(game, "random"), "does not search"), (forgetful, "does not keep its estim")):
        with pytest.raises(KibitzError, match=reason):
            estimate_moves(agent, view)
