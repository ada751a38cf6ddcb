"""Every text of the page comes from the catalogue, and a translation has exactly these texts."""

import html
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.core import registry
from kibitz.core.description import game_described
from kibitz.core.game import Game
from kibitz.server.live import advice_requests, chat, delay
from kibitz.server.web.app import STATIC

TEXT = r'"((?:[^"\\]|\\.)*)"'
CALL = re.compile(rf"(?<![\w.])t\(\s*{TEXT}")
PLURAL = re.compile(rf"(?<![\w.])tn\([^\"]*?,\s*{TEXT},\s*{TEXT}")
IMPORT = re.compile(r'^import (?:[^;]*? from )?"(?:\./|/static/)(\w+\.js)";', re.M)
SHARED = re.compile(r'^import [^;]*? from "/static/(\w+\.js)";', re.M)
MARKED = re.compile(r"<\w+[^>]*\bdata-t\b[^>]*>[^<]*")
PLACES = re.compile(r"\{(\w+)\}")
PART = {"n": r"[\d.,]+", "seat1": r"G\d", "seat2": r"G\d", "seat3": r"G\d"}
LANGUAGES = [path.stem for path in (STATIC / "texts").glob("*.json")]
Catalogue = dict[str, dict[str, dict[str, Any]]]


def pages(game: Game) -> list[Path]:
    return sorted(game.page_folder.glob("*.js")) if game.page_folder else []


def texts_in(path: Path) -> set[str]:
    """The texts in a script; of plurals the second, which is the key."""
    if path.name == "texts.js":
        return set()
    source = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
    assert not re.search(r"(?<![\w.])t\((?!\s*[\")])", source), f"{path.name}: a text of t is written where it is used"
    found = [match[1] for match in CALL.finditer(source)] + [match[2] for match in PLURAL.finditer(source)]
    return {json.loads(f'"{each}"') for each in found}


def loaded_from(*modules: str) -> set[str]:
    """Scripts that are loaded with these."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += IMPORT.findall((STATIC / name).read_text())
    return found


def of_boards() -> Iterator[str]:
    for game in registry.games():
        for path in pages(game):
            yield from SHARED.findall(path.read_text())


def wanted() -> dict[str, set[str]]:
    """The texts of each section: the first page, what is loaded on demand, and every game."""
    first = loaded_from("main.js", *of_boards())
    later = {path.name for path in STATIC.glob("*.js")} - first
    page = html.unescape((STATIC / "index.html").read_text())
    marked = [text for part in MARKED.findall(page) for text in re.findall(r'(?:aria-label|title)="([^"]*)"', part)]
    marked += [part.split(">")[1].strip() for part in MARKED.findall(page)]
    shown = set().union(*(texts_in(STATIC / name) for name in first), (each for each in marked if len(each) > 1))
    more = set().union(*(texts_in(STATIC / name) for name in later)) - shown
    for name in later:
        if texts_in(STATIC / name):
            assert "more_texts.js" in loaded_from(name), f"{name} does not load its texts"
    games = {game.name: set().union(*map(texts_in, pages(game))) - shown for game in registry.games()}
    return {"page": shown, "more": more, **games}


def described(game: Game) -> Iterator[str]:
    """What the lobby and the set-up say about a game."""
    about = game_described(game)
    yield from (about["title"], about["description"], delay.reason(game), *game.seat_titles)
    for level in about["levels"]:
        yield from (level["name"], level["help"])
    for rule in about["rules"]:
        yield rule["title"]
        for words in rule["words"].values():
            yield from (words["title"], words["about"])


def catalogue(language: str) -> Catalogue:
    found: Catalogue = json.loads((STATIC / "texts" / f"{language}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_every_text_of_the_page(language: str) -> None:
    found, texts = catalogue(language), wanted()
    assert found.keys() == texts.keys()
    for section, keys in texts.items():
        assert keys - found[section]["texts"].keys() == set(), section


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_no_text_that_is_gone(language: str) -> None:
    """Other texts are those that the server sends: short ones of games, phrases, and what a game says about itself."""
    found, texts = catalogue(language), wanted()
    sent = {advice_requests.DEPENDS, *chat.WORDS, *(text for game in registry.games() for text in described(game))}
    sources = "\n".join(path.read_text() for path in (STATIC.parents[2]).rglob("*.py"))
    for section, keys in texts.items():
        left = found[section]["texts"].keys() - keys - sent
        assert {text for text in left if text not in sources} == set(), section


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_knows_what_a_game_says_about_itself(language: str) -> None:
    page = catalogue(language)["page"]["texts"]
    missing = {text for game in registry.games() for text in described(game) if text} - page.keys()
    assert missing | set(chat.WORDS) - page.keys() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_keeps_the_parts_of_a_text(language: str) -> None:
    for section in catalogue(language).values():
        for text, words in [*section["texts"].items(), *section["sentences"].items()]:
            for each in words.values() if isinstance(words, dict) else [words]:
                assert set(PLACES.findall(each)) <= {*PLACES.findall(text), "n"}, text


def patterns(section: dict[str, dict[str, Any]]) -> list[re.Pattern[str]]:
    """The sentences of a section as the page reads them."""
    found = []
    for text in section["sentences"]:
        parts = PLACES.split(text)
        source = [PART.get(each, ".+?") if place % 2 else re.escape(each) for place, each in enumerate(parts)]
        found.append(re.compile("".join(source)))
    return found


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_knows_the_sentences_of_a_game(language: str, game: Game) -> None:
    found = catalogue(language)
    known = patterns(found[game.name]) + patterns(found["page"])
    agents = {level["agents"][0] for level in game_described(game)["levels"][:2]}
    unknown = set()
    for agent, seed in itertools.product(sorted(agents), range(2)):
        table = kibitz.table(game, agent, game.usual_players, seed).run()
        said = {*(turn.text for turn in table.turns), table.verdict}
        unknown |= {text for text in said if not any(pattern.fullmatch(text) for pattern in known)}
    assert unknown == set()
