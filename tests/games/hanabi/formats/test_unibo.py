"""The protocol of Bida & Pandolfi's host: its messages, what they hide, and the mirror that keeps in step."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.core.wire import ImpersonationError, OutOfStepError
from kibitz.engine.seeds import keys, number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.formats.unibo import UNIBO
from kibitz.games.hanabi.formats.unibo_words import move_object
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_MOVES, kind_named
from kibitz.games.hanabi.rules import held_values
from tests.fuzzing import examples
from tests.tables import AGENTS, HONEST, PLAYERS, at, careless_move, dealt, make, named, other_cards, wander

RULES = HANABI.check_rules(UNIBO.rules)
COLOURS = ["red", "green", "white", "blue", "yellow"]
VALUES = [1, 2, 3, 4, 5]
any_dice = st.integers(0, 1 << 30).map(random.Random)


def full_names(players: int) -> list[str]:
    return [
        UNIBO.full_name(seat, name)
        for seat, name in enumerate(["Bot1", "Ada B.", "Zoë (2)", '"q"', "G1 (x)"][:players])
    ]


def said(table: Table, seat: int) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(UNIBO.state(table.view(seat), full_names(int(table.state["players"]))))
    return state


def in_seats(table: Table) -> range:
    return range(int(table.state["players"]))


def card(kind: str | None, rank: int, colours: list[str], values: list[int]) -> dict[str, Any]:
    return {"color": kind, "value": rank, "possible_colors": colours, "possible_values": values}


# States


def test_a_state_has_the_keys_of_the_protocol_and_every_full_name() -> None:
    state = said(Table(HANABI, [], dealt(3, rules=RULES)), 1)
    assert list(state) == [
        "current", "round", "final", "deck", "hints", "fuse", *COLOURS, "discarded", "lastaction", *full_names(3),
    ]  # fmt: skip
    assert state["current"] == "G1 (Bot1)"
    assert (state["round"], state["final"], state["deck"], state["hints"], state["fuse"]) == (1, -1, 35, 8, 3)
    assert (state["discarded"], state["lastaction"]) == ([], None)
    assert [state[colour] for colour in COLOURS] == [0] * 5


def test_a_state_is_one_object_without_a_newline() -> None:
    text = UNIBO.state(Table(HANABI, [], dealt(5)).view(0), full_names(5))
    assert text.startswith(b"{")
    assert text.endswith(b"}")
    assert b"\n" not in text
    assert "Zoë".encode() in text


def test_own_cards_are_shown_only_as_far_as_hints_go() -> None:
    table = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1")
    make(table, "hint 3 to G2", "hint 2 to G1", "discard 5")
    rest = [1, 3, 4, 5]
    mine = said(table, 0)["G1 (Bot1)"]
    assert mine[0] == card(None, 2, COLOURS, [2])
    assert mine[1] == card(None, 0, COLOURS, rest)
    assert mine[-1] == card(None, 0, COLOURS, VALUES)
    make(table, "hint red to G1")
    mine = said(table, 0)["G1 (Bot1)"]
    assert mine[0] == card("red", 2, ["red"], [2])
    assert mine[1] == card(None, 0, ["green", "white", "blue", "yellow"], rest)


def test_partners_cards_are_shown_with_what_their_holders_know() -> None:
    table = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1")
    make(table, "hint red to G2")
    theirs = said(table, 0)["G2 (Ada B.)"]
    assert theirs[1] == card("red", 3, ["red"], VALUES)
    assert theirs[0] == card("blue", 1, ["green", "white", "blue", "yellow"], VALUES)


def test_discards_come_in_order_with_misplayed_cards_among_them() -> None:
    table = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1")
    make(table, "discard 5", "play 1", "play 1")
    gone = [(each["color"], each["value"]) for each in said(table, 0)["discarded"]]
    assert gone == [("blue", 2), ("red", 2)]
    assert said(table, 0)["discarded"][0] == card("blue", 2, ["blue"], [2])


def test_discards_of_a_position_come_before_those_of_its_moves() -> None:
    table = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1", discards="w4 y1")
    make(table, "discard 1")
    gone = [(each["color"], each["value"]) for each in said(table, 0)["discarded"]]
    assert sorted(gone[:2]) == [("white", 4), ("yellow", 1)]
    assert gone[2:] == [("red", 2)]


@pytest.mark.parametrize(
    ("move", "last"),
    [
        ("play 2", {"player": "G1 (Bot1)", "type": "play", "card": 1}),
        ("discard 5", {"player": "G1 (Bot1)", "type": "discard", "card": 4}),
        ("hint blue to G2", {"player": "G1 (Bot1)", "type": "hint color", "hinted": "G2 (Ada B.)", "color": "blue"}),
        ("hint 4 to G2", {"player": "G1 (Bot1)", "type": "hint value", "hinted": "G2 (Ada B.)", "value": 4}),
    ],
)
def test_the_last_action_is_the_move_as_an_object(move: str, last: dict[str, Any]) -> None:
    table = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1")
    make(table, move)
    assert said(table, 0)["lastaction"] == said(table, 1)["lastaction"] == last


def test_final_is_the_turn_of_the_last_draw_and_one_turn_each() -> None:
    hands = "r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1"
    table = at(*hands, discards=other_cards(*hands, "y4"), deck="y4")
    make(table, "hint red to G2")
    assert said(table, 0)["final"] == -1
    make(table, "discard 1")
    assert (said(table, 0)["round"], said(table, 0)["final"], said(table, 0)["deck"]) == (3, 4, 0)
    make(table, "discard 1", "discard 1")
    state = said(table, 0)
    assert table.over
    assert (state["round"], state["final"], state["current"]) == (5, 4, "G1 (Bot1)")


@examples(20)
@given(st.sampled_from(PLAYERS), any_dice)
def test_a_state_says_the_same_whatever_the_hidden_cards_are(players: int, dice: random.Random) -> None:
    for table in wander(Table(HANABI, [], dealt(players, rules=RULES, seed=dice.randrange(99))), dice):
        if dice.random() < 0.1:
            seat = dice.randrange(players)
            other = table.sample_world(seat, [], dice.randrange(1 << 40))
            assert said(other, seat) == said(table, seat)


# Moves


@examples(20)
@given(st.sampled_from(PLAYERS), any_dice)
def test_a_legal_move_is_read_as_it_was_written_and_an_illegal_one_refused(players: int, dice: random.Random) -> None:
    names = full_names(players)
    for table in wander(Table(HANABI, [], dealt(players, rules=RULES, seed=dice.randrange(99))), dice):
        if table.over or dice.random() > 0.1:
            continue
        seat, view = table.to_move, table.view(table.to_move)
        for move in ALL_MOVES:
            if move.is_hint and move.target >= players:
                continue
            sent = json.loads(json.dumps(move_object(move, names[seat], names)))
            if table.allows(move):
                assert UNIBO.move(sent, seat, names, view) == move
            else:
                with pytest.raises(KibitzError):
                    UNIBO.move(sent, seat, names, view)


ME = {"player": "G1 (Bot1)"}


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ([1], "A move is a JSON object"),
        ({}, "own name"),
        ({**ME, "player": "G2 (Ada B.)", "type": "play", "card": 0}, "own name"),
        ({**ME, "card": 0}, "The types of a move are play, discard"),
        ({**ME, "type": ["play"], "card": 0}, "The types of a move"),
        ({**ME, "type": "play"}, "to 4, not None"),
        ({**ME, "type": "play", "card": 5}, "0 .the oldest. to 4"),
        ({**ME, "type": "play", "card": -1}, "0 .the oldest. to 4"),
        ({**ME, "type": "discard", "card": True}, "not True"),
        ({**ME, "type": "discard", "card": 1.5}, "not 1.5"),
        ({**ME, "type": "discard", "card": "1"}, "not '1'"),
        ({**ME, "type": "discard", "card": float("inf")}, "not inf"),
        ({**ME, "type": "hint color", "hinted": "G2 (Ada B.)", "color": "pink"}, "not 'pink'"),
        ({**ME, "type": "hint color", "hinted": "G2 (Ada B.)", "color": ["red"]}, "not .'red'."),
        ({**ME, "type": "hint color", "hinted": "G2", "color": "red"}, "not 'G2'"),
        ({**ME, "type": "hint color", "hinted": None, "color": "red"}, "not None"),
        ({**ME, "type": "hint value", "hinted": "G2 (Ada B.)", "value": 6}, "1 to 5"),
        ({**ME, "type": "hint value", "hinted": "G2 (Ada B.)", "value": 5}, "G2 holds no 5"),
        ({**ME, "type": "hint value", "hinted": "G1 (Bot1)", "value": 2}, "another player"),
    ],
)
def test_a_wrong_move_is_refused_with_what_is_wrong(message: Any, why: str) -> None:
    view = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1").view(0)
    with pytest.raises(KibitzError, match=why):
        UNIBO.move(message, 0, full_names(2), view)


def test_a_move_in_anothers_name_is_distinguished() -> None:
    view = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1").view(0)
    with pytest.raises(ImpersonationError):
        UNIBO.move({"player": "G2 (Ada B.)", "type": "play", "card": 0}, 0, full_names(2), view)


def test_a_move_out_of_turn_is_refused() -> None:
    view = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1").view(1)
    with pytest.raises(KibitzError, match="not the turn"):
        UNIBO.move({"player": "G2 (Ada B.)", "type": "play", "card": 0}, 1, full_names(2), view)


def test_a_hint_without_a_token_is_refused() -> None:
    view = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1", tokens=0).view(0)
    hint = {**ME, "type": "hint value", "hinted": "G2 (Ada B.)", "value": 3}
    with pytest.raises(KibitzError, match="no token"):
        UNIBO.move(hint, 0, full_names(2), view)


def test_numbers_may_come_as_three_or_as_three_point_nought() -> None:
    view = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1").view(0)
    assert UNIBO.move({**ME, "type": "play", "card": 3.0}, 0, full_names(2), view) == 3
    hint = {**ME, "type": "hint value", "hinted": "G2 (Ada B.)", "value": 3.0}
    assert UNIBO.move(hint, 0, full_names(2), view) == 10 + 10 + 5 + 2


# The mirror


def unusual(value: Any, dice: random.Random) -> Any:
    """The same state as another host might write it: other orders, 3.0 for 3, and keys that nobody knows."""
    if isinstance(value, dict):
        items = [(key, unusual(each, dice)) for key, each in value.items()] + [("remark", [1, {"x": None}])]
        dice.shuffle(items)
        return dict(items)
    if isinstance(value, list):
        mixed = [unusual(each, dice) for each in value]
        if all(isinstance(each, str | float) for each in mixed):
            dice.shuffle(mixed)
        return mixed
    return float(value) if type(value) is int else value


@examples(20)
@given(st.sampled_from(PLAYERS), any_dice)
def test_the_mirror_sees_what_the_seat_sees_at_home_byte_for_byte(players: int, dice: random.Random) -> None:
    seed = dice.randrange(999)
    start = dealt(players, rules=RULES, seed=seed)
    mirrors = [UNIBO.mirror(name, number(keys(seed).dice, 0)) for name in full_names(players)]
    for table in wander(Table(HANABI, [], start), dice):
        for seat, mirror in enumerate(mirrors):
            view = mirror.see(unusual(said(table, seat), dice))
            assert view.tobytes() == table.view(seat).tobytes()
            assert mirror.over == table.over


@pytest.mark.parametrize("agent", HONEST, ids=named)
def test_an_agent_decides_by_a_mirror_as_it_does_at_home(agent: Any) -> None:
    for players in (2, 5):
        start = dealt(players, rules=RULES, seed=8)
        table = Table(HANABI, [agent.take_seat(HANABI) for _ in range(players)], start)
        seat = players - 1
        mirror, away = UNIBO.mirror(full_names(players)[seat], number(keys(8).dice, 0)), agent.take_seat(HANABI)
        while True:
            view = mirror.see(said(table, seat))
            away.observe(view)
            if table.over:
                break
            decision = table.decide()
            if table.to_move == seat:
                assert away.decide(view) == decision
            table.make(decision)
        assert mirror.table.result() == table.result()


def test_the_same_dice_give_the_same_decisions_and_other_dice_others() -> None:
    agent = next(agent for agent in AGENTS if agent.name == "random_legal")
    state = said(Table(HANABI, [], dealt(3, rules=RULES)), 0)
    moves = [agent.take_seat(HANABI).decide(UNIBO.mirror("G1 (Bot1)", dice).see(state)).move for dice in range(20)]
    again = [agent.take_seat(HANABI).decide(UNIBO.mirror("G1 (Bot1)", dice).see(state)).move for dice in range(20)]
    assert moves == again
    assert len(set(moves)) > 5


def test_any_player_may_begin() -> None:
    hands = "r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1"
    table = at(*hands, to_move=2)
    mirror = UNIBO.mirror("G1 (Bot1)")
    mirror.see(said(table, 0))
    make(table, "hint 2 to G1", "play 3")
    state = said(table, 0)
    state["round"] = 2
    before = at(*hands, to_move=2)
    make(before, "hint 2 to G1")
    mirror.see(said(before, 0))
    assert mirror.table.to_move == 0


def test_a_host_may_write_full_names_without_the_space() -> None:
    state = said(Table(HANABI, [], dealt(2, rules=RULES)), 0)
    text = json.dumps(state).replace("G1 (", "G1(").replace("G2 (", "G2(")
    mirror = UNIBO.mirror("G1(Bot1)")
    mirror.see(json.loads(text))
    assert mirror.names == ("G1(Bot1)", "G2(Ada B.)")


def test_a_decision_is_said_as_a_bare_object_in_our_own_name() -> None:
    mirror = UNIBO.mirror("G1 (Bot1)")
    mirror.see(said(Table(HANABI, [], dealt(2, rules=RULES)), 0))
    assert mirror.move(7) == b'{"player":"G1 (Bot1)","type":"discard","card":2}'
    assert mirror.move(22) == b'{"player":"G1 (Bot1)","type":"hint color","hinted":"G2 (Ada B.)","color":"green"}'


def lies(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    theirs, mine = state["G2 (Ada B.)"], state["G1 (Bot1)"]
    return {
        '"hints" is': {"hints": state["hints"] + 1},
        '"fuse" is': {"fuse": 1},
        '"deck" is': {"deck": 12},
        '"round" is': {"round": state["round"] + 1},
        '"final" is': {"final": 9},
        '"red" is': {"red": 4},
        '"current" is': {"current": "G1 (Bot1)" if state["current"] != "G1 (Bot1)" else "G2 (Ada B.)"},
        "among the discards are": {"discarded": [card("red", 5, ["red"], [5])] * 3},
        "cards in the hand of G2": {"G2 (Ada B.)": theirs[:-1]},
        "card 0 of G2": {"G2 (Ada B.)": [{**theirs[0], "possible_values": []}, *theirs[1:]]},
        "card 1 of G1": {"G1 (Bot1)": [mine[0], {**mine[1], "possible_colors": ["red", "blue"]}, *mine[2:]]},
        "whole number": {"hints": "many"},
        "list of cards": {"discarded": None},
        "none of the game": {"discarded": [card("pink", 1, [], [])]},
        "possible_colors": {"G1 (Bot1)": [{"color": None, "value": 0}] * 5},
    }


@pytest.mark.parametrize("lie", lies(said(Table(HANABI, [], dealt(2, rules=RULES)), 0)))
def test_a_host_that_contradicts_itself_is_reported_with_the_place(lie: str) -> None:
    table = Table(HANABI, [], dealt(2, rules=RULES))
    mirror = UNIBO.mirror("G1 (Bot1)")
    dice = random.Random(3)
    for _ in range(4):
        mirror.see(said(table, 0))
        while not (move := careless_move(HANABI.view(table.state), dice)).is_hint:
            pass
        table.make(Decision(int(move)))
    state = said(table, 0)
    with pytest.raises(OutOfStepError, match=lie):
        mirror.see({**state, **lies(state)[lie]})


def test_a_last_action_that_cannot_be_is_reported() -> None:
    table = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1")
    first = said(table, 0)
    make(table, "hint red to G2")
    second = said(table, 0)
    for last, why in (
        (None, "It was the turn of 'G1"),
        ({**second["lastaction"], "player": "G2 (Ada B.)"}, "It was the turn of 'G1"),
        ({**second["lastaction"], "hinted": "G3 (Bo)"}, "cannot be read"),
        ({**second["lastaction"], "type": "hint value", "value": 5}, "holds no 5"),
        ({"player": "G1 (Bot1)", "type": "play", "card": 0}, "shows no new card"),
    ):
        mirror = UNIBO.mirror("G1 (Bot1)")
        mirror.see(first)
        with pytest.raises(OutOfStepError, match=why):
            mirror.see({**second, "lastaction": last})


def test_a_game_is_mirrored_from_its_beginning_by_somebody_who_plays() -> None:
    table = Table(HANABI, [], dealt(2, rules=RULES))
    first = said(table, 0)
    with pytest.raises(OutOfStepError, match="You are 'G2"):
        UNIBO.mirror("G2 (Nobody)").see(first)
    with pytest.raises(OutOfStepError, match="Join when a new game begins"):
        UNIBO.mirror("G1 (Bot1)").see({**first, "round": 2})
    with pytest.raises(OutOfStepError, match="seats from 1"):
        UNIBO.mirror("G1 (Bot1)").see({key: hand for key, hand in first.items() if key != "G1 (Bot1)"})
    with pytest.raises(OutOfStepError, match="a hand has 5 cards"):
        UNIBO.mirror("G1 (Bot1)").see({**first, "G1 (Bot1)": []})


def test_more_copies_than_the_game_has_are_noticed() -> None:
    first = said(Table(HANABI, [], dealt(2, rules=RULES)), 0)
    with pytest.raises(OutOfStepError, match="the game has"):
        UNIBO.mirror("G1 (Bot1)").see({**first, "G2 (Ada B.)": [card("red", 5, COLOURS, VALUES)] * 5})


def test_hints_that_no_hand_agrees_with_are_noticed() -> None:
    """A search that samples hands would look for one for ever."""
    start = dealt(2, rules=RULES)
    start[0]["deck"][5:7] = kind_named("r5").index  # both in the hand of G2, and one in the game
    start[0]["values"][1] = held_values(start[0], 1)
    table = Table(HANABI, [], start)
    mirror = UNIBO.mirror("G2 (Ada B.)")
    for move in ("5 to G2", "discard 5", "red to G2"):
        mirror.see(said(table, 1))
        make(table, move)
    with pytest.raises(OutOfStepError, match="hints that some hand agrees with"):
        mirror.see(said(table, 1))


def test_the_last_state_may_leave_things_out_but_not_lie_about_the_score() -> None:
    table = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1")
    mirror = UNIBO.mirror("G1 (Bot1)")
    mirror.see(said(table, 0))
    for move in ("play 1", "play 2"):
        make(table, move)
        mirror.see(said(table, 0))
    make(table, "play 1")
    assert table.over
    last = {**said(table, 0), "current": "nobody", "round": 3, "deck": 38, "G2 (Ada B.)": said(table, 0)["G2 (Ada B.)"]}
    with pytest.raises(OutOfStepError, match='"fuse" is 2'):
        mirror.see({**last, "fuse": 2})
    other = UNIBO.mirror("G2 (Ada B.)")
    again = at("r2 g3 w1 y5 b2", "b1 r3 r2 w4 g1")
    other.see(said(again, 1))
    for move in ("play 1", "play 2", "play 1"):
        make(again, move)
        state = said(again, 1)
        if again.over:
            state = {**state, "current": "nobody", "round": 3, "G1 (Bot1)": state["G1 (Bot1)"][:4]}
        other.see(state)
    assert other.over
    with pytest.raises(OutOfStepError, match="after the one in which the game was over"):
        other.see(said(again, 1))
