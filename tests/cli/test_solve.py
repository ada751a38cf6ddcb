"""`kibitz solve`."""

from pathlib import Path

from tests.cli.conftest import Kibitz, helped

WON, DRAWN = "121212", "12121221212134343443434356565665656577777"


def test_positions_are_solved_in_order(kibitz: Kibitz) -> None:
    assert kibitz("solve", "connect4", WON, DRAWN) == (0, "18\n0\n", "")


def test_a_file_has_positions_and_perhaps_their_scores(kibitz: Kibitz, tmp_path: Path) -> None:
    (tmp_path / "right").write_text(f"{WON} 18\n{DRAWN}\n")
    assert kibitz("solve", "connect4", "--file", "right", "--jobs", "2") == (0, "18\n0\n", "")
    (tmp_path / "wrong").write_text(f"{WON} 3\n")
    code, out, err = kibitz("solve", "connect4", "--file", "wrong")
    assert (code, out) == (1, "18\n")
    assert "Line 1: 121212 has score 18, but the file says 3." in err


def test_what_cannot_be_solved_is_reported(kibitz: Kibitz, tmp_path: Path) -> None:
    helped(kibitz, "solve hanabi 1", "Positions of Hanabi cannot be solved. Those of connect4 can.")
    helped(kibitz, "solve connect4 4x", "is not a column. Columns are 1 to 7")
    helped(kibitz, "solve connect4 1212121", "over after '1212121'")
    helped(kibitz, "solve connect4 --file none", "none cannot be read")
    helped(kibitz, "solve connect4 44 --file none", "not both")
    for line in ("44 five", f"44 {'9' * 5000}"):
        (tmp_path / "bad").write_text(f"{line}\n")
        helped(kibitz, "solve connect4 --file bad", "Line 1 of bad must be moves")
