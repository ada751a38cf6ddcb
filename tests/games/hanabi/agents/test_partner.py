"""The partner for people: what it scores with the fitted model of people, how much it hints, and its weights."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.core.agent import CompiledAgent
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.partner import WEIGHTS, partner
from kibitz.games.hanabi.agents.person import person
from kibitz.games.hanabi.agents.rule_lists import iggi
from kibitz.games.hanabi.behaviour import BEHAVIOUR
from kibitz.games.hanabi.game import HANABI
from kibitz.learn.evaluator import Evaluator
from tests.tables import PLAYERS, at, make

RULES = dict(HANABI.table_rules)


def played(agent: CompiledAgent, players: int, rules: dict[str, str]) -> tuple[float, float]:
    """The mean score of copies of an agent with a person in the last seat, and the share of hints of the first seat."""
    tables = Evaluator(HANABI, players, rules, seed=5)
    deals = tables.deals(0, 100)
    found = tables.play([agent] * (players - 1) + [person], deals, keeps=True)
    shares = BEHAVIOUR.values(BEHAVIOUR.sums(deals.cards, players, tables.rule_bits, found.decisions, 1))
    assert shares is not None
    return float(np.mean(found.results[:, 0])), shares[0]


@pytest.mark.parametrize("players", PLAYERS)
def test_people_score_more_with_it_than_with_iggi(players: int) -> None:
    """By two points and more, over 100 games; and it hints in more than a third of its turns with a token."""
    score, hints = played(partner, players, RULES)
    assert score > played(iggi, players, RULES)[0] + 2
    assert hints > 1 / 3


def test_two_players_have_weights_of_their_own() -> None:
    assert len(partner.weights) == 2 * WEIGHTS
    assert set(partner.weights.by_players) == {2}


def test_weights_of_another_size_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "small.npz", weights=np.zeros(3))
    with pytest.raises(KibitzError, match="has 3 weights, and the agent"):
        partner.weights.from_file(tmp_path / "small.npz")


def test_it_plays_what_it_was_hinted_and_says_why() -> None:
    table = at("y1 y2 y3 y4 y5", "y3 r1 b4 w2 g5", agents=[partner, partner], tokens=1)
    make(table, "hint 1 to G2")
    decided = table.decide()
    assert HANABI.move_text(decided.move) == "play 2"
    assert decided.reason.startswith("I play my card 2")
