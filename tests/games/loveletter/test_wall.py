"""The view is a wall: nothing behind it can change what a seat sees, decides or imagines."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core.agent import Agent, CompiledAgent, PythonAgent, Traits
from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD
from kibitz.games.loveletter.cards import CARDS, FACE_DOWN
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.rules import first_hand
from kibitz.games.loveletter.state import SET_ASIDE
from kibitz.games.loveletter.view import View
from tests.any_game import named
from tests.fuzzing import at_one_table
from tests.games.loveletter.tables import GAME, HONEST, PLAYERS, ROUND, at, dealt, make, table_of, wander
from tests.wall import (
    Noting,
    continued_the_same,
    decided_by_what_is_seen,
    decided_the_same,
    seen,
)

HIDDEN_OR_ONES_OWN = {"deck", "hands", "known", "aware", "looks", "dice", "streams", "cards", "seat"}
PUBLIC = [name for name in LOVE_LETTER.dtype.names or () if name not in HIDDEN_OR_ONES_OWN]
SEARCHING = [agent for agent in HONEST if agent.traits.searches]


def games(players: int, number: int, rules: dict[str, str] = ROUND) -> Iterator[Table]:
    """The same table before every move of some random games, and at their ends."""
    for game in range(number):
        start = dealt(players, rules=rules, seed=11, number=game)
        yield from wander(table_of((), start), random.Random(100 * players + game))


# What is shown


@pytest.mark.parametrize("players", PLAYERS)
def test_a_view_shows_the_own_cards_and_what_is_open_and_no_other_card(players: int) -> None:
    for table in games(players, 30):
        state = table.state
        for seat in range(players):
            view = table.view(seat)
            assert all(np.array_equal(view[name], state[name]) for name in PUBLIC)
            assert view["seat"] == seat
            assert view["hands"][seat].tolist() == state["hands"][seat].tolist()
            assert view["looks"][seat].tolist() == state["looks"][seat].tolist()
            assert not view["looks"][[other for other in range(4) if other != seat]].any()
            assert (view["cards"], int(view["known"][seat])) == (0, int(view["aware"][seat]))
            open_places = {place for place in range(CARDS) if state["drawer"][place] == seat}
            open_places |= set(range(SET_ASIDE + 1, first_hand(players)))
            shown = {place for place in range(CARDS) if view["deck"][place] != FACE_DOWN}
            assert shown == open_places
            assert all(view["deck"][place] == state["deck"][place] for place in shown)


@pytest.mark.parametrize("players", PLAYERS)
def test_another_hand_is_shown_to_who_knows_it_and_the_card_just_drawn_to_nobody(players: int) -> None:
    known = 0
    for table in games(players, 30):
        state = table.state
        for seat in range(players):
            view = table.view(seat)
            for other in set(range(players)) - {seat}:
                knows = bool(state["known"][other] >> seat & 1)
                known += knows
                held, drawn = view["hands"][other].tolist()
                assert held == (state["hands"][other][0] if knows or table.over else FACE_DOWN)
                assert drawn == FACE_DOWN
                assert view["known"][other] == (1 << seat if knows else 0)  # and never who else does
                assert view["aware"][other] == 0
    assert known > 20


@pytest.mark.parametrize("players", PLAYERS)
def test_an_onlooker_sees_what_is_public_and_no_dice(players: int) -> None:
    for table in games(players, 20):
        view = table.view(ONLOOKER)
        assert all(np.array_equal(view[name], table.state[name]) for name in PUBLIC)
        assert (view["dice"], view["cards"]) == (0, 0)
        assert not any(view[name].any() for name in ("known", "aware", "looks"))
        assert table.over or not view["hands"].any()
        assert {place for place in range(CARDS) if view["deck"][place]} == set(
            range(SET_ASIDE + 1, first_hand(players))
        )


def test_a_cheater_sees_every_hand_but_not_the_deck() -> None:
    for table in games(3, 10):
        for seat in range(3):
            view = seen(table.state, seat, cheats=True)[SEEN]
            assert view["hands"].tolist() == table.state["hands"].tolist()
            honest = seen(table.state, seat)[SEEN]
            assert all(np.array_equal(view[name], honest[name]) for name in [*PUBLIC, "deck", "looks", "dice", "known"])


class Witness(Noting):
    def plays(self, view: View) -> int:
        return view.legal[0]


@pytest.mark.parametrize("players", PLAYERS)
def test_a_player_is_handed_its_own_view_and_no_other(players: int) -> None:
    witness = PythonAgent("witness", "loveletter", "", "", Traits(remembers=True), Witness)
    table = table_of([witness] * players, dealt(players, rules=GAME))
    table.run()
    for seat, player in enumerate(table.players):
        views = player.bot.views  # type: ignore[attr-defined]
        assert {view.seat for view in views} == {seat}
        assert all(view.set_aside is None for view in views)
        assert all(len(view.hand) == view.held(seat) for view in views)


def test_what_a_player_does_to_its_view_does_not_reach_the_table() -> None:
    table = table_of((), dealt(3))
    before = table.pair[WORLD].tobytes()
    view = table.view(0)
    for name in LOVE_LETTER.dtype.names or ():
        view[name] = 1
    assert table.pair[WORLD].tobytes() == before


# Who knows what


def test_whether_a_card_is_still_known_is_hidden_from_those_who_do_not_know_it() -> None:
    """G1 looked at G2's King. G2 plays a Guard: only G1 and G2 can tell that G2 still holds the card G1 saw."""
    held_and_drawn = (("king", "guard"), ("guard", "king"))
    tables = [at("priest", held, "baron", draws=f"handmaid {drawn} countess") for held, drawn in held_and_drawn]
    for table in tables:
        make(table, "priest g2", "guard g3 princess")
    assert [int(table.state["known"][1]) for table in tables] == [1, 0]
    for seat in (2, ONLOOKER):
        assert tables[0].view(seat).tobytes() == tables[1].view(seat).tobytes()
    assert [LOVE_LETTER.view(table.view(0)).card(1) for table in tables] == [6, None]
    assert [LOVE_LETTER.view(table.view(1)).known_to(1) for table in tables] == [(0,), ()]


# Two worlds that look the same


@at_one_table(HONEST, PLAYERS)
def test_worlds_that_look_the_same_are_decided_the_same(agent: Agent, players: int) -> None:
    decided = 0
    for turn, table in enumerate(games(players, 8)):
        if not table.over:
            decided += decided_the_same(table, agent, turn)
    assert decided > 20


@at_one_table(HONEST, PLAYERS)
def test_in_its_own_games_too_an_agent_decides_by_what_it_sees(agent: Agent, players: int) -> None:
    decided_by_what_is_seen(table_of([agent] * players, dealt(players, rules=GAME, seed=12)))


@at_one_table(HONEST, PLAYERS)
def test_no_player_acts_on_the_card_that_was_set_aside(agent: Agent, players: int) -> None:
    """Whichever of the cards that nobody has drawn lies there, the decision and its reason are the same."""
    for number in range(4):
        table = table_of([agent] * players, dealt(players, number=number))
        while not table.over:
            decision = table.decide()
            for place in range(int(table.state["drawn"]), CARDS):
                other = table.copy()
                deck = other.state["deck"]
                deck[SET_ASIDE], deck[place] = deck[place].item(), deck[SET_ASIDE].item()
                assert other.decide() == decision
            table.make(decision)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", [ROUND, GAME], ids=named)
def test_worlds_that_look_the_same_are_continued_the_same(players: int, rules: dict[str, str]) -> None:
    agents = [agent for agent in HONEST if isinstance(agent, CompiledAgent) and agent not in SEARCHING]
    for turn, table in enumerate(games(players, 2, rules)):
        if turn % 5 == 0 and not table.over:
            for seat in range(players):
                continued_the_same(table, seat, turn, [agents[(turn + each) % len(agents)] for each in range(players)])


# Dice


@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_has_dice_of_its_own_every_turn(players: int) -> None:
    table = table_of((), dealt(players, rules=GAME))
    dice = set(table.state["streams"][:players].tolist())
    for each in wander(table, random.Random(2)):
        dice |= {int(each.view(seat)["dice"]) for seat in range(players)}
    assert len(dice) == players * (len(table.turns) + 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_dice_do_not_depend_on_hidden_cards(players: int) -> None:
    starts: list[Any] = [dealt(players, number=number) for number in range(2)]
    starts[1]["streams"] = starts[0]["streams"]
    views = [[LOVE_LETTER.view(table_of((), start).view(seat)) for seat in range(players)] for start in starts]
    assert starts[0]["deck"].tolist() != starts[1]["deck"].tolist()
    assert [view.random.random() for view in views[0]] == [view.random.random() for view in views[1]]
