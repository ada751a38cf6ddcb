"""Commands as the documentation shows them: their options, games and agents exist."""

import importlib.util
import re
import shlex
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import typer

from kibitz.arena import experiment
from kibitz.cli.app import app
from kibitz.core import registry
from kibitz.core.agent_spec import is_place
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from tests.docs.pages import ROOT

KIBITZ = typer.main.get_command(app)
MAKEFILE = (ROOT / "Makefile").read_text()
# Programs of the system, whose options are not ours to check.
OTHERS = frozenset(
    {"pip", "cd", "rm", "mv", "sqlite3", "git", "export", "unset", "uv", "dask", "srun", "sbatch", "helm", "kubectl"}
)
NOBODY = frozenset({"human", "open", "closed", "self", "learner"})

# Games in packages of their own, which the reader installs first.
EXAMPLE_GAMES = frozenset(
    name
    for file in (ROOT / "examples").glob("*/pyproject.toml")
    for name in tomllib.loads(file.read_text())["project"]["entry-points"].get("kibitz.games", {})
)


class BrokenCommandError(Exception):
    """A command that a reader cannot type."""


def commands(text: str) -> Iterator[list[str]]:
    """The words of each command of a block, without comments."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):  # variables of the environment
            words = words[1:]
        if words:
            yield words


def check(words: list[str], written: set[str]) -> None:
    """Raise `BrokenCommandError` if the command cannot work. `written` are the files that earlier commands write."""
    program, *rest = words
    program = program.removeprefix(".venv/bin/")
    if program == "kibitz":
        check_kibitz(rest, written)
    elif program == "make":
        for target in (word for word in rest if "=" not in word):
            if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE):
                raise BrokenCommandError(f"the Makefile has no target {target}")
    elif program in ("python", "node"):
        check_script(rest)
        written.update(file for option, file in pairwise(rest) if option in ("--save", "--output"))
    elif program not in OTHERS:
        raise BrokenCommandError(f"{program} is no command that the tests know")


def check_script(rest: list[str]) -> None:
    source = module_file(rest[1]) if rest[0] == "-m" else ROOT / rest[0]
    if source is None or not source.exists():
        raise BrokenCommandError(f"there is no {' '.join(rest[:2])}")
    text = source.read_text()
    for option in (word.partition("=")[0] for word in rest if re.match(r"--[a-z]", word)):
        if option not in text:
            raise BrokenCommandError(f"{rest[0]} has no option {option}")


def module_file(module: str) -> Path | None:
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return None
    file = Path(found.origin)
    return file.with_name("__main__.py") if file.name == "__init__.py" else file


def check_kibitz(rest: list[str], written: set[str]) -> None:
    group = KIBITZ
    path: list[str] = []
    while rest and isinstance(group, typer.core.TyperGroup) and rest[0] in group.commands:
        group = group.commands[rest[0]]
        path, rest = [*path, rest[0]], rest[1:]
    if not path and rest and not rest[0].startswith("-"):
        raise BrokenCommandError(f"kibitz has no command {rest[0]}")
    if "--help" in rest or not path:
        return
    try:
        given = group.make_context(" ".join(path), list(rest)).params
    except Exception as error:  # of the parser, which has its own kinds
        raise BrokenCommandError(f"kibitz {' '.join(path)}: {getattr(error, 'message', error)}") from error
    check_names(path[0], given, written)
    for option in ("output", "save"):
        if given.get(option):
            written.add(str(given[option]))


def check_names(command: str, given: dict[str, object], written: set[str]) -> None:
    game = given.get("game")
    if not isinstance(game, str) or ":" in game or game in EXAMPLE_GAMES:
        return
    try:
        found = registry.game(game)
        for agent in agents_in(given):
            check_agent(found, agent, written)
        if command == "reproduce" and isinstance(given.get("name"), str):
            experiment.read(str(given["name"]))
    except KibitzError as error:
        raise BrokenCommandError(str(error)) from error


def agents_in(given: dict[str, object]) -> Iterator[str]:
    for option in ("agent", "agents", "partners", "against", "group", "strangers", "seats"):
        value = given.get(option)
        for text in value if isinstance(value, list | tuple) else [value]:
            if isinstance(text, str):
                yield from (each.strip() for each in text.split(",") if not each.strip().startswith("launch:"))


def check_agent(game: Game, agent: str, written: set[str]) -> None:
    agent = agent.removeprefix("learner:")
    name = agent.partition("@")[0]
    for file in re.findall(r"[\w./-]+\.(?:toml|npz|py)\b", agent):
        if file not in written and not Path(file).exists():
            raise BrokenCommandError(f"{file} is not a file that the page writes")
    if name in NOBODY or name in written:
        return
    if is_place(name):
        file, _, part = name.partition(":")
        if Path(file).exists() and part and part not in Path(file).read_text():
            raise BrokenCommandError(f"{file} has no {part}")
        return
    registry.agent(game, name)
