"""What states are worth by the network, what it is shown, and how it learns."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.table import Table
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.signal import value_training
from kibitz.games.hanabi.agents.signal.player import signal
from kibitz.games.hanabi.agents.signal.value_network import (
    COLOURS,
    KIND_ROWS,
    MISTAKEN,
    SHAPES,
    STATUSES,
    TRAINED_FOR,
    attainable,
    count_inputs,
    encode_inputs,
    expected_points,
    inputs_of_colour,
    points_lost,
    trained_for,
)
from kibitz.games.hanabi.cards import KINDS, RANKS
from kibitz.games.hanabi.game import HANABI
from tests.games.hanabi.agents.signal.tables import known, weights
from tests.tables import PLAYERS, dealt, table_of

PLAYED_ON = 25  # moves of a game


def some_moves_later(players: int, deal: int) -> Table:
    table = table_of([signal] * players, dealt(players, seed=31, number=deal))
    for _ in range(PLAYED_ON):
        table.step()
    return table


def shown(table: Table) -> Any:
    """The rows that are switched on in the true state."""
    players = int(table.state["players"])
    rows = np.full(count_inputs(players), -1, np.int64)
    encode_inputs(table.state, known(table, table.to_move), weights(players), rows)
    return rows


@pytest.mark.parametrize("players", PLAYERS)
def test_every_switch_is_one_that_the_network_has(players: int) -> None:
    for deal in range(10):
        rows, of_colours = shown(some_moves_later(players, deal)), COLOURS * inputs_of_colour(players)
        assert (rows >= 0).all()
        assert (rows[:of_colours] < SHAPES["kinds"][0]).all()
        assert (rows[of_colours:] < SHAPES["others"][0]).all()
        assert len(set(rows[of_colours:].tolist())) == len(rows) - of_colours


@pytest.mark.parametrize("players", TRAINED_FOR)
def test_colours_are_alike_to_it(players: int) -> None:
    rows, each = shown(some_moves_later(players, 1)), inputs_of_colour(players)
    turned = np.concatenate([np.roll(rows[: COLOURS * each], each), rows[COLOURS * each :]])
    assert not np.array_equal(rows, turned)
    assert points_lost(turned, players) == pytest.approx(points_lost(rows, players), abs=1e-9)


def test_a_card_that_is_taken_for_another_is_shown_as_mistaken() -> None:
    table = some_moves_later(2, 2)
    c, rows = known(table, table.to_move), np.zeros(count_inputs(2), np.int64)
    useful = [
        (slot, int(table.state["deck"][table.state["hands"][table.to_move][slot]]))
        for slot in range(int(table.state["held"][table.to_move]))
    ]
    slot, kind = next((slot, kind) for slot, kind in useful if not int(c["useless"]) >> kind & 1)
    c["masks"][c["hands"][table.to_move][slot]] = 1 << (kind + 1) % KINDS
    encode_inputs(table.state, c, weights(2), rows)
    first = kind // RANKS * inputs_of_colour(2) + kind % RANKS * 4
    assert rows[first + 1] == kind % RANKS * KIND_ROWS + STATUSES + MISTAKEN


@pytest.mark.parametrize("players", TRAINED_FOR)
def test_it_knows_much_of_how_games_end(players: int) -> None:
    """Of games that were not learnt from. A quarter of the variance at least, where more than a third was measured."""
    rows, lost = value_training.ValueTraining(HANABI, players, value_training.BLOCK, seed=4711).states(0, 1500)
    errors = [points_lost(each, players) - points for each, points in zip(rows, lost, strict=True)]
    assert np.mean(np.square(errors)) < 0.75 * lost.var()


def test_without_a_network_for_so_many_players_all_points_are_expected_that_can_be_had() -> None:
    table = some_moves_later(5, 1)
    assert 5 not in TRAINED_FOR
    c = known(table, table.to_move)
    assert expected_points(table.state, c, weights(5)) == attainable(c)


def test_learning_that_was_stopped_goes_on_to_the_same_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_training, "BLOCK", 400)
    whole, stopped, resumed = (value_training.ValueTraining(HANABI, 2, 800, seed=3) for _ in range(3))
    errors = [whole.learn_block(), whole.learn_block()]
    stopped.learn_block()
    stopped.keep(tmp_path / "kept.npz")
    resumed.restore(tmp_path / "kept.npz")
    resumed.learn_block()
    assert errors[1] < errors[0]
    for one, other in zip(whole.net, resumed.net, strict=True):
        assert np.array_equal(one, other)


def test_learning_does_not_go_on_with_what_another_run_kept(tmp_path: Path) -> None:
    value_training.ValueTraining(HANABI, 2, 800, seed=3).keep(tmp_path / "kept.npz")
    with pytest.raises(KibitzError, match=r"another run\. Finish that with its own command, or delete the file"):
        value_training.ValueTraining(HANABI, 2, 800, seed=4).restore(tmp_path / "kept.npz")
    (tmp_path / "kept.npz").write_bytes(b"PK half a file")
    with pytest.raises(KibitzError, match=r"damaged: .+\. Delete it, and the same command starts again\."):
        value_training.ValueTraining(HANABI, 2, 800, seed=3).restore(tmp_path / "kept.npz")


def test_a_file_keeps_the_networks_for_other_numbers_of_players(tmp_path: Path) -> None:
    file = tmp_path / "value_network.npz"
    for players in (2, 3):
        value_training.add_to_file(file, value_training.ValueTraining(HANABI, players, 800, seed=3), {})
    with np.load(file) as arrays:
        assert trained_for(arrays.files) == [2, 3]
