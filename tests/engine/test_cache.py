"""Compiled code is found in another process, and never after a change of its sources.

The processes are simulated: a package is written to a folder, imported, changed, and imported again.
"""

import errno
import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from numba.core.typing.templates import builtin_registry

from kibitz.core.registry import load_file
from kibitz.engine import cache, dependencies
from kibitz.errors import KibitzError
from tests.fuzzing import at_length

pytestmark = pytest.mark.machine_code
ROOT = Path(__file__).parents[2]
COMPILED = "from kibitz.engine.compile import compiled, struct_dtype\n"
# A caller in one file; what it calls, reads and makes in another.
MAIN = (
    COMPILED
    + '''
from cached_helpers import OFFSET, Pace, helper
import cached_helpers

@compiled
def doubled(x):
    """Twice as much."""
    return 2 * helper(x) + OFFSET + cached_helpers.EXTRA + Pace(1, 20).slow

@compiled
def apart(x):
    return x - 1
'''
)
HELPERS = (
    COMPILED
    + '''
from typing import NamedTuple

OFFSET = 100
EXTRA = 1000
UNUSED = 5

class Pace(NamedTuple):
    slow: int
    fast: int

@compiled
def helper(x):
    """A helper."""
    return x + 1
'''
)


class Outcome(NamedTuple):
    value: Any
    hits: int
    misses: int


NEW, FOUND = (0, 1), (1, 0)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Write files, import them as a new process would, and call one of their functions."""
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a change within a second could otherwise be overlooked

    def call(files: dict[str, str], where: str = "cached_main:doubled", *arguments: Any) -> Outcome:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        for name in [name for name in sys.modules if name.startswith("cached_")]:
            del sys.modules[name]
        dependencies.direct.cache_clear()
        for function, kind in builtin_registry.globals:
            if function in dependencies.CHOSEN_BY_TYPES:  # Numba keeps what it chose; a new process chooses again
                kind.templates[0]._impl_cache.clear()
        importlib.invalidate_caches()
        module, _, name = where.partition(":")
        function = getattr(importlib.import_module(module), name)
        value = function(*(arguments or (1,)))
        return Outcome(value, sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values()))

    return call


FILES = {"cached_main": MAIN, "cached_helpers": HELPERS}


def test_what_was_compiled_is_found_again(package: Callable[..., Outcome]) -> None:
    assert package(FILES) == (1105, *NEW)
    assert package(FILES) == (1105, *FOUND)


@pytest.mark.parametrize(
    ("file", "old", "new", "value"),
    [
        ("cached_main", "return 2 *", "return 3 *", 1107),
        ("cached_helpers", "return x + 1", "return x + 2", 1107),
        ("cached_helpers", "OFFSET = 100", "OFFSET = 200", 1205),
        ("cached_helpers", "EXTRA = 1000", "EXTRA = 2000", 2105),
        ("cached_helpers", "EXTRA = 1000", "EXTRA = 1000.5", 1105.5),
        ("cached_helpers", "slow: int\n    fast: int", "fast: int\n    slow: int", 1124),
        ("cached_helpers", "def helper(x):", "def helper(x, y=7):\n    return x + y\n@compiled\ndef other(x):", 1117),
        ("cached_main", "@compiled\ndef doubled", "# a comment\n\n@compiled\ndef doubled", 1105),
    ],
    ids=[
        "the file itself", "a helper", "a constant", "a member of a module", "a type", "a named tuple", "a default",
        "the line, which exceptions report",
    ],
)  # fmt: skip
def test_a_change_of_what_it_is_made_from_compiles_it_anew(
    package: Callable[..., Outcome], file: str, old: str, new: str, value: float
) -> None:
    package(FILES)
    changed = FILES | {file: FILES[file].replace(old, new)}
    assert changed != FILES
    assert package(changed) == (value, *NEW)
    assert package(FILES) == (1105, *FOUND), "going back costs nothing"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("cached_main", "Twice as much", "Two times"),
        ("cached_helpers", "A helper", "A little helper"),
        ("cached_helpers", "UNUSED = 5", "UNUSED = 6"),
        ("cached_main", "return x - 1", "return x - 2"),
        ("cached_helpers", "OFFSET = 100", "OFFSET = 50 + 50"),
    ],
    ids=["docstring", "docstring elsewhere", "constant not used", "function not used", "same value"],
)
def test_a_change_of_anything_else_costs_nothing(
    package: Callable[..., Outcome], file: str, old: str, new: str
) -> None:
    package(FILES)
    changed = FILES | {file: FILES[file].replace(old, new)}
    assert changed != FILES
    assert package(changed) == (1105, *FOUND)


DIGESTS = """
import sys
import numba
from kibitz.core import registry
from kibitz.engine import dependencies

games = [registry.game(name) for name in ("hanabi", "loveletter")]
agents = [agent.decide for game in games for agent in registry.agents(game)]
members = [vars(module).values() for name, module in sys.modules.items() if name.startswith("kibitz.")]
compiled = [member.py_func for each in members for member in each if hasattr(member, "py_func")]
for game in games:
    struct = str(numba.from_dtype(game.dtype))
    for function in (*agents, *compiled):
        print(game.name, dependencies.identity(function), dependencies.digest(function, struct))
"""


@at_length
def test_every_process_comes_to_the_same_digests() -> None:
    """Of every compiled function of two games and what they use; sets and addresses differ from process to process."""

    def printed(seed: str) -> list[str]:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", DIGESTS], env=environment, text=True, capture_output=True, check=True
        )
        return sorted(done.stdout.splitlines())

    digests = printed("1")
    assert any("kibitz.engine.loop.play_games" in line for line in digests)
    assert printed("2") == digests


# A game's rules are found by the type of its states

GAME = (
    COMPILED
    + """
import numpy as np
from kibitz.engine import generic
STATE = struct_dtype([("{name}", np.int64), ("other", np.{other})])

@compiled
def turns(s):
    return s.{name} + {plus}

generic.implement("{name}", STATE, turns=turns)
"""
)
LOOP = (
    COMPILED
    + """
import numpy as np
from kibitz.engine import generic

@compiled
def asked(states):
    return generic.turns(states[0])

@compiled
def made(count):
    return generic.turns(np.zeros(count, STATE)[0])

from {game} import STATE
import cached_other_game

def asks(count):
    asks.stats = asked.stats
    result = asked(np.zeros(count, STATE))
    asks.stats = asked.stats
    return result
"""
)


@pytest.fixture
def games(package: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Ask for the turns of a game that was never played, through `generic`."""
    from kibitz.engine import generic

    monkeypatch.setattr(generic, "IMPLEMENTED", dict(generic.IMPLEMENTED))
    monkeypatch.setattr(generic, "OWNERS", dict(generic.OWNERS))

    def ask(where: str = "asks", plus: int = 5, plus_elsewhere: int = 1, other: str = "int64") -> Outcome:
        return package(
            {
                "cached_game": GAME.format(name="cached_stones", plus=plus, other=other),
                "cached_other_game": GAME.format(name="cached_cards", plus=plus_elsewhere, other="int64"),
                "cached_loop": LOOP.format(game="cached_game"),
            },
            f"cached_loop:{where}",
        )

    return ask


@pytest.mark.parametrize("where", ["asks", "made"])
def test_a_loop_depends_on_the_rules_of_the_game_it_is_compiled_for(games: Callable[..., Outcome], where: str) -> None:
    assert games(where) == (5, *NEW)
    assert games(where) == (5, *FOUND)
    assert games(where, plus=6) == (6, *NEW)
    assert games(where, plus=5, other="int32") == (5, *NEW), "the fields of its states"
    assert games(where) == (5, *FOUND)
    assert games(where, plus_elsewhere=2) == (5, *FOUND), "another game's rules are nothing to it"


def test_what_numba_has_to_put_in_the_place_of_a_function_counts(package: Callable[..., Outcome]) -> None:
    text = (
        COMPILED
        + """
from numba import extending

def stub(x):
    raise NotImplementedError

@extending.overload(stub)
def stub_in_machine_code(x):
    return lambda x: x + 3

@compiled
def asks(x):
    return stub(x)
"""
    )
    assert package({"cached_overload": text}, "cached_overload:asks") == (4, *NEW)
    assert package({"cached_overload": text}, "cached_overload:asks") == (4, *FOUND)
    assert package({"cached_overload": text.replace("x + 3", "x + 4")}, "cached_overload:asks") == (5, *NEW)


# The folder


def test_a_folder_that_cannot_be_written_costs_only_time(package: Callable[..., Outcome], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file is in the place of the folder")
    assert package(FILES) == (1105, *NEW)
    assert package(FILES) == (1105, *NEW)


def test_a_damaged_file_is_compiled_and_written_anew(package: Callable[..., Outcome], tmp_path: Path) -> None:
    package(FILES)
    for path in (tmp_path / "cache").rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:-9])
    assert package(FILES) == (1105, *NEW)
    assert package(FILES) == (1105, *FOUND)
    for path in (tmp_path / "cache").rglob("*.nbc"):
        path.write_bytes(pickle.dumps(("something", "else")))
    assert package(FILES) == (1105, *NEW)


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 250)
    for age, name in enumerate(["new.nbc", "older.nbc", "oldest.nbc", "begun.tmp", "left.tmp"]):
        (tmp_path / name).write_bytes(b"x" * (0 if name.endswith("tmp") else 100))
        used = (tmp_path / name).stat().st_mtime - age - (2 * cache.ABANDONED if name == "left.tmp" else 0)
        os.utime(tmp_path / name, (used, used))
    cache.remove_oldest.__wrapped__(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["begun.tmp", "new.nbc", "older.nbc"]


def test_finding_a_file_is_using_it(package: Callable[..., Outcome], tmp_path: Path) -> None:
    package(FILES)
    (path,) = (tmp_path / "cache").rglob("*doubled*.nbc")
    os.utime(path, (0, 0))
    package(FILES)
    assert path.stat().st_mtime > 0


# Agents in files of their own, in real processes

BOT = """
from kibitz.engine.compile import compiled

@compiled
def oldest(cards):
    return {slot}

class Bot:
    def decide(self, view):
        return f"discard {{oldest(5)}}"
"""
PLAY = """
import sys
from pathlib import Path
from kibitz.core.registry import load_file

for path in sys.argv[1:]:
    module = load_file(Path(path))
    print(module.Bot().decide(None), sum(module.oldest.stats.cache_hits.values()))
"""


def started(folder: Path, *arguments: str | Path, script: str = PLAY) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", script, *map(str, arguments)]
    environment = {**os.environ, "KIBITZ_CACHE": str(folder)}
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def said(process: "subprocess.Popen[str]") -> list[str]:
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out.splitlines()


def test_an_agent_in_a_file_is_compiled_once_for_all_processes(tmp_path: Path) -> None:
    """Two that compile it at once, with a file of the same name; then it is found, moved, and changed."""
    folder, bot, namesake = tmp_path / "cache", tmp_path / "bot.py", tmp_path / "other" / "bot.py"
    namesake.parent.mkdir()
    bot.write_text(BOT.format(slot=1))
    namesake.write_text(BOT.format(slot=2))
    at_once = [started(folder, bot, namesake) for _ in range(2)]
    assert all([line.split()[:2] for line in said(each)] == [["discard", "1"], ["discard", "2"]] for each in at_once)
    assert [path.suffix for path in (folder / "kibitz" / "compiled").iterdir()] == [".nbc"] * 2
    moved = tmp_path / "moved.py"
    moved.write_text(bot.read_text())
    assert said(started(folder, bot, namesake, moved)) == ["discard 1 1", "discard 2 1", "discard 1 0"]


FACTORY = """
import sys
from kibitz.engine.compile import compiled

def make(n):
    @compiled
    def total(x):
        for i in range(x):
            for j in range(i):
                x += (i ^ j) % 7
        print()  # nothing that a compiler would put in the place of a call
        return x + n

    @compiled
    def twice(x):
        return total(x) + total(x + 1)

    return twice

for number in sys.argv[1:]:
    made = make(int(number))
    print(made(0), sum(made.stats.cache_hits.values()))
"""


def test_functions_of_one_factory_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """They have the same name, and in processes that made only one of them, also the same number."""

    def made(*numbers: str) -> list[str]:
        return [line for line in said(started(tmp_path, *numbers, script=FACTORY)) if line]

    assert (made("100"), made("200")) == (["201 0"], ["401 0"])
    assert made("100", "200") == ["201 1", "401 1"]


def test_a_file_that_changes_in_the_same_moment_is_loaded_anew(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("SLOT = 1")
    first = load_file(path)
    moment = path.stat().st_mtime_ns
    path.write_text("SLOT = 2")
    os.utime(path, ns=(moment, moment))
    assert (first.SLOT, load_file(path).SLOT) == (1, 2)
    assert load_file(path) is load_file(path)


def test_a_file_that_cannot_be_loaded_leaves_no_module_behind(tmp_path: Path) -> None:
    path = tmp_path / "broken_bot.py"
    path.write_text("1 / 0")
    with pytest.raises(KibitzError, match="ZeroDivisionError"):
        load_file(path)
    assert not [name for name in sys.modules if "broken_bot" in name]


def test_who_has_no_descriptor_waits_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, tries, whole = tmp_path / "found.nbc", [], os.open
    path.write_bytes(b"code")

    def short_of_descriptors(*arguments: Any) -> int:
        tries.append(arguments)
        if len(tries) < 4:
            raise OSError(errno.EMFILE, "Too many open files")
        return whole(*arguments)

    monkeypatch.setattr(os, "open", short_of_descriptors)
    assert (cache.read(path), len(tries)) == (b"code", 4)
    with pytest.raises(FileNotFoundError):
        cache.read(tmp_path / "missing.nbc")


def test_a_game_that_is_loaded_besides_changes_nothing_for_the_others() -> None:
    """Also if it alone has some function, like rolls of dice, whose name others read as an attribute of something."""
    code = """
import sys
from importlib import import_module
sys.path += ["examples/nim", "examples/kuhn"]
for name in sys.argv[1:]:
    import_module(name)
from kibitz.engine import dependencies
from kibitz.search.ismcts import ismcts
from tests.search.kuhn import STATE
import numba
print(dependencies.digest(getattr(ismcts, "py_func", ismcts), str(numba.from_dtype(STATE))))
"""
    alone, besides = (
        subprocess.run(
            [sys.executable, "-c", code, *names], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for names in ((), ("tests.core.race", "nim.game"))
    )
    assert alone == besides != ""


SCRIPT = (
    COMPILED
    + """
from typing import NamedTuple

class Pace(NamedTuple):
    slow: int
    fast: int

@compiled
def together(pace):
    return pace.slow + pace.fast

for _ in range(5):
    together(Pace(1, 20))
print(sum(together.stats.cache_hits.values()))
"""
)


def test_a_script_with_named_tuples_of_its_own_does_not_load_machine_code_at_every_call(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, script], env={**os.environ, "KIBITZ_CACHE": str(tmp_path)}, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        assert done.stdout == "0\n"
