"""`kibitz book`, and a search that reads in one."""

import json
from pathlib import Path

from tests.cli.conftest import Kibitz, helped


def test_a_book_is_built_read_and_probed_inside_a_search(kibitz: Kibitz, tmp_path: Path) -> None:
    code, _, err = kibitz(*["book", "tictactoe", "--plies", "3", "--depth", "9", "--output", "book.npz", "--jobs", "2"])
    assert (code, "82 positions" in err) == (0, True)  # 1 + 9 + 72
    code, out, _ = kibitz(*["book", "tictactoe", "--read", "book.npz", "--after", "b2,a1"])
    assert code == 0
    assert "worth as much to both, searched 7 plies deep" in out
    assert "kibitz book tictactoe --plies 3 --depth 9" in out
    _, out, _ = kibitz(*["explain", "tictactoe", "--depth", "8", "--book", "book.npz", "--moves", "--json"])
    printed = json.loads(out)
    steps = {step["name"]: step for step in printed["steps"]}
    before, with_book = steps["+ quiescence"], steps["+ book"]
    assert with_book["value"] == before["value"] == 0
    assert with_book["answers"] > 0
    assert with_book["nodes"] < before["nodes"] / 10
    assert [move["value"] for move in printed["moves"]] == [0.0] * 9


def test_a_player_makes_the_moves_of_its_book_and_says_so(kibitz: Kibitz, tmp_path: Path) -> None:
    words = "book connect4 --plies 3 --replies 2 --full 1 --depth 6 --output book.npz"
    kibitz(*words.split())
    words = "watch connect4 alphabeta4@book=book.npz alphabeta2"
    code, out, _ = kibitz(*words.split())
    assert code == 0
    assert "(from its book, searched 6 plies deep)" in out
    assert "(4 plies deep" in out
    words = "watch connect4 alphabeta4@book=book.npz@7ply alphabeta2"
    _, out, _ = kibitz(*words.split())
    assert "from its book" not in out  # it looks further than the book


def test_positions_are_learned_by_rote(kibitz: Kibitz, tmp_path: Path) -> None:
    words = "book tictactoe --games 6 --random-moves 1 --depth 3 --output rote.npz"
    code, _, err = kibitz(*words.split())
    assert code == 0
    assert "positions of Tic-Tac-Toe to rote.npz" in err
    words = "match tictactoe perfect@book=rote.npz@3ply random --games 4 --json"
    assert kibitz(*words.split())[0] == 0


def test_a_book_that_does_not_fit_is_reported(kibitz: Kibitz, tmp_path: Path) -> None:
    kibitz(*["book", "connect4", "--plies", "1", "--depth", "1", "--output", "book.npz"])
    helped(kibitz, "book connect4 --read book.npz --rule opening=random", "is a book for Connect 4 with other rules")
    helped(kibitz, "explain tictactoe --depth 2 --book book.npz", "is a book for connect4")
    helped(kibitz, "book connect4 --read book.npz --after 4", "not in the book, which covers 1 position of")
    helped(kibitz, "book dicechess --output dice.npz", "does not support dice")
    helped(kibitz, "book bridge --output cards.npz", "needs a game with open information")
    helped(kibitz, "book connect4", "Use --output FILE to build a book, or --read FILE")
    helped(kibitz, "book connect4 --output book.txt", "file that ends in .npz")
    helped(kibitz, "book connect4 --output none/book.npz", "The folder none does not exist")
    words = "book connect4 --agent evolved4 --plies 1 --depth 1 --output evolved.npz"
    kibitz(*words.split())
    helped(kibitz, "explain connect4 --depth 2 --book evolved.npz", "another evaluation, that of evolved4")
    helped(
        kibitz, "match connect4 alphabeta4@book=evolved.npz random --games 1", "another evaluation, that of evolved4"
    )
    helped(kibitz, "match draughts material@book=book.npz random --games 1", "is a book for connect4")
    helped(kibitz, "match connect4 mcts@book=book.npz random --games 1", "mcts plays without a book")
    helped(kibitz, "book connect4 --agent mcts --output mcts.npz", "mcts does not search by alpha-beta")
    (tmp_path / "no.npz").write_text("no book")
    helped(kibitz, "book connect4 --read no.npz", "`kibitz book GAME --output FILE` builds one")
