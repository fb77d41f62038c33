"""One server and one browser for all the tests of the page; every test has a window of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import PATIENCE_MS, launched
from tests.web.server import Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Page

HERE = "tests/browser/"
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All that is here needs a browser."""
    for item in items:
        if HERE in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`passline serve`, for all who do not kill it."""
    running = Server(tmp_path_factory.mktemp("pit"), None, "--rate", "2000", "--newcomers", "5000")
    yield running
    assert running.stop() == 0
    assert "traceback" not in running.log.read_text()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    with sync_playwright() as driver:
        started = launched(driver)
        yield started
        started.close()


def _is_wrong(said: ConsoleMessage) -> bool:
    """Whether the console complains of more than a bet that was refused, or a file with a fault in it."""
    return said.type == "error" and "409" not in said.text and "422" not in said.text


@pytest.fixture
def page(browser: Browser, pit: Server, tmp_path: Path) -> Iterator[Page]:
    """A window of somebody new; what the page complains of fails the test."""
    context = browser.new_context(
        base_url=pit.address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
    )
    window = context.new_page()
    complaints: list[str] = []
    window.on("pageerror", lambda error: complaints.append(str(error)))
    window.on("console", lambda said: complaints.append(said.text) if _is_wrong(said) else None)
    yield window
    if complaints:
        window.screenshot(path=tmp_path / "complained.png")
    window.unroute_all(behavior="ignoreErrors")  # else what such a handler still does fails the next test
    context.close()
    assert complaints == []
