"""Starts of games in text: deals and positions, written, read, and refused with a reason."""

import random
from typing import Any

import msgspec
import pytest

from kibitz.core.table import Table
from kibitz.errors import KibitzError, RecordError
from kibitz.games.hanabi import View, position
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import kind_named
from tests.tables import (
    DEFAULTS,
    EVERY_RULES,
    PLAYERS,
    at,
    dealt,
    hand,
    make,
    named,
    other_cards,
    table_of,
    wander,
)


def through_json(state: Any, players: int, rules: dict[str, str]) -> Any:
    """A start written to JSON and read again."""
    text = msgspec.json.decode(msgspec.json.encode(HANABI.dump_start(state)))
    return HANABI.load_start(text, players, rules)


def known(view: View) -> dict[str, Any]:
    """Everything of an open table but how it came about."""
    return {
        "hands": [
            [(card.kind, card.hinted_kinds, card.colour_hinted, card.rank_hinted) for card in cards]
            for cards in view.hands
        ],
        "deck": view.struct["deck"][50 - view.deck_left :].tolist(),
        "piles": view.piles,
        "discards": view.discards,
        "others": (view.players, view.tokens, view.lives, view.to_move, view.turns_left, view.legal),
        "rules": int(view.struct["rules"]),
    }


# Written and read


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_deal_is_read_as_it_was_written(players: int, rules: dict[str, str]) -> None:
    for number in range(5):
        start = dealt(players, rules=rules, number=number)
        again = through_json(start[0], players, rules)
        again["streams"] = start["streams"]
        assert again.tobytes() == start.tobytes()


def test_a_deal_is_written_as_its_deck_alone() -> None:
    start = dealt(3)
    text = HANABI.dump_start(start[0])
    assert list(text) == ["deck"]
    assert [kind_named(word).index for word in text["deck"].split()] == start[0]["deck"].tolist()


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_broken_off_is_read_as_it_was_written(players: int, rules: dict[str, str]) -> None:
    for table in wander(table_of((), dealt(players, rules=rules, seed=3)), random.Random(players)):
        if not table.over:
            again = through_json(table.state, players, rules)
            assert known(HANABI.view(again[0])) == known(HANABI.view(table.state))
            assert HANABI.dump_start(again[0]) == HANABI.dump_start(table.state)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_broken_off_goes_on_as_it_would_have(players: int) -> None:
    for table in wander(table_of((), dealt(players, seed=4)), random.Random(players)):
        if len(table.turns) % 10 == 9 and not table.over:
            again = Table(HANABI, [], through_json(table.state, players, DEFAULTS))
            assert the_rest(again, 0) == the_rest(table.copy(), len(table.turns))


def the_rest(table: Table, made: int) -> tuple[list[int], int, int]:
    """The moves of a random end of the game, and its result."""
    for _ in wander(table, random.Random(5)):
        pass
    score, lives, _ = table.result().values()
    return [turn.decision.move for turn in table.turns[made:]], score, lives


def test_a_record_of_the_former_key_is_read_the_same() -> None:
    table = at("r1 r2", "y1 y2", hints=["red to G1"])
    text = HANABI.dump_start(table.state)
    former = {"told" if key == "knowledge" else key: value for key, value in text.items()}
    assert "told" in former
    assert HANABI.load_start(former, 2, DEFAULTS).tobytes() == HANABI.load_start(text, 2, DEFAULTS).tobytes()


# Positions


def test_a_position_is_set_up_as_described() -> None:
    view = HANABI.view(
        position(
            ["r1 b3 w5 g2", "y1 y2 y3 y4"], piles={"red": 2}, discards="w1 w1", hints=["red to G1", "2 to G2"],
            deck="b1 b2", tokens=5, lives=2, to_move=2,
        )[0]
    )  # fmt: skip
    assert (hand(view, 0), hand(view, 1)) == ("r1 b3 w5 g2", "y1 y2 y3 y4")
    assert (view.piles["red"], view.score) == (2, 2)
    assert [kind.short for kind in view.discards] == ["w1", "w1"]
    assert (view.tokens, view.lives, view.to_move, view.turn, view.turns_left) == (5, 2, 1, 1, None)
    assert [card.colour_hinted for card in view.hands[0]] == [True, False, False, False]
    assert [card.rank_hinted for card in view.hands[1]] == [False, True, False, False]
    assert view.deck_left == 50 - 8 - 2 - 2


def test_the_draw_pile_of_a_position_begins_with_the_cards_it_names() -> None:
    view = make(at("r1 r2", "y1 y2", deck="b1 w2"), "discard 1", "discard 1")
    assert (hand(view, 0), hand(view, 1)) == ("r2 b1", "y2 w2")


def test_cards_that_a_position_does_not_name_lie_in_the_draw_pile() -> None:
    state = position(["r1 r2", "y1 y2"], discards="w5")[0]
    deck = " ".join(f"{'rygbw'[kind // 5]}{kind % 5 + 1}" for kind in state["deck"][state["drawn"] :])
    assert sorted(deck.split()) == sorted(other_cards("r1 r2", "y1 y2", "w5").split())
    assert deck.split() != sorted(deck.split())
    assert state.tobytes() == position(["r1 r2", "y1 y2"], discards="w5")[0].tobytes()


def test_with_no_card_left_to_draw_everybody_has_one_turn_unless_said_otherwise() -> None:
    hands = ("r1", "y1", "g1")
    for turns_left, expected in ((None, 3), (1, 1), (2, 2)):
        view = HANABI.view(position(list(hands), discards=other_cards(*hands), turns_left=turns_left)[0])
        assert (view.deck_left, view.turns_left) == (0, expected)


def test_a_position_obeys_the_rules_it_is_given() -> None:
    view = HANABI.view(position(["r1", "y1"], rules={"full_discard": "forbidden", "empty_hint": "allowed"})[0])
    assert not any(move.is_discard for move in view.legal)
    assert sum(move.is_hint for move in view.legal) == 10


# Refused


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "two copies of a five": ({"hands": ["r5 r5", "y1 y2"]}, "1 too many red 5"),
    "a fourth one": ({"hands": ["r1 r1", "r1 y2"], "piles": {"red": 1}}, "1 too many red 1"),
    "a third four among the discards": ({"hands": ["g4", "g4"], "discards": "g4"}, "1 too many green 4"),
    "a card in hand and deck": ({"hands": ["w5", "y1"], "deck": "w5"}, "1 too many white 5"),
    "six cards": ({"hands": ["r1 r1 r2 r2 r3 r3", "y1"]}, "2 players need 2 hands of 1 to 5 cards"),
    "five cards of four players": (
        {"hands": ["r1 r1 r2 r2 r3", "y1", "g1", "b1"]}, "4 players need 4 hands of 1 to 4 cards",
    ),
    "an empty hand": ({"hands": ["r1", ""]}, "2 players need 2 hands of 1 to 5 cards"),
    "an empty hand that is to move": (
        {"hands": ["", "y1"], "discards": other_cards("y1")}, "not that of the player to move",
    ),
    "turns counted too early": ({"hands": ["r1", "y1"], "turns_left": 1}, "there are cards left to draw"),
    "knowledge of nobody": ({"hands": ["r1", "y1"], "knowledge": ["c:1f", ":1ffffff", "c:1f"]}, "there are 2"),
    "no such rank": ({"hands": ["r9", "y1"]}, "'r9' is not a card"),
    "no such colour": ({"hands": ["r1", "y1"], "discards": "p1"}, "'p1' is not a card"),
    "nine tokens": ({"hands": ["r1", "y1"], "tokens": 9}, "tokens is 9; it must be 0 to 8"),
    "a token owed": ({"hands": ["r1", "y1"], "tokens": -1}, "tokens is -1; it must be 0 to 8"),
    "no life": ({"hands": ["r1", "y1"], "lives": 0}, "lives is 0; it must be 1 to 3"),
    "a fourth life": ({"hands": ["r1", "y1"], "lives": 4}, "lives is 4; it must be 1 to 3"),
    "a third seat of two": ({"hands": ["r1", "y1"], "to_move": 3}, "to_move is 3; it must be 1 to 2"),
    "seat nought": ({"hands": ["r1", "y1"], "to_move": 0}, "to_move is 0; it must be 1 to 2"),
    "a pile of six": ({"hands": ["r1", "y1"], "piles": {"red": 6}}, "red pile is 6; it must be 0 to 5"),
    "a pile of no colour": (
        {"hands": ["r1", "y1"], "piles": {"pink": 1}}, "'pink' is not a colour. Colours are red, yellow",
    ),
    "a hint that is a play": ({"hands": ["r1", "y1"], "hints": ["play 1"]}, "'play 1' is not a hint to one of 2"),
    "a hint to nobody": ({"hands": ["r1", "y1"], "hints": ["red to G3"]}, "'red to G3' is not a hint to one of 2"),
    "a hint in no words": ({"hands": ["r1", "y1"], "hints": ["wink"]}, "'wink' is not a move"),
    "too much knowledge": (
        {"hands": ["r1", "y1"], "knowledge": ["c:1f r:1"]},
        "knowledge has 2 words for a hand of 1 cards",
    ),
    "knowledge in other words": ({"hands": ["r1", "y1"], "knowledge": ["red"]}, "knowledge has 'red' for a card"),
    "false knowledge": ({"hands": ["r1", "y1"], "knowledge": ["c:3e0"]}, "rules out the card itself"),
    "all piles full": (
        {"hands": ["r1", "y1"], "piles": dict.fromkeys(("red", "yellow", "green", "blue", "white"), 5)},
        "already the end of a game",
    ),
    "no turn left": (
        {"hands": ["r1", "y1"], "discards": other_cards("r1", "y1"), "turns_left": 0},
        "turns_left is 0; it must be 1 to 2",
    ),
    "more turns left than players": (
        {"hands": ["r1", "y1"], "discards": other_cards("r1", "y1"), "turns_left": 3},
        "turns_left is 3; it must be 1 to 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_position_that_cannot_be_is_refused_with_what_is_wrong(fault: str) -> None:
    parts, says = FAULTS[fault]
    with pytest.raises(RecordError, match=says):
        HANABI.load_start(parts, len(parts["hands"]), DEFAULTS)
    with pytest.raises(RecordError, match=says):
        position(**parts)


def test_a_deck_that_is_not_the_fifty_cards_is_refused() -> None:
    deck = HANABI.dump_start(dealt(2)[0])["deck"]
    first, _, rest = deck.partition(" ")
    with pytest.raises(RecordError, match=f"not the 50 of the deck: 1 missing {kind_named(first)}"):
        HANABI.load_start({"deck": rest}, 2, DEFAULTS)
    with pytest.raises(RecordError, match=f"not the 50 of the deck: 1 too many {kind_named(first)}"):
        HANABI.load_start({"deck": f"{deck} {first}"}, 2, DEFAULTS)
    with pytest.raises(RecordError, match="not the 50 of the deck"):
        HANABI.load_start({}, 2, DEFAULTS)


@pytest.mark.parametrize("players", [3, 4])
def test_a_position_needs_a_hand_for_every_player(players: int) -> None:
    with pytest.raises(RecordError, match=f"{players} players need {players} hands"):
        HANABI.load_start({"hands": ["r1", "y1"]}, players, DEFAULTS)


@pytest.mark.parametrize("hands", [["r1"], ["r1"] * 6])
def test_a_position_is_for_two_to_five_players(hands: list[str]) -> None:
    with pytest.raises(KibitzError, match="2 to 5 players"):
        position(hands)


@pytest.mark.parametrize(
    "text", ["a start", 7, {"hands": "r1"}, {"hands": [1, 2]}, {"deck": None}, {"tokens": "8"}, {"cards": "r1"}]
)
def test_a_start_of_another_shape_is_refused(text: Any) -> None:
    with pytest.raises(RecordError, match="The start of the game cannot be read"):
        HANABI.load_start(text, 2, DEFAULTS)


def test_a_deck_with_parts_of_a_position_but_no_hands_is_refused() -> None:
    deck = HANABI.dump_start(dealt(3)[0])
    with pytest.raises(RecordError, match="names the hands"):
        HANABI.load_start({**deck, "tokens": 3}, 3, DEFAULTS)


def test_the_last_turns_of_a_short_hand_can_be_set_up_again() -> None:
    table = at("r5", "y5", discards=other_cards("r5", "y5"))
    make(table, "discard 1")
    again = HANABI.load_start(HANABI.dump_start(table.state), 2, DEFAULTS)
    assert again[0]["held"].tolist() == table.state["held"].tolist()
    assert again[0]["countdown"] == table.state["countdown"]
