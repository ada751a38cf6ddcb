"""The players of Kriegspiel: golden games, the endings, and who beats whom."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.games.chess.board import QUEEN, ROOK
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.kriegspiel.tablebase import CODES, PLACEMENT_COUNT, load_tablebase
from kibitz.games.kriegspiel.tablebase_generator import is_proved
from tests.any_game import played, table_of
from tests.games.kriegspiel.tables import RULES, table_at
from tests.golden import game_text, is_as_kept

GOLDEN = Path(__file__).parent / "golden"
LINE = "{number:3}  {text}  [{reason}]"


def agent(name: str) -> Any:
    return registry.agent(KRIEGSPIEL, name)


@pytest.mark.parametrize("name", ["random", "heuristic", "believer@20"])
def test_the_game_goes_as_it_always_did(name: str) -> None:
    table = table_of(KRIEGSPIEL, [agent(name)] * 2, KRIEGSPIEL.deal(keys(2021), 0, 2, RULES))
    is_as_kept(game_text(table, f"{name}, seed 2021, game 0", LINE), GOLDEN / f"{name.partition('@')[0]}.txt")


@pytest.mark.parametrize("start", ["rook_ending", "queen_ending"])
def test_the_endings_are_won(start: str) -> None:
    """Twenty of each, of seed 7; `benchmarks/kriegspiel_ladder.py` plays many, and against kings who see everything."""
    wins = played(
        KRIEGSPIEL, [agent("believer"), agent("heuristic")], 20, KRIEGSPIEL.check_rules({"start": start}), seed=7
    ).results[:, 0]
    assert (wins == 1).all()


def test_the_moves_to_mate_in_the_reason_fall_with_every_move() -> None:
    start = KRIEGSPIEL.deal(keys(7), 0, 2, KRIEGSPIEL.check_rules({"start": "rook_ending"}))
    table = table_of(KRIEGSPIEL, [agent("believer"), agent("heuristic")], start)
    claimed = []
    while not table.over:
        turn = table.step()
        if turn.seat == 0 and "illegal" not in table.text(turn):
            claimed.append(int((re.findall(r"mate in at most (\d+)", turn.decision.reason) or ["1"])[0]))
    assert claimed[0] > 10
    assert claimed == sorted(set(claimed), reverse=True)
    assert claimed[-1] == 1


def test_every_set_of_the_tablebase_is_won_in_its_number_of_moves() -> None:
    """One in a hundred, from those with fewer moves; `… tablebase_generator --verify` proves all of them."""
    endings = load_tablebase()
    for n in range(0, len(endings.sets), 100):
        place = int(np.searchsorted(endings.first, n, side="right")) - 1
        code, kind = int(CODES[place % PLACEMENT_COUNT]), ROOK if place < PLACEMENT_COUNT else QUEEN
        assert is_proved(endings, code >> 6, code & 63, kind, int(endings.sets[n]), int(endings.moves[n]))


def test_a_file_that_is_not_a_tablebase_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tablebase.npz").write_bytes(b"nothing")
    with pytest.raises(KibitzError, match="not a tablebase"):
        load_tablebase(tmp_path / "tablebase.npz")


def test_the_believer_beats_the_heuristic_player_and_that_beats_random() -> None:
    careful = played(KRIEGSPIEL, [agent("heuristic"), agent("random")], 40, RULES, seed=0).results[:, 0]
    assert (careful == 1).sum() > 5 * (careful == 2).sum()
    wins = played(KRIEGSPIEL, [agent("believer@20"), agent("heuristic")], 8, RULES, seed=0).results[:, 0]
    assert (wins == 1).sum() >= 5


def test_a_believer_recaptures_and_states_the_number_of_positions() -> None:
    table = table_at("e2e4 d7d5 e4d5")
    decision = agent("believer").take_seat(KRIEGSPIEL).decide(table.view(1))
    assert KRIEGSPIEL.move_text(decision.move) == "d8d5"
    assert "positions are possible. My attempt is legal in 100 % of them" in decision.reason


def test_a_believer_probes_where_a_refusal_costs_nothing() -> None:
    """In a game it attempts what is seldom legal now and then, and says so: who is refused may try again."""
    table = table_of(KRIEGSPIEL, [agent("believer"), agent("heuristic")], KRIEGSPIEL.deal(keys(3), 0, 2, RULES))
    reasons = [table.step().decision.reason for _ in range(120) if not table.over]
    assert any("I probe: my attempt is legal in" in reason for reason in reasons)
