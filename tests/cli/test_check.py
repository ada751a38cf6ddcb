"""`kibitz check`, as who writes a game types it."""

import json
from pathlib import Path

import pytest

from kibitz.testing.check import Report
from kibitz.testing.plain_python import check_in_plain_python
from tests.cli.conftest import Kibitz, helped


@pytest.mark.usefixtures("nim")
def test_a_game_of_a_package_is_checked_in_plain_python_and_compiled(kibitz: Kibitz) -> None:
    code, out, err = kibitz("check", "nim")
    assert (code, err) == (0, "")
    assert "Nim passes: 8 random games" in out
    assert "in plain Python and compiled" in out
    assert "mutated views, records and texts: 500" in out
    for section in (
        "declarations",
        "rules",
        "views and the wall",
        "sampling",
        "notation",
        "records",
        "pages",
        "results",
    ):
        assert section in out


def test_a_game_that_is_not_installed_is_checked_by_where_it_is(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("check", "nim.game:NIM", "--no-interpreted", "--mutants", "50", "--json")
    assert (code, json.loads(out)["longest"]) == (0, 10)
    assert json.loads(out)["mutants"]["tried"] == 50


def written(name: str, declared: str) -> str:
    """A file with a game like Nim that declares something else; where the game is."""
    Path(f"{name}.py").write_text(
        f"from nim.game import Nim\n\n\nclass Other(Nim):\n    {declared}\n\n\nOTHER = Other()\n"
    )
    return f"{name}.py:OTHER"


def test_what_is_wrong_is_reported_in_a_sentence(kibitz: Kibitz) -> None:
    short, narrow = written("short", "longest = 4"), written("narrow", "width = 2")
    helped(kibitz, f"check {short} --no-interpreted", "the game continues, but `longest` is 4")
    helped(kibitz, f"check {narrow}", "In plain Python (NUMBA_DISABLE_JIT=1), which checks every index")


def test_what_is_no_game_is_reported(kibitz: Kibitz) -> None:
    helped(kibitz, "check nonesuch", "There is no game called 'nonesuch'")
    helped(kibitz, "check nim.game:Nim", "which is not a Game")


def test_ctrl_c_ends_the_process_that_checks_in_plain_python_quietly(capfd: pytest.CaptureFixture[str]) -> None:
    def stop(_: Report) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_in_plain_python("tictactoe", 1000, 0, stop)
    assert capfd.readouterr().err == ""
