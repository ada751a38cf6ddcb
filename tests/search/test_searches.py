"""What every search promises: it keeps to its budget, sees nothing hidden, and can be repeated."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.engine import generic
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seat import Budget
from kibitz.search.choice import Estimates, most_valued, most_visited
from kibitz.search.clock import ENDLESS, LOOKS, Limit, goes_on, limit_of, milliseconds
from tests.plainly import interpreted
from tests.search import highest, kuhn, searches
from tests.search.searches import SEARCHES, Search, chance_of

ROOT = Path(__file__).parents[2]
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=list(SEARCHES))


def same(one: Estimates, other: Estimates) -> bool:
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


# Budgets


@every_search
@pytest.mark.parametrize("iterations", [1, 2, 7, 100])
def test_a_search_makes_as_many_iterations_as_it_is_given(search: Search, iterations: int) -> None:
    for pair in searches.positions():
        assert search(pair[SEEN], Budget(iterations), 1).visits.sum() == iterations


@every_search
def test_a_search_without_a_budget_still_chooses(search: Search) -> None:
    found = search(kuhn.dealt((kuhn.KING, kuhn.JACK))[SEEN], Budget(), 1)
    assert found.visits.sum() == 1
    assert most_visited(found).move == most_valued(found).move == found.visits.argmax()


@every_search
def test_with_milliseconds_a_search_stops_by_itself(search: Search) -> None:
    assert search(kuhn.dealt((kuhn.KING, kuhn.JACK))[SEEN], Budget(milliseconds=1), 1).visits.sum() >= 1


def test_the_first_limit_that_is_reached_ends_a_search() -> None:
    assert search_length(Limit(10, np.inf)) == 10
    assert search_length(Limit(ENDLESS, milliseconds() - 1)) == LOOKS
    assert search_length(Limit(5, milliseconds() - 1)) == 5
    assert limit_of(Budget(iterations=7)) == Limit(7, np.inf)
    assert limit_of(Budget(milliseconds=10**9)).iterations == ENDLESS


def search_length(limit: Limit) -> int:
    done = 0
    while goes_on(limit, done):
        done += 1
    return done


def test_machine_code_and_python_read_a_clock_that_is_never_set_back() -> None:
    begun = limit_of(Budget(milliseconds=1)).deadline
    assert limit_of(Budget(milliseconds=1)).deadline >= begun
    before = milliseconds()
    assert milliseconds() >= before


# The wall


@every_search
def test_what_a_seat_cannot_see_changes_nothing_it_finds_out(search: Search) -> None:
    for card, line in itertools.product(range(3), [(), (kuhn.PASS,), (kuhn.BET,), (kuhn.PASS, kuhn.BET)]):
        mine = 1 if len(line) == 1 else 0
        hidden = [other for other in range(3) if other != card]
        decks = [(card, other) if mine == 0 else (other, card) for other in hidden]
        one, other = (search(kuhn.dealt(deck, line)[SEEN], Budget(50), 3) for deck in decks)
        assert same(one, other)


@every_search
def test_nor_does_the_order_of_the_deck(search: Search) -> None:
    one = highest.dealt((4, 0, 3, 6, 2, 1, 5), (highest.KEEP, highest.DRAW))
    other = highest.dealt((6, 5, 3, 0, 1, 4, 2), (highest.KEEP, highest.DRAW))
    assert same(search(one[SEEN], Budget(200), 3), search(other[SEEN], Budget(200), 3))


@every_search
def test_a_search_leaves_the_view_it_is_handed_alone(search: Search) -> None:
    for pair in searches.positions():
        before = pair.tobytes()
        search(pair[SEEN], Budget(60), 2)
        assert pair.tobytes() == before


# Chance


@every_search
def test_the_same_stream_gives_the_same_search_on_any_thread(search: Search) -> None:
    views = [pair[SEEN] for pair in searches.positions()]
    alone = [search(view, Budget(300), 8) for view in views]
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(lambda view: search(view, Budget(300), 8), views))
    assert all(same(one, other) for one, other in zip(alone, together, strict=True))


@every_search
def test_another_stream_gives_another_search(search: Search) -> None:
    view = highest.dealt((4, 0, 3, 6, 2, 1, 5), ())[SEEN]
    assert len({search(view, Budget(99), stream).values.tobytes() for stream in range(20)}) > 1


@pytest.mark.machine_code
def test_plain_python_searches_as_machine_code_does() -> None:
    plain, machine_code = interpreted(searches.__name__), searches.everything()
    assert plain["interpreted"] is True
    assert machine_code["interpreted"] is False
    assert plain["found"] == machine_code["found"]


# The games of these tests


@pytest.mark.parametrize("pair", list(searches.positions()))
def test_the_models_of_the_games_are_probabilities(pair: Any) -> None:
    chances = [chance_of(pair[SEEN], move) for move in range(2)]
    assert all(0 < chance <= 1 for chance in chances)
    assert sum(chances) == pytest.approx(1)


def test_sampled_worlds_of_the_games_agree_with_the_view() -> None:
    for pair in searches.positions():
        view, seat = pair[SEEN].tobytes(), int(pair[SEEN]["seat"])
        dice = int(pair[SEEN]["dice"])
        for stream in range(20):
            generic.sample_world(pair, stream)
            generic.observe(pair, seat, False)
            pair[SEEN]["dice"] = dice
            assert pair[SEEN].tobytes() == view
            assert pair[WORLD]["seat"] == -1
