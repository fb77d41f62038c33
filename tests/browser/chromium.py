"""A Chromium: the one that is named, or the one on the path; `scripts/test-browser` brings one where there is none."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext, Page, Playwright

SWITCHES = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio")
SPEAKS = "en_US.UTF-8"
"""As a computer of somebody's speaks; a bare machine's `C` becomes a language that no page knows."""
PATIENCE_MS = 60_000
"""How long a test waits for what must come: a machine that does much else is no reason to fail."""


def launched(driver: Playwright) -> Browser:
    """A Chromium that runs here, started; every window of it waits with patience."""
    named = os.environ.get("PASSLINE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert named, "there is no Chromium here; scripts/test-browser brings one"
    spoken: dict[str, str | float | bool] = {**os.environ, "LANG": SPEAKS, "LC_ALL": SPEAKS}
    started = driver.chromium.launch(executable_path=named, args=list(SWITCHES), env=spoken, timeout=PATIENCE_MS)
    new_context = started.new_context

    def patient(**asked: Any) -> BrowserContext:  # noqa: ANN401 - what `new_context` takes
        context = new_context(**asked)
        context.set_default_timeout(PATIENCE_MS)
        return context

    started.new_context = patient  # type: ignore[method-assign]
    return started


def wait_until(page: Page, found: Callable[[], object], is_: object = True) -> None:  # noqa: FBT002 - any value
    """Look again and again, as `expect` does, at what no locator can tell."""
    for _ in range(PATIENCE_MS // 100):
        if found() == is_:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"it did not come to that: {found()} is not {is_}")
