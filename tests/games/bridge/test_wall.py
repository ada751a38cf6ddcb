"""The view is a wall: nothing behind it can change what a seat sees, decides or imagines."""

import random

import numpy as np
import pytest

from kibitz.core.agent import Agent, Decision, PythonAgent, Traits
from kibitz.core.plain_board import as_text
from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER, SEEN
from kibitz.games.bridge import double_dummy
from kibitz.games.bridge.game import BRIDGE
from kibitz.games.bridge.view import View
from tests.any_game import named
from tests.games.bridge.tables import agent, dealt, seated
from tests.wall import Noting, another, decided_the_same, seen

NAMES = ["random", "heuristic", *(["sampler"] if double_dummy.installed() else [])]
AGENTS = [agent(name) for name in NAMES]
HIDDEN_OR_ONES_OWN = {"dealt", "hands", "dice", "streams", "seat"}
PUBLIC = [name for name in BRIDGE.dtype.names or () if name not in HIDDEN_OR_ONES_OWN]


def wander(number: int) -> Table:
    """A table somewhere in a random game."""
    at, dice = Table(BRIDGE, [], dealt(seed=11, number=number)), random.Random(number)
    for _ in range(dice.randrange(50)):
        at.make(Decision(dice.choice(BRIDGE.legal(at.state))))
    return at


def test_a_seat_sees_its_own_hand_and_dummys_after_the_lead_and_no_other() -> None:
    for number in range(30):
        at = wander(number)
        state, dummy = at.state, (int(at.state["declarer"]) + 2) % 4
        for seat in (0, 1, 2, 3, ONLOOKER):
            view = at.view(seat)
            assert all(np.array_equal(view[name], state[name]) for name in PUBLIC)
            open_hands = {seat, dummy} if at.turns else {seat}
            for other in range(4):
                played = int(state["dealt"][other]) & ~int(state["hands"][other])
                shown = other in open_hands
                assert view["hands"][other] == (state["hands"][other] if shown else 0)
                assert view["dealt"][other] == (state["dealt"][other] if shown else played)


def test_dummy_lies_open_only_after_the_opening_lead() -> None:
    at = Table(BRIDGE, [], dealt())
    dummy = (int(at.state["declarer"]) + 2) % 4
    assert not View(at.view(int(at.state["declarer"]))).sees(dummy)
    at.make(Decision(BRIDGE.legal(at.state)[0]))
    assert all(View(at.view(seat)).sees(dummy) for seat in range(4))


def test_a_cheater_sees_every_hand() -> None:
    at = wander(3)
    assert seen(at.state, 0, cheats=True)[SEEN]["hands"].tolist() == at.state["hands"].tolist()


@pytest.mark.parametrize("player", AGENTS, ids=named)
def test_worlds_that_look_the_same_are_decided_the_same(player: Agent) -> None:
    decided = sum(decided_the_same(at, player, number) for number in range(12) if not (at := wander(number)).over)
    assert decided > 6


def test_worlds_that_look_the_same_are_drawn_the_same() -> None:
    for number in range(12):
        at = wander(number)
        for seat in range(4):
            other = another(at, seat, number)
            views = [table.view(seat) for table in (at, other)]
            for view, table in zip(views, (at, other), strict=True):
                view["dice"] = 0
                assert table.view(seat)["seat"] == seat
            assert views[0].tobytes() == views[1].tobytes()
            for show in (BRIDGE.page, BRIDGE.choices, lambda view: as_text(BRIDGE.board(view))):
                assert show(views[0]) == show(views[1])


class Witness(Noting):
    def plays(self, view: View) -> int:
        return view.legal[0]


def test_a_player_is_handed_its_own_view_and_dummy_is_never_asked() -> None:
    witness = PythonAgent("witness", "bridge", "", "", Traits(remembers=True), Witness)
    at = seated([witness] * 4, dealt())
    at.run()
    for seat, player in enumerate(at.players):
        views = player.bot.views  # type: ignore[attr-defined]
        assert {view.seat for view in views} == {seat}
    dummy = (int(at.state["declarer"]) + 2) % 4
    assert {turn.seat for turn in at.turns} == {0, 1, 2, 3} - {dummy}
