"""The rules of draughts, each by a position."""

import pytest

from kibitz.core.agent import Decision
from kibitz.engine import generic, seeds
from kibitz.games.draughts import fen, rules
from kibitz.games.draughts.game import DRAUGHTS
from kibitz.games.draughts.moves import Move
from kibitz.games.draughts.squares import WHITE
from kibitz.games.draughts.state import FEW_PIECES, KINGS_ONLY, MAIN_ROAD_HELD, NO_MOVE, PLAYED, REPEATED, TOO_LONG
from tests.games.draughts.tables import VARIANTS, legal, make, table_at


@pytest.mark.parametrize("variant", VARIANTS)
def test_men_step_forwards_and_the_side_that_begins_has_the_first_seat(variant: str) -> None:
    table = table_at(variant=variant)
    black = variant == "english"
    expected = "9-13 9-14 10-14 10-15 11-15 11-16 12-16" if black else "21-17 22-17 22-18 23-18 23-19 24-19 24-20"
    assert table.to_move == 0
    assert {DRAUGHTS.move_text(move) for move in DRAUGHTS.legal(table.state)} == set(expected.split())


def test_who_can_capture_must() -> None:
    assert legal("W:W22,32:B18,1", "english") == {"22x15"}


def test_brazilian_takes_as_many_as_can_be_taken_and_the_others_what_they_like() -> None:
    two_or_one = "W:W22,21:B18,11,17"
    two = {"22x8(11,18)", "21x23(17,18)"}
    assert legal(two_or_one, "brazilian") == two
    assert legal(two_or_one, "russian") == two | {"22x13"}


def test_a_capture_is_carried_through_where_it_may_be_chosen() -> None:
    assert legal("W:W22:B18,11", "english") == {"22x8(11,18)"}


def test_men_capture_backwards_but_not_in_english_draughts() -> None:
    behind = "W:W14,32:B18,5"
    assert legal(behind, "brazilian") == {"14x23"}
    assert "14x23" not in legal(behind, "english")


def test_kings_fly_but_not_in_english_draughts() -> None:
    assert legal("W:WK29:B4", "english") == {"29-25"}
    assert legal("W:WK29:B4", "brazilian") == {f"29-{to}" for to in (25, 22, 18, 15, 11, 8)}


def test_a_flying_king_lands_anywhere_behind_what_it_takes() -> None:
    assert legal("W:WK29:B18", "russian") == {f"29x{to}" for to in (15, 11, 8, 4)}


def test_a_king_lands_where_it_can_go_on() -> None:
    assert legal("W:WK29:B18,7", "russian") == {"29x2(7,18)"}


def test_captured_pieces_leave_the_board_only_after_the_move() -> None:
    """Back over the squares of 25 or 26 a third piece could be taken, if they were empty by then."""
    assert legal("W:WK29:B17,25,26", "brazilian") == {"29x13(17,25)", "29x31(25,26)"}


def test_a_man_that_captures_over_the_last_row_stays_a_man_in_brazilian_and_goes_on_as_a_king_in_russian() -> None:
    over = "W:W9:B6,7,22"
    assert legal(over, "brazilian") == {"9x11(6,7)"}
    assert DRAUGHTS.page(make(table_at(over, "brazilian"), "9x11"))["pieces"]["11"] == "w"
    assert legal(over, "russian") == {"9x25(6,7,22)K", "9x29(6,7,22)K"}
    assert DRAUGHTS.page(make(table_at(over, "russian"), "9x25"))["pieces"] == {"25": "W"}


def test_an_english_man_stops_where_it_is_crowned() -> None:
    table = table_at("W:W10,32:B6,7,21", "english")
    assert DRAUGHTS.page(make(table, "10x1"))["pieces"]["1"] == "W"
    assert table.to_move >= 0


def test_a_capture_may_end_where_it_began() -> None:
    around = "W:WK22:B18,19,26,27"
    assert legal(around, "english") == {"22x22(18,19,26,27)"}
    state = make(table_at(around, "english"), "22x22")
    assert fen.dump(state) == "B:WK22:B"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("position", "move"), [("W:W22:B18", "22x15"), ("W:W29,30:B21", "29-25")])
def test_who_has_no_piece_left_or_cannot_move_has_lost(variant: str, position: str, move: str) -> None:
    state = make(table_at(position, variant), move)
    white = int(rules.seat_of(state, WHITE))
    assert state["ending"] == NO_MOVE
    assert rules.winner(state) == white
    assert generic.payoff(state, white) == 1.0


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_that_occurs_three_times_is_a_draw(variant: str) -> None:
    table = table_at("W:WK32,28:BK1,5", variant)
    around = "32-27 1-6 27-32 6-1 "
    assert make(table, around)["ending"] == PLAYED
    assert make(table, around)["ending"] == REPEATED
    assert generic.payoff(table.state, 0) == 0.5


def wandered(position: str, variant: str, moves: int) -> int:
    """The state of a game after a number of king moves without a capture or a repetition."""
    table = table_at(position, variant)
    seen = {fen.dump(table.state)}
    for _ in range(moves):
        for move in DRAUGHTS.legal(table.state):
            ahead = table.copy()
            ahead.make(Decision(move))
            new = fen.dump(ahead.state) not in seen
            if new and not rules.must_capture(ahead.state) and table.state["kings"] >> Move(move).origin & 1:
                break
        assert table.to_move >= 0
        table = ahead
        seen.add(fen.dump(table.state))
    return int(table.state["ending"])


def test_kings_that_only_move_draw_after_fifteen_moves_each_and_in_english_draughts_after_forty() -> None:
    kings = "W:WK29,K30,21,31:BK3,K4,12,2"
    assert wandered(kings, "brazilian", 29) == PLAYED
    assert wandered(kings, "brazilian", 30) == KINGS_ONLY
    assert wandered(kings, "english", 79) == PLAYED
    assert wandered(kings, "english", 80) == KINGS_ONLY


def test_two_pieces_against_a_king_draw_after_five_moves_each() -> None:
    few = "W:WK30,K31:BK12"
    assert wandered(few, "russian", 9) == PLAYED
    assert wandered(few, "russian", 10) == FEW_PIECES
    assert wandered(few, "english", 10) == PLAYED


def test_a_king_that_holds_the_main_road_against_three_draws() -> None:
    table = table_at("W:WK1,K2,K3:BK29", "russian")
    assert make(table, "3-12 29-25 12-3 25-22 2-9 22-25 9-2 25-29 1-5")["ending"] == PLAYED
    assert make(table, "29-25")["ending"] == MAIN_ROAD_HELD


def test_a_game_ends_at_last() -> None:
    table = table_at("W:WK29,21,31:BK3,12,2", "english")
    table.state["turn"] = DRAUGHTS.longest - 1
    assert make(table, "29-25")["ending"] == TOO_LONG


@pytest.mark.parametrize("variant", VARIANTS)
def test_openings_are_drawn_by_lot_with_nothing_taken_and_nothing_to_take(variant: str) -> None:
    chosen = DRAUGHTS.check_rules({"variant": variant})
    starts = [DRAUGHTS.deal(seeds.keys(1), number, 2, chosen) for number in range(50)]
    positions = {fen.dump(start[0]) for start in starts}
    assert len(positions) > 40
    for start in starts:
        assert not rules.must_capture(start[0])
        assert generic.to_move(start[0]) == generic.turns(start[0]) == 0
        assert int(start[0]["white"]).bit_count() == int(start[0]["black"]).bit_count() == 12
    usual = DRAUGHTS.deal(seeds.keys(1), 0, 2, {**chosen, "opening": "usual"})
    assert fen.dump(usual[0]) == fen.dump(table_at(variant=variant).state)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_key_of_a_position_is_updated_as_if_made_from_scratch(variant: str) -> None:
    """Over games with captures, new kings, and captures by kings."""
    positions: dict[int, tuple[int, ...]] = {}
    for game in range(12):
        state = table_at(variant=variant).state.copy()
        while DRAUGHTS.legal(state):
            moves = DRAUGHTS.legal(state)
            generic.apply(state, moves[int(seeds.below(game, int(state["turn"]), len(moves)))])
            assert int(state["zobrist"]) == int(generic.key(state)) == int(rules.zobrist_of(state))
            position = tuple(int(state[name]) for name in ("white", "black", "kings", "side"))
            assert positions.setdefault(int(state["zobrist"]), position) == position
    assert any(kings for _, _, kings, _ in positions.values())
