"""`kibitz doctor` says what is installed, and what is missing for which feature."""

import json
import sys
from pathlib import Path

import pytest

from kibitz import __version__, extras
from kibitz.core import installation
from kibitz.engine import fast_path
from tests.cli.conftest import Kibitz


def test_versions_the_cache_and_what_is_missing_are_shown(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "cache" / "kibitz"
    folder.mkdir(parents=True)
    (folder / "code.nbc").write_bytes(bytes(2_500_000))
    monkeypatch.setenv("KIBITZ_CACHE", str(folder.parent))
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "endplay" else name)
    monkeypatch.setattr(installation, "browser", lambda: None)
    code, out, _ = kibitz("doctor")
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert f"kibitz {__version__}" in lines
    assert ("fast path on" if not fast_path.WHY_PLAIN else f"fast path off: {fast_path.WHY_PLAIN}") in lines
    for words in (
        f"{folder}, 1 files, 2.5 MB",
        "endplay missing; pip install 'kibitz[bridge]' (for the bridge agent sampler)",
        "none found",
    ):
        assert words in out
    found = json.loads(kibitz("doctor", "--json")[1])
    assert found["cache"] == {"folder": str(folder), "files": 1, "bytes": 2_500_000, "problem": ""}
    assert found["extras"]["bridge"]["missing"] == ["endplay"]
    assert found["extras"]["env"]["missing"] == []
    assert kibitz("--version", "--verbose")[1] == out
    assert kibitz("--version")[1] == f"kibitz {__version__}\n"


@pytest.mark.skipif("os.name != 'posix'", reason="Windows closes the folders of users to others")
def test_a_cache_that_is_not_safe_is_named(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "kibitz"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    monkeypatch.setenv("KIBITZ_CACHE", str(folder.parent))
    assert "not used: " in kibitz("doctor")[1]
    assert json.loads(kibitz("doctor", "--json")[1])["cache"]["problem"] == f"other users can write to {folder}"


def test_a_compiler_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kibitz.engine.compile", None)
    assert "numba cannot be loaded: " in installation.compiling()["why_not"]
