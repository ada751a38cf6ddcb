"""Files of the page are served from memory, in the version that is on the disk."""

import errno
import gzip
from pathlib import Path
from typing import NoReturn

import pytest
from starlette.requests import Request

import kibitz
from kibitz.server.web.page_files import PageFiles, whole_file


def asking(etag: str = "", accepted: str = "") -> Request:
    headers = [(b"if-none-match", etag.encode())] if etag else []
    headers += [(b"accept-encoding", accepted.encode())] if accepted else []
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


def no_descriptor(path: Path) -> NoReturn:
    raise OSError(errno.EMFILE, "Too many open files")


def test_a_page_loads_when_no_file_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").write_text("<p>here")
    files = PageFiles()
    files.keep(tmp_path)
    monkeypatch.setattr(Path, "read_bytes", no_descriptor)
    response = files.response(tmp_path, "index.html", asking())
    assert (response.status_code, response.body) == (200, b"<p>here")
    assert response.headers["content-type"].startswith("text/html")


def test_a_file_that_cannot_be_opened_is_no_empty_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "late.js").write_text("1")
    monkeypatch.setattr(Path, "read_bytes", no_descriptor)
    assert PageFiles().response(tmp_path, "late.js", asking()).status_code == 503
    assert whole_file(tmp_path / "late.js").status_code == 503


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    files, path = PageFiles(), tmp_path / "board.js"
    path.write_text("old")
    old = files.response(tmp_path, "board.js", asking())
    assert files.response(tmp_path, "board.js", asking(old.headers["etag"])).status_code == 304
    path.write_text("newer")
    new = files.response(tmp_path, "board.js", asking(old.headers["etag"]))
    assert (new.status_code, new.body) == (200, b"newer")


@pytest.mark.parametrize("file", ["../secret", "/etc/passwd", "", ".", "no\0name", "x" * 5000])
def test_only_files_of_the_folder(tmp_path: Path, file: str) -> None:
    (tmp_path / "secret").write_text("no")
    (tmp_path / "page").mkdir()
    assert PageFiles().response(tmp_path / "page", file, asking()).status_code == 404


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
    ],
)
def test_a_file_is_sent_compressed_to_who_takes_it(tmp_path: Path, accepted: str, compressed: bool) -> None:
    (tmp_path / "board.js").write_text("1 + " * 1000)
    files = PageFiles()
    response = files.response(tmp_path, "board.js", asking(accepted=accepted))
    body = gzip.decompress(response.body) if compressed else response.body
    assert body == b"1 + " * 1000
    assert response.headers.get("content-encoding") == ("gzip" if compressed else None)
    assert response.headers["vary"] == "accept-encoding"
    again = asking(response.headers["etag"], accepted)
    assert files.response(tmp_path, "board.js", again).status_code == 304
    other = asking(response.headers["etag"], "" if compressed else "gzip")
    assert files.response(tmp_path, "board.js", other).status_code == 200


def test_what_compressing_makes_larger_is_sent_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "x.js").write_text("1")
    response = PageFiles().response(tmp_path, "x.js", asking(accepted="gzip"))
    assert (response.body, response.headers.get("content-encoding")) == (b"1", None)


def test_scripts_are_sent_without_comments_and_each_line_stays_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "board.js").write_text('// A board.\nif (on) {\n  go("http://x // y"); // now\n}\n')
    (tmp_path / "board.css").write_text("/* All\n   of it */\n.board {\n  color: red; /* so far */\n}\n")
    files = PageFiles()
    assert files.response(tmp_path, "board.js", asking()).body == b'\nif (on) {\ngo("http://x // y");\n}\n'
    assert files.response(tmp_path, "board.css", asking()).body == b"\n\n.board {\ncolor: red; \n}\n"


def test_no_template_of_the_page_has_several_lines() -> None:
    """Their indentation would not be sent."""
    source = Path(kibitz.__file__).parent
    for path in (*source.glob("server/web/static/*.js"), *source.glob("games/**/page/*.js")):
        code = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("//")]
        assert all(line.count("`") % 2 == 0 for line in code), path.name
