"""Our rules beside those of pydraughts: on random games, and on random positions full of kings."""

import random

import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.errors import RecordError
from kibitz.games.draughts import fen
from kibitz.games.draughts.game import DRAUGHTS
from kibitz.games.draughts.rules import side_of, winner
from kibitz.games.draughts.squares import CROWN_ROWS, SQUARES
from kibitz.games.draughts.state import NO_MOVE, REPEATED
from tests.fuzzing import TIMES
from tests.games.draughts.oracle import Oracle, plain
from tests.games.draughts.tables import VARIANTS, table_at

GAMES, POSITIONS = TIMES, 25 * TIMES


def same_moves(table: Table, oracle: Oracle) -> list[tuple[int, object]]:
    """The legal moves, which are the same there: each with its route there."""
    ours, theirs = {plain(move): move for move in DRAUGHTS.legal(table.state)}, oracle.moves()
    assert ours.keys() == theirs.keys(), fen.dump(table.state)
    return [(move, theirs[parts]) for parts, move in ours.items()]


@pytest.mark.fuzz
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_have_the_same_legal_moves_and_winners(variant: str) -> None:
    for number in range(GAMES):
        dice, table, oracle = random.Random(number), table_at(variant=variant), Oracle(variant)
        while not table.over:
            move, route = dice.choice(same_moves(table, oracle))
            table.make(Decision(move))
            oracle.make(route)
        ending, won = table.state["ending"], int(winner(table.state))
        if ending == NO_MOVE:
            assert oracle.winner() == side_of(table.state, won)
        elif ending == REPEATED or variant == "english":
            assert oracle.winner() == -1


@pytest.mark.fuzz
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_positions_have_the_same_legal_moves(variant: str) -> None:
    for number in range(POSITIONS):
        position = some_position(random.Random(number))
        same_moves(table_at(position, variant), Oracle(variant, position))


def some_position(dice: random.Random) -> str:
    """Up to nine pieces a side, with few kings or many."""
    kings = dice.choice((0.1, 0.4, 0.9))
    squares = dice.sample(range(SQUARES), dice.randint(2, 18))
    cut = max(1, min(len(squares) - 1, round(len(squares) * dice.choice((0.2, 0.5)))))
    sides = []
    for side, mine in enumerate((squares[:cut], squares[cut:])):
        crowned = [dice.random() < kings or bool(CROWN_ROWS[side] >> square & 1) for square in mine]
        sides.append(",".join(f"{'K' if king else ''}{square + 1}" for king, square in zip(crowned, mine, strict=True)))
    position = f"W:W{sides[0]}:B{sides[1]}"
    try:
        table_at(position)
    except RecordError:  # White cannot move
        return some_position(dice)
    return position
