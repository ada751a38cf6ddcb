"""Many tables at once play the games of a match, on any number of workers."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Decision
from kibitz.engine.loop import decision, move_of
from kibitz.errors import AgentError, KibitzError
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.env import BatchedHanabi
from kibitz.games.hanabi.env.actions import action_of_move, move_of_action
from kibitz.games.hanabi.env.batched import complete_rules
from kibitz.games.hanabi.env.encoding import observation
from kibitz.games.hanabi.game import HANABI
from tests.tables import AGENTS, PLAYERS, dealt, played, table_of

RULES = complete_rules(None)
SCORE, TURNS = HANABI.columns.index("score"), HANABI.columns.index("turns")


def registered(name: str) -> CompiledAgent:
    found = registry.agent(HANABI, name)
    assert isinstance(found, CompiledAgent)
    return found


def scores_by_game(env: BatchedHanabi, steps: int) -> dict[int, int]:
    """The scores of the games that random moves finish within a number of steps."""
    found: dict[int, int] = {}
    for _ in range(steps):
        before = env.games
        batch = env.step(env.sample())
        found |= {int(before[table]): int(batch.scores[table]) for table in np.flatnonzero(batch.done)}
    return found


# The games


@pytest.mark.parametrize("players", PLAYERS)
def test_tables_play_the_games_of_a_match_move_for_move(players: int) -> None:
    """Random moves: the table t plays game t and then game t + tables, as `kibitz match hanabi random_legal` does."""
    tables, seed = 7, 3
    env = BatchedHanabi(tables, players, seed=seed)
    games = played([registered("random_legal")] * players, 3 * tables, rules=RULES, seed=seed)
    batch = env.batch
    turn, game = np.zeros(tables, int), np.arange(tables)
    finished: dict[int, int] = {}
    while len(finished) < 2 * tables:
        actions = env.sample()
        for table in np.flatnonzero(game < 3 * tables):
            move = int(move_of(games.logs[game[table], turn[table]]))
            assert actions[table] == action_of_move(move, int(batch.seats[table]), players)
        batch = env.step(actions)
        turn += 1
        for table in np.flatnonzero(batch.done):
            if game[table] < 3 * tables:
                finished[int(game[table])] = int(batch.scores[table])
                assert turn[table] == games.results[game[table], TURNS]
            turn[table], game[table] = 0, game[table] + tables
        assert env.games.tolist() == game.tolist()
    assert finished == {number: int(games.results[number, SCORE]) for number in finished}


@pytest.mark.parametrize("players", PLAYERS)
def test_a_table_shows_what_the_seat_to_move_sees_and_may_do(players: int) -> None:
    env = BatchedHanabi(5, players, seed=5, dtype=np.float32)
    tables = [table_of((), dealt(players, rules=RULES, seed=5, number=number)) for number in range(5)]
    done, batch = np.zeros(5, bool), env.batch
    while not done.all():
        actions = env.sample()
        for number in np.flatnonzero(~done).tolist():
            table = tables[number]
            seat, view = table.to_move, table.view(table.to_move)
            assert batch.seats[number] == seat
            assert batch.observations[number].tolist() == observation(view).tolist()
            assert env.view(number).struct.tobytes() == view.tobytes()
            legal = sorted(int(action_of_move(move, seat, players)) for move in HANABI.legal(view))
            assert np.flatnonzero(batch.legal[number]).tolist() == legal
            table.make(Decision(int(move_of_action(actions[number], seat, players))))
        batch = env.step(actions)
        done |= batch.done
        assert all(table.over for table, over in zip(tables, done, strict=True) if over)


def test_any_seat_can_be_asked_what_it_sees() -> None:
    env = BatchedHanabi(4, 3, seed=6)
    tables = [table_of((), dealt(3, rules=RULES, seed=6, number=number)) for number in range(4)]
    assert env.observe(env.batch.seats).tolist() == env.batch.observations.tolist()
    for seats in (2, [0, 1, 2, 1]):
        asked = np.broadcast_to(seats, 4)
        expected = [observation(table.view(int(seat))).tolist() for table, seat in zip(tables, asked, strict=True)]
        assert env.observe(seats).tolist() == expected
    with pytest.raises(KibitzError, match=r"There is no seat 3 \(table 1\): the seats are 0 to 2"):
        env.observe([0, 3, 1, 1])
    assert env.view(3, 2).struct.tobytes() == tables[3].view(2).tobytes()
    with pytest.raises(KibitzError, match="There is no seat 3: the seats are 0 to 2"):
        env.view(0, 3)
    with pytest.raises(KibitzError, match="There is no table 4: they are 0 to 3"):
        env.view(4)


@pytest.mark.parametrize("rules", [{}, {"lost_game": "piles"}, {"full_discard": "allowed", "empty_hint": "allowed"}])
def test_rewards_add_up_to_the_score(rules: dict[str, str]) -> None:
    """A point for each right play; where a lost game scores nothing, its loss takes all of them back."""
    env = BatchedHanabi(20, 3, seed=1, rules=rules, observe=False)
    collected, ended, lost = np.zeros(20), 0, 0
    for _ in range(60):
        batch = env.step(env.sample())
        collected += batch.rewards
        assert (collected[batch.done] == batch.scores[batch.done]).all()
        assert (batch.scores[~batch.done] == -1).all()
        ended, lost = ended + int(batch.done.sum()), lost + int((batch.rewards < 0).sum())
        collected[batch.done] = 0
    assert ended > 50
    assert (lost > 0) == (rules.get("lost_game") != "piles")


@pytest.mark.parametrize("observe", [True, False])
def test_the_number_of_threads_changes_nothing(observe: bool) -> None:
    one, three = (BatchedHanabi(10, 2, seed=2, observe=observe, threads=threads) for threads in (1, 3))
    for _ in range(40):
        actions = one.sample()
        assert actions.tolist() == three.sample().tolist()
        for ours, theirs in zip(one.step(actions), three.step(actions), strict=True):
            assert ours.tolist() == theirs.tolist()
    assert three.observe(1).tolist() == one.observe(1).tolist()
    assert three.advise("trustful").tolist() == one.advise("trustful").tolist()


def test_a_game_goes_the_same_way_at_any_of_any_number_of_tables() -> None:
    few, many = (scores_by_game(BatchedHanabi(tables, 2, seed=2), 100) for tables in (3, 8))
    both = few.keys() & many.keys()
    assert len(both) > 15
    assert all(few[game] == many[game] for game in both)


def test_a_reset_begins_the_seed_again_or_another() -> None:
    env = BatchedHanabi(4, 2, seed=1)
    first = env.batch.copy()
    for _ in range(30):
        env.step(env.sample())
    assert env.reset().observations.tolist() == first.observations.tolist()
    assert env.reset(seed=2).observations.tolist() != first.observations.tolist()
    assert env.batch.observations.tolist() == BatchedHanabi(4, 2, seed=2).batch.observations.tolist()
    assert not env.batch.done.any()


def test_a_batch_is_written_over_and_a_copy_is_not() -> None:
    env = BatchedHanabi(4, 2)
    batch = env.batch
    kept = batch.copy()
    after = env.step(env.sample())
    assert batch.observations is after.observations
    assert kept.observations.tolist() != after.observations.tolist()


def test_an_environment_without_observations_plays_the_same_games() -> None:
    env = BatchedHanabi(4, 2, observe=False)
    assert env.batch.observations.shape == (4, 0)
    assert scores_by_game(env, 50) == scores_by_game(BatchedHanabi(4, 2), 50)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copied_or_pickled_environment_goes_on_from_where_it_was(copied: Any) -> None:
    env = BatchedHanabi(6, 3, seed=4, partners={1: "trustful"})
    for _ in range(20):
        env.step(env.sample())
    other = copied(env)
    for _ in range(20):
        actions = env.sample()
        for ours, theirs in zip(env.step(actions), other.step(actions), strict=True):
            assert ours.tolist() == theirs.tolist()


# Partners and advisers


@pytest.mark.parametrize(
    ("name", "learner"),
    [*((agent.name, [1]) for agent in AGENTS), ("trustful", [0]), ("trustful", [0, 1]), ("hajdu_v4", [2])],
)
def test_partners_and_advice_make_the_games_of_a_match(name: str, learner: list[int]) -> None:
    """The learner does what the agent advises, and the agent sits in the other seats: a table of its like."""
    env = BatchedHanabi(4, 3, seed=7, observe=False, partners={seat: name for seat in range(3) if seat not in learner})
    results = played([registered(name)] * 3, 4, rules=RULES, seed=7).results

    def advised(batch: Any) -> Any:
        assert set(batch.seats) <= set(learner)
        return env.advise(name)

    assert env.play(advised).tolist() == results[:, SCORE].tolist()


def test_the_points_of_partners_are_rewards_too() -> None:
    env = BatchedHanabi(10, 4, seed=3, observe=False, partners=dict.fromkeys((1, 2, 3), "trustful"))
    collected, ended = np.zeros(10), 0
    for _ in range(40):
        batch = env.step(env.advise("trustful"))
        collected += batch.rewards
        assert (collected[batch.done] == batch.scores[batch.done]).all()
        ended += int(batch.done.sum())
        collected[batch.done] = 0
    assert ended > 10


def test_a_game_that_ends_before_the_learners_first_turn_is_passed_over() -> None:
    env = BatchedHanabi(30, 5, partners=dict.fromkeys(range(4), hasty), observe=False)
    assert (env.batch.seats == 4).all()
    assert (env.games % 30 == np.arange(30)).all()
    assert (env.games >= 30).any()


@agent(reasons=("now",), origin="a test")
def hasty(view: Any) -> int:
    """Plays its oldest card."""
    return decision(0, 0)


@agent(reasons=("out of turn",), origin="a test")
def unruly(view: Any) -> int:
    """Hints to itself."""
    return decision(10 + 10 * view.seat, 0)


def test_a_partner_who_breaks_the_rules_is_named() -> None:
    with pytest.raises(AgentError, match="The partner unruly decided on an illegal move at table 0"):
        BatchedHanabi(2, 2, partners={0: unruly})
    env = BatchedHanabi(2, 2, partners={1: unruly})
    with pytest.raises(AgentError, match="The partner unruly decided on an illegal move at table 0"):
        env.step(env.sample())
    with pytest.raises(AgentError, match="unruly decided on an illegal move at table 0"):
        BatchedHanabi(2, 2).advise(unruly)


# What a person does wrong


def test_an_illegal_action_changes_nothing_and_is_explained() -> None:
    env = BatchedHanabi(3, 2, seed=1)
    actions = env.sample()
    before = env.batch.copy()
    for wrong, words in (
        (0, r"Table 1: action 0 \(discard 1\) is not legal now: all 8 tokens are there"),
        (20, "Table 1: there is no action 20: they are the whole numbers from 0 to 19. G1 is to move and may choose"),
        (-1, "Table 1: there is no action -1"),
    ):
        actions[1] = wrong
        with pytest.raises(KibitzError, match=words):
            env.step(actions)
        for ours, theirs in zip(env.batch, before, strict=True):
            assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("actions", [[5, 5], 5, [5.0, 5.0, 5.0], [[5], [5], [5]], [True, True, True]])
def test_a_step_takes_a_whole_number_for_every_table(actions: Any) -> None:
    with pytest.raises(KibitzError, match="A step takes a whole number for each of the 3 tables"):
        BatchedHanabi(3).step(actions)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"players": 6}, "Hanabi is for 2 to 5 players, not 6"),
        ({"tables": 0}, "at least one table, not 0"),
        ({"threads": 0}, "at least one thread, not 0"),
        ({"dtype": "int64"}, "arrays of uint8, int8, float32, float64, not of int64"),
        ({"rules": {"lost_game": "nothing"}}, "piles or zero, not 'nothing'"),
        ({"partners": {2: "bot2"}}, "There is no seat 2 for a partner"),
        ({"partners": {0: "bot2", 1: "bot2"}}, "leave at least one for the learner"),
        ({"partners": {0: "botto"}}, "There is no Hanabi agent called 'botto'. Did you mean"),
        ({"partners": {0: "examples/my_bot.py:MyBot"}}, "A partner must be a compiled agent"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_in_words(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(KibitzError, match=words):
        BatchedHanabi(**{"tables": 2, **asked})
