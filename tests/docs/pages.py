"""The pages of the documentation, and the fenced blocks on them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]

# A comment in front of a block says what a test does with it; a block of text behind it is its output.
BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n+)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$"
    r"(?:\n\n```text\n(?P<output>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    place: str  # the page and the line
    language: str
    text: str
    mark: str  # "run", "file: NAME", "not run: REASON" or nothing
    output: str | None

    def after(self, mark: str) -> str | None:
        """What follows a mark, such as the name after `file: `."""
        return self.mark.removeprefix(mark).strip() if self.mark.startswith(mark) else None


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("language")) + 1
        yield Block(f"{name(page)}:{line}", found["language"], found["text"], found["mark"] or "", found["output"])


def python_blocks(page: str) -> list[str]:
    return [block.text for block in blocks(ROOT / page) if block.language == "python"]
