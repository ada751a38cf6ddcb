"""`kibitz.table` plays the games of a match, and shows every seat what it may see."""

from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz.core import registry
from kibitz.games.hanabi import Move, View


def test_a_table_plays_the_game_of_the_match() -> None:
    scores = kibitz.match("hanabi", ["piers", "outer"], games=3, seed=5).scores.tolist()
    tables = [kibitz.table("hanabi", ["piers", "outer"], seed=5, number=number).run() for number in range(3)]
    assert [(table.result or {})["score"] for table in tables] == scores


def test_the_loop_gives_every_turn_once_with_the_movers_view() -> None:
    table = kibitz.table("hanabi", ["piers", "outer"])
    turns = list(table)
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    assert turns == table.turns
    assert list(table) == []
    for turn in turns:
        assert isinstance(turn.view, View)
        assert turn.view.seat == turn.seat == turn.view.to_move
        assert turn.view.turn == turn.number
        assert turn.move in [str(move) for move in turn.view.legal]
        assert turn.reason
        assert turn.text in str(turn)


def test_rolls_are_turns_of_nobody() -> None:
    table = kibitz.table("dicechess", "greedy")
    turns = [turn for turn, _ in zip(table, range(20), strict=False)]
    assert [turn.number for turn in turns] == list(range(1, 21))
    assert {turn.seat is None for turn in turns} == {True, False}
    assert all((turn.seat is None) == turn.move.startswith("roll") == (turn.view is None) for turn in turns)


def test_a_bare_number_is_no_move_where_it_may_be_a_slot() -> None:
    table = kibitz.table("hanabi", [None, None])
    with pytest.raises(kibitz.ArgumentError, match=r"`move` is 3\. That is a bare number.* such as 'play 1'"):
        table.play(3)
    assert table.play(table.view(0).actions.move(3)).move == "discard 4"


def test_the_loop_waits_at_a_seat_that_is_yours() -> None:
    table = kibitz.table("connect4", [None, "greedy"])
    assert list(table) == []
    mine = table.play("4")
    assert (mine.seat, mine.move) == (0, "4")
    assert [turn.seat for turn in table] == [1]
    assert table.to_move == 0
    assert not table.over
    assert table.seats == ["you", "greedy"]
    assert table.result is None
    with pytest.raises(kibitz.ArgumentError, match="is not a legal move"):
        table.play("8")
    while not table.over:
        table.play(table.legal[0])
        table.run()
    assert table.legal == []
    assert table.verdict in str(table)
    for call in (table.step, lambda: table.play("4")):
        with pytest.raises(kibitz.KibitzError, match="The game is over"):
            call()


def test_a_seat_of_yours_does_not_see_its_cards_but_the_open_table_does() -> None:
    table = kibitz.table("hanabi", players=2)
    mine, theirs, everything = table.view(0), table.view(1), table.view()
    assert isinstance(mine, View)
    assert isinstance(theirs, View)
    assert isinstance(everything, View)
    assert str(mine.hands[0]) == "?? ?? ?? ?? ??"
    assert str(theirs.hands[0]) == str(everything.hands[0]) != str(mine.hands[0])
    assert table.views[0].struct == mine.struct


def test_a_game_without_a_class_of_views_has_readable_views_too() -> None:
    view = kibitz.table("coins", players=2, seed=1).view(0)
    assert view.legal == ["left", "right"]
    assert "G1: 0" in str(view)
    assert repr(view) == "<view of G1 in Coins in a Row, turn 1>"


def test_a_saved_game_replays_turn_by_turn(tmp_path: Path) -> None:
    table = kibitz.table("loveletter", ["greedy", "random"], seed=4).run()
    again = kibitz.replay(table.save(tmp_path / "game.json"))
    assert again.turns == []
    assert [(turn.move, turn.reason, turn.text) for turn in again] == [
        (turn.move, turn.reason, turn.text) for turn in table.turns
    ]
    assert again.result == table.result
    assert again.record.moves == table.record.moves
    with pytest.raises(kibitz.KibitzError, match="repeats a record"):
        kibitz.replay(table.record).play("Guard")


def test_an_unfinished_record_ends_with_a_sentence() -> None:
    table = kibitz.table("coins", players=2)
    table.play("left")
    again = kibitz.replay(table.record)
    assert len(list(again)) == 1
    with pytest.raises(kibitz.KibitzError, match="record ends here"):
        again.step()


@pytest.mark.parametrize("seat", [0, 1])
def test_actions_and_moves_are_the_same_in_numbers(seat: int) -> None:
    table = kibitz.table("hanabi", players=3, seed=2)
    for _ in range(seat):
        table.play(table.legal[0])
    view = table.view(seat)
    actions = view.actions
    moves = [actions.move(action) for action in actions.legal]
    assert sorted(moves) == sorted(view.legal)
    assert all(isinstance(move, Move) for move in moves)
    assert [actions.index(move) for move in moves] == [actions.index(str(move)) for move in moves]
    assert [actions.index(move) for move in moves] == actions.legal.tolist() == np.flatnonzero(actions.mask).tolist()
    assert not table.view(2).actions.mask.any()
    assert len(actions) == len(actions.names)
    encoding = registry.game("hanabi").encoding
    assert encoding is not None
    assert view.observation.tolist() == encoding.observation(view.struct).tolist()


def test_observations_belong_to_seats() -> None:
    with pytest.raises(kibitz.ArgumentError, match=r"table\.view\(0\)"):
        kibitz.table("hanabi").view().observation  # noqa: B018


def test_environments_start_like_tables() -> None:
    table = kibitz.table("hanabi", players=2, seed=6)
    batch = kibitz.env("hanabi", seed=6, tables=1).batch
    assert batch.observations[0].tolist() == table.view(0).observation.tolist()
    single = kibitz.env("hanabi", players=2, seed=6)
    single.reset()
    assert single.observe("player_0")["observation"].tolist() == table.view(0).observation.tolist()
