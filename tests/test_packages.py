"""What is packaged is what the program needs, and what was tested can be installed again."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kibitz import __version__
from tools import release_check

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_packages_have_every_file_and_no_other(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel], [sdist] = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    assert wheel.name == f"kibitz-{__version__}-py3-none-any.whl"
    release_check.check_wheel(wheel)
    release_check.check_sdist(sdist)


def test_a_file_that_nobody_expects_is_not_packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src/kibitz").mkdir(parents=True)
    (tmp_path / "src/kibitz/notes.bak").touch()
    monkeypatch.setattr(release_check, "ROOT", tmp_path)
    with pytest.raises(release_check.ReleaseError, match=r"kibitz/notes.bak"):
        release_check.files_to_ship()


def direct_requirements() -> list[Requirement]:
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    extras = project["optional-dependencies"]
    listed = [project["dependencies"], *groups.values()]
    listed += extras.values()
    found = [Requirement(text) for packages in listed for text in packages]
    return [each for each in found if each.name != "kibitz"]


def test_the_lock_has_a_version_of_every_direct_requirement_and_no_address() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    locked = [Requirement(line) for line in lines]
    versions: dict[str, list[str]] = {}
    for each in locked:
        assert each.url is None
        versions.setdefault(canonicalize_name(each.name), []).append(str(each.specifier).removeprefix("=="))
    for wanted in direct_requirements():
        assert all(wanted.specifier.contains(version) for version in versions[canonicalize_name(wanted.name)]), wanted


def test_changelog_and_citation_have_the_version_with_one_date() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    dated = re.search(rf"^## {re.escape(__version__)} \((.+)\)$", changes, re.MULTILINE)
    assert dated
    assert f"\nversion: {__version__}\ndate-released: {dated[1]}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
