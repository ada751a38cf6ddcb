"""Evolve rule lists: their genes, mutation and crossover.

The genes of a list are its rules as a TOML file has them (see `rule_files`): the name of a rule, or a table of its
name, its parameters and its conditions.
"""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from kibitz.core.agent import CompiledAgent
from kibitz.core.breeding import Genes
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.compose import ENDS, SAYS, SAYS_ANY, TO, WHICH, rule_list
from kibitz.games.hanabi.agents.rule_files import rule_from, rule_table
from kibitz.games.hanabi.agents.rule_words import rule_in_words

FEWEST, MOST = 3, 12  # rules in a list
GUARDED = 0.35  # the share of rules with a condition in a random list
BARS = [step / 20 for step in range(21)]  # values of probability parameters
YES_NO = [True, False]

# Every rule with the values its parameters can take.
POOL: dict[str, dict[str, list[Any]]] = {
    "play_if_certain": {},
    "play_safe": {},
    "play_if_probable": {"at_least": BARS},
    "play_hinted": {"which": list(WHICH), "at_least": BARS},
    "play_if_improbable": {"at_most": BARS},
    "play_random": {},
    "hint_playable": {"to": list(TO), "says": list(SAYS_ANY)},
    "hint_anyone_useful": {},
    "hint_to_play": {"to": list(TO), "which": list(WHICH)},
    "hint_sure": {},
    "hint_dispensable": {},
    "hint_critical": {"to": list(TO), "says": list(SAYS)},
    "hint_unknown": {"to": list(TO), "says": list(SAYS)},
    "hint_most_information": {"new": YES_NO},
    "hint_random": {"to": list(TO)},
    "discard_useless": {},
    "discard_if_probably_useless": {"at_least": BARS},
    "discard_if_dispensable": {"at_least": BARS},
    "discard_unhinted": {"which": list(ENDS)},
    "discard_oldest": {},
    "discard_random": {},
}

CONDITIONS: dict[str, list[Any]] = {
    "lives_above": [1, 2],
    "lives_below": [2, 3],
    "tokens_above": list(range(8)),
    "tokens_below": list(range(1, 9)),
    "deck_above": list(range(0, 40, 3)),
    "deck_below": list(range(1, 40, 3)),
    "deck_empty": [True],
    "score_above": list(range(0, 24, 2)),
    "score_below": list(range(2, 25, 2)),
    "by_chance": BARS[1:-1],
}


def plain(rule: dict[str, Any]) -> Any:
    """A rule in its shortest form: without parameters, just its name."""
    return rule["rule"] if len(rule) == 1 else rule


def random_condition(dice: Random) -> dict[str, Any]:
    name = dice.choice(list(CONDITIONS))
    return {name: dice.choice(CONDITIONS[name])}


def random_rule(dice: Random) -> Any:
    name = dice.choice(list(POOL))
    rule = {"rule": name, **{key: dice.choice(values) for key, values in POOL[name].items()}}
    if dice.random() < GUARDED:
        rule["when"] = random_condition(dice)
    return plain(rule)


def stepped(values: Sequence[Any], value: Any, dice: Random) -> Any:
    """A neighbouring value (in seven cases of ten, if there are neighbours), or any value."""
    if isinstance(value, float | int) and not isinstance(value, bool) and value in values and dice.random() < 0.7:
        place = values.index(value) + dice.choice([-2, -1, 1, 2])
        return values[min(max(place, 0), len(values) - 1)]
    return dice.choice(values)


def with_other_parameter(rule: Any, dice: Random) -> Any:
    """The rule with a small change to one of its parameters or to the number in one of its conditions."""
    changed = rule_table(rule)
    takes = [(changed, key, values) for key, values in POOL[changed["rule"]].items()]
    if "when" in changed:
        changed["when"] = dict(changed["when"])
        takes += [(changed["when"], key, CONDITIONS[key]) for key in changed["when"]]
    if takes:
        where, key, values = dice.choice(takes)
        where[key] = stepped(values, where.get(key), dice)
    return plain(changed)


def with_other_condition(rule: Any, dice: Random) -> Any:
    """The rule with a condition added, removed or replaced."""
    changed = rule_table(rule)
    old = changed.pop("when", {})
    if not old or dice.random() < 0.5:
        kept = dict(list(old.items())[:1])
        changed["when"] = {**kept, **random_condition(dice)}
    return plain(changed)


class RuleLists:
    """Hanabi's rule lists as a `Breed`."""

    what = "rule list"
    suffix = ".toml"

    def founders(self) -> list[Genes]:
        """None: evolution starts from random lists, so that its results are found, not copied."""
        return []

    def random(self, dice: Random) -> Genes:
        return [random_rule(dice) for _ in range(dice.randint(FEWEST, MOST - 2))]

    def changed(self, genes: Genes, dice: Random) -> Genes:
        rules = list(genes)
        for _ in range(dice.choice([1, 1, 2, 3])):
            rules = self._changed_once(rules, dice)
        return rules

    def _changed_once(self, rules: list[Any], dice: Random) -> list[Any]:
        place, how = dice.randrange(len(rules)), dice.random()
        if how < 0.3:
            rules[place] = with_other_parameter(rules[place], dice)
        elif how < 0.45:
            rules[place] = with_other_condition(rules[place], dice)
        elif how < 0.6:
            rules[place] = random_rule(dice)
        elif how < 0.75 and len(rules) < MOST:
            rules.insert(dice.randint(0, len(rules)), random_rule(dice))
        elif how < 0.85 and len(rules) > 1:
            del rules[place]
        else:
            rules.insert(dice.randrange(len(rules)), rules.pop(place))
        return rules

    def mixed(self, one: Genes, other: Genes, dice: Random) -> Genes:
        """The head of one list, then the tail of the other."""
        head, tail = dice.randint(0, len(one)), dice.randint(0, len(other))
        return (list(one[:head]) + list(other[tail:]))[:MOST] or list(one)

    def agent(self, genes: Genes, name: str) -> CompiledAgent:
        if not isinstance(genes, list) or not genes:
            raise KibitzError(f"{name} has no rules: its genes must be a list with at least one rule.")
        return rule_list(name, [rule_from(rule) for rule in genes], "An evolved list of rules.")

    def trimmed(self, genes: Genes, used: Sequence[int]) -> Genes:
        return [rule for rule, times in zip(genes, used, strict=False) if times] or list(genes)

    def written(self, genes: Genes, about: Mapping[str, Any]) -> str:
        texts = [f"{key} = {toml(about[key])}" for key in ("name", "title", "description", "origin") if key in about]
        rules = "".join(f"  {toml(rule)},\n" for rule in genes)
        lines = ["# A Hanabi agent as an ordered list of rules: the first that applies makes the move.", "", *texts]
        lines += ["", f"rules = [\n{rules}]"]
        if provenance := about.get("provenance"):
            lines += ["", "[provenance]", *(f"{key} = {toml(value)}" for key, value in provenance.items())]
        return "\n".join(lines) + "\n"

    def usage(self, path: str) -> str:
        return path

    def in_words(self, genes: Genes) -> list[str]:
        return [rule_in_words(rule) for rule in genes]


def toml(value: Any) -> str:
    """A plain value as TOML, whose strings and numbers are written as in JSON."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


RULE_LISTS = RuleLists()
