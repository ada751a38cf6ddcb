"""Sampled worlds: they agree with the view, can be gone back in, and come as often as exact counting says."""

import random
from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from kibitz.core.table import Table
from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD
from kibitz.games.loveletter.cards import CARDS, FACE_DOWN, SORTED
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import ALL_MOVES
from kibitz.games.loveletter.rules import first_hand
from kibitz.games.loveletter.state import HAND, OPEN, SEATS, SET_ASIDE
from tests.any_game import named
from tests.fuzzing import first_of
from tests.games.loveletter import plain
from tests.games.loveletter.pasts import World, every_past
from tests.games.loveletter.tables import (
    EVERY_RULES,
    GAME,
    PLAYERS,
    QUIET_DRAWS,
    QUIET_MOVES,
    ROUND,
    at,
    dealt,
    make,
    table_of,
    wander,
)
from tests.games.loveletter.test_wall import PUBLIC, games
from tests.wall import KEY, another, seen

# They agree with the view


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_sampled_world_agrees_with_the_view(players: int, rules: dict[str, str]) -> None:
    for turn, table in enumerate(games(players, 10 if rules["unit"] == "round" else 1, rules)):
        for seat in (*range(players), ONLOOKER):
            pair = seen(table.state, seat)
            before = pair[SEEN].tobytes()
            generic.sample_world(pair, seeds.number(KEY, turn))
            world, view = pair[WORLD], pair[SEEN]
            assert view.tobytes() == before
            assert world["seat"] == OPEN
            assert sorted(world["deck"].tolist()) == sorted(SORTED)
            assert all(np.array_equal(world[name], view[name]) for name in PUBLIC)
            again = seen(world, seat)[SEEN]
            again["dice"] = view["dice"]  # everybody rolls other dice in another world
            assert again.tobytes() == view.tobytes()


@pytest.mark.parametrize("players", PLAYERS)
def test_a_sampled_world_is_what_its_moves_lead_to_from_its_own_deck(players: int) -> None:
    for turn, table in enumerate(games(players, 10)):
        for seat in (*range(players), ONLOOKER):
            pair = seen(table.state, seat)
            generic.sample_world(pair, seeds.number(KEY, turn))
            world = pair[WORLD]
            start = {"deck": [str(int(kind)) for kind in world["deck"]], "later": int(world["cards"])}
            lived = table.replayed([], LOVE_LETTER.load_start(start, players, ROUND))
            lived.state["streams"] = world["streams"]
            assert lived.state.tobytes() == world.tobytes()


# They can be gone back in


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_going_back_leads_to_the_start_of_the_round_byte_for_byte(players: int, rules: dict[str, str]) -> None:
    table = table_of((), dealt(players, rules=rules, seed=6))
    opened = table.state.tobytes()
    for each in wander(table, random.Random(6)):
        if each.state["turn"] == each.state["opened"]:
            opened = each.state.tobytes()
        pair = seen(each.state, 0)
        generic.rewind(table.start, pair)
        assert pair[WORLD].tobytes() == opened


@pytest.mark.parametrize("players", PLAYERS)
def test_a_sampled_world_can_be_relived_to_where_it_stands(players: int) -> None:
    for turn, table in enumerate(games(players, 2, GAME)):
        for seat in range(players):
            pair = seen(table.state, seat)
            generic.sample_world(pair, seeds.number(KEY, turn))
            now = pair[WORLD].tobytes()
            generic.rewind(table.start, pair)
            for move in range(int(generic.turns(pair[WORLD])), int(generic.turns(table.state))):
                generic.apply(pair[WORLD], generic.move_at(table.state, move))
            assert pair[WORLD].tobytes() == now


# They differ, as often as they should


def test_worlds_of_different_streams_differ() -> None:
    for players in PLAYERS:
        pair = seen(dealt(players)[0], 0)
        decks, hands, dice, later = set(), set(), set(), set()
        for n in range(50):
            generic.sample_world(pair, seeds.number(KEY, n))
            world = pair[WORLD]
            decks.add(world["deck"].tobytes())
            hands.add(world["hands"].tobytes())
            dice.add(world["streams"].tobytes())
            later.add(int(world["cards"]))
        assert len(decks) == len(dice) == len(later) == 50
        assert len(hands) > 5


class Position(NamedTuple):
    """A round so far, seat by seat and draw by draw, and whose eyes it is seen through."""

    hands: str
    draws: str
    moves: str
    viewer: int
    aside: str = ""

    def table(self) -> Table:
        table = at(*self.hands.split(), draws=self.draws, aside=self.aside)
        make(table, *self.moves.split(", ") if self.moves else ())
        return table


POSITIONS = {
    "nothing has happened": Position("priest guard baron", "king", "", 1),
    "a Guard missed": Position("guard priest", "king guard", "guard g2 baron", 0),
    "Guards missed twice": Position(
        "guard king baron", "guard guard guard prince", "guard g2 princess, guard g3 priest, guard g2 countess", 0
    ),
    "a Guard missed a card that was drawn and played then": Position(
        "guard priest guard", "guard baron handmaid king", "guard g2 baron, baron g3", 0
    ),
    "a look": Position("priest guard baron", "handmaid guard", "priest g2", 0),
    "a look, and the card was kept": Position(
        "priest king baron", "handmaid guard guard countess", "priest g2, guard g3 princess, guard g2 princess", 0
    ),
    "a look, and a card like it was played": Position(
        "priest guard baron", "handmaid guard king", "priest g2, guard g1 princess", 0
    ),
    "a look that others saw from afar": Position(
        "priest guard baron", "handmaid guard king", "priest g2, guard g1 princess", 2
    ),
    "a King between two others": Position("king guard baron", "priest handmaid guard", "king g2, handmaid", 2),
    "a King between two others after a look at one": Position(
        "priest handmaid guard", "guard king prince baron", "priest g2, king g3, prince g1", 0
    ),
    "a King between two others who both had turns since one was looked at": Position(
        "priest handmaid guard", "guard guard priest handmaid king baron",
        "priest g2, guard g1 princess, priest g1, handmaid, king g3", 0,
    ),
    "a King, seen by its player": Position("king guard baron", "priest handmaid guard", "king g2, handmaid", 0),
    "a King, seen by its target": Position("king guard baron", "priest handmaid guard", "king g2, handmaid", 1),
    "a Baron's tie seen by a third": Position("priest priest guard", "baron king", "baron g2", 2),
    "a Baron's tie and a turn after it": Position(
        "priest priest guard", "baron guard king", "baron g2, guard g1 king", 2
    ),
    "a Baron's tie seen by one of the two": Position(
        "priest priest guard", "baron guard king", "baron g2, guard g1 king", 0
    ),
    "a Baron put somebody out": Position("king priest guard guard", "baron handmaid guard", "baron g2, handmaid", 3),
    "a Prince on another": Position("prince king guard", "priest baron handmaid guard", "prince g2, handmaid", 2),
    "a Prince on oneself": Position("prince king guard", "priest baron handmaid guard", "prince g1, handmaid", 2),
    "a Prince on the viewer": Position(
        "prince guard king", "priest handmaid baron guard", "prince g3, guard g1 king", 2
    ),
    "a Prince on the Princess": Position("prince princess guard guard", "priest handmaid", "prince g2", 2),
    "a Prince and a King, so no Countess was kept": Position(
        "prince guard guard", "priest king baron handmaid", "prince g2, king g1", 2
    ),
    "a Countess was played": Position("countess guard guard", "king priest baron", "countess, priest g1", 2),
    "a Princess was thrown away": Position("princess guard priest baron", "king handmaid", "princess", 3),
    "everybody was protected": Position("handmaid baron", "guard priest guard", "handmaid, baron", 0),
    "an onlooker": Position("priest guard", "handmaid guard", "priest g2, guard g1 king", ONLOOKER),
    "four players, three turns on": Position(
        "guard priest baron handmaid", "guard king handmaid countess", "guard g3 king, priest g3, baron g1", 3
    ),
    "the deck is empty": Position("baron prince", f"{QUIET_DRAWS} king", ", ".join(QUIET_MOVES), 0),
    "the card set aside was taken": Position(
        "baron prince", f"{QUIET_DRAWS} king", ", ".join((*QUIET_MOVES, "prince g1")), 1, aside="princess"
    ),
}  # fmt: skip


@compiled
def sample(pair: Any, streams: Any, rows: Any) -> None:
    """Of every sampled world a row: the hands and the deck."""
    for n in range(streams.shape[0]):
        generic.sample_world(pair, streams[n])
        world = pair[WORLD]
        for seat in range(SEATS):
            for slot in range(HAND):
                rows[n, HAND * seat + slot] = world.hands[seat][slot]
        for place in range(CARDS):
            rows[n, HAND * SEATS + place] = world.deck[place]


def sampled(table: Table, viewer: int, samples: int) -> Counter[World]:
    rows = np.zeros((samples, HAND * SEATS + CARDS), np.int64)
    sample(seen(table.state, viewer), seeds.numbers(KEY, 0, samples), rows)
    players, deck = int(table.state["players"]), HAND * SEATS
    first = deck + first_hand(players)
    hidden = rows[:, [*range(HAND * players), deck + SET_ASIDE, *range(first, first + players)]]
    worlds: Counter[World] = Counter()
    for row, count in zip(*np.unique(hidden, axis=0, return_counts=True), strict=True):
        worlds[world(row.tolist(), players)] += int(count)
    return worlds


def world(hidden: list[int], players: int) -> World:
    """By the hands, the card set aside, and the hands at the beginning."""
    pairs = [hidden[HAND * seat : HAND * seat + HAND] for seat in range(players)]
    aside, *began = hidden[HAND * players :]
    return World(
        hands=tuple(tuple(kind for kind in pair if kind != FACE_DOWN) for pair in pairs),
        aside=aside,
        began=tuple(began),
    )


def counted(table: Table, viewer: int) -> Counter[World]:
    """The same worlds by exact counting, on the plain engine."""
    played = [ALL_MOVES[turn.decision.move] for turn in table.turns]
    moves: list[plain.Move] = [(int(move.card), move.target, move.named and int(move.named)) for move in played]
    return every_past(table.start[0]["deck"].tolist(), int(table.state["players"]), moves, viewer)


@cache
def counted_at(name: str) -> Counter[World]:
    return counted(POSITIONS[name].table(), POSITIONS[name].viewer)


def close(drawn: Counter[Any], ways: Counter[Any], samples: int) -> bool:
    """Pearson's sum over all worlds is within five standard deviations of its mean, and no other world came."""
    assert set(drawn) <= set(ways)
    expected = {world: samples * count / ways.total() for world, count in ways.items()}
    common = [world for world, often in expected.items() if often >= 5]
    rare = [world for world, often in expected.items() if often < 5]
    distance = sum((drawn[world] - expected[world]) ** 2 / expected[world] for world in common)
    rarely = sum(expected[world] for world in rare)
    if rare:
        distance += (sum(drawn[world] for world in rare) - rarely) ** 2 / rarely
    freedom = len(common) + bool(rare) - 1
    return abs(distance - freedom) <= 5 * (2 * max(freedom, 1)) ** 0.5


def summed(worlds: Counter[World], part: str) -> Counter[Any]:
    """How often each way came in which a part of the world can be."""
    counts: Counter[Any] = Counter()
    for world, count in worlds.items():
        counts[getattr(world, part)] += count
    return counts


@first_of(10, "name", list(POSITIONS))
def test_every_world_comes_as_often_as_exact_counting_says(name: str) -> None:
    samples = 20_000
    table, viewer = POSITIONS[name].table(), POSITIONS[name].viewer
    drawn, ways = sampled(table, viewer, samples), counted_at(name)
    assert close(drawn, ways, samples)
    for part in World._fields:
        assert close(summed(drawn, part), summed(ways, part), samples)


@pytest.mark.parametrize("players", PLAYERS)
def test_in_any_round_worlds_come_as_often_as_exact_counting_says(players: int) -> None:
    """The hands in the middle of a few random rounds, as each seat may imagine them."""
    samples = 5_000
    for number in range({2: 6, 3: 4, 4: 2}[players]):
        table = table_of((), dealt(players, seed=17, number=number))
        middle = 2 + number % 3
        for turn, each in enumerate(wander(table, random.Random(number))):
            if turn == middle or each.over:
                break
        for seat in range(players):
            drawn, ways = sampled(table, seat, samples), counted(table, seat)
            assert close(summed(drawn, "hands"), summed(ways, "hands"), samples)


@pytest.mark.parametrize("name", POSITIONS)
def test_worlds_are_distributed_the_same_in_two_states_with_the_same_view(name: str) -> None:
    table, viewer = POSITIONS[name].table(), POSITIONS[name].viewer
    assert sampled(another(table, viewer, 3), viewer, 500) == sampled(table, viewer, 500)
    assert counted(another(table, viewer, 3), viewer) == counted_at(name)
