"""Rules of a list as sentences about the player, for people who do not read TOML."""

import inspect
from typing import Any

from kibitz.games.hanabi.agents.compose import RULES
from kibitz.games.hanabi.agents.rule_files import rule_from

WHO = {"next": "the next player", "anyone": "the first player in turn"}
PHRASES = {
    "play_if_certain": "plays a card it knows in full, if it fits",
    "play_safe": "plays a card that must fit",
    "play_if_probable": "plays the card likeliest to fit{bar}",
    "play_hinted": "plays {which_told} the latest hint touched, if it can fit{bar}",
    "play_if_improbable": "plays the card least likely to fit, at {at_most:.0%} or less",
    "play_random": "plays any card",
    "hint_playable": "tells {to} of a card that fits, {says}",
    "hint_anyone_useful": "tells the first player in turn of a card that fits, the rank first",
    "hint_to_play": "gives {to} a hint by which {which_told} it touches fits",
    "hint_sure": "gives a hint that makes a player sure that a card fits",
    "hint_dispensable": "gives a hint that makes a player sure that a card is useless",
    "hint_critical": "tells {to} of a last copy that is still needed, {says}",
    "hint_unknown": "tells {to} what was not told yet of a card, {says}",
    "hint_most_information": "gives the hint that touches most cards{new}",
    "hint_random": "tells {to} anything",
    "discard_useless": "throws away a card that is surely useless",
    "discard_if_probably_useless": "throws away the card likeliest to be useless{bar}",
    "discard_if_dispensable": "throws away the card likeliest to be no last copy{bar}",
    "discard_unhinted": "throws away the {which} card that no hint touched",
    "discard_oldest": "throws away its oldest card",
    "discard_random": "throws away any card",
}
FIRST = {"rank": "the rank first", "colour": "the colour first", "either": "rank or colour by chance"}
TOLD = {"single": "the only card", "oldest": "the oldest card", "newest": "the newest card"}


def rule_in_words(entry: Any) -> str:
    """What a rule of a file does, as in "with more than 1 life, plays a card that must fit"."""
    rule = rule_from(entry)
    given = {"rule": entry} if isinstance(entry, str) else entry
    takes = inspect.signature(RULES[given["rule"]]).parameters
    values = {name: parameter.default for name, parameter in takes.items()} | given
    words = {
        "to": WHO.get(values.get("to", ""), ""),
        "says": FIRST.get(values.get("says", ""), ""),
        "which": values.get("which", ""),
        "which_told": TOLD.get(values.get("which", ""), ""),
        "new": " that were not told it" if values.get("new") else "",
        "bar": f", at {values['at_least']:.0%} or more" if values.get("at_least") else "",
        "at_most": values.get("at_most", 0.0),
    }
    return ", ".join([*map(str, rule.guards), PHRASES[given["rule"]].format(**words)])
