"""What the documentation shows works as it stands there."""

import json
import re
import sys
from pathlib import Path

import pytest

from kibitz import cli
from kibitz.errors import KibitzError
from kibitz.games.hanabi.formats.unibo import UNIBO
from kibitz.games.hanabi.formats.unibo_words import move_object
from tests.server.host.plain_host import PlainHost, plain_guest
from tests.tables import at, make

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
    ("page", "bot"),
    [
        ("docs/tutorial/first-bot.md", "Careful"),
        ("docs/how-to/compiled-agent.md", "careful"),
        ("docs/how-to/tune.md", "Gambler"),
    ],
)
def test_the_first_bot_of_a_page_plays(page: str, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text(python_blocks(page)[0])
    words = ["match", "hanabi", f"bot.py:{bot}", "--players", "3", "--games", "3", "--jobs", "1"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["kibitz", *words])
    with pytest.raises(SystemExit) as leaving:
        cli.run()
    assert leaving.value.code == 0


def json_blocks(page: str) -> list[str]:
    return re.findall(r"```json\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_state_and_the_moves_of_the_wire_are_shown_as_they_are() -> None:
    state, moves, error = json_blocks("docs/reference/unibo.md")
    names = ["G1 (Bot1)", "G2 (Ada)"]
    table = at("w4 y1 g1 y3 r1", "b1 r3 w3 y4 g3")
    make(table, "play 3", "discard 1", "hint 3 to G2")
    view = table.view(1)
    assert json.loads(UNIBO.state(view, names)) == json.loads(state)
    assert list(json.loads(UNIBO.state(view, names))) == list(json.loads(state))
    for move in moves.splitlines():
        said = json.loads(move)
        assert move_object(UNIBO.move(said, 1, names, view), names[1], names) == said
    with pytest.raises(KibitzError) as refused:
        UNIBO.move({"player": names[1], "type": "hint value", "hinted": names[0], "value": 5}, 1, names, view)
    assert json.loads(error) == {"error": str(refused.value)}


@pytest.mark.parametrize("number", [0, 1])
def test_the_bots_of_the_wire_play_at_a_host(number: int) -> None:
    bot = python_blocks("docs/reference/unibo.md")[number]
    with PlainHost(2) as host:
        plain_guest(host.where, "Zoë")
        port = host.where.rpartition(":")[2]
        exec(compile(bot.replace("localhost", "127.0.0.1").replace("4000", port), "unibo.md", "exec"), {})
    assert any(turn["player"] in ("G1 (Ada)", "G1 (Bo)") for turn in host.turns[0])


def test_the_readme_shows_the_example_bot_as_it_is() -> None:
    [shown] = python_blocks("README.md")
    assert shown in (ROOT / "examples" / "my_bot.py").read_text()


def test_the_page_on_new_games_shows_the_example_as_it_is() -> None:
    files = [path.read_text() for path in (ROOT / "examples" / "nim").rglob("*.*") if path.suffix in (".py", ".toml")]
    page = (ROOT / "docs/how-to/new-game.md").read_text()
    shown = re.findall(r"```(?:python|toml)\n(.*?)```", page, re.DOTALL)
    assert [block for block in shown[:-1] if not any(block in file for file in files)] == []
    assert "check_game(NIM)" in shown[-1]


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("benchmarks/*.md")]


def test_every_link_between_pages_leads_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in PAGES
        for link in re.findall(r"\]\(([^)#]+)", page.read_text())
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert broken == []


def anchors(page: Path) -> set[str]:
    """What a page's headings are linked by, as GitHub makes it of them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_anchor_of_a_link_is_a_heading() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {link}#{anchor}"
        for page in PAGES
        for link, anchor in re.findall(r"\]\(([^)#]*)#([^)]+)\)", page.read_text())
        if "://" not in link and anchor not in anchors(page.parent / link if link else page)
    ]
    assert broken == []


def test_the_index_links_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link).resolve() for link in re.findall(r"\]\(([^)#]+)", index.read_text())}
    assert set((ROOT / "docs").rglob("*.md")) - linked - {index} == set()
