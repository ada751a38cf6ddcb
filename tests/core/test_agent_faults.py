"""A compiled agent that fails ends its game with a sentence: the agent, its seat, the turn, what it did and where."""

from pathlib import Path

import pytest

from kibitz.arena.match import Match, play, play_compiled
from kibitz.bots import players
from kibitz.bots.pool import PROCESSES
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.errors import AgentError
from kibitz.games.hanabi.agents.trustful import trustful
from kibitz.games.hanabi.game import HANABI
from tests.core import faulty_agents as faulty
from tests.tables import dealt

FILE = Path(faulty.__file__)
SAYS = [
    (faulty.key_error, r"failed while deciding: KeyError: 4 \(in `key_error`, .*faulty_agents\.py, line \d+; "),
    (faulty.raises, r"failed while deciding: ValueError: what now \(.*faulty_agents\.py, line \d+: raise ValueError"),
    (faulty.returns_nothing, "failed while deciding: a path through `returns_nothing` ends without `return`"),
    (faulty.bare_number, "returned 3, which is not a decision"),
    (faulty.slot_nine, "decided on slot 9, which is out of range"),
    (faulty.slot_below_zero, "decided on slot -1, which is out of range"),
    (faulty.hints_itself, "decided on seat 0, which is out of range"),
    (faulty.hints_too_much, "decided on hint value 10, which is out of range"),
    (faulty.third_reason, "gave reason 2, but its reasons are 0 to 1"),
    (faulty.reason_out_of_range, "gave reason 300, but its reasons are 0 to 1"),
    (faulty.subject_out_of_range, "decided on subject 5000, which is out of range"),
    (faulty.negative_move, "decided on move -5, which is out of range"),
    (faulty.illegal, "decided on an illegal move (hint 5 to G5, number 59). Legal are play 1"),
    (faulty.unknown_part, "returned "),
    (faulty.observes, r"failed while observing: ValueError: too many \(.*faulty_agents\.py, line \d+: raise"),
    (faulty.watches, r"failed while watching: ValueError: seen enough \(.*faulty_agents\.py, line \d+: raise"),
    (faulty.asks_a_model, "failed while deciding: it returned a number that is not a decision"),
]
LATE = "at seat G1, turn 5,"
both_ways = pytest.mark.parametrize(("agent", "says"), SAYS, ids=[agent.name for agent, _ in SAYS])


def pattern(says: str) -> str:
    return says if "\\" in says else says.replace("(", r"\(").replace(")", r"\)")


@both_ways
def test_a_match_ends_with_the_agent_its_seat_and_turn(agent: CompiledAgent, says: str) -> None:
    played = play_compiled(Match.of(HANABI, [agent, trustful], 3, seed=1), 0, range(3))
    assert played.games == 0
    with pytest.raises(AssertionError, match=pattern(f"{agent.name} {LATE} {says}")):
        raise AssertionError(played.failure)


@both_ways
def test_a_table_ends_with_the_agent_its_seat_and_turn(agent: CompiledAgent, says: str) -> None:
    table = Table(HANABI, [each.take_seat(HANABI) for each in (agent, trustful)], dealt(2, seed=1))
    with pytest.raises(AgentError, match=pattern(says)) as caught:
        table.run()
    assert f"{agent.name} at seat G1, turn " in str(caught.value)


def test_the_games_before_the_failure_count() -> None:
    """`seldom` fails in some deals only."""
    chunks = list(play(Match.of(HANABI, [faulty.seldom, faulty.seldom], 40, seed=2).prepared()))
    assert chunks[-1].failure.startswith(f"Game {sum(chunk.games for chunk in chunks)}: seldom at seat G")
    assert sum(chunk.games for chunk in chunks) > 0


def test_continuations_name_the_agent() -> None:
    table = Table(HANABI, [trustful.take_seat(HANABI) for _ in range(2)], dealt(2, seed=1))
    streams = seeds.numbers(1, 0, 2)
    with pytest.raises(AgentError, match=f"raises {LATE} failed while deciding: ValueError: what now"):
        table.continuations(0, [faulty.raises, trustful], streams)
    with pytest.raises(AgentError, match=f"slot_nine {LATE} decided on slot 9"):
        table.continuations(0, [faulty.slot_nine, trustful], streams)


def test_an_agent_needs_no_origin() -> None:
    assert faulty.raises.origin == "faulty_agents.py"


@pytest.mark.machine_code
def test_machine_code_that_never_ends_is_stopped_at_a_servers_table() -> None:
    spec = registry.spec("hanabi", f"{FILE}:loops")
    agent = players.known_by(HANABI, spec, 0.3, PROCESSES)
    seats = [players.seat_player(HANABI, agent, 0.3), trustful.take_seat(HANABI)]
    with pytest.raises(AgentError, match=r":loops at seat G1, turn 5, took longer than 0\.3 seconds to decide"):
        Table(HANABI, seats, dealt(2, seed=1)).run()


@pytest.mark.machine_code
def test_machine_code_that_never_ends_is_named_where_processes_are_used(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text("class Any:\n    def decide(self, view):\n        return view.legal[-1]\n")
    match = Match("hanabi", (f"{FILE}:loops", f"{tmp_path}/bots.py:Any"), 2, seed=1, bot_seconds=0.3)
    chunks = list(play(match.prepared()))
    assert f"{FILE}:loops at seat G1, turn 5, took longer than 0.3 seconds to decide" in chunks[-1].failure
