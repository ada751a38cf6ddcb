"""Describe the rules of a list in words, for people who do not read TOML."""

import inspect
from typing import Any

from kibitz.games.hanabi.agents.compose import RULES
from kibitz.games.hanabi.agents.rule_files import rule_from, rule_table

RECEIVERS = {"next": "the next player", "anyone": "the first player in turn"}
PHRASES = {
    "play_if_certain": "plays a card it knows in full, if it is playable",
    "play_safe": "plays a card that must be playable",
    "play_if_probable": "plays the card most likely to be playable{bar}",
    "play_hinted": "plays {which_card} the latest hint touched, if it can be playable{bar}",
    "play_if_improbable": "plays the card least likely to be playable, at {at_most:.0%} or less",
    "play_random": "plays any card",
    "hint_playable": "hints {to} a playable card, {says}",
    "hint_anyone_useful": "hints the first player in turn a playable card, the rank first",
    "hint_to_play": "gives {to} a hint of which {which_card} is playable",
    "hint_sure": "gives a hint that makes a player certain that a card is playable",
    "hint_dispensable": "gives a hint that makes a player certain that a card is useless",
    "hint_critical": "hints {to} a last copy that is still needed, {says}",
    "hint_unknown": "hints {to} what no hint has said of a card, {says}",
    "hint_most_information": "gives the hint that touches most cards{new}",
    "hint_random": "gives {to} a random hint",
    "discard_useless": "discards a card that is certainly useless",
    "discard_if_probably_useless": "discards the card most likely to be useless{bar}",
    "discard_if_dispensable": "discards the card least likely to be a last copy{bar}",
    "discard_unhinted": "discards the {which} card that no hint has touched",
    "discard_oldest": "discards its oldest card",
    "discard_random": "discards any card",
}
FIRST = {"rank": "the rank first", "colour": "the colour first", "either": "rank or colour at random"}
TOUCHED = {"single": "the only card", "oldest": "the oldest card", "newest": "the newest card"}


def rule_in_words(entry: Any) -> str:
    """What a rule of a file does, such as "with more than 1 life, plays a card that must be playable"."""
    rule, given = rule_from(entry), rule_table(entry)
    takes = inspect.signature(RULES[given["rule"]]).parameters
    values = {name: parameter.default for name, parameter in takes.items()} | given
    words = {
        "to": RECEIVERS.get(values.get("to", ""), ""),
        "says": FIRST.get(values.get("says", ""), ""),
        "which": values.get("which", ""),
        "which_card": TOUCHED.get(values.get("which", ""), ""),
        "new": " not yet marked with the same property" if values.get("new") else "",
        "bar": f", at {values['at_least']:.0%} or more" if values.get("at_least") else "",
        "at_most": values.get("at_most", 0.0),
    }
    return ", ".join([*map(str, rule.guards), PHRASES[given["rule"]].format(**words)])
