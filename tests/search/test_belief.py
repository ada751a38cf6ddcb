"""Beliefs follow Bayes' rule: the likelier a world makes the moves that were made, the more it weighs."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import number
from kibitz.search.belief import add_up, log_likelihood, weighed_worlds
from kibitz.search.playout import buffers_for
from kibitz.search.worlds import Worlds, draw, drawn
from tests.search import highest, kuhn
from tests.search.test_trees import likelihood, posterior


@pytest.mark.parametrize("habit", [kuhn.EQUILIBRIUM, kuhn.RASH])
@pytest.mark.parametrize("line", [(), (kuhn.PASS,), (kuhn.BET,), (kuhn.PASS, kuhn.BET)])
@pytest.mark.parametrize("card", range(3))
def test_the_card_of_a_poker_player_is_as_likely_as_their_moves_say(
    card: int, line: tuple[int, ...], habit: int
) -> None:
    """Within the 0.03 that 4,000 samples of an even chance can be off."""
    seat = len(line) % 2
    cards = (card, (card + 1) % 3) if seat == 0 else ((card + 1) % 3, card)
    worlds = weighed_worlds(kuhn.dealt(cards, line, habit)[SEEN], 4000, 6)
    weights = weights_by(worlds, lambda world: int(world["cards"][1 - seat]))
    for other, exact in posterior(seat, card, line, habit).items():
        assert weights[other] == pytest.approx(exact, abs=0.03)


def weights_by(worlds: Worlds, what: Any) -> Counter[Any]:
    """The total weight of the worlds of each kind."""
    weights: Counter[Any] = Counter()
    for world, weight in zip(worlds.pool, np.diff(worlds.up_to, prepend=0.0), strict=True):
        weights[what(world)] += weight
    return weights


@pytest.mark.parametrize("moves", list(itertools.product(range(2), repeat=2)))
def test_every_single_world_weighs_what_bayes_rule_says(moves: tuple[int, ...]) -> None:
    view = highest.dealt((4, 0, 3, 6, 2, 1, 5), moves)[SEEN]
    worlds = weighed_worlds(view, 300, 6)
    decks = [tuple(world["deck"][:7].tolist()) for world in worlds.pool]
    likely = [likelihood(deck, moves) for deck in decks]
    assert set(decks) <= set(highest.every_world(view))
    assert np.diff(worlds.up_to, prepend=0.0) == pytest.approx(np.array(likely) / sum(likely))


def test_worlds_in_a_pool_stand_where_the_view_stands() -> None:
    pair = highest.dealt((4, 0, 3, 6, 2, 1, 5), (1, 0))
    for world in weighed_worlds(pair[SEEN], 50, 6).pool:
        assert world["turn"] == 2
        assert world["drawn"] == pair[WORLD]["drawn"]
        assert world["held"].tolist() == pair[WORLD]["held"].tolist()


def test_a_seats_own_moves_say_nothing_to_it() -> None:
    for move in (kuhn.PASS, kuhn.BET):
        pair = kuhn.dealt((kuhn.QUEEN, kuhn.KING), (move,))
        buffers = buffers_for(pair[WORLD])
        assert log_likelihood(pair.copy(), pair[WORLD : WORLD + 1].copy(), 0, buffers) == 0
        assert log_likelihood(pair.copy(), pair[WORLD : WORLD + 1].copy(), 1, buffers) < 0


def test_worlds_are_drawn_as_often_as_they_weigh() -> None:
    """Within five standard deviations, for each of the worlds in a pool of twenty."""
    draws = 20_000
    pair = highest.dealt((4, 0, 3, 6, 2, 1, 5), (0, 1))
    worlds = weighed_worlds(pair[SEEN], 20, 6)
    counted: Counter[bytes] = Counter()
    for n in range(draws):
        draw(worlds, pair, number(3, n))
        counted[pair[WORLD].tobytes()] += 1
    for world, share in weights_by(worlds, lambda world: world.tobytes()).items():
        assert abs(counted[world] - draws * share) <= 5 * (draws * share * (1 - share)) ** 0.5


def test_a_share_belongs_to_the_first_place_that_reaches_beyond_it() -> None:
    up_to = np.array([0.25, 0.25, 0.75, 1.0])
    assert [drawn(up_to, share) for share in (0.0, 0.24, 0.25, 0.5, 0.75, 0.99)] == [0, 0, 2, 2, 3, 3]


def test_weights_too_small_for_a_number_are_still_distinguished() -> None:
    logarithms = np.array([-5000.0, -5000.0 + np.log(3), -9000.0])
    add_up(logarithms)
    assert logarithms == pytest.approx([0.25, 1.0, 1.0])
