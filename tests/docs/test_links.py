"""Links of the documentation lead somewhere, and the index leads to every page."""

import re
from pathlib import Path

from tests.docs.pages import PAGES, ROOT, name

FENCE = re.compile(r"```.*?```", re.DOTALL)


def links(page: Path) -> list[str]:
    found = re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text()))
    return [link for link in found if "://" not in link]


def anchors(page: Path) -> set[str]:
    """What a page's headings are linked by on a code host."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_leads_to_a_file() -> None:
    broken = [
        f"{name(page)}: {link}"
        for page in PAGES
        for link in links(page)
        if not link.startswith("#") and not (page.parent / link.partition("#")[0]).exists()
    ]
    assert broken == []


def test_every_anchor_of_a_link_is_a_heading() -> None:
    broken = [
        f"{name(page)}: {link}"
        for page in PAGES
        for link in links(page)
        if "#" in link
        and link.partition("#")[2] not in anchors(page.parent / link.partition("#")[0] if link[0] != "#" else page)
    ]
    assert broken == []


def test_the_index_links_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link).resolve() for link in links(index)}
    assert set((ROOT / "docs").rglob("*.md")) - linked - {index} == set()


def test_the_readme_can_be_read_in_a_minute() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


MODULE = re.compile(r"`(?:kibitz[./])?([a-z_0-9]+[./][a-z_0-9./]+)`")  # `live.table` or `live/table.py`
PACKAGES = ROOT / "src" / "kibitz"
SHORT = (PACKAGES, PACKAGES / "server", PACKAGES / "games")  # where a short name can begin


def is_known(place: str) -> bool:
    """Whether a name that begins with a package is a file, a module, a package, or something in a module."""
    about_a_package = any((folder / re.split("[./]", place)[0]).is_dir() for folder in SHORT)
    if not about_a_package or (place.endswith((".py", ".toml")) and "/" not in place):
        return True
    named = [folder / each for folder in SHORT for each in (place, place.replace(".", "/"))]
    if any(path.exists() or path.with_suffix(".py").is_file() for path in named):
        return True
    around = [file for path in named for file in (path.parent.with_suffix(".py"), path.parent / "__init__.py")]
    return any(re.search(rf"\b{named[1].name}\b", file.read_text()) for file in around if file.is_file())


def test_modules_that_pages_name_exist() -> None:
    unknown = [
        f"{name(page)}: {found[1]}"
        for page in PAGES
        for found in MODULE.finditer(page.read_text())
        if not is_known(found[1])
    ]
    assert unknown == []
