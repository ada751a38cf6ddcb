"""Players that search: what they ask of the rules, and what they make of a table."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.table import Table
from kibitz.engine import generic, seeds
from kibitz.engine.loop import WORLD
from kibitz.engine.seat import Budget
from kibitz.games.loveletter.agents.counting import counting
from kibitz.games.loveletter.agents.greedy import greedy
from kibitz.games.loveletter.agents.minimax import minimax
from kibitz.games.loveletter.agents.searchers import flat_mc, ismcts_mo, ismcts_so, mcts_plain, reader
from kibitz.games.loveletter.cards import KING, NAMES, PRINCE
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.search.belief import weighed_worlds
from kibitz.search.worlds import fresh_worlds, sample_world
from tests.fuzzing import at_length
from tests.games.loveletter.tables import PLAYERS, at, dealt, make, table_of, wander

SEARCHERS = (mcts_plain, flat_mc, ismcts_so, ismcts_mo, reader)
every_searcher = pytest.mark.parametrize("agent", SEARCHERS, ids=lambda agent: agent.name)


def thinking(agent: CompiledAgent, iterations: int) -> CompiledAgent:
    return agent.with_budget(Budget(iterations=iterations))


def decided(agent: Agent, table: Table, dice: int | None = None) -> tuple[str, str]:
    """The move of the seat to move, and why, with these dice."""
    view = table.view(table.to_move)
    if dice is not None:
        view["dice"] = seeds.number(1, dice)
    decision = agent.take_seat(LOVE_LETTER).decide(view)
    return LOVE_LETTER.move_text(decision.move).lower(), decision.reason


def tables(players: int) -> Iterator[Table]:
    for number in range(4):
        for table in wander(table_of((), dealt(players, number=number)), random.Random(number)):
            if not table.over:
                yield table


# What search asks of the rules


@pytest.mark.parametrize("players", PLAYERS)
def test_a_sensible_player_may_do_anything_and_mostly_does_what_one_of_three_would(players: int) -> None:
    for table in tables(players):
        view = table.view(table.to_move)
        chances = np.full(64, np.nan)
        generic.move_probabilities(view, chances)
        legal = [move for move in range(64) if generic.legal(view) >> move & 1]
        assert chances[legal].min() > 0
        assert chances[legal].sum() == pytest.approx(1)
        for agent in (greedy, minimax, counting):
            assert chances[agent.take_seat(LOVE_LETTER).decide(view).move] > 0.3


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_that_look_the_same_to_a_seat_give_it_the_same_insight(players: int) -> None:
    for turn, table in enumerate(tables(players)):
        for seat in range(players):
            if not table.state["out"] >> seat & 1:
                generic.observe(table.pair, seat, False)
                pair = table.pair.copy()
                generic.sample_world(pair, turn)
                assert generic.information_key(pair[WORLD], seat) == generic.information_key(table.state, seat)


def test_what_a_move_led_to_is_part_of_everybodys_insight() -> None:
    """A Guard that hits and one that misses, and what a Prince laid open, in worlds that were the same to the third."""
    for move, hands in (
        ("guard G2 baron", ("guard", "baron", "king")),
        ("prince G2", ("prince", "baron", "king")),
    ):
        insights = set()
        for other in (hands[1], "handmaid", "priest"):
            table = at(hands[0], other, hands[2], draws="handmaid guard guard")
            make(table, move)
            insights.add(
                int(generic.information_key(table.state, 2)) >> 8
            )  # its own cards differ after a hit, as it draws
        assert len(insights) == (2 if move.startswith("guard") else 3)


# What the players make of it


@every_searcher
@pytest.mark.parametrize("players", PLAYERS)
def test_a_searcher_makes_legal_moves_and_says_what_it_expects(agent: CompiledAgent, players: int) -> None:
    for number in range(2):
        table = table_of([thinking(agent, 40)] * players, dealt(players, number=number))
        for turn in table.steps():
            reason = turn.decision.reason
            assert " % of the rounds I simulated" in reason or reason == "It is my only legal move"


@every_searcher
def test_a_searcher_does_not_search_when_it_has_no_choice(agent: CompiledAgent) -> None:
    table = at("countess", "guard", draws="king")
    assert decided(thinking(agent, 10**9), table) == ("countess", "It is my only legal move")


@every_searcher
def test_a_searcher_names_the_card_it_was_shown(agent: CompiledAgent) -> None:
    """With a Guard in hand, against a Princess who was looked at."""
    table = at("priest", "princess", draws="guard guard guard")
    make(table, "priest G2", "guard G1 king")
    move, reason = decided(thinking(agent, 500), table)
    assert move == "guard g2 princess"
    assert reason.startswith("I won 100 %")


@every_searcher
def test_a_searcher_keeps_the_princess(agent: CompiledAgent) -> None:
    for number in range(3):
        assert decided(thinking(agent, 500), at("princess", "guard", draws="handmaid"), number)[0] == "handmaid"


def test_plain_tree_search_believes_in_the_one_world_it_looks_into() -> None:
    """It names whatever the other holds there, and is sure to win; who looks into many worlds is not."""
    table = at("guard", "baron", draws="countess")
    answers = [decided(thinking(mcts_plain, 1000), table, dice) for dice in range(12)]
    assert len({move for move, _ in answers if move.startswith("guard")}) > 2
    assert sum(percent(reason) > 90 for _, reason in answers) > 8
    assert max(percent(decided(thinking(ismcts_so, 1000), table, dice)[1]) for dice in range(12)) < 90


def percent(reason: str) -> int:
    return int(reason.split()[2])


def cards_of(worlds: Any, seat: int) -> Counter[str]:
    """How likely a seat holds each card, in a pool of worlds."""
    weights: Counter[str] = Counter()
    for world, weight in zip(worlds.pool, np.diff(worlds.up_to, prepend=0.0), strict=True):
        weights[NAMES[int(world["hands"][seat][0])]] += weight
    return weights


@at_length
def test_a_reader_takes_a_countess_for_a_king_or_a_prince() -> None:
    """Few others lay her down so early: a quarter of the cards it cannot see becomes two thirds."""
    table = at("countess", "guard", draws="prince handmaid")
    make(table, "countess")
    view = table.view(1)
    worlds = weighed_worlds(view, 500, 1)
    pair = np.zeros(2, LOVE_LETTER.dtype)
    before: Counter[int] = Counter()
    for n in range(500):
        sample_world(fresh_worlds(view), pair, n)
        before[int(pair[WORLD]["hands"][0][0])] += 1
    after = cards_of(worlds, 0)
    assert (before[PRINCE] + before[KING]) / 500 < 0.35
    assert after[NAMES[PRINCE]] + after[NAMES[KING]] > 0.65


def test_a_reader_names_what_the_countess_gave_away() -> None:
    table = at("countess", "guard", draws="prince handmaid")
    make(table, "countess")
    named = Counter(decided(thinking(reader, 1000), table, dice)[0] for dice in range(5))
    assert set(named) <= {"guard g1 prince", "guard g1 king"}


def test_a_reader_knows_nothing_of_the_card_set_aside() -> None:
    """It plays the same whether the Princess is set aside or the last card of the deck."""
    aside = at("baron", "guard", draws="priest", aside="princess")
    last = at("baron", "guard", draws="priest", aside="guard")
    assert decided(thinking(reader, 300), aside, 1) == decided(thinking(reader, 300), last, 1)


def test_a_searcher_says_what_it_expects_of_its_move() -> None:
    player = thinking(ismcts_so, 200).take_seat(LOVE_LETTER)
    assert player.expects is None
    decision = player.decide(at("guard", "priest", draws="baron").view(0))
    assert player.expects is not None
    value, visits, simulations = player.expects
    assert 0 < visits <= simulations == 200
    assert decision.reason.startswith(f"I won {int(100 * value + 0.5)} %")
    player.decide(at("countess", "priest", draws="king").view(0))
    assert player.expects is None  # there was nothing to search for
    assert greedy.take_seat(LOVE_LETTER).expects is None
