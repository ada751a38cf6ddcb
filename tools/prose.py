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

# What is checked, files or folders. Python contributes its docstrings and comments: add folders as they are rewritten.
MARKDOWN = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks", "docs", "examples")
TOML = ("experiments",)
PYTHON = (
    "benchmarks/bridge.py",
    "benchmarks/bridge_fusion.py",
    "benchmarks/convention_ladder.py",
    "benchmarks/convention_search.py",
    "benchmarks/dicechess.py",
    "benchmarks/kriegspiel.py",
    "benchmarks/kriegspiel_ladder.py",
    "benchmarks/reinforced_ladder.py",
    "benchmarks/reinforced_tables.py",
    "benchmarks/seeing_kings.py",
    "benchmarks/signal_ladder.py",
    "docs/results",
    "examples/train_player.py",
    "src/kibitz/bots",
    "src/kibitz/client",
    "src/kibitz/core",
    "src/kibitz/core/network.py",
    "src/kibitz/core/network_training.py",
    "src/kibitz/engine",
    "src/kibitz/errors.py",
    "src/kibitz/games/bridge",
    "src/kibitz/games/chess",
    "src/kibitz/games/dicechess",
    "src/kibitz/games/hanabi/__init__.py",
    "src/kibitz/games/hanabi/agents/__init__.py",
    "src/kibitz/games/hanabi/agents/aimless.py",
    "src/kibitz/games/hanabi/agents/bayesian_trustful.py",
    "src/kibitz/games/hanabi/agents/bot1.py",
    "src/kibitz/games/hanabi/agents/bot2.py",
    "src/kibitz/games/hanabi/agents/breeding.py",
    "src/kibitz/games/hanabi/agents/cheater.py",
    "src/kibitz/games/hanabi/agents/choices.py",
    "src/kibitz/games/hanabi/agents/compose.py",
    "src/kibitz/games/hanabi/agents/convention",
    "src/kibitz/games/hanabi/agents/distrustful.py",
    "src/kibitz/games/hanabi/agents/elites.py",
    "src/kibitz/games/hanabi/agents/hajdu.py",
    "src/kibitz/games/hanabi/agents/hat_information.py",
    "src/kibitz/games/hanabi/agents/hat_recommend.py",
    "src/kibitz/games/hanabi/agents/hat_sums.py",
    "src/kibitz/games/hanabi/agents/hat_table.py",
    "src/kibitz/games/hanabi/agents/human_proxy.py",
    "src/kibitz/games/hanabi/agents/network.py",
    "src/kibitz/games/hanabi/agents/network_inputs.py",
    "src/kibitz/games/hanabi/agents/partners.py",
    "src/kibitz/games/hanabi/agents/promises.py",
    "src/kibitz/games/hanabi/agents/random_legal.py",
    "src/kibitz/games/hanabi/agents/reinforced",
    "src/kibitz/games/hanabi/agents/rule_files.py",
    "src/kibitz/games/hanabi/agents/rule_lists.py",
    "src/kibitz/games/hanabi/agents/rule_words.py",
    "src/kibitz/games/hanabi/agents/rulebook.py",
    "src/kibitz/games/hanabi/agents/signal",
    "src/kibitz/games/hanabi/agents/simple_distrustful.py",
    "src/kibitz/games/hanabi/agents/tips.py",
    "src/kibitz/games/hanabi/agents/trustful.py",
    "src/kibitz/games/hanabi/analytics.py",
    "src/kibitz/games/hanabi/behaviour.py",
    "src/kibitz/games/hanabi/board.py",
    "src/kibitz/games/hanabi/cards.py",
    "src/kibitz/games/hanabi/env",
    "src/kibitz/games/hanabi/formats",
    "src/kibitz/games/hanabi/game.py",
    "src/kibitz/games/hanabi/knowledge.py",
    "src/kibitz/games/hanabi/moves.py",
    "src/kibitz/games/hanabi/page.py",
    "src/kibitz/games/hanabi/positions.py",
    "src/kibitz/games/hanabi/reason_words.py",
    "src/kibitz/games/hanabi/rules.py",
    "src/kibitz/games/hanabi/start_positions.py",
    "src/kibitz/games/hanabi/state.py",
    "src/kibitz/games/hanabi/view.py",
    "src/kibitz/games/hanabi/view_checks.py",
    "src/kibitz/games/hanabi/words.py",
    "src/kibitz/games/hanabi/worlds.py",
    "src/kibitz/games/kriegspiel",
    "src/kibitz/server/host",
    "src/kibitz/server/live",
    "src/kibitz/server/web",
    "src/kibitz/testing",
    "src/kibitz/text.py",
    "tests/bots",
    "tests/client",
    "tests/core",
    "tests/core/test_network_training.py",
    "tests/engine",
    "tests/games/bridge",
    "tests/games/chess",
    "tests/games/dicechess",
    "tests/games/hanabi/agents/signal",
    "tests/games/hanabi/agents/test_convention2.py",
    "tests/games/hanabi/agents/test_hats.py",
    "tests/games/hanabi/agents/test_network.py",
    "tests/games/hanabi/agents/test_reinforced.py",
    "tests/games/kriegspiel",
    "tests/server/web",
    "tests/testing",
    "tools",
)

# Not rewritten yet. The linter also fails if a file here passes, so this list only shrinks.
UNFINISHED = frozenset(
    {
        "docs/explanation/compiled-cache.md",
        "docs/how-to/serve.md",
    }
)

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
SPACE = r"(?:[ ]+|[ ]*\n[ ]*(?:\#:?[ ]+)?)"
BANNED = re.compile(
    rf"\b(?:{'|'.join(f'(?P<p{number}>{phrase})' for number, phrase in enumerate(PHRASES))})\b".replace(" ", SPACE),
    re.IGNORECASE,
)
ADVICE = tuple(PHRASES.values())
# "Who made the table can delete it." A question ends otherwise.
SUBJECT = re.compile(r"(?:^|(?<=[.:;] ))(?:[ #|*-]|\d+\.)*Who [^.?!|]*[.!|]", re.MULTILINE)

FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
UNCHECKED = re.compile(r"`[^`]*`|(?<=\])\([^)]*\)|<!--.*?-->|^>.*$|(?<!\*)\*[^*\n]+\*(?!\*)", re.MULTILINE)
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
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node, clean=False)
            if docstring:
                yield from ((node.body[0].lineno + line - 1, fault) for line, fault in phrases(docstring))
    comments = [""] * (text.count("\n") + 1)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0] - 1] = token.string
    yield from phrases("\n".join(comments))


FORMATS = ((MARKDOWN, "*.md", of_markdown), (TOML, "*.toml", phrases), (PYTHON, "*.py", of_python))


def lint() -> list[Fault]:
    faults, unfinished = [], set(UNFINISHED)
    for roots, pattern, check in FORMATS:
        for root in (ROOT / name for name in roots):
            for file in sorted(root.rglob(pattern)) if root.is_dir() else [root]:
                path = file.relative_to(ROOT).as_posix()
                found = [Fault(path, line, text) for line, text in check(file.read_text(encoding="utf-8"))]
                if path not in UNFINISHED:
                    faults += found
                elif found:
                    unfinished.remove(path)
    faults += [Fault(path, 1, "is clean: remove it from UNFINISHED in tools/prose.py") for path in sorted(unfinished)]
    return faults


if __name__ == "__main__":
    for fault in (found := lint()):
        print(fault)
    sys.exit(1 if found else 0)
