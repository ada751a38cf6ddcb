"""The network as a player: at any table, from what its seat sees, and as it was trained."""

import json
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.network import NetworkWeights, write_network
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.network import ELSE, HOW_SURE, REASONS, network
from kibitz.games.hanabi.agents.network_inputs import SHAPE, WIDTH
from kibitz.games.hanabi.env.network_tables import NetworkTables, unpacked
from kibitz.games.hanabi.game import HANABI
from tests.tables import dealt, table_of

SCORE = HANABI.columns.index("score")


def mean_score(agents: list[CompiledAgent], games: int) -> float:
    played = play_compiled(Match.of(HANABI, agents, games, 0).prepared(), 0, np.arange(games))
    assert not played.failure
    return float(played.results[:, SCORE].mean())


def test_it_plays_better_than_its_teacher_at_two() -> None:
    """300 games of seed 0; the teacher has 20.8, and the interval of 300 games is ± 0.3."""
    assert mean_score([network] * 2, 300) > 21.2


def test_what_it_learned_at_two_holds_at_larger_tables() -> None:
    for players in (3, 4, 5):
        assert mean_score([network] * players, 40) > 17


def test_its_file_says_where_it_comes_from() -> None:
    assert isinstance(network.weights, NetworkWeights)
    about = json.loads(network.weights.about)
    assert about["command"].startswith("python examples/train_player.py --players 2 ")
    assert {"date", "score on fresh deals"} <= set(about)


def test_a_reason_says_how_sure_it_is_and_what_it_would_do_else() -> None:
    assert len(REASONS) < 255  # the last is that of a forbidden discard
    turns = list(table_of([network] * 2, dealt(2)).steps())
    reasons = [turn.decision.reason for turn in turns]
    assert all(sum(f"; {how};" in reason for how in HOW_SURE) == 1 for reason in reasons)
    assert all(reason.partition("next best: ")[2] in ELSE for reason in reasons)
    for turn, reason in zip(turns, reasons, strict=True):
        does = 0 if turn.decision.move < 5 else 1 if turn.decision.move < 10 else 2
        assert reason.startswith(("I play my card", "I discard my card", "I hint")[does])


def test_another_network_plays_by_its_file(tmp_path: Path) -> None:
    """One without hidden layers that likes the newest card best, to be played, at any size of hand."""
    path = tmp_path / "newest.npz"
    biases = np.zeros(SHAPE.outputs)
    biases[:5] = np.arange(1, 6)
    write_network(path, SHAPE, [(np.zeros((WIDTH, SHAPE.outputs)), biases)], "")
    agent = registry.agent(HANABI, f"network@{path}")
    assert isinstance(agent, CompiledAgent)
    for players, newest in ((2, 4), (5, 3)):
        turns = list(table_of([agent] * players, dealt(players)).steps())
        assert {turn.decision.move for turn in turns} == {newest}
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(KibitzError, match=r"newest\.npz is damaged"):
        registry.agent(HANABI, f"network@{path}")


def test_the_tables_to_learn_at_show_what_the_agent_sees() -> None:
    """Playing what the outputs for their inputs say comes to the games of the agent, move for move."""
    assert isinstance(network.weights, NetworkWeights)
    vector = network.weights.values
    hidden = int(vector[2])
    first = vector[4 : 4 + WIDTH * hidden].reshape(WIDTH, hidden)
    first_biases = vector[4 + WIDTH * hidden :][:hidden]
    rest = vector[4 + (WIDTH + 1) * hidden :]
    last, last_biases = rest[: hidden * SHAPE.outputs].reshape(hidden, -1), rest[hidden * SHAPE.outputs :]
    for players in (2, 4):
        tables = NetworkTables(6, players, seed=3, threads=2)
        scores = np.full(6, -1)
        while (scores < 0).any():
            looks = np.maximum(unpacked(tables.packed) @ first + first_biases, 0) @ last + last_biases
            likes = np.concatenate([looks[:, :, :10].mean(axis=1), looks[:, :, 10:20].reshape(6, -1)], axis=1)
            tables.step(np.where(tables.rows.legal, likes, -np.inf).argmax(axis=1))
            scores = np.where(scores < 0, tables.rows.scores, scores)
        played = play_compiled(Match.of(HANABI, [network] * players, 6, 3).prepared(), 0, np.arange(6))
        assert scores.tolist() == played.results[:, SCORE].tolist()


def test_a_teacher_at_the_tables_plays_its_own_games() -> None:
    tables = NetworkTables(5, 3, seed=4, teacher="trustful")
    scores = np.full(5, -1)
    while (scores < 0).any():
        tables.step(tables.rows.advice)
        scores = np.where(scores < 0, tables.rows.scores, scores)
    played = play_compiled(Match("hanabi", ("trustful",) * 3, 5, 4).prepared(), 0, np.arange(5))
    assert scores.tolist() == played.results[:, SCORE].tolist()
    illegal = (~tables.rows.legal).argmax(axis=1)
    with pytest.raises(KibitzError, match="takes a legal action for each of the 5 tables"):
        tables.step(illegal)


def test_hardly_any_input_is_idle() -> None:
    """Over some games most bits of the encoding are 1 at least once; some stand for what is rare."""
    seen = np.zeros(WIDTH, np.bool_)
    for players in (2, 5):
        tables = NetworkTables(64, players, seed=1, teacher="trustful")
        for _ in range(90):
            seen |= unpacked(tables.packed).any(axis=(0, 1))
            tables.step(tables.rows.advice)
    assert seen.mean() > 0.85
