"""The notebook runs from top to bottom, on few games, and every cell that shows something shows it."""

import ast
import json
from pathlib import Path

import polars
import pytest

from tests.docs.pages import ROOT

NOTEBOOK = ROOT / "examples" / "laboratory.ipynb"
CELLS = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]


def run(source: str, names: dict[str, object]) -> object:
    """The value of the last expression of a cell, as a notebook shows it."""
    statements = ast.parse(source).body
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else None
    exec(compile(ast.Module(statements, []), NOTEBOOK, "exec"), names)
    return eval(compile(ast.Expression(last.value), NOTEBOOK, "eval"), names) if isinstance(last, ast.Expr) else None


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMES", "4")
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, object] = {"__name__": "__main__"}
    with polars.Config():
        shown = [run("".join(cell["source"]), names) for cell in CELLS if cell["cell_type"] == "code"]
    said = capsys.readouterr().out
    assert "trustful_2020" in said
    assert "points for sitting together" in said
    pictures = [each for each in shown if hasattr(each, "savefig")]
    assert len(pictures) == 5  # chapter 5 together, and figures 6.1 to 6.4
    pictures[-1].savefig(tmp_path / "figure.png")


def test_the_notebook_is_stored_without_output() -> None:
    code = [cell for cell in CELLS if cell["cell_type"] == "code"]
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []
