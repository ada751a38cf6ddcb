"""Moves and positions in words, both ways."""

import pytest

from kibitz.errors import KibitzError
from kibitz.games.draughts import fen
from kibitz.games.draughts.game import DRAUGHTS
from kibitz.games.draughts.moves import Move
from tests.games.draughts.tables import table_at


def read(text: str, position: str = "", variant: str = "brazilian") -> str:
    return str(Move(DRAUGHTS.move(text, table_at(position, variant).state)))


@pytest.mark.parametrize("text", ["22-18", " 22 - 18 ", "22 18", "c3-d4", "C3-D4", "c3 d4", "22–18"])
def test_a_step_is_read_in_every_usual_way(text: str) -> None:
    assert read(text) == "22-18"


@pytest.mark.parametrize("text", ["22x8", "22x15x8", "22:15:8", "c3xg7", "c3:e5:g7", "22x8(11,18)", "22x8 (11 18)"])
def test_a_capture_is_read_by_its_ends_its_route_or_its_victims(text: str) -> None:
    assert read(text, "W:W22:B18,11") == "22x8(11,18)"


def test_what_could_mean_two_captures_is_asked_back_and_distinguished_by_the_route() -> None:
    diamond = "W:W30:B25,17,26,18"
    with pytest.raises(KibitzError, match=r"could be 30x14\(17,25\) or 30x14\(18,26\)"):
        read("30x14", diamond, "english")
    assert read("30x21x14", diamond, "english") == "30x14(17,25)"
    assert read("30x14(18,26)", diamond, "english") == "30x14(18,26)"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a move"),
        ("hello", "Write a move as 22-18"),
        ("33-29", "Squares are 1 to 32"),
        ("a2-b3", "not a playable square"),
        ("1-5", "no piece of the player to move on 1"),
        ("22-26", "not legal now"),
    ],
)
def test_what_is_no_move_is_reported_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(KibitzError, match=sentence):
        read(text)


def test_a_step_beside_a_capture_is_refused_with_the_reason() -> None:
    with pytest.raises(KibitzError, match="who can capture must, and as many as can be taken: 2 pieces"):
        read("32-28", "W:W22,32:B18,11")


@pytest.mark.parametrize(
    "position",
    ["W:W21,22,K30:B1,K7", "B:W32:BK1", "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"],
)
def test_a_position_is_written_as_it_was_read(position: str) -> None:
    assert fen.dump(table_at(position).state) == position


@pytest.mark.parametrize("position", ["W:W21-32:B1-12", "w:b1-12:w21-32.", "W : W 21-32 : B 1-12"])
def test_positions_are_read_in_every_usual_way(position: str) -> None:
    assert fen.dump(table_at(position).state) == fen.dump(table_at().state)
    assert fen.dump(table_at("W:Wc3,Kd4:Ba7").state) == "W:WK18,22:B5"


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("", "is not a position"),
        ("W:W1", "is not a position"),
        ("W:W22:W23", "is not a position"),
        ("W:W22,Q23:B1", "'Q23' is not a piece of White"),
        ("W:W40:B1", "Squares are 1 to 32"),
        ("W:W22,22:B1", "White has two pieces on 22"),
        ("W:W22:B22", "Both sides have a piece on 22"),
        ("W:W14-32:B1", "White has 19 pieces; 12 are the most"),
        ("W:W3,22:B1", "White has a man on 3, on the last row"),
        ("W:W:B1", "White is to move and has no piece"),
        ("W:W21:B17,14", "White is to move but cannot"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_why(position: str, sentence: str) -> None:
    with pytest.raises(KibitzError, match=sentence):
        DRAUGHTS.set_up(position, 2, {"variant": "brazilian"})
