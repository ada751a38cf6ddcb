"""A guest among strangers: its models of them, its results with them, and what it does in unusual positions."""

import json
import math
import random
import sys
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.table import Table
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.distrustful import distrustful
from kibitz.games.hanabi.agents.guest import guest, guest_knowing
from kibitz.games.hanabi.agents.guest_models import KNOWN, PAIRS
from kibitz.games.hanabi.agents.hajdu import hajdu_v2
from kibitz.games.hanabi.agents.trustful import trustful
from kibitz.games.hanabi.game import HANABI
from tests.games.hanabi.agents.test_search import asked, game_of, start_with, unseen_cards, ways
from tests.golden import game_text, is_as_kept
from tests.plainly import interpreted
from tests.tables import PLAYERS, at, dealt, other_cards, played, table_of, wander
from tests.wall import decided_by_what_is_seen, decided_the_same

SEED = 24
GOLDEN = Path(__file__).parent / "golden"
QUICK = guest.with_budget(Budget(60))
FRIENDS = (trustful, distrustful, hajdu_v2)  # they draw no dice


def named(name: str) -> CompiledAgent:
    agent = registry.agent(HANABI, name)
    assert isinstance(agent, CompiledAgent)
    return agent


def taken_for(table: Table, seat: int, models: Sequence[Agent] = KNOWN) -> list[tuple[str, float]]:
    """Whom a guest in seat 0 holds a partner to be, the likeliest first."""
    chances = table.players[0].known("memory")["chances"][seat]  # type: ignore[attr-defined]
    return sorted(((agent.name, float(chance)) for agent, chance in zip(models, chances, strict=False)), key=by_chance)


def by_chance(model: tuple[str, float]) -> float:
    return -model[1]


# The agents it takes its partners for


@pytest.mark.parametrize("name", ["trustful", "distrustful", "signal", "convention2", "stopped_clock", "partner"])
def test_it_finds_out_whom_a_partner_plays_like(name: str) -> None:
    """By what it knows after 16 rounds; one of them remembers what it alone saw, two draw dice."""
    partner = next(agent for agent in KNOWN if agent.name == name)
    table = table_of([QUICK, partner], dealt(2, seed=SEED, number=1))
    for _ in range(33):
        table.step()
    (who, chance), *_ = taken_for(table, 1)
    assert who == name
    assert chance > 0.5


def test_a_person_is_taken_for_one() -> None:
    """By the kinds of people together, after 16 rounds; they differ too little to tell them apart in a game."""
    table = table_of([QUICK, named("person")], dealt(2, seed=SEED, number=1))
    while len(table.turns) < 33 and not table.over:
        table.step()
    assert sum(chance for name, chance in taken_for(table, 1) if name.startswith("person_")) > 0.9


def test_partners_are_distinguished_from_each_other() -> None:
    table = table_of([QUICK, named("piers"), trustful, named("reinforced4")], dealt(4, seed=SEED))
    table.run()
    assert [taken_for(table, seat)[0][0] for seat in (1, 2, 3)] == ["piers", "trustful", "reinforced4"]


def ending(agents: Sequence[Agent]) -> Table:
    """The end of a game for three, with three cards in the deck."""
    hands, piles = ["r5 y4 g3", "y5 y3 g1", "w1 b1 b2"], {"red": 3, "yellow": 2}
    discards = other_cards(*hands, "r4 g2 w1", piles=piles)
    return table_of(agents, at(*hands, deck="r4 g2 w1", discards=discards, piles=piles, tokens=3).start)


def test_how_likely_a_model_is_is_what_brute_force_says() -> None:
    """The mean over all hands of how likely it made every move, an error counting 0.02."""
    agent = guest_knowing(FRIENDS).with_budget(Budget(60)).with_weights({"posterior_hands": 4000.0})
    table = ending([agent, trustful, distrustful])
    for _ in range(4):
        table.step()
    when_asked = table.at_turn(3, [trustful.take_seat(HANABI) for _ in range(3)])
    for seat in (1, 2):
        found = table.players[0].known("memory")["logs"][seat][: len(FRIENDS)].tolist()  # type: ignore[attr-defined]
        wanted = [math.log(explained(when_asked, model, seat)) for model in FRIENDS]
        assert found == pytest.approx([log - max(wanted) for log in wanted], abs=1e-9)
        assert min(found) < -1


def explained(table: Table, model: Agent, seat: int) -> float:
    """How well a model explains the moves of a seat, over every hand of seat 0."""
    view = table.view(0)
    hinted, held = view["hinted_kinds"][0].tolist(), int(view["held"][0])
    unseen, total = unseen_cards(view), 0.0
    cards = list(unseen.elements())
    for hand in set(permutations(cards, held)):
        if all(hinted[slot] >> kind & 1 for slot, kind in enumerate(hand)):
            deck = tuple((unseen - type(unseen)(hand)).elements())
            total += ways(unseen, hand) * chance_of_game(table, start_with(table, hand, deck), model, seat)
    return total


def chance_of_game(table: Table, start: Any, model: Agent, seat: int) -> float:
    chance, other = 1.0, table_of([model] * 3, start)
    for turn in table.turns:
        if turn.seat == seat and other.decide().move != turn.decision.move:
            chance *= 0.02
        other.make(turn.decision)
    return chance


def test_every_acquaintance_was_measured_with_every_other() -> None:
    measured = json.loads(PAIRS.read_text("utf-8"))
    assert measured["agents"] == [agent.name for agent in KNOWN]
    assert list(measured["means"]) == [str(players) for players in PLAYERS]
    assert not any(agent.traits.cheats or agent.traits.searches for agent in KNOWN)


# How it gets on with them


def test_it_scores_more_with_a_stranger_than_the_strangers_own_copy() -> None:
    """8 deals of seed 24, 60 playouts per move: it gains more than a point; the test requires half a point."""
    rules = HANABI.check_rules({"lost_game": "zero"})
    means = [
        played([agent, distrustful], 8, seed=SEED, rules=rules).results[:, 0].mean() for agent in (distrustful, QUICK)
    ]
    assert means[1] > means[0] + 0.5


def test_one_partner_who_moves_at_random_does_not_spoil_what_the_others_are_taken_for() -> None:
    table = table_of([QUICK, named("random_legal"), trustful], dealt(3, seed=SEED))
    reasons = [turn.decision.reason for turn in table.steps() if turn.seat == 0]
    assert taken_for(table, 1)[0][0] != "trustful"
    assert taken_for(table, 2)[0][0] == "trustful"
    assert "G3 plays like Trusting Taylor (99 %)" in reasons[-1]


def test_the_game_goes_as_it_always_did() -> None:
    table = table_of([QUICK, trustful, named("stopped_clock")], dealt(3, seed=SEED))
    text = game_text(table, f"guest, trustful, stopped_clock, seed {SEED}, game 0", "{number:3}  {text:26}  {reason}")
    is_as_kept(text, GOLDEN / "guest-3.txt")


# What it says


def test_it_says_whom_it_takes_the_partners_for_and_what_it_expects() -> None:
    table = table_of([QUICK, trustful, distrustful], dealt(3, seed=SEED))
    for turn in table.steps():
        if turn.seat == 0:
            memory = table.players[0].known("memory")  # type: ignore[attr-defined]
            for seat in (1, 2):
                who, chance = taken_for(table, seat)[0]
                title = next(agent.title for agent in KNOWN if agent.name == who)
                shown = min(max(round(100 * chance), 1), 99)
                words = f"G{seat + 1} {'plays' if chance > 0.5 else 'may play'} like {title} ({shown} %)"
                unknown = f"Nothing is known of G{seat + 1} yet"
                assert (words if turn.number > 3 else unknown).lower() in turn.decision.reason.lower()
            if memory["simulations"]:
                assert f"and expect {25 * memory['value']:.1f} points" in turn.decision.reason


# The wall, and chance


@pytest.mark.parametrize("players", [2, 5])
def test_it_decides_by_what_it_sees(players: int) -> None:
    agent = guest_knowing(FRIENDS).with_budget(Budget(30)).with_weights({"max_hands": 60.0, "posterior_hands": 8.0})
    decided_by_what_is_seen(table_of([agent] * players, dealt(players, seed=12)))


def test_after_random_moves_too() -> None:
    agent = guest.with_budget(Budget(30)).with_weights({"max_hands": 60.0, "posterior_hands": 8.0})
    table = table_of((), dealt(3, seed=11))
    for turn, _ in enumerate(wander(table, random.Random(3))):
        if turn % 9 == 5 and not table.over:
            decided_the_same(table, agent, turn)


def test_the_same_seed_gives_the_same_games() -> None:
    logs = [played([QUICK, trustful], 2, seed=3).logs.tolist() for _ in range(2)]
    assert logs[0] == logs[1]


def test_a_decision_does_not_depend_on_when_it_was_last_asked() -> None:
    table = game_of(2, 2, left=25)
    once, _ = asked(QUICK, table)
    player = QUICK.take_seat(HANABI)
    for past in table.from_the_start():
        player.observe(past.view(0))
        if past.to_move == 0 and not past.over:
            again = player.decide(past.view(0))
    assert once == again


# If all is not as it should be


def test_without_a_budget_it_plays_as_whoever_goes_best_with_the_partners() -> None:
    table = game_of(2, 1, left=30)
    for budget in (Budget(), Budget(1)):
        decision, memory = asked(guest.with_budget(budget), table)
        assert decision.move in HANABI.legal(table.view(0))
        assert "without a search" in decision.reason
        assert memory["simulations"] == 0


def test_a_position_without_a_history_is_searched_by_what_hints_say() -> None:
    table = at("r1 y2 g3", "b1 b2 w3", tokens=3, hints=["1 to G1"])
    decision, _ = asked(QUICK, table)
    assert "and expect" in decision.reason
    assert "Nothing is known of G2 yet" in decision.reason


def test_who_was_not_shown_the_game_goes_by_what_it_sees_now() -> None:
    table = game_of(3, 1, left=20)
    decision = QUICK.take_seat(HANABI).decide(table.view(0))
    assert decision.move in HANABI.legal(table.view(0))
    assert "and expect" in decision.reason


def test_a_search_ends_with_its_time() -> None:
    table = game_of(5, 1, left=25)
    decision, _ = asked(guest.with_budget(Budget(milliseconds=1)), table)
    assert decision.move in HANABI.legal(table.view(table.to_move))
    _, memory = asked(guest.with_budget(Budget(iterations=400, milliseconds=3_600_000)), table)
    assert 0 < memory["simulations"] <= 400


def test_it_has_acquaintances_of_its_own() -> None:
    with pytest.raises(KibitzError, match="has its own models and takes no others"):
        named("guest:trustful").take_seat(HANABI)


# Plain Python


def endings() -> list[Any]:
    """Its decision at each of its turns at the end of a game, and the agents it takes the others for."""
    agent = guest_knowing(FRIENDS).with_budget(Budget(30)).with_weights({"max_hands": 40.0, "posterior_hands": 8.0})
    table = ending([agent, trustful, distrustful])
    samples: list[Any] = []
    for turn in table.steps():
        memory = table.players[0].known("memory")  # type: ignore[attr-defined]
        samples.append([*turn.decision, memory["chances"].round(9).tolist()])
    return samples


@pytest.mark.machine_code
def test_plain_python_searches_as_machine_code_does() -> None:
    assert interpreted(__name__)["endings"] == json.loads(json.dumps(endings()))


if __name__ == "__main__":
    json.dump({"endings": endings()}, sys.stdout)
