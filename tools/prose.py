"""A linter for the project's English: phrases to avoid, and lines of Markdown that are too long. `make lint` runs it.

Vale needs a download at run time, and the phrases are this project's own, so a list of regular expressions does the
job. Code, link targets, quotations and italics (names of controls on the page) are not checked.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = 120

# What is checked, files or folders. Python contributes its docstrings, comments and texts of at least three words.
MARKDOWN = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "benchmarks",
    "docs",
    "examples",
)
TOML = ("experiments", "examples", "src", "pyproject.toml")
PAGES = ("src", "examples")
PYTHON = ("benchmarks", "docs", "examples", "src", "tests", "tools")

# These quote the phrases.
QUOTED = frozenset({"tools/prose.py", "tests/test_prose.py"})

# A phrase, as a regular expression, and what to write instead.
PHRASES = {
    "so many": "a number, the number of, that many",
    "(?:is|are|was|were|be|been|being) told": "receives, hears, is notified",
    "(?:tell|tells|telling) (?:people|somebody|everybody|nobody)": "shows, reports, notifies",
    "nobody tells": "say who does, or who does not know",
    "(?:go|goes|going|gone|went) on (?:with|from|to the same)": "continue, resume",
    "(?:by|to|of|for|from|against|with) whom|whom (?:to|it|they)": "name the person, such as its creator",
    "to whose": "name the person",
    "(?:for|to|of|from|by|with|beside) who(?:ever)?|whoever": "a player who, anyone who",
    "who is to move": "the player to move",
    "such an?": "this, that, a … of this kind",
    "(?:that|this|it) is what": "start with the thing itself",
    "what (?:is|was|were) (?:said|told)": "name it: the message, the announcement",
    "what (?:came|comes|becomes) of": "the result of, the effect on",
    "what there is": "the list, what exists",
    r"(?:an?|the) \w+ of (?:yours|theirs|ours)": "your own, one of their, our",
    "the same of": "the same for",
    "nothing (?:else )?(?:is )?said|if not said": "by default",
    "as (?:it|they) stands?(?! on| in| at| for)": "unchanged, literally",
    "stands? (?:there|behind it|beside it)": "is there, follows",
    "nothing to wait for": "give the time it takes",
    "anew": "again",
    "once more": "again",
    "in vain": "without success, wasted",
    "at hand": "available",
    "(?:is|are) asked for": "on first use, is requested",
    "processor(?:'s)? (?:time|seconds?)": "CPU time, CPU seconds",
    "hours of a core": "CPU hours",
    "(?:games|trials|moves|rounds|playouts|iterations|attempts|positions) a (?:second|move|game|turn)": "per",
    "(?:milliseconds?|seconds?|ms|playouts|time) (?:a|for a) (?:move|card|turn|attempt)": "per",
    r"some (?:\d[\d.,]*|two|three|four|five|six|ten|twenty) (?:and a half )?(?:hours?|minutes?|seconds?|ms)": "about",
    r"throw(?:s|n|ing)? (?:\w+ ){0,3}cards? away": "discard",
    "aslant": "diagonally",
    "oftener": "more often",
    "by lot": "at random",
    "as well as it can": "without exploration, at full strength",
    r"(?:holds?|held) (?:\w+ ){1,3}to (?:it|them|that|this)": "checks, enforces",
    "hand(?:s|ed|ing)? (?:it |them )?over": "pass, supply",
    "liv(?:e|es|ed|ing) through": "replay",
    "(?:speaks?|spoken) of": "mention, be about",
    "(?:is|are) of (?:no )?use": "is useful, is still needed, is useless",
    r"(?:is|are|was) to be (?:\w+ed|read|had|found|made|bred)": "must be, can be, should be",
    "gets? on with (?:one|each|the|others?)": "plays well with",
    "in (?:its|his|their) mind": "as a model, as a blueprint",
    "put away": "archived, closed",
    "the own": "its own, the player's own",
    "games? that somebody wins": "competitive games",
    "unguarded": "without a sandbox",
    "passed (?:it|them|her|him) by": "a negative hint",
    r"which (?:that|this) \w+ has not": "which this … does not implement",
}
# A space in a phrase also matches the end of a line, with the sign of a comment at the start of the next.
SPACE = r"(?:[ ]+|[ ]*\n[ ]*(?:(?:\#:?|//)[ ]+)?)"
BANNED = re.compile(
    rf"\b(?:{'|'.join(f'(?P<p{number}>{phrase})' for number, phrase in enumerate(PHRASES))})\b".replace(" ", SPACE),
    re.IGNORECASE,
)
ADVICE = tuple(PHRASES.values())
# "Who made the table can delete it." A question ends otherwise.
SUBJECT = re.compile(r"(?:^|(?<=[.:;] ))(?:[ #|*-]|\d+\.)*Who [^.?!|]*[.!|]", re.MULTILINE)

FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
UNCHECKED = re.compile(r"`[^`]*`|(?<=\])\([^)]*\)|<!--.*?-->|^>.*$|(?<!\*)\*[^*\n]+\*(?!\*)", re.MULTILINE)
INSERTED = re.compile(r"\$\{[^{}]*\}")  # into a text of JavaScript
UNWRAPPED = re.compile(r" *\||<!--|!\[")  # tables, comments and pictures are one line each


class Fault(NamedTuple):
    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "_", found[0])


def phrases(text: str) -> Iterator[tuple[int, str]]:
    """The phrases to avoid in a text, each with its line."""
    text = UNCHECKED.sub(blank, text)
    for found in BANNED.finditer(text):
        advice = ADVICE[int(str(found.lastgroup)[1:])]
        yield text.count("\n", 0, found.start()) + 1, f"“{' '.join(found[0].split())}”: {advice}"
    for found in SUBJECT.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, "“Who …” as a subject: a player who, the creator"


def of_markdown(text: str) -> Iterator[tuple[int, str]]:
    text = FENCE.sub(blank, text)
    yield from phrases(text)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS and not UNWRAPPED.match(line) and " " in line.strip():
            yield number, f"{len(line)} columns; the limit is {COLUMNS}"


def of_python(text: str) -> Iterator[tuple[int, str]]:
    """The docstrings, the comments, and the texts of a program: strings of at least three words."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(" ") > 1:
            yield from ((node.lineno + line - 1, fault) for line, fault in phrases(node.value))
    comments = [""] * (text.count("\n") + 1)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0] - 1] = token.string
    yield from phrases("\n".join(comments))


def of_page(text: str) -> Iterator[tuple[int, str]]:
    """The texts of the page and the comments: backticks there enclose a text, not code."""
    yield from phrases(INSERTED.sub(blank, text).replace("`", "'"))


FORMATS = (
    (MARKDOWN, "*.md", of_markdown),
    (TOML, "*.toml", phrases),
    (PYTHON, "*.py", of_python),
    (PAGES, "*.js", of_page),
    (PAGES, "*.mjs", of_page),
    (PAGES, "*.html", of_page),
)


def lint() -> list[Fault]:
    faults = []
    for roots, pattern, check in FORMATS:
        for root in (ROOT / name for name in roots):
            for file in sorted(root.rglob(pattern)) if root.is_dir() else [root]:
                path = file.relative_to(ROOT).as_posix()
                if path not in QUOTED:
                    faults += [Fault(path, line, text) for line, text in check(file.read_text(encoding="utf-8"))]
    return faults


if __name__ == "__main__":
    for fault in (found := lint()):
        print(fault)
    sys.exit(1 if found else 0)
