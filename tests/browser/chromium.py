"""A Chromium: the one that is named, or the one on the path; `scripts/test-browser` brings one where there is none."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

SWITCHES = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio")
SPEAKS = "en_US.UTF-8"
"""As a computer of somebody's speaks; a bare machine's `C` becomes a language that no page knows."""


def launched(driver: Playwright) -> Browser:
    """A Chromium that runs here, started."""
    named = os.environ.get("PASSLINE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert named, "there is no Chromium here; scripts/test-browser brings one"
    spoken: dict[str, str | float | bool] = {**os.environ, "LANG": SPEAKS, "LC_ALL": SPEAKS}
    return driver.chromium.launch(executable_path=named, args=list(SWITCHES), env=spoken)
