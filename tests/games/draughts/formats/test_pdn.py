"""PDN, read and written: games of others, and ours as others read them."""

import random
from pathlib import Path

import pytest

from kibitz.core.agent import Decision
from kibitz.core.record import Record, read, understood
from kibitz.errors import KibitzError, RecordError
from kibitz.games.draughts.formats.pdn import Pdn
from kibitz.games.draughts.game import DRAUGHTS
from tests.games.draughts.tables import VARIANTS, make, table_at

PDN = Pdn()
ENGLISH = """[Event "A game"]
[Site "?"]
[White "Ada \\"the\\" First"]
[Black "Bob"]
[Result "0-1"]

1. 11-15 23-19 {the usual answer} 2. 8-11 22-17 (2... 24-20 3. 4-8) 3. 4-8! 17-13 $1
4. 15-18 ; a comment to the end of the line
0-1
"""
RUSSIAN = """[White "Иванов"]
[Black "Петров"]
[GameType "25,W,8,8,A0,0"]

1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 *
"""


def test_a_game_of_others_is_read_without_its_comments_and_variations() -> None:
    record = PDN.read(ENGLISH)
    assert [made.move for made in record.moves] == ["11-15", "23-19", "8-11", "22-17", "4-8", "17-13", "15-18"]
    assert record.rules["variant"] == "english"
    assert record.seats == ["Bob", 'Ada "the" First']  # Black begins


def test_letters_are_read_and_the_variant_is_known_by_the_game_type() -> None:
    record = PDN.read(RUSSIAN)
    assert record.rules["variant"] == "russian"
    assert [made.move for made in record.moves] == ["22-18", "10-14", "25-22", "11-16", "22-17"]


def test_a_game_may_begin_with_a_position_and_either_side() -> None:
    table = table_at("B:W22,K30:BK1,11,18", "english")
    make(table, DRAUGHTS.move_text(DRAUGHTS.legal(table.state)[0]))
    text = PDN.write(Record.of(table, ["Bob", "Ada"], {"variant": "english"}, None, None))
    assert '[FEN "B:W22,K30:BK1,11,18"]' in text
    assert PDN.read(text).start == {"fen": "B:W22,K30:BK1,11,18"}
    late = table_at("B:W22,K30:B11,K1", "brazilian")
    make(late, DRAUGHTS.move_text(DRAUGHTS.legal(late.state)[0]))
    assert "\n1... " in PDN.write(Record.of(late, ["Ada", "Bob"], {"variant": "brazilian"}, None, None))


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_games_are_written_and_read_back_with_their_ends(variant: str) -> None:
    for number in range(5):
        dice, table = random.Random(number), table_at(variant=variant)
        while not table.over:
            table.make(Decision(dice.choice(DRAUGHTS.legal(table.state))))
        record = Record.of(table, ["Ada", "Bob"], {"variant": variant}, None, None)
        again = PDN.read(PDN.write(record))
        assert (again.moves, again.result, again.seats) == (record.moves, record.result, record.seats)


def test_pydraughts_reads_what_is_written() -> None:
    from draughts.PDN import PDNReader

    table = table_at(variant="english")
    make(table, "11-15 23-19 8-11 22-17")
    text = PDN.write(Record.of(table, ["Bob", "Ada"], {"variant": "english"}, None, None))
    [game] = PDNReader(pdn_text=text).games
    assert game.moves == ["11-15", "23-19", "8-11", "22-17"]


def test_of_two_captures_with_the_same_ends_each_is_written_with_a_route_of_its_own() -> None:
    diamond = "W:W30:B25,17,26,18,1"
    texts = set()
    for move in DRAUGHTS.legal(table_at(diamond, "english").state):
        table = table_at(diamond, "english")
        table.make(Decision(move))
        text = PDN.write(Record.of(table, ["Bob", "Ada"], {"variant": "english"}, None, None))
        assert PDN.read(text).moves == Record.of(table, ["", ""], {"variant": "english"}, None, None).moves
        texts.add(text.splitlines()[-1])
    assert texts == {"1... 30x21x14 *", "1... 30x23x14 *"}


def test_a_file_of_many_games_is_read_by_number(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    path.write_text(ENGLISH + "\n" + RUSSIAN, encoding="utf-8")
    assert read(path).rules["variant"] == "english"
    assert read(path, 1).rules["variant"] == "russian"
    with pytest.raises(RecordError, match="there is no game 2; it contains 2"):
        read(path, 2)
    with pytest.raises(RecordError, match="holds 2 games"):
        understood(path.read_bytes())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[GameType "20"]\n\n1. 32-28 *', "GameType '20'"),
        ('[Event "x"]\n\n1. 11-15 99-98 *', "Move 2 of the game cannot be made: '99' is not a playable square"),
        ('[Event "x"]\n\n1. 11-20 *', "Move 1 of the game cannot be made: 11-20 is not legal now"),
        ('[Event "x"]\n\n1. 11-15 huh *', "Move 2 of the game, 'huh', is not a move"),
        ('[FEN "W:W22:B18"]\n\n1. 22x15 0-1', "said to end 0-1, but its moves say"),
        ('[FEN "W:W22:B18"]\n\n1. 22x15 15-10 *', "over after 1 move"),
        ('[FEN "W:W22:B22"]\n\n1. 22x15', "Both sides have a piece on 22"),
    ],
)
def test_what_is_wrong_with_a_game_is_reported_in_a_sentence(text: str, sentence: str) -> None:
    assert PDN.recognises(text)
    with pytest.raises(RecordError, match=sentence):
        PDN.read(text)


def test_chess_games_are_not_taken_for_draughts() -> None:
    assert not PDN.recognises('[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0')


@pytest.mark.parametrize("text", ["22x15x8(" + "3" * 400, "22" + " " * 50_000 + "x", "22x15(" + "3 " * 50_000 + "!"])
def test_a_move_of_many_letters_is_refused_at_once(text: str) -> None:
    """A regular expression with backtracking would not finish on this text."""
    with pytest.raises(KibitzError, match="is not a move"):
        DRAUGHTS.move(text, DRAUGHTS.usual_start(0)[0])


@pytest.mark.parametrize("text", ["{" * 50_000, " " * 50_000, "\n " * 30_000])
def test_a_long_text_without_games_is_read_at_once(text: str) -> None:
    assert Pdn().games(text) == []
    assert not Pdn().recognises(text)
    record = Pdn().read('[GameType "21"]\n1. 11-15 ' + text)
    assert [made.move for made in record.moves] == ["11-15"]
