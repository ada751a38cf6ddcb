"""The types that a type checker sees in a user's script; `make lint` checks them."""

from pathlib import Path
from typing import assert_type

import kibitz


def test_a_script_is_typed(tmp_path: Path) -> None:
    result = kibitz.match("tictactoe", ["perfect", lambda view: view.legal[0]], games=2, records=True)
    assert_type(result, kibitz.MatchResult)
    assert_type(result.mean, float)
    assert_type(result.interval, tuple[float, float] | None)
    assert_type(result.shares, tuple[kibitz.Estimate, ...])
    assert_type(kibitz.save(result.records, tmp_path / "games.jsonl"), Path)
    for record in kibitz.records(tmp_path / "games.jsonl"):
        assert_type(record, kibitz.Record)
        assert_type(kibitz.replay(record), kibitz.Table)
    cross = kibitz.cross("tictactoe", ["perfect", "random"], games=2)
    assert_type(cross, kibitz.CrossResult)
    assert_type(cross["perfect", "random"], kibitz.Estimate)
    table = kibitz.table("tictactoe", ["perfect", None])
    assert_type(table, kibitz.Table)
    for turn in table:
        assert_type(turn, kibitz.Turn)
        assert_type(turn.view, kibitz.View | None)
        assert_type(turn.reason, str)
    assert_type(table.view(0), kibitz.View)
    assert_type([game.name for game in kibitz.games()], list[str])
    assert_type([agent.title for agent in kibitz.agents("tictactoe")], list[str])
    assert_type(kibitz.agent("tictactoe", "perfect"), kibitz.Agent)
