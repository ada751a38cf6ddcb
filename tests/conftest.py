"""Property tests look at the same cases in every run, and never at the clock."""

import pytest
from hypothesis import settings

settings.register_profile("kibitz", deadline=None, derandomize=True, database=None)
settings.load_profile("kibitz")
pytest.register_assert_rewrite("tests.wall", "tests.golden")


def pytest_configure(config: pytest.Config) -> None:
    # A mixed table passes functions as values, which the compiler still calls experimental.
    config.addinivalue_line("filterwarnings", "ignore::numba.core.errors.NumbaExperimentalFeatureWarning")
