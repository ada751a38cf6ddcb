"""The classical searches: each finds what going through everything in plain Python finds, and says what it saved."""

import itertools
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.game import Game
from kibitz.core.trainer import TrainingPlan, check_settings
from kibitz.engine import generic
from kibitz.engine.seeds import keys
from kibitz.engine.zobrist import zobrist_numbers
from kibitz.errors import KibitzError
from kibitz.search import alphabeta, expectimax, maxn, table
from kibitz.search.alphabeta import PLAIN, Options, SearchResult, Workspace
from kibitz.search.book import Answer, Book, Evaluation, load_book, no_book, read_book_for
from kibitz.search.clock import Limit, milliseconds
from kibitz.search.move_values import value_moves
from kibitz.search.open_games import WIN, check_fits
from kibitz.search.openings import Breadth, build, learn_by_rote, opening_levels
from kibitz.search.outcomes import logistic
from tests.core.race import GO, RACE, ROLL, STAY, TRACK
from tests.fuzzing import first_of

COINS, TICTACTOE, THREE_SETS = (registry.game(name) for name in ("coins", "tictactoe", "three_sets"))
ENDLESS = Limit(1 << 62, np.inf, 0.0)
NO_WEIGHTS = np.zeros(0)
NO_EVALUATION = Evaluation("nobody", "")
LADDER = {
    "minimax": PLAIN,
    "alpha-beta": PLAIN._replace(prunes=True),
    "ordering": PLAIN._replace(prunes=True, promising_first=2),
    "killers and history": PLAIN._replace(prunes=True, promising_first=2, killers=True, history=True),
    "table": PLAIN._replace(prunes=True, promising_first=2, killers=True, history=True, table=True, equal_depth=True),
    "deepening": Options(quiets=False, equal_depth=True),
    "everything": Options(equal_depth=True),
}


def start(game: Game, players: int = 2, number: int = 0, moves: tuple[str, ...] = ()) -> Any:
    state = game.deal(keys(7), number, players, game.check_rules({}))
    for move in moves:
        generic.apply(state[0], game.move(move, state[0]))
    return state[0]


def searched(state: Any, options: Options, depth: int, book: Any = None) -> tuple[SearchResult, Workspace]:
    me = int(generic.to_move(state))
    workspace = alphabeta.workspace_for(state, me, options, NO_WEIGHTS, 12, no_book() if book is None else book)
    return alphabeta.search(workspace, ENDLESS, depth, bool(options.deepens)), workspace


def plain_value(game: Game, state: Any, me: int, depth: int, ply: int = 0) -> float:
    """Minimax as a textbook writes it; with more than two players, all others want the value low."""
    mover = int(generic.to_move(state))
    if mover < 0:
        points = WIN * (2 * generic.payoff(state, me) - 1)
        return points - ply if points > 9000 else points + ply if points < -9000 else points
    if depth == 0:
        return float(generic.evaluate(state, me, NO_WEIGHTS))
    return (max if mover == me else min)(
        plain_value(game, after(state, move), me, depth - 1, ply + 1) for move in game.legal(state)
    )


def plain_values(game: Game, state: Any, depth: int, ply: int = 0) -> list[float]:
    """Max^n as a textbook writes it."""
    mover, seats = int(generic.to_move(state)), range(int(state["players"]))
    if mover < 0 or depth == 0:
        return [plain_value(game, state, seat, 0, ply) for seat in seats]
    below = [plain_values(game, after(state, move), depth - 1, ply + 1) for move in game.legal(state)]
    return max(below, key=lambda values: values[mover])


def after(state: Any, move: int) -> Any:
    made = np.array([state], state.dtype)
    generic.apply(made[0], move)
    return made[0]


POSITIONS = [
    *((COINS, start(COINS, 2, number), depth) for number in range(3) for depth in (1, 4, 9)),
    *((TICTACTOE, start(TICTACTOE, moves=moves), depth) for moves in (("b2",), ("a1", "b2", "c3")) for depth in (2, 5)),
    (TICTACTOE, start(TICTACTOE, moves=("a1", "b1", "a2")), 6),
]


@cache
def value_at(number: int, move: int | None = None) -> float:
    """A position's plain value, or that of a move there, for the player to move."""
    game, state, depth = POSITIONS[number]
    me = int(generic.to_move(state))
    return (
        plain_value(game, state, me, depth) if move is None else plain_value(game, after(state, move), me, depth - 1, 1)
    )


@pytest.mark.parametrize("step", LADDER)
def test_every_step_of_the_ladder_finds_the_value_of_minimax(step: str) -> None:
    for number, (_, state, depth) in enumerate(POSITIONS):
        found, workspace = searched(state, LADDER[step], depth)
        assert found.value == value_at(number) == value_at(number, found.move)
        assert int(workspace.frames[0]["line"][0]) == found.move


def test_every_step_of_the_ladder_looks_at_fewer_positions() -> None:
    nodes = []
    for step in ("minimax", "alpha-beta", "ordering", "table"):
        nodes.append(int(searched(start(TICTACTOE), LADDER[step], 9)[1].run[0]["nodes"]))
    assert nodes[0] == 549_946  # known: every game of tic-tac-toe, from the empty board on
    assert nodes == sorted(nodes, reverse=True)
    assert nodes[1] < nodes[0] / 10
    assert nodes[3] < 0.6 * nodes[2]


def test_counters_tell_what_happened() -> None:
    run = searched(start(TICTACTOE), LADDER["everything"], 9)[1].run[0]
    assert 0 < run["first_cutoffs"] <= run["cutoffs"] < run["nodes"]
    assert 0 < run["answers"] <= run["hits"] < run["nodes"]
    assert run["deepest"] == 9
    assert searched(start(TICTACTOE), PLAIN, 4)[1].run[0]["cutoffs"] == 0


def test_a_faster_win_and_a_later_loss_are_preferred() -> None:
    winning = start(TICTACTOE, moves=("a1", "a2", "b1", "b2"))
    found, _ = searched(winning, Options(), 5)
    assert (TICTACTOE.move_text(found.move), found.value) == ("c1", WIN - 1)
    losing = start(TICTACTOE, moves=("a1", "b1", "b2", "c3", "a3"))  # two rows are open to the other
    found, _ = searched(losing, Options(), 4)
    assert found.value == -WIN + 2
    assert TICTACTOE.move_text(found.move) in ("a2", "c1")


def test_all_play_against_one_in_paranoid_search() -> None:
    for players, number in itertools.product((3, 4), range(3)):
        state = start(COINS, players, number)
        found, _ = searched(state, LADDER["everything"], 7)
        assert found.value == plain_value(COINS, state, 0, 7)


def test_each_plays_for_himself_in_max_n() -> None:
    for players, number in itertools.product((2, 3, 4), range(3)):
        state = start(COINS, players, number)
        workspace = maxn.workspace_for(state, NO_WEIGHTS)
        found = maxn.search(workspace, ENDLESS, 7, players, False)
        assert workspace.frames[0]["values"][:players].tolist() == plain_values(COINS, state, 7)
        assert found.value == workspace.frames[0]["values"][0]
    assert workspace.run[0]["nodes"] <= 2**8 - 1


def test_max_n_keeps_to_its_time_and_to_its_positions() -> None:
    state = start(COINS, 4, 0)
    for limit in (Limit(60, np.inf, 0.0), Limit(1 << 62, milliseconds() - 1, 0.0)):
        workspace = maxn.workspace_for(state, NO_WEIGHTS)
        found = maxn.search(workspace, limit, 40, 4, True)
        assert COINS.move_text(found.move) in {COINS.move_text(move) for move in COINS.legal(state)}
        assert found.depth < 12  # of the 12 coins and more that lie there
        assert workspace.run[0]["nodes"] < 60 + alphabeta.LOOKS + 100


def race(mine: int, theirs: int, rolled: int) -> Any:
    state = RACE.deal(keys(1), 0, 2, {})[0]
    state["places"], state["rolled"], state["turn"] = (mine, theirs), rolled, 1
    return state


def race_value(state: Any, depth: int, ply: int) -> float:
    """Expectiminimax as the lecture writes it."""
    if generic.to_move(state) == generic.CHANCE:
        rolls = [race_value(after(state, ROLL + 1 + eyes), depth, ply + 1) for eyes in range(6)]
        return float(np.mean(rolls))
    if generic.to_move(state) < 0 or depth == 0:
        return plain_value(RACE, state, 0, 0, ply)
    choose = max if generic.to_move(state) == 0 else min
    moves = [STAY] + [GO + int(state["rolled"])] * bool(generic.allowed(state, GO + int(state["rolled"])))
    return choose(race_value(after(state, move), depth - 1, ply + 1) for move in moves)


@first_of(1, "places", [(0, 0), (5, 7), (TRACK - 3, TRACK - 2), (TRACK - 6, TRACK - 1)])
def test_pruning_at_dice_changes_no_value(places: tuple[int, int]) -> None:
    for rolled in (1, 3):
        state, nodes = race(*places, rolled), []
        value = race_value(state, 4, 0)
        for prunes in (expectimax.MEAN, expectimax.STAR1, expectimax.STAR2):
            workspace = expectimax.workspace_for(state, 0, NO_WEIGHTS, prunes)
            found = expectimax.search(workspace, ENDLESS, 4, False)
            assert found.value == pytest.approx(value, abs=1e-6)
            nodes.append(int(workspace.run[0]["nodes"]))
        assert nodes[1] <= nodes[0]


def test_star1_saves_positions_and_the_probes_of_star2_cost_few() -> None:
    nodes = []
    for prunes in (expectimax.MEAN, expectimax.STAR1, expectimax.STAR2):
        workspace = expectimax.workspace_for(race(TRACK - 6, TRACK - 1, 2), 0, NO_WEIGHTS, prunes)
        expectimax.search(workspace, ENDLESS, 5, False)
        nodes.append(int(workspace.run[0]["nodes"]))
    assert nodes[0] > 1.5 * nodes[1]
    assert nodes[2] < 2.5 * nodes[1]  # probes pay where there are many moves, and here there are two


def test_a_search_at_dice_deepens_until_its_positions_are_spent() -> None:
    state = race(0, 0, 3)
    reached = []
    for positions in (1, 20_000, 1 << 62):
        workspace = expectimax.workspace_for(state, 0, NO_WEIGHTS, expectimax.STAR1)
        found = expectimax.search(workspace, Limit(positions, np.inf, 0.0), 5, True)
        assert found.move in (STAY, GO + 3)
        reached.append(found.depth)
    assert reached[0] < reached[1] < reached[2] == 5


def test_the_lecture_s_sets_are_worth_what_their_picker_makes_of_them() -> None:
    """An opponent picks the lower number, a coin either, and two dice the higher one in 7 of 12 rolls."""
    dice = (-50 * 5 + 50 * 7) / 12
    for rule, text, number in (("opponent", "set 2", 1), ("coin", "set 3", 5), ("dice", "set 1", dice)):
        state = THREE_SETS.deal(keys(0), 0, 2, THREE_SETS.check_rules({"picks": rule}))[0]
        found = expectimax.search(expectimax.workspace_for(state, 0, NO_WEIGHTS, expectimax.STAR2), ENDLESS, 2, False)
        assert THREE_SETS.move_text(found.move) == text
        assert found.value == pytest.approx(number / 50 * WIN, abs=2)  # a win counts a point less per ply


# The table and the book


def test_the_table_keeps_the_deepest_and_the_latest() -> None:
    entries = table.empty_table(1)
    at = entries.ctypes.data
    for key, depth in ((2, 9), (4, 3), (6, 1)):
        table.keep(at, 1, key, 0.5 * key, key, depth, table.EXACT)
    assert sorted(entries["key"].tolist()) == [2, 6]
    table.keep(at, 1, 2, 7.0, 1, 2, table.AT_MOST)  # a new entry for a position replaces the old one
    assert entries["value"][entries["key"] == 2].tolist() == [7.0]


def test_keys_change_with_every_move_as_if_made_anew() -> None:
    numbers = zobrist_numbers(2, 9)
    state = start(TICTACTOE, moves=("b2", "a1", "c3", "c1"))
    marks = [(seat, place) for seat in range(2) for place in range(9) if int(state["marks"][seat]) >> place & 1]
    assert int(generic.key(state)) == int(np.bitwise_xor.reduce([numbers[mark] for mark in marks]))
    other = start(TICTACTOE, moves=("c3", "c1", "b2", "a1"))
    assert generic.key(state) == generic.key(other) != generic.key(start(TICTACTOE))


def solved(state: Any) -> Answer:
    found, _ = searched(state[0], Options(), 9)
    return Answer(found.move, found.value, found.depth)


def built_book(breadth: Breadth, progress: Callable[[int], None] = lambda done: None) -> Book:
    here = np.array([start(TICTACTOE)])
    return build(TICTACTOE, here, 0, breadth, solved, "a test", NO_EVALUATION, depth=9, progress=progress)


def test_a_book_is_built_by_search_saved_and_probed_inside_search(tmp_path: Path) -> None:
    reported: list[int] = []
    built = built_book(Breadth(3), reported.append)
    assert len(built.pages) == 1 + 9 + 72 == reported[-1]
    built.save(tmp_path / "book.npz")
    book = load_book(tmp_path / "book.npz", TICTACTOE, 0)
    assert (book.plies, book.origin, book.pages.tolist()) == (3, "a test", built.pages.tolist())
    alone, without = searched(start(TICTACTOE), LADDER["ordering"], 9)
    found, workspace = searched(start(TICTACTOE), LADDER["ordering"], 9, book.words)
    assert found.value == alone.value == 0.0
    assert workspace.run[0]["book_answers"] > 0
    assert workspace.run[0]["nodes"] < without.run[0]["nodes"] / 100
    answer = book.page(int(generic.key(start(TICTACTOE))))
    assert answer is not None
    assert answer.value == 0.0
    assert book.page(12345) is None


def test_a_book_of_another_game_or_variant_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.npz"
    built_book(Breadth(1)).save(path)
    for game, rules, says in ((COINS, 0, "is a book for tictactoe"), (TICTACTOE, 1, "with other rules")):
        with pytest.raises(KibitzError, match=says):
            load_book(path, game, rules)
    path.write_text("no book")
    with pytest.raises(KibitzError, match="is not an opening book"):
        load_book(path, TICTACTOE, 0)
    with pytest.raises(KibitzError, match="cannot be read"):
        load_book(tmp_path / "none.npz", TICTACTOE, 0)


def test_a_book_follows_only_good_replies_where_it_is_told_to() -> None:
    """In the centre all replies are good; in a corner only the centre is."""
    here = np.array([start(TICTACTOE, moves=("a1",))])
    levels = list(opening_levels(TICTACTOE, here, Breadth(3, replies=1, full=0), (), 9))
    assert [len(level) for level in levels] == [1, 1, 1]
    assert int(levels[1][0][0]["marks"][1]) == 1 << TICTACTOE.move("b2", here[0])
    assert [len(level) for level in opening_levels(TICTACTOE, here, Breadth(3, replies=2, full=1), (), 2)] == [1, 8, 16]


def test_rote_keeps_what_was_searched_and_sees_further_with_it() -> None:
    here = np.array([start(TICTACTOE)])
    learned = [
        learn_by_rote(TICTACTOE, lambda number: here.copy(), 0, 12, 2, 5, (), 3, "a test", NO_EVALUATION)
        for _ in range(2)
    ]
    assert learned[0].pages.tolist() == learned[1].pages.tolist()
    book = learned[0]
    assert set(book.pages["depth"]) == {3}
    assert 30 < len(book.pages) <= 12 * 7
    state = start(TICTACTOE, moves=("b2", "a1"))
    _, workspace = searched(state, LADDER["ordering"], 3, book.words)
    assert workspace.run[0]["book_answers"] > 0


def test_a_book_of_another_game_or_evaluation_or_a_damaged_one_is_no_player_s(tmp_path: Path) -> None:
    path, player = tmp_path / "book.npz", registry.agent(TICTACTOE, "perfect")
    assert isinstance(player, CompiledAgent)
    built = built_book(Breadth(2))
    built._replace(evaluation=Evaluation.of(player)).save(path)
    assert len(read_book_for(player, path)) == 4 * len(built.pages)
    built.save(path)
    with pytest.raises(KibitzError, match="built with another evaluation, that of nobody"):
        read_book_for(player, path)
    coins = registry.agent(COINS, "paranoid")
    assert isinstance(coins, CompiledAgent)
    with pytest.raises(KibitzError, match="is a book for tictactoe, and paranoid plays coins"):
        read_book_for(coins, path)
    for field, value in (("value", np.nan), ("depth", 65), ("key", -1)):
        pages = built.pages.copy()
        pages[field][-1] = value
        built._replace(pages=pages).save(path)
        with pytest.raises(KibitzError, match="is a damaged book"):
            read_book_for(player, path)


# Limits


def test_a_search_ends_when_its_time_or_its_positions_are_spent() -> None:
    state = start(TICTACTOE)
    workspace = alphabeta.workspace_for(state, 0, PLAIN._replace(prunes=True), NO_WEIGHTS, 1, no_book())
    found = alphabeta.search(workspace, Limit(2000, np.inf, 0.0), 9, True)
    assert workspace.run[0]["nodes"] <= 2000 + alphabeta.LOOKS
    assert 1 <= found.depth < 9
    assert generic.allowed(state, found.move)
    workspace = alphabeta.workspace_for(state, 0, PLAIN, NO_WEIGHTS, 1, no_book())
    found = alphabeta.search(workspace, Limit(1 << 62, milliseconds() - 1, 0.0), 9, True)
    assert found.depth < 9
    assert generic.allowed(state, found.move)


def test_every_move_is_valued_on_any_number_of_threads_alike() -> None:
    state = start(TICTACTOE, moves=("a1", "b1"))
    one, two = (value_moves(TICTACTOE, state, 9, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert [each.move for each in one if each.value > 0] == [3, 4, 6]  # known: these win
    assert max(each.value for each in one) == searched(state, Options(), 9)[0].value
    assert all(each.line[0] == each.move for each in one)


# What does not fit


@pytest.mark.parametrize(
    ("refused", "says"),
    [
        (lambda: check_fits(registry.game("loveletter"), "Alpha-beta", 2), "has hidden information"),
        (lambda: check_fits(COINS, "Alpha-beta", 3), "paranoid search and max"),
        (lambda: check_fits(RACE, "Alpha-beta", 2), "Expectiminimax"),
        (lambda: check_fits(RACE, "Alpha-beta", 2, needs=("key",), dice=True), "does not implement key"),
        (lambda: value_moves(COINS, start(COINS, 3), 4), "for two players"),
        (lambda: value_moves(TICTACTOE, start(TICTACTOE), 0), "1 to 64 plies"),
        (lambda: value_moves(TICTACTOE, start(TICTACTOE), 4, think_ms=0), "at least one millisecond"),
    ],
)
def test_a_game_that_does_not_fit_is_reported(refused: Callable[[], Any], says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        refused()


# Learning


def test_weights_are_learned_from_how_games_end_and_go_on_after_a_break() -> None:
    game = registry.game("connect4")
    trainer = registry.trainer(game, "outcomes")
    plan = TrainingPlan(game, (2,), rules={"opening": "random"}, settings=check_settings(trainer, {"depth": 1}))
    whole, part = trainer.begin(plan), trainer.begin(plan)
    whole.train(0, 240)
    part.train(0, 120)
    rest = trainer.begin(plan)
    rest.restore(part.state())
    rest.train(120, 120)
    before, after = trainer.begin(plan).learned()[0].weights, whole.learned()[0].weights
    assert after == rest.learned()[0].weights != before
    assert after.values.sum() == pytest.approx(before.values.sum(), rel=0.01)
    features = np.random.default_rng(1).normal(size=(4000, 2))
    chances = 1 / (1 + np.exp(-features @ [1.0, -2.0]))
    outcomes = np.random.default_rng(2).random(4000) < chances
    assert logistic(features, outcomes, 1.0) == pytest.approx([1.0, -2.0], abs=0.2)
