"""Papers' tables, played again."""

from pathlib import Path

import msgspec
import pytest

from kibitz.arena import experiment, report
from kibitz.arena.experiment import Figure, TableRow
from kibitz.arena.statistics import ScoreCounts, wilson
from kibitz.errors import KibitzError

SMALL = """
title = "Two rows"
source = "here"
game = "hanabi"
their_games = 1000
margin = 0.3

[self_play.cheater]
4 = { mean = 21.73, std = 2.07, perfect = 55 }

[[mixed]]
seats = ["cheater", "nobody_yet"]
mean = 20.0
std = 2.0
"""


def row(our_mean_times_100: int, their_mean: float) -> TableRow:
    tally = ScoreCounts(25)
    low, share = divmod(our_mean_times_100, 100)
    tally.counts[low], tally.counts[low + 1] = 1000 * (100 - share), 1000 * share
    return TableRow(("a", "a"), Figure(their_mean, 2.0), 1000, 0.3, ours=tally)


def test_rows_agree_within_sampling_error_then_within_the_margin_and_then_differ() -> None:
    assert row(2000, 20.1).verdict == "agrees"
    assert row(2000, 20.4).verdict == "agrees within 0.3"
    assert row(2000, 20.6).verdict == "ours is lower"
    assert row(2100, 20.4).verdict == "ours is higher"


def test_without_their_deviation_only_our_sampling_error_counts() -> None:
    ours = row(2000, 20.1)
    known = ours.difference.half_width
    ours.theirs = Figure(20.1)
    assert 0 <= ours.difference.half_width < known
    assert ours.verdict == "agrees within 0.3"


def test_an_agent_that_does_not_exist_is_listed_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    rows = list(experiment.Run(experiment.read(str(path)), deals=2000, seed=0, jobs=1).rows())
    assert [row.verdict for row in rows] == ["agrees", "missing: nobody_yet"]
    assert rows[0].label == "cheater × 4"


SHARED = """
title = "One figure for two tables"
source = "here"
game = "hanabi"
their_games = 100
[[mixed]]
seats = ["cheater", "erratic"]
or_seats = [["erratic", "erratic"]]
mean = 4
std = 2
[[claims]]
text = "cheating helps"
checks = [{ kind = "mean_difference", of = "cheater, erratic", minus = "erratic × 2", at_least = 0 }]
"""


def test_one_figure_for_two_tables_is_compared_with_the_mean_of_both(tmp_path: Path) -> None:
    path = tmp_path / "shared.toml"
    path.write_text(SHARED)
    paper = experiment.read(str(path))
    run = experiment.Run(paper, deals=200, seed=0, jobs=1)
    [found] = run.rows()
    assert run.games == 400
    assert found.label == "cheater, erratic and erratic × 2"
    means = [tally.mean for tally, _ in found.tables.values()]
    assert found.estimate.mean == pytest.approx(sum(means) / 2)
    assert found.std == pytest.approx(sum(tally.std for tally, _ in found.tables.values()) / 2)
    assert found.as_json()["tables"] == [["cheater", "erratic"], ["erratic", "erratic"]]
    [claim] = experiment.claims(paper, [found])
    assert claim.verdict == "holds"


RIVALS = """
title = "Programs"
source = "their pages"
game = "hanabi"
their_games = 0

[[rivals]]
program = "a better one"
agent = "cheater"
players = 4
mean = 24.9
perfect = 950
games = 1000

[[rivals]]
program = "a worse one"
agent = "cheater"
players = 4
mean = 12.5

[[rivals]]
program = "a better one"
agent = "nobody_yet"
players = 2
mean = 24.0
"""


def test_a_rival_stands_beside_an_agent_and_is_not_said_to_disagree(tmp_path: Path) -> None:
    path = tmp_path / "rivals.toml"
    path.write_text(RIVALS)
    run = experiment.Run(experiment.read(str(path)), deals=300, seed=0, jobs=1)
    rows = list(run.rows())
    assert [row.verdict for row in rows] == ["ours is lower", "ours is higher", "missing: nobody_yet"]
    assert [row.label for row in rows[:2]] == ["cheater × 4 beside a better one", "cheater × 4 beside a worse one"]
    assert not any(row.differs for row in rows)
    assert rows[0].ours is rows[1].ours, "a table is played once for all who are beside it"
    assert run.games == 300
    assert rows[0].as_json()["rival"] == "a better one"


def test_an_interval_that_a_rival_prints_counts_in_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "rivals.toml"
    path.write_text(RIVALS.replace("mean = 12.5", "mean = 12.5\nhalf_width = 3.0"))
    paper = experiment.read(str(path))
    rows = list(experiment.Run(paper, deals=100, seed=0, jobs=1).rows())
    assert rows[1].ours is not None
    assert rows[1].difference.half_width == pytest.approx((3.0**2 + rows[1].ours.estimate.half_width ** 2) ** 0.5)
    assert [report.cells(row)[1] for row in rows[:2]] == ["24.900", "12.500 ± 3.000"]


def test_the_share_of_perfect_games_has_its_interval(tmp_path: Path) -> None:
    path = tmp_path / "rivals.toml"
    path.write_text(RIVALS)
    row, *_ = experiment.Run(experiment.read(str(path)), deals=100, seed=0, jobs=1).rows()
    assert row.ours is not None
    share = 100 * row.ours.perfect_share
    assert row.ours.perfect_share.interval == wilson(row.ours.perfect, 100)
    assert report.cells(row)[-1] == f"95.0 ± 1.4 → {share.mean:.1f} ± {share.half_width:.1f}"


def test_a_row_that_takes_long_has_fewer_deals_and_a_file_says_how_many_and_which(tmp_path: Path) -> None:
    path = tmp_path / "rivals.toml"
    searching = 'agent = "search@5"\nplayers = 2\nmean = 24.0\nmost = 2'
    path.write_text(f'games = 30\nseed = 5\n{RIVALS}\n[[rivals]]\nprogram = "one more"\n{searching}\n')
    paper = experiment.read(str(path))
    run = experiment.Run(paper, paper.games, paper.seed, jobs=1)
    assert [row.ours.games for row in run.rows() if row.ours] == [30, 30, 2]
    assert (run.games, run.seed) == (32, 5)


FIVE = {"cheater", "smart_cheater", "erratic", "stopped_clock", "simple_distrustful"}


def test_the_five_agents_reproduce_their_table() -> None:
    """2,000 games a row of seed 0: the difference stays within sampling error plus 0.3 points."""
    paper = experiment.read("jarzabek-leja-2020")
    paper.self_play = {agent: by for agent, by in paper.self_play.items() if agent in FIVE}
    paper.mixed, paper.claims = [], []
    rows = list(experiment.Run(paper, deals=2000, seed=0, jobs=2).rows())
    assert len(rows) == 20
    assert [row.verdict for row in rows if not row.verdict.startswith("agrees")] == []


@pytest.mark.parametrize("name", experiment.names())
def test_where_ours_differs_the_experiment_says_why(name: str) -> None:
    """1,000 games a row of seed 0. Rivals and tables of claims have nothing to reach, so they are not played."""
    paper = msgspec.structs.replace(experiment.read(name), rivals=[], claims=[])
    rows = experiment.Run(paper, deals=1000, seed=0, jobs=2).rows()
    assert [row.label for row in rows if row.differs and not paper.notes.keys() & set(row.seats)] == []


def test_every_experiment_of_ours_can_be_read() -> None:
    assert "jarzabek-leja-2020" in experiment.names()
    for name in experiment.names():
        assert experiment.read(name).length > 0


def test_a_file_that_is_no_experiment_says_why(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    for text, why in (("= 3", "Invalid"), ('title = "x"', "missing required field"), (SMALL + "[x]\ny = 1", "unknown")):
        path.write_text(text)
        with pytest.raises(KibitzError, match=why):
            experiment.read(str(path))
