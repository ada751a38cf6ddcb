"""How long tests explore: a fixed little in every test run, and many times that under `make fuzz`."""

import os
from typing import Any

import pytest
from hypothesis import settings

TIMES = int(os.environ.get("KIBITZ_FUZZ", "1"))
FUZZING = "KIBITZ_FUZZ" in os.environ


def examples(count: int) -> settings:
    """For a property test whose examples take long: so many in a test run."""
    return settings(max_examples=count * TIMES)


def at_length(test: Any) -> Any:
    """A test that takes many seconds and that others stand for in a test run: only under `make fuzz`."""
    return pytest.mark.fuzz(pytest.mark.skipif(not FUZZING, reason="takes long: make fuzz runs it")(test))
