"""Golden games of the toys, and that looking ahead pays."""

from pathlib import Path

import pytest

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from tests.any_game import played, table_of
from tests.golden import game_text, is_as_kept

GOLDEN = Path(__file__).parent / "golden"
LINE = "{number:3}  {text}  [{reason}]"
COINS, TICTACTOE, THREE_SETS = (registry.game(name) for name in ("coins", "tictactoe", "three_sets"))


TABLES = [
    ("three_sets", ("expectiminimax", "random"), {}),
    ("three_sets", ("expectiminimax", "expectiminimax"), {"picks": "coin"}),
    ("three_sets", ("expectiminimax", "expectiminimax"), {"picks": "dice"}),
    ("tictactoe", ("two_plies", "perfect"), {}),
    ("coins", ("selfish", "paranoid", "greedy"), {}),
]


@pytest.mark.parametrize(("name", "agents", "rules"), TABLES)
def test_the_game_goes_as_it_always_did(name: str, agents: tuple[str, ...], rules: dict[str, str]) -> None:
    game = registry.game(name)
    start = game.deal(keys(2021), 0, len(agents), game.check_rules(rules))
    table = table_of(game, [registry.agent(game, agent) for agent in agents], start)
    title = " ".join([name, *agents, *rules.values()])
    is_as_kept(game_text(table, title, LINE), GOLDEN / f"{'-'.join(title.split())}.txt")


def test_the_perfect_player_of_tic_tac_toe_never_loses_and_mostly_beats_chance() -> None:
    agents = [registry.agent(TICTACTOE, name) for name in ("random", "perfect")]
    wins = played(TICTACTOE, agents, 200, {}, seed=0).results[:, 0]
    assert (wins != 1).all()
    assert (wins == 2).mean() > 0.7
    both = played(TICTACTOE, [agents[1]] * 2, 1, {}, seed=0).results[:, 0]
    assert both.tolist() == [0]


def test_looking_ahead_wins_more_games_than_taking_the_higher_coin() -> None:
    agents = [registry.agent(COINS, name) for name in ("paranoid", "greedy")]
    wins = played(COINS, agents, 300, {}, seed=0).results[:, 0]
    assert (wins == 1).mean() > 0.6


def test_equal_purses_share_the_win() -> None:
    start = COINS.load_start({"coins": [5, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}, 2, {})
    table = Table(COINS, [], start)
    while not table.over:
        table.make(Decision(COINS.move("left", table.state)))
    assert COINS.verdict(table.state) == "Nobody wins. 10 : 10."
    assert [generic.payoff(table.state, seat) for seat in range(2)] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("game", "players", "moves", "move", "says"),
    [
        (TICTACTOE, 2, ("b2",), "b2", "Legal are a1"),
        (TICTACTOE, 2, (), "d4", "not a legal move"),
        (THREE_SETS, 2, ("set 1",), "3", "Legal are -50, 50"),
        (COINS, 3, (), "middle", "Legal are left, right"),
    ],
)
def test_an_illegal_move_is_answered_with_what_is_legal(
    game: Game, players: int, moves: tuple[str, ...], move: str, says: str
) -> None:
    state = game.deal(keys(1), 0, players, game.check_rules({}))[0]
    for each in moves:
        generic.apply(state, game.move(each, state))
    with pytest.raises(KibitzError, match=says):
        game.move(move, state)


def test_coins_of_a_record_are_checked() -> None:
    with pytest.raises(KibitzError, match="12 coins of 1 to 9"):
        COINS.load_start({"coins": [10] * 12}, 2, {})
