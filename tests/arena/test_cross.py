"""Cross tables: who sits where, what a cell means, and nothing lost on the way."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena import charts
from kibitz.arena.cross import Cell, CellShape, Cross, CrossPlan, PieceSize, write_csv
from kibitz.arena.match import Match, play
from kibitz.arena.measured_cross import MeasuredCross, begin_cross
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError

AGENTS = ("iggi", "erratic", "cheater")
TOE = ("perfect", "random", "two_plies")


def planned(agents: tuple[str, ...] = AGENTS, players: int = 3, deals: int = 40, seed: int = 5) -> CrossPlan:
    return CrossPlan("hanabi", agents, players, deals, seed).prepared()


def finished(plan: CrossPlan, jobs: int = 1) -> Cross:
    cross = Cross(plan)
    assert len(list(cross.play(jobs))) == len(plan.pairs())
    return cross


def scores(*seats: str, deals: int = 40, seed: int = 5) -> np.ndarray:
    match = Match("hanabi", seats, deals, seed).prepared()
    return np.concatenate([match.game.scores(batch.results)[0] for batch in play(match)])


def test_the_diagonal_is_self_play() -> None:
    cell = finished(planned()).cells["iggi", "iggi"]
    alone = scores("iggi", "iggi", "iggi")
    assert cell.mean == alone.mean()
    assert cell.games == 40
    assert cell.stderr == pytest.approx(alone.std(ddof=1) / 40**0.5)


def test_elsewhere_the_row_takes_every_seat_among_copies_of_the_column() -> None:
    cell = finished(planned()).cells["iggi", "erratic"]
    one, two, three = (
        scores("iggi", "erratic", "erratic"),
        scores("erratic", "iggi", "erratic"),
        scores("erratic", "erratic", "iggi"),
    )
    by_deal = (one + two + three) / 3
    assert cell.games == 120
    assert cell.mean == pytest.approx(by_deal.mean())
    assert cell.stderr == pytest.approx(by_deal.std(ddof=1) / 40**0.5)
    low, high = cell.interval or (0, 0)
    assert high - low == pytest.approx(2 * 1.96 * by_deal.std(ddof=1) / 40**0.5, rel=1e-4)


def test_with_two_players_a_cell_is_its_mirror_image_and_is_played_once() -> None:
    plan = planned(players=2)
    assert len(plan.pairs()) == 6
    cross = finished(plan)
    there, back = cross.cells["iggi", "erratic"], cross.cells["erratic", "iggi"]
    assert (there.mean, there.stderr, there.games) == (back.mean, back.stderr, back.games)
    both = (scores("iggi", "erratic") + scores("erratic", "iggi")) / 2
    assert there.mean == pytest.approx(both.mean())


def test_the_table_does_not_depend_on_the_number_of_workers() -> None:
    assert finished(planned(), 1).cells == finished(planned(), 2).cells


def test_every_game_is_counted_for_the_bar() -> None:
    plan = planned()
    counted: list[int] = []
    list(Cross(plan).play(1, counted.append))
    assert sum(counted) == sum(plan.games_of(*pair) for pair in plan.pairs()) == 3 * 40 + 6 * 120


def test_an_agent_named_twice_is_seated_once() -> None:
    assert planned(("iggi", "erratic", "iggi")).agents == ("iggi", "erratic")


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (CrossPlan("hanabi", ("iggi",), 3, 1, 0), "two different agents"),
        (CrossPlan("hanabi", ("iggi", "iggi"), 3, 1, 0), "two different agents"),
        (CrossPlan("hanabi", ("iggi", "igi"), 3, 1, 0), "Did you mean iggi"),
        (CrossPlan("hanabi", ("iggi", "piers"), 6, 1, 0), "2 to 5 players"),
        (CrossPlan("hanabi", ("iggi", "piers"), 3, 1, 0, {"lost": "zero"}), "Did you mean lost_game"),
    ],
)
def test_a_table_that_cannot_be_played_is_refused_before_it_starts(plan: CrossPlan, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        plan.prepared()


def test_an_agent_that_fails_is_named_with_its_table(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("class Bot:\n    def decide(self, view):\n        raise ValueError('no idea')\n")
    cross = Cross(planned(("iggi", f"{tmp_path}/bot.py:Bot")))
    with pytest.raises(KibitzError, match=r"no idea.*sat at the table iggi, "):
        list(cross.play(1))
    assert ("iggi", "iggi") in cross.cells


# Files


def saved(path: Path, plan: CrossPlan, upto: int | None = None) -> tuple[int, Cross]:
    """Play a table in a run, or a few cells of it: how many cells an earlier command had played, and the table."""
    with begin_cross(plan, name=str(path.with_suffix(""))) as run:
        measured = MeasuredCross(plan, run)
        for number, _ in enumerate(measured.play(1), start=1):
            if number == upto:
                return len(measured.before), measured.cross
        measured.finish()
    write_csv(measured.cross, path)
    return len(measured.before), measured.cross


@pytest.mark.parametrize("players", [2, 3])
def test_a_killed_table_goes_on_with_the_cells_that_are_missing(tmp_path: Path, players: int) -> None:
    plan = planned(players=players)
    whole, killed = tmp_path / "1" / "whole.csv", tmp_path / "2" / "killed.csv"
    saved(whole, plan)
    saved(killed, plan, upto=3)
    [tail] = killed.with_suffix("").glob("*.tail")
    tail.write_bytes(tail.read_bytes()[:-9])  # the last piece was never finished
    kept, cross = saved(killed, plan)
    assert 2 <= kept < 9
    assert len(cross.cells) == 9
    assert killed.read_bytes() == whole.read_bytes()
    files = [
        {file.name: file.read_bytes() for file in path.with_suffix("").iterdir() if file.name != "lock"}
        for path in (killed, whole)
    ]
    assert files[0] == files[1]
    assert set(files[0]) == {"plan.json", "cells.parquet", "summary.json"}


def test_pieces_of_any_length_give_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(players=3)
    tables = []
    for most in (1 << 20, 7):
        monkeypatch.setattr(PieceSize, "most", most)
        monkeypatch.setattr(PieceSize, "at_first", min(most, 50))
        table = Cross(plan)
        list(table.play(2))
        tables.append(table.cells)
    assert tables[0] == tables[1]


def test_cells_of_another_table_are_not_mixed_in(tmp_path: Path) -> None:
    saved(tmp_path / "table.csv", planned(), upto=2)
    with pytest.raises(KibitzError, match=r"holds another run: seed is .* there and 6 here"):
        saved(tmp_path / "table.csv", planned(seed=6))


def test_the_file_has_a_row_for_each_cell_and_says_what_was_played(tmp_path: Path) -> None:
    _, cross = saved(tmp_path / "table.csv", planned())
    with (tmp_path / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["row"], row["column"]) for row in rows] == [(a, b) for a in AGENTS for b in AGENTS]
    assert {row["players"] for row in rows} == {"3"}
    assert "lost_game=piles" in rows[0]["rules"]
    for row in rows:
        cell = cross.cells[row["row"], row["column"]]
        assert float(row["mean"]) == cell.mean
        assert float(row["low"]) <= cell.mean <= float(row["high"])


# Pictures


def pretended(count: int, players: int = 4) -> Cross:
    agents = tuple(f"agent_{number}" for number in range(count))
    cross = Cross(CrossPlan("hanabi", agents, players, 1000, 0))
    for row, one in enumerate(agents):
        for column, other in enumerate(agents):
            cross.add(Cell(one, other, 1000, 25 * (row + column) / (2 * count), 0.05, 0))
    return cross


@pytest.mark.parametrize("count", [2, 20])
def test_the_heat_map_writes_every_figure_and_frames_self_play(count: int) -> None:
    figure = charts.heat_map(pretended(count))
    [axes, _] = figure.axes
    texts = [text.get_text() for text in axes.texts]
    assert sum(text.startswith("± ") for text in texts) == count**2
    assert len(axes.patches) == count
    assert {label.get_text() for label in axes.get_xticklabels()} == {f"agent_{number}" for number in range(count)}
    assert "4 players" in axes.get_title(loc="left")


def test_figures_stand_out_on_their_colours() -> None:
    assert charts.readable_on((0.0, 0.0, 0.3)) == "white"
    assert charts.readable_on((1.0, 1.0, 0.2)) == "black"


def test_the_same_table_gives_the_same_pictures(tmp_path: Path) -> None:
    for name in ("one", "two"):
        charts.save(charts.heat_map(pretended(3)), tmp_path / name)
    for ending in charts.ENDINGS:
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "one.svg").read_text()


def test_names_lose_their_folders_where_they_stay_different() -> None:
    assert charts.short_names(["a/one.toml", "b/two.toml"]) == ["one.toml", "two.toml"]
    assert charts.short_names(["a/one.toml", "b/one.toml"]) == ["a/one.toml", "b/one.toml"]


# Competitive games

NIM = ("any_taker", "thinker", "expert")


def contest(players: int = 2, deals: int = 30, agents: tuple[str, ...] = NIM, **more: Any) -> CrossPlan:
    return CrossPlan("nim", agents, players, deals, 4, **more).prepared()


def points(*seats: str, deals: int = 30) -> np.ndarray:
    """Of the seat named first, deal by deal, each begun once by everybody."""
    match = Match("nim", seats, deals, 4, mirror=True).prepared()
    winners = np.concatenate([batch.results[:, 0] - 1 for batch in play(match)])
    won = (winners + np.tile(np.arange(len(seats)), deals)) % len(seats) == 0
    return won.reshape(deals, -1).mean(axis=1)


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("players", [2, 3])
def test_a_cell_is_the_rows_share_of_mirrored_deals(players: int) -> None:
    plan = contest(players)
    cell = finished(plan).cells["any_taker", "thinker"]
    by_deal = points("any_taker", *["thinker"] * (players - 1))
    assert cell.games == plan.games_of("any_taker", "thinker") == 30 * players
    assert cell.mean == pytest.approx(by_deal.mean())
    assert cell.stderr == pytest.approx(by_deal.std(ddof=1) / 30**0.5)
    assert cell.wins + cell.draws + cell.lost == cell.games
    assert cell.wins == round(by_deal.sum() * players)


@pytest.mark.usefixtures("nim")
def test_nobody_plays_against_itself_and_a_mirror_image_is_the_rest() -> None:
    plan = contest()
    assert plan.pairs() == [("any_taker", "thinker"), ("any_taker", "expert"), ("thinker", "expert")]
    assert len(contest(3).pairs()) == 6
    cross = finished(plan)
    assert [cross.rows()[number][number] for number in range(3)] == [None] * 3
    there, back = cross.cells["thinker", "expert"], cross.cells["expert", "thinker"]
    assert back.mean == 1 - there.mean
    assert (back.wins, back.lost, back.draws) == (there.lost, there.wins, there.draws)
    assert back.slices == tuple(1 - mean for mean in there.slices)


@pytest.mark.usefixtures("nim")
def test_a_table_of_wins_has_ratings_with_the_best_first() -> None:
    table = finished(contest(deals=60)).as_json()
    assert table["ratings"][0]["agent"] == "expert"
    assert table["fair_share"] == 0.5
    assert len(table["cells"]) == 6
    assert set(table["cells"][0]) == {
        "row", "column", "games", "mean", "stderr", "interval", "wins", "draws", "lost",
    }  # fmt: skip


@pytest.mark.usefixtures("nim")
def test_only_tables_with_somebody_who_searches_get_the_budget() -> None:
    plan = contest(budget=Budget(iterations=3))
    assert [match.budget for match in plan.matches("any_taker", "expert")] == [None]
    assert [match.budget for match in plan.matches("any_taker", "thinker")] == [Budget(iterations=3)]
    assert finished(plan).cells["any_taker", "thinker"] != finished(contest()).cells["any_taker", "thinker"]
    with pytest.raises(KibitzError, match="none of any_taker, expert does"):
        contest(agents=("any_taker", "expert"), budget=Budget(iterations=3))


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("players", [2, 3])
def test_a_killed_table_of_wins_goes_on_with_the_same_figures(tmp_path: Path, players: int) -> None:
    plan = contest(players)
    whole, killed = tmp_path / "1" / "whole.csv", tmp_path / "2" / "killed.csv"
    _, expected = saved(whole, plan)
    saved(killed, plan, upto=1)
    kept, cross = saved(killed, plan)
    assert kept == 1
    assert killed.read_bytes() == whole.read_bytes()
    assert cross.as_json() == expected.as_json()


@pytest.mark.usefixtures("nim")
def test_the_heat_map_of_wins_shows_shares_and_ratings() -> None:
    figure = charts.heat_map(finished(contest()))
    axes, rated, _ = figure.axes
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("—") == 3
    assert sum(text.startswith("± ") for text in texts) == 6
    assert any("fair share is 50 %" in text for text in texts)
    assert len(rated.texts) == 3


def test_a_table_that_grows_plays_only_the_missing_cells_to_the_same_bytes(tmp_path: Path) -> None:
    old, new = (CrossPlan("tictactoe", names, 2, 20, 5).prepared() for names in (TOE[:2], TOE))
    saved(tmp_path / "1" / "old.csv", old)
    shared, cross = saved(tmp_path / "1" / "new.csv", new)
    assert (shared, len(cross.missing)) == (1, 0)
    assert saved(tmp_path / "2" / "new.csv", new)[0] == 0
    for name in ("new/cells.parquet", "new/summary.json", "new.csv"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    other = CrossPlan("tictactoe", TOE, 2, 20, 6).prepared()
    assert saved(tmp_path / "1" / "other.csv", other)[0] == 0


def test_a_cell_of_equal_deals_has_an_interval() -> None:
    shape = CellShape(100, 2, 2)
    won = shape.cell("a", "b", np.array([100, 400, 1600, 0, 200, 0, *[8] * 50]))
    assert (won.mean, won.stderr) == (1, 0)
    assert won.interval == pytest.approx((0.963, 1), abs=1e-3)
    assert won.mirrored(True).interval == pytest.approx((0, 0.037), abs=1e-3)
    assert won.error == pytest.approx(0.037, abs=1e-3)
    drawn = shape.cell("a", "b", np.array([100, 200, 400, 0, 0, 200, *[4] * 50]))
    assert drawn.interval == pytest.approx((0.4815, 0.5185), abs=1e-3)
