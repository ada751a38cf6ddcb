"""How Sphinx builds the documentation site: `make docs`."""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import kibitz

DOCS = Path(__file__).parent

project = "kibitz"
version = release = kibitz.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["**/*.py", "_site"]

myst_heading_anchors = 3  # the anchors of a code host
myst_enable_extensions = ["strikethrough"]

default_role = "code"  # docstrings write `name`, as Markdown does
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
python_maximum_signature_line_length = 88
add_module_names = False

html_theme = "furo"
html_title = "kibitz"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_copyright = False


def navigation(index: str) -> str:
    """The table of contents: the links of each section of index.md, in their order."""
    trees = []
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        caption, _, text = section.partition("\n")
        pages = re.findall(r"\]\(([\w/.-]+)\.md\)", text)
        trees.append("\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```"]))
    return "\n\n".join(trees)


def prepare(app: Sphinx, page: str, source: list[str]) -> None:
    """Add what a code host would show as code, so that the Markdown stays readable there."""
    if page == "index":
        source[0] += "\n\n" + navigation(source[0])
    source[0] = re.sub(r"^<!-- api: ([\w.]+) -->$", reference, source[0], flags=re.MULTILINE)
    source[0] = re.sub(r"\[([^\]]+)\]\(((?:\.\./)+[\w/.-]+)\)", lambda link: inside(page, link), source[0])


def reference(comment: re.Match[str]) -> str:
    """`<!-- api: module -->` becomes the reference of a module, without the names that `kibitz` itself exports."""
    module = comment[1]
    names = sorted(set(kibitz.__all__) - {"__version__"}, key=lambda name: (name[0].isupper(), name))
    lines = [f".. automodule:: {module}", f"   :exclude-members: {', '.join(names)}"]
    if module == "kibitz":
        lines[1] = "   :no-members:"
        for each in names:  # functions first
            value = getattr(kibitz, each)
            place = "kibitz.api.catalogue" if isinstance(value, ModuleType) else module  # `games` is a package, too
            lines += ["", f".. auto{'class' if isinstance(value, type) else 'function'}:: {place}.{each}"]
    return "\n".join(["```{eval-rst}", *lines, "```"])


def inside(page: str, link: re.Match[str]) -> str:
    """A link, or only its text if it leads to a folder or a page that a code host shows and the site does not have."""
    target = (DOCS / page).parent.joinpath(link[2]).resolve()
    return link[1] if target.is_dir() or (target.suffix == ".md" and DOCS not in target.parents) else link[0]


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_lexer("mermaid", TextLexer)  # a code host draws these diagrams; their source is readable, too
    app.connect("source-read", prepare)
    return {"parallel_read_safe": True}
