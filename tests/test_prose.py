"""The linter of the project's English finds phrases to avoid, and leaves code and quotations alone."""

import pytest

from tools import prose


@pytest.mark.parametrize(
    "text",
    [
        "It plays so many games.",
        "The table's creator is told that a seat\nis free, and the others are\ntold later.",
        "# The seed of the series\n# the tables are put\n# away later",
        "Who made the table can delete it.",
        "- Who made the table can delete it.",
    ],
)
def test_a_phrase_to_avoid_is_found_across_lines(text: str) -> None:
    assert list(prose.phrases(text))


@pytest.mark.parametrize(
    "text",
    [
        "It plays 400 games per second.",
        "Who made the table?",
        "The field `is told` keeps its name.",
        "> it is told\n",
        "The page says *Whom to ask*.",
        "See [the page](is told).",
    ],
)
def test_code_quotations_and_questions_pass(text: str) -> None:
    assert list(prose.phrases(text)) == []


def test_a_fault_has_the_line_of_its_phrase() -> None:
    page = "# Title\n\n```\nso many\n```\n\nA line.\nThere are so\nmany of them.\n"
    assert list(prose.of_markdown(page)) == [(8, "“so many”: a number, the number of, that many")]


def test_long_lines_are_found_outside_tables_and_code() -> None:
    long = "word " * 30
    assert [line for line, _ in prose.of_markdown(f"{long}\n| {long} |\n```\n{long}\n```\n")] == [1]


def test_python_is_checked_in_docstrings_comments_and_texts() -> None:
    code = 'def told():\n    """It is told."""\n    # so many\n    return "there are so many", "so many"\n'
    assert sorted(line for line, _ in prose.of_python(code)) == [2, 3, 4]


def test_texts_of_the_page_are_checked_without_what_is_inserted() -> None:
    script = "// There are so\n// many of them.\nconst text = `${so_many} players, so many`;\n"
    assert sorted(line for line, _ in prose.of_page(script)) == [1, 3]
