"""Hanabi as JSON: what a page and a bot over the network are handed."""

import random
from typing import Any

import msgspec
import pytest

from kibitz.engine.loop import ONLOOKER
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.state import FACE_DOWN
from tests.tables import PLAYERS, at, dealt, make, table_of, wander, with_other_cards


def games(players: int, number: int = 2) -> Any:
    for game in range(number):
        yield from wander(table_of((), dealt(players, seed=21, number=game)), random.Random(game))


def shown(view: Any) -> Any:
    return msgspec.json.decode(HANABI.page(view))


@pytest.mark.parametrize("players", PLAYERS)
def test_what_an_onlooker_sees_does_not_depend_on_any_hidden_card(players: int) -> None:
    dice, different = random.Random(5), 0
    for table in games(players, 1):
        other = with_other_cards(table, dice)
        different += other.state.tobytes() != table.state.tobytes()
        assert other.view(ONLOOKER).tobytes() == table.view(ONLOOKER).tobytes()
        assert shown(other.view(ONLOOKER)) == shown(table.view(ONLOOKER))
    assert different > 20


@pytest.mark.parametrize("players", PLAYERS)
def test_an_onlooker_sees_what_is_public_and_no_hand(players: int) -> None:
    hidden_or_own = {"deck", "dice", "streams", "seat", "values"}
    for table in games(players, 1):
        view, state = table.view(ONLOOKER), table.state
        held = [int(state["hands"][seat][slot]) for seat in range(players) for slot in range(state["held"][seat])]
        face_down = {*held, *range(int(state["drawn"]), 50)}
        assert {place for place in range(50) if view["deck"][place] == FACE_DOWN} == face_down
        assert all((view[name] == state[name]).all() for name in HANABI.dtype.names or () if name not in hidden_or_own)
        assert not view["values"].any()
        page = shown(view)
        assert page["seat"] is None
        assert all(card["kind"] is None for hand in page["hands"] for card in hand)
        assert HANABI.odds(view) == []


@pytest.mark.parametrize("players", PLAYERS)
def test_the_page_of_a_seat_shows_every_hand_but_its_own(players: int) -> None:
    for table in games(players):
        open_hands = shown(table.state)["hands"]
        for seat in range(players):
            page = shown(table.view(seat))
            assert page["seat"] == seat
            assert [card["kind"] for card in page["hands"][seat]] == [None] * len(open_hands[seat])
            for other in set(range(players)) - {seat}:
                assert [card["kind"] for card in page["hands"][other]] == [card["kind"] for card in open_hands[other]]


def test_the_page_says_what_a_holder_can_know_of_a_card() -> None:
    table = at("r1 b3 w5 g2 g2", "y1 y2 y3 y4 y5")
    make(table, "hint yellow to G2", "hint 2 to G1")
    mine = shown(table.view(0))["hands"][0]
    assert [card["rank_hinted"] for card in mine] == [None, None, None, 2, 2]
    assert mine[3]["possible"] == ["r2", "y2", "g2", "b2", "w2"]
    assert "y5" not in mine[0]["possible"]
    theirs = shown(table.view(0))["hands"][1]
    assert {card["colour_hinted"] for card in theirs} == {"yellow"}
    assert theirs[0]["kind"] == "y1"
    assert theirs[0]["possible"] == ["y1", "y2", "y3", "y4", "y5"]
    assert theirs[0]["playable"]
    assert theirs[4]["critical"]


@pytest.mark.parametrize("players", PLAYERS)
def test_choices_are_the_legal_moves_in_words_the_game_reads(players: int) -> None:
    for table in games(players, 1):
        if not table.over:
            view = table.view(table.to_move)
            choices = HANABI.choices(view)
            assert [HANABI.move(choice["move"], view) for choice in choices] == HANABI.legal(view)
            assert all(choice["cards"] for choice in choices)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_hint_touches_the_cards_its_choice_showed(players: int) -> None:
    hints = 0
    for table in games(players):
        if not table.over:
            view = table.view(table.to_move)
            for choice in HANABI.choices(view)[::7]:
                other = table.copy()
                make(other, choice["move"])
                event = HANABI.event(other.view(ONLOOKER), len(other.turns) - 1)
                assert event["action"] == choice["action"]
                if choice["action"] == "hint":
                    assert event["cards"] == choice["cards"]
                    hints += 1
                else:
                    assert event["slot"] == choice["slot"]
    assert hints > 20


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_is_sent_the_same_about_a_turn(players: int) -> None:
    for table in games(players, 1):
        if table.turns:
            last = len(table.turns) - 1
            events = [HANABI.event(table.view(seat), last) for seat in (*range(players), ONLOOKER)]
            assert all(event == events[0] for event in events)
            assert events[0]["move"] == HANABI.move_text(table.turns[-1].decision.move)


def test_odds_are_counted_from_the_view() -> None:
    hands = ("r1 b3 w5 g2 g2", "y1 y2 y3 y4 y5")
    table = at(*hands)
    make(table, "hint yellow to G2", "hint 5 to G1")
    odds = HANABI.odds(table.view(0))
    assert [each["slot"] for each in odds] == [0, 1, 2, 3, 4]
    assert odds[2]["critical"] == 1.0
    assert set(odds[2]["kinds"]) == {"r5", "g5", "b5", "w5"}
    assert sum(odds[0]["kinds"].values()) == pytest.approx(1)
    assert odds[0]["playable"] == pytest.approx(sum(odds[0]["kinds"][kind] for kind in ("r1", "y1", "g1", "b1", "w1")))


def test_reasons_are_sent_when_the_game_is_over() -> None:
    for table in games(2, 1):
        assert HANABI.turns_explained(table.state) == (len(table.turns) if table.over else 0)


def test_everything_is_json() -> None:
    table = at("r1 b3", "y1 y2")
    make(table, "play 1")
    for view in (table.state, table.view(0), table.view(1), table.view(ONLOOKER)):
        event = HANABI.event(view, 0)
        assert msgspec.json.decode(msgspec.json.encode([HANABI.page(view), event])) == [shown(view), event]
    assert msgspec.json.encode([HANABI.choices(table.view(1)), HANABI.odds(table.view(1))])
