"""How hard a deal is, and the deal of the day."""

from datetime import date

import numpy as np
import pytest

from kibitz.coach import deals
from kibitz.coach.daily import compare, daily_deal
from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError

DAY = date(2026, 11, 19)


@pytest.fixture(scope="module")
def hanabi() -> Game:
    return registry.game("hanabi")


def test_the_same_date_gives_the_same_deal_everywhere(hanabi: Game) -> None:
    deal = daily_deal(hanabi, DAY, 3)
    assert deal.seed == 202611193
    assert deal.start.tobytes() == hanabi.deal(keys(202611193), 0, 3, deal.rules).tobytes()
    assert "--seed 202611193" in deal.command


def test_every_number_of_players_and_every_day_has_its_own_deal(hanabi: Game) -> None:
    seeds = {daily_deal(hanabi, date(2026, 11, day), players).seed for day in (1, 2) for players in hanabi.players}
    assert len(seeds) == 2 * len(hanabi.players)


def test_a_score_is_compared_with_others() -> None:
    compared = compare(20, [18, 20, 22, 15])
    assert (compared.better, compared.same, compared.others) == (2, 1, 4)
    assert str(compared) == "20: better than 2 of 4, the same as 1"


def test_a_game_without_a_study_says_which_games_have_one() -> None:
    with pytest.raises(KibitzError, match="It can for hanabi"):
        daily_deal(registry.game("tictactoe"), DAY, 2)


def test_a_percentile_is_the_share_of_easier_deals() -> None:
    quantiles = [float(each) for each in np.linspace(-1.0, 1.0, 101)]
    assert deals.percentile_of(quantiles, -2.0) == 0
    assert deals.percentile_of(quantiles, 2.0) == 100
    assert deals.percentile_of(quantiles, 0.0) == pytest.approx(50, abs=0.6)
    assert deals.percentile_of(quantiles, 0.5) == pytest.approx(75, abs=0.6)


def test_the_table_has_all_agents_at_every_number_of_players(hanabi: Game) -> None:
    table = deals.table_of("hanabi")
    assert set(table.players) == set(hanabi.players)
    for scores in table.players.values():
        assert tuple(scores.agents) == tuple(deals.study_of(hanabi).agents)
        assert scores.quantiles == sorted(scores.quantiles)


def test_a_deal_on_which_agents_do_badly_is_hard(hanabi: Game) -> None:
    """The difficulty is that of the scores, and the deals of one seed spread over the percentiles."""
    rules = hanabi.check_rules(deals.study_of(hanabi).rules)
    found = [deals.difficulty(hanabi, hanabi.deal(keys(9), number, 3, rules)) for number in range(12)]
    by_score = sorted(found, key=lambda each: -sum(each.scores[name] / each.usual[name] for name in each.scores))
    assert by_score[0].percentile < by_score[-1].percentile
    assert max(each.percentile for each in found) - min(each.percentile for each in found) > 30
