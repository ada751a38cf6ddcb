"""Bred rule lists are rule lists like any other: whatever chance makes of them plays by the rules and fits a file."""

from pathlib import Path
from random import Random
from typing import Any

from kibitz.core import registry
from kibitz.games.hanabi.agents import breeding, compose, rule_words
from kibitz.games.hanabi.agents.breeding import MOST, RULE_LISTS
from kibitz.games.hanabi.game import HANABI
from kibitz.learn.evaluator import Evaluator, compiled_agent

TABLES = Evaluator(HANABI, 3, seed=9)


def lists(count: int, seed: int) -> list[Any]:
    """Random lists, then children of them, and children of those."""
    dice = Random(seed)
    found = [RULE_LISTS.random(dice) for _ in range(count)]
    for _ in range(4 * count):
        child = RULE_LISTS.mixed(dice.choice(found), dice.choice(found), dice)
        found.append(RULE_LISTS.changed(child, dice))
    return found


def test_every_rule_and_condition_can_be_bred_and_said_in_words() -> None:
    assert set(breeding.POOL) == set(compose.RULES) == set(rule_words.PHRASES)
    without = {"players_above", "players_below"}  # the number of players is what it is bred for
    assert set(breeding.CONDITIONS) == set(compose.CONDITIONS) - without


def test_whatever_is_bred_is_a_list_that_makes_only_legal_moves() -> None:
    deals = TABLES.deals(0, 3)
    for genes in lists(40, seed=1):
        assert 1 <= len(genes) <= MOST
        TABLES.play([RULE_LISTS.agent(genes, "bred")] * 3, deals)  # which fails at an illegal move


def test_a_bred_list_is_a_file_that_plays_the_same(tmp_path: Path) -> None:
    for number, genes in enumerate(lists(8, seed=2)):
        path = tmp_path / f"{number}.toml"
        about = {"description": 'with "quotes"', "origin": "a test", "provenance": {"seed": 2, "score": 3.5}}
        path.write_text(RULE_LISTS.written(genes, about))
        read, bred = compiled_agent(HANABI, str(path)), RULE_LISTS.agent(genes, "bred")
        assert (read.weights, read.reasons) == (bred.weights, bred.reasons)
        assert registry.agent(HANABI, str(path)).description == 'with "quotes"'


def test_rules_that_were_never_used_are_left_out_and_nothing_changes() -> None:
    genes = ["play_safe", {"rule": "hint_sure", "when": {"lives_above": 3}}, "hint_random", "discard_oldest"]
    agent, other, deals = RULE_LISTS.agent(genes, "bred"), compiled_agent(HANABI, "piers"), TABLES.deals(0, 40)
    trimmed = RULE_LISTS.trimmed(genes, TABLES.reasons_used(agent, [other], deals).tolist())
    assert trimmed == ["play_safe", "hint_random", "discard_oldest"]
    shorter = RULE_LISTS.agent(trimmed, "shorter")
    assert (TABLES.worth(shorter, other, deals) == TABLES.worth(agent, other, deals)).all()


def test_rules_are_described_in_words() -> None:
    genes = ["play_safe", {"rule": "hint_playable", "to": "anyone", "says": "colour", "when": {"tokens_above": 2}}]
    assert RULE_LISTS.in_words(genes) == [
        "plays a card that must be playable",
        "with more than 2 tokens, hints the first player in turn a playable card, the colour first",
    ]
