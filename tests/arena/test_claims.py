"""What papers say in words, checked against tables."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from kibitz.arena import experiment
from kibitz.arena.claims import PlayedTable, judged, seats_named
from kibitz.arena.experiment import Claim
from kibitz.arena.statistics import Estimate
from kibitz.errors import KibitzError

DEALS = 400
LUCK = np.arange(DEALS) % 20  # the same for every table


def table(mean_above_luck: float, lost: int = 0) -> PlayedTable:
    """A table that differs from the others by a little noise of its own."""
    noise = np.where(np.arange(DEALS) % 3 == 0, 1.0, -0.5)
    return PlayedTable(LUCK + mean_above_luck + mean_above_luck * noise, lost)


TABLES = {
    ("weak",) * 3: table(0.0, lost=80),
    ("good",) * 3: table(1.0),
    ("best",) * 3: table(2.0),
    ("best", "weak"): table(0.5),
}


def verdicts(*checks: dict[str, object]) -> list[str]:
    claim = msgspec.convert({"text": "so they say", "checks": list(checks)}, Claim)
    return [finding.verdict for finding in judged(claim, TABLES).findings]


def difference(**bounds: float) -> dict[str, object]:
    return {"kind": "mean_difference", "of": "good × 3", "minus": "weak × 3", **bounds}


def test_a_difference_holds_fails_or_is_undecided_by_its_whole_interval() -> None:
    assert verdicts(difference(at_least=0.5)) == ["holds"]
    assert verdicts(difference(at_least=1.0)) == ["undecided"]
    assert verdicts(difference(at_least=1.5)) == ["does not hold"]
    assert verdicts(difference(at_most=1.5), difference(at_most=0.5)) == ["holds", "does not hold"]
    assert verdicts(difference(about=1.1, within=0.3), difference(about=2, within=0.3)) == ["holds", "does not hold"]


def test_luck_that_tables_share_cancels_out() -> None:
    claim = msgspec.convert({"text": "", "checks": [difference(at_least=0)]}, Claim)
    [interval] = judged(claim, TABLES).findings[0].estimates
    assert interval.high - interval.low < 0.2  # of scores that spread over 20 points


def test_differences_of_differences_can_be_said() -> None:
    gained_more = {"kind": "mean_difference", "of": ["best × 3", "weak × 3"], "minus": ["good × 3", "good × 3"]}
    assert verdicts({**gained_more, "about": 0, "within": 0.5}) == ["holds"]


def test_lost_games_are_counted_over_several_tables() -> None:
    lost = {"kind": "lost_share", "of": ["weak × 3", "good x 3"]}
    assert verdicts({**lost, "about": 0.1, "within": 0.05}) == ["holds"]
    assert verdicts({**lost, "at_most": 0.05}) == ["does not hold"]
    assert verdicts({"kind": "lost_share", "of": "best × 3", "at_most": 0.001}) == ["undecided"]


def test_a_share_of_nothing_is_not_certain() -> None:
    nothing = Estimate.share(0, 1000)
    assert (nothing.mean, nothing.low) == (0.0, 0.0)
    assert nothing.high == pytest.approx(0.0038, abs=1e-4)
    assert Estimate.share(852, 4000).low == pytest.approx(0.2006, abs=1e-3)


def test_a_mean_may_cover_several_tables() -> None:
    mean = {"kind": "mean", "of": ["weak × 3", "best × 3"]}
    assert verdicts({**mean, "about": 10.5, "within": 1}, {**mean, "at_most": 9}) == ["holds", "does not hold"]


def test_the_steadier_of_two_tables_has_the_smaller_deviation() -> None:
    steady = PlayedTable(np.where(LUCK < 10, 9.0, 10.0), 0)
    claim = {"kind": "deviation_difference", "of": "weak × 3", "minus": "steady × 2", "at_least": 4.5}
    finding = judged(msgspec.convert({"text": "", "checks": [claim]}, Claim), {**TABLES, ("steady",) * 2: steady})
    [interval] = finding.findings[0].estimates
    assert finding.verdict == "holds"
    assert interval.mean == pytest.approx(LUCK.std(ddof=1) - steady.scores.std(ddof=1), abs=0.01)


def test_the_share_of_games_with_some_scores_is_counted() -> None:
    high = {"kind": "score_share", "of": "weak × 3", "scores": [18, 25]}
    assert verdicts({**high, "about": 0.1, "within": 0.04}, {**high, "at_most": 0.05}) == ["holds", "does not hold"]
    never = {"kind": "score_share", "of": "weak × 3", "scores": [25, 25]}
    assert verdicts({**never, "at_most": 0.01}, {**never, "at_least": 0.00001}) == ["holds", "undecided"]


def test_an_extreme_is_compared_with_that_of_as_many_games() -> None:
    """One game in twenty has 19 points: nearly always one of 100 games, seldom one of 2."""
    best = {"kind": "extreme", "of": "weak × 3", "which": "highest"}
    assert verdicts({**best, "score": 19, "games": 100}, {**best, "score": 17, "games": 100}) == [
        "holds",
        "does not hold",
    ]
    assert verdicts({**best, "score": 17, "games": 2}) == ["holds"]
    worst = {"kind": "extreme", "of": ["weak × 3", "best, weak"], "which": "lowest", "games": 100}
    assert verdicts({**worst, "score": 0}, {**worst, "score": 5}) == ["holds", "does not hold"]


def test_the_commonest_score_leaves_out_lost_games() -> None:
    scores = np.repeat([0, 16, 17, 18, 20], [300, 40, 80, 200, 40])
    tables: dict[tuple[str, ...], PlayedTable] = {("a", "a"): PlayedTable(scores, 300)}

    def found(*limits: int) -> str:
        check = {"kind": "peak", "of": "a × 2", "scores": list(limits)}
        return judged(msgspec.convert({"text": "", "checks": [check]}, Claim), tables).verdict

    assert [found(18, 18), found(17, 18), found(16, 17)] == ["holds", "holds", "does not hold"]


def test_an_order_compares_neighbours_and_groups() -> None:
    assert verdicts({"kind": "order", "best_first": ["best × 3", "good × 3", "weak × 3"]}) == ["holds"]
    assert verdicts({"kind": "order", "best_first": ["good × 3", "best × 3"]}) == ["does not hold"]
    assert verdicts({"kind": "order", "best_first": ["best × 3", ["weak × 3", "good × 3"]]}) == ["holds"]


def test_a_claim_holds_if_all_of_it_does() -> None:
    def claim(*checks: dict[str, object]) -> str:
        return judged(msgspec.convert({"text": "", "checks": list(checks)}, Claim), TABLES).verdict

    holds, open_, fails = (difference(at_least=bound) for bound in (0.5, 1.0, 1.5))
    nobody: dict[str, object] = {"kind": "order", "best_first": ["best × 3", "nobody × 3"]}
    assert claim(holds, holds) == "holds"
    assert claim(holds, open_) == "undecided"
    assert claim(holds, nobody, open_) == "missing"
    assert claim(open_, fails, holds) == "does not hold"


def test_tables_are_named_as_they_are_printed() -> None:
    assert seats_named("cheater × 3") == seats_named("cheater x 3") == ("cheater",) * 3
    assert seats_named("cheater, erratic") == ("cheater", "erratic")


FILE = """
title = "Claims only"
source = "here"
game = "hanabi"
their_games = 1000
margin = 0.3
[self_play.cheater]
2 = { mean = 20.5 }
[[claims]]
text = "thinking helps"
checks = [{ kind = "order", best_first = ["smart_cheater × 2", "cheater × 2", "nobody_yet × 2"] }]
[[claims]]
text = "a lot"
checks = [{ kind = "mean_difference", of = "smart_cheater × 2", minus = "cheater × 2", at_least = 3 }]
"""


def test_tables_that_only_claims_speak_of_are_played_too(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(FILE)
    paper = experiment.read(str(path))
    rows = list(experiment.Run(paper, deals=500, seed=0, jobs=1).rows())
    assert [row.label for row in rows] == ["cheater × 2", "smart_cheater × 2", "nobody_yet × 2"]
    assert [row.verdict for row in rows] == ["agrees", "—", "missing: nobody_yet"]
    assert [claim.verdict for claim in experiment.claims(paper, rows)] == ["missing", "holds"]


@pytest.mark.parametrize(
    ("check", "why"),
    [
        ('{ kind = "mean_difference", of = "a × 2", minus = "b × 2" }', "at_least"),
        ('{ kind = "mean_difference", of = "a × 2", minus = "b × 2", about = 1 }', "go together"),
        ('{ kind = "lost_share", of = "alone", at_most = 1 }', "is not a table"),
        ('{ kind = "order", best_first = ["a × 2"] }', "two tables"),
        ('{ kind = "score_share", of = "a × 2", scores = [25, 0], at_most = 1 }', "lowest and the highest"),
        ('{ kind = "extreme", of = "a × 2", which = "highest", score = 1, games = 0 }', "at least one per table"),
        ('{ kind = "prettier", of = "a × 2" }', "Invalid value 'prettier'"),
    ],
)
def test_a_claim_that_cannot_be_checked_says_why(tmp_path: Path, check: str, why: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(FILE + f'[[claims]]\ntext = "x"\nchecks = [{check}]\n')
    with pytest.raises(KibitzError, match=why):
        experiment.read(str(path))


def test_the_generations_of_the_thesis_come_out_as_documented() -> None:
    """1,000 games a table of seed 0 decide all but the closest comparisons."""
    paper = experiment.read("hajdu-2020")
    rows = list(experiment.Run(paper, deals=1000, seed=0, jobs=2).rows())
    verdicts = {claim.text: claim.verdict for claim in experiment.claims(paper, rows)}
    assert "missing" not in verdicts.values()
    failing = [text for text, verdict in verdicts.items() if verdict == "does not hold"]
    assert failing == ["Compared with the first test run, v2 gains almost 1 point at 4 and 5 players"]
