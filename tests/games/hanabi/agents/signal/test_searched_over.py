"""`signal` as a blueprint: which moves are truthful, and what common knowledge says about its hand."""

import random

import pytest

from kibitz.core.agent import CompiledPlayer, Decision
from kibitz.games.hanabi.agents.signal.player import signal
from kibitz.games.hanabi.game import HANABI
from tests.games.hanabi.agents.signal.tables import known
from tests.tables import PLAYERS, dealt, table_of

STRICT = {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"}


def truthful_moves(player: CompiledPlayer, view: object) -> list[int]:
    mask = int(player.functions.truthful_moves(view, player._seat(view)))
    return [move for move in range(mask.bit_length()) if mask >> move & 1]


@pytest.mark.machine_code
@pytest.mark.parametrize("players", PLAYERS)
def test_after_true_moves_nobody_is_wrong_about_a_card(players: int) -> None:
    """Any true moves, also such as it would not make: discards of good cards, and plays that fail."""
    dice, others = random.Random(players), 0
    for deal in range(2):
        table = table_of([signal] * players, dealt(players, seed=5, rules=STRICT, number=deal))
        while not table.over:
            view, player = table.view(table.to_move), table.players[table.to_move]
            assert isinstance(player, CompiledPlayer)
            moves = truthful_moves(player, view)
            assert set(moves) <= set(HANABI.legal(view))
            own = table.decide().move
            chosen = dice.choice([own, *moves])
            others += chosen != own
            if own not in moves and players == 2:
                break  # there was no hint to say what was due, see docs/explanation/signal.md
            assert own in moves
            table.make(Decision(chosen))
            common = known(table, 0)
            assert common["contradictions"] == 0
            for seat in range(players):
                for slot in range(int(table.state["held"][seat])):
                    place = int(table.state["hands"][seat][slot])
                    assert int(common["masks"][place]) >> int(table.state["deck"][place]) & 1
    assert others > 3


@pytest.mark.machine_code
@pytest.mark.parametrize("players", PLAYERS)
def test_what_it_infers_of_its_hand_is_what_everybody_knows(players: int) -> None:
    table = table_of([signal] * players, dealt(players, seed=6, rules=STRICT))
    while not table.over:
        seat = table.to_move
        view, player = table.view(seat).copy(), table.players[seat]
        assert isinstance(player, CompiledPlayer)
        player.functions.infer(view, player._seat(view))
        common = known(table, seat)
        for slot in range(int(view["held"][seat])):
            hinted = int(table.state["hinted_kinds"][seat][slot])
            assert int(view["hinted_kinds"][seat][slot]) == hinted & int(common["masks"][view["hands"][seat][slot]])
        table.step()
