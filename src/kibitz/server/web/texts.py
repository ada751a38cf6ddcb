"""The catalogues of the page's texts, `static/texts/*.json`: a file for each language, sent in sections.

A section has `texts`, by the English text, and `sentences` that the server writes, with names of their parts in braces.
A browser loads the section of the page and that of the game shown. See docs/how-to/translate.md.
"""

import json
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from kibitz.server.web.page_files import KeptFile, kept_in_memory, missing

FOLDER = Path(__file__).with_name("static") / "texts"

NOTHING = kept_in_memory(b'{"texts":{},"sentences":{}}')  # of games from other packages


def response(language: str, section: str, request: Request) -> Response:
    if language not in languages():
        return missing()
    return sections(language).get(section, NOTHING).response(request, "application/json")


@cache
def languages() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.json"))


@cache
def sections(language: str) -> dict[str, KeptFile]:
    catalogue = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return {name: kept_in_memory(compact(section)) for name, section in catalogue.items()}


def compact(section: dict[str, object]) -> bytes:
    return json.dumps(section, ensure_ascii=False, separators=(",", ":")).encode()
