"""A server for all tests that open pages, and a browser for each file of them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.server.web.browsers import Server, Visit, browsing


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Not for longer: while it is there, its event loop runs, and other tests could not run theirs."""
    with browsing() as found:
        yield found


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


@pytest.fixture
def visitor(browser: Any, server: Server) -> Iterator[Callable[..., Visit]]:
    """Visits that end with the test; whatever their consoles said is a failure."""
    visits = []

    def visit(name: str = "", at: Server = server, **context: Any) -> Visit:
        visits.append(Visit(browser, at, name, **context))
        return visits[-1]

    yield visit
    for each in visits:
        each.close()
    assert [each.said for each in visits if each.said] == []
