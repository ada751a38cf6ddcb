"""Tests wait for events and inject clocks: they neither sleep for a fixed time nor assert how long something took."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

# A sleep of zero seconds lets others run. One of 1e6 seconds or more stands for a program that hangs.
CLOCKS = re.compile(
    r"""\bsleep\((?!0\)|1e[6-9]\b)
    | \bwait_for_timeout\( | \bsetTimeout\(
    | \b(?:monotonic|perf_counter|process_time|thread_time)(?:_ns)?\(\)
    | \btime\.time(?:_ns)?\(\) | \b(?:\w*loop(?:\(\))?|clock)\.time\(\)""",
    re.VERBOSE,
)

ALLOWED = {
    "soak": "plays at real servers for minutes; most of what it promises is a number of seconds",
    "waiting.py": "waits for conditions that announce themselves nowhere",
    "test_clocks.py": "quotes what it looks for",
}


def clocks(text: str) -> list[int]:
    """The lines that sleep or look at the clock."""
    return [number for number, line in enumerate(text.splitlines(), 1) if CLOCKS.search(line)]


def test_no_test_sleeps_or_looks_at_the_clock() -> None:
    files = [file for file in TESTS.rglob("*.py") if file.relative_to(TESTS).parts[0] not in ALLOWED]
    found = [f"{file.relative_to(TESTS)}:{line}" for file in files for line in clocks(file.read_text("utf-8"))]
    assert found == [], "wait with tests/waiting.py or for an event, or inject a clock"


def test_everything_that_is_allowed_exists() -> None:
    assert all((TESTS / name).exists() for name in ALLOWED)


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(0.1)",
        "await asyncio.sleep(delay)",
        "page.wait_for_timeout(200)",
        "assert time.perf_counter() - begun < 1",
        "begun = time.time_ns()",
        "begun = asyncio.get_running_loop().time()",
        "begun = loop.time()",
        "script = 'import time; time.sleep(3)'",
    ],
)
def test_sleeps_and_looks_at_the_clock_are_found(line: str) -> None:
    assert clocks(line) == [1]


@pytest.mark.parametrize("line", ["await asyncio.sleep(0)", "time.sleep(1e6)", 'setattr(time, "monotonic", clock)'])
def test_turns_for_others_hanging_programs_and_injected_clocks_pass(line: str) -> None:
    assert clocks(line) == []
