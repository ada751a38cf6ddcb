"""Cards, moves and events in words, both ways."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import KibitzError
from kibitz.games.hanabi import Kind, Move, discard, hint, play
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_KINDS, ALL_MOVES, as_move, kind_named, move_named
from tests.tables import at, make

SPACES = st.sampled_from([" ", "  ", "\t"])


# Cards


@pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.short)
def test_a_card_is_read_as_it_is_written(kind: Kind) -> None:
    assert kind_named(kind.short) == kind
    assert kind_named(str(kind)) == kind
    assert ALL_KINDS[kind.index] is kind


@pytest.mark.parametrize("text", ["b3", "B3", " b3 ", "b 3", "blue3", "Blue 3", "blu 3", "BLUE\t3"])
def test_a_card_may_be_written_as_people_do(text: str) -> None:
    assert kind_named(text) == Kind("blue", 3)


@pytest.mark.parametrize("text", ["", "b", "3", "b6", "b0", "3b", "p3", "b33", "blue-3", "b3 r1", "bluish 3"])
def test_what_is_no_card_is_reported_with_how_cards_are_written(text: str) -> None:
    with pytest.raises(KibitzError, match=r"is not a card. Cards are written like r1 or red 1, in red, yellow"):
        kind_named(text)


# Moves


def test_there_are_ten_card_moves_and_ten_hints_for_each_seat() -> None:
    assert len(ALL_MOVES) == 60
    assert [sum(getattr(move, kind) for move in ALL_MOVES) for kind in ("is_play", "is_discard", "is_hint")] == [
        5,
        5,
        50,
    ]
    assert len({str(move) for move in ALL_MOVES}) == 60


@pytest.mark.parametrize("move", ALL_MOVES, ids=str)
def test_a_move_is_read_as_it_is_written(move: Move) -> None:
    assert move_named(str(move)) == move
    assert HANABI.move_text(int(move)) == str(move)
    assert as_move(str(move)) == as_move(int(move)) == as_move(move) == move


@pytest.mark.parametrize("move", ALL_MOVES, ids=str)
def test_a_move_is_made_of_its_parts(move: Move) -> None:
    if move.is_hint:
        assert hint(move.target, move.value) == move
    else:
        assert (play if move.is_play else discard)(move.slot) == move


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, Move]:
    """A move in one of the ways people write it, and the move."""
    move = draw(st.sampled_from(ALL_MOVES))
    if move.is_hint:
        value = str(move.value)
        value = value[: draw(st.integers(1, len(value)))]
        seat = draw(st.sampled_from(["G", "g", ""])) + str(move.target + 1)
        words = draw(
            st.sampled_from(
                [
                    ["hint", value, "to", seat], ["hints", value, "to", seat], ["h", value, "to", seat],
                    ["tell", value, "to", seat], [value, "to", seat], ["hint", seat, value], ["h" + seat, value],
                    ["h", seat, value], ["tell", seat, "about", value], ["tells", seat, value],
                ]
            )
        )  # fmt: skip
    else:
        verbs = ["play", "plays", "p"] if move.is_play else ["discard", "discards", "d"]
        words = [draw(st.sampled_from(verbs)), str(move.slot + 1)]
        words = draw(st.sampled_from([words, ["".join(words)]]))
    if not words[0].isdigit() and draw(st.booleans()):
        words = [draw(st.sampled_from(["G1", "g5"])), *words]
    text = draw(SPACES).join(words)
    return draw(st.sampled_from([text, text.upper(), text.capitalize(), f" {text} "])), move


@given(spellings())
def test_a_move_may_be_written_as_people_do(spelling: tuple[str, Move]) -> None:
    text, move = spelling
    assert move_named(text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("p3", play(2)),
        ("d 1", discard(0)),
        ("Play 5", play(4)),
        ("hint blue to G4", hint(3, "blue")),
        ("G2 hints blue to G4", hint(3, "blue")),
        ("G3 plays 2", play(1)),
        ("h4 b", hint(3, "blue")),
        ("h 4 3", hint(3, 3)),
        ("tell g2 about 3", hint(1, 3)),
        ("tell 2 white", hint(1, "white")),
        ("white to g5", hint(4, "white")),
        ("3 to 2", hint(1, 3)),
        ("hint g to g1", hint(0, "green")),
        ("g1 hint g to g2", hint(1, "green")),
    ],
)
def test_a_move_in_words_means_one_move(text: str, move: Move) -> None:
    assert move_named(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "", "play", "play 6", "p0", "d9", "fold", "hint", "hint 6 to G2", "hint 3", "hint blue to G6", "hint blue G",
        "play 3 4", "play blue", "3",
    ],
)  # fmt: skip
def test_what_is_no_move_is_reported_with_how_moves_are_written(text: str) -> None:
    with pytest.raises(KibitzError, match=r"is not a move. Write play 3, discard 1, hint blue to G4 or hint 2 to G3"):
        move_named(text)


@pytest.mark.parametrize("text", ["hint purple to G2", "h2 violet", "tell g2 about rouge", "hint to G2"])
def test_a_hint_of_a_colour_that_does_not_exist_lists_those_that_do(text: str) -> None:
    with pytest.raises(KibitzError, match=r"is not a colour. Colours are red, yellow, green, blue, white"):
        move_named(text)


@given(st.text())
def test_any_text_is_a_move_or_an_error_for_people(text: str) -> None:
    with contextlib.suppress(KibitzError):
        assert move_named(text) in ALL_MOVES


@pytest.mark.parametrize(
    ("slot", "says"), [(5, "There is no slot 5: a slot is 0 to 4"), (-1, "There is no slot -1: a slot is 0 to 4")]
)
def test_a_slot_that_does_not_exist_is_refused(slot: int, says: str) -> None:
    for make_move in (play, discard):
        with pytest.raises(KibitzError, match=says):
            make_move(slot)


def test_a_hint_to_a_seat_or_of_a_rank_that_does_not_exist_is_refused() -> None:
    with pytest.raises(KibitzError, match="There is no seat 5: a seat is 0 to 4"):
        hint(5, "red")
    with pytest.raises(KibitzError, match="There is no rank 6: a rank is 1 to 5"):
        hint(1, 6)
    with pytest.raises(KibitzError, match="'pink' is not a colour"):
        hint(1, "pink")


@pytest.mark.parametrize("value", COLOURS + tuple(range(1, 6)))
def test_a_hint_takes_a_colour_its_letter_or_a_rank(value: str | int) -> None:
    move = hint(2, value)
    assert (move.target, move.value) == (2, value)
    assert hint(2, str(value)[0]) == move


@pytest.mark.parametrize("answer", [None, True, 3.5, ["play 1"], object()])
def test_an_answer_that_is_no_move_at_all_is_refused_with_what_a_move_is(answer: object) -> None:
    with pytest.raises(KibitzError, match=r"A move is play\(slot\), discard\(slot\), hint\(seat, value\), or its text"):
        as_move(answer)


@pytest.mark.parametrize("number", [-1, 60, 1000])
def test_a_number_that_is_no_move_is_refused_with_those_that_are(number: int) -> None:
    with pytest.raises(KibitzError, match=f"{number} is not a move. Moves are the numbers 0 to 59"):
        as_move(number)


def test_a_move_shows_itself_in_words() -> None:
    assert repr(hint(3, "blue")) == "<hint blue to G4>"


def test_an_illegal_move_is_reported_in_the_words_it_is_written_in() -> None:
    with pytest.raises(KibitzError, match=r"hint blue to G2.*not legal.*G2 holds no blue"):
        make(at("r1", "y1"), "h2 b")


# Events


def test_what_happened_is_described_in_a_sentence() -> None:
    table = at("r1 y5 r2", "w1 b2 g3", "b1 b1 b3", deck="w5 w4 w3 w2")
    make(table, "play 1", "hint 3 to G3", "discard 2", "play 1", "play 3", "hint white to G2")
    assert [table.text(turn) for turn in table.turns] == [
        "G1 plays red 1 (card 1)",
        "G2 hints 3 to G3",
        "G3 discards blue 1 (card 2)",
        "G1 misplays yellow 5 (card 1)",
        "G2 misplays green 3 (card 3)",
        "G3 hints white to G2",
    ]


def test_events_tell_who_did_what_and_what_everybody_saw() -> None:
    table = at("r1 y5", "w1 b2", to_move=2)
    view = make(table, "hint red to G1", "play 2", "discard 1")
    assert [(event.turn, event.seat, str(event.move)) for event in view.history] == [
        (1, 1, "hint red to G1"),
        (2, 0, "play 2"),
        (3, 1, "discard 1"),
    ]
    assert [event.touched for event in view.history] == [(0,), (), ()]
    assert [event.kind for event in view.history] == [None, Kind("yellow", 5), Kind("white", 1)]
    assert [event.misplayed for event in view.history] == [False, True, False]


def test_a_reason_names_the_card_it_is_about() -> None:
    table = at("r1 y5", "w1 b2")
    view = table.view(0)
    places = {str(card): card.place for hand in HANABI.view(table.state).hands for card in hand}
    assert HANABI.explain("play: {card} fits", places["y5"], view) == "play: my card 2 fits"
    assert HANABI.explain("hint: {card} is wanted", places["w1"], view) == "hint: G2's card 1 (white 1) is wanted"
    assert HANABI.explain("pass", -1, view) == "pass"
