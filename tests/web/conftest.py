"""One server for the tests of a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.server import RUNNING, Server, end_all

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`passline serve`, for all who do not kill it."""
    running = Server(tmp_path_factory.mktemp("pit"), None, "--rate", "2000", "--newcomers", "5000")
    with running.closing():
        yield running


@pytest.fixture(autouse=True)
def _none_left_behind() -> Iterator[None]:
    """A test that fails leaves no server of its own running."""
    before = set(RUNNING)
    yield
    end_all(but=before)
