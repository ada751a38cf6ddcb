"""Observations and actions are those of the Hanabi Learning Environment, as OpenSpiel has it, and made from a view."""

import random
import re

import pyspiel
import pytest

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.games.hanabi.env.actions import (
    action_count,
    action_names,
    action_of_move,
    actions_of_moves,
    move_of_action,
)
from kibitz.games.hanabi.env.batched import complete_rules
from kibitz.games.hanabi.env.encoding import observation, observation_width, sections
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move
from kibitz.games.hanabi.rules import legal
from tests.fuzzing import TIMES
from tests.games.hanabi.test_openspiel import Choose, any_move, few_misplays, let_them_draw, smart
from tests.plainly import ROOT
from tests.tables import PLAYERS, at, dealt, make, table_of, wander
from tests.wall import another

pytestmark = pytest.mark.fuzz
RULES = complete_rules(None)
GAMES = 5 * TIMES  # for each number of players and each way to choose moves


@pytest.mark.parametrize("choose", [any_move, few_misplays, smart], ids=lambda choose: choose.__name__)
@pytest.mark.parametrize("players", PLAYERS)
def test_openspiel_observes_the_same_from_every_seat_at_every_turn(players: int, choose: Choose) -> None:
    dice = random.Random(players)
    other_program = pyspiel.load_game("hanabi", {"players": players})
    assert other_program.observation_tensor_shape() == [observation_width(players)]
    assert other_program.num_distinct_actions() == action_count(players) == len(action_names(players))
    agents = [registry.agent(HANABI, "smart_cheater")] * players
    for number in range(GAMES):
        table = table_of(agents, dealt(players, rules=RULES, seed=20 + players, number=number))
        theirs = other_program.new_initial_state()
        deck = table.state["deck"].tolist()
        let_them_draw(theirs, deck)
        while not table.over:
            for seat in range(players):
                our_vector, their_vector = observation(table.view(seat)).tolist(), theirs.observation_tensor(seat)
                assert our_vector == their_vector, differing(our_vector, their_vector, players)
            seat = table.to_move
            mask = int(actions_of_moves(legal(table.state), seat, players))
            assert [action for action in range(64) if mask >> action & 1] == theirs.legal_actions()
            move = choose(table, HANABI.view(table.state), dice)
            action = int(action_of_move(move, seat, players))
            assert move_of_action(action, seat, players) == move
            table.make(Decision(move))
            theirs.apply_action(action)
            let_them_draw(theirs, deck)
        assert theirs.is_terminal()
        assert theirs.returns() == [table.result()["score"]] * players


def differing(ours: list[float], theirs: list[float], players: int) -> list[str]:
    return [name for name, part in sections(players).items() if ours[part] != theirs[part]]


@pytest.mark.parametrize("players", PLAYERS)
def test_an_action_is_called_what_openspiel_calls_it(players: int) -> None:
    state = pyspiel.load_game("hanabi", {"players": players}).new_initial_state()
    let_them_draw(state, dealt(players)[0]["deck"].tolist())
    for action, name in enumerate(action_names(players)):
        words = name.split()
        if words[0] == "hint":
            colour = "rank" if words[1].isdigit() else "color"
            expected = f"(Reveal player {words[3]} {colour} {words[1][0].upper()})"
        else:
            expected = f"({words[0].capitalize()} {int(words[1]) - 1})"
        assert state.action_to_string(0, action) == expected


@pytest.mark.parametrize("players", PLAYERS)
def test_every_action_is_one_move_of_the_seat_that_acts(players: int) -> None:
    for seat in range(players):
        moves = [Move(int(move_of_action(action, seat, players))) for action in range(action_count(players))]
        assert len(set(moves)) == len(moves)
        assert all(move.target != seat and move.target < players for move in moves if move.is_hint)
        assert [int(action_of_move(move, seat, players)) for move in moves] == list(range(len(moves)))


@pytest.mark.parametrize(
    ("moves", "documented"),
    [
        (["play 1"], [1, 0]),
        (["hint 1 to G2", "play 1", "play 1"], [1, 1]),
        (["hint 1 to G2", "discard 1", "play 1"], [1, 0]),
        (["hint 1 to G2", "hint 1 to G1", "play 1"], [1, 1]),
    ],
)
def test_a_five_returns_a_token_only_if_one_was_missing(moves: list[str], documented: list[int]) -> None:
    """With seven or eight tokens before it, eight lie there after it."""
    table = at("r5 y1 y1 y2 y2", "g1 g1 g2 g2 b1", piles={"red": 4})
    make(table, *moves)
    assert observation(table.view(0))[sections(2)["last_success"]].tolist() == documented


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_that_look_the_same_are_encoded_the_same(players: int) -> None:
    different = 0
    for turn, table in enumerate(wander(table_of((), dealt(players, seed=21)), random.Random(players))):
        seat = turn % players
        other = another(table, seat, turn)
        different += other.state.tobytes() != table.state.tobytes()
        assert observation(table.view(seat)).tolist() == observation(other.view(seat)).tolist()
    assert different > 10


@pytest.mark.parametrize("players", PLAYERS)
def test_the_parts_of_the_vector_follow_one_another(players: int) -> None:
    ends = [0, *(part.stop for part in sections(players).values())]
    assert [part.start for part in sections(players).values()] == ends[:-1]
    assert ends[-1] == {2: 658, 3: 956, 4: 1041, 5: 1280}[players]


@pytest.mark.parametrize("dtype", ["uint8", "int8", "float32", "float64"])
def test_the_vector_is_the_same_in_every_type_of_number(dtype: str) -> None:
    view = table_of((), dealt(3)).view(1)
    assert observation(view, dtype).dtype == dtype
    assert observation(view, dtype).tolist() == observation(view).tolist()


def test_the_page_on_environments_gives_the_true_width_of_every_part() -> None:
    page = (ROOT / "docs" / "how-to" / "environments.md").read_text()
    rows = re.findall(r"^\| `?(\w+)`? \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", page, re.MULTILINE)
    documented = {name: [int(width) for width in widths] for name, *widths in rows if name != "part"}
    every = [sections(players) for players in PLAYERS]
    true = {name: [each[name].stop - each[name].start for each in every] for name in every[0]}
    assert documented == {**true, "total": [observation_width(players) for players in PLAYERS]}
