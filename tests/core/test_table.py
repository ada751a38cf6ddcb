"""A table with any mix of players: copied, replayed, imagined and continued, and what it says of players who fail."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from kibitz.core.agent import Agent, CompiledAgent, CompiledPlayer, Decision, PythonAgent, PythonPlayer, Traits
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.engine.loop import decision, move_of
from kibitz.errors import AgentError, KibitzError
from kibitz.games.hanabi import View, discard, hint, play
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.state import State as Seen
from tests.fuzzing import TIMES, at_one_table
from tests.tables import AGENTS, PLAYERS, at, dealt, make, played, table_of
from tests.witness import witness


@agent(reasons=("just because",), origin="a test")
def stubborn(view: Seen) -> int:
    """Discards, and in turn 7 plays its fifth card, whether it has one or not."""
    return decision(4 if view.turn == 6 else 5, 0)


class Diary:
    """Writes down every hand it sees, and discards by the length of its diary."""

    def __init__(self) -> None:
        self.pages: list[str] = []

    def observe(self, view: View) -> None:
        self.pages.append(" / ".join(" ".join(map(str, view.hands[seat])) for seat in view.others))

    def decide(self, view: View) -> tuple[int, str]:
        return discard(len(" ".join(self.pages)) % len(view.hand)), f"page {len(self.pages)}"


def python_agent(create: Callable[[], Any], name: str = "diary") -> PythonAgent:
    return PythonAgent(name, "hanabi", "", "a test", Traits(remembers=hasattr(create, "observe")), create)


DIARY = python_agent(Diary)
EVERYBODY = (*AGENTS, witness)


def memory(table: Table, seat: int) -> list[Any]:
    """What the player of a seat remembers."""
    player = table.players[seat]
    if isinstance(player, CompiledPlayer):
        looks, total, last = player.known("memory").tolist()
        return [looks, total, *last.tolist()]
    assert isinstance(player, PythonPlayer)
    return list(player.bot.pages)


def memories(table: Table) -> list[list[Any]]:
    return [memory(table, seat) for seat in range(len(table.players))]


def fresh(agents: Sequence[Agent]) -> list[Any]:
    return [agent.take_seat(HANABI) for agent in agents]


def moves(table: Table) -> list[int]:
    return [turn.decision.move for turn in table.turns]


# A game


@pytest.mark.parametrize("players", PLAYERS)
def test_compiled_and_python_players_sit_at_one_table(players: int) -> None:
    agents = [DIARY if seat % 2 else AGENTS[seat] for seat in range(players)]
    table = table_of(agents, dealt(players))
    result = table.run()
    assert table.over
    assert result == table.result() == HANABI.result(table.state)
    assert [turn.seat for turn in table.turns] == [number % players for number in range(len(table.turns))]
    assert [turn.number for turn in table.turns] == list(range(1, len(table.turns) + 1))


def test_who_remembers_sees_the_start_and_every_move() -> None:
    table = table_of([witness, DIARY, witness], dealt(3))
    for turn in table.steps():
        assert memory(table, 0)[0] == len(memory(table, 1)) == turn.number + 1
    assert len(table.turns) > 10


def test_a_seat_remembers_the_cards_it_saw_in_other_hands() -> None:
    table = at("r1 r2", "y3 y4", "b5 w1", agents=[witness, DIARY, witness])
    assert memory(table, 1) == ["b5 w1 / r1 r2"]
    assert memory(table, 0)[2:6] == [7, 8, 19, 20]


def test_a_decision_alone_changes_nothing_at_the_table() -> None:
    table = table_of([*AGENTS[:3]], dealt(3))
    before = table.state.tobytes()
    assert table.decide() == table.decide()
    assert table.state.tobytes() == before
    assert table.turns == []


def test_a_start_is_not_changed_by_the_game() -> None:
    start = dealt(2)
    before = start.tobytes()
    table = table_of([witness] * 2, start)
    table.run()
    assert start.tobytes() == table.start.tobytes() == before


@at_one_table(EVERYBODY, PLAYERS)
def test_the_compiled_loop_and_the_table_play_the_same_games(agent: Agent, players: int) -> None:
    games = played([agent] * players, 4, seed=13)
    assert games.done == 4
    for number in range(4):
        table = table_of([agent] * players, dealt(players, seed=13, number=number))
        result = table.run()
        assert list(result.values()) == games.results[number].tolist()
        assert moves(table) == [int(move_of(each)) for each in games.logs[number][: len(table.turns)]]
        assert set(games.logs[number][len(table.turns) :].tolist()) <= {-1}


@pytest.mark.parametrize("players", PLAYERS)
def test_the_compiled_loop_and_the_table_play_mixed_tables_alike(players: int) -> None:
    for first in range(len(EVERYBODY)):
        agents = [EVERYBODY[(first + 2 * seat) % len(EVERYBODY)] for seat in range(players)]
        table = table_of(agents, dealt(players, seed=14))
        assert list(table.run().values()) == played(agents, 1, seed=14).results[0].tolist()


def test_the_loop_stops_at_an_illegal_move_and_its_log_ends_with_it() -> None:
    games = played([stubborn] * 4, 3)
    assert games.done == 0
    assert [int(move_of(each)) for each in games.logs[0][:7]] == [5, 5, 5, 5, 5, 5, 4]
    with pytest.raises(AgentError, match="stubborn at seat G3, turn 7, decided on an illegal move"):
        table_of([stubborn] * 4, dealt(4)).run()


def test_no_move_is_made_after_the_end() -> None:
    table = at("r5 r4", "y5 y4", lives=1)
    make(table, "play 1")
    assert table.over
    before = table.state.tobytes()
    with pytest.raises(KibitzError, match="over"):
        table.make(Decision(0))
    assert table.state.tobytes() == before
    assert len(table.turns) == 1


# Copies


@pytest.mark.parametrize("players", PLAYERS)
def test_a_copy_played_on_does_not_disturb_the_table(players: int) -> None:
    agents = [(witness, DIARY, *AGENTS)[seat] for seat in range(players)]
    table, untouched = (table_of(agents, dealt(players, seed=15)) for _ in range(2))
    for _ in range(7):
        table.step()
        untouched.step()
    before = table.state.tobytes()
    other = table.copy()
    assert memories_of(other) == memories_of(table)
    other.make(Decision(play(0)))
    other.run()
    assert table.state.tobytes() == before
    assert len(table.turns) == 7
    assert memories_of(table) == memories_of(untouched) != memories_of(other)
    assert table.run() == untouched.run()
    assert table.turns == untouched.turns
    assert table.turns[7:] != other.turns[7:]


def memories_of(table: Table) -> list[list[Any]]:
    """What the two who remember do remember; they sit in the first two seats."""
    return [memory(table, seat) for seat in range(2)]


def test_a_copy_goes_on_as_the_table_would() -> None:
    table = table_of([witness, DIARY, *AGENTS[:2]], dealt(4, seed=16))
    for _ in range(9):
        table.step()
    other = table.copy()
    assert (other.run(), moves(other)) == (table.run(), moves(table))


@pytest.mark.parametrize("moves_made", [0, 1, 8])
def test_a_game_can_be_taken_up_again_at_any_turn(moves_made: int) -> None:
    agents = [witness, DIARY, *AGENTS[:2]]
    table = table_of(agents, dealt(4, seed=16))
    for _ in range(moves_made):
        table.step()
    then = table.state.tobytes(), memories_of(table)
    table.run()
    again = table.at_turn(moves_made, fresh(agents))
    assert (again.state.tobytes(), memories_of(again)) == then
    assert again.turns == table.turns[:moves_made]
    assert again.run() == table.result()
    assert again.turns == table.turns


# Worlds


@pytest.mark.parametrize("players", PLAYERS)
def test_in_a_sampled_world_everybody_remembers_that_world(players: int) -> None:
    agents = [DIARY if seat % 2 else witness for seat in range(players)]
    table = table_of(agents, dealt(players, seed=17))
    for _ in range(8):
        table.step()
    true = memories(table)
    for seat in range(players):
        world = table.sample_world(seat, fresh(agents), stream=seat)
        lived_there = Table(HANABI, fresh(agents), world.start)
        for turn in table.turns:
            lived_there.make(turn.decision)
        assert memories(world) == memories(lived_there)
        assert memory(world, seat) == true[seat]
        assert all(memory(world, other) != true[other] for other in range(players) if other != seat)
        assert memories(table) == true


def test_what_others_remember_of_a_hand_is_not_shown_to_its_holder() -> None:
    """In a world sampled for G1, the diary of G2 describes the sampled hand of G1, from the first page on."""
    table = table_of([witness, DIARY], dealt(2, seed=18))
    table.step()
    for stream in range(20):
        world = table.sample_world(0, fresh([witness, DIARY]), stream)
        first_hand = HANABI.view(world.start[0]).hands[0]
        assert memory(world, 1)[0] == " ".join(map(str, first_hand))
        assert [card.kind for card in HANABI.view(world.state).hands[0]] != [
            card.kind for card in HANABI.view(table.state).hands[0]
        ]


@pytest.mark.fuzz
@at_one_table([agent for agent in EVERYBODY if isinstance(agent, CompiledAgent)], PLAYERS)
def test_continuations_are_the_games_of_imagined_tables(agent: CompiledAgent, players: int) -> None:
    agents = [agent] * players
    table = table_of(agents, dealt(players, seed=19))
    make(table, *("discard 2",) * 6)
    streams = seeds.numbers(seeds.keys(19).dice, 0, TIMES)
    first_move = int(discard(1))
    for seat in range(players):
        rows = table.continuations(seat, agents, streams)
        rows_after = table.continuations(seat, agents, streams, first_move)
        for number, stream in enumerate(streams.tolist()):
            world = table.sample_world(seat, fresh(agents), stream)
            other = world.copy()
            assert list(world.run().values()) == rows[number].tolist()
            other.make(Decision(first_move))
            assert list(other.run().values()) == rows_after[number].tolist()


def test_a_first_move_is_made_first() -> None:
    """One life, one pile to finish: what the first move is decides the game."""
    piles = {"red": 5, "yellow": 5, "green": 5, "blue": 5, "white": 4}
    table = at("w5 r1", "y1 y1", piles=piles, lives=1, hints=["5 to G1", "white to G1"])
    streams = np.arange(5)
    assert table.continuations(0, [witness] * 2, streams, int(play(0))).tolist() == [[25, 1, 1]] * 5
    assert table.continuations(0, [witness] * 2, streams, int(play(1))).tolist() == [[24, 0, 1]] * 5


def test_a_first_move_that_is_not_legal_is_refused() -> None:
    table = at("r1 r2", "y1 y2", tokens=0)
    for illegal in (int(play(4)), int(hint(1, "yellow")), int(hint(1, "red")), 60):
        with pytest.raises(KibitzError, match="legal"):
            table.continuations(0, [witness] * 2, np.arange(3), illegal)


def test_continuations_leave_the_table_as_it_is() -> None:
    table = table_of([witness, DIARY], dealt(2, seed=20))
    for _ in range(5):
        table.step()
    before = table.state.tobytes(), table.start.tobytes(), memories(table)
    table.continuations(0, [witness] * 2, np.arange(10), int(discard(0)))
    table.sample_world(1, fresh([witness, DIARY]), 3).run()
    assert (table.state.tobytes(), table.start.tobytes(), memories(table)) == before


def test_continuations_of_an_agent_that_breaks_the_rules_name_it() -> None:
    with pytest.raises(AgentError, match="stubborn at seat G3, turn 7, decided on an illegal move"):
        table_of((), dealt(4)).continuations(0, [stubborn] * 4, np.arange(3))


# Failures


def failing(act: Callable[[View], Any]) -> PythonAgent:
    """A bot that does this in its second turn, which is the fourth of the game."""

    class Bot:
        def decide(self, view: View) -> Any:
            return act(view) if view.turn > 2 else "discard 1"

    return python_agent(Bot, "faulty.py:Bot")


def run_with(bot: Agent) -> None:
    at("r1 r2 r3", "y1 y2 y3", agents=[AGENTS_NAMED["random_legal"], bot], tokens=3).run()


AGENTS_NAMED = {agent.name: agent for agent in AGENTS}
WHO = r"faulty\.py:Bot at seat G2, turn 4,"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, r"answered None\. A move is play\(slot\), discard\(slot\)"),
        ("castle", r"answered 'castle'\. 'castle' is not a move"),
        (99, r"answered 99\. That is a bare number, which may be a slot, a seat or a move\. Return a move"),
        (True, r"answered True\. That is a bare number"),
        (play(4), r"answered <play 5>.*not legal.*the hand has 3 cards"),
        ("hint red to G2", r"answered 'hint red to G2'.*not legal.*a hint goes to another player"),
        ((play(4), "why not"), r"answered \(<play 5>, 'why not'\).*not legal"),
        (["play 1"], r"answered \['play 1'\]\. A move is"),
    ],
)
def test_a_bot_that_answers_with_no_legal_move_is_named_with_its_seat_and_turn(answer: Any, says: str) -> None:
    with pytest.raises(AgentError, match=f"{WHO} {says}"):
        run_with(failing(lambda view: answer))


def test_a_bot_that_raises_is_named_with_its_seat_turn_and_line() -> None:
    def trip(view: View) -> None:
        raise ZeroDivisionError("tripped")

    with pytest.raises(
        AgentError, match=rf"{WHO} failed while deciding: ZeroDivisionError: tripped .*test_table\.py, line \d+"
    ):
        run_with(failing(trip))


def test_a_bot_that_makes_a_move_there_is_not_is_named_with_its_seat_and_turn() -> None:
    with pytest.raises(AgentError, match=rf"{WHO} failed while deciding.*There is no slot 7"):
        run_with(failing(lambda view: play(7)))


def test_a_bot_that_raises_while_it_looks_on_is_named_with_its_seat_and_turn() -> None:
    class Startled:
        def observe(self, view: View) -> None:
            if view.turn == 2:
                raise RuntimeError("what was that?")

        def decide(self, view: View) -> int:
            return discard(0)

    table = table_of([python_agent(Startled, "startled")] * 2, dealt(2))
    with pytest.raises(
        AgentError, match=r"startled at seat G1, turn 2, failed while observing: RuntimeError: what was"
    ):
        table.run()


def test_a_bot_that_cannot_be_made_is_named() -> None:
    class Late:
        def __init__(self) -> None:
            raise OSError("overslept")

    with pytest.raises(AgentError, match="late could not take a seat: OSError: overslept"):
        python_agent(Late, "late").take_seat(HANABI)


def test_every_seat_and_game_has_a_bot_of_its_own() -> None:
    first, second = (table_of([DIARY] * 2, dealt(2)) for _ in range(2))
    bots = {id(player.bot) for table in (first, second) for player in table.players if isinstance(player, PythonPlayer)}
    assert len(bots) == 4


def test_a_bot_may_answer_with_a_move_its_text_and_a_reason() -> None:
    for answer, expected in [
        (play(0), Decision(0)),
        ("play 1", Decision(0)),
        (("p1", "it fits"), Decision(0, "it fits")),
        (Decision(0, "it fits"), Decision(0, "it fits")),
    ]:
        table = at("r1", "y1", agents=[python_agent(lambda answer=answer: Answering(answer), "bot")] * 2)  # type: ignore[misc]
        assert table.step().decision == expected


class Answering:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def decide(self, view: View) -> Any:
        return self.answer


def test_reasons_can_be_left_out() -> None:
    quiet = [AGENTS_NAMED["cheater"].take_seat(HANABI, explains=False) for _ in range(2)]
    table = Table(HANABI, quiet, dealt(2))
    aloud = table_of([AGENTS_NAMED["cheater"]] * 2, dealt(2))
    assert table.run() == aloud.run()
    assert moves(table) == moves(aloud)
    assert not any(turn.decision.reason for turn in table.turns)
    assert all(turn.decision.reason for turn in aloud.turns)
