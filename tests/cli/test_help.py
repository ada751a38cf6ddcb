"""What `--help` prints: readable on narrow terminals, with an example for every command."""

import re

import pytest

from kibitz.cli import app
from tests.cli.conftest import Kibitz

COMMANDS = [name for names in app.SECTIONS.values() for name in names] + [
    "elites show",
    "elites draw",
    "elites make",
    "people fit",
    "people score",
]


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_narrow_terminal_and_shows_an_example(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, command: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = kibitz(*command.split(), "--help")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= columns
    assert re.search(rf"^    kibitz {command}\b", out, re.MULTILINE)
    assert not re.search(r"<\w+>|\[x>=|\(default\)", out)


def test_paragraphs_are_wrapped_once(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    paragraph = kibitz("match", "--help")[1].split("\n\n")[2].splitlines()
    assert all(len(line) > 60 for line in paragraph[:-1])


def test_commands_are_grouped_by_what_they_are_for(kibitz: Kibitz) -> None:
    out = kibitz("--help")[1]
    titles = ["Play:", "Measure:", "Learn:", "Network:", "Develop:"]
    assert [line for line in out.splitlines() if line in titles] == titles
    assert all(re.search(rf"^  {name} ", out, re.MULTILINE) for name in app.SECTIONS["Play"])


def test_a_long_example_continues_with_a_backslash(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = kibitz("match", "--help")[1]
    joined = re.sub(r" \\\n +", " ", out)
    assert (
        'kibitz match kriegspiel believer random --games 20 --mirror --start "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"'
        in joined
    )


def test_lists_have_one_line_per_entry_in_a_pipe(kibitz: Kibitz) -> None:
    lines = kibitz("agents", "hanabi")[1].splitlines()
    assert [line for line in lines if line.startswith("trustful ")] != []
    assert len(kibitz("games")[1].split("\n\n")[0].splitlines()) >= 10
    assert "section 4.7" in kibitz("agents", "hanabi", "trustful")[1]
