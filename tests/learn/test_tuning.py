"""Tuning: the same deals for all, weak trials stopped, holdout deals at the end, the same result however it is run."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.errors import KibitzError
from kibitz.learn.paired_deals import Objective, derived_seed, paired
from kibitz.learn.tuning import Tuning, stages, stopped, tunable
from tests.learn.studies import SPOILT, hanabi, judged, study, trials_of, tried


def test_a_study_finds_weights_that_gain_on_fresh_deals(tmp_path: Path) -> None:
    tuning = tried(study(tmp_path / "a.study", deals=400), 60)
    verdict = judged(tuning)
    assert verdict.difference.low > 0.5  # points; the start was spoilt
    assert verdict.changed
    assert verdict.deals == 400


def test_the_gain_is_what_a_match_of_the_fresh_deals_says(tmp_path: Path) -> None:
    tuning = tried(study(tmp_path / "a.study"), 20)
    verdict = judged(tuning)
    objective = tuning.objective
    ours = objective.play(tuning.with_weights(verdict.weights), verdict.seed, 0, verdict.deals)
    theirs = objective.play(tuning.agent, verdict.seed, 0, verdict.deals)
    assert verdict.gain == pytest.approx((ours - theirs).mean())
    assert verdict.mean == pytest.approx(ours.mean())


def test_the_first_trial_is_the_agent_as_it_is(tmp_path: Path) -> None:
    tuning = study(tmp_path / "a.study")
    [first] = tuning.study.trials
    assert first.params == tuning.agent.weights.by_name()
    assert first.value == 0


def test_weak_trials_are_stopped_and_the_best_never_is(tmp_path: Path) -> None:
    tuning = tried(study(tmp_path / "a.study", agent="distrustful", deals=800, sampler="random"), 12)
    weak = [trial for trial in tuning.study.trials if stopped(trial)]
    assert weak
    for trial in weak:
        assert max(trial.intermediate_values) < 800
        assert list(trial.intermediate_values) == stages(800)[: len(trial.intermediate_values)]
    assert not stopped(tuning.best)


def test_every_stage_doubles_the_deals() -> None:
    assert stages(16_000) == [2_000, 4_000, 8_000, 16_000]
    assert all(2 * less == more for less, more in pairwise(stages(400)))
    assert stages(30) == [30]


@pytest.mark.parametrize("sampler", ["cmaes", "tpe", "gp"])
def test_the_same_seed_gives_the_same_weights_on_any_number_of_workers_and_after_a_break(
    tmp_path: Path, sampler: str
) -> None:
    whole = tried(study(tmp_path / "whole.study", sampler=sampler), 30)
    tried(study(tmp_path / "broken.study", sampler=sampler, jobs=2), 17)
    broken = tried(study(tmp_path / "broken.study", sampler=sampler, jobs=2), 30)
    assert trials_of(whole) == trials_of(broken)
    if sampler != "tpe":
        assert judged(whole).weights == judged(broken).weights


def test_another_seed_is_another_study(tmp_path: Path) -> None:
    one, other = (tried(study(tmp_path / f"{seed}.study", seed=seed), 2) for seed in (1, 2))
    assert trials_of(one)[1] != trials_of(other)[1]


@pytest.mark.parametrize("sampler", ["cmaes", "tpe", "gp", "random"])
def test_every_sampler_stays_within_the_ranges(tmp_path: Path, sampler: str) -> None:
    tuning = tried(study(tmp_path / "a.study", deals=50, sampler=sampler), 25)
    for trial in tuning.study.trials:
        for name, value in trial.params.items():
            low, high = tuning.plan.ranges[name]
            assert low <= value <= high


def test_only_the_weights_that_are_named_change(tmp_path: Path) -> None:
    tuning = tried(study(tmp_path / "a.study", deals=50, only=("good_tip", "discard_tip.bar")), 5)
    tuned = {"good_tip.bar", "good_tip.second_mark", "discard_tip.bar"}
    assert set(tuning.plan.start) == tuned
    verdict = judged(tuning)
    own = tuning.agent.weights.by_name()
    assert {name for name, value in verdict.weights.items() if value != own[name]} <= tuned


def test_deals_that_judge_are_not_those_of_the_trials_nor_those_of_a_match() -> None:
    seeds = {derived_seed(0, purpose, 10) for purpose in ("trials", "finals", "fresh")}
    assert len(seeds | {0}) == 4


def test_a_paired_test_sees_what_means_do_not() -> None:
    luck = np.random.default_rng(1).normal(0, 3, 400)
    better, worse = luck + 0.1, luck - 0.1 + np.tile([0.05, -0.05], 200)
    assert paired(worse, better).clearly_negative(1.96)
    assert not paired(better, worse).clearly_negative(1.96)
    assert not paired(luck[:100], luck[100:200]).clearly_negative(1.96)


def test_where_somebody_wins_the_share_against_each_opponent_counts(tmp_path: Path) -> None:
    game = registry.game("loveletter")
    objective = Objective(game, 2, {}, against=("random", "greedy"))
    agent = tunable(objective, "counting")
    shares = objective.play(agent, 3, 0, 200)
    each = [Objective(game, 2, {}, against=(other,)).play(agent, 3, 0, 200) for other in ("random", "greedy")]
    assert shares == pytest.approx((each[0] + each[1]) / 2)
    assert each[0].mean() > each[1].mean() > 0.4
    tuning = Tuning(objective, agent, None, deals=50, holdout=50)
    assert -1 < judged(tried(tuning, 4)).gain < 1


def test_an_agent_without_named_weights_says_so() -> None:
    objective = Objective(hanabi(), 2, {})
    with pytest.raises(KibitzError, match="cheater declares no weights, so there is nothing to tune"):
        tunable(objective, "cheater")


def test_a_weight_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match=r"There is no weight called 'god_tip'. Did you mean good_tip"):
        study(tmp_path / "a.study", only=("god_tip",))
    assert not (tmp_path / "a.study").exists()


BOT = """
class Gambler:
    '''Plays its first card as long as it dares to.'''

    weights = {"dare": 0.0}
    ranges = {"dare": (0.0, 10.0)}

    def __init__(self):
        self.dared = self.weights["dare"]

    def decide(self, view):
        from kibitz.games.hanabi import discard, play
        return play(0) if view.turn < self.dared else discard(0)
"""


def test_the_weights_of_a_python_class_are_tuned_in_worker_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(BOT)
    tuning = tried(study(tmp_path / "a.study", agent="bot.py:Gambler", deals=50, holdout=50), 6)
    gains = [trial.value or 0.0 for trial in tuning.study.trials]
    assert max(gains) > 0.1  # a first card sometimes fits
    assert judged(tuning).weights["dare"] > 1


def test_a_spoilt_agent_is_named_with_its_weights(tmp_path: Path) -> None:
    assert study(tmp_path / "a.study").plan.agent == SPOILT
