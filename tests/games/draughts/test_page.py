"""Draughts as JSON: what a page and a bot over the network are handed."""

from kibitz.engine.loop import ONLOOKER
from kibitz.games.draughts.game import DRAUGHTS
from tests.games.draughts.tables import make, table_at


def test_a_choice_has_the_squares_it_passes_and_what_it_takes() -> None:
    table = table_at("W:W22:B18,11")
    assert DRAUGHTS.choices(table.view(0)) == [
        {"move": "22x8(11,18)", "from": 22, "to": 8, "route": [22, 15, 8], "captured": [11, 18]}
    ]


def test_an_event_tells_the_way_of_a_capture_though_its_victims_are_gone() -> None:
    table = table_at("W:WK29,32:B18,7,1", "russian")
    make(table, "29x2")
    event = DRAUGHTS.event(table.view(ONLOOKER), 0)
    assert event["route"] == [29, 11, 2]
    assert event["captured"] == [7, 18]
    assert (event["seat"], event["side"], event["crowned"]) == (0, "white", False)
    assert event["text"] == "G1 captures 2 pieces, 29x2."


def test_a_new_king_is_announced() -> None:
    table = table_at("W:W6,32:B12,20")
    make(table, "6-1")
    event = DRAUGHTS.event(table.view(0), 0)
    assert event["crowned"]
    assert event["text"] == "G1 moves 6-1 and gets a king."


def test_the_page_says_who_has_which_side_and_how_a_game_ended() -> None:
    assert DRAUGHTS.page(table_at(variant="english").view(0))["sides"] == ["black", "white"]
    table = table_at("W:W22:B18")
    make(table, "22x15")
    page = DRAUGHTS.page(table.view(1))
    assert (page["to_move"], page["winner"], page["ending"]) == (None, 0, "no_move")
    assert page["pieces"] == {"15": "w"}
