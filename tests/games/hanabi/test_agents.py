"""Scripted tables: at this position this agent decides so, and says why."""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.engine import seeds
from kibitz.engine.dice import set_dice
from kibitz.games.hanabi import Move, position
from kibitz.games.hanabi.game import HANABI
from tests.fuzzing import FUZZING, TIMES
from tests.tables import (
    AGENTS,
    EVERY_RULES,
    HONEST,
    PLAYERS,
    at,
    dealt,
    make,
    named,
    other_cards,
    played,
    table_of,
    without_evidence,
)

ROLLS = 200
KEY = seeds.keys(21).dice


def decisions(name: str, *hands: str, rolls: int = ROLLS, **parts: Any) -> Counter[tuple[str, str]]:
    """What an agent decides at a position and why, counted over many rolls of its dice."""
    agent = registry.agent(HANABI, name)
    start = position(list(hands), **parts)
    decided: Counter[tuple[str, str]] = Counter()
    for roll in range(rolls):
        set_dice(start[0], seeds.number(KEY, roll))
        decision = table_of([agent] * len(hands), start).decide()
        decided[str(Move(decision.move)), without_evidence(decision.reason)] += 1
    return decided


def decided(name: str, *hands: str, **parts: Any) -> set[tuple[str, str]]:
    return set(decisions(name, *hands, **parts))


def moves(name: str, *hands: str, **parts: Any) -> set[str]:
    return {move for move, _ in decided(name, *hands, **parts)}


def evenly(counts: Sequence[int]) -> bool:
    """Each comes as often as the others, within five standard deviations."""
    total, share = sum(counts), 1 / len(counts)
    return all(abs(count - total * share) <= 5 * (total * share * (1 - share)) ** 0.5 for count in counts)


# Cheater


def test_cheater_plays_any_card_that_fits() -> None:
    assert decided("cheater", "r1 y4 g1", "b1 b2 b3") == {
        ("play 1", "I play my card 1 (red 1)"),
        ("play 3", "I play my card 3 (green 1)"),
    }


def test_cheater_discards_any_card_when_nothing_fits() -> None:
    assert decided("cheater", "r2 y4 g5", "b1 b2 b3", tokens=4) == {
        ("discard 1", "No card of mine can be played, so I discard my card 1 (red 2) at random"),
        ("discard 2", "No card of mine can be played, so I discard my card 2 (yellow 4) at random"),
        ("discard 3", "No card of mine can be played, so I discard my card 3 (green 5) at random"),
    }


def test_cheater_never_hints_where_it_may_discard() -> None:
    for players in PLAYERS:
        logs = played([registry.agent(HANABI, "cheater")] * players, 50).logs
        assert not any(Move(int(each) & 255).is_hint for each in logs.ravel() if each >= 0)


# SmartCheater


def test_smart_cheater_plays_what_another_player_can_go_on_with() -> None:
    assert decided("smart_cheater", "r1 y1 g1", "y2 b4 w4") == {("play 2", "I play my card 2 (yellow 1)")}
    assert moves("smart_cheater", "r3 y1", "r4 b4", piles={"red": 2}) == {"play 1"}


def test_smart_cheater_plays_the_lowest_rank_otherwise() -> None:
    assert moves("smart_cheater", "r3 y1", "b4 w4", piles={"red": 2}) == {"play 2"}
    assert moves("smart_cheater", "r3 y1 g1", "r4 y2 g2", piles={"red": 2}) == {"play 2", "play 3"}


def test_smart_cheater_takes_no_five_for_the_start_of_an_avalanche() -> None:
    """The red five is followed by no card, though the yellow one stands next to it in the list of kinds."""
    assert moves("smart_cheater", "r5 g4", "y1 b3", piles={"red": 4, "green": 3}) == {"play 2"}


PASSES = {"hint yellow to G2", "hint 3 to G2", "hint 4 to G2"}


def test_smart_cheater_passes_while_there_are_tokens_to_spare() -> None:
    spare = ": there are tokens to spare, and a discard would waste a turn"
    hands = ("r3 r4", "y3 y4")
    assert decided("smart_cheater", *hands, tokens=3) == {(move, f"To pass, I {move}{spare}") for move in PASSES}
    assert spare not in str(decided("smart_cheater", *hands, tokens=2))


def test_smart_cheater_counts_the_players_who_have_nothing_useless() -> None:
    piles = {"yellow": 3}
    assert "spare" in str(decided("smart_cheater", "r3 r5", "y3 y5", piles=piles, tokens=2))
    assert "spare" not in str(decided("smart_cheater", "r3 r5", "y3 y5", "b5 g5", piles=piles, tokens=2))
    assert "spare" in str(decided("smart_cheater", "r3 r5", "y3 y5", "b5 g5", piles=piles, tokens=3))


def test_smart_cheater_discards_a_useless_card() -> None:
    assert decided("smart_cheater", "r3 y2 y1", "y4 g3", piles={"yellow": 2}, tokens=1) == {
        ("discard 2", "I discard my card 2 (yellow 2): it can never be played"),
        ("discard 3", "I discard my card 3 (yellow 1): it can never be played"),
    }


def test_smart_cheater_passes_rather_than_discard_what_may_be_of_use() -> None:
    late = "none of my cards is useless yet"
    assert decided("smart_cheater", "r3 r4", "y3 y4", tokens=1) == {
        (move, f"To pass, I {move}: {late}") for move in PASSES
    }


def test_smart_cheater_without_a_token_discards_what_another_player_holds_too() -> None:
    assert decided("smart_cheater", "r3 r5 r2", "y3 r3", tokens=0) == {
        ("discard 1", "I discard my card 1 (red 3): another player holds a copy of it")
    }


def test_smart_cheater_without_a_token_or_a_copy_keeps_the_critical_cards() -> None:
    assert decided("smart_cheater", "r5 r3 y4", "y3 g3", discards="y4", tokens=0) == {
        ("discard 2", "I discard my card 2 (red 3): that loses nothing for good")
    }


def test_smart_cheater_gives_up_the_highest_card_when_all_are_critical() -> None:
    assert decided("smart_cheater", "r3 y4 r5 y5", "y3 g3", discards="r3 y4", tokens=0) == {
        (
            "discard 3",
            "I discard my card 3 (red 5): all my cards are last copies we need, and it is the highest",
        ),
        (
            "discard 4",
            "I discard my card 4 (yellow 5): all my cards are last copies we need, and it is the highest",
        ),
    }


# Erratic


def test_erratic_plays_discards_and_hints_with_equal_chance() -> None:
    counts = decisions("erratic", "r2 y4", "b1 w3", tokens=4, rolls=3000)
    verbs = Counter[str]()
    for (move, _), count in counts.items():
        verbs[move.split()[0]] += count
    assert evenly([verbs["play"], verbs["discard"], verbs["hint"]])
    assert evenly([counts["play 1", reason("play", "my card 1")], counts["play 2", reason("play", "my card 2")]])


def reason(verb: str, card: str) -> str:
    return f"I have no plan, so I {verb} {card}"


def test_erratic_does_anything() -> None:
    assert decided("erratic", "r2 y4", "b1 w3", tokens=4) == {
        ("play 1", reason("play", "my card 1")),
        ("play 2", reason("play", "my card 2")),
        ("discard 1", reason("discard", "my card 1")),
        ("discard 2", reason("discard", "my card 2")),
        ("hint blue to G2", reason("hint", "blue to G2")),
        ("hint 1 to G2", reason("hint", "1 to G2")),
        ("hint white to G2", reason("hint", "white to G2")),
        ("hint 3 to G2", reason("hint", "3 to G2")),
    }


def test_erratic_plays_a_card_it_knows_to_fit_if_it_plays() -> None:
    known = {"hints": ["red to G1", "1 to G1"]}
    plays = {move for move in moves("erratic", "y4 r1 g3", "b1 w3", **known) if move.startswith("play")}
    assert plays == {"play 2"}


def test_the_erratic_of_2020_does_anything_even_so() -> None:
    known = {"hints": ["red to G1", "1 to G1", "blue to G2"]}
    done = moves("erratic_2020", "y4 r1 g3", "b1 w3", **known)
    assert {"play 1", "play 2", "play 3", "hint blue to G2"} <= done


def test_erratic_hints_only_what_was_not_hinted_yet() -> None:
    hinted = {"hints": ["blue to G2", "3 to G2"]}
    hints = {move for move in moves("erratic", "r2 y4", "b1 w3", **hinted) if move.startswith("hint")}
    assert hints == {"hint 1 to G2", "hint white to G2"}


def test_erratic_passes_when_all_is_hinted() -> None:
    hinted = {"hints": ["blue to G2", "1 to G2"]}
    hints = {move for move in moves("erratic", "r2 y4", "b1", **hinted) if move.startswith("hint")}
    assert hints == {"hint blue to G2", "hint 1 to G2"}


def test_erratic_does_only_what_is_legal() -> None:
    verbs = {move.split()[0] for move in moves("erratic", "r2 y4", "b1 w3", tokens=0)}
    assert verbs == {"play", "discard"}
    verbs = {move.split()[0] for move in moves("erratic", "r2 y4", "b1 w3", rules={"full_discard": "forbidden"})}
    assert verbs == {"play", "hint"}


# StoppedClock


def test_stopped_clock_plays_what_was_hinted_in_full_and_fits() -> None:
    known = {"hints": ["red to G1", "1 to G1"]}
    counts = decisions("stopped_clock", "y4 r1 g3", "b1 w3", tokens=4, rolls=3000, **known)
    verbs = Counter[str]()
    for (move, _), count in counts.items():
        verbs[move.split()[0]] += count
    assert evenly([verbs["play"], verbs["discard"], verbs["hint"]])
    plays = {each for each in counts if each[0].startswith("play")}
    assert plays == {("play 2", "Hints revealed my card 2, so I play it")}


def test_stopped_clock_never_plays_a_card_it_does_not_know_in_full() -> None:
    """Every one could be played, but only the rank was hinted."""
    verbs = {move.split()[0] for move in moves("stopped_clock", "r1 y1 g1", "b1 w3", tokens=4, hints=["1 to G1"])}
    assert verbs == {"discard", "hint"}


def test_stopped_clock_does_not_play_a_known_card_that_does_not_fit() -> None:
    known = {"hints": ["red to G1", "2 to G1"], "tokens": 4}
    verbs = {move.split()[0] for move in moves("stopped_clock", "r2 y4", "b1 w3", **known)}
    assert verbs == {"discard", "hint"}


IN_PART = ["red to G1", "2 to G1", "4 to G1"]


@pytest.mark.parametrize(
    ("hints", "slots"),
    [
        (IN_PART, {3, 4}),
        ([*IN_PART, "5 to G1"], {2, 3, 4}),
        ([*IN_PART, "5 to G1", "yellow to G1", "green to G1"], {1, 2, 3, 4}),
    ],
)
def test_stopped_clock_discards_what_it_knows_least_about(hints: list[str], slots: set[int]) -> None:
    """Its cards are a red 2, a yellow 4 and two fives: hinted in full, in part, or not at all."""
    assert decided("stopped_clock", "r2 y4 g5 y5", "b1 w3", hints=hints, tokens=0) == {
        (f"discard {slot}", f"I discard my card {slot}, as I know least about it") for slot in slots
    }


def test_stopped_clock_does_not_discard_with_all_tokens_there() -> None:
    assert decided("stopped_clock", "r2 y4", "b1") == {
        ("hint blue to G2", "I hint blue to G2: a random new hint"),
        ("hint 1 to G2", "I hint 1 to G2: a random new hint"),
    }


def test_stopped_clock_without_a_token_discards() -> None:
    assert moves("stopped_clock", "r2 y4", "b1 w3", tokens=0) == {"discard 1", "discard 2"}


def test_stopped_clock_passes_when_all_is_hinted() -> None:
    assert moves("stopped_clock", "r2 y4", "b1", hints=["blue to G2", "1 to G2"]) == {"hint blue to G2", "hint 1 to G2"}


# SimpleDistrustful


def test_simple_distrustful_plays_a_rank_that_every_pile_waits_for() -> None:
    assert decided("simple_distrustful", "g3 r1", "y2 b3", hints=["1 to G1"]) == {("play 2", "I play my card 2")}


def test_simple_distrustful_does_not_play_a_rank_that_one_pile_has_passed() -> None:
    assert not played_cards("g3 r1", "y2 b3", hints=["1 to G1"], piles={"yellow": 1})


def played_cards(*hands: str, **parts: Any) -> set[str]:
    return {move for move in moves("simple_distrustful", *hands, **parts) if move.startswith("play")}


def test_simple_distrustful_plays_what_was_hinted_in_full_the_lowest_rank_first() -> None:
    known = {"hints": ["red to G1", "yellow to G1", "3 to G1", "1 to G1"], "piles": {"red": 2, "blue": 1}}
    assert played_cards("r3 y1", "b4 w3", **known) == {"play 2"}
    assert played_cards("r3 g1", "b4 w3", **{**known, "hints": ["red to G1", "3 to G1"]}) == {"play 1"}


def test_simple_distrustful_does_not_play_a_known_card_that_does_not_fit() -> None:
    assert not played_cards("r3 g2", "b4 w3", hints=["red to G1", "3 to G1"], piles={"red": 1})


def test_simple_distrustful_hints_the_lowest_wanted_card_of_the_whole_table_rank_first() -> None:
    assert decided("simple_distrustful", "r4 r5", "b3 g2", "w3 w1") == {
        (
            "hint 1 to G3",
            "I hint 1 to G3: G3's card 2 (white 1) is the lowest card that we need and no hint has shown",
        )
    }


def test_simple_distrustful_hints_to_the_nearest_player_on_ties() -> None:
    assert moves("simple_distrustful", "b3 g2", "w3 w1", "y5 g1", to_move=2) == {"hint 1 to G3"}
    assert moves("simple_distrustful", "b3 g1", "w3 w1", "y5 g5", to_move=3) == {"hint 1 to G1"}


def test_the_simple_distrustful_of_2020_hints_the_nearest_player() -> None:
    hands = ("r4 r5", "b3 g2", "w3 w1")
    assert moves("simple_distrustful_2020", *hands) == {"hint 2 to G2"}
    assert moves("simple_distrustful_2020", *hands, tokens=1) == {"hint 2 to G2"}


def test_simple_distrustful_hints_the_colour_when_the_rank_is_hinted() -> None:
    assert moves("simple_distrustful", "r4 r5", "b1 g2", hints=["1 to G2"], piles={"red": 1}) == {"hint blue to G2"}


def test_simple_distrustful_does_not_hint_what_is_hinted_in_full_or_on_its_pile() -> None:
    hinted = {"hints": ["1 to G2", "blue to G2"], "piles": {"red": 1, "yellow": 1}}
    assert moves("simple_distrustful", "r4 r5", "b1 r1 y1 g3", **hinted) == {"hint 3 to G2"}


def test_simple_distrustful_does_not_hint_a_card_whose_copy_is_marked() -> None:
    assert moves("simple_distrustful", "r4 r5", "b2 g4", "b2 g3", hints=["2 to G3"]) == {"hint blue to G3"}


def test_simple_distrustful_keeps_its_last_token_and_discards_what_is_not_marked() -> None:
    assert decided("simple_distrustful", "r4 r5 y3", "b2 g4", hints=["5 to G1"], tokens=1) == {
        ("discard 1", "I discard my card 1, as I know least about it"),
        ("discard 3", "I discard my card 3, as I know least about it"),
    }


HINTED = {"hints": ["red to G1", "yellow to G1", "4 to G1", "5 to G1"], "tokens": 1}


def test_simple_distrustful_discards_what_is_not_known_to_be_critical_when_all_is_hinted() -> None:
    assert decided("simple_distrustful", "r4 y4 r5", "b2 g4", discards="y4", **HINTED) == {
        ("discard 1", "I discard my card 1: by hints alone, it need not be a last copy")
    }


def test_simple_distrustful_discards_any_card_when_all_are_critical() -> None:
    assert decided("simple_distrustful", "r4 y4 r5", "b2 g4", discards="y4 r4", **HINTED) == {
        (f"discard {n}", f"I discard my card {n} at random: all my cards are last copies we need") for n in (1, 2, 3)
    }


# Random


def test_random_legal_makes_every_legal_move_equally_often() -> None:
    hands = ("r2 y4", "b1 w3", "g5")
    counts = decisions("random_legal", *hands, tokens=4, rolls=4000)
    legal = {str(move) for move in HANABI.view(position(list(hands), tokens=4)[0]).legal}
    assert {move for move, _ in counts} == legal
    assert evenly(list(counts.values()))
    assert {why for _, why in counts} == {"I make any legal move"}


# Promises of every agent


@pytest.mark.fuzz
@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_no_agent_makes_an_illegal_move(agent: Agent) -> None:
    """800 games of every agent, 25 at tables of every size by each set of rules."""
    for rules, players in itertools.product(EVERY_RULES, PLAYERS):
        games = played([agent] * players, 25 * TIMES, rules=rules, seed=22)
        assert games.done == 25 * TIMES
        scores, lives, turns = games.results.T
        assert scores.min() >= 0
        assert scores.max() <= 25
        assert turns.max() <= HANABI.longest
        assert not (scores[lives == 0].any() and rules["lost_game"] == "zero")


@pytest.mark.fuzz
@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_no_agent_makes_an_illegal_move_among_others(players: int, rules: dict[str, str]) -> None:
    for first in range(len(AGENTS)):
        agents = [AGENTS[(first + seat) % len(AGENTS)] for seat in range(players)]
        assert played(agents, 20 * TIMES, rules=rules, seed=23).done == 20 * TIMES


@pytest.mark.fuzz
@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_every_reason_is_a_whole_sentence(agent: Agent) -> None:
    """At a table of one size by each set of rules, and under `make fuzz` at tables of every size."""
    sizes = zip(EVERY_RULES, itertools.cycle(PLAYERS), strict=False)
    for rules, players in itertools.product(EVERY_RULES, PLAYERS) if FUZZING else sizes:
        table = table_of([agent] * players, dealt(players, rules=rules, seed=24))
        table.run()
        for turn in table.turns:
            assert turn.decision.reason
            assert "{" not in turn.decision.reason, table.text(turn)


@pytest.mark.parametrize("agent", HONEST, ids=named)
def test_an_honest_agent_does_not_name_its_own_cards(agent: Agent) -> None:
    for players in PLAYERS:
        table = table_of([agent] * players, dealt(players, seed=25))
        table.run()
        assert not any("my card" in turn.decision.reason and "(" in turn.decision.reason for turn in table.turns)


def test_cheaters_do_best_and_thinking_helps() -> None:
    """Mean scores of 1,000 games: each agent is far above the one before it."""
    ladder = ["erratic", "stopped_clock", "simple_distrustful", "cheater", "smart_cheater"]
    for players in PLAYERS:
        means = [played([registry.agent(HANABI, name)] * players, 1000).results[:, 0].mean() for name in ladder]
        assert all(better - worse > 0.5 for worse, better in itertools.pairwise(means)), means


@pytest.mark.parametrize("agent", AGENTS, ids=named)
def test_an_agent_finds_a_legal_move_when_nobody_else_holds_a_card(agent: Agent) -> None:
    for rules, tokens in itertools.product(EVERY_RULES, (7, 8)):
        table = at("r5", "y5", agents=[agent] * 2, discards=other_cards("r5", "y5"), tokens=tokens, rules=rules)
        make(table, "play 1")
        table.step()
