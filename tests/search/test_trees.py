"""What the searches find: on games whose answers are known."""

import itertools
from typing import Any

import numpy as np
import pytest

from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seat import Budget
from kibitz.search.belief import weighed_worlds
from kibitz.search.choice import Estimates, most_valued, most_visited
from kibitz.search.clock import limit_of
from kibitz.search.flat import flat
from kibitz.search.ismcts import MANY, MODELLED, SINGLE, Options, add_edge, edge_of, ismcts, outcome, planted, with_room
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.uct import uct
from kibitz.search.worlds import Worlds, fresh_worlds
from tests.fuzzing import at_length
from tests.search import highest, kuhn
from tests.search.kuhn import BET, EQUILIBRIUM, JACK, KING, PASS, QUEEN, RASH
from tests.search.searches import USUAL, chance_of

MANY_ITERATIONS = limit_of(Budget(iterations=40_000))
LINES = [(), (PASS,), (BET,), (PASS, BET)]


def kuhn_view(card: int, line: tuple[int, ...] = (), habit: int = EQUILIBRIUM) -> Any:
    """What a player with this card sees; the other's is hidden, so any will do."""
    other = (card + 1) % 3
    cards = (other, card) if len(line) == 1 else (card, other)
    return kuhn.dealt(cards, line, habit)[SEEN]


def searched(view: Any, observers: int, playout: int = RANDOM) -> Estimates:
    return ismcts(fresh_worlds(view), MANY_ITERATIONS, 1, Options(observers, playout, 0.7))


def chips(value: float) -> float:
    """A payoff as what is won."""
    return 4 * value - 2


# Flat Monte Carlo


@pytest.mark.parametrize("playout", [RANDOM, MODEL])
@pytest.mark.parametrize(("card", "line", "best"), [
    (KING, (BET,), BET), (KING, (PASS, BET), BET), (JACK, (BET,), PASS), (JACK, (PASS, BET), PASS),
])  # fmt: skip
def test_flat_search_finds_out_dominated_moves(card: int, line: tuple[int, ...], best: int, playout: int) -> None:
    found = flat(fresh_worlds(kuhn_view(card, line)), limit_of(Budget(200)), 1, playout)
    assert most_valued(found).move == best


def test_flat_search_tries_all_moves_equally_often_in_the_same_worlds() -> None:
    """A queen that calls wins two chips in just those worlds where one that folds would have been sorry."""
    found = flat(fresh_worlds(kuhn_view(QUEEN, (BET,))), limit_of(Budget(1000)), 1, RANDOM)
    again = flat(fresh_worlds(kuhn_view(QUEEN, (PASS,))), limit_of(Budget(1000)), 1, RANDOM)
    assert found.visits[PASS] == found.visits[BET] == 500
    won = (chips(found.values[BET]) + 2) / 4  # the share of worlds in which the other holds the jack
    assert (chips(again.values[PASS]) + 1) / 2 == pytest.approx(won)


def test_flat_search_values_a_move_by_how_the_playouts_go_on() -> None:
    """A queen bets first: a random player then calls half the time, one who plays an equilibrium with a king."""
    view = kuhn_view(QUEEN)
    at_random, by_model = (
        chips(flat(fresh_worlds(view), MANY_ITERATIONS, 1, playout).values[BET]) for playout in (RANDOM, MODEL)
    )
    assert at_random == pytest.approx(0.5, abs=0.05)
    assert by_model == pytest.approx(-0.5, abs=0.05)


# One world


def one_world(pair: Any) -> Worlds:
    """The world of the pair, and no other."""
    return Worlds(pair[SEEN : SEEN + 1].copy(), pair[WORLD : WORLD + 1].copy(), np.ones(1))


def openly(state: Any, seat: int) -> float:
    """What a seat gets if everybody sees all cards and does the best for themselves."""
    mover = int(highest.to_move(state))
    if mover < 0:
        return float(highest.payoff(state, seat))
    after = []
    for move in (highest.KEEP, highest.DRAW):
        other = state.copy()
        highest.apply(other, move)
        after.append((openly(other, mover), openly(other, seat)))
    return max(after)[1]


DECKS = [(4, 0, 3, 6, 2, 1, 5), (1, 2, 6, 5, 0, 3, 4), (0, 5, 3, 6, 4, 2, 1), (2, 4, 1, 6, 5, 0, 3)]


@pytest.mark.parametrize("moves", [(), (highest.KEEP,), (highest.DRAW, highest.KEEP)])
@pytest.mark.parametrize("deck", DECKS)
def test_plain_tree_search_plays_its_one_world_as_if_all_cards_were_open(
    deck: tuple[int, ...], moves: tuple[int, ...]
) -> None:
    pair = highest.dealt(deck, moves)
    seat = len(moves)
    after = [openly(highest.dealt(deck, (*moves, move))[WORLD], seat) for move in (highest.KEEP, highest.DRAW)]
    choice = most_visited(uct(one_world(pair), limit_of(Budget(3000)), 5, USUAL))
    assert after[choice.move] == max(after)
    assert choice.value == pytest.approx(max(after), abs=0.1)


def test_plain_tree_search_does_something_else_in_another_world_that_looks_the_same() -> None:
    pairs = [kuhn.dealt((QUEEN, other), (PASS, BET)) for other in (JACK, KING)]
    assert [most_visited(uct(one_world(pair), limit_of(Budget(500)), 5, USUAL)).move for pair in pairs] == [BET, PASS]


# Information sets


def test_a_tree_of_one_observer_lets_others_choose_only_by_what_that_observer_sees() -> None:
    """A queen bets: a king calls it and a jack folds. A search that cannot distinguish the two calls with both."""
    one, many = (searched(kuhn_view(QUEEN), observers) for observers in (SINGLE, MANY))
    assert chips(one.values[BET]) == pytest.approx(0.0, abs=0.1)
    assert chips(many.values[BET]) == pytest.approx(-0.5, abs=0.1)
    assert most_visited(one).move == BET
    assert most_visited(many).move == PASS


@pytest.mark.parametrize("observers", [SINGLE, MANY])
def test_tree_search_never_calls_with_the_jack_nor_folds_the_king(observers: int) -> None:
    for line in ((BET,), (PASS, BET)):
        assert most_visited(searched(kuhn_view(JACK, line), observers)).move == PASS
        assert most_visited(searched(kuhn_view(KING, line), observers)).move == BET


def best_response(seat: int, card: int, line: tuple[int, ...], habit: int, belief: dict[int, float]) -> float:
    """The most that can be won on average from somebody with that habit, by going through everything.

    The belief says how likely each card of theirs goes with the moves made; it does not add up to 1.
    """
    pairs = {other: kuhn.dealt((card, other) if seat == 0 else (other, card), line, habit) for other in belief}
    anyone = next(iter(pairs.values()))[WORLD]
    mover = int(kuhn.to_move(anyone))
    if mover < 0:
        return sum(chance * kuhn.winnings(pairs[other][WORLD], seat) for other, chance in belief.items())
    if mover == seat:
        return max(best_response(seat, card, (*line, move), habit, belief) for move in (PASS, BET))
    return sum(
        best_response(seat, card, (*line, move), habit, {
            other: chance * chance_of(pairs[other][SEEN], move) for other, chance in belief.items()
        })
        for move in (PASS, BET)
    )  # fmt: skip


def posterior(seat: int, card: int, line: tuple[int, ...], habit: int) -> dict[int, float]:
    """How likely the other holds each card, by Bayes' rule."""
    belief = {other: 1.0 for other in range(3) if other != card}
    for other in belief:
        for turn, move in enumerate(line):
            if turn % 2 != seat:
                cards = (card, other) if seat == 0 else (other, card)
                belief[other] *= chance_of(kuhn.dealt(cards, line[:turn], habit)[SEEN], move)
    return {other: chance / sum(belief.values()) for other, chance in belief.items()}


def test_nothing_wins_more_than_its_seat_is_worth_against_the_equilibrium() -> None:
    first = [best_response(0, card, (), EQUILIBRIUM, posterior(0, card, (), EQUILIBRIUM)) for card in range(3)]
    assert sum(first) / 3 == pytest.approx(-1 / 18, abs=1e-5)


@pytest.mark.parametrize("habit", [EQUILIBRIUM, RASH])
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("card", [JACK, QUEEN, KING])
def test_reading_a_known_habit_wins_as_much_as_can_be_won_from_it(card: int, line: tuple[int, ...], habit: int) -> None:
    seat = len(line) % 2
    belief = posterior(seat, card, line, habit)
    worlds = weighed_worlds(kuhn_view(card, line, habit), 4000, 2)
    found = ismcts(worlds, MANY_ITERATIONS, 3, Options(MODELLED, MODEL, 0.7))
    values = [best_response(seat, card, (*line, move), habit, belief) for move in (PASS, BET)]
    choice = most_visited(found)
    assert chips(choice.value) == pytest.approx(max(values), abs=0.1)
    assert values[choice.move] == pytest.approx(max(values), abs=0.05)


def test_the_equilibrium_leaves_nothing_to_read() -> None:
    """Its value is −1/18 of a chip for the first seat, whatever that does; the margin is for moves of a millionth."""
    won = np.mean([best_response(1, card, (), EQUILIBRIUM, posterior(1, card, (), EQUILIBRIUM)) for card in range(3)])
    assert won == pytest.approx(1 / 18, abs=1e-4)


@pytest.mark.parametrize("moves", list(itertools.product((highest.KEEP, highest.DRAW), repeat=2)))
@pytest.mark.parametrize("card", range(7))
def test_the_last_of_three_players_draws_when_that_is_better_against_what_the_others_probably_have(
    card: int, moves: tuple[int, ...]
) -> None:
    others = [other for other in range(7) if other != card]
    view = highest.dealt((others[0], others[1], card, *others[2:]), moves)[SEEN]
    exact = exact_values(view, moves)
    found = ismcts(weighed_worlds(view, 3000, 4), limit_of(Budget(6000)), 5, Options(MODELLED, MODEL, 0.7))
    choice = most_visited(found)
    assert exact[choice.move] == pytest.approx(max(exact), abs=0.03)
    assert choice.value == pytest.approx(max(exact), abs=0.05)


def exact_values(view: Any, moves: tuple[int, ...]) -> list[float]:
    """What keeping and drawing are worth to the last player, over every world by its likelihood."""
    total, won = 0.0, [0.0, 0.0]
    for deck in highest.every_world(view):
        likely = likelihood(deck, moves)
        total += likely
        for move in (highest.KEEP, highest.DRAW):
            won[move] += likely * highest.payoff(highest.dealt(deck, (*moves, move))[WORLD], int(view["seat"]))
    return [each / total for each in won]


def likelihood(deck: tuple[int, ...], moves: tuple[int, ...]) -> float:
    likely = 1.0
    for turn, move in enumerate(moves):
        likely *= chance_of(highest.dealt(deck, moves[:turn])[SEEN], move)
    return likely


@pytest.mark.parametrize("observers", [SINGLE, MANY])
def test_with_four_players_everybody_chooses_for_themselves(observers: int) -> None:
    """The first of four with the lowest card draws, and with the highest keeps, whatever the others do."""
    low, high = (highest.dealt(deck, ())[SEEN] for deck in ((0, *range(1, 9)), (8, *range(8))))
    assert most_visited(searched(low, observers)).move == highest.DRAW
    assert most_visited(searched(high, observers)).move == highest.KEEP
    assert searched(high, observers).values[highest.KEEP] == 1.0


@at_length
def test_a_store_that_is_full_becomes_larger_and_keeps_what_it_has() -> None:
    trees = planted(2, 0)
    size = len(trees.nodes)
    node = outcome(trees, 1, 7)
    while len(with_room(trees).nodes) == size:
        for _ in range(20):  # there is always room for a whole iteration, which is more
            outcome(trees, edge_of(trees, node, int(trees.used[1])), 9)
    before = trees.used.tolist()
    larger = with_room(trees)
    assert len(larger.nodes) == len(larger.edges) == 2 * size
    assert [edge_of(larger, node, move) for move in range(2, before[1])] == list(range(2, before[1]))
    assert outcome(larger, 1, 7) == node
    assert larger.used.tolist() == before
    assert add_edge(larger, 5, -1) == before[1]
