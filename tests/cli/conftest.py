"""Commands as a person or a program types them."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz import cli

Said = tuple[int, str, str]
Kibitz = Callable[..., Said]


@pytest.fixture
def kibitz(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, runs: Path) -> Kibitz:
    """Type a command in an empty folder; its exit code and what it wrote to both streams."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def typed(*words: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["kibitz", *words])
        try:
            cli.run()
            code = 0
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return typed


def helped(kibitz: Kibitz, words: str, sentence: str) -> None:
    """Wrong input is answered with a sentence that helps."""
    code, _, err = kibitz(*words.split())
    assert code == 1
    assert sentence in err
    assert "Traceback" not in err
