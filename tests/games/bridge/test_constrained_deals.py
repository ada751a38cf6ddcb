"""Starts with open hands: deals under constraints, from the game's seed."""

import numpy as np
import pytest

from kibitz.arena.match import Match, play, play_compiled, play_here
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError, RecordError
from kibitz.games.bridge.contract import high_cards
from kibitz.games.bridge.game import BRIDGE
from kibitz.games.bridge.rules import length

RULES = BRIDGE.check_rules({})
STRONG = "N:15-17,S5+ - 8-10,C0-2 -"
SOUTH = "A8764.J5.A52.A73"
NORTH, EAST, SOUTHS = 0, 1, 2
CLUBS, HEARTS, SPADES = 0, 2, 3


def begun(text: str, game: int, **rules: str) -> Table:
    chosen = BRIDGE.check_rules(rules)
    return Table(BRIDGE, [], BRIDGE.begin(keys(3), game, 4, chosen, BRIDGE.start_at(text, 4, chosen)))


def test_open_hands_are_dealt_as_described_and_everybody_sees_it() -> None:
    deals = set()
    for game in range(20):
        table = begun(STRONG, game)
        dealt = table.state["dealt"]
        deals.add(tuple(dealt.tolist()))
        assert 15 <= high_cards(dealt[NORTH]) <= 17
        assert length(dealt[NORTH], SPADES) >= 5
        assert 8 <= high_cards(dealt[SOUTHS]) <= 10
        assert length(dealt[SOUTHS], CLUBS) <= 2
        view = BRIDGE.view(table.view(EAST))
        assert view.shown_points(NORTH) == (15, 17)
        assert view.contract.level >= 1
        assert BRIDGE.load_start(BRIDGE.dump_start(table.state), 4, RULES)[0]["dealt"].tolist() == dealt.tolist()
    assert len(deals) == 20


def test_hands_that_are_written_stay_and_a_contract_that_is_given_is_played() -> None:
    table = begun(f'[Deal "S:{SOUTH} - 12+ -"] [Contract "4S"] [Declarer "S"]', 0)
    start = BRIDGE.dump_start(table.state)
    assert start["deal"].split()[2] == SOUTH
    assert (start["contract"], start["declarer"]) == ("4S", "S")
    assert high_cards(table.state["dealt"][NORTH]) >= 12


def test_the_table_is_turned_with_its_description() -> None:
    for game in range(5):
        table = begun("N:20+,H6+ - - -", game, declarer="west", bidding="points")
        [seat] = [seat for seat, least in enumerate(table.state["min_lengths"][:, HEARTS]) if least == 6]
        assert length(table.state["dealt"][seat], HEARTS) >= 6
        assert table.state["min_points"][seat] >= 20
        assert int(table.state["declarer"]) == 3


def test_a_match_deals_the_same_hands_in_machine_code_in_python_and_to_both_sides() -> None:
    match = Match("bridge", ("heuristic", "random") * 2, 6, 7, start=STRONG, mirror=True).prepared()
    for rotation in range(2):
        fast = play_compiled(match, rotation, np.arange(6))
        assert fast.results.tolist() == play_here(match, rotation, range(6)).results.tolist()
    [batch] = play(match)
    contracts = batch.results[:, 1:3]  # who declares, and the tricks that are needed
    assert (contracts[0::2] == contracts[1::2]).all()
    assert len(np.unique(contracts, axis=0)) > 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("N:38 - - -", "points of North have to be from 0 to 37"),
        ("N:17-15 - - -", "the minimum first"),
        ("N:S14 - - -", "spades of North have to be from 0 to 13"),
        ("N:30+ 11+ - -", "None of 100,000 random deals"),
        (f"S:{SOUTH} S9+ - -", "No deal satisfies these constraints"),
        (f"S:{SOUTH} - 30+ -", "No deal satisfies these constraints"),
        ("N:strong - - -", "'strong' is neither"),
        ("N:AKQ - - -", "'AKQ' is neither"),
        (f"S:{SOUTH} {SOUTH} - -", "South and West both hold the ace of spades"),
    ],
)
def test_a_description_that_no_deal_fits_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        BRIDGE.start_at(text, 4, RULES)


def test_a_game_that_was_played_has_all_four_hands() -> None:
    with pytest.raises(RecordError, match=r"The cards of West are left open by '-'.*--start of play"):
        BRIDGE.load_start({"deal": f"S:{SOUTH} - - -"}, 4, RULES)
