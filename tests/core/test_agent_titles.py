"""What people call agents and rules: words that can be said, and no identifiers."""

import re

import pytest

from kibitz.core import registry
from kibitz.core.agent_title import title_of
from kibitz.core.game import Game

every_game = pytest.mark.parametrize(
    "game", [registry.game("hanabi"), registry.game("loveletter")], ids=lambda g: g.name
)


@every_game
def test_every_agent_has_a_title_of_its_own_that_can_be_said(game: Game) -> None:
    titles = [agent.title for agent in registry.agents(game)]
    assert all(re.fullmatch(r"[A-Z][a-z]+( [A-Z]?[a-z]+)*", title) for title in titles), titles
    assert len(set(titles)) == len(titles)


@every_game
def test_every_agent_says_how_it_plays_without_identifiers(game: Game) -> None:
    agents = registry.agents(game)
    identifiers = {name for agent in agents for name in (agent.name,) if "_" in name or any(map(str.isdigit, name))}
    for agent in agents:
        words = set(re.findall(r"\w+", agent.description))
        assert agent.summary.endswith("."), agent.name
        assert not words & identifiers, agent.name
        assert not any("_" in word for word in words), agent.name


@every_game
def test_every_choice_of_a_rule_is_explained(game: Game) -> None:
    for rule in game.rules:
        assert rule.title
        assert set(rule.words) == set(rule.choices)
        assert all(words.title and words.about.endswith(".") for words in rule.words.values())


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("my_bot", "My bot"),
        ("bots/mine.py:MyBot", "My bot"),
        ("package.module:NASABot2", "NASA bot 2"),
        ("lists/careful-one.toml", "Careful one"),
        ("trustful@200ms", "Trustful"),
        ("路", "路"),
        ("!", "!"),
    ],
)
def test_an_agent_without_a_title_gets_one_from_its_name(name: str, title: str) -> None:
    assert title_of(name) == title


def test_people_play_by_the_usual_rules_and_measurements_by_those_they_were_made_with() -> None:
    hanabi = registry.game("hanabi")
    assert hanabi.check_rules(hanabi.table_rules) == {
        "lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"
    }  # fmt: skip
    assert hanabi.check_rules({}) == {"lost_game": "piles", "empty_hint": "forbidden", "full_discard": "allowed"}
