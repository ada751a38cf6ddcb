"""Dice chess: its rules where they differ from chess, and its players."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.record import Made, Record
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import ONLOOKER
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError, RecordError
from kibitz.games.chess.board import HALFMOVE_LIMIT
from kibitz.games.dicechess.game import DICE_CHESS
from kibitz.games.dicechess.rules import ROLL
from tests.any_game import played, table_of
from tests.golden import game_text, is_as_kept

GOLDEN = Path(__file__).parent / "golden"
LINE = "{number:3}  {text}  [{reason}]"


def table_at(position: str, *moves: str) -> Table:
    """A table at which rolls are made by hand, after some rolls and moves."""
    table = Table(DICE_CHESS, [], DICE_CHESS.set_up(position, 2, {}), rolls=False)
    for move in moves:
        make(table, move)
    return table


def make(table: Table, text: str) -> None:
    roll = text.startswith("roll")
    table.make(Decision(ROLL + int(text.split()[1]) if roll else DICE_CHESS.move(text, table.state)))


def legal(table: Table) -> list[str]:
    return sorted(DICE_CHESS.move_text(move) for move in DICE_CHESS.legal(table.state))


def test_the_die_says_which_kind_of_piece_moves() -> None:
    table = table_at("4k3/8/8/8/8/8/P7/1N2K3 w - - 0 1")
    assert legal(table) == [f"roll {eyes}" for eyes in range(1, 7)]
    make(table, "roll 2")
    assert legal(table) == ["b1a3", "b1c3", "b1d2"]
    make(table, "b1c3")
    assert DICE_CHESS.event_text(table.state, 1) == "G1: knight b1 to c3"


def test_a_roll_that_lets_nobody_move_passes_the_turn() -> None:
    table = table_at("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "roll 5")
    assert table.to_move == generic.CHANCE
    assert DICE_CHESS.event_text(table.state, 0) == "G1 rolls 5, queen, and no queen can move"
    make(table, "roll 6")
    assert table.to_move == 1


def test_taking_the_king_wins_and_check_is_ignored() -> None:
    left_in_check = table_at("4k3/8/8/8/8/8/p3R3/4K3 b - - 0 1", "roll 1")
    assert "a2a1q" in legal(left_in_check)
    table = table_at("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "roll 4", "e2e8")
    assert table.over
    assert table.result() == {"winners": 1, "turns": 2}
    assert DICE_CHESS.verdict(table.state) == "G1 takes the king and wins after 1 roll."


def test_a_king_castles_on_a_six_even_out_of_check() -> None:
    table = table_at("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "roll 6")
    assert "e1g1" in legal(table)
    make(table, "e1g1")
    assert DICE_CHESS.page(table.view(ONLOOKER))["squares"] == {"e8": "r", "g8": "k", "f1": "R", "g1": "K"}


def test_a_pawn_can_be_taken_in_passing_at_once_or_not_at_all() -> None:
    begun = ("roll 1", "e2e4")
    position = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
    assert "d4e3" in legal(table_at(position, *begun, "roll 1"))
    assert "d4e3" not in legal(table_at(position, *begun, "roll 3", "roll 6", "e1d1", "roll 1"))


def test_moves_without_a_capture_end_in_a_draw() -> None:
    table = table_at(f"4k3/8/8/8/8/8/8/4K3 w - - {HALFMOVE_LIMIT - 1} 60", "roll 6", "e1d1")
    assert table.over
    assert DICE_CHESS.verdict(table.state) == f"Draw: {HALFMOVE_LIMIT} moves without a pawn move or a capture."


@pytest.mark.parametrize(
    ("moves", "move", "says"),
    [
        (("roll 1",), "e2e5", "'e2e5' is not a legal move now. Legal are a2a3"),
        (("roll 1",), "g1f3", "not a legal move now"),
        (("roll 1",), "castle", "Write the squares it goes from and to"),
    ],
)
def test_an_illegal_move_is_refused_with_the_legal_ones(moves: tuple[str, ...], move: str, says: str) -> None:
    table = Table(DICE_CHESS, [], DICE_CHESS.deal(keys(1), 0, 2, {}), rolls=False)
    for each in moves:
        make(table, each)
    with pytest.raises(KibitzError, match=says):
        make(table, move)


def test_a_wrong_roll_is_refused() -> None:
    table = Table(DICE_CHESS, [], DICE_CHESS.deal(keys(1), 0, 2, {}), rolls=False)
    with pytest.raises(KibitzError, match="'roll 7' is"):
        table.make(Decision(ROLL + 7))


@pytest.mark.parametrize(
    ("moves", "move", "says"),
    [
        (
            (),
            "roll 7",
            "'roll 7' is not a roll. Every move follows a roll, from roll 1 to roll 6",
        ),
        ((), "roll", "is not a roll"),
        ((), "e2e4", "Every move follows a roll"),
        (("roll 1",), "roll 2", "'roll 2' comes too soon: a pawn was rolled and has to move first"),
    ],
)
def test_a_record_with_a_wrong_roll_is_refused(moves: tuple[str, ...], move: str, says: str) -> None:
    table = Table(DICE_CHESS, [], DICE_CHESS.deal(keys(1), 0, 2, {}), rolls=False)
    made = [Made(each) for each in (*moves, move)]
    record = msgspec.structs.replace(Record.of(table, ["Ada", "Bo"], {}, None, None), moves=made)
    with pytest.raises(RecordError, match=says):
        list(record.steps(record.opened()))


def test_positions_are_counted_by_the_rules_of_chess_if_they_can_be() -> None:
    in_check = DICE_CHESS.set_up("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", 2, {})  # here the king may be left in check
    with pytest.raises(KibitzError, match="the side that has just moved is in check"):
        DICE_CHESS.count_moves(in_check, 2)


def test_a_start_that_cannot_be_is_refused() -> None:
    with pytest.raises(RecordError, match="Black has 0 kings"):
        DICE_CHESS.load_start({"position": "8/8/8/8/8/8/8/4K3 w - - 0 1"}, 2, {})


AGENTS = [agent for agent in registry.agents(DICE_CHESS) if not agent.traits.searches]


@pytest.mark.parametrize("agent", [*AGENTS, registry.agent(DICE_CHESS, "expectiminimax@2ply")], ids=lambda a: a.name)
def test_the_game_goes_as_it_always_did(agent: Any) -> None:
    table = table_of(DICE_CHESS, [agent] * 2, DICE_CHESS.deal(keys(2021), 0, 2, {}))
    is_as_kept(game_text(table, f"{agent.name}, seed 2021, game 0", LINE), GOLDEN / f"{agent.name}.txt")


def test_the_greedy_player_beats_random() -> None:
    agents = [registry.agent(DICE_CHESS, name) for name in ("greedy", "random")]
    wins = played(DICE_CHESS, agents, 200, {}, seed=0).results[:, 0]
    assert (wins == 1).mean() > 0.85


def test_expectiminimax_takes_a_king_that_it_can_take() -> None:
    wim = registry.agent(DICE_CHESS, "expectiminimax")
    table = table_of(DICE_CHESS, [wim, wim], DICE_CHESS.set_up("4k3/8/8/8/8/8/4R3/R3K3 w - - 0 1", 2, {}))
    while table.turns[-1].decision.move != ROLL + 4:
        table = table_of(DICE_CHESS, [wim, wim], with_other_dice(table.start))
    turn = table.step()
    assert DICE_CHESS.move_text(turn.decision.move) == "e2e8"
    assert "sees a win in 1 ply" in str(turn.decision.reason)


@pytest.mark.parametrize("name", ["monte_carlo@400", "mcts@400"])
def test_monte_carlo_players_take_the_king_too(name: str) -> None:
    agent = registry.agent(DICE_CHESS, name)
    table = table_of(DICE_CHESS, [agent, agent], DICE_CHESS.set_up("4k3/8/8/8/8/8/4R3/R3K3 w - - 0 1", 2, {}))
    while table.turns[-1].decision.move != ROLL + 4:
        table = table_of(DICE_CHESS, [agent, agent], with_other_dice(table.start))
    assert DICE_CHESS.move_text(table.step().decision.move) == "e2e8"


def with_other_dice(start: Any) -> Any:
    other = start.copy()
    other["chance"] += 1
    return other


def test_the_page_shows_the_last_move_whatever_was_rolled_since() -> None:
    table = table_at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert DICE_CHESS.page(table.view(ONLOOKER))["last"] is None
    for move in ("roll 1", "e2e4", "roll 5", "roll 4", "roll 6"):
        make(table, move)
    shown = DICE_CHESS.page(table.view(ONLOOKER))
    assert (shown["last"], shown["passed"], shown["rolled"]) == (["e2", "e4"], [5, 4], 6)


def test_a_position_is_named_by_its_moves_and_rolls() -> None:
    assert DICE_CHESS.moves_of("roll 1 e2e4, 2  g8f6") == ["roll 1", "e2e4", "roll 2", "g8f6"]
