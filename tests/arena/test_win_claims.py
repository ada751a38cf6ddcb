"""Claims of papers about the winner, the turn and the way games are won."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from kibitz.arena import experiment
from kibitz.arena.claims import judged
from kibitz.arena.experiment import Claim, PairingRow
from kibitz.arena.match import Match
from kibitz.arena.standings import Standings, Sums
from kibitz.errors import KibitzError

SEATS = ("greedy", "random")


def standings(first: int, second: int, draws: int) -> Standings:
    """Wins of each in turn 1, by the Guard and by the Baron, and draws in turn 10."""
    measured = Standings(Match("loveletter", SEATS, first + second + draws, 0))
    measured.began[0] = first + second + draws
    measured.won[0], measured.drawn[0] = (first, second), draws
    measured.counts["ends"][:, 0, 0] = first, second, 0
    measured.counts["ends"][2, 9, 0] = draws
    measured.counts["decisive"][0, 0, 0], measured.counts["decisive"][1, 0, 1] = first, second
    return measured


def verdict(check: dict[str, Any], measured: Standings) -> str:
    claim = msgspec.convert({"text": "", "checks": [check]}, Claim, strict=False)
    return judged(claim, {SEATS: measured}).verdict


def leads(**bounds: Any) -> dict[str, Any]:
    return {"kind": "lead", "of": "greedy, random", **bounds}


def test_a_lead_holds_if_its_whole_interval_lies_where_they_say() -> None:
    assert verdict(leads(at_least=0), standings(600, 400, 0)) == "holds"
    assert verdict(leads(at_least=0), standings(510, 490, 0)) == "undecided"
    assert verdict(leads(at_least=0), standings(400, 600, 0)) == "does not hold"
    assert verdict(leads(at_most=10), standings(600, 400, 0)) == "does not hold"


def test_a_lead_can_be_that_of_some_turns() -> None:
    assert verdict(leads(at_least=0, turns=[1, 8]), standings(600, 400, 100)) == "holds"
    assert verdict(leads(at_least=0, turns=[9, 10]), standings(600, 400, 100)) == "holds"
    assert verdict(leads(at_least=1, turns=[9, 10]), standings(600, 400, 100)) == "does not hold"


def test_a_portion_is_of_turns_or_of_kinds() -> None:
    early = {"kind": "portion", "of": "greedy, random", "count": "ends", "turns": [1, 3]}
    guard = {"kind": "portion", "of": "greedy, random", "count": "decisive", "kinds": ["Guard"]}
    assert verdict({**early, "at_least": 0.8}, standings(600, 300, 100)) == "holds"
    assert verdict({**early, "at_least": 0.95}, standings(600, 300, 100)) == "does not hold"
    assert verdict({**guard, "about": 0.667, "within": 0.05}, standings(600, 300, 100)) == "holds"


def test_the_papers_pairings_are_played_and_its_claims_judged() -> None:
    paper = experiment.read("malarczyk-2016")
    paper.pairings = paper.pairings[:3]
    rows = list(experiment.Run(paper, deals=20_000, seed=0, jobs=2).played())
    assert [row.label for row in rows] == ["random × 2", "greedy, random", "minimax, random"]
    assert all(isinstance(row, PairingRow) and row.ours is not None and row.ours.games == 20_000 for row in rows)
    verdicts = {claim.text.split()[0]: claim.verdict for claim in experiment.claims(paper, rows)[:2]}
    assert verdicts == {"Between": "holds", "Greedy": "holds"}


def test_a_pairing_with_a_player_that_does_not_exist_is_listed_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(
        'title = "x"\nsource = "y"\ngame = "loveletter"\ntheir_games = 1\n[[pairings]]\nseats = ["greedy", "nobody"]\n'
    )
    (row,) = experiment.Run(experiment.read(str(path)), deals=10, seed=0, jobs=1).played()
    assert row.verdict == "missing: nobody"


def test_a_pairing_stops_at_its_most_deals() -> None:
    paper = experiment.read("malarczyk-2016")
    paper.pairings = [experiment.Pairing(["greedy", "random"], most=7)]
    (row,) = experiment.Run(paper, deals=2000, seed=0, jobs=1).played()
    assert isinstance(row, PairingRow)
    assert row.ours
    assert row.ours.games == 7
    assert np.sum(row.ours.wins) + row.ours.draws == 7


def test_a_lead_over_mirrored_deals_is_one_in_tricks_and_counts_the_deals() -> None:
    """Rules of thumb against random cards at duplicate bridge, written as an experiment may name its players."""
    seats = ["heuristic", "random", "heuristic", "random"]
    checks = [{"kind": "lead", "of": ", ".join(seats), "by": by, "at_least": 0} for by in ("tricks", "points", "")]
    paper = msgspec.convert(
        {
            "title": "x", "source": "y", "game": "bridge", "pairings": [{"seats": seats, "mirror": True, "most": 60}],
            "claims": [{"text": "z", "checks": checks}],
        },
        experiment.Experiment,
    )  # fmt: skip
    run = experiment.Run(paper, deals=1000, seed=0, jobs=1)
    (row,) = run.played()
    assert isinstance(row, PairingRow)
    assert row.ours is not None
    assert (run.games, row.ours.games, row.ours.deals) == (120, 120, 60)
    mean, lead = row.ours.mean_gain("tricks", 0).mean, row.ours.lead("tricks", 0)
    assert sum(row.ours.mean_gain("tricks", seat).mean for seat in (0, 1)) == pytest.approx(13)
    assert lead.mean == pytest.approx(2 * mean - 13)
    assert row.ours.mean_gain("tricks", 2).mean == mean  # partners take them together
    (claim,) = experiment.claims(paper, [row])
    assert claim.verdict == "holds"
    assert claim.findings[0].ours == f"{lead.mean:+.2f} ± {lead.half_width:.2f} tricks per game"
    with pytest.raises(KibitzError, match=r"'honours'"):
        judged(msgspec.convert({"text": "", "checks": [{**checks[0], "by": "honours"}]}, Claim), {row.seats: row.ours})


def test_winning_every_deal_leaves_it_open_how_often_that_is_so() -> None:
    match = Match("loveletter", SEATS, 6, 0, mirror=True)
    measured = Standings(match)
    for _ in range(6):
        measured.ahead.setdefault("wins", Sums(2)).add(np.array([[2, -2]]))
        measured._wins.add(np.array([[2, 0]]))
    assert verdict(leads(at_least=0), measured) == "holds"
    assert verdict(leads(at_least=60), measured) == "undecided"


def test_a_claim_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(
        'title = "x"\nsource = "y"\ngame = "loveletter"\ntheir_games = 1\n[[claims]]\ntext = "z"\n'
        '[[claims.checks]]\nkind = "lead"\nof = "greedy"\nat_least = 0\n'
    )
    with pytest.raises(KibitzError, match="is not a table"):
        experiment.read(str(path))


def test_a_share_can_be_that_of_one_agent_and_less_another_share() -> None:
    measured = standings(600, 400, 0)
    measured.counts["guesses"][0, 0, :2], measured.counts["guesses"][1, 0, :2] = (90, 10), (20, 80)
    share: dict[str, Any] = {"kind": "portion", "of": "greedy, random", "count": "guesses", "kinds": ["Priest"]}
    assert verdict({**share, "by": "greedy", "at_least": 0.8}, measured) == "holds"
    assert verdict({**share, "by": "random", "at_most": 0.3}, measured) == "holds"
    assert verdict({**share, "about": 0.55, "within": 0.1}, measured) == "holds"
    less = {**share, "by": "greedy", "minus": "greedy, random", "minus_by": "random"}
    assert verdict({**less, "at_least": 0.5}, measured) == "holds"
    assert verdict({**less, "at_most": 0.5}, measured) == "does not hold"
    measured.counts["guesses"][:] = 0
    assert verdict({**share, "by": "greedy", "at_least": 0.8}, measured) == "undecided"


def test_an_agent_that_does_not_sit_there_has_no_share() -> None:
    share = {"kind": "portion", "of": "greedy, random", "count": "guesses", "kinds": ["Priest"], "at_least": 0.5}
    with pytest.raises(msgspec.ValidationError, match="'minimax' does not sit in every pairing of its share"):
        verdict({**share, "by": "minimax"}, standings(1, 1, 0))
    with pytest.raises(msgspec.ValidationError, match="`minus_by` needs `minus`"):
        verdict({**share, "minus_by": "greedy"}, standings(1, 1, 0))
