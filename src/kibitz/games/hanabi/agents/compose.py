"""Write an agent as an ordered list of rules, with nothing to compile.

    careful = rule_list(
        "careful",
        [play_safe(), when(tokens_below(4), hint_dispensable()), hint_anyone_useful(), discard_oldest()],
        description="Plays only what must fit.",
    )

The first rule of the list that applies makes the move. If none does, the oldest card is discarded.
`docs/how-to/rule-lists.md` lists the rules and conditions. `rulebook` holds their compiled half, and `rule_files`
reads lists from TOML files.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Self, TypeVar

from kibitz.core.agent import CompiledAgent, Traits
from kibitz.core.weights import Weights
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import rulebook
from kibitz.text import counted

MOST_RULES = 250  # the number of reasons a decision can encode


@dataclass(frozen=True)
class Limit:
    """A quantity of the table and its allowed range."""

    quantity: int
    least: float
    most: float
    words: str  # "more than 1 life"


@dataclass(frozen=True)
class Condition:
    """Limits that must all hold; `&` joins two conditions."""

    limits: tuple[Limit, ...]

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(self.limits + other.limits)

    def __str__(self) -> str:
        return " and ".join(limit.words for limit in self.limits)


@dataclass(frozen=True)
class Guard:
    condition: Condition
    wanted: bool  # whether the condition must hold, or must not

    def __str__(self) -> str:
        return f"{'with' if self.wanted else 'without'} {self.condition}"


@dataclass(frozen=True)
class Rule:
    """A rule of a list: the code and parameters of its compiled half, its reason, and its guards."""

    code: int
    reason: str
    parameters: tuple[float, ...] = ()
    random: bool = False
    guards: tuple[Guard, ...] = ()

    @property
    def full_reason(self) -> str:
        sentence = ", ".join([*map(str, self.guards), self.reason])
        return sentence[0].upper() + sentence[1:]


MakesRule = TypeVar("MakesRule", bound=Callable[..., Rule])
Compares = Callable[[int], Condition]
RULES: dict[str, Callable[..., Rule]] = {}
CONDITIONS: dict[str, Callable[..., Condition]] = {}


def rule(make: MakesRule) -> MakesRule:
    """Register a rule under its name."""
    RULES[make.__name__] = make
    return make


# Conditions


def when(condition: Condition, rule: Rule) -> Rule:
    """The rule, tried only if the condition holds."""
    return guarded(Guard(condition, True), rule)


def unless(condition: Condition, rule: Rule) -> Rule:
    """The rule, tried only if the condition does not hold."""
    return guarded(Guard(condition, False), rule)


def guarded(guard: Guard, rule: Rule) -> Rule:
    rolls = any(limit.quantity == rulebook.ROLL for limit in guard.condition.limits)
    return replace(rule, guards=(guard, *rule.guards), random=rule.random or rolls)


def limits(name: str, quantity: int, *noun: str) -> tuple[Compares, Compares]:
    """The two conditions that compare a quantity: NAME_above and NAME_below."""

    def above(number: int) -> Condition:
        return Condition((Limit(quantity, whole(number, name) + 1, inf, f"more than {counted(number, *noun)}"),))

    def below(number: int) -> Condition:
        return Condition((Limit(quantity, -inf, whole(number, name) - 1, f"fewer than {counted(number, *noun)}"),))

    CONDITIONS[f"{name}_above"], CONDITIONS[f"{name}_below"] = above, below
    return above, below


def whole(number: Any, name: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise KibitzError(f"{name}_above and {name}_below compare with a whole number, not {number!r}.")
    return number


lives_above, lives_below = limits("lives", rulebook.LIVES_LEFT, "life", "lives")
tokens_above, tokens_below = limits("tokens", rulebook.TOKENS_LEFT, "token")
deck_above, deck_below = limits("deck", rulebook.DECK_LEFT, "card to draw", "cards to draw")
score_above, score_below = limits("score", rulebook.SCORE, "point")
players_above, players_below = limits("players", rulebook.PLAYERS, "player")


def deck_empty() -> Condition:
    return Condition((Limit(rulebook.DECK_LEFT, 0, 0, "an empty deck"),))


CONDITIONS["deck_empty"] = deck_empty


def by_chance(share: float) -> Condition:
    """True with this probability, rolled separately for every rule and every turn."""
    often = probability("by_chance", share, "The share")
    words = f"a chance of {100 * often:g} %"
    return Condition((Limit(rulebook.ROLL, -inf, round(rulebook.ROLLS * often) - 1, words),))


CONDITIONS["by_chance"] = by_chance


# Rules. The documentation quotes the docstrings.


def chosen(rule: str, parameter: str, value: Any, choices: Mapping[str, int]) -> int:
    if not isinstance(value, str) or value not in choices:
        raise KibitzError(f"{parameter} of {rule} is {' or '.join(map(repr, choices))}, not {value!r}.")
    return choices[value]


def probability(rule: str, value: Any, parameter: str = "at_least") -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise KibitzError(f"{parameter} of {rule} is a probability from 0 to 1, not {value!r}.")
    return float(value)


TO = {"next": rulebook.NEXT, "anyone": rulebook.ANYONE}
SAYS = {"rank": rulebook.RANK_FIRST, "colour": rulebook.COLOUR_FIRST}
SAYS_ANY = SAYS | {"either": rulebook.EITHER}
WHICH = {"single": rulebook.SINGLE, "oldest": rulebook.OLDEST, "newest": rulebook.NEWEST}
ENDS = {"oldest": rulebook.OLDEST, "newest": rulebook.NEWEST}
ABOUT_PLAYABLE = "I {move}: {card} can be played"


@rule
def play_if_certain() -> Rule:
    """Play a card with only one possible kind, if that kind is playable."""
    return Rule(rulebook.PLAY_CERTAIN, "I know {card} in full and play it{fits}")


@rule
def play_safe() -> Rule:
    """Play a card that must be playable: every kind it can be is."""
    return Rule(rulebook.PLAY_SAFE, "I play {card}{fits}")


@rule
def play_if_probable(at_least: float = 0.0) -> Rule:
    """Play the card most likely to be playable, if its probability is at least this; never one that cannot be."""
    likely = probability("play_if_probable", at_least)
    reason = "I play {card}: of my cards it is the most likely to be playable{odds}"
    return Rule(rulebook.PLAY_PROBABLE, reason, (likely,))


@rule
def play_hinted(which: str = "single", at_least: float = 0.0) -> Rule:
    """Play the card touched by the latest hint since one's last turn, if it can be playable and is with at least this
    probability: the single card, or the oldest or newest of several."""
    of_them, likely = chosen("play_hinted", "which", which, WHICH), probability("play_hinted", at_least)
    touched = "the only card" if which == "single" else f"the {which} card"
    reason = f"I play {{card}}: it is {touched} that the latest hint touched{{odds}}"
    return Rule(rulebook.PLAY_HINTED, reason, (of_them, likely))


@rule
def play_if_improbable(at_most: float = 0.0) -> Rule:
    """Play the card least likely to be playable, if its probability is at most this: no way to win, but a partner to be
    prepared for."""
    likely = probability("play_if_improbable", at_most, "at_most")
    reason = "I play {card}: of my cards it is the least likely to be playable{odds}"
    return Rule(rulebook.PLAY_IMPROBABLE, reason, (likely,))


@rule
def play_random() -> Rule:
    """Play a random card."""
    return Rule(rulebook.PLAY_RANDOM, "I play {card} at random{odds}", random=True)


@rule
def hint_playable(to: str = "next", says: str = "rank") -> Rule:
    """Hint a playable card: its unmarked property, rank or colour first, or a random one of the two, marked or not."""
    receivers = chosen("hint_playable", "to", to, TO)
    what = chosen("hint_playable", "says", says, SAYS_ANY)
    return Rule(rulebook.HINT_PLAYABLE, ABOUT_PLAYABLE, (receivers, what), says == "either")


@rule
def hint_anyone_useful() -> Rule:
    """Hint the unmarked property of a playable card to the first player in turn order who holds one, rank first."""
    return Rule(rulebook.HINT_PLAYABLE, ABOUT_PLAYABLE, (rulebook.ANYONE, rulebook.RANK_FIRST))


@rule
def hint_dispensable() -> Rule:
    """Give the first hint in turn order that makes a player certain that a card is useless."""
    reason = "I {move}, who now knows that {card} can never be played{useless}"
    return Rule(rulebook.HINT_DISPENSABLE, reason)


@rule
def hint_to_play(to: str = "next", which: str = "single") -> Rule:
    """Give a player who is not yet certain a hint that touches a playable card, as the single touched card or as the
    oldest or newest of several: the counterpart of `play_hinted`."""
    receivers, of_them = chosen("hint_to_play", "to", to, TO), chosen("hint_to_play", "which", which, WHICH)
    touched = "the only card" if which == "single" else f"the {which} card"
    return Rule(rulebook.HINT_TO_PLAY, f"{ABOUT_PLAYABLE}, and is {touched} it touches", (receivers, of_them))


@rule
def hint_sure() -> Rule:
    """Give the first hint in turn order that makes a player certain that a card is playable."""
    return Rule(rulebook.HINT_SURE, "I {move}, who now knows that {card} can be played")


@rule
def hint_critical(to: str = "next", says: str = "rank") -> Rule:
    """Hint the unmarked property of a card that is still needed and the last copy of its kind, rank or colour first."""
    receivers, what = chosen("hint_critical", "to", to, TO), chosen("hint_critical", "says", says, SAYS)
    return Rule(rulebook.HINT_CRITICAL, "I {move}: {card} is the last of its kind", (receivers, what))


@rule
def hint_unknown(to: str = "next", says: str = "colour") -> Rule:
    """Hint the unmarked property of a card, colour or rank first, useful or not."""
    receivers = chosen("hint_unknown", "to", to, TO)
    what = chosen("hint_unknown", "says", says, SAYS)
    reason = "I {move}, who does not know both the colour and the rank of {card}"
    return Rule(rulebook.HINT_UNKNOWN, reason, (receivers, what))


@rule
def hint_most_information(new: bool = True) -> Rule:
    """Give the hint that touches most cards; with `new`, count only cards not yet marked with that property."""
    if not isinstance(new, bool):
        raise KibitzError(f"new of hint_most_information is true or false, not {new!r}.")
    most = "says more that is new" if new else "touches more cards"
    return Rule(rulebook.HINT_MOST, f"I {{move}}: no other hint {most}", (float(new),))


@rule
def hint_random(to: str = "next") -> Rule:
    """Hint the rank or colour of a card, all at random."""
    receivers = chosen("hint_random", "to", to, TO)
    return Rule(rulebook.HINT_RANDOM, "I {move}: a random hint", (receivers,), random=True)


@rule
def discard_useless() -> Rule:
    """Discard a card that is certainly on its pile already, else one that can certainly never be played."""
    return Rule(rulebook.DISCARD_USELESS, "I discard {card}: it can never be played{useless}")


@rule
def discard_if_probably_useless(at_least: float = 0.0) -> Rule:
    """Discard the card most likely to be useless, if its probability is at least this."""
    likely = probability("discard_if_probably_useless", at_least)
    reason = "I discard {card}: of my cards it is the most likely to be useless{dead}{risk}"
    return Rule(rulebook.DISCARD_PROBABLY_USELESS, reason, (likely,))


@rule
def discard_oldest() -> Rule:
    """Discard the card held longest."""
    return Rule(rulebook.DISCARD_OLDEST, "I discard {card}, my oldest{risk}")


@rule
def discard_unhinted(which: str = "oldest") -> Rule:
    """Discard a card that no hint has touched, the oldest or the newest."""
    of_them = chosen("discard_unhinted", "which", which, ENDS)
    reason = f"I discard {{card}}: it is the {which} that no hint touched{{risk}}"
    return Rule(rulebook.DISCARD_UNHINTED, reason, (of_them,))


@rule
def discard_if_dispensable(at_least: float = 0.0) -> Rule:
    """Discard the card most likely not to be the last copy of a kind still needed, if its probability is at least
    this."""
    likely = probability("discard_if_dispensable", at_least)
    reason = "I discard {card}: of my cards it is the safest to discard{risk}"
    return Rule(rulebook.DISCARD_DISPENSABLE, reason, (likely,))


@rule
def discard_random() -> Rule:
    """Discard a random card."""
    return Rule(rulebook.DISCARD_RANDOM, "I discard {card} at random{risk}", random=True)


# Lists

LAST_RESORT = (
    "No rule applies, so I discard {card}, my oldest{risk}",
    "No rule applies and I cannot discard, so I {move}",
)


def rule_list(
    name: str, rules: Sequence[Rule], description: str, origin: str = "kibitz", title: str = ""
) -> CompiledAgent:
    """The agent that makes the move of the first rule that applies."""
    if not rules:
        raise KibitzError(f"{name} has no rules. A list needs at least one.")
    if len(rules) > MOST_RULES:
        raise KibitzError(f"{name} has {len(rules)} rules. A list can have at most {MOST_RULES}.")
    return CompiledAgent(
        name=name,
        game="hanabi",
        description=description,
        origin=origin,
        traits=Traits(random=any(rule.random for rule in rules)),
        decide=rulebook.first_that_applies,
        reasons=(*(rule.full_reason for rule in rules), *LAST_RESORT),
        weights=Program(program(rules)),
        title=title,
    )


class Program(Weights):
    """A list as numbers. They never change: compiled code follows the offsets in them unchecked."""

    def but(self, values: Any) -> Self:
        raise KibitzError(
            "The numbers of a rule list encode its rules and cannot be set. To change them, write another list."
        )


def program(rules: Sequence[Rule]) -> tuple[float, ...]:
    """The list as numbers, in the layout that `rulebook.first_that_applies` reads."""
    numbers: list[float] = [len(rules)]
    for rule in rules:
        first, second, *_ = (*rule.parameters, 0, 0)
        numbers += [rule.code, first, second, len(rule.guards)]
        for guard in rule.guards:
            numbers += [guard.wanted, len(guard.condition.limits)]
            for limit in guard.condition.limits:
                numbers += [limit.quantity, limit.least, limit.most]
    return tuple(map(float, numbers))
