"""`kibitz.match` and `kibitz.cross` measure what the commands measure, with any agent of a program."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry


class Leftmost:
    """Takes the coin at the left."""

    games = 0

    def __init__(self) -> None:
        self.turns = 0

    def decide(self, view: kibitz.View) -> tuple[str, str]:
        self.turns += 1
        assert self.turns <= 6  # a new instance in every seat of every game
        return "left", "it is the nearest"


def test_a_match_plays_the_games_of_the_command() -> None:
    match = Match("hanabi", ("piers", "outer"), 20, 3).prepared()
    result = kibitz.match("hanabi", ["piers", "outer"], games=20, seed=3)
    assert result.scores.tolist() == play_compiled(match, 0, range(20)).results[:, 0].tolist()
    assert result.mean == result.scores.mean()
    assert result.interval is not None
    assert result.interval[0] < result.mean < result.interval[1]
    assert result.frame["score"].to_list() == result.scores.tolist()
    assert result.games == len(result.frame) == 20


def test_the_number_of_workers_does_not_change_the_result() -> None:
    one, three = (kibitz.match("coins", ["greedy", "random"], games=700, jobs=jobs).frame for jobs in (1, 3))
    assert one.equals(three)


def test_shares_belong_to_agents_wherever_they_sit() -> None:
    result = kibitz.match("coins", ["greedy", "random"], games=30, mirror=True)
    assert result.games == 60
    assert sum(result.wins) + result.draws >= 60  # shared wins count for each
    assert result.mean == result.shares[0].mean > 0.5
    assert sum(share.mean for share in result.shares) == pytest.approx(1)


def test_partners_have_the_share_of_their_side() -> None:
    result = kibitz.match("bridge", ["heuristic", "random"], games=10)
    ours, theirs = result.shares[:2]
    assert result.shares == (ours, theirs) * 2
    assert ours.mean + theirs.mean == pytest.approx(1)
    assert ours.mean == pytest.approx(result.wins[0] / result.games + result.draws / result.games / 2)


def test_functions_classes_and_instances_are_agents() -> None:
    def left(view: kibitz.View) -> Any:
        return view.legal[0]

    named: list[Any] = [left, Leftmost, Leftmost(), kibitz.agent("coins", left, name="again")]
    results = [kibitz.match("coins", [agent, "greedy"], games=5) for agent in named]
    assert [result.agents[0] for result in results] == ["left", "Leftmost", "Leftmost", "again"]
    assert len({result.frame.write_csv() for result in results}) == 1


def test_a_function_sees_what_its_seat_sees() -> None:
    seen: list[kibitz.View] = []

    def curious(view: kibitz.View) -> Any:
        seen.append(view)
        return view.legal[0]

    kibitz.match("hanabi", [curious, "piers"], games=1)
    assert all(card.kind is None for view in seen for card in view.hand)  # type: ignore[attr-defined]
    assert {int(view.struct["seat"]) for view in seen} == {0}


def test_two_functions_of_one_name_are_refused() -> None:
    def greedy(view: kibitz.View) -> Any:
        return view.legal[0]

    with pytest.raises(kibitz.ArgumentError, match="Two agents are called <lambda>"):
        kibitz.cross("coins", [lambda view: view.legal[0], lambda view: view.legal[-1]])
    with pytest.raises(kibitz.ArgumentError, match="Two agents are called greedy"):
        kibitz.cross("coins", ["greedy", greedy])


def test_a_failing_function_is_named_with_its_seat_turn_and_line() -> None:
    def divides(view: kibitz.View) -> Any:
        return 1 // 0

    with pytest.raises(kibitz.AgentError, match=r"divides at seat G1, turn 1, failed .* ZeroDivisionError.*line \d+"):
        kibitz.match("coins", [divides, "random"], games=3)


def test_ctrl_c_stops_a_function() -> None:
    calls: list[int] = []

    def interrupted(view: kibitz.View) -> Any:
        calls.append(1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kibitz.match("coins", [interrupted, "random"], games=3)
    assert len(calls) == 1


def test_records_are_kept_on_request_and_replay_to_the_results() -> None:
    result = kibitz.match("coins", ["greedy", lambda view: view.legal[0]], games=4, records=True)
    assert [record.result for record in result.records] == [record.replay().result() for record in result.records]
    assert [record.seats for record in result.records] == [["greedy", "<lambda>"]] * 4
    with pytest.raises(kibitz.UnsupportedError, match="records=True"):
        kibitz.match("coins", "greedy", games=2).records  # noqa: B018


def test_a_saved_match_is_a_file_for_the_commands(tmp_path: Path) -> None:
    result = kibitz.match("coins", "greedy", games=4, jobs=1, save=tmp_path / "games.json")
    read = list(kibitz.records(tmp_path / "games.json"))
    assert read == result.records


def test_a_cross_table_has_the_mean_of_every_pair() -> None:
    cross = kibitz.cross("hanabi", ["piers", "outer"], players=2, games=20, seed=1)
    alone = kibitz.match("hanabi", "piers", players=2, games=20, seed=1)
    assert cross["piers", "piers"].mean == alone.mean == cross.matrix[0, 0]
    assert cross.frame.height == 4
    assert cross["piers", "outer"].mean == cross["outer", "piers"].mean


def test_a_competitive_cross_table_has_ratings_and_no_diagonal() -> None:
    cross = kibitz.cross("coins", ["greedy", "random", lambda view: view.legal[0]], games=30)
    assert np.isnan(np.diag(cross.matrix)).all()
    assert max(cross.ratings, key=lambda name: cross.ratings[name].mean) == "greedy"
    with pytest.raises(kibitz.ArgumentError, match="does not play against itself"):
        cross["greedy", "greedy"]
    with pytest.raises(kibitz.UnknownNameError, match="Did you mean greedy"):
        cross["greddy", "random"]


def test_results_print_and_show_their_figures(tmp_path: Path) -> None:
    result = kibitz.match("hanabi", "piers", players=2, games=10)
    assert f"{result.mean:.3f}" in str(result)
    assert "10 games" in repr(result)
    assert f"{result.mean:.3f}" in result._repr_html_()
    cross = kibitz.cross("coins", ["greedy", "random", kibitz.agent("coins", Leftmost, name="<b>")], games=5)
    assert "&lt;b&gt;" in cross._repr_html_()
    assert len(str(cross).splitlines()) == 5
    assert (cross._repr_svg_() or "").lstrip().startswith("<?xml")
    assert cross.save(tmp_path / "cross.csv").read_text().count("\n") == 7


def test_lists_print_as_tables() -> None:
    listed = kibitz.agents("hanabi")
    [cheater] = [line for line in repr(listed).splitlines() if line.startswith("cheater ")]
    assert "cheats" in cheater
    assert len(repr(kibitz.games()).splitlines()) == len(registry.games()) + 1
    assert "<td" in listed._repr_html_()
