"""Every rule of the library at a table set up for it, the published lists, and what holds for any list."""

from typing import Any

import pytest

from kibitz.core.agent import CompiledAgent
from kibitz.engine.dice import set_dice
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import compose, rule_lists
from kibitz.games.hanabi.agents.compose import (
    Rule,
    by_chance,
    deck_above,
    deck_below,
    deck_empty,
    discard_if_dispensable,
    discard_if_probably_useless,
    discard_oldest,
    discard_random,
    discard_unhinted,
    discard_useless,
    hint_anyone_useful,
    hint_critical,
    hint_dispensable,
    hint_most_information,
    hint_playable,
    hint_random,
    hint_sure,
    hint_to_play,
    hint_unknown,
    lives_above,
    lives_below,
    play_hinted,
    play_if_certain,
    play_if_improbable,
    play_if_probable,
    play_random,
    play_safe,
    players_above,
    players_below,
    rule_list,
    score_above,
    score_below,
    tokens_above,
    tokens_below,
    unless,
    when,
)
from kibitz.games.hanabi.game import HANABI
from tests.tables import EVERY_RULES, PLAYERS, at, make, named, other_cards, played, without_evidence

PUBLISHED = [getattr(rule_lists, name) for name in ["internal", "outer", "iggi", "piers", "van_den_bergh", "flawed"]]
NOTHING = "No rule applies"


def made_of(*rules: Rule) -> CompiledAgent:
    return rule_list("tested", rules, description="")


def does(agent: CompiledAgent | Rule, *hands: str, **parts: Any) -> tuple[str, str]:
    """The move and the reason at a position; the first hand is that of the player to move."""
    agent = made_of(agent) if isinstance(agent, Rule) else agent
    decision = at(*hands, agents=[agent] * len(hands), **parts).decide()
    return HANABI.move_text(decision.move), without_evidence(decision.reason)


def passes(rule: Rule, *hands: str, **parts: Any) -> bool:
    return does(rule, *hands, **parts)[1].startswith(NOTHING)


# Play

MINE, YOURS, THEIRS = "r4 r1 y3 w2 b4", "y2 g2 g3 b3 w4", "y4 y4 g4 b5 w5"


def test_play_if_certain_needs_to_know_the_kind() -> None:
    assert passes(play_if_certain(), MINE, YOURS, hints=["1 to G1"])
    known = ["1 to G1", "red to G1"]
    assert does(play_if_certain(), MINE, YOURS, hints=known) == (
        "play 2", "I know my card 2 in full and play it",
    )  # fmt: skip


def test_play_if_certain_leaves_a_known_card_that_does_not_fit() -> None:
    assert passes(play_if_certain(), MINE, YOURS, piles={"red": 1, "yellow": 1}, hints=["2 to G1", "white to G1"])


def test_play_safe_plays_a_card_every_kind_of_which_fits() -> None:
    assert does(play_safe(), MINE, YOURS, hints=["1 to G1"]) == (
        "play 2", "I play my card 2",
    )  # fmt: skip
    assert passes(play_safe(), MINE, YOURS, piles={"green": 1}, hints=["1 to G1"])


def test_play_safe_takes_the_oldest_of_several() -> None:
    assert does(play_safe(), "r4 g1 b1 w2 y3", YOURS, hints=["1 to G1"])[0] == "play 2"


def test_play_safe_counts_the_copies_it_sees() -> None:
    """A red card of mine, once r2, r3, r4 and r5 are all in sight, can only be an r1."""
    others = {"hints": ["red to G1"], "discards": "r2 r2 r3 r3 r4 r4 r5"}
    assert does(play_safe(), "r1 y3 w2 b4 g4", YOURS, **others)[0] == "play 1"
    assert passes(play_safe(), "r1 y3 w2 b4 g4", YOURS, hints=["red to G1"], discards="r2 r2 r3 r3 r4 r4")


def test_play_if_probable_counts_unseen_copies_exactly() -> None:
    """Ones are hinted, red and yellow are on their piles, so of 13 unseen ones 9 can be played: 69.2 %."""
    table: dict[str, Any] = {"hints": ["1 to G1"], "piles": {"red": 1, "yellow": 1}}
    hands = ("w4 b1 y3 w2 b4", YOURS)
    assert does(play_if_probable(9 / 13), *hands, **table) == (
        "play 2", "I play my card 2: of my cards it is the most likely to be playable",
    )  # fmt: skip
    assert passes(play_if_probable(9 / 13 + 1e-9), *hands, **table)


def test_play_if_probable_counts_what_the_others_hold() -> None:
    """With a green one in another hand, 8 of 12 unseen ones fit."""
    table: dict[str, Any] = {"hints": ["1 to G1"], "piles": {"red": 1, "yellow": 1}}
    hands = ("w4 b1 y3 w2 b4", "g1 g2 g3 b3 w4")
    assert does(play_if_probable(8 / 12), *hands, **table)[0] == "play 2"
    assert passes(play_if_probable(8 / 12 + 1e-9), *hands, **table)


def test_play_if_probable_takes_the_likeliest_and_the_oldest_on_ties() -> None:
    assert does(play_if_probable(), "w4 b1 y3 w2 b4", YOURS, hints=["1 to G1"])[0] == "play 2"
    assert does(play_if_probable(), MINE, YOURS)[0] == "play 1"


def test_play_if_probable_never_plays_what_cannot_fit() -> None:
    assert passes(play_if_probable(), "r4 g4", YOURS, hints=["4 to G1"])


# Tell


def after_hints(rule: Rule, mine: str, *hints: str, **parts: Any) -> tuple[str, str]:
    """What the first player does after hints that the others gave in turn, and a move of its own before."""
    table = at(mine, YOURS, THEIRS, agents=[made_of(rule)] * 3, deck="g1 g1 b1 b2 w1 w3", **parts)
    make(table, "discard 5", *hints)
    decision = table.decide()
    return HANABI.move_text(decision.move), without_evidence(decision.reason)


def test_play_hinted_plays_the_single_card_of_the_latest_hint_if_it_can_fit() -> None:
    mine = "r1 y1 y3 w2 b4"
    decided = after_hints(play_hinted(), mine, "hint 2 to G1", "hint red to G1", tokens=5)
    assert decided == ("play 1", "I play my card 1: it is the only card that the latest hint touched")
    assert after_hints(play_hinted(), mine, "hint red to G1", "hint 2 to G1", tokens=5)[1].startswith(NOTHING)
    assert after_hints(play_hinted(), mine, "hint red to G1", "discard 1", tokens=5)[0] == "play 1"


def test_play_hinted_takes_the_oldest_or_the_newest_of_several_and_looks_at_the_odds() -> None:
    mine, hints = "r4 y1 y3 w2 b4", ("discard 1", "hint yellow to G1")
    assert after_hints(play_hinted("oldest"), mine, *hints, tokens=5)[0] == "play 2"
    assert after_hints(play_hinted("newest"), mine, *hints, tokens=5)[0] == "play 3"
    assert after_hints(play_hinted(), mine, *hints, tokens=5)[1].startswith(NOTHING)
    assert after_hints(play_hinted("oldest", 0.9), mine, *hints, tokens=5)[1].startswith(NOTHING)


def test_play_hinted_forgets_what_was_hinted_before_the_last_turn() -> None:
    """The hint of an earlier round is old: what it asked for was played or not."""
    table = at("r1 y1 y3 w2 b4", YOURS, THEIRS, agents=[made_of(play_hinted())] * 3, tokens=5)
    make(table, "discard 5", "hint red to G1", "discard 1", "discard 5", "discard 1", "discard 1")
    assert table.decide().reason.startswith(NOTHING)


def test_play_if_improbable_takes_the_least_likely_and_play_random_any() -> None:
    """The fours cannot fit; they are the first and the last card."""
    assert does(play_if_improbable(0.1), MINE, YOURS, hints=["4 to G1"])[0] == "play 1"
    assert passes(play_if_improbable(0.1), MINE, YOURS)
    found = set()
    for dice in range(60):
        table = at(MINE, YOURS, agents=[made_of(play_random())] * 2)
        set_dice(table.pair[0], dice)
        found.add(HANABI.move_text(table.decide().move))
    assert found == {f"play {slot}" for slot in range(1, 6)}


def test_hint_to_play_points_at_a_card_that_fits_by_the_place_it_has_in_the_hint() -> None:
    """The red 1 is the only red card and the oldest of the ones, and the yellow 1 the newest of them."""
    hand = "r1 y4 y1 b3 w4"
    assert does(hint_to_play(), MINE, hand) == (
        "hint red to G2", "I hint red to G2: G2's card 1 (red 1) can be played, and is the only card it touches",
    )  # fmt: skip
    assert does(hint_to_play(which="oldest"), MINE, hand)[0] == "hint 1 to G2"
    assert does(hint_to_play(which="newest"), MINE, "r3 y4 y1 b3 r1")[0] == "hint 1 to G2"
    assert passes(hint_to_play(which="single"), MINE, "r1 r4 y1 y4")
    assert passes(hint_to_play(), MINE, "g4 g3", "r1 b3")
    assert does(hint_to_play(to="anyone"), MINE, "g4 g3", "r1 b3")[0] == "hint 1 to G3"


def test_hint_to_play_leaves_alone_who_is_sure() -> None:
    assert passes(hint_to_play(), MINE, "r1 y4 b3", hints=["1 to G2"])


def test_hint_sure_gives_a_hint_after_which_the_holder_knows() -> None:
    """Every one fits at the start; a two fits only on its pile, so that its colour is needed too."""
    assert does(hint_sure(), MINE, "g2 r4 y1") == (
        "hint 1 to G2", "I hint 1 to G2, who now knows that G2's card 3 (yellow 1) can be played",
    )  # fmt: skip
    assert passes(hint_sure(), MINE, "g2 r4", piles={"green": 1})
    assert does(hint_sure(), MINE, "g2 r4", piles={"green": 1}, hints=["2 to G2"])[0] == "hint green to G2"


def test_hint_critical_hints_of_the_last_of_a_kind() -> None:
    assert does(hint_critical(), MINE, "g2 r5") == (
        "hint 5 to G2", "I hint 5 to G2: G2's card 2 (red 5) is the last of its kind",
    )  # fmt: skip
    assert does(hint_critical(says="colour"), MINE, "g2 r4", discards="g2")[0] == "hint green to G2"
    assert passes(hint_critical(), MINE, "g2 r4")


def test_hint_playable_hints_the_next_player_alone() -> None:
    hands = (MINE, YOURS, "y1 y4 g4 b5 w5")
    assert passes(hint_playable(), *hands)
    assert does(hint_playable(to="anyone"), *hands) == (
        "hint 1 to G3",
        "I hint 1 to G3: G3's card 1 (yellow 1) can be played",
    )
    assert does(hint_playable(), *hands, to_move=2)[0] == "hint 1 to G3"


def test_hint_playable_hints_what_is_missing_in_the_order_it_was_given() -> None:
    hands = (MINE, "y4 r1 g3 b3 w4")
    assert does(hint_playable(), *hands)[0] == "hint 1 to G2"
    assert does(hint_playable(says="colour"), *hands)[0] == "hint red to G2"
    assert does(hint_playable(), *hands, hints=["1 to G2"])[0] == "hint red to G2"
    assert does(hint_playable(says="colour"), *hands, hints=["red to G2"])[0] == "hint 1 to G2"
    assert passes(hint_playable(), *hands, hints=["red to G2", "1 to G2"])


def test_hint_playable_goes_on_to_a_card_of_which_something_is_missing() -> None:
    hands = (MINE, "r1 y4 b1 b3 w4")
    assert does(hint_playable(), *hands, hints=["red to G2", "1 to G2"])[0] == "hint blue to G2"


def test_hint_playable_says_either_property_whether_it_was_hinted_or_not() -> None:
    agent = made_of(hint_playable(says="either"))
    said = set()
    for dice in range(20):
        start = at(MINE, "y4 r1 g3 b3 w4", hints=["1 to G2"], agents=[agent] * 2)
        set_dice(start.pair[0], dice)
        said.add(HANABI.move_text(start.decide().move))
    assert said == {"hint 1 to G2", "hint red to G2"}
    assert agent.traits.random


def test_hint_anyone_useful_goes_in_turn_order_and_hints_the_missing_rank_first() -> None:
    hands = (MINE, "y3 b1 g3 b3 w4", "y1 y4 g4 b5 w5")
    assert does(hint_anyone_useful(), *hands) == (
        "hint 1 to G2",
        "I hint 1 to G2: G2's card 2 (blue 1) can be played",
    )
    assert does(hint_anyone_useful(), *hands, hints=["1 to G2"])[0] == "hint blue to G2"
    assert does(hint_anyone_useful(), *hands, hints=["1 to G2", "blue to G2"])[0] == "hint 1 to G3"
    assert does(hint_anyone_useful(), *hands, to_move=2)[0] == "hint 1 to G3"


def test_hint_dispensable_gives_a_hint_after_which_the_holder_knows() -> None:
    piles = {"red": 2, "yellow": 2, "green": 2, "blue": 2, "white": 2}
    hands = ("r4 r3 y3 w4 b4", "y4 g4 g2 b3 w4")
    assert does(hint_dispensable(), *hands, piles=piles) == (
        "hint 2 to G2", "I hint 2 to G2, who now knows that G2's card 3 (green 2) can never be played",
    )  # fmt: skip
    assert passes(hint_dispensable(), *hands, piles=piles, hints=["2 to G2"])


def test_hint_dispensable_hints_the_colour_where_the_rank_would_not_do() -> None:
    hands = ("r4 r3 y3 w4 b4", "y4 g4 g3 b3 w4")
    table: dict[str, Any] = {"piles": {"green": 5}}
    assert does(hint_dispensable(), *hands, **table)[0] == "hint green to G2"
    assert does(hint_dispensable(), *hands, piles={"green": 3}, hints=["green to G2"])[0] == "hint 3 to G2"


def test_hint_dispensable_passes_where_one_hint_is_not_enough() -> None:
    assert passes(hint_dispensable(), "r4 r3 y3 w4 b4", "y4 g1 g3 b3 w4", piles={"green": 1})


def test_hint_unknown_hints_whatever_was_not_hinted() -> None:
    hands = (MINE, YOURS, THEIRS)
    assert does(hint_unknown(), *hands) == (
        "hint yellow to G2",
        "I hint yellow to G2, who does not know both the colour and the rank of G2's card 1 (yellow 2)",
    )  # fmt: skip
    assert does(hint_unknown(says="rank"), *hands)[0] == "hint 2 to G2"
    assert does(hint_unknown(), *hands, hints=["yellow to G2"])[0] == "hint 2 to G2"
    everything = [f"{value} to G2" for value in ("yellow", "green", "blue", "white", 2, 3, 4)]
    assert passes(hint_unknown(), *hands, hints=everything)
    assert does(hint_unknown(to="anyone"), *hands, hints=everything)[0] == "hint yellow to G3"


def test_hint_most_information_touches_most_cards() -> None:
    hands = (MINE, "y2 g2 g3 b3 w4", "y4 b4 g4 b5 w5")
    assert does(hint_most_information(), *hands) == (
        "hint 4 to G3", "I hint 4 to G3: no other hint says more that is new",
    )  # fmt: skip


def test_hint_most_information_counts_what_is_new_or_all() -> None:
    hands = (MINE, "y2 g2 g3 b3 w4", "y4 b4 g4 b5 w5")
    assert does(hint_most_information(new=True), *hands, hints=["4 to G3"])[0] == "hint 2 to G2"
    assert does(hint_most_information(new=False), *hands, hints=["4 to G3"]) == (
        "hint 4 to G3", "I hint 4 to G3: no other hint touches more cards",
    )  # fmt: skip


def test_hint_most_information_passes_when_nothing_new_is_left() -> None:
    everything = [f"{value} to G2" for value in ("yellow", "green", "blue", "white", 2, 3, 4)]
    assert passes(hint_most_information(), MINE, "y2 g2 g3 b3 w4", hints=everything)


def test_hint_random_hints_the_next_player_or_anyone() -> None:
    def hints_by(rule: Rule) -> set[str]:
        found = set()
        for dice in range(60):
            table = at(MINE, YOURS, THEIRS, agents=[made_of(rule)] * 3)
            set_dice(table.pair[0], dice)
            move, reason = table.decide()
            assert reason == f"I {HANABI.move_text(move)}: a random hint"
            found.add(HANABI.move_text(move))
        return found

    assert {move[-2:] for move in hints_by(hint_random())} == {"G2"}
    assert {move[-2:] for move in hints_by(hint_random(to="anyone"))} == {"G2", "G3"}
    assert len(hints_by(hint_random())) == 7  # every colour and rank of the hand


@pytest.mark.parametrize(
    "rule",
    [
        hint_playable(), hint_playable(says="either"), hint_anyone_useful(), hint_dispensable(), hint_unknown(),
        hint_most_information(), hint_random(), hint_to_play(), hint_sure(), hint_critical(),
    ],
)  # fmt: skip
def test_nothing_is_hinted_without_a_token(rule: Rule) -> None:
    hands = (MINE, "r1 y4 b1 b3 w4")
    piles = {"green": 5}
    assert passes(rule, *hands, piles=piles, tokens=0)


# Discard


def test_discard_useless_throws_what_is_surely_played_before_what_is_surely_lost() -> None:
    """Blue 2 to 5 can never be played; the card hinted as a one lies on its pile, whatever colour it is."""
    table: dict[str, Any] = {
        "piles": {"red": 1, "yellow": 1, "green": 1, "blue": 1, "white": 1},
        "discards": "b2 b2",
        "hints": ["blue to G1", "3 to G1", "1 to G1"],
        "tokens": 5,
    }
    assert does(discard_useless(), "r4 b3 y4 w1 r2", YOURS.replace("b3", "g4"), **table) == (
        "discard 4", "I discard my card 4: it can never be played",
    )  # fmt: skip
    assert does(discard_useless(), "r4 b3 y4 w4 r2", YOURS.replace("b3", "g4"), **table)[0] == "discard 2"
    assert passes(discard_useless(), "r4 y4 w4 r2", YOURS.replace("b3", "g4"), **table)


def test_discard_if_probably_useless_counts_unseen_copies_exactly() -> None:
    """Of 13 unseen ones the 4 red and yellow ones are useless."""
    table: dict[str, Any] = {"hints": ["1 to G1"], "piles": {"red": 1, "yellow": 1}, "tokens": 5}
    hands = ("w4 b1 y3 w2 b4", YOURS)
    assert does(discard_if_probably_useless(4 / 13), *hands, **table) == (
        "discard 2",
        "I discard my card 2: of my cards it is the most likely to be useless",
    )
    assert passes(discard_if_probably_useless(4 / 13 + 1e-9), *hands, **table)


def test_discard_if_probably_useless_takes_the_oldest_when_nothing_is() -> None:
    assert does(discard_if_probably_useless(), MINE, YOURS, tokens=5)[0] == "discard 1"


def test_discard_oldest_and_random() -> None:
    assert does(discard_oldest(), MINE, YOURS, tokens=5) == ("discard 1", "I discard my card 1, my oldest")
    thrown = set()
    for dice in range(60):
        table = at(MINE, YOURS, tokens=5, agents=[made_of(discard_random())] * 2)
        set_dice(table.pair[0], dice)
        thrown.add(HANABI.move_text(table.decide().move))
    assert thrown == {f"discard {slot}" for slot in range(1, 6)}


def test_discard_unhinted_throws_a_card_that_no_hint_touched() -> None:
    table: dict[str, Any] = {"hints": ["4 to G1"], "tokens": 5}  # the first and the last
    assert does(discard_unhinted(), MINE, YOURS, **table)[0] == "discard 2"
    assert does(discard_unhinted("newest"), MINE, YOURS, **table)[0] == "discard 4"
    assert passes(discard_unhinted(), "r4 b4", YOURS, **table)


def test_discard_if_dispensable_keeps_what_may_be_the_last() -> None:
    """Fives are the last of their kind, whatever colour they have; of other cards one in many is."""
    table: dict[str, Any] = {"hints": ["5 to G1"], "tokens": 5}
    assert does(discard_if_dispensable(), "r5 r1 y3", YOURS, **table)[0] == "discard 2"
    assert passes(discard_if_dispensable(0.1), "r5 w5", YOURS, **table)


@pytest.mark.parametrize(
    "rule",
    [
        discard_useless(), discard_if_probably_useless(), discard_oldest(), discard_random(), discard_unhinted(),
        discard_if_dispensable(),
    ],
)  # fmt: skip
@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
def test_nothing_is_discarded_while_every_token_is_there(rule: Rule, rules: dict[str, str]) -> None:
    piles = {"red": 1, "yellow": 1, "green": 1, "blue": 1, "white": 1}
    move, reason = does(rule, "r1 r4", "y3 y4 g3", piles=piles, hints=["1 to G1"], rules=rules)
    assert (move, reason) == (
        "hint 3 to G2", "No rule applies and I cannot discard, so I hint 3 to G2",
    )  # fmt: skip


# Lists and conditions


def test_the_first_rule_that_applies_makes_the_move() -> None:
    agent = made_of(play_safe(), hint_anyone_useful(), discard_oldest())
    hands = ("r4 r1 y3 w2 b4", "y1 g2 g3 b3 w4")
    assert does(agent, *hands, hints=["1 to G1"])[0] == "play 2"
    assert does(agent, *hands)[0] == "hint 1 to G2"
    assert does(agent, *hands, tokens=0)[0] == "discard 1"


def test_a_list_that_runs_out_of_rules_throws_the_oldest_card() -> None:
    assert does(play_safe(), MINE, YOURS, tokens=3) == (
        "discard 1",
        "No rule applies, so I discard my card 1, my oldest",
    )


LATE = other_cards(MINE, YOURS)


@pytest.mark.parametrize(
    ("condition", "holds", "does_not"),
    [
        (lives_above(1), {"lives": 2}, {"lives": 1}),
        (lives_below(2), {"lives": 1}, {"lives": 2}),
        (tokens_above(4), {"tokens": 5}, {"tokens": 4}),
        (tokens_below(4), {"tokens": 3}, {"tokens": 4}),
        (deck_above(39), {}, {"discards": "r1"}),
        (deck_below(40), {"discards": "r1"}, {}),
        (deck_empty(), {"discards": LATE}, {"discards": LATE[3:]}),
        (score_above(2), {"piles": {"red": 3}}, {"piles": {"red": 2}}),
        (score_below(3), {"piles": {"red": 2}}, {"piles": {"red": 3}}),
        (players_below(3), {}, None),
        (players_above(2), None, {}),
        (lives_above(1) & tokens_below(4), {"lives": 2, "tokens": 3}, {"lives": 2, "tokens": 4}),
        (lives_above(1) & tokens_below(4), {"lives": 2, "tokens": 3}, {"lives": 1, "tokens": 3}),
    ],
    ids=lambda value: str(value) if isinstance(value, compose.Condition) else "",
)
def test_a_rule_is_tried_when_its_condition_holds_and_unless_it_does(
    condition: compose.Condition, holds: dict[str, Any] | None, does_not: dict[str, Any] | None
) -> None:
    for parts, tried in ((holds, when), (does_not, unless)):
        if parts is not None:
            given: dict[str, Any] = {"tokens": 5, **parts}
            word = "with" if tried is when else "without"
            reason = (
                f"{word.capitalize()} {condition}, I play my card 1: of my cards it is the most likely to be playable"
            )
            assert does(tried(condition, play_if_probable()), MINE, YOURS, **given) == ("play 1", reason)
            other = unless if tried is when else when
            assert passes(other(condition, play_if_probable()), MINE, YOURS, **given)


def test_a_rule_by_chance_is_tried_so_often() -> None:
    agent = made_of(when(by_chance(0.3), play_random()), hint_random())
    assert agent.traits.random
    assert agent.reasons[0].startswith("With a chance of 30 %, I play {card} at random")
    moves = []
    for dice in range(400):
        table = at(MINE, YOURS, agents=[agent] * 2)
        set_dice(table.pair[0], dice)
        moves.append(HANABI.move_text(table.decide().move).startswith("play"))
    assert 0.24 < sum(moves) / len(moves) < 0.36
    assert all(passes(when(by_chance(0.0), play_random()), MINE, YOURS) for _ in range(3))
    assert does(when(by_chance(1.0), play_random()), MINE, YOURS)[0].startswith("play")


def test_conditions_can_be_nested() -> None:
    rule = when(lives_above(1), unless(tokens_above(4), play_if_probable()))
    assert does(rule, MINE, YOURS, lives=2, tokens=3)[0] == "play 1"
    assert passes(rule, MINE, YOURS, lives=1, tokens=3)
    assert passes(rule, MINE, YOURS, lives=2, tokens=5)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: play_if_probable(1.5), "at_least of play_if_probable is a probability from 0 to 1, not 1.5."),
        (lambda: hint_random(to="everyone"), "to of hint_random is 'next' or 'anyone', not 'everyone'."),
        (lambda: hint_unknown(says="either"), "says of hint_unknown is 'rank' or 'colour', not 'either'."),
        (lambda: lives_above(1.5), "lives_above and lives_below compare with a whole number, not 1.5."),  # type: ignore[arg-type]
        (lambda: made_of(), "tested has no rules."),
        (lambda: made_of(*[play_safe()] * 251), "tested has 251 rules. A list can have at most 250."),
    ],
)
def test_a_list_that_cannot_be_is_refused_in_a_sentence(make: Any, says: str) -> None:
    with pytest.raises(KibitzError) as refused:
        make()
    assert says in str(refused.value)


def test_a_new_list_compiles_nothing() -> None:
    function = made_of(play_safe()).functions(HANABI).decide
    assert all(agent.functions(HANABI).decide is function for agent in PUBLISHED)


def test_only_lists_that_roll_dice_are_called_random() -> None:
    assert not rule_lists.van_den_bergh.traits.random
    assert made_of(play_safe(), hint_random()).traits.random


# The published lists


def test_piers_takes_a_chance_at_the_end_while_a_life_can_be_spared() -> None:
    late = {"discards": other_cards("r4 r1", "y2 g2"), "tokens": 0}
    move, reason = does(rule_lists.piers, "r4 r1", "y2 g2", **late)
    assert move == "play 1"
    assert reason.startswith(
        "With more than 1 life and an empty deck, I play my card 1: of my cards it is the most likely"
    )
    assert does(rule_lists.piers, "r4 r1", "y2 g2", lives=1, **late)[0] == "discard 1"


def test_van_den_bergh_plays_at_six_in_ten_with_a_life_to_spare_and_else_only_what_is_safe() -> None:
    table: dict[str, Any] = {"hints": ["1 to G1"], "piles": {"red": 1, "yellow": 1}}
    hands = ("w4 b1 y3 w2 b4", YOURS)
    assert does(rule_lists.van_den_bergh, *hands, lives=2, **table)[0] == "play 2"
    assert does(rule_lists.van_den_bergh, *hands, lives=1, **table)[1].endswith(" can be played")
    safe = {"hints": ["1 to G1"], "lives": 1}
    assert does(rule_lists.van_den_bergh, *hands, **safe)[1].startswith("Without more than 1 life, I play")


def test_internal_repeats_itself_and_outer_does_not() -> None:
    hands = (MINE, "y4 r1 g3 b3 w4")
    hinted = ["red to G2", "1 to G2"]
    assert does(rule_lists.internal, *hands, hints=hinted)[1].endswith(" can be played")
    assert does(rule_lists.outer, *hands, hints=hinted)[1].endswith("the colour and the rank of G2's card 1 (yellow 4)")


def test_flawed_plays_a_fresh_hand_blindly() -> None:
    assert does(rule_lists.flawed, MINE, YOURS)[1].startswith("I play my card 1: of my cards it is the most likely")


@pytest.mark.parametrize("agent", PUBLISHED, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_published_list_makes_only_legal_moves_under_every_rule(agent: CompiledAgent, players: int) -> None:
    for rules in EVERY_RULES:
        assert played([agent] * players, 200, rules=rules).done == 200


@pytest.mark.parametrize("make", compose.RULES.values(), ids=compose.RULES)
@pytest.mark.parametrize("players", PLAYERS)
def test_any_rule_alone_makes_only_legal_moves_under_every_rule(make: Any, players: int) -> None:
    for rules in EVERY_RULES:
        assert played([made_of(make())] * players, 60, rules=rules).done == 60


def test_the_published_lists_are_as_strong_as_their_order_says() -> None:
    """Means of 2,000 games at four players lie more than a point apart, and their standard error is below 0.06."""
    means = [float(played([agent] * 4, 2000).results[:, 0].mean()) for agent in PUBLISHED]
    internal, outer, iggi, piers, van_den_bergh, flawed = means
    assert flawed < 3 < internal - 5
    assert internal + 2 < outer < iggi - 2
    assert iggi + 0.5 < min(piers, van_den_bergh)
