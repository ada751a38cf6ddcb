"""The cache holds code that is run: nobody but its user may write there."""

import atexit
import os
import pickle
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.engine import folders, private_folder
from kibitz.engine.private_folder import UnsafeError, check_folder, make_private, read_private

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows closes the folders of users to others")
SOMEBODY = 4711


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders.checked_folder.cache_clear()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "shared"))
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)


def owned_by(owner: int, *places: Path, mode: int | None = None) -> Callable[[Path], os.stat_result]:
    """What the system says of places, if these belonged to somebody."""

    def lstat(place: Path) -> os.stat_result:
        found = list(os.lstat(place))
        if place in places:
            found[stat.ST_UID] = owner
            found[stat.ST_MODE] = found[stat.ST_MODE] if mode is None else mode
        return os.stat_result(found)

    return lstat


def test_a_new_folder_is_closed_to_others(tmp_path: Path) -> None:
    folder = folders.private_folder("compiled")
    assert folder == tmp_path / "shared" / "kibitz" / "compiled"
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, folder.parent, folder.parent.parent)] == [0o700] * 3


@pytest.mark.parametrize("below", ["", "kibitz", "kibitz/compiled"])
def test_a_folder_that_others_can_write_is_replaced_by_an_own_one_and_that_is_said_once(
    tmp_path: Path, below: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "shared" / below
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    own = tmp_path / "home" / ".cache" / "kibitz"
    assert [folders.private_folder(name) for name in ("compiled", "reproduce")] == [own / "compiled", own / "reproduce"]
    said = capsys.readouterr().err
    assert said.count("is not used") == 1
    assert f"other users can write to {folder}" in said
    assert str(own) in said
    assert os.environ["KIBITZ_CACHE"] == str(own.parent), "children of this process use the same"


def test_without_a_safe_home_a_folder_that_goes_with_the_process_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path / "shared" / "kibitz", tmp_path / "home"):
        folder.mkdir(parents=True)
        folder.chmod(0o777)
    removed: list[tuple[Path, int]] = []
    monkeypatch.setattr(atexit, "register", lambda call, *given: removed.append(given))
    found = folders.private_folder("compiled")
    [(made, process)] = removed
    assert found == made / "kibitz" / "compiled"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    folders.remove_own(made, process + 1)
    assert made.exists(), "a fork of the process leaves it alone"
    folders.remove_own(made, process)
    assert not made.exists()


@pytest.mark.parametrize("above", [0, 1, 2])
def test_a_folder_on_the_way_that_belongs_to_somebody_else_is_refused(tmp_path: Path, above: int) -> None:
    folder = tmp_path / "a" / "b"
    make_private(folder)
    check_folder(folder)
    with pytest.raises(UnsafeError, match="belongs to another user"):
        check_folder(folder, owned_by(SOMEBODY, [folder, *folder.parents][above]))


@pytest.mark.skipif("os.geteuid() != 0", reason="only root can give files away")
def test_a_folder_of_another_user_is_refused_on_the_real_system(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    os.chown(folder, SOMEBODY, SOMEBODY)
    with pytest.raises(UnsafeError, match=r"shared belongs to another user"):
        make_private(folder / "kibitz")


def test_a_sticky_folder_of_root_may_be_on_the_way_and_not_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "tmp" / "kibitz"
    make_private(folder)
    (tmp_path / "tmp").chmod(0o1777)
    check_folder(folder)
    with pytest.raises(UnsafeError, match="other users can write"):
        check_folder(folder.parent)
    (tmp_path / "tmp").chmod(0o777)
    with pytest.raises(UnsafeError, match="other users can write"):
        check_folder(folder)


def test_a_folder_of_root_is_no_cache_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_private(tmp_path / "cache")
    monkeypatch.setattr(private_folder, "me", lambda: SOMEBODY)
    with pytest.raises(UnsafeError, match="belongs to another user"):
        check_folder(tmp_path / "cache", owned_by(0, tmp_path / "cache", *(tmp_path / "cache").parents))


def test_an_own_link_is_followed_and_one_of_somebody_else_is_refused(tmp_path: Path) -> None:
    make_private(tmp_path / "disk" / "cache")
    link = tmp_path / "link"
    link.symlink_to("disk")
    check_folder(link / "cache")
    with pytest.raises(UnsafeError, match="link belongs to another user"):
        check_folder(link / "cache", owned_by(SOMEBODY, link))
    with pytest.raises(UnsafeError, match="disk belongs to another user"):
        check_folder(link / "cache", owned_by(SOMEBODY, tmp_path / "disk"))
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(UnsafeError, match="too many links"):
        check_folder(tmp_path / "round")


def plant(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o666)


def test_a_file_that_others_can_write_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "code.nbc"
    plant(path, b"x")
    with pytest.raises(UnsafeError, match=r"other users can write to .*code\.nbc"):
        read_private(path)
    path.chmod(0o644)
    assert read_private(path) == b"x"


@pytest.mark.skipif("os.geteuid() != 0", reason="only root can give files away")
def test_a_file_of_another_user_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "code.nbc"
    path.write_bytes(b"x")
    os.chown(path, SOMEBODY, SOMEBODY)
    with pytest.raises(UnsafeError, match="belongs to another user"):
        read_private(path)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_not_a_file_is_not_read(tmp_path: Path, kind: str) -> None:
    (tmp_path / "real").write_bytes(b"x")
    path = tmp_path / "code.nbc"
    {"link": lambda: path.symlink_to("real"), "pipe": lambda: os.mkfifo(path), "folder": path.mkdir}[kind]()
    with pytest.raises(OSError):  # noqa: PT011 (which one depends on the system)
        read_private(path)


class Planted:
    """Runs when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("import os; os.environ['KIBITZ_PLANTED'] = 'ran'",)


def test_planted_code_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.engine import cache

    monkeypatch.delenv("KIBITZ_PLANTED", raising=False)
    path = tmp_path / "code.nbc"
    plant(path, pickle.dumps(Planted()))
    monkeypatch.setattr(cache.DigestCache, "path", lambda self, signature, codegen: path)

    class Context:
        def refresh(self) -> None: ...

        def codegen(self) -> None: ...

    assert cache.DigestCache(None, "", None).load_overload(None, Context()) is None
    assert "KIBITZ_PLANTED" not in os.environ
