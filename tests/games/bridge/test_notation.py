"""Cards as text, starts, and PBN in both directions; mistakes are refused with a sentence."""

import json
from typing import Any

import pytest

from kibitz.core import record
from kibitz.core.record import Record
from kibitz.errors import KibitzError, RecordError
from kibitz.games.bridge.formats.pbn import Pbn
from kibitz.games.bridge.game import BRIDGE
from tests.games.bridge.tables import EVEN, RULES, agent, dealt, seated, start, table

PBN = f"""% PBN 2.1
[Event "Friday"]
[Site "?"]
[Board "7"]
[West "Ada"]
[North "Bob"]
[East "Cid"]
[South "Dan"]
[Dealer "S"]
[Vulnerable "Both"]
[Deal "{EVEN}"]
[Scoring "IMP"]
[Declarer "S"]
[Contract "4SX"] {{doubled}}
[Result "?"]
[Play "W"]
HT H2 HQ HJ ; the trick of East
H3 HA H4 H5
- D3 - -
*
[Event "Friday"]
[Board "8"]
[Deal "{EVEN}"]
"""


@pytest.mark.parametrize("text", ["HT", "ht", "♥T", "h 10", "10h", "T♥", "ten of hearts", " Hearts TEN ", "♡10"])
def test_a_card_is_written_in_many_ways(text: str) -> None:
    assert BRIDGE.move_text(BRIDGE.move(text, table().state)) == "HT"


def test_a_rank_alone_will_do_where_the_suit_is_clear() -> None:
    at = table(cards="ht")
    assert BRIDGE.move_text(BRIDGE.move("a", at.state)) == "HA"
    with pytest.raises(KibitzError, match=r"'3' is ambiguous: ♠3 or ♥3. Write suit and rank"):
        BRIDGE.move("3", table().state)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a card"),
        ("spades and hearts", "is not a card"),
        ("sa", "West does not hold the ace of spades. Legal:"),
        ("k", "West does not hold the king"),
    ],
)
def test_what_is_no_legal_card_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(KibitzError, match=says):
        BRIDGE.move(text, table().state)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"deal": EVEN.replace("KQJ5", "KQJ")}, "North holds 12 cards in this deal; a hand has 13"),
        ({"deal": EVEN.replace("KQJ5", "KQJ9")}, "North and East both hold the nine of spades"),
        ({"deal": EVEN.replace("KQJ5", "KQJJ")}, "North holds twice the jack of spades"),
        ({"deal": EVEN.replace("KQJ5", "KQJX")}, "'X' in the hand of North is not a card"),
        ({"deal": EVEN[2:]}, "begins with its first seat"),
        ({"deal": "N:AK.. A A A"}, "spades, hearts, diamonds and clubs with dots between"),
        ({"deal": "N:AK"}, "A deal has four hands"),
        ({"contract": "8S"}, "A contract is a level from 1 to 7"),
        ({"declarer": "X"}, "The declarer has to be N, E, S or W"),
        ({"contract": ""}, "a contract and a declarer, or neither"),
        ({"vulnerable": "some"}, "Vulnerable are None, NS, EW or All"),
        ({"bidding": {"N": {"points": [0, 9]}}}, "0 to 9 points for North, but this hand has 13"),
        ({"bidding": {"E": {"lengths": {"H": [5, 13]}}}}, "5 to 13 hearts for East, but this hand has 4"),
        ({"bidding": {"E": {"lengths": {"X": [5, 13]}}}}, "names the suit 'X'"),
        ({"bidding": {"E": {"points": [9, 3]}}}, "from 0 to 37, the minimum first"),
    ],
)
def test_an_impossible_start_is_refused_with_a_sentence(change: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError, match=says):
        start(**{"deal": EVEN, "contract": "4S", "declarer": "S", **change})


def test_pbn_is_read_with_its_play() -> None:
    first, second = record.games_in(PBN.encode())
    read = record.understood(first)
    assert read.seats == ["Bob", "Cid", "Dan", "Ada"]
    assert [made.move for made in read.moves] == ["HT", "H2", "HQ", "HJ", "H4", "H5", "H3", "HA", "D3"]
    assert read.start["contract"] == "4SX"
    assert (read.start["dealer"], read.start["vulnerable"]) == ("S", "All")
    assert record.understood(second).start["contract"] == "4S"  # the hands bid for themselves


def test_games_are_written_as_pbn_and_read_back() -> None:
    at = seated([agent("heuristic")] * 4, dealt(3))
    at.run()
    ours = Record.of(at, ["Ada", 'Bob "B"', "Cid", "Dan"], RULES, 3, 0)
    text = ours.written("pbn")
    assert '[North "Ada"]' in text
    assert f'[Result "{at.result()["tricks"]}"]' in text
    again = Pbn().read(text)
    assert [made.move for made in again.moves] == [made.move for made in ours.moves]
    assert again.start == ours.start
    assert again.result == ours.result
    assert json.loads(again.dump())["seats"][1] == "Bob 'B'"


def test_another_program_reads_our_pbn() -> None:
    parsers = pytest.importorskip("endplay.parsers.pbn")
    at = seated([agent("heuristic")] * 4, dealt(3))
    at.run()
    [board] = parsers.loads(Record.of(at, ["A", "B", "C", "D"], RULES, 3, 0).written("pbn"))
    assert str(board.deal) == at.game.dump_start(at.start[0])["deal"]
    assert len(board.play) == 52


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("HT H2 HQ HJ", "HT SK HQ HJ"), "Card 2 of the play, SK: SK cannot be played now: ♥ was led"),
        (("HT H2 HQ HJ", "HT H2 HA HJ"), "Card 3 of the play, HA: HA cannot be played now: East does not hold"),
        (("HT H2 HQ HJ", "HT H2 what HJ"), "Card 3 of the play is 'what', which is not a card"),
        (('[Declarer "S"]', ""), "a play, but lacks the tags Contract and Declarer"),
        (('[Contract "4SX"]', '[Contract "Pass"]'), "All passed"),
        (('[Deal "N:', '[Deal "Q:'), "has to be N, E, S or W"),
        (('[Play "W"]', '[Play "?"]'), "The seat of the tag Play has to be"),
    ],
)
def test_a_wrong_pbn_is_refused_with_a_sentence(change: tuple[str, str], says: str) -> None:
    assert change[0] in PBN
    with pytest.raises(RecordError, match=says):
        record.understood(record.games_in(PBN.replace(*change, 1).encode())[0])


def test_a_result_that_the_play_does_not_come_to_is_refused() -> None:
    at = seated([agent("heuristic")] * 4, dealt(3))
    at.run()
    text, took = Record.of(at, list("ABCD"), RULES, 3, 0).written("pbn"), at.result()["tricks"]
    with pytest.raises(RecordError, match=f"says {took - 1} tricks for the declarer, but the play gives {took}"):
        Pbn().read(text.replace(f'[Result "{took}"]', f'[Result "{took - 1}"]'))


def test_what_the_bidding_showed_has_no_place_in_pbn() -> None:
    at = table(bidding={"N": {"points": (12, 14)}})
    with pytest.raises(RecordError, match="cannot store the bidding"):
        Record.of(at, list("ABCD"), RULES, None, None).written("pbn")


@pytest.mark.parametrize("text", ["N:- - - [", "[", "[Deal]", "N:99999999999999999999+ - - -", "N:²+ - - -"])
def test_a_deal_that_is_none_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(KibitzError, match=r"\w+ .*\."):
        BRIDGE.set_up(text, 4, BRIDGE.check_rules({}))
