"""A Chromium: the one that is named, or the one on the path; `scripts/test-browser` brings one where there is none."""

from __future__ import annotations

import os
import shutil

SWITCHES = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio")


def chromium() -> str:
    """The path of a Chromium that runs here."""
    named = os.environ.get("PASSLINE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert named, "there is no Chromium here; scripts/test-browser brings one"
    return named
