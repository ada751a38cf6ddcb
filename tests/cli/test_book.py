"""`kibitz book`, and a search that reads in one."""

import json
from pathlib import Path

from tests.cli.conftest import Kibitz, helped


def test_a_book_is_built_read_and_probed_inside_a_search(kibitz: Kibitz, tmp_path: Path) -> None:
    code, _, err = kibitz(*["book", "tictactoe", "--plies", "3", "--depth", "9", "--output", "book.npz", "--jobs", "2"])
    assert (code, "82 positions" in err) == (0, True)  # 1 + 9 + 72
    code, out, _ = kibitz(*["book", "tictactoe", "--read", "book.npz", "--position", "b2,a1"])
    assert code == 0
    assert "worth as much to both, searched 7 plies deep" in out
    assert "kibitz book tictactoe --plies 3 --depth 9" in out
    _, out, _ = kibitz(*["explain", "tictactoe", "--depth", "8", "--book", "book.npz", "--moves", "--json"])
    told = json.loads(out)
    assert [step["name"] for step in told["steps"]][-2:] == ["+ quiescence", "+ book"]
    before, with_book = told["steps"][-2:]
    assert with_book["value"] == before["value"] == 0
    assert with_book["answers"] > 0
    assert with_book["nodes"] < before["nodes"] / 10
    assert [move["value"] for move in told["moves"]] == [0.0] * 9


def test_a_book_that_does_not_fit_is_told(kibitz: Kibitz, tmp_path: Path) -> None:
    kibitz(*["book", "connect4", "--plies", "1", "--depth", "1", "--output", "book.npz"])
    helped(kibitz, "book connect4 --read book.npz --rule opening=random", "is a book of Connect 4 by other rules")
    helped(kibitz, "explain tictactoe --depth 2 --book book.npz", "is a book of connect4")
    helped(kibitz, "book connect4 --read book.npz --position 4", "after fewer than 1 moves, and not this one")
    helped(kibitz, "book dicechess --output dice.npz", "knows no dice")
    helped(kibitz, "book bridge --output cards.npz", "everybody sees everything")
    helped(kibitz, "book connect4", "Use --output FILE to build a book, or --read FILE")
    helped(kibitz, "book connect4 --output book.txt", "ends in .npz")
    helped(kibitz, "book connect4 --output none/book.npz", "no folder none")
    (tmp_path / "no.npz").write_text("no book")
    helped(kibitz, "book connect4 --read no.npz", "is not an opening book. `kibitz book GAME --output FILE` builds one")
