"""Communicativeness and risk aversion: counted again in plain Python, and at agents whose behaviour is known."""

import numpy as np
import pytest

from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.dice import set_dice
from kibitz.games.hanabi.agents.compose import Rule, discard_oldest, hint_random, play_if_probable, play_safe, rule_list
from kibitz.games.hanabi.analytics import playability
from kibitz.games.hanabi.behaviour import BEHAVIOUR
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move
from kibitz.learn.evaluator import Evaluator, compiled_agent
from tests.tables import table_of

TABLES = Evaluator(HANABI, 3, seed=4)
DEALS = TABLES.deals(0, 30)


def behaviour(*rules: Rule) -> tuple[float, float] | None:
    agent = rule_list("tested", rules, "")
    logs = TABLES.play([agent] * 3, DEALS, keeps=True).decisions
    return BEHAVIOUR.values(BEHAVIOUR.sums(DEALS.cards, 3, TABLES.rule_bits, logs, 0b111))


def counted_in_python(table: Table, seat: int) -> list[float]:
    """The same sums, from the views of one seat: turns with a token, hints, plays, and how sure these were."""
    sums = [0.0, 0.0, 0.0, 0.0]
    while not table.over:
        if table.to_move == seat:
            view, move = HANABI.view(table.seen(seat, False)), Move(table.decide().move)
            sums[0] += view.tokens > 0
            sums[1] += move.is_hint
            sums[2] += move.is_play
            sums[3] += playability(view, view.hand[move.slot]) if move.is_play else 0
        table.step()
    return sums


@pytest.mark.parametrize("seat", [0, 2])
def test_behaviour_is_what_a_seat_did_of_what_it_could_and_how_sure_it_was(seat: int) -> None:
    agents = [compiled_agent(HANABI, name) for name in ("piers", "flawed", "van_den_bergh")]
    logs = TABLES.play(agents, DEALS, keeps=True).decisions
    sums = BEHAVIOUR.sums(DEALS.cards, 3, TABLES.rule_bits, logs, 1 << seat)
    plainly = np.zeros(4)
    for cards, dice in zip(*DEALS, strict=True):
        start = np.zeros(1, HANABI.dtype)
        generic.deal(start[0], 3, TABLES.rule_bits, int(cards))
        set_dice(start[0], int(dice))
        plainly += counted_in_python(table_of(agents, start), seat)
    assert sums == pytest.approx(plainly)
    found = BEHAVIOUR.values(sums)
    assert found == pytest.approx((plainly[1] / plainly[0], plainly[3] / plainly[2]))


def test_who_tells_whenever_it_can_is_at_one_end_and_who_never_tells_at_the_other() -> None:
    talker, silent = behaviour(hint_random(), play_if_probable()), behaviour(play_if_probable())
    assert talker is not None
    assert silent is not None
    assert (talker[0], silent[0]) == (1.0, 0.0)
    assert 0 < silent[1] < 0.5


def test_who_plays_only_what_is_safe_takes_no_risk() -> None:
    found = behaviour(play_safe(), hint_random(to="anyone"), discard_oldest())
    assert found is not None
    assert found[1] == 1.0


def test_who_never_plays_has_no_risk_aversion() -> None:
    assert behaviour(discard_oldest(), hint_random()) is None
