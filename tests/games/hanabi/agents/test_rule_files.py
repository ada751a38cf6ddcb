"""Rule lists in TOML files, and the page that explains them."""

import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import breeding, compose, rule_files, rule_lists
from kibitz.games.hanabi.game import HANABI
from tests.tables import played

ROOT = Path(__file__).resolve().parents[4]
EXAMPLE = ROOT / "examples" / "cautious.toml"
PAGE = (ROOT / "docs" / "how-to" / "rule-lists.md").read_text()


def read(path: Path, text: str) -> CompiledAgent:
    path.write_text(text)
    agent = registry.agent(HANABI, str(path))
    assert isinstance(agent, CompiledAgent)
    return agent


def rules_of(agent: CompiledAgent) -> tuple[Any, ...]:
    return agent.weights, agent.reasons


def test_a_file_is_an_agent_by_its_path() -> None:
    agent = registry.agent(HANABI, str(EXAMPLE))
    assert agent.name == "cautious"
    assert agent.origin == str(EXAMPLE)
    assert played([agent, rule_lists.piers, agent], 50).done == 50


def test_the_published_lists_can_be_written_in_toml(tmp_path: Path) -> None:
    piers = read(
        tmp_path / "piers.toml",
        """
        description = "the same"
        rules = [
          { rule = "play_if_probable", when = { lives_above = 1, deck_empty = true } },
          "play_safe",
          { rule = "play_if_probable", at_least = 0.6, when = { lives_above = 1 } },
          "hint_anyone_useful",
          { rule = "hint_dispensable", when = { tokens_below = 4 } },
          "discard_useless", "discard_oldest", "hint_random", "discard_random",
        ]
        """,
    )
    assert rules_of(piers) == rules_of(rule_lists.piers)
    assert piers.name == "piers"
    outer = read(
        tmp_path / "outer.toml",
        """
        name = "mine"
        origin = "a test"
        description = "the same"
        rules = [
          "play_safe", "discard_useless", { rule = "hint_playable", to = "next", says = "rank" }, "hint_unknown",
          "discard_random",
        ]
        """,
    )
    assert rules_of(outer) == rules_of(rule_lists.outer)
    assert (outer.name, outer.origin) == ("mine", "a test")
    bergh = read(
        tmp_path / "bergh.toml",
        """
        description = "the same"
        rules = [
          { rule = "play_if_probable", at_least = 0.6, when = { lives_above = 1 } },
          { rule = "play_safe", unless = { lives_above = 1 } },
          { rule = "discard_if_probably_useless", at_least = 1 },
          "hint_anyone_useful", "hint_most_information", "discard_if_probably_useless",
        ]
        """,
    )
    assert rules_of(bergh) == rules_of(rule_lists.van_den_bergh)


def with_rules(rules: str) -> str:
    return f'description = "d"\nrules = [{rules}]'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (with_rules('"play_saef"'), "rule 1: There is no rule called 'play_saef'. Did you mean play_safe"),
        (
            with_rules('"play_safe", { rule = "dance" }'),
            "rule 2: There is no rule called 'dance'. The rules are play_if",
        ),
        (with_rules('{ rule = "hint_random", two = "next" }'), "no parameter of hint_random called 'two'"),
        (with_rules('{ rule = "hint_random", two = "next" }'), "It takes to."),
        (with_rules('{ rule = "play_safe", at = 1 }'), "It takes none, only when and unless."),
        (with_rules('{ rule = "play_if_probable", at_least = 60 }'), "a probability from 0 to 1, not 60"),
        (with_rules('{ rule = "play_if_probable", at_least = "x" }'), "a probability from 0 to 1, not 'x'"),
        (with_rules('{ rule = "hint_random", to = ["next"] }'), "to of hint_random is 'next' or 'anyone'"),
        (with_rules('{ rule = "hint_most_information", new = 1 }'), "true or false, not 1"),
        (with_rules('{ rule = "play_safe", when = { lives_over = 1 } }'), "no condition called 'lives_over'"),
        (with_rules('{ rule = "play_safe", when = { lives_abov = 1 } }'), "Did you mean lives_above"),
        (with_rules('{ rule = "play_safe", when = { lives_above = "1" } }'), "a whole number, not '1'"),
        (with_rules('{ rule = "play_safe", when = { deck_empty = false } }'), "deck_empty = true; for the opposite"),
        (with_rules('{ rule = "play_safe", when = "late" }'), "a condition is a table like { lives_above = 1 }"),
        (with_rules("{ at_least = 1 }"), "names no rule"),
        (with_rules("3"), "rule 1: 3 names no rule"),
        (with_rules(""), "has no rules"),
        ('rules = ["play_safe"]', "description is missing"),
        ('description = "d"', "rules is missing"),
        ('description = "d"\nrules = "play_safe"', "rules must be a list of rules"),
        ('description = 1\nrules = ["play_safe"]', "description must be a text in quotes, not 1"),
        ('description = "d"\nrule = ["play_safe"]', "There is no key called 'rule'. Did you mean rules"),
        ("rules = [", "it is not a TOML file"),
    ],
)
def test_a_file_that_is_not_right_says_where_and_what_is_allowed(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(KibitzError) as refused:
        read(tmp_path / "list.toml", text)
    assert says in str(refused.value)
    assert str(tmp_path / "list.toml") in str(refused.value)


def test_rules_under_their_former_names_are_the_same(tmp_path: Path) -> None:
    now, before = tmp_path / "now.toml", tmp_path / "before.toml"
    names = rule_files.FORMER_NAMES
    assert rules_of(read(before, with_rules(", ".join(f'"{name}"' for name in names)))) == rules_of(
        read(now, with_rules(", ".join(f'"{name}"' for name in names.values())))
    )
    assert breeding.RULE_LISTS.in_words(list(names)) == breeding.RULE_LISTS.in_words(list(names.values()))


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match="cannot be read: No such file"):
        registry.agent(HANABI, str(tmp_path / "list.toml"))


def test_a_game_without_parts_says_so() -> None:
    with pytest.raises(KibitzError, match="Hanabi has no agents that are composed from TOML files"):
        Game.compose(HANABI, Path("list.toml"))


# The page


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def table_rows(heading: str) -> list[list[str]]:
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


def test_the_page_lists_every_rule_as_it_describes_itself() -> None:
    listed = {row[0].strip("`"): row[2] for row in table_rows("The rules")}
    assert listed == {name: " ".join((make.__doc__ or "").split()) for name, make in compose.RULES.items()}


def test_the_page_lists_every_parameter_with_its_default_first() -> None:
    for name, parameters, _ in table_rows("The rules"):
        named = dict(re.findall(r'`(\w+)` = (?:")?([\w.]+)', parameters))
        takes = inspect.signature(compose.RULES[name.strip("`")]).parameters
        defaults = {key: parameter.default for key, parameter in takes.items()}
        assert named == {key: str(value).lower().removesuffix(".0") for key, value in defaults.items()}


def test_the_page_lists_every_condition() -> None:
    listed = [name for row in table_rows("The conditions") for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(listed) == sorted(compose.CONDITIONS)


def test_the_examples_of_the_page_are_one_agent() -> None:
    [toml] = blocks("toml")
    assert tomllib.loads(toml) == tomllib.loads(EXAMPLE.read_text())
    [python] = blocks("python")
    made: dict[str, Any] = {}
    exec(python, made)
    example = registry.agent(HANABI, str(EXAMPLE))
    assert isinstance(example, CompiledAgent)
    assert rules_of(made["cautious"]) == rules_of(example)
    assert made["cautious"].description == example.description
