"""The view is a wall: nothing behind it can change what a seat sees, decides or imagines."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, Decision, PythonAgent, Traits
from kibitz.core.table import Table
from kibitz.engine import generic, seeds
from kibitz.engine.loop import SEEN, WORLD
from kibitz.errors import KibitzError
from kibitz.games.hanabi import View
from kibitz.games.hanabi.agents import breeding
from kibitz.games.hanabi.cards import COLOURS, DECK, KINDS
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_MOVES
from kibitz.games.hanabi.state import FACE_DOWN, OPEN
from tests.fuzzing import TIMES, at_one_table
from tests.tables import DEFAULTS, EVERY_RULES, HONEST, PLAYERS, at, dealt, named, other_cards, table_of, wander
from tests.wall import (
    KEY,
    Noting,
    another,
    continued_the_same,
    decided_by_what_is_seen,
    decided_the_same,
    seen,
)
from tests.witness import witness

# Every rule that lists are bred from, each by chance, so that all of them get a turn.
every_rule = breeding.RULE_LISTS.agent(
    [{"rule": name, "when": {"by_chance": 0.2}} for name in breeding.POOL], "every_rule"
)
RULES = generic.rules_of(HANABI.dtype)
HIDDEN_OR_ONES_OWN = {"deck", "dice", "streams", "seat", "values"}
PUBLIC = [name for name in HANABI.dtype.names or () if name not in HIDDEN_OR_ONES_OWN]


def games(players: int, number: int, rules: dict[str, str] = DEFAULTS) -> Iterator[Table]:
    """The same table before every move of some random games, and at their ends."""
    for game in range(number):
        start = dealt(players, rules=rules, seed=11, number=game)
        yield from wander(table_of((), start), random.Random(100 * players + game))


def hidden_places(state: Any, seat: int) -> set[int]:
    """The places of the deck that a seat must not see: its hand and what is not drawn."""
    own = state["hands"][seat][: state["held"][seat]].tolist()
    return {*own, *range(state["drawn"], 50)}


def values_held(state: Any) -> list[int]:
    """The colours (bits 0 to 4) and ranks (bits 5 to 9) of every hand; an empty seat has none."""
    values = [0] * 5
    for hand in HANABI.view(state).hands:
        for card in hand:
            assert card.kind
            values[card.seat] |= 1 << COLOURS.index(card.kind.colour) | 16 << card.kind.rank
    return values


# Cards


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_cards_are_conserved(players: int, rules: dict[str, str]) -> None:
    for table in games(players, 2, rules):
        state, view = table.state, HANABI.view(table.state)
        deck = [int(kind) for kind in state["deck"][state["drawn"] :]]
        piles = [5 * index + rank for index, height in enumerate(view.piles.values()) for rank in range(height)]
        hands = [card.kind.index for hand in view.hands for card in hand if card.kind]
        assert sorted(deck + piles + hands + [kind.index for kind in view.discards]) == sorted(DECK)
        assert state["deck"].tolist() == table.start[0]["deck"].tolist()
        places = [card.place for hand in view.hands for card in hand]
        assert len(set(places)) == len(places)
        assert state["values"].tolist() == values_held(state)
        assert all(place < state["drawn"] for place in places)


# Views


@pytest.mark.parametrize("players", PLAYERS)
def test_a_view_hides_the_own_hand_and_the_draw_pile_and_nothing_else(players: int) -> None:
    for table in games(players, 4):
        for seat in range(players):
            view = table.view(seat)
            hidden = hidden_places(table.state, seat)
            assert {place for place in range(50) if view["deck"][place] == FACE_DOWN} == hidden
            assert all(view["deck"][place] == table.state["deck"][place] for place in range(50) if place not in hidden)
            assert all(np.array_equal(view[name], table.state[name]) for name in PUBLIC)
            values = [0 if each == seat else value for each, value in enumerate(table.state["values"].tolist())]
            assert view["values"].tolist() == values
            assert view["seat"] == seat


@pytest.mark.parametrize("players", PLAYERS)
def test_a_cheater_sees_its_hand_but_not_the_draw_pile(players: int) -> None:
    for table in games(players, 2):
        for seat in range(players):
            view = seen(table.state, seat, cheats=True)[SEEN]
            drawn = int(table.state["drawn"])
            assert view["deck"][:drawn].tolist() == table.state["deck"][:drawn].tolist()
            assert set(view["deck"][drawn:].tolist()) <= {FACE_DOWN}
            assert all(np.array_equal(view[name], table.state[name]) for name in [*PUBLIC, "values"])


class Onlooker(Noting):
    def plays(self, view: View) -> str:
        return "discard 1"


def onlooker(cheats: bool) -> PythonAgent:
    return PythonAgent("onlooker", "hanabi", "", "", Traits(cheats=cheats, remembers=True), Onlooker)


@pytest.mark.parametrize("players", PLAYERS)
def test_only_those_who_say_they_cheat_are_shown_their_hand(players: int) -> None:
    table = table_of([onlooker(cheats=seat == 1) for seat in range(players)], dealt(players))
    table.run()
    for seat, player in enumerate(table.players):
        for view in player.bot.views:  # type: ignore[attr-defined]
            assert view.seat == seat
            assert all((card.kind is not None) == (seat == 1) for card in view.hand)
            assert all(card.kind for other in view.others for card in view.hands[other])
            assert set(view.struct["deck"][50 - view.deck_left :].tolist()) <= {FACE_DOWN}


def test_what_a_player_does_to_its_view_does_not_reach_the_table() -> None:
    table = table_of((), dealt(3))
    before = table.pair[WORLD].tobytes()
    view = table.view(0)
    for name in HANABI.dtype.names or ():
        view[name] = 1
    assert table.pair[WORLD].tobytes() == before
    assert table.view(0).tobytes() != view.tobytes()


def test_a_view_holds_on_to_no_memory_but_its_own() -> None:
    view = table_of((), dealt(3)).view(0)
    assert np.asarray(view.base).nbytes == HANABI.dtype.itemsize


# Two worlds that look the same


LATEST = registry.agent(HANABI, "hajdu_v4_2020")  # differs in its weights alone, which switch rules on


@pytest.mark.fuzz
@at_one_table([*HONEST, LATEST, every_rule, witness], PLAYERS)
def test_worlds_that_look_the_same_are_decided_the_same(agent: Agent, players: int) -> None:
    decided = 0
    for turn, table in enumerate(games(players, 2 * TIMES)):
        if not table.over and turn % 4 == 0:
            decided += decided_the_same(table, agent, turn)
    assert decided > 20


@at_one_table([*HONEST, LATEST, every_rule, witness], PLAYERS)
def test_in_its_own_games_too_an_agent_decides_by_what_it_sees(agent: Agent, players: int) -> None:
    decided_by_what_is_seen(table_of([agent] * players, dealt(players, seed=12)))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("agent", [registry.agent(HANABI, "simple_distrustful"), witness], ids=named)
def test_worlds_that_look_the_same_are_continued_the_same(agent: CompiledAgent, players: int) -> None:
    for turn, table in enumerate(games(players, 1)):
        if turn % 8 == 0 and not table.over:
            for seat in range(players):
                continued_the_same(table, seat, turn, [agent] * players)


@pytest.mark.fuzz
@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_that_look_the_same_take_or_refuse_the_same_first_moves(players: int) -> None:
    """Whether a hint to a seat is legal depends on its cards, so even a refusal must not."""
    for turn, table in enumerate(games(players, TIMES)):
        if turn % 30 == 5 and not table.over:
            for seat in range(players):
                other = another(table, seat, turn)
                for move in ALL_MOVES:
                    ours, theirs = (rows_or_refusal(each, seat, move) for each in (table, other))
                    assert ours == theirs, f"G{seat + 1} asks for the effect of '{move}' by G{table.to_move + 1}"


def rows_or_refusal(table: Table, seat: int, first_move: int) -> Any:
    try:
        return table.continuations(seat, [witness] * int(table.state["players"]), np.arange(2), first_move).tolist()
    except KibitzError as error:
        return str(error)


# Sampled worlds


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_sampled_world_agrees_with_the_view(players: int, rules: dict[str, str]) -> None:
    for turn, table in enumerate(games(players, 1, rules)):
        for seat in range(players):
            pair = seen(table.state, seat)
            RULES.sample_world(pair, seeds.number(KEY, turn))
            world, view = pair[WORLD], pair[SEEN]
            assert all(np.array_equal(world[name], view[name]) for name in PUBLIC)
            assert all(world["deck"][place] == kind for place, kind in enumerate(view["deck"]) if kind != FACE_DOWN)
            assert sorted(world["deck"].tolist()) == sorted(DECK)
            for slot in range(view["held"][seat]):
                assert view["hinted_kinds"][seat][slot] >> world["deck"][view["hands"][seat][slot]] & 1
            assert world["values"].tolist() == values_held(world)
            assert world["seat"] == OPEN


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_of_different_streams_differ(players: int) -> None:
    table = table_of((), dealt(players))
    pair = seen(table.state, 0)
    decks, hands, dice = set(), set(), set()
    for n in range(50):
        RULES.sample_world(pair, seeds.number(KEY, n))
        world = pair[WORLD]
        decks.add(world["deck"].tobytes())
        hands.add(tuple(world["deck"][world["hands"][0][: world["held"][0]]].tolist()))
        dice.add(world["streams"].tobytes())
    assert len(decks) == len(dice) == 50
    assert len(hands) > 45


SMALL_POSITIONS = {
    "nothing known": {"hands": ["r1 r1 y2", "g5"], "unseen": "r2 y1 y1"},
    "a colour": {"hands": ["r1 r2 y2", "g5"], "unseen": "r1 y1 y3", "hints": ["red to G1"]},
    "a rank": {"hands": ["r1 y1 g2", "g5"], "unseen": "g1 b1 r4", "hints": ["1 to G1"]},
    "cards that compete": {
        "hands": ["r2 y1 g3", "g5"],
        "unseen": "r1 r4 y2 y1",
        "knowledge": ["c:1f r:108421 :1ffffff"],
    },
    "the narrow card last": {"hands": ["y1 r2 r1", "g5"], "unseen": "r3 y2 y2", "knowledge": [":3ff :1f cr:1"]},
    "no deck": {"hands": ["r1 r2 y2 g3 w5", "g5"], "unseen": "", "hints": ["red to G1"]},
}


def small(name: str) -> Table:
    parts: dict[str, Any] = dict(SMALL_POSITIONS[name])
    hands, deck = parts.pop("hands"), parts.pop("unseen")
    return at(*hands, deck=deck, discards=other_cards(*hands, deck), **parts)


def every_world(view: Any) -> Counter[tuple[int, ...]]:
    """The kinds of the face-down cards in every order the hints allow, with how many ways the 50 cards make each."""
    places = [place for place in range(50) if view["deck"][place] == FACE_DOWN]
    hinted = {int(view["hands"][0][slot]): int(view["hinted_kinds"][0][slot]) for slot in range(view["held"][0])}
    unseen = Counter(DECK) - Counter(kind for kind in view["deck"].tolist() if kind != FACE_DOWN)
    return Counter(
        order
        for order in itertools.permutations(sorted(unseen.elements()))
        if all(hinted.get(place, (1 << KINDS) - 1) >> kind & 1 for place, kind in zip(places, order, strict=True))
    )


@pytest.mark.parametrize("name", SMALL_POSITIONS)
def test_every_world_is_sampled_as_often_as_any_other(name: str) -> None:
    """Pearson's sum over all worlds is within five standard deviations of its mean, the number of worlds less one."""
    samples = 40_000
    pair = seen(small(name).state, 0)
    places = [place for place in range(50) if pair[SEEN]["deck"][place] == FACE_DOWN]
    worlds = every_world(pair[SEEN])
    drawn: Counter[tuple[int, ...]] = Counter()
    for n in range(samples):
        RULES.sample_world(pair, seeds.number(KEY, n))
        drawn[tuple(pair[WORLD]["deck"][places].tolist())] += 1
    assert set(drawn) == set(worlds)
    expected = {world: samples * ways / worlds.total() for world, ways in worlds.items()}
    distance = sum((drawn[world] - often) ** 2 / often for world, often in expected.items())
    freedom = len(worlds) - 1
    assert abs(distance - freedom) <= 5 * (2 * freedom) ** 0.5
    assert freedom >= 2


# Dice


@pytest.mark.parametrize("players", PLAYERS)
def test_dice_do_not_depend_on_hidden_cards(players: int) -> None:
    starts = [dealt(players, number=number) for number in range(2)]
    starts[1]["streams"] = starts[0]["streams"]
    tables = [table_of((), start) for start in starts]
    assert tables[0].state["deck"].tolist() != tables[1].state["deck"].tolist()
    for _ in range(12):
        for seat in range(players):
            views = [HANABI.view(table.view(seat)) for table in tables]
            assert views[0].struct["dice"] == views[1].struct["dice"]
            assert views[0].random.random() == views[1].random.random()
        for table in tables:
            table.make(Decision(HANABI.move("discard 1", table.state)))


@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_has_dice_of_its_own_every_turn(players: int) -> None:
    for number in range(3):
        table = table_of((), dealt(players, number=number))
        dice = set(table.state["streams"][:players].tolist())
        for each in wander(table, random.Random(number)):
            dice |= {int(each.view(seat)["dice"]) for seat in range(players)}
        assert len(dice) == players * (len(table.turns) + 2)


def test_a_cheater_rolls_the_same_dice_as_an_honest_player() -> None:
    state = table_of((), dealt(4)).state
    assert seen(state, 2, cheats=True)[SEEN]["dice"] == seen(state, 2, cheats=False)[SEEN]["dice"]
