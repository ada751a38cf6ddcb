"""What the documentation shows works as it stands there."""

import re
import sys
from pathlib import Path

import pytest

from kibitz import cli

ROOT = Path(__file__).resolve().parents[1]


def python_blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


@pytest.mark.parametrize(
    "page", ["docs/how-to/look-ahead.md", "docs/how-to/positions.md", "docs/how-to/environments.md"]
)
def test_the_examples_of_a_page_run_one_after_the_other(page: str) -> None:
    names: dict[str, object] = {}
    for block in python_blocks(page):
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize(
    ("page", "bot"), [("docs/tutorial/first-bot.md", "Careful"), ("docs/how-to/compiled-agent.md", "careful")]
)
def test_the_first_bot_of_a_page_plays(page: str, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text(python_blocks(page)[0])
    words = ["match", "hanabi", f"bot.py:{bot}", "--players", "3", "--games", "3", "--jobs", "1"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["kibitz", *words])
    with pytest.raises(SystemExit) as leaving:
        cli.run()
    assert leaving.value.code == 0


def test_the_readme_shows_the_example_bot_as_it_is() -> None:
    [shown] = python_blocks("README.md")
    assert shown in (ROOT / "examples" / "my_bot.py").read_text()


def test_every_link_between_pages_leads_somewhere() -> None:
    pages = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("benchmarks/*.md"),
    ]
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#]+)", page.read_text())
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert broken == []
