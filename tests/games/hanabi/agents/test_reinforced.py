"""The learner: what it remembers, what it is credited with, and that it gets better."""

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.trainer import TrainingPlan, check_settings
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.reinforced.notes import (
    FIRST_MARK,
    NEWEST,
    OLDEST,
    RANK_HINT,
    TOGETHER,
    card_note,
    hint_note,
)
from kibitz.games.hanabi.agents.reinforced.outcomes import BEST, PRIOR, REMEMBERED, no_outcomes, remember
from kibitz.games.hanabi.agents.reinforced.situations import (
    ALL_IDEAS,
    FOR_ACTIONS,
    FOR_DISCARDS,
    FOR_HINTS,
    IDEAS,
    WEIGHTS,
)
from kibitz.games.hanabi.agents.reinforced.trainer import BLOCK, REINFORCED, ReinforcedTraining
from kibitz.games.hanabi.agents.reinforced.training_games import median
from kibitz.games.hanabi.game import HANABI
from kibitz.learn.training import judged


def training(*players: int, **settings: float) -> ReinforcedTraining:
    return REINFORCED.begin(TrainingPlan(HANABI, players, settings=check_settings(REINFORCED, settings)))


def test_the_last_outcomes_are_remembered_and_newer_ones_weigh_more() -> None:
    outcomes = np.random.default_rng(5).integers(0, BEST + 1, 3 * REMEMBERED // 2).tolist()
    memory = no_outcomes(1, ALL_IDEAS)
    assert memory.tables[0, 7] == PRIOR
    for number, outcome in enumerate(outcomes):
        remember(memory, 0, 7, outcome, 2**0.5)
        last = outcomes[max(0, number + 1 - REMEMBERED) : number + 1]
        assert memory.tables[0, 7] == pytest.approx(np.average(last, weights=range(1, len(last) + 1)) / BEST)
    penalties = sum(outcome < 128 for outcome in outcomes)
    assert memory.tables[0, WEIGHTS + 7] == pytest.approx((2 * np.log(len(outcomes) + 1) / penalties) ** 0.5)


def test_the_median_of_scores() -> None:
    counts = np.bincount([3, 5, 5, 9, 20], minlength=26)
    assert median(counts) == 5


def test_a_note_says_which_of_the_touched_cards_it_is_about() -> None:
    touched, unmarked = 0b01101, 0b11011
    note = hint_note(7, touched, unmarked, 9)
    notes = [card_note(note, touched, unmarked, slot) for slot in (0, 2, 3)]
    assert [each & TOGETHER for each in notes] == [3, 3, 3]
    assert [each & NEWEST != 0 for each in notes] == [False, False, True]
    assert [each & OLDEST != 0 for each in notes] == [True, False, False]
    assert [each & FIRST_MARK != 0 for each in notes] == [True, False, True]
    assert all(each & RANK_HINT for each in notes)


def test_every_table_learns_and_the_learner_gets_better() -> None:
    learning = training(2)
    before = learning.learned()
    learning.train(0, 40 * BLOCK)
    known = learning.memory.count[0]
    for first, end in ((0, FOR_DISCARDS), (FOR_DISCARDS, FOR_HINTS), (FOR_HINTS, FOR_ACTIONS), (FOR_ACTIONS, IDEAS)):
        assert known[first:end].any()
    scores = [judged(learning.plan, agents, 200, seed=8)[2].mean for agents in (before, learning.learned())]
    assert scores[1] > scores[0] + 3


def test_training_is_the_same_however_it_is_cut() -> None:
    whole, parts = training(2, 4), training(2, 4)
    scores = whole.train(0, 4 * BLOCK)
    assert (np.concatenate([parts.train(0, BLOCK), parts.train(BLOCK, 3 * BLOCK)]) == scores).all()
    assert (whole.memory.tables == parts.memory.tables).all()
    assert set(scores[:, 0]) == {2, 4}


def test_what_it_learned_before_can_be_begun_with() -> None:
    known = registry.agent(HANABI, "reinforced2")
    plan = TrainingPlan(HANABI, (2,), settings=check_settings(REINFORCED, {}), starts={0: known})  # type: ignore[dict-item]
    [begun] = REINFORCED.begin(plan).learned()
    assert np.abs(begun.weights.values - known.weights.values).max() < 0.01  # type: ignore[attr-defined]
    other = registry.agent(HANABI, "trustful")
    with pytest.raises(KibitzError, match="trustful has no tables to begin with"):
        REINFORCED.begin(TrainingPlan(HANABI, (2,), settings=plan.settings, starts={0: other}))  # type: ignore[dict-item]


def test_a_setting_that_is_not_there_or_out_of_range_is_refused() -> None:
    with pytest.raises(KibitzError, match=r"no setting called 'explore'\. Did you mean exploration"):
        check_settings(REINFORCED, {"explore": 1.0})
    with pytest.raises(KibitzError, match="random_moves must be from 0 to 1, not 2"):
        check_settings(REINFORCED, {"random_moves": 2.0})


# What the thesis reports of its own: the shipped ones have to score as much. 400 games tell apart half a point.
@pytest.mark.parametrize(
    ("name", "players", "theirs"),
    [("reinforced2", 2, 18.94), ("reinforced4", 3, 19.03), ("reinforced4", 4, 18.69), ("reinforced4", 5, 17.42)],
)
def test_the_shipped_ones_score_more_than_those_of_the_thesis(name: str, players: int, theirs: float) -> None:
    agent = registry.agent(HANABI, name)
    plan = TrainingPlan(HANABI, (players,))
    found = judged(plan, [agent], 400, seed=12)[players]  # type: ignore[list-item]
    assert found.mean - found.half_width > theirs


def test_weights_are_one_number_for_every_situation() -> None:
    assert len(registry.agent(HANABI, "reinforced2").weights) == WEIGHTS  # type: ignore[attr-defined]
