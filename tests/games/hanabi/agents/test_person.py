"""The model of real people as a player, and the three programs of the study that it was fitted to."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Decision
from kibitz.core.table import Table
from kibitz.errors import KibitzError
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.people import model
from tests.tables import at, dealt, played, table_of

DATA_RULES = {"lost_game": "piles", "full_discard": "allowed"}
TABLE_RULES = HANABI.check_rules(HANABI.table_rules)


def named(name: str) -> CompiledAgent:
    agent = registry.agent(HANABI, name)
    assert isinstance(agent, CompiledAgent)
    return agent


def habits(table: Table, seat: int) -> Any:
    return table.players[seat].known("memory")["habits"].copy()  # type: ignore[attr-defined]


def decision(name: str, table: Table, seat: int = 0) -> Any:
    return named(name).take_seat(HANABI).decide(table.view(seat))


# Real people


def test_a_person_stays_the_same_for_a_game_and_another_one_plays_the_next() -> None:
    table = table_of([named("person")] * 2, dealt(2, seed=1))
    first = habits(table, 0), habits(table, 1)
    table.run()
    assert (habits(table, 0) == first[0]).all()
    assert (habits(table, 1) == first[1]).all()
    assert (first[0] != first[1]).any()
    assert (habits(table_of([named("person")] * 2, dealt(2, seed=2)), 0) != first[0]).any()


def test_experience_is_a_word_and_changes_whom_is_drawn() -> None:
    rules = HANABI.check_rules(DATA_RULES)
    means = {
        word: played([named("eger_outer"), named(f"person@experience={word}")], 400, seed=3, rules=rules).results[:, 0]
        for word in ("new", "expert", "anyone")
    }
    assert (means["new"] != means["expert"]).any()
    assert (named("person").weights.values == named("person@experience=anyone").weights.values).all()
    with pytest.raises(KibitzError, match="experience is one of new, dabbling, intermediate, expert"):
        named("person@experience=good")
    with pytest.raises(KibitzError, match="from 0 to 10"):
        named("person@caution=11")


def test_without_variety_everybody_is_the_average_person() -> None:
    agent = named("person@variety=0")
    tables = [table_of([agent] * 2, dealt(2, seed=seed)) for seed in (1, 2)]
    assert (habits(tables[0], 0) == habits(tables[1], 1)).all()


def test_caution_only_counts_on_the_last_life_where_a_lost_game_scores_nothing() -> None:
    """400 games of seed 5: more care loses fewer games."""
    lost = []
    for name in ("person", "person@caution=6"):
        results = played([named("eger_outer"), named(name)], 400, seed=5, rules=TABLE_RULES).results
        lost.append((results[:, 1] == 0).mean())
    assert lost[1] < lost[0] - 0.1
    rules = HANABI.check_rules(DATA_RULES)
    games = [
        played([named("eger_outer"), named(name)], 20, seed=5, rules=rules).results.tolist()
        for name in ("person", "person@caution=6")
    ]
    assert games[0] == games[1]


def test_with_the_program_of_the_data_it_scores_and_loses_as_people_do() -> None:
    """1,000 games of seed 1; people have 8.9 to 10.3 points on average and lose 70 to 83 % of the games."""
    results = played([named("eger_outer"), named("person")], 1000, seed=1, rules=HANABI.check_rules(DATA_RULES)).results
    assert 8.7 < results[:, 0].mean() < 10.5
    assert 0.68 < (results[:, 1] == 0).mean() < 0.85
    assert 4.5 < results[:, 0].std() < 5.5


def test_it_says_that_it_was_hinted_a_card() -> None:
    table = table_of([named("eger_outer"), named("person")], dealt(2, seed=4))
    reasons = [turn.decision.reason for turn in table.steps() if turn.seat == 1]
    assert any(reason.startswith("I was just hinted") and "so I play it" in reason for reason in reasons)


def test_a_model_of_ones_own_plays(tmp_path: Path) -> None:
    model.save(tmp_path / "mine.npz", model.load())
    agent = named(f"person@{tmp_path / 'mine.npz'}@experience=new")
    assert agent.weights.values[0] == 0
    assert np.isfinite(agent.weights.values).all()
    (tmp_path / "other.npz").write_bytes(b"no model")
    with pytest.raises(KibitzError, match="A model of people is a file that `kibitz people fit` wrote"):
        named(f"person@{tmp_path / 'other.npz'}")


# The programs


def test_outer_hints_colour_and_rank_of_a_playable_card_and_then_something_else() -> None:
    """The same card is hinted by each property once, though both would still be legal."""
    table = table_of([named("eger_outer"), named("stopped_clock")], dealt(2, seed=6))
    given: list[tuple[int, bool]] = []
    for turn in table.steps():
        if turn.seat == 0 and "can be played" in turn.decision.reason and "hint" in turn.decision.reason:
            place = turn.decision.reason.partition("G2's card ")[2][0]
            given.append((int(table.state["hands"][1][int(place) - 1]), turn.decision.move % 10 < 5))
    assert len(given) > 1
    assert len(given) == len(set(given))


@pytest.mark.parametrize(("name", "slot"), [("eger_outer", 1), ("full", 1), ("intentional", 3)])
def test_of_certain_cards_one_plays_the_oldest_and_another_the_newest(name: str, slot: int) -> None:
    table = at("r1 y1 b1 w5 w4", "g4 g3 b3 y3 y4", hints=["1 to G1"])
    assert decision(name, table).reason.startswith(f"I play my card {slot}")


def test_an_intentional_hint_leads_to_what_is_wanted_and_to_nothing_else() -> None:
    """Red would make G2 play the red 4, too; ones would make it play nothing else."""
    table = at("w5 w4 w3 w2 b5", "r1 r4 g3 b3 y4")
    said = decision("intentional", table)
    assert HANABI.move_text(said.move) == "hint 1 to G2"
    assert "it leads to what I want you to do with these cards" in said.reason


def test_full_plays_a_card_that_was_just_hinted_and_may_fit() -> None:
    table = table_of([named("stopped_clock"), named("full")], at("r1 y4 g4 b4 w4", "r2 r3 y3 g3 b3").start)
    table.make(decision_of(table, "hint red to G2"))
    said = table.decide()
    assert HANABI.move_text(said.move) == "play 1"
    assert "it may be playable" in said.reason
    assert HANABI.move_text(decision("intentional", table, 1).move) != "play 1"


def decision_of(table: Table, text: str) -> Decision:
    return Decision(HANABI.move(text, table.state))


def test_without_a_good_hint_the_cheapest_card_goes() -> None:
    """By hints alone a five costs more than an unknown card."""
    table = at("w5 w4 w3 w2 b4", "g4 g3 b3 y3 y4", tokens=0, hints=["5 to G1"])
    said = decision("intentional", table)
    assert HANABI.move_text(said.move) != "discard 1"
    assert "costs least" in said.reason
