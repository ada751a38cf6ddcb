"""Read rule lists from TOML files: the rules and conditions of `compose`, without Python."""

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.core.agent import CompiledAgent
from kibitz.core.toml_files import read_toml
from kibitz.errors import KibitzError, unknown
from kibitz.games.hanabi.agents.compose import CONDITIONS, RULES, Condition, Rule, rule_list, unless, when

KEYS = ("name", "title", "description", "origin", "rules", "provenance")  # the last is for people
# Rules as files and evolved populations from before the first release call them.
FORMER_NAMES = {
    "play_told": "play_hinted",
    "tell_playable": "hint_playable",
    "tell_anyone_useful": "hint_anyone_useful",
    "tell_to_play": "hint_to_play",
    "tell_sure": "hint_sure",
    "tell_dispensable": "hint_dispensable",
    "tell_critical": "hint_critical",
    "tell_unknown": "hint_unknown",
    "tell_most_information": "hint_most_information",
    "tell_random": "hint_random",
    "discard_untold": "discard_unhinted",
}


def read_rule_list(path: Path) -> CompiledAgent:
    """The agent that a TOML file describes."""
    try:
        return from_table(read_toml(path), path)
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror}. Give the path of a TOML file.") from None
    except KibitzError as error:
        raise KibitzError(f"{path}: {error}") from None


def from_table(table: dict[str, Any], path: Path) -> CompiledAgent:
    for key in table:
        if key not in KEYS:
            raise unknown("key", key, KEYS, f"A rule list has {', '.join(KEYS)}.")
    for key in ("description", "rules"):
        if key not in table:
            raise KibitzError(f"{key} is missing. A rule list needs a description and rules.")
    for key in ("name", "title", "description", "origin"):
        if not isinstance(table.get(key, ""), str):
            raise KibitzError(f"{key} must be a text in quotes, not {table[key]!r}.")
    if not isinstance(table["rules"], list):
        raise KibitzError('rules must be a list of rules, like ["play_safe", "discard_oldest"].')
    rules = []
    for number, entry in enumerate(table["rules"], start=1):
        try:
            rules.append(rule_from(entry))
        except KibitzError as error:
            raise KibitzError(f"rule {number}: {error}") from None
    name, origin = table.get("name", path.stem), table.get("origin", str(path))
    return rule_list(name, rules, table["description"], origin, table.get("title", ""))


def rule_table(entry: Any) -> dict[str, Any]:
    """The table of a rule: its name under "rule", its parameters and its conditions."""
    parts = {"rule": entry} if isinstance(entry, str) else entry
    if not isinstance(parts, dict) or not isinstance(parts.get("rule"), str):
        raise KibitzError(f'{entry!r} names no rule. Write "play_safe", or {{ rule = "play_safe", … }}.')
    return {**parts, "rule": FORMER_NAMES.get(parts["rule"], parts["rule"])}


def rule_from(entry: Any) -> Rule:
    """A rule of a file: its name, or a table (see `rule_table`)."""
    parts = rule_table(entry)
    name = parts["rule"]
    if name not in RULES:
        raise unknown("rule", name, RULES, f"The rules are {', '.join(RULES)}.")
    parameters = {key: value for key, value in parts.items() if key not in ("rule", "when", "unless")}
    takes = list(inspect.signature(RULES[name]).parameters)
    for key in parameters:
        if key not in takes:
            raise unknown(f"parameter of {name}", key, [*takes, "when", "unless"], f"It takes {listed(takes)}.")
    made = RULES[name](**parameters)
    if "unless" in parts:
        made = unless(condition_from(parts["unless"]), made)
    return when(condition_from(parts["when"]), made) if "when" in parts else made


def condition_from(table: Any) -> Condition:
    """All conditions of a table such as { lives_above = 1, deck_empty = true }, joined."""
    if not isinstance(table, dict) or not table:
        raise KibitzError(f"a condition is a table like {{ lives_above = 1 }}, not {table!r}.")
    whole_condition = Condition(())
    for name, value in table.items():
        if name not in CONDITIONS:
            raise unknown("condition", name, CONDITIONS, f"The conditions are {', '.join(CONDITIONS)}.")
        make = CONDITIONS[name]
        if inspect.signature(make).parameters:
            whole_condition &= make(value)
        elif value is True:
            whole_condition &= make()
        else:
            raise KibitzError(f"write {name} = true; for the opposite, put it under unless.")
    return whole_condition


def listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none, only when and unless"
