"""The umpire of the lecture: private answers, questions, captures by their square, three squares for a lone king."""

from typing import Any

import msgspec
import pytest

from kibitz.core.agent import Decision
from kibitz.core.record import Record, parse
from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError, RecordError
from kibitz.games.kriegspiel.consistency import EXACT
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.state import A_CAPTURE, A_PIECE, ASK, KEEPS_TURN, LONG_DIAGONAL, asked, event_of
from tests.games.kriegspiel.tables import LECTURE, RULES, ending_at, followed, said, table_at

TRIED = "e2e4 captures? d7d5 captures? e4f5 e4d5"  # both ask; White attempts what is illegal, then captures


def text(table: Table, seat: int) -> str:
    """The last announcement that a seat heard."""
    view = table.view(seat)
    return KRIEGSPIEL.event_text(view, int(view["turn"]) - 1)


def test_an_illegal_attempt_is_announced_to_its_player_alone() -> None:
    table = table_at("e2e4 d7d5 f1b5", rules=LECTURE)
    before = {seat: table.view(seat).tobytes() for seat in (0, ONLOOKER)}
    table.make(Decision(KRIEGSPIEL.move("g8f6", table.state)))
    assert table.to_move == 1
    assert text(table, 1) == "G2 attempts g8f6: illegal"
    assert {seat: table.view(seat).tobytes() for seat in before} == before
    with pytest.raises(KibitzError, match="you attempted it in this turn"):
        KRIEGSPIEL.move("g8f6", table.state)


def test_a_question_is_answered_to_its_player_alone_and_costs_no_turn() -> None:
    table = table_at("e2e4 d7d5 captures?", rules=LECTURE)
    assert table.to_move == 0
    assert text(table, 0) == "G1 asks for a capture: there is one"
    assert text(table, 1) == "G2 plays d7d5"
    assert text(table_at("captures?", rules=LECTURE), 0) == "G1 asks for a capture: there is none"
    with pytest.raises(KibitzError, match="the answer is the same until you have moved"):
        KRIEGSPIEL.move("captures?", table.state)


@pytest.mark.parametrize(
    ("position", "answer"),
    [
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "one"),
        ("4k3/8/2p5/3p4/8/8/3K4/3R4 w - - 0 1", "none"),  # the king is in the way
        ("4r2k/8/8/3p4/8/8/4N3/4K3 w - - 0 1", "none"),  # the knight is pinned
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "one"),  # en passant
        ("7k/8/8/8/8/8/4p3/4K3 w - - 0 1", "one"),  # with the king
    ],
)
def test_the_question_is_about_any_piece(position: str, answer: str) -> None:
    table = table_at("captures?", position, LECTURE)
    assert text(table, table.to_move) == f"G{table.to_move + 1} asks for a capture: there is {answer}"


def test_a_capture_is_announced_by_its_square_without_what_was_taken() -> None:
    taken = table_at("e2e4 d7d5 e4d5", rules=LECTURE)
    assert said(taken, 1) == "G1 has moved, a man is captured on d5"
    assert KRIEGSPIEL.page(taken.view(0))["lost"] == [[], ["man"]]
    assert said(table_at("e2e4 d7d5 e4d5 d8d5 b1c3 a7a6 c3d5", rules=LECTURE), 1) == said(taken, 1)


@pytest.mark.parametrize("square", ["e3", "f4"])
def test_a_check_from_either_diagonal_is_announced_alike(square: str) -> None:
    position, move = {
        "e3": ("8/8/1k6/8/8/8/8/2B1K2Q w - - 0 1", "c1e3"), "f4": ("8/2k5/8/8/8/8/8/2B1K2Q w - - 0 1", "c1f4"),
    }[square]  # fmt: skip
    assert said(table_at(move, position, LECTURE), 1) == "G1 has moved, check on a diagonal"


def test_a_pawn_may_attempt_a_capture_unless_the_answer_was_no() -> None:
    assert said(table_at("e2e4 a7a6 e4d5", rules=LECTURE), 0) == "G1 attempts e4d5: illegal"
    with pytest.raises(KibitzError, match="you asked in this turn, and you have no capture"):
        table_at("e2e4 h7h6 captures? e4d5", rules=LECTURE)
    assert text(table_at("e2e4 d7d5 captures? e4d5", rules=LECTURE), 0).startswith("G1 plays e4d5")


def test_the_umpire_of_the_clubs_takes_no_questions() -> None:
    with pytest.raises(KibitzError, match="takes no questions"):
        table_at("captures?")
    with pytest.raises(KibitzError, match=r"Type captures\? to ask"):
        table_at("take it", rules=LECTURE)


def test_an_umpire_that_there_is_not_is_refused() -> None:
    with pytest.raises(KibitzError, match="The rule umpire is played as club or lecture, not 'blind'"):
        KRIEGSPIEL.check_rules({"umpire": "blind"})


def test_nothing_that_others_attempt_or_ask_changes_what_a_seat_knows() -> None:
    """Their number neither: the views are equal to the last byte, with the seat's own dice."""
    quiet, busy = table_at("e2e4 d7d5 e4d5 b8c6", rules=LECTURE), table_at(
        "e2e4 a7b6 captures? d7d5 e4d5 a7b6 captures? b8c6", rules=LECTURE
    )  # fmt: skip
    for seat in (0, ONLOOKER):
        assert quiet.view(seat).tobytes() == busy.view(seat).tobytes()
    assert len(busy.turns) > len(quiet.turns)
    assert (followed(quiet.view(0))[1] == followed(busy.view(0))[1]).all()
    assert quiet.sample_world(0, [], 3).state.tobytes() == busy.sample_world(0, [], 3).state.tobytes()


def test_a_player_with_a_memory_is_shown_no_private_turn_of_another() -> None:
    class Counting:
        remembers, views = True, 0
        agent: Any = type("Agent", (), {"traits": type("Traits", (), {"cheats": False})})

        def observe(self, view: Any) -> None:
            self.views += 1

    players = [Counting(), Counting()]
    table = Table(KRIEGSPIEL, players, table_at(rules=LECTURE).start)  # type: ignore[arg-type]
    for move in TRIED.split():
        table.make(Decision(KRIEGSPIEL.move(move, table.state)))
    assert [player.views for player in players] == [1 + 5, 1 + 4]


def test_an_answer_leaves_the_positions_that_match() -> None:
    before, _ = followed(table_at("e2e4 d7d5", rules=LECTURE).view(0))
    yes, _ = followed(table_at("e2e4 d7d5 captures?", rules=LECTURE).view(0))
    no, _ = followed(table_at("e2e4 h7h6 captures?", rules=LECTURE).view(0))
    assert (before.kept, before.quality) == (20, EXACT)
    assert (yes.kept, no.kept) == (6, 14)  # a pawn captures on d5 and f5, the bishop on a6 and b5, the queen on h5


def test_a_game_is_recorded_with_what_was_private() -> None:
    table = table_at(TRIED, rules=LECTURE)
    record = parse(Record.of(table, ["Ada", "Bo"], LECTURE, None, None).dump())
    assert [made.move for made in record.moves] == TRIED.split()
    assert record.replay().state.tobytes() == table.state.tobytes()


def test_a_record_from_before_the_rule_has_the_umpire_of_the_clubs() -> None:
    table = ending_at("a7e7 f4g5")
    record = Record.of(table, ["Ada", "Bo"], {"start": "rook_ending"}, None, None)
    assert parse(record.dump()).replay().state.tobytes() == table.state.tobytes()


def test_the_endings_have_the_umpire_of_the_lecture_and_three_squares() -> None:
    for start in ("rook_ending", "queen_ending"):
        rules = KRIEGSPIEL.check_rules({"start": start})
        assert rules["umpire"] == "lecture"
        for number in range(20):
            state = KRIEGSPIEL.deal(keys(5), number, 2, rules)[0]
            assert int(state["king_candidates"]).bit_count() == 3
    assert KRIEGSPIEL.check_rules({})["umpire"] == "club"
    assert KRIEGSPIEL.check_rules({"start": "rook_ending", "umpire": "club"})["umpire"] == "club"


def test_more_squares_for_a_lone_king_are_refused() -> None:
    start = {"position": "8/R7/8/8/5k2/8/8/6K1 w - - 0 1", "king_among": ["g6", "f5", "g5", "f4"]}
    with pytest.raises(RecordError, match="at most 3 squares, and king_among names 4"):
        KRIEGSPIEL.load_start(start, 2, {"start": "rook_ending", "umpire": "lecture"})


@pytest.mark.parametrize(
    ("place", "event", "says"),
    [
        (1, KEEPS_TURN, "an attempt of the other side"),
        (1, event_of(0, A_PIECE, 28, 0, 0), "makes no announcement like that"),
        (1, event_of(0, 0, 0, LONG_DIAGONAL, 0), "makes no announcement like that"),
        (1, event_of(0, 0, 0, 0, 1), "makes no announcement like that"),
        (2, ASK, "more or fewer moves than its number says"),
        (2, asked(False) | A_CAPTURE << 16, "makes no announcement like that"),
        (2, asked(False), "one of its moves cannot be attempted"),
    ],
)
def test_a_view_with_what_this_umpire_does_not_say_is_refused(place: int, event: int, says: str) -> None:
    view = table_at("d2d4 e7e5 captures? d4e5", rules=LECTURE).view(0)
    KRIEGSPIEL.check_view(view, 0)
    view["history"][place] = event
    with pytest.raises(RecordError, match=says):
        KRIEGSPIEL.check_view(view, 0)


def test_a_question_in_a_view_of_the_clubs_is_refused() -> None:
    view = table_at("e2e4 d7d5").view(0)
    view["history"][2], view["turn"] = asked(True), 3
    with pytest.raises(RecordError, match="makes no announcement like that"):
        KRIEGSPIEL.check_view(view, 0)


def test_the_last_view_shows_what_was_private_and_follows_the_one_before() -> None:
    before = table_at("captures? b1b2 h8g8 captures? b2b1", "7k/8/6K1/8/8/8/8/1R6 w - - 0 1", LECTURE)
    before.make(Decision(KRIEGSPIEL.move("g8h8", before.state)))
    seen = [before.view(seat) for seat in range(2)]
    before.make(Decision(KRIEGSPIEL.move("b1b8", before.state)))
    assert before.over
    for seat in range(2):
        view = before.view(seat)
        assert view["turn"] == len(before.turns)
        KRIEGSPIEL.check_next(view, seat, seen[seat])


def test_the_page_offers_the_question_and_shows_the_answer() -> None:
    view = table_at("e2e4 d7d5", rules=LECTURE).view(0)
    assert KRIEGSPIEL.choices(view)[0] == {"move": "captures?"}
    view = table_at("e2e4 d7d5 captures?", rules=LECTURE).view(0)
    assert all("from" in choice for choice in KRIEGSPIEL.choices(view))
    page = msgspec.to_builtins(KRIEGSPIEL.page(view))
    assert (page["umpire"], page["said"][-1]["answer"]) == ("lecture", True)
    assert "from" not in KRIEGSPIEL.event(view, 2)
    assert KRIEGSPIEL.page(table_at().view(0))["umpire"] == "club"
    assert KRIEGSPIEL.check_rules({}) == RULES
