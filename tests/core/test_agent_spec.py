"""Agents as values: what makes one again in another process, as a text, in a record and in a saved match."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.match import Match, play
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.agent_spec import AgentSpec, as_spec, parsed
from kibitz.core.network import NetworkWeights
from kibitz.core.record import parse
from kibitz.core.weights import Weights
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.trustful import WEIGHT_NAMES, trustful
from kibitz.games.hanabi.game import HANABI
from kibitz.games.loveletter.game import LOVE_LETTER

TUNED = {"play_tip.bar": 0.5, "risky_tip.bar": 2.0}


def compiled(agent: Agent) -> CompiledAgent:
    assert isinstance(agent, CompiledAgent)
    return agent


def results(match: Match) -> list[list[int]]:
    return np.concatenate([batch.results for batch in play(match.prepared())]).tolist()


# As text


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("trustful", AgentSpec("trustful")),
        ("trustful@mine.toml", AgentSpec("trustful", weights_file="mine.toml")),
        ("trustful@a/b.npz", AgentSpec("trustful", weights_file="a/b.npz")),
        ("trustful@play_tip.bar=0.5", AgentSpec("trustful", some_weights=(("play_tip.bar", 0.5),))),
        ("reader@500", AgentSpec("reader", iterations=500)),
        ("reader@50ms@worlds=9", AgentSpec("reader", some_weights=(("worlds", 9.0),), milliseconds=50)),
        ("alphabeta@6ply", AgentSpec("alphabeta", depth=6)),
        ("my@home/bot.py:Bot", AgentSpec("my@home/bot.py:Bot")),
        ("package.module:Bot", AgentSpec("package.module:Bot")),
        ("list.toml", AgentSpec("list.toml")),
        ("trustful:random_legal", AgentSpec("trustful", models=(AgentSpec("random_legal"),))),
    ],
)
def test_a_text_says_who_it_is_and_what_is_different(text: str, spec: AgentSpec) -> None:
    known = {"trustful", "reader", "random_legal"}
    assert parsed(text, known.__contains__) == spec
    assert parsed(str(spec), known.__contains__) == spec


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("trustful@500", "trustful does not search"),
        ("trustful@0", "use at least one iteration, millisecond or ply"),
        ("trustful@-5", "'-5' is not an option of trustful"),
        ("trustful@depth=-", "'depth=-' is not an option of trustful"),
        ("trustful@depth=deep", "There is no weight called 'depth'"),
        ("trustful@discard_tip.bar=high", "There is no value called 'high'. discard_tip.bar is a number."),
        ("search:", "search:AGENT"),
        ("search::trustful", "search:AGENT"),
        ("trustful@bar=1", "There is no weight called 'bar'. Did you mean discard_tip.bar"),
        ("trustful@none.toml", "none.toml cannot be read"),
        ("trustful:cheater", "trustful uses no other agent as a model"),
        ("trustfull", "Did you mean trustful"),
    ],
)
def test_what_cannot_be_is_reported_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(KibitzError) as refused:
        registry.agent(HANABI, text)
    assert says in str(refused.value)


def test_a_text_makes_an_agent_with_other_weights_or_another_budget() -> None:
    tuned = compiled(registry.agent(HANABI, "trustful@play_tip.bar=0.5@risky_tip.bar=2"))
    assert tuned.weights == trustful.with_weights(TUNED).weights
    assert tuned.name == "trustful@play_tip.bar=0.5@risky_tip.bar=2"
    assert tuned.title == "Trusting Taylor (trustful@play_tip.bar=0.5@risky_tip.bar=2)"
    searcher = compiled(registry.agent(LOVE_LETTER, "reader@7"))
    assert (searcher.budget, searcher.weights) == (Budget(7), compiled(registry.agent(LOVE_LETTER, "reader")).weights)


def test_one_changed_weight_leaves_the_others_as_they_are_for_each_number_of_players() -> None:
    usual = Weights((1.0, 2.0), ("a", "b"), (), {3: (1.0, 5.0)})
    changed = usual.but({"a": 7.0})
    assert changed.for_players(2).tolist() == [7.0, 2.0]
    assert changed.for_players(3).tolist() == [7.0, 5.0]


def test_numbers_that_lead_compiled_code_astray_are_no_weights() -> None:
    """A record describes its agents, and may come from anybody."""
    own = compiled(registry.agent(HANABI, "network")).weights
    assert isinstance(own, NetworkWeights)
    shape = own.shape
    usual = NetworkWeights.of_layers(shape, [(np.zeros((shape.inputs, shape.outputs)), np.zeros(shape.outputs))]).values
    larger = (1.0, float(shape.inputs), 4096.0, *usual[3:].tolist())
    for described, says in (
        (AgentSpec("network", weights=tuple(larger)), "the network that they begin with has more"),
        (AgentSpec("network", weights=tuple(usual.tolist()), weights_by_players=((3, larger),)), "has more"),
        (AgentSpec("piers", weights=(1e9,) * 40), "The numbers of a rule list encode its rules"),
        (AgentSpec("trustful", weights=(1e9,) * len(WEIGHT_NAMES)), "it goes from"),
    ):
        with pytest.raises(KibitzError, match=says):
            registry.made(HANABI, described)


# Weights in files


def test_weights_come_from_a_file_by_name_and_may_differ_by_players(tmp_path: Path) -> None:
    tables = {name.partition(".")[0] for name in WEIGHT_NAMES}
    named = dict(zip(WEIGHT_NAMES, trustful.weights.values.tolist(), strict=True))
    lines = []
    for table in sorted(tables):
        lines.append(f"[{table}]")
        lines += [
            f"{name.partition('.')[2]} = {value}" for name, value in named.items() if name.startswith(table + ".")
        ]
    (tmp_path / "w.toml").write_text("\n".join([*lines, "[players.3.play_tip]", "bar = 4.0"]))
    tuned = compiled(registry.agent(HANABI, f"trustful@{tmp_path / 'w.toml'}"))
    place = WEIGHT_NAMES.index("play_tip.bar")
    assert tuned.weights.for_players(2).tolist() == trustful.weights.values.tolist()
    assert tuned.weights.for_players(3)[place] == 4.0
    (tmp_path / "w.toml").write_text("\n".join(lines[:-1]))
    with pytest.raises(KibitzError, match="is not in the file"):
        registry.agent(HANABI, f"trustful@{tmp_path / 'w.toml'}")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing", b"[play_tip]\nbar = 'high'", b"\xff\xfe"])
@pytest.mark.parametrize("ending", [".toml", ".npz"])
def test_a_damaged_file_of_weights_is_reported_in_a_sentence(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"weights{ending}"
    path.write_bytes(content)
    with pytest.raises(KibitzError) as refused:
        registry.agent(HANABI, f"trustful@{path}")
    assert str(path) in str(refused.value)


def test_many_weights_lie_in_a_file_of_arrays(tmp_path: Path) -> None:
    many = Weights(np.linspace(0, 1, 50_000))
    np.savez(tmp_path / "net.npz", weights=many.values, players_2=2 * many.values)
    read = Weights().from_file(tmp_path / "net.npz")
    assert len(read) == 50_000
    assert read.for_players(2)[-1] == 2.0
    assert read.for_players(3)[-1] == 1.0


# In matches and records


def test_a_match_takes_agents_as_well_as_their_names() -> None:
    tuned = compiled(registry.agent(HANABI, "trustful")).with_weights(TUNED)
    by_agent = Match.of(HANABI, [tuned, "cheater"], 30, seed=2)
    by_text = Match("hanabi", ("trustful@play_tip.bar=0.5@risky_tip.bar=2", "cheater"), 30, seed=2)
    plain = Match("hanabi", ("trustful", "cheater"), 30, seed=2)
    assert results(by_agent) == results(by_text) != results(plain)
    assert by_agent.seats[0].startswith("trustful@weights-")


def test_a_match_of_candidates_can_be_sent_to_another_process_and_played_again() -> None:
    tuned = compiled(registry.agent(HANABI, "trustful")).with_weights(TUNED)
    match = Match.of(HANABI, [tuned, tuned], 5, seed=2, rules=HANABI.check_rules({}))
    again = pickle.loads(pickle.dumps(match))
    assert results(again) == results(match)


def test_an_agent_that_is_in_no_registry_plays_here_and_cannot_be_sent_away() -> None:
    match = Match.of(HANABI, [trustful.with_weights(TUNED)] * 2, 5, seed=2)
    assert len(results(match)) == 5
    with pytest.raises(KibitzError, match="another process cannot make it"):
        pickle.dumps(match)


def test_a_record_keeps_what_makes_its_agents_again() -> None:
    match = Match("hanabi", ("trustful@play_tip.bar=0.5", "cheater"), 1, seed=2, records=True)
    [batch] = play(match.prepared())
    record = parse(batch.records[0])
    assert record.seats == ["trustful@play_tip.bar=0.5", "cheater"]
    tuned = compiled(registry.agent(HANABI, "trustful")).with_weights(TUNED)
    [batch] = play(Match.of(HANABI, [tuned, "cheater"], 1, seed=2, records=True).prepared())
    kept = parse(batch.records[0]).agents
    assert isinstance(kept, list)
    assert kept[1] is None
    assert compiled(registry.made(HANABI, as_spec(kept[0]))).weights.values.tolist() == tuned.weights.values.tolist()


def test_the_file_of_a_bot_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("class Bot:\n    def decide(self, view):\n        return view.legal[0]\n")
    spec = registry.spec("hanabi", f"{path}:Bot").with_digests()
    assert registry.made(HANABI, spec).name == f"{path}:Bot"
    path.write_text(path.read_text() + "# changed\n")
    with pytest.raises(KibitzError, match="is not the file that"):
        registry.made(HANABI, spec)


def test_a_plain_match_is_saved_under_the_same_head_as_ever() -> None:
    plan = Match("hanabi", ("trustful", "cheater"), 3, 0).plan()
    assert "agents" not in plan
    assert plan["seats"] == ("trustful", "cheater")
