"""The ending that the documentation draws in extensive form follows from the rules and the views."""

import importlib
from pathlib import Path
from typing import Any

import pytest

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


@pytest.fixture
def extensive_form(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(PICTURES)
    return importlib.import_module("extensive_form")


def test_the_tree_has_the_information_sets_that_the_page_describes(extensive_form: Any) -> None:
    root = extensive_form.tree()
    sets = extensive_form.information_sets(root)
    assert len(root.leaves()) == 19
    assert sorted((nodes[0].who, len(nodes)) for nodes in sets) == [
        ("G1", 1), ("G1", 3), ("G2", 1), ("G2", 1), ("G2", 1), ("G2", 2), ("G2", 2),
    ]  # fmt: skip
    for nodes in sets:
        assert len({tuple(each.move for each in node.below) for node in nodes}) == 1, "the same moves at all nodes"


def test_the_page_shows_the_number_of_decks_and_the_drawing_as_it_is(extensive_form: Any) -> None:
    page = (PICTURES.parent / "explanation" / "love-letter-tree.md").read_text("utf-8")
    assert f"{extensive_form.decks():,} different orders" in " ".join(page.split())
    drawn = (PICTURES / "extensive-form.svg").read_text("utf-8")
    assert drawn == extensive_form.svg(extensive_form.tree())
