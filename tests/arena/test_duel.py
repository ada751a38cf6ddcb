"""Duels end when the better player is known, the same on any number of workers and after any interruption."""

import json
from pathlib import Path

import numpy as np
import pytest

import kibitz as kibitz_api
from kibitz.arena.duel import DuelPlan, MeasuredDuel, begin_duel, by_ratio, evidence
from kibitz.arena.match import Match
from kibitz.arena.measure import MatchScores, MeasuredMatch, begin_match
from kibitz.errors import KibitzError
from tests.cli.conftest import Kibitz, helped, kibitz

__all__ = ["kibitz"]

HANABI = DuelPlan("hanabi", ("piers", "internal"), 3, margin=0.5)
TOE = DuelPlan("tictactoe", ("two_plies", "random"), 2)


def played(plan: DuelPlan, jobs: int = 1) -> MeasuredDuel:
    duel = MeasuredDuel(plan.prepared())
    for _ in duel.play(jobs):
        pass
    return duel


@pytest.mark.parametrize("plan", [HANABI, TOE], ids=["cooperative", "competitive"])
def test_the_better_player_wins_from_either_side_on_any_number_of_workers(plan: DuelPlan) -> None:
    duel, wide = played(plan), played(plan, 2)
    assert duel.look.verdict == "A"
    assert duel.as_json() == wide.as_json()
    other = played(DuelPlan(plan.game_name, (plan.agents[1], plan.agents[0]), plan.players, margin=plan.margin))
    assert other.look.verdict == "B"
    assert other.look.games == duel.look.games
    assert other.look.difference == pytest.approx(-duel.look.difference)


def test_a_deal_counts_the_difference_of_two_matches_with_the_same_deals() -> None:
    duel = played(DuelPlan("hanabi", ("piers", "internal"), 3, most_games=20))
    means = []
    for name in ("piers", "internal"):
        match = MeasuredMatch(Match("hanabi", (name,) * 3, duel.look.deals, 0).prepared())
        for _ in match.play(1):
            pass
        assert isinstance(match.measure, MatchScores)
        means.append(match.measure.tally.mean)
    assert duel.means == pytest.approx(means)
    assert duel.look.difference == pytest.approx(means[0] - means[1])


def test_equals_are_equal_and_too_few_games_leave_it_open() -> None:
    assert played(DuelPlan("tictactoe", ("random", "two_plies"), 2, most_games=4)).look.verdict == "undecided"
    counts = np.array([100, 0, 500, 0, 100])
    assert list(map(bool, by_ratio(*evidence(counts, TOE.values, 0.1), 0.05))) == [False, False, True]


def test_a_killed_duel_resumes_to_the_same_bytes(runs: Path) -> None:
    plan = HANABI.prepared()
    folders = []
    for broken in (False, True):
        with begin_duel(plan, name=f"run-{broken}") as run:
            duel = MeasuredDuel(plan, run)
            for number, _ in enumerate(duel.play(1)):
                if broken and number == 5:
                    break
            else:
                duel.finish()
        if broken:
            with begin_duel(plan, name="run-True") as run:
                duel = MeasuredDuel(plan, run)
                assert duel.games_before == 12
                for _ in duel.play(1):
                    pass
                duel.finish()
        files = {file.name: file.read_bytes() for file in run.place.iterdir() if file.name not in ("plan.json", "lock")}
        folders.append(files)
    assert folders[0] == folders[1]
    with pytest.raises(KibitzError, match="is finished"):
        begin_duel(plan, name="run-True")


def test_the_command_prints_what_scripts_need(kibitz: Kibitz) -> None:
    words = ("duel", "hanabi", "piers", "internal", "--players", "3", "--margin", "0.5", "--jobs", "1")
    code, out, _ = kibitz(*words, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["verdict"] == "A"
    assert found["interval"][0] > 0
    assert found["interval"][0] < found["difference"] < found["interval"][1]
    assert found["games"] == 2 * sum(each["deals"] for each in found["differences"])
    assert json.loads(kibitz("runs", "--json")[1])[0]["command"] == "duel"
    assert "A: piers is better" in kibitz(*words)[1]
    assert "undecided; about" in kibitz(*words, "--max-games", "20")[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("piers piers", "needs two different agents"),
        ("piers internal --alpha 0.7", "must lie between 0 and 0.5"),
        ("piers internal --margin 0", "must lie between 0 and 25"),
        ("piers nobody", "nobody"),
    ],
)
def test_wrong_input_is_answered_with_a_sentence(kibitz: Kibitz, words: str, sentence: str) -> None:
    helped(kibitz, f"duel hanabi {words}", sentence)


def test_a_match_ends_when_its_mean_is_known(kibitz: Kibitz) -> None:
    match = Match("hanabi", ("piers",) * 3, 5000, 0).prepared()
    found = []
    for jobs in (1, 2):
        measured = MeasuredMatch(match, until=0.3)
        for _ in measured.play(jobs):
            pass
        found.append(measured.as_json())
    assert found[0] == found[1]
    assert found[0]["half_width"] <= 0.3
    assert found[0]["games"] < 1000
    code, out, _ = kibitz("match", "hanabi", "piers", "--players", "3", "--until", "0.3", "--jobs", "1")
    assert code == 0
    assert f"{found[0]['games']} games" in out
    assert "valid at any time" in out
    helped(kibitz, "match hanabi piers --players 3 --until -1", "must be a width above 0")


@pytest.mark.usefixtures("runs")
def test_a_stopped_match_until_its_mean_is_known_resumes_to_the_same_end() -> None:
    match = Match("tictactoe", ("two_plies", "random"), 2000, 0, mirror=True).prepared()
    ends = []
    for broken in (False, True):
        for _ in range(1 + broken):
            with begin_match(match, "statistics", 0.1, name=f"run-{broken}", restart=not broken) as run:
                measured = MeasuredMatch(match, run, until=0.1)
                for number, _ in enumerate(measured.play(1)):
                    if broken and not measured.before and number == 2:
                        break
                else:
                    measured.finish()
        ends.append((run.place / "summary.json").read_bytes())
    assert ends[0] == ends[1]


def test_a_program_gets_a_result_that_a_notebook_shows() -> None:
    def first_move(view: "kibitz_api.View") -> object:
        return view.legal[0]

    result = kibitz_api.duel("tictactoe", "two_plies", first_move, alpha=0.1, progress=False)
    assert result.verdict == "A"
    assert result.interval is not None
    assert result.frame["games"].to_list()[-1] == result.games == result.as_dict()["games"]
    assert result.means[0] - result.means[1] == pytest.approx(result.difference)
    assert "two_plies" in result._repr_html_()
    assert str(result).startswith("Tic-Tac-Toe, 2 players")
