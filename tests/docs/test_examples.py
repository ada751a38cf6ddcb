"""What the documentation shows works as it is shown: its Python, its commands, and what they print."""

import doctest
import sys
from pathlib import Path

import pytest

from kibitz import cli
from tests.docs.commands import BrokenCommandError, check, commands
from tests.docs.pages import PAGES, ROOT, Block, blocks, name

SHELL = ("sh", "")
MARKS = ("run", "file: ", "not run: ", "writes: ")
# What is shown of these files is run where the files are tested.
EXAMPLES = [file.read_text() for file in (ROOT / "examples").glob("*/*/**/*.py")]


def test_commands_are_run_or_say_why_not() -> None:
    guides = [page for page in PAGES if name(page).startswith(("README", "docs/tutorial/", "docs/how-to/"))]
    shown = [block for page in guides for block in blocks(page) if block.language in SHELL]
    assert [block.place for block in shown if not block.mark] == []


class Shell:
    """Types commands in an empty folder that has the examples of the repository."""

    def __init__(self, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.capture, self.patch, self.folder = capture, patch, folder
        self.written: set[str] = set()
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        for shared in ("examples", "experiments"):
            (folder / shared).symlink_to(ROOT / shared)

    def types(self, block: Block) -> str:
        printed = ""
        for words in commands(block.text):
            try:
                check(words, self.written)
            except BrokenCommandError as broken:
                pytest.fail(f"{block.place}: {' '.join(words)}\n{broken}")
            if block.mark == "run" and words[0] == "kibitz":
                printed += self.runs(block, words)
        return printed

    def runs(self, block: Block, words: list[str]) -> str:
        self.patch.setattr(sys, "argv", words)
        code = 0
        try:
            cli.run()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        said = self.capture.readouterr()
        assert code == 0, f"{block.place}: {' '.join(words)}\n{said.err}"
        return said.out


def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shell = Shell(capsys, monkeypatch, tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        assert not block.mark or block.language not in (*SHELL, "python") or block.mark.startswith(MARKS), block.place
        printed = None
        if file := block.after("file: "):
            (tmp_path / file).write_text(block.text)
        elif any(block.text in example for example in EXAMPLES):
            continue
        elif block.language in SHELL:
            shell.written.update((block.after("writes: ") or "").split())
            shown = shell.types(block)
            printed = shown if block.mark == "run" else None
        elif block.language == "python" and not block.after("not run: "):
            exec(compile("\n" * int(block.place.rpartition(":")[2]) + block.text, block.place, "exec"), names)
            printed = capsys.readouterr().out
        if printed is not None and block.output is not None and not same(block.output, printed):
            pytest.fail(f"{block.place} prints:\n{printed[:4000]}")


def same(shown: str, printed: str) -> bool:
    """Whether the output is as shown, where `...` stands for anything, without spaces at the ends of lines."""
    want, got = ("\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n" for text in (shown, printed))
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    shown = [page for page in PAGES if any(block.language in (*SHELL, "python") for block in blocks(page))]
    if "page" in metafunc.fixturenames:
        metafunc.parametrize("page", shown, ids=[name(page) for page in shown])
