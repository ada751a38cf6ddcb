"""Build the sdist and the wheel, check their contents, install the wheel in clean environments and use it there.

    python tools/release_check.py --constraint constraints.txt 3.12 3.13

checks the wheel with this Python and the named versions that uv finds.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
UV = str(Path(sys.executable).with_name("uv"))
PACKAGED = {".py", ".typed", ".js", ".css", ".svg", ".html", ".json", ".npz", ".toml", ".gz"}
SOURCES = (
    "src/", "experiments/", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff",
    "PKG-INFO", ".gitignore",
)  # fmt: skip
SECONDS = 900  # for any one command: an empty cache compiles everything


class ReleaseError(Exception):
    """The packages must not be published."""


def files_to_ship() -> set[str]:
    """The files that a wheel must have, by their names in it; an ending that nobody expects is an error."""
    found = {}
    for folder, target in (("src/kibitz", "kibitz"), ("experiments", "kibitz/experiments")):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                found[f"{target}/{path.relative_to(ROOT / folder).as_posix()}"] = path
    strange = sorted(name for name, path in found.items() if path.suffix not in PACKAGED)
    if strange:
        raise ReleaseError(f"These files are not packaged by intention: {', '.join(strange)}. See PACKAGED.")
    return set(found)


def check_wheel(path: Path) -> None:
    """A wheel has every file of the package, and nothing else."""
    with ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    wanted = files_to_ship()
    for what, wrong in (("lacks", wanted - names), ("should not have", names - wanted)):
        if wrong:
            raise ReleaseError(f"{path.name} {what} {', '.join(sorted(wrong))}.")


def check_sdist(path: Path) -> None:
    """An sdist has what builds the wheel, and no tests, caches or environments."""
    with tarfile.open(path) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    wrong = sorted(name for name in names if not name.startswith(SOURCES) or "__pycache__" in name)
    if wrong:
        raise ReleaseError(f"{path.name} should not have {', '.join(wrong)}.")


class Installed:
    """A wheel in an environment of its own, with a cache of its own and without the repository."""

    def __init__(self, wheel: Path, folder: Path, python: str, constraint: list[str]) -> None:
        self.folder, self.bin = folder, folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KIBITZ"))}
        self.environment = {**kept, "KIBITZ_CACHE": str(folder / "cache"), "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        run(UV, "venv", "--quiet", "--python", python, str(folder / "venv"))
        run(UV, "pip", "install", "--quiet", "--python", str(self.bin / "python"), *constraint, str(wheel))

    def kibitz(self, *words: str, typed: str = "") -> str:
        return run(str(self.bin / "kibitz"), *words, cwd=self.folder, env=self.environment, typed=typed)

    def wants(self, sentence: str, *words: str, typed: str = "") -> None:
        print(f"  kibitz {' '.join(words)}", flush=True)
        said = self.kibitz(*words, typed=typed)
        if sentence not in said:
            raise ReleaseError(f"kibitz {' '.join(words)} does not print {sentence!r}:\n{said}")

    def check(self) -> None:
        self.wants(f"kibitz {version()}\n", "--version")
        self.wants("pip install 'kibitz[charts]'", "doctor")
        self.wants("hanabi", "games")
        self.wants("1,000 games", "match", "hanabi", "piers", "--players", "3")
        self.wants("Elo points", "cross", "connect4", "random", "greedy", "--games", "20")
        self.wants("unibo-2020", "reproduce")  # the experiments are packaged
        self.wants(
            "wins", "play", "connect4", "--seats", "human,random", "--seed", "1", typed="4\n1\n2\n3\n5\n6\n7\n" * 9
        )
        self.check_server()

    def check_server(self) -> None:
        print("  kibitz serve", flush=True)
        command = [str(self.bin / "kibitz"), "serve", "--no-open", "--port", "0", "--programs", "0"]
        with subprocess.Popen(
            [*command, "--data", str(self.folder / "data")],
            cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as server:  # fmt: skip
            assert server.stdout is not None
            found = re.search(r"http://localhost:\d+", server.stdout.readline())
            try:
                if not found:
                    raise ReleaseError("kibitz serve prints no address.")
                for file in ("/", "/static/main.js", "/games/hanabi/board.js"):
                    with urlopen(found[0] + file, timeout=SECONDS) as answer:
                        if not answer.read():
                            raise ReleaseError(f"kibitz serve sends nothing for {file}.")
            finally:
                server.send_signal(signal.SIGINT)
                said = server.communicate(timeout=SECONDS)[0]
        if server.returncode != 128 + signal.SIGINT or "All tables are saved" not in said:
            raise ReleaseError(f"kibitz serve ended with exit code {server.returncode}:\n{said}")


def run(*command: str, typed: str = "", **more: object) -> str:
    done = subprocess.run(  # type: ignore[call-overload]
        command, input=typed, capture_output=True, text=True, timeout=SECONDS, check=False, **more
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} ended with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def version() -> str:
    found = re.search(r'__version__ = "(.*)"', (ROOT / "src/kibitz/__init__.py").read_text("utf-8"))
    assert found
    return found[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs="*", help="More versions of Python, such as 3.12.")
    parser.add_argument("--constraint", help="A file of tested versions.")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="Copy packages that pass to this folder.")
    asked = parser.parse_args()
    constraint = [] if asked.constraint is None else ["--constraint", str(Path(asked.constraint).resolve())]
    with tempfile.TemporaryDirectory() as name:
        built = Path(name) / "dist"
        print("Building the sdist, and the wheel from it.", flush=True)
        pinned = ["--build-constraint", constraint[1]] if constraint else []
        run(UV, "build", "--quiet", "--out-dir", str(built), *pinned, cwd=ROOT)
        (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
        check_sdist(sdist)
        check_wheel(wheel)
        run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
        for python in (sys.executable, *asked.pythons):
            print(f"{wheel.name} in a clean environment of {python}", flush=True)
            folder = Path(name) / re.sub(r"\W", "_", python)
            folder.mkdir()
            Installed(wheel, folder, python, constraint).check()
        if asked.keep is not None:
            asked.keep.mkdir(parents=True, exist_ok=True)
            for package in (wheel, sdist):
                shutil.copy(package, asked.keep)
    print("The packages can be released.")


if __name__ == "__main__":
    try:
        main()
    except ReleaseError as error:
        sys.exit(f"release check: {error}")
