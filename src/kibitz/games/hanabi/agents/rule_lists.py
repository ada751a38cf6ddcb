"""Agents of papers and competitions that are ordered lists of rules."""

from kibitz.games.hanabi.agents.compose import (
    deck_empty,
    discard_if_probably_useless,
    discard_oldest,
    discard_random,
    discard_useless,
    hint_anyone_useful,
    hint_dispensable,
    hint_most_information,
    hint_playable,
    hint_random,
    hint_unknown,
    lives_above,
    play_if_certain,
    play_if_probable,
    play_safe,
    rule_list,
    tokens_below,
    unless,
    when,
)

OSAWA = "Osawa 2015, as a rule list by Walton-Rivers et al. 2017"
ESSEX = "Walton-Rivers et al. 2017"

internal = rule_list(
    "internal",
    title="Forgetful Finley",
    rules=[
        play_safe(),
        discard_useless(),
        hint_playable(to="next", says="either"),
        hint_random(),
        discard_random(),
    ],
    description="Plays what it knows to be playable, forgets the hints it gave, and so may repeat one.",
    origin=OSAWA,
)

outer = rule_list(
    "outer",
    title="Mindful Morgan",
    rules=[
        play_safe(),
        discard_useless(),
        hint_playable(to="next", says="rank"),
        hint_unknown(),
        discard_random(),
    ],
    description="Plays what it knows to be playable, remembers what the next player knows, and hints what is missing.",
    origin=OSAWA,
)

iggi = rule_list(
    "iggi",
    title="Cautious Cameron",
    rules=[
        play_if_certain(),
        play_safe(),
        hint_anyone_useful(),
        discard_useless(),
        discard_oldest(),
        hint_random(),
    ],
    description="Takes no risk, hints playable cards to anyone, and discards the oldest card.",
    origin=ESSEX,
)

piers = rule_list(
    "piers",
    title="Plucky Peyton",
    rules=[
        when(lives_above(1) & deck_empty(), play_if_probable()),
        play_safe(),
        when(lives_above(1), play_if_probable(0.6)),
        hint_anyone_useful(),
        when(tokens_below(4), hint_dispensable()),
        discard_useless(),
        discard_oldest(),
        hint_random(),
        discard_random(),
    ],
    description="Hints playable cards to anyone, takes chances while a life can be spared, and hints useless cards "
    "when tokens are short.",
    origin=ESSEX,
)

van_den_bergh = rule_list(
    "van_den_bergh",
    title="Likely Lee",
    rules=[
        when(lives_above(1), play_if_probable(0.6)),
        unless(lives_above(1), play_safe()),
        discard_if_probably_useless(1.0),
        hint_anyone_useful(),
        hint_most_information(new=True),
        discard_if_probably_useless(),
    ],
    description="Plays and discards by probability, and hints while there is anything new to say.",
    origin="Van den Bergh et al. 2015, as a rule list by Walton-Rivers et al. 2017",
)

flawed = rule_list(
    "flawed",
    title="Reckless Riley",
    rules=[
        play_safe(),
        play_if_probable(0.25),
        hint_random(),
        discard_useless(),
        discard_oldest(),
        discard_random(),
    ],
    description="Plays far too boldly and hints at random: a partner that tests how robust others are.",
    origin=ESSEX,
)
