"""Search for people: what it learns of a partner, that it does not peek, and that searching changes little else."""

import random

import numpy as np
import pytest

from kibitz.core.agent import CompiledAgent, Decision
from kibitz.core.table import Table
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.partner import partner
from kibitz.games.hanabi.agents.person import person
from kibitz.games.hanabi.agents.search_partner import search_partner
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.people.listening import COPY, EXPERIENCES, PEOPLE
from tests.games.hanabi.agents.test_search import asked, game_of
from tests.tables import dealt, played, table_of, wander
from tests.wall import decided_the_same

QUICK = search_partner.with_budget(Budget(24))
RULES = HANABI.check_rules(HANABI.table_rules)


def played_with(other: CompiledAgent, turns: int) -> Table:
    table = table_of([QUICK, other], dealt(2, seed=5, number=2))
    while len(table.turns) < turns and not table.over:
        table.step()
    return table


def known(table: Table, seat: int = 1) -> np.ndarray:
    memory = table.players[0].known("memory")  # type: ignore[attr-defined]
    return np.array(memory["kinds"][seat])


def test_a_copy_is_told_from_a_person() -> None:
    """After some moves of each; what it knows adds up to 1."""
    copy, human = (known(played_with(other, 21)) for other in (partner, person))
    assert copy.sum() == pytest.approx(1)
    assert copy[COPY] > 0.5
    assert human[COPY] < 0.05


def test_it_distinguishes_people() -> None:
    found = known(played_with(person, 21))[:PEOPLE]
    assert found.max() > 2 * np.median(found)
    assert set(EXPERIENCES) == set(range(max(EXPERIENCES) + 1))


@pytest.mark.parametrize("players", [2, 4])
def test_it_decides_by_what_it_sees(players: int) -> None:
    """At every ninth turn of a game in which people and copies make sense of each other's moves."""
    table = table_of([partner, person, partner, person][:players], dealt(players, seed=12))
    for turn, _ in enumerate(table.steps(), start=1):
        if turn % 9 == 5 and not table.over:
            decided_the_same(table, QUICK, turn)


def test_after_random_moves_too() -> None:
    table = table_of((), dealt(3, seed=11))
    for turn, _ in enumerate(wander(table, random.Random(3))):
        if turn % 9 == 5 and not table.over:
            decided_the_same(table, QUICK, turn)


def test_the_same_seed_gives_the_same_games() -> None:
    logs = [played([QUICK, person], 2, seed=3, rules=RULES).logs.tolist() for _ in range(2)]
    assert logs[0] == logs[1]


def test_a_decision_does_not_depend_on_when_it_was_last_asked() -> None:
    table = game_of(2, 2, left=25, agent=partner)
    once, _ = asked(QUICK, table)
    player = QUICK.take_seat(HANABI)
    again: Decision | None = None
    for past in table.from_the_start():
        player.observe(past.view(0))
        if past.to_move == 0 and not past.over:
            again = player.decide(past.view(0))
    assert once == again


def test_without_a_budget_it_plays_like_its_favourite() -> None:
    table = game_of(2, 1, left=30, agent=partner)
    decision, memory = asked(search_partner.with_budget(Budget(1)), table)
    assert decision.move == partner.take_seat(HANABI).decide(table.view(0)).move
    assert memory["simulations"] == 0
    assert "points" not in decision.reason


def test_it_says_what_it_expects() -> None:
    table = table_of([QUICK, person], dealt(2, seed=7))
    reasons = [turn.decision.reason for turn in table.steps() if turn.seat == 0]
    assert any("I expect" in reason and "simulated games" in reason for reason in reasons)


def test_other_models_are_refused() -> None:
    with pytest.raises(KibitzError, match="takes no other models"):
        search_partner.with_models([person, partner]).take_seat(HANABI)
