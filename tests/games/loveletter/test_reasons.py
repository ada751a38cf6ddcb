"""Every reason of every agent is true for who reads it: what it claims is so by the view it was decided by."""

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
    """What a reason says of a move is so for who sees the view."""
    hand = sorted(view.cards(view.seat))
    if "must be played" in words:
        assert move.card == COUNTESS
        assert KING in hand or PRINCE in hand
    if "the only legal move" in words:
        assert list(view.legal) == [move]
    if "any move but the Princess" in words:
        assert move.card != PRINCESS
    if "everybody is protected" in words:
        assert all(view.is_protected(seat) or view.is_out(seat) for seat in range(view.players) if seat != view.seat)
    if "nobody can touch me" in words:
        assert str(move.card) == "Handmaid"
    if found := re.search(r"G(\d) (surely )?(does not hold|holds) the (\w+)(?: with a chance of (\d+) %)?", words):
        assert int(found[1]) - 1 == move.target
        chance = held_by(view.struct, int(found[1]) - 1)[NAMES.index(found[4])]
        assert near(found[5], found[3] == "holds", chance)
    if found := re.search(r"against my (\w+) the card of G(\d) is (.*), and (.*)", words):
        kept, chances = NAMES.index(found[1]), held_by(view.struct, int(found[2]) - 1)
        assert hand == sorted([move.card, kept])
        for said, chance in ((found[3], chances[:kept].sum()), (found[4], chances[kept + 1 :].sum())):
            number = re.search(r"(\d+) %", said)
            assert near(number and number[1], "surely" in said, chance)


@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_what_a_reason_claims_is_so(agent: Agent) -> None:
    for players in LOVE_LETTER.players:
        table = table_of([agent] * players, dealt(players, rules=GAME, seed=7))
        while not table.over:
            view, turn = View(table.view(table.to_move)), table.step()
            assert "{" not in turn.decision.reason
            check(turn.decision.reason, Move(turn.decision.move), view)


def test_a_reason_says_what_speaks_for_a_move() -> None:
    counting = next(agent for agent in AGENTS if agent.name == "counting")
    table = at("guard", "priest", draws="guard", agents=[counting] * 2)
    said = table.decide()
    assert re.fullmatch(
        r"Guard: the best chance, .* what I was shown; G2 holds the \w+ with a chance of \d+ %", said.reason
    )
