"""Where files of the user are kept: the folders of the system, those that variables name, and those of before."""

from pathlib import Path

import pytest

from kibitz.engine import folders


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("KIBITZ_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


def on_another_system(monkeypatch: pytest.MonkeyPatch, home: Path) -> Path:
    """As on a system that has its own place for such folders."""
    library = home / "Library"
    monkeypatch.setattr(folders, "user_cache_path", lambda name, appauthor: library / "Caches" / name)
    monkeypatch.setattr(folders, "user_data_path", lambda name, appauthor: library / "Support" / name)
    return library


def test_variables_name_the_folder_and_the_first_one_counts(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "KIBITZ_CACHE"):
        monkeypatch.setenv(name, str(home / name))
        assert folders.cache_folder() == home / name / "kibitz"
    monkeypatch.setenv("XDG_DATA_HOME", "~/data")
    assert folders.data_folder() == home / "data" / "kibitz"


@pytest.mark.skipif("sys.platform != 'linux'", reason="the folders of Linux")
def test_on_linux_the_folders_are_those_of_xdg(home: Path) -> None:
    assert folders.cache_folder() == home / ".cache" / "kibitz"
    assert folders.data_folder() == home / ".local" / "share" / "kibitz"


def test_other_systems_have_folders_of_their_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = on_another_system(monkeypatch, home)
    assert folders.cache_folder() == library / "Caches" / "kibitz"
    assert folders.data_folder() == library / "Support" / "kibitz"


def test_tables_that_an_earlier_version_kept_are_found_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_another_system(monkeypatch, home)
    for place in (".cache", ".local/share"):
        (home / place / "kibitz").mkdir(parents=True)
    assert folders.cache_folder() == home / ".cache" / "kibitz"
    assert folders.data_folder() == home / ".local" / "share" / "kibitz"
