"""Every reason of every agent is true for its reader: its claims hold in the view of the decision."""

import re

import pytest

from kibitz.core.agent import Agent
from kibitz.games.loveletter.cards import COUNTESS, KING, NAMES, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import held_by
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import Move
from kibitz.games.loveletter.view import View
from tests.any_game import named
from tests.games.loveletter.tables import AGENTS, GAME, at, dealt, table_of


def near(said: str | None, certain: bool, chance: float) -> bool:
    """Whether a chance is as said: in percent, or certain, or impossible."""
    if said is None:
        return abs(chance - certain) < 1e-9
    return abs(chance - int(said) / 100) < 0.011 and 0 < chance < 1


def check(words: str, move: Move, view: View) -> None:
    """What a reason says about a move holds in the view."""
    hand = sorted(view.cards(view.seat))
    if "I must play" in words:
        assert move.card == COUNTESS
        assert KING in hand or PRINCE in hand
    if "my only legal move" in words:
        assert list(view.legal) == [move]
    if "anything but the Princess" in words:
        assert move.card != PRINCESS
    if "everybody is protected" in words:
        assert all(view.is_protected(seat) or view.is_out(seat) for seat in range(view.players) if seat != view.seat)
    if "nobody can target me" in words:
        assert str(move.card) == "Handmaid"
    if found := re.search(r"G(\d) (cannot hold|holds) the (\w+)(?: with (\d+) % probability)?", words):
        assert int(found[1]) - 1 == move.target
        chance = held_by(view.struct, int(found[1]) - 1)[NAMES.index(found[3])]
        assert near(found[4], found[2] == "holds", chance)
    if found := re.search(r"compared with my (\w+), the card of G(\d) is (.*) and (.*)", words):
        kept, chances = NAMES.index(found[1]), held_by(view.struct, int(found[2]) - 1)
        assert hand == sorted([move.card, kept])
        for said, chance in ((found[3], chances[:kept].sum()), (found[4], chances[kept + 1 :].sum())):
            number = re.search(r"(\d+) %", said)
            assert near(number and number[1], "certainly" in said, chance)


@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_every_reason_is_true(agent: Agent) -> None:
    for players in LOVE_LETTER.players:
        table = table_of([agent] * players, dealt(players, rules=GAME, seed=7))
        while not table.over:
            view, turn = View(table.view(table.to_move)), table.step()
            assert "{" not in turn.decision.reason
            check(turn.decision.reason, Move(turn.decision.move), view)


def test_a_reason_gives_the_probability_behind_a_move() -> None:
    counting = next(agent for agent in AGENTS if agent.name == "counting")
    table = at("guard", "priest", draws="guard", agents=[counting] * 2)
    said = table.decide()
    assert re.fullmatch(
        r"I play the Guard, my best chance by the cards I have seen: G2 holds the \w+ with \d+ % probability",
        said.reason,
    )
