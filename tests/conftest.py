"""Property tests look at the same cases in every run and never at the clock; the longest tests begin first.

`make fuzz` looks at other cases in every run, and at many more. A long run ends with a list of the slowest files.
"""

import os
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.fuzzing import FUZZING, TIMES

settings.register_profile("kibitz", deadline=None, derandomize=True, database=None, max_examples=50)
settings.register_profile("fuzz", deadline=None, derandomize=False, print_blob=True, max_examples=50 * TIMES)
settings.load_profile("fuzz" if FUZZING else "kibitz")
pytest.register_assert_rewrite("tests.wall", "tests.golden")


# Files with tests of many seconds each, those that wait for a browser or a process before those that only compute.
LONGEST = (
    "test_pages.py",
    "test_soak.py",
    "test_interpreted.py",
    "test_server.py",
    "test_three.py",
    "test_interrupt.py",
)


def pytest_configure(config: pytest.Config) -> None:
    """Slow tests run with `-m slow`, or when they are named (`file.py::test`)."""
    config.addinivalue_line("markers", "slow: takes long, so only `make test-slow` runs it")
    if not config.option.markexpr and not any("::" in name for name in config.args):
        config.option.markexpr = "not slow"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Workers share the tests; one alone with the long ones at the end would let the others wait."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(LONGEST)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Where the time went: the files whose tests took longest, with all that they waited for."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]
    if seconds.total() < 60:
        return
    terminalreporter.section(f"slowest of {len(seconds)} files: seconds of {seconds.total():.0f} in all workers")
    for file, spent in seconds.most_common(12):
        terminalreporter.write_line(f"{spent:7.1f}  {file}")


@pytest.fixture(autouse=True, scope="session")
def runs_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Runs are kept where no other test, and no person, looks."""
    os.environ["KIBITZ_RUNS"] = str(tmp_path_factory.mktemp("runs"))


@pytest.fixture
def runs(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the runs of one test."""
    folder = tmp_path_factory.mktemp("runs")
    monkeypatch.setenv("KIBITZ_RUNS", str(folder))
    return folder


EXAMPLE = Path(__file__).parents[1] / "examples" / "nim"


def nim_entries() -> str:
    """The entry points of the example's package, and of agents that only tests have."""
    groups = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]
    groups["kibitz.agents"] |= {f"nim.{name}": f"tests.core.nim:{name}" for name in ("any_taker", "thinker")}
    lines = ([f"[{group}]", *(f"{name} = {where}" for name, where in each.items())] for group, each in groups.items())
    return "\n".join(line for group in lines for line in group)


@pytest.fixture
def nim(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A competitive game in a foreign package that is installed for the length of a test."""
    from kibitz.core import registry

    site = tmp_path_factory.mktemp("site")
    info = site / "nim-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(nim_entries())
    monkeypatch.syspath_prepend(site)
    remembered = (registry.game_entries, registry.agent_entries, registry.game)
    for each in remembered:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in remembered:
        each.cache_clear()
