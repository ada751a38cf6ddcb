"""Every command of the page about the lecture runs, with a tiny budget."""

import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest

from kibitz import cli
from kibitz.core import registry
from kibitz.core.trainer import Usual
from tests.docs.commands import commands
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs/explanation/minimax-to-monte-carlo.md"
# The greatest value of an option, by command; an option that is not there is added if it begins with a plus.
SMALL = {
    "explain": {"--depth": 3},
    "match": {"--games": 1, "--seed": 0},
    "watch": {},
    "evolve": {"+--population": 4, "+--generations": 1, "+--games": 2, "+--rivals": 1, "+--holdout-deals": 2},
    "train": {"+--games": 20},
    "book": {"--plies": 2, "--depth": 2, "--full": 1, "--games": 2},
    "benchmarks/ordering.py": {"--depth": 2, "--branching": 2, "+--positions": 2},
    "benchmarks/monotone.py": {"--positions": 2, "--deals": 1},
    "examples/bishop.py": {"--depth": 1},
}
FEW = Usual(games=20, stretch=20, judged=2, final=2, partners=("random",))
SEARCHING = re.compile("mcts|monte_carlo|alphabeta|material|samuel|selfish|paranoid|[a-z]+4")
SLOW = ("python benchmarks/monotone.py", "python examples/bishop.py", "kibitz watch bridge")  # they compile much


def written() -> list[list[str]]:
    """The commands on the page, of its blocks and of the list at its end, each with a tiny budget."""
    found = [words for block in blocks(PAGE) if block.language == "sh" for words in commands(block.text)]
    listed = re.findall(r"\| `((?:kibitz|python) [^`]+)` \|$", PAGE.read_text(), re.MULTILINE)
    return [list(words) for words in dict.fromkeys(tuple(small(each)) for each in [*found, *map(shlex.split, listed)])]


def small(words: list[str]) -> list[str]:
    """The command with a tiny budget."""
    made = list(words)
    for option, most in SMALL[words[1]].items():
        named = option.removeprefix("+")
        if named in made:
            place = made.index(named) + 1
            made[place] = str(min(int(made[place]), most))
        elif option != named:
            made += [named, str(most)]
    if words[1] == "match" and SEARCHING.search(" ".join(words[3:5])):
        made += ["--iterations", "50"]
    if "--after" in made and "--read" in made:
        made[made.index("--after") + 1] = ""  # the small book has no other position
    return made if words[0] == "python" or words[1] == "watch" else [*made, "--jobs", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the repository's scripts, and trainers that evaluate on few deals."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for shared in ("benchmarks", "examples"):
        (tmp_path / shared).symlink_to(ROOT / shared)
    for game in ("connect4", "draughts"):
        for name in registry.trainer_entries(game):
            monkeypatch.setattr(registry.trainer(registry.game(game), name), "usual", FEW)
    return tmp_path


def run(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command in this process."""
    monkeypatch.setattr(sys, "argv", words[words[0] == "python" :])
    if words[0] == "python":
        monkeypatch.syspath_prepend(str((ROOT / words[1]).parent))
        runpy.run_path(str(ROOT / words[1]), run_name="__main__")
        return
    code = 0
    try:
        cli.run()
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    assert code == 0


@pytest.mark.parametrize(
    "words",
    [pytest.param(each, marks=[pytest.mark.slow] if shlex.join(each).startswith(SLOW) else []) for each in written()],
    ids=lambda words: "-".join(words[:3]),
)
def test_the_command_runs(
    words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = shlex.join(words)
    for book in ("openings.npz", "rote.npz"):
        if book in command and f"--output {book}" not in command:
            game = next(each for each in ("connect4", "draughts") if each in command)
            agent = ["--agent", "material"] if "material" in command else []
            run(["kibitz", "book", game, *agent, "--plies", "1", "--depth", "1", "--output", book], monkeypatch)
    run(words, monkeypatch)
    said = capsys.readouterr()
    assert said.out or said.err


def test_every_idea_has_a_command() -> None:
    ideas = PAGE.read_text().partition("## Every idea and its command")[2]
    rows = [row for row in ideas.splitlines() if row.startswith("| ") and not row.startswith("| idea")]
    assert len(rows) > 20
    assert [row for row in rows if not re.search(r"\| `(?:kibitz|python) [^`]+` \|$", row)] == []
